"""The command line: finds the command in `gamesearch.commands`, runs it and reports errors.

Data goes to standard output, progress and errors to standard error. Exit codes: 0 for success; 1 if the answer is no
(for example, no mate in two moves), or if the command was stopped before it had an answer; 2 for bad usage or input;
130 if the user interrupts the command.
"""

import contextlib
import importlib
import os
import pkgutil
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from gamesearch.cli.messages import OUTPUT, discard, prepare_streams, say
from gamesearch.errors import FaultsError, GamesearchError, Interrupted, shorten, system_reason

__all__ = ["execute", "group", "run", "usage_sentence", "with_positions"]

TITLES = {
    "playing": "Play",
    "solving": "Analyze and solve",
    "visualizing": "Visualize",
    "measuring": "Measure",
    "learning": "Learn",
    "building": "Build",
    "serving": "Engine protocols",
}
"""The folders of `gamesearch.commands`, each with the title of its group in `gamesearch --help`."""
FOLDER = Path(__file__).parents[1] / "commands"
GROUPS = {
    title: [module.name for module in pkgutil.iter_modules([str(FOLDER / folder)])] for folder, title in TITLES.items()
}
"""The names of the commands in each group of `gamesearch --help`. Each command is a module in the folder of its
group."""
COMMANDS = {name: folder for folder, title in TITLES.items() for name in GROUPS[title]}
"""The commands, each with its folder."""


def describe_command(name: str) -> str:
    """Return the first line of a command's file, without importing the file. This line says what the command does."""
    module = FOLDER / COMMANDS[name] / name
    file = module / "__init__.py" if module.is_dir() else module.with_suffix(".py")
    with file.open(encoding="utf-8") as lines:
        return lines.readline().strip().strip('"')


BOARD = re.compile(r"(?:[1-8pnbrqk~]+/){7}[1-8pnbrqk~]+(?:\[\w*\]|/\w*)?", re.IGNORECASE)
"""The first field of a FEN: the board, and in Crazyhouse also the pieces in hand."""
FEN_FIELDS = tuple(map(re.compile, ("[wb]", "-|[A-HKQa-hkq]+", "-|[a-h][36]", r"\d+", r"\d+")))
"""The other fields of a FEN: side to move, castling, en passant, and two move counters."""


class ReaderHasGoneError(Exception):
    """Raised if standard output is a pipe that the reading program has closed."""


@contextlib.contextmanager
def detect_closed_pipe() -> Iterator[None]:
    """Raise ReaderHasGoneError if the output is a closed pipe. If the original exception reached Click, the command
    would exit with an error."""
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError as error:
        raise ReaderHasGoneError from error


class LazyGroup(click.Group):
    """A group of commands. Each command is a module in a folder of `gamesearch.commands`, and is imported when it is
    called."""

    def make_context(self, *arguments: Any, **options: Any) -> click.Context:
        """Parse the command line. Click prints --help while it parses, so a closed pipe must be detected here."""
        with detect_closed_pipe():
            return super().make_context(*arguments, **options)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. If its arguments are wrong, the error message says how to show the help of this command."""
        with detect_closed_pipe():
            try:
                return super().invoke(ctx)
            except click.UsageError as error:
                command = self.get_command(ctx, ctx.invoked_subcommand or "")
                if error.ctx is None and command is not None:  # errors of Click's parser do not name the command
                    error.ctx = click.Context(command, ctx, ctx.invoked_subcommand)
                raise

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse the command line. `help COMMAND` means `COMMAND --help`."""
        return super().parse_args(ctx, [*args[1:], "--help"] if args[:1] == ["help"] else args)

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names of all commands, in the order of `gamesearch --help`."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import a command by name; None for an unknown name."""
        if cmd_name not in COMMANDS:
            return None
        module: Any = importlib.import_module(f"gamesearch.commands.{COMMANDS[cmd_name]}.{cmd_name}")
        command: click.Command = module.command
        command.name = cmd_name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that the first argument names. If no command has this name, the error suggests a similar
        command. If a game has this name, the error suggests playing the game instead."""
        from gamesearch.specification import nearest

        name = args[0]
        if name not in COMMANDS and not name.startswith("-"):
            game = f"did you mean gamesearch play {shlex.quote(name)}?" if names_game(name) else ""
            raise click.UsageError(f"there is no command {name!r}: {game or nearest(name, COMMANDS)}")
        return super().resolve_command(ctx, args)

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the commands and options that begin with the typed text, without importing any command."""
        found = [CompletionItem(name, help=describe_command(name)) for name in COMMANDS if name.startswith(incomplete)]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the groups of commands without importing the commands."""
        width = max(map(len, COMMANDS))
        for title, commands in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), describe_command(name)) for name in commands])


def names_game(text: str) -> bool:
    """Whether a text names a game, or an existing file that may contain the rules or moves of a game."""
    from gamesearch import aliases
    from gamesearch.play.files import is_record
    from gamesearch.registry import game_names
    from gamesearch.specification import file_named, parse_specification

    file = text if is_record(text) else file_named(text)
    if file is not None:
        return Path(file).is_file()
    try:
        aliases.resolve(parse_specification(text), game_names(), aliases.GAMES)
    except GamesearchError:
        return False
    return True


LIBRARIES = ("numba", "numpy", "chess", "rich", "click", "textual")  # the packages listed by `--version`


def print_versions(context: click.Context, parameter: click.Parameter, is_given: bool) -> None:  # noqa: ARG001
    """Print the versions and exit, if --version was given."""
    if not is_given or context.resilient_parsing:
        return
    import platform  # these two modules are slow to import
    from importlib import metadata

    click.echo(f"gamesearch {metadata.version('gamesearch')}")
    click.echo(f"{platform.python_implementation()} {platform.python_version()}, {platform.system() or 'unknown'}")
    for name in LIBRARIES:
        try:
            version = metadata.version(name)
        except metadata.PackageNotFoundError:
            version = "is not installed"
        click.echo(f"{'python-chess' if name == 'chess' else name} {version}")
    context.exit(0)


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"]},
    invoke_without_command=True,
    epilog="\b\nExit codes:\n"
    "  0    success\n"
    "  1    the answer is no (such as no mate in 2), or a limit prevented an answer\n"
    "  2    bad usage or input; standard error explains it\n"
    "  130  interrupted by Ctrl-C; the results so far are printed\n"
    "\n\b\nCompletion (add the line to ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish):\n"
    '  eval "$(_GAMESEARCH_COMPLETE=bash_source gamesearch)"\n'
    '  eval "$(_GAMESEARCH_COMPLETE=zsh_source gamesearch)"\n'
    "  _GAMESEARCH_COMPLETE=fish_source gamesearch | source\n",
)
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=print_versions,
    help="Print the versions of gamesearch and its libraries.",
)
@click.pass_context
def group(context: click.Context) -> Any:
    """Play, analyze, solve and measure games with the search algorithms of the textbooks.

    Each command has examples in its --help.

    \b
    gamesearch play tictactoe
    gamesearch analyze connect4 4453 --algorithm "alphabeta(depth=10)"
    gamesearch solve nim 3,4,5
    gamesearch bench tictactoe --algorithms "minimax,alphabeta"
    """
    if context.invoked_subcommand is None:
        words = ["--help"]
        if sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty():
            from gamesearch.cli.terminal import choose_command

            words = choose_command()
        return group.main(words, prog_name="gamesearch", standalone_mode=False)
    return None


def with_positions(arguments: Sequence[str]) -> list[str]:
    """Put a space before each position that begins with '-' (a negative number, or an Othello board), so that Click
    does not take the position for an option. A negative number after an option is the value of the option and stays
    unchanged."""
    found = []
    arguments = with_whole_fens(arguments)
    for before, each in zip(("", *arguments), arguments, strict=False):
        is_number = re.match(r"-\d", each) is not None and not before.startswith("-")
        found.append(f" {each}" if is_number or re.match(r"-[-.*xXoO]{15,}(\s|$)", each) else each)
    return found


def with_whole_fens(arguments: Sequence[str]) -> list[str]:
    """Return the arguments, with the fields of each unquoted FEN joined into one argument.

    >>> with_whole_fens(["chess", "8/8/8/8/8/1p6/K7/7k", "w", "-", "-", "0", "1", "--depth", "3"])
    ['chess', '8/8/8/8/8/1p6/K7/7k w - - 0 1', '--depth', '3']
    """
    found, waiting = [], list(arguments)
    while waiting:
        each = waiting.pop(0)
        for field in FEN_FIELDS if BOARD.fullmatch(each) else ():
            if not waiting or not field.fullmatch(waiting[0]):
                break
            each += f" {waiting.pop(0)}"
        found.append(each)
    return found


def run(arguments: Sequence[str]) -> int:
    """Run a command line and return its exit code. An error is reported in one sentence on standard error."""
    if sys.stdout is None:
        return complain("standard output is closed: nothing can be printed")
    prepare_streams()
    return execute(arguments)


def execute(arguments: Sequence[str]) -> int:
    """Run a command line without changing the standard streams, for example inside another command."""
    try:
        code = group.main(with_positions(arguments), prog_name="gamesearch", standalone_mode=False)
    except click.UsageError as error:
        return complain(usage_sentence(error))
    except click.ClickException as error:
        return complain(error.format_message())
    except Interrupted as error:
        complain(str(error))
        return 130
    except GamesearchError as error:
        return max(map(complain, error.faults if isinstance(error, FaultsError) else [str(error)]))
    except (click.Abort, KeyboardInterrupt):
        complain("interrupted")
        return 130
    except ReaderHasGoneError:  # for example, head closes the pipe after a few lines
        discard(sys.stdout)
        return 0
    except OSError as error:
        if error.filename == OUTPUT:
            discard(sys.stdout)
            return complain(f"{OUTPUT} cannot be written: {system_reason(error)}")
        return complain(unreadable(error))
    except MemoryError:
        return complain("not enough memory: choose a smaller depth, board or value of memory=")
    except SystemExit as error:
        from gamesearch.user_code.files import exit_sentence  # imported late because it is needed only here

        if sentence := exit_sentence(error):
            return complain(sentence)
        raise
    except Exception as error:
        if os.environ.get("GAMESEARCH_DEBUG"):
            raise
        return complain(f"{describe_unexpected(error)}; set GAMESEARCH_DEBUG=1 to see the traceback")
    return code if isinstance(code, int) else 0


def complain(sentence: str) -> int:
    """Report an error on standard error; returns the exit code for bad usage or input."""
    say(f"gamesearch: {shorten(sentence)}")
    return 2


def usage_sentence(error: click.UsageError) -> str:
    """Return Click's error message as one sentence that refers to the help of the command."""
    message = error.format_message().rstrip(".").replace("\n", " ")
    message = re.sub("a valid integer( range)?", "a whole number", message)
    message = re.sub("a valid float( range)?", "a number", message)
    command = error.ctx.command_path if error.ctx is not None else "gamesearch"
    parameters = error.ctx.command.params if error.ctx is not None else []
    if message.startswith("Got unexpected extra argument"):
        words = {f"--{word}" for word in message.rpartition("(")[2].rstrip(")").split()}
        options = [name for each in parameters for name in each.opts if name in words]
        if options:
            message += f": did you mean {options[0]}?"
        elif any(each.name == "position" for each in parameters):
            message += "; a position with spaces has to be in quotes"
    if "is not in the range" in message:
        message = re.sub(r"(\d)\.0\b", r"\1", message)  # Click writes 1000000.0
    return f"{message[:1].lower()}{message[1:]} (see {command} --help)"


def unreadable(error: OSError) -> str:
    """Describe a failed read or write. The description gives the reason, and also the name of the file if it is
    known."""
    why = system_reason(error)
    if isinstance(error.filename, str | bytes | os.PathLike):
        return f"{os.fsdecode(error.filename)} cannot be read or written: {why}"
    return f"cannot read or write: {why}"


def describe_unexpected(error: Exception) -> str:
    """Return a sentence that describes an unexpected exception, such as an error in the rules of a user's game. If a
    method of a game raised the exception, the sentence gives the state."""
    import traceback  # imported late because only this function needs it

    from gamesearch.game import Game
    from gamesearch.user_code.files import frame_in_file, message_of

    sentence = type(error).__name__
    frames = list(traceback.walk_tb(error.__traceback__))  # empty if the exception was created but not raised
    if frames:
        frame, line = frame_in_file(error) or frames[-1]
        file = os.path.basename(frame.f_code.co_filename)  # noqa: PTH119
        sentence += f" in {frame.f_code.co_name} ({file}, line {line})"
    sentence += message_of(error)
    for frame, _ in reversed(frames):
        declared = getattr(getattr(Game, frame.f_code.co_name, None), "__code__", None)
        game, s = [frame.f_locals.get(name) for name in (*frame.f_code.co_varnames, "", "")[:2]]
        if isinstance(game, Game) and declared is not None and declared.co_varnames[1:2] == ("s",):
            return f"{sentence}, in the state {s!r}"
    return sentence
