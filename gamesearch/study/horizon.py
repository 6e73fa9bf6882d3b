"""The horizon effect: what a search to a fixed depth believes at each depth, and from where on others see the truth.

Who is about to lose something can put it off by moves that must be answered. If these moves are enough to push the
loss beyond the last ply, the search believes that it is avoided, and plays them, though each may cost something of its
own (H. J. Berliner 1973, "Some necessary conditions for a master chess program", IJCAI 3; Russell and Norvig, section
5.3). A position shows it where the value falls from one depth to the next: all depths before did not see so far.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from gamesearch.algorithms.alphabeta import AlphaBeta
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.pvs import PARTS, PrincipalVariationSearch
from gamesearch.errors import GamesearchError
from gamesearch.game import MIN, Game
from gamesearch.study.growth import DEEPEST

__all__ = ["DEEPEST_SHOWN", "DEFAULT", "Fall", "Sight", "depth_that_sees", "fall_of", "look"]

DEFAULT = "chess", "1B6/8/6p1/2Pk4/1P6/4PP2/p7/7K w - - 0 1"
"""A pawn that is about to queen: three checks, one of them by a bishop that is lost, put that off by six plies."""
DEEPEST_SHOWN = 9
"""So deep the default position is searched: a ply more than it takes to see the queen."""
LOOKING = {
    "quiescence": ("quiescence",),
    "extensions": ("extensions",),
    "both": ("quiescence", "extensions"),
}
"""The parts of the selective search that look further."""


@dataclass
class Sight:
    """What one algorithm believes at depth 1, 2, ..., as far as it was not stopped."""

    label: str
    algorithm: Algorithm
    sign: int
    """1 where Max is to move, -1 where Min is."""
    results: list[SearchResult] = field(default_factory=list)
    stopped: str = ""
    """Why the next search was stopped, which is not among these."""

    def value(self, depth: int) -> float:
        """What a search to a depth believes, for the player to move."""
        value = self.results[depth - 1].value
        assert isinstance(value, float | int)
        return self.sign * float(value)


@dataclass(frozen=True)
class Fall:
    """Where the value falls most from one depth to the next: the first depth that sees the loss."""

    depth: int
    before: float
    """What the depth before believes, for the player to move."""
    after: float

    @property
    def size(self) -> float:
        """How much the value falls; less than nothing where it rises."""
        return self.before - self.after

    @property
    def threshold(self) -> float:
        """The middle: whoever believes no more than this has seen the loss."""
        return (self.before + self.after) / 2


def sights(game: Game[Any], state: Any) -> Iterator[Sight]:
    """Search to a fixed depth, and each choice of parts that look further, without results."""
    sign = -1 if game.player(state) == MIN else 1
    order = game.suggested_order or "game+killer+history"
    yield Sight("fixed depth", AlphaBeta(table=True, order=order), sign)
    for label, on in LOOKING.items():
        parts: dict[str, Any] = {part: part in on for part in PARTS}
        yield Sight(label, PrincipalVariationSearch(order=order, **parts), sign)


def look(
    game: Game[Any], state: Any, limits: Limits, *, speed: str = "auto", monitor: Monitor | None = None
) -> list[Sight]:
    """Search a position to depth 1, 2, ..., with a fixed depth and with the parts that look further.

    The last depth is the same for all, unless a search is stopped: the one in `limits`, else the one that the game
    suggests; where it suggests none, the first depth at which the search to a fixed depth sees the end of the game.
    """
    if game.players != 2 or game.payoff_count > 1:
        raise GamesearchError(f"the horizon effect is shown {game.zero_sum_words()}")
    found = list(sights(game, state))
    for sight in found:
        sight.algorithm.fits(game)
        while len(sight.results) < last_depth(game, found, limits):
            at_depth = Limits(len(sight.results) + 1, limits.time, limits.nodes)
            result = search_with(game, state, sight.algorithm, at_depth, speed=speed, monitor=monitor)
            if result.stopped:
                sight.stopped = result.stopped
                break
            sight.results.append(result)
    return found


def last_depth(game: Game[Any], found: Sequence[Sight], limits: Limits) -> int:
    """The depth that all search to, DEEPEST at most: as asked or suggested, else the one that sees the end.

    That is the depth of the first of the searches that has seen the end, for a deeper one finds nothing else.
    """
    depth = found[0].algorithm.limits(game, limits).depth or 1
    if depth == FULL_DEPTH:
        seeing = (len(each.results) for each in found if each.results and each.results[-1].sees_the_end)
        depth = next(seeing, DEEPEST)
    return min(depth, DEEPEST)


def fall_of(sight: Sight) -> Fall | None:
    """Where the value falls most, the first such place; None where it never falls."""
    depths = range(2, len(sight.results) + 1)
    falls = [Fall(depth, sight.value(depth - 1), sight.value(depth)) for depth in depths]
    return max((each for each in falls if each.size > 0), key=lambda each: each.size, default=None)


def depth_that_sees(sight: Sight, fall: Fall) -> int | None:
    """The first depth at which an algorithm believes no more than half of what was hoped for."""
    depths = range(1, len(sight.results) + 1)
    return next((depth for depth in depths if sight.value(depth) <= fall.threshold), None)
