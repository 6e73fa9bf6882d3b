"""What a command says beside its answer: how far a search is, which speed ran, and how it ended."""

import contextlib
import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from rich.text import Text

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.formatting import compiling_text, seconds_text
from gamesearch.algorithms.engine.result import Monitor, Progress, SearchResult
from gamesearch.cli.consoles import status_console
from gamesearch.cli.messages import say
from gamesearch.compiler import why_interpreted
from gamesearch.compiler.cache_files import kept_kernels
from gamesearch.game import Game

__all__ = ["Compilations", "exit_code", "how_far", "say_fallback", "say_speed", "say_threads", "telling", "watching"]


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


def exit_code(monitor: Monitor, values_agree: bool = True) -> int:
    """130 after Ctrl-C; 1, with a sentence, where exact algorithms found different values; else 0."""
    if monitor.interrupted:
        return 130
    if not values_agree:
        say("gamesearch: the exact algorithms do not agree: this is a bug, please report it")
    return 0 if values_agree else 1


@contextlib.contextmanager
def watching(verb: str = "thinking", expected: float = 0.0, ending: str = "Ctrl-C stops") -> Iterator[Monitor]:
    """A monitor that shows on standard error what a search does, where somebody looks at it.

    Ctrl-C while a first search is compiled raises Interrupted at once, for nothing is known yet. Where it is known
    about how many nodes are to be expected, it shows how far it is, and how long it still takes. `ending` says what
    Ctrl-C does.
    """
    console = status_console()
    if not console.is_terminal:
        compilations = Compilations(say)
        yield telling(compilations, lambda _: None)
    else:
        compilations = Compilations(functools.partial(console.print, style="dim"))
        with console.status(f"{verb} ...") as status:
            yield telling(compilations, lambda text: status.update(Text(text)), verb, expected, ending)
    compilations.note("")


class Compilations:
    """Reports each compilation once, and that its code is kept as soon as the cache has it."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell = tell
        self.said: set[str] = set()
        self.unkept: set[str] = set()

    def note(self, kernel: str) -> None:
        """Report that a kernel is being compiled; an empty name stands for none."""
        if kernel and kernel not in self.said:
            self.said.add(kernel)
            if kernel not in kept_kernels:
                self.unkept.add(kernel)
            self.tell(f"compiling {kernel}")
        for each in sorted(self.unkept & kept_kernels):
            self.unkept.remove(each)
            self.tell(f"{each} is compiled, and kept for the next time")


def telling(
    compilations: Compilations,
    show: Callable[[str], None],
    verb: str = "thinking",
    expected: float = 0.0,
    ending: str = "Ctrl-C stops",
) -> Monitor:
    """A monitor that tells once of each compilation, and again and again shows what is done."""

    def poll(progress: Progress) -> bool:
        compilations.note(progress.compiling)
        if monitor.interrupted:  # of several searches, those after an interrupted one end at once
            return True
        depth = f", depth {progress.depth}" if progress.depth else ""
        stage = f"{monitor.stage}; " if monitor.stage else ""
        effort = f"{progress.nodes:,} nodes{depth}, {progress.seconds:.1f} s{how_far(progress, expected)}"
        show(f"{compiling_text(progress)} ..." if progress.compiling else f"{verb} ... {stage}{effort}; {ending}")
        return False

    monitor = Monitor(poll=poll, note=compilations.tell, leaves_compiling=True)
    return monitor


def how_far(progress: Progress, expected: float) -> str:
    """The part that is done of what is expected, and the time that the rest takes at this rate, to end a clause."""
    if not expected or not progress.nodes:
        return ""
    if progress.nodes >= expected:
        return ", more than was estimated"
    left = progress.seconds * (expected / progress.nodes - 1)
    return f", about {progress.nodes / expected:.0%}, {seconds_text(left)} still"
