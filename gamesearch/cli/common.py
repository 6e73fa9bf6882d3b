"""What the subcommands share: their arguments and options, consoles, and the status line."""

import contextlib
import json
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.markup import escape

from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.algorithms.parts.formatting import seconds_text
from gamesearch.algorithms.parts.result import WHY_STOPPED, Monitor, Progress, SearchResult
from gamesearch.cli.completing import offer_algorithms, offer_files, offer_games
from gamesearch.cli.messages import say
from gamesearch.compiler import SPEEDS, why_interpreted
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.files import writable_path
from gamesearch.registry import load
from gamesearch.trace.reading import load_recording, read_recording
from gamesearch.trace.recording import Recording

__all__ = [
    "MOST_PLIES",
    "algorithm_option",
    "announcer",
    "ascii_option",
    "exit_code",
    "force_option",
    "format_of",
    "game_argument",
    "how_far",
    "json_option",
    "output_console",
    "plies_option",
    "position_argument",
    "position_text",
    "print_json",
    "read_history",
    "read_position",
    "read_trace",
    "read_unfinished",
    "say_fallback",
    "say_speed",
    "say_threads",
    "speed_option",
    "status_console",
    "trace_argument",
    "verbose_option",
    "watching",
    "width_option",
]

Command = TypeVar("Command", bound=Callable[..., Any])

MOST_PLIES = 200
"""No tree is drawn deeper: it takes 800 columns."""

game_argument = click.argument("game", metavar="GAME", shell_complete=offer_games)
position_argument = click.argument("position", metavar="[POSITION]", default="", required=False)
algorithm_option = click.option(
    "-a",
    "--algorithm",
    default="alphabeta",
    show_default=True,
    shell_complete=offer_algorithms,
    help="Such as 'alphabeta(depth=6, table=true)'.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
ascii_option = click.option("--ascii", "only_ascii", is_flag=True, help="Draw with ASCII characters alone.")
speed_option = click.option(
    "--speed", type=click.Choice(list(SPEEDS)), default="auto", show_default=True, help="One source, two speeds."
)
force_option = click.option("-f", "--force", is_flag=True, help="Replace FILE where it exists already.")
plies_option = click.option(
    "--plies",
    type=click.IntRange(0, MOST_PLIES),
    metavar="N",
    default=3,
    show_default=True,
    help="How deep to draw the tree.",
)
width_option = click.option(
    "--width", type=click.IntRange(min=1), metavar="N", default=6, show_default=True, help="Moves drawn of each node."
)
trace_argument = click.argument("trace", metavar="TRACE", shell_complete=offer_files)
verbose_option = click.option("-v", "--verbose", is_flag=True, help="Say which speed was chosen, and why.")


def read_position(game: str, position: str) -> tuple[Game[Any], Any]:
    """The game and the state that two arguments mean; '-' reads the position from standard input."""
    return load(game).setup(position_text(position))


def read_history(game: str, position: str) -> tuple[Game[Any], Any, list[Any]]:
    """The game and the state that two arguments mean, and the states before it that the position tells of."""
    text = position_text(position)
    played, state = load(game).setup(text)
    return played, state, played.positions_before(text)


def position_text(position: str) -> str:
    """The text of a position argument; for '-', what standard input holds."""
    if position != "-":
        return position
    text = sys.stdin.read().strip()
    if not text:
        raise GamesearchError("standard input is empty: it should hold a position")
    return text


def read_trace(path: str) -> Recording:
    """The trace in a file; '-' reads it from standard input."""
    if path != "-":
        return load_recording(path)
    try:
        return read_recording(sys.stdin.read(), "standard input")
    except UnicodeDecodeError:
        raise GamesearchError("standard input is not a trace of gamesearch: it is not text") from None


def format_of(path: str, formats: Iterable[str], overwrite: bool) -> str:
    """The suffix, in small letters, of a file that may be written in one of some formats.

    Raises GamesearchError where it has none of their suffixes, or may not be written.
    """
    suffix = PurePath(path).suffix.casefold()
    *most, last = formats
    if suffix not in (*most, last):
        known = f"{', '.join(most)} or {last}" if most else last
        raise GamesearchError(f"{path!r} names no format: it should end in {known}")
    writable_path(path, overwrite=overwrite)
    return suffix


def output_console(only_ascii: bool = False) -> Console:
    """Where data goes. Not a terminal: no colours, no box characters, and wide enough for every line."""
    console = OutputConsole(highlight=False, emoji=False)
    if only_ascii or not can_draw(console):
        return AsciiConsole(highlight=False, emoji=False, width=None if console.is_terminal else WIDE)
    return console


WIDE = 10_000
"""The width of what is no terminal: no line is wrapped."""


class OutputConsole(Console):
    """A console that leaves it to us what happens when its reader goes."""

    def on_broken_pipe(self) -> None:
        """Called by Rich while it handles a BrokenPipeError."""
        raise


class AsciiConsole(OutputConsole):
    """A console whose renderables see that it is for ASCII: Rich asks the encoding."""

    @property
    def encoding(self) -> str:
        """What renderables are told."""
        return "ascii"

    def print(self, *objects: Any, **options: Any) -> None:
        """Print; not on a terminal, at once and without the blanks that Rich fills lines up with."""
        if self.is_terminal:
            super().print(*objects, **options)
            return
        with self.capture() as captured:
            super().print(*objects, **options)
        self.file.write("".join(line.rstrip() + "\n" for line in captured.get().splitlines()))
        self.file.flush()


def can_draw(console: Console) -> bool:
    """Whether box characters and glyphs may be used: on a terminal that knows them."""
    has_glyphs = console.encoding.lower().startswith("utf") and not asks_for_ascii()
    return console.is_terminal and not console.is_dumb_terminal and has_glyphs


def asks_for_ascii() -> bool:
    """Whether the locale is said to be C: Python then writes UTF-8 all the same, and sets LC_CTYPE to do so."""
    chosen = os.environ.get("LC_ALL") or os.environ.get("LC_CTYPE") or os.environ.get("LANG")
    if chosen == "C.UTF-8" and not os.environ.get("LC_ALL"):  # set by Python, if LANG says otherwise
        chosen = os.environ.get("LANG") or chosen
    return chosen in ("C", "POSIX")


def status_console() -> Console:
    """Where progress goes."""
    return OutputConsole(stderr=True, highlight=False)


def say_fallback(game: Game[Any], *searched: Game[Any]) -> None:
    """Say on standard error that a game, or what was made of it, is beyond Numba and ran interpreted."""
    if not game.interpreted_because and any(map(why_interpreted, (game, *searched))):
        say("the rules, or some of them, cannot be compiled and run interpreted, much slower: --verbose says why")


def say_threads(algorithms: Iterable[Algorithm], found: Iterable[SearchResult]) -> None:
    """Say on standard error that several threads searched, or why one did alone where several were asked for."""
    asked = max((getattr(each, "threads", 1) for each in algorithms), default=1)
    used = max((each.statistics.threads for each in found), default=asked)
    if used > 1:
        say(f"searched by {used} threads: another run visits other nodes, and may find another move that is as good")
    elif asked > 1:
        say("searched by one thread: several need machine code, and this search ran interpreted")


def say_speed(game: Game[Any], asked: str, ran: str, verbose: bool, *searched: Game[Any]) -> None:
    """Say on standard error which speed ran, and why it was the slower one; unasked, only where rules do not compile.

    `ran` is empty where nothing was searched; `searched` are the games that algorithms made of this one.
    """
    reason = why_interpreted(game)
    if verbose and ran:
        say(f"speed: {ran}" + (f", because {reason}" if reason and ran == "interpreted" else ""))
    elif asked == "auto":
        say_fallback(game, *searched)


def read_unfinished(game: str, position: str, purpose: str) -> tuple[Game[Any], Any]:
    """The game and the state of two arguments; raises GamesearchError where the game is over."""
    played, state = read_position(game, position)
    if played.terminal(state):
        raise GamesearchError(f"the game is over in {played.format(state)!r}: there is nothing to {purpose}")
    return played, state


def exit_code(monitor: Monitor, values_agree: bool) -> int:
    """130 after Ctrl-C; 1, with a sentence, where exact algorithms found different values; else 0."""
    if monitor.interrupted:
        return 130
    if not values_agree:
        say("gamesearch: the exact algorithms do not agree: this is a bug, please report it")
    return 0 if values_agree else 1


def print_json(data: Any) -> None:
    """Write data as JSON to standard output."""
    json.dump(data, sys.stdout, indent=2, ensure_ascii=False)
    sys.stdout.write("\n")


@contextlib.contextmanager
def watching(verb: str = "thinking", expected: float = 0.0) -> Iterator[Monitor]:
    """A monitor that shows on standard error what a search does, where somebody looks at it.

    Where it is known about how many nodes are to be expected, it shows how far it is, and how long it still takes.
    """
    console = status_console()
    if not console.is_terminal:
        announce = announcer(say)
        monitor = Monitor(poll=lambda progress: announce(progress) or monitor.interrupted, note=say)
        yield monitor
        return
    with console.status(f"{verb} ...") as status:

        def tell(text: str) -> None:
            console.print(text, style="dim", markup=False)

        announce = announcer(tell)

        def poll(progress: Progress) -> bool:
            announce(progress)
            if monitor.interrupted:  # of several searches, those after an interrupted one end at once
                return True
            if progress.compiling:
                status.update(f"compiling {progress.compiling} (once; it is kept for the next time) ...")
            else:
                depth = f", depth {progress.depth}" if progress.depth else ""
                stage = f"{escape(monitor.stage)}; " if monitor.stage else ""
                effort = f"{progress.nodes:,} nodes{depth}, {progress.seconds:.1f} s{how_far(progress, expected)}"
                status.update(f"{verb} ... {stage}{effort}; Ctrl-C stops")
            return False

        monitor = Monitor(poll=poll, note=tell)
        yield monitor


def how_far(progress: Progress, expected: float) -> str:
    """The part that is done of what is expected, and the time that the rest takes at this rate, to end a clause."""
    if not expected or not progress.nodes:
        return ""
    if progress.nodes >= expected:
        return ", more than was estimated"
    left = progress.seconds * (expected / progress.nodes - 1)
    return f", about {progress.nodes / expected:.0%}, {seconds_text(left)} still"


def announcer(tell: Callable[[str], None]) -> Callable[[Progress], bool]:
    """A poll that says once that something is compiled."""
    said: set[str] = set()

    def poll(progress: Progress) -> bool:
        if progress.compiling and progress.compiling not in said:
            said.add(progress.compiling)
            tell(f"compiling {progress.compiling} (once; it is kept for the next time)")
        return False

    return poll


def best_so_far(result: SearchResult) -> str:
    """A clause that says what a stopped search did not do; empty for one that was not stopped."""
    return f"stopped: {WHY_STOPPED[result.stopped]}" if result.stopped else ""
