"""An algorithm as a player: what it learned about one move stays for the next."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.algorithms.parts.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.algorithms.random_mover import RandomMover
from gamesearch.bits import mix
from gamesearch.game import Game
from gamesearch.play.player import Player, Turn

__all__ = ["AlgorithmPlayer"]


class AlgorithmPlayer(Player):
    """An algorithm that plays, and keeps a searcher while a match goes on.

    It begins anew where the match no longer continues what it saw: after undo, after another game was loaded, and in
    another match; also for a position that it thinks about again. With what it has seen later in a game, it could find
    another of several moves that are worth the same.
    """

    def __init__(self, algorithm: Algorithm, speed: str = "auto") -> None:
        self.algorithm: Algorithm = algorithm
        self.specification = algorithm.specification
        self.is_search, self.needs_seed = algorithm.is_search, algorithm.needs_seed
        self.speed = speed
        self.searcher: Searcher | None = None
        self.seen: list[Any] = []
        """The states of the match when it last thought."""

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        """Search the present position. A player at random without a seed of its own has the match's, for its side."""
        if self.needs_seed:
            drawing = Searcher(turn.game, RandomMover(mix((turn.seed, turn.mover))), self.speed)
            return drawing.search(turn.state, monitor=monitor, past=turn.past)
        if self.searcher is None or not self.continues(self.searcher, turn.game, turn.states):
            self.begin()
            self.searcher = Searcher(turn.game, self.algorithm, self.speed)
        self.seen = list(turn.states)
        return self.searcher.search(turn.state, self.limits(turn), monitor=monitor, past=turn.past)

    def limits(self, turn: Turn) -> Limits:
        """The limits of a search: those of the turn, and a share of the time that is left."""
        if turn.clock is None:
            return turn.limits
        allowed = turn.clock.allowance(turn.mover)
        time = turn.limits.time
        return replace(turn.limits, time=allowed if time is None else min(allowed, time))

    def continues(self, searcher: Searcher, game: Game[Any], states: Sequence[Any]) -> bool:
        """Whether a match has only gone on since."""
        count = len(self.seen)
        return searcher.game is game and count < len(states) and list(states[:count]) == self.seen

    def begin(self) -> None:
        """Forget everything, and let other searches have the memory."""
        if self.searcher is not None:
            with self.searcher:  # which releases it
                self.searcher = None
        self.seen = []

    def close(self) -> None:
        """Let other searches have the memory."""
        self.begin()
