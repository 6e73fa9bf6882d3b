"""Progress and remarks on standard error: how far a search has got, whether it ran interpreted or compiled, and how it
ended."""

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator

from rich.text import Text

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.formatting import compiling_text, seconds_text
from gamesearch.algorithms.engine.result import Monitor, Progress, SearchResult
from gamesearch.cli.consoles import status_console
from gamesearch.cli.messages import say
from gamesearch.compiler import why_interpreted
from gamesearch.compiler.cache_files import kept_kernels
from gamesearch.game import Game

__all__ = [
    "Compilations", "exit_code", "progress_monitor", "remaining_text", "say_fallback", "say_speed", "say_threads",
    "show_progress",
]  # fmt: skip


def say_fallback(game: Game, *searched: Game) -> None:
    """If Numba cannot compile `game` or a game in `searched`, report that the search ran interpreted."""
    if not game.interpreted_because and any(map(why_interpreted, (game, *searched))):
        say("some rules cannot be compiled, so they run interpreted, which is much slower: --verbose explains why")


def say_threads(algorithms: Iterable[Algorithm], found: Iterable[SearchResult]) -> None:
    """Report that several threads searched. If only one thread searched although more were requested, report why."""
    asked = max((getattr(each, "threads", 1) for each in algorithms), default=1)
    used = max((each.statistics.threads for each in found), default=asked)
    if used > 1:
        say(f"searched by {used} threads: another run may visit other nodes and find another move of the same value")
    elif asked > 1:
        say("searched by one thread: several threads need compiled code, but this search was not compiled")


def say_speed(game: Game, asked: str, ran: str, verbose: bool, *searched: Game) -> None:
    """If `verbose` is true, report the speed. Otherwise, print a report only if the rules cannot be compiled. `ran` is
    empty if nothing was searched. The algorithms may search other games instead of `game`, such as `game` with learned
    weights. The argument `searched` contains these games."""
    reason = why_interpreted(game)
    if verbose and ran:
        say(f"speed: {ran}" + (f", because {reason}" if reason and ran == "interpreted" else ""))
    elif asked == "auto":
        say_fallback(game, *searched)


def exit_code(monitor: Monitor, values_agree: bool = True) -> int:
    """The exit code: 130 after Ctrl-C; 1, with a message, if exact algorithms found different values; otherwise 0."""
    if monitor.interrupted:
        return 130
    if not values_agree:
        say("gamesearch: the exact algorithms do not agree: this is a bug, please report it")
    return 0 if values_agree else 1


@contextlib.contextmanager
def show_progress(verb: str = "thinking", expected: float = 0.0, ending: str = "Ctrl-C stops") -> Iterator[Monitor]:
    """Yield a monitor that shows progress on a terminal. If `expected` (the expected number of nodes) is given, the
    monitor also shows the time left. `ending` says what Ctrl-C does. While code is compiled for the first search,
    Ctrl-C raises Interrupted."""
    console = status_console()
    if not console.is_terminal:
        compilations = Compilations(say)
        yield progress_monitor(compilations, lambda _: None)
    else:
        compilations = Compilations(functools.partial(console.print, style="dim"))
        with console.status(f"{verb} ...") as status:
            yield progress_monitor(compilations, lambda text: status.update(Text(text)), verb, expected, ending)
    compilations.note("")


class Compilations:
    """Reports twice about each compilation: when it begins, and when the cache has saved the machine code."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell
        self.said: set[str] = set()
        self.unkept: set[str] = set()

    def tell_once(self, sentence: str) -> None:
        """Print a sentence, unless it was printed before."""
        if sentence not in self.said:
            self.said.add(sentence)
            self.tell(sentence)

    def note(self, kernel: str) -> None:
        """Report that a kernel is being compiled; an empty name means that nothing is being compiled."""
        if kernel and kernel not in self.said:
            self.said.add(kernel)
            if kernel not in kept_kernels:
                self.unkept.add(kernel)
            self.tell(f"compiling {kernel}")
        for each in sorted(self.unkept & kept_kernels):
            self.unkept.remove(each)
            self.tell(f"{each} is compiled and saved for the next time")


def progress_monitor(
    compilations: Compilations,
    show: Callable[[str], None],
    verb: str = "thinking",
    expected: float = 0.0,
    ending: str = "Ctrl-C stops",
) -> Monitor:
    """A monitor that reports each compilation once and updates the progress."""

    def poll(progress: Progress) -> bool:
        compilations.note(progress.compiling)
        if monitor.interrupted:  # after an interrupted search, all further searches end immediately
            return True
        depth = f", depth {progress.depth}" if progress.depth else ""
        stage = f"{monitor.stage}; " if monitor.stage else ""
        effort = f"{progress.nodes:,} nodes{depth}, {progress.seconds:.1f} s{remaining_text(progress, expected)}"
        show(f"{compiling_text(progress)} ..." if progress.compiling else f"{verb} ... {stage}{effort}; {ending}")
        return False

    monitor = Monitor(poll=poll, note=compilations.tell_once, leaves_compiling=True)
    return monitor


def remaining_text(progress: Progress, expected: float) -> str:
    """Describe the progress: the nodes so far as a percentage of the expected nodes, and the remaining time."""
    if not expected or not progress.nodes:
        return ""
    if progress.nodes >= expected:
        return ", more than estimated"
    left = progress.seconds * (expected / progress.nodes - 1)
    return f", about {progress.nodes / expected:.0%}, {seconds_text(left)} left"
