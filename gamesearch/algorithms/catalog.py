"""The algorithms by name, with their parameters, and how each uses its kernel.

Each class here is what a specification such as `alphabeta(depth=6, table=true)` stands for: its
constructor's arguments are the parameters. `fits` refuses games the algorithm is not for, and
`search` runs the kernel, once or for growing depths, and reads the result off the session.
"""

import inspect
import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from gamesearch.algorithms import expectiminimax as chance
from gamesearch.algorithms.algorithm import Algorithm, DeepeningSearch, depth_checked, seconds_checked
from gamesearch.algorithms.expectiminimax import expectiminimax
from gamesearch.algorithms.maxn import maxn
from gamesearch.algorithms.minimax import minimax
from gamesearch.algorithms.recurrence import arrangements, is_stuck
from gamesearch.algorithms.reduction import InLeague, RandomOpponent, Reduction
from gamesearch.algorithms.result import Limits, Monitor, Observer, SearchResult, Statistics
from gamesearch.algorithms.session import Session
from gamesearch.algorithms.windows import AlphaBeta
from gamesearch.bits import mix
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, FORBIDDEN, RECURRENCE_DRAWS, Game
from gamesearch.specification import construct, nearest, parse_specification

__all__ = [
    "ALGORITHMS",
    "Algorithm",
    "AlphaBeta",
    "Expectiminimax",
    "MaxN",
    "Minimax",
    "Paranoid",
    "RandomMover",
    "load_algorithm",
]

PRUNINGS = {"none": chance.NO_PRUNING, "star1": chance.STAR1, "star2": chance.STAR2}
"""How expectiminimax can prune."""


class Minimax(Algorithm):
    """Every move of every node, to the depth or to the end."""

    name = "minimax"
    summary = "search everything to a depth, or to the end of the game"
    source = "Russell & Norvig, 4th ed., fig. 5.3"

    def __init__(self, depth: int | str = "", time: float = 0.0, bounds: bool = False) -> None:
        self.depth, self.time, self.bounds = depth_checked(depth), seconds_checked(time), bounds

    def search(self, game: Game[Any], state: Any, limits: Limits, **session: Any) -> SearchResult:
        """One run; a stopped one gives the best of the moves that were done."""
        with Session(game, limits, **session) as at_work:
            # A value that tells how soon never is the best there can be.
            at_work.begin(bounds=self.bounds, ages=game.win_or_loss and not self.bounds)
            at_work.note_iteration(limits.depth, "search")
            value = at_work.run(minimax, lambda: (game, state, limits.depth, 0, at_work.workspace, at_work.observer))
            return self.result(at_work, state, value, at_work.line)


class Expectiminimax(DeepeningSearch):
    """Expected values at chance nodes; with pruning by Ballard's Star1 and Star2."""

    name = "expectiminimax"
    summary = "expected values at chance nodes, with star1 and star2 pruning"
    source = "Russell & Norvig, 4th ed., section 5.5.1; Ballard 1983"

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        pruning: str = "none",
        table: bool = False,
        memory: int = 64,
        order: str = "generated",
        opponent: str = "best",
    ) -> None:
        if pruning not in PRUNINGS:
            raise GamesearchError(f"there is no pruning {pruning!r}: {nearest(pruning, PRUNINGS)}")
        if opponent not in ("best", "random"):
            raise GamesearchError(f"opponent is best or random, not {opponent!r}")
        self.take(depth, time, deepen, table, memory, order)
        self.pruning, self.opponent = pruning, opponent
        self.is_exact = opponent == "best"

    def fits(self, game: Game[Any]) -> None:
        """Raise GamesearchError for games of more than two players, and for a random Min whom superko restrains."""
        if game.players > 2:
            raise GamesearchError(f"{self.name} is for two players and {game.name} has {game.players}: use maxn")
        if self.opponent == "random" and game.recurrence == FORBIDDEN:
            raise GamesearchError(
                f"Min moves at random here, from whose moves the superko of {game.name} takes none: use opponent=best, "
                "or alphabeta"
            )

    def as_searched(self, game: Game[Any], state: Any) -> Game[Any]:  # noqa: ARG002
        """The game, or the game against an opponent at random."""
        is_reduced = isinstance(game, Reduction) or self.opponent == "best"
        return game if is_reduced else RandomOpponent(game)

    def one_depth(self, session: Session, state: Any, depth: int) -> tuple[float, tuple[int, ...]]:
        """The expected value of the root to a depth, and its line."""
        session.begin(pruning=PRUNINGS[self.pruning])
        session.note_iteration(depth, "search")
        value = session.run(
            expectiminimax,
            lambda: (
                session.game, state, -math.inf, math.inf, depth, 0, False,
                session.workspace, session.table, session.ordering, session.observer,
            ),
        )  # fmt: skip
        return float(value), () if session.game.player(state) == CHANCE else session.line


class Expectimax(Expectiminimax):
    """Expectiminimax against an opponent who moves at random."""

    name = "expectimax"
    summary = "expectiminimax against an opponent who moves at random"

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        pruning: str = "none",
        table: bool = False,
    ) -> None:
        super().__init__(depth, time, deepen, pruning, table, opponent="random")


class MaxN(Algorithm):
    """Each of n players takes what is best for himself."""

    name = "maxn"
    summary = "each of n players takes what is best for himself"
    source = "Luckhardt & Irani 1986"

    def __init__(self, depth: int | str = "", time: float = 0.0) -> None:
        self.depth, self.time = depth_checked(depth), seconds_checked(time)

    def fits(self, game: Game[Any]) -> None:
        """Raise GamesearchError for games with a single payoff."""
        if game.players < 3:
            raise GamesearchError(
                f"maxn needs a payoff for each of three or more players and {game.name} has {game.players}: use minimax"
            )
        if game.recurrence in (RECURRENCE_DRAWS, FORBIDDEN):
            raise GamesearchError(f"maxn does not know what to do where positions of {game.name} come again")

    def search(self, game: Game[Any], state: Any, limits: Limits, **session: Any) -> SearchResult:
        """One run."""
        with Session(game, limits, **session) as at_work:
            at_work.begin()
            at_work.note_iteration(limits.depth, "search")
            value = at_work.run(maxn, lambda: (game, state, limits.depth, 0, at_work.workspace, at_work.observer))
            line = at_work.line if game.player(state) != CHANCE else ()
            return self.result(at_work, state, None if at_work.stopped and not line else tuple(map(float, value)), line)


class Paranoid(AlphaBeta):
    """Alpha-beta for more than two players: one against all others, who are taken to be in league."""

    name = "paranoid"
    summary = "alpha-beta for three or more players, all others in league against one"
    source = "Sturtevant & Korf 2000"
    is_exact = False

    def __init__(
        self,
        depth: int | str = "",
        time: float = 0.0,
        deepen: bool = False,
        table: bool = False,
        memory: int = 64,
        order: str = "generated",
    ) -> None:
        super().__init__(depth, time, deepen, table, memory, order)
        self.is_exact = False

    def fits(self, game: Game[Any]) -> None:
        """Raise GamesearchError for games of two, and with dice."""
        if game.players < 3 and not isinstance(game, InLeague):
            raise GamesearchError(
                f"paranoid is for three or more players and {game.name} has {game.players}: use alphabeta"
            )
        if game.chance:
            raise GamesearchError(f"paranoid knows no chance nodes and {game.name} has them: use maxn")

    def as_searched(self, game: Game[Any], state: Any) -> Game[Any]:
        """The player to move against the rest."""
        return game if isinstance(game, Reduction) else InLeague(game, game.player(state))


class RandomMover(Algorithm):
    """A legal move, each with the same probability.

    Which one is decided by the seed, the position and how many positions came before it, and by nothing
    that was asked earlier: equal questions have equal answers. In a match, a seed that is left empty is
    made from the match's own (see `gamesearch.play.match`); elsewhere it is 0.
    """

    name = "random"
    summary = "any legal move, each with the same probability"
    source = "the yardstick of every algorithm"
    is_exact = False

    def __init__(self, seed: int | str = "") -> None:
        if isinstance(seed, str) and seed:
            raise GamesearchError(f"seed is a whole number, not {seed!r}")
        self.seed = seed

    def fits(self, game: Game[Any]) -> None:
        """It fits every game."""

    def search(self, game: Game[Any], state: Any, limits: Limits, **session: Any) -> SearchResult:  # noqa: ARG002
        """Draw a move."""
        past = session.get("past", ())
        steps = game.steps(state, past)
        generator = random.Random(f"{self.seed or 0}:{len(past)}:{mix(game.key(state))}")
        move = None if game.player(state) == CHANCE or not steps else generator.choice(steps)
        line = () if move is None else (move,)
        return SearchResult(self.specification, None, "exact", move, line, Statistics(nodes=1, speed="interpreted"))


ALGORITHMS: dict[str, type[Algorithm]] = {
    cls.name: cls for cls in (Minimax, AlphaBeta, Expectiminimax, Expectimax, MaxN, Paranoid, RandomMover)
}
"""Every algorithm by its name."""


def load_algorithm(text: str, defaults: Mapping[str, Any] | None = None) -> Algorithm:
    """The algorithm that a specification stands for.

    `defaults` are parameters to use, where the algorithm has them and the specification has not.
    Raises GamesearchError, with the nearest match, for unknown names and parameters.

    >>> load_algorithm("alphabeta(depth=6, table=true)").specification
    'alphabeta(depth=6, table=true)'
    """
    specification = parse_specification(text)
    if specification.name not in ALGORITHMS:
        hint = nearest(specification.name, ALGORITHMS)
        raise GamesearchError(f"there is no algorithm {specification.name!r}: {hint}")
    cls = ALGORITHMS[specification.name]
    known = {name: value for name, value in (defaults or {}).items() if name in inspect.signature(cls).parameters}
    filled = replace(specification, parameters={**known, **specification.parameters})
    algorithm: Algorithm = construct("the algorithm", cls, filled)
    return algorithm


def search_with(
    game: Game[Any],
    state: Any,
    algorithm: Algorithm,
    limits: Limits,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
    observer: Observer | None = None,
    past: Sequence[Any] = (),
) -> SearchResult:
    """Search a state, which the game reached by way of those of `past`, with an algorithm that fits it."""
    algorithm.fits(game)
    if game.terminal(state):
        raise GamesearchError(f"the game is over in {game.format(state)!r}: there is nothing to search")
    if is_stuck(game, state, arrangements(game, past)):
        raise GamesearchError(f"every move of {game.format(state)!r} is forbidden by what came before: it is a draw")
    if limits.depth is not None and limits.depth < 1:
        raise GamesearchError(f"a search is at least one ply deep, not {limits.depth}")
    holding = algorithm.limits(game, limits)
    return algorithm.search(
        algorithm.as_searched(game, state), state, holding, speed=speed, monitor=monitor, observer=observer, past=past
    )
