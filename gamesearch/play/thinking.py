"""How an algorithm thinks in a match: what it learned about one move stays for the next."""

from typing import Any

from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.algorithms.parts.result import Monitor, SearchResult
from gamesearch.algorithms.parts.searcher import Searcher
from gamesearch.play.match import Match

__all__ = ["Thinker"]


class Thinker:
    """One who thinks in a match, and keeps a searcher while the match goes on.

    It begins anew where the match no longer continues what it saw: after undo, after another game was loaded, and with
    another algorithm; also for a position that it thinks about again. With what it has seen later in a game, it could
    find another of several moves that are worth the same.
    """

    def __init__(self, speed: str = "auto") -> None:
        self.speed = speed
        self.searcher: Searcher | None = None
        self.seen: list[Any] = []
        """The states of the match when it last thought."""

    def think(self, match: Match, algorithm: Algorithm, monitor: Monitor | None = None) -> SearchResult:
        """Search the present position of a match."""
        if self.searcher is None or not self.continues(self.searcher, match, algorithm):
            self.begin_anew()
            self.searcher = Searcher(match.game, algorithm, self.speed)
        self.seen = list(match.states)
        return self.searcher.search(match.state, monitor=monitor, past=match.past)

    def continues(self, searcher: Searcher, match: Match, algorithm: Algorithm) -> bool:
        """Whether a match has only gone on since, and the algorithm is the same."""
        count = len(self.seen)
        has_gone_on = count < len(match.states) and match.states[:count] == self.seen
        is_same = searcher.game is match.game and searcher.algorithm.specification == algorithm.specification
        return has_gone_on and is_same

    def begin_anew(self) -> None:
        """Forget everything, and let other searches have the memory."""
        if self.searcher is not None:
            with self.searcher:  # which releases it
                self.searcher = None
        self.seen = []
