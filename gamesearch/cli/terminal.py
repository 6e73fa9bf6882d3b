"""Terminal input: lines with a prompt, hidden keys, Ctrl-C, and the menu of commands."""

import contextlib
import importlib.util
import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator
from types import FrameType
from typing import NamedTuple, TypeVar

import click

from gamesearch.algorithms.engine.result import Monitor
from gamesearch.cli.messages import say
from gamesearch.cli.reading import line_of_input
from gamesearch.errors import GamesearchError
from gamesearch.registry import game_names, load
from gamesearch.support.escaping import terminal_text

__all__ = ["LineReader", "allow_interrupt", "choose_command", "has_full_screen", "has_textual", "silent_keys"]

Answer = TypeVar("Answer")
LEAVING = ("quit", "q", "exit")


def has_full_screen() -> bool:
    """Whether all standard streams belong to a terminal that can show full-screen programs."""
    streams = (sys.stdin, sys.stdout, sys.stderr)
    is_dumb = os.environ.get("TERM", "dumb") == "dumb"
    return not is_dumb and all(stream is not None and stream.isatty() for stream in streams)


def has_textual() -> bool:
    """Whether Textual, which draws full screens, is installed."""
    return importlib.util.find_spec("textual") is not None


class LineReader:
    """Reads lines. On a terminal, this class shows a prompt. It also offers history and completion if readline is
    installed."""

    def __init__(self, complete: Callable[[str], list[str]], is_plain: bool = False) -> None:
        # sys.stdin is None if it was closed.
        self.is_terminal = sys.stdin is not None and sys.stdin.isatty()
        self.has_read = False  # whether any line was read
        # Python and readline write the prompt to standard output, so standard output must also be a terminal.
        self.can_edit = self.is_terminal and sys.stdout.isatty() and not is_plain
        if self.can_edit:
            prepare_readline(complete)

    def read(self, prompt: str) -> str | None:
        """The next line; None at the end of input."""
        prompt = terminal_text(prompt)
        try:
            if self.can_edit:
                text = input(prompt)
            else:
                if self.is_terminal:
                    click.echo(prompt, nl=False, err=True)
                text = line_of_input()
                if not text:
                    raise EOFError
        except EOFError:
            if self.is_terminal:
                click.echo("", err=True)
            return None
        except UnicodeDecodeError:
            raise GamesearchError("standard input is not text") from None
        self.has_read = True
        return text

    def ask(self, question: str, parse: Callable[[str], Answer]) -> Answer:
        """Ask until `parse` accepts the answer, and return the result of `parse`. The command ends at `quit` or when
        the input ends."""
        while True:
            text = self.read(question)
            if text is None or text.strip().casefold() in LEAVING:
                click.get_current_context().exit(1 if text is None else 0)
            try:
                return parse(text.strip())
            except GamesearchError as error:
                say(str(error))


def prepare_readline(complete: Callable[[str], list[str]]) -> None:
    """Let readline edit the lines that `input` reads; not every Python has readline."""
    with contextlib.suppress(ImportError):
        import readline

        def offer(text: str, number: int) -> str | None:
            offers = complete(text)
            return offers[number] if number < len(offers) else None

        readline.set_completer(offer)
        readline.set_completer_delims(" ")
        is_libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if is_libedit else "tab: complete")


@contextlib.contextmanager
def silent_keys() -> Iterator[None]:
    """A context in which typed keys are not shown. Typed keys are kept for the next line that is read."""
    stream = sys.stdin
    try:
        import termios
    except ImportError:  # not on POSIX
        stream = None
    if stream is None or not stream.isatty():
        yield
        return
    before = termios.tcgetattr(stream)
    silent = list(before)
    silent[3] &= ~termios.ECHO
    termios.tcsetattr(stream, termios.TCSANOW, silent)  # immediately, and without losing waiting keys
    try:
        yield
    finally:
        termios.tcsetattr(stream, termios.TCSANOW, before)


@contextlib.contextmanager
def allow_interrupt(monitor: Monitor) -> Iterator[None]:
    """Let the first Ctrl-C stop a search, and the second raise KeyboardInterrupt. The first Ctrl-C sets a flag instead
    of raising an exception: up to Python 3.12, an exception in `Thread.join` makes a running thread look finished
    (bpo-45274)."""

    def handle_interrupt(number: int, frame: FrameType | None) -> None:
        if monitor.interrupted:
            signal.default_int_handler(number, frame)
        monitor.interrupted = True

    poll = monitor.poll
    monitor.poll = lambda progress: poll(progress) or monitor.interrupted
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield  # Ctrl-C is already ignored, as in background jobs, or handled by other code
        return
    signal.signal(signal.SIGINT, handle_interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# The menu of `gamesearch` without arguments. ------------------------------------------------------
class Choice(NamedTuple):
    """A line of the menu. It contains a command and, if the command needs them, an example of a game and of a
    position."""

    text: str
    command: str
    game: str = ""
    position: str = ""


CHOICES = (
    Choice("play a game", "play"),
    Choice("analyze a position", "analyze", "tictactoe", "XX./OO./..."),
    Choice("solve a game", "solve", "nim", "3,4,5"),
    Choice("watch a search step by step", "watch", "[[3,12,8],[2,4,6],[14,5,2]]"),
    Choice("list the lessons", "lesson"),
    Choice("measure algorithms", "bench", "tictactoe", "X.O/.../..."),
    Choice("list the games", "games"),
    Choice("list the algorithms", "algorithms"),
    Choice("show all commands", "--help"),
)


def choose_command(lines: LineReader | None = None) -> list[str]:
    """Ask at the terminal what to do, and return the arguments of the command line."""
    lines = lines or LineReader(lambda text: [name for name in game_names() if name.startswith(text)])
    for number, choice in enumerate(CHOICES, 1):
        click.echo(f"{number:>3} {choice.text}")
    chosen = lines.ask("What do you want to do? [1] ", read_choice)
    words = [chosen.command]
    if chosen.game:
        game = lines.ask(f"Game? [{chosen.game}] ", lambda text: read_game(text or chosen.game))
        words.append(game)
        if game == chosen.game and chosen.position:
            words.append(lines.ask(f"Position? [{chosen.position}] ", lambda text: text or chosen.position))
    click.echo(f"$ gamesearch {shlex.join(words)}")
    return words


def read_choice(text: str) -> Choice:
    """Return the choice with the typed number, or the first choice if nothing was typed."""
    number = int(text or "1") if len(text) < 3 and (text or "1").isdecimal() else 0
    if not 1 <= number <= len(CHOICES):
        raise GamesearchError(f"type a number from 1 to {len(CHOICES)}, or `quit`")
    return CHOICES[number - 1]


def read_game(text: str) -> str:
    """Return the specification of a game; raise GamesearchError if the game cannot be loaded."""
    load(text)
    return text
