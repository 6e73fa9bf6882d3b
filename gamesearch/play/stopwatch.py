"""The time that a player thinks: what its algorithm takes to be compiled does not count."""

import contextlib
import time
from typing import Self

from gamesearch import compiler
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.play.players.player import Player

__all__ = ["Stopwatch"]


class Stopwatch:
    """Measures one answer of a player, in a `with` statement.

    An algorithm of ours says itself what it took. Of a person's own class, which may use our kernels and compile
    them, compilations are seen from here.
    """

    def __init__(self, player: Player) -> None:
        self.player = player
        self.seconds = self.compiled = 0.0

    def __enter__(self) -> Self:
        self.opened = contextlib.ExitStack()
        if self.player.is_own:
            self.opened.enter_context(compiler.compilations(lambda _: None, self.note))
        self.started = time.perf_counter()
        return self

    def __exit__(self, *_: object) -> None:
        self.seconds = max(0.0, time.perf_counter() - self.started - self.compiled)
        self.opened.close()

    def note(self, seconds: float) -> None:
        """Something was compiled."""
        self.compiled += seconds

    def seconds_of(self, result: SearchResult) -> float:
        """The seconds that count, of an answer that was given."""
        is_ours = self.player.algorithm is not None and not self.player.is_own
        return min(self.seconds, result.statistics.seconds) if is_ours else self.seconds
