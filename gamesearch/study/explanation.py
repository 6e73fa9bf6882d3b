"""Why this move: what each other move runs into, the worth of the best line's end, and each depth's choice."""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, MoveValue, SearchResult, Value, as_value
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.game import CHANCE, Game
from gamesearch.learned.networks import NetworkEvaluation
from gamesearch.learned.patterns import PatternEvaluation
from gamesearch.learned.weights_files import name_of_feature
from gamesearch.study.move_values import MoveSearch, one_ply_less

__all__ = ["AtDepth", "Ending", "Explanation", "Term", "ending_of", "explain"]

DEEPEST = 40
"""Up to which depth values are looked up depth by depth."""
MOST_PLACES = 8
"""So many places of patterns are named, those that add most; the others are one sum."""


@dataclass(frozen=True)
class AtDepth:
    """What a search to a depth finds."""

    depth: int
    value: Value
    best: int | None


@dataclass(frozen=True)
class Term:
    """A feature in an evaluation."""

    name: str
    amount: float
    weight: float

    @property
    def product(self) -> float:
        """What it adds."""
        return self.amount * self.weight


@dataclass(frozen=True)
class Ending:
    """The position at the end of the best line, and its value without looking further."""

    state: Any
    plies: int
    kind: str
    """`over` where the game ends there, `chance` where chance goes on, `horizon` where the search saw no
    further, `known` where it saw further and the line does not tell how."""
    value: Value
    terms: tuple[Term, ...] = ()
    """The evaluation, feature by feature or by places of patterns; none where the game is over, or has neither."""
    is_by_network: bool = False
    """Whether a network made the evaluation, which has no parts that add up."""

    @property
    def total(self) -> float:
        """What the terms add up to."""
        return math.fsum(term.product for term in self.terms)


@dataclass(frozen=True)
class Explanation:
    """The answer to why."""

    moves: tuple[MoveValue, ...]
    """Each legal move, or outcome, with its line, in the order in which the game yields them."""
    depths: tuple[AtDepth, ...]
    ending: Ending

    @property
    def choices(self) -> list[tuple[AtDepth, AtDepth]]:
        """The depths in runs that choose the same move: the first and the last of each run."""
        runs = [list(run) for _, run in itertools.groupby(self.depths, key=lambda each: each.best)]
        return [(run[0], run[-1]) for run in runs]


def explain(
    game: Game[Any],
    state: Any,
    algorithm: Algorithm,
    limits: Limits,
    result: SearchResult,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
    past: Sequence[Any] = (),
) -> Explanation:
    """Explain the result of a search, by more searches as deep; a stopped one's, to the depth it reached.

    Of an algorithm without a depth, all moves share limits as large, and nothing is said by depth.
    """
    holding = algorithm.limits(game, limits)
    if algorithm.has_depth:
        depth = max(1, result.statistics.depth) if result.stopped else holding.depth or FULL_DEPTH
        last, each_limits = min(result.statistics.depth if depth == FULL_DEPTH else depth, DEEPEST), Limits(depth)
    else:
        depth, last, each_limits = FULL_DEPTH, 0, replace(holding.shared(len(game.steps(state, past))), depth=None)
    context: dict[str, Any] = {"speed": speed, "monitor": monitor, "past": past}
    behind = one_ply_less(algorithm.limits(game, each_limits))
    moves = [each.found for each in MoveSearch(game, state, algorithm, **context).values(behind)]
    depths = []
    for each in range(1, last + 1):
        is_known = each == depth and not result.stopped
        found = result if is_known else search_with(game, state, algorithm, Limits(each), **context)
        if found.value is None or found.stopped:
            break
        depths.append(AtDepth(each, found.value, found.best))
    return Explanation(tuple(moves), tuple(depths), ending_of(game, state, result, depth))


def ending_of(game: Game[Any], state: Any, result: SearchResult, depth: int) -> Ending:
    """The position that the principal line leads to."""
    for move in result.line:
        state = game.result(state, move)
    plies = len(result.line)
    if game.terminal(state):
        return Ending(state, plies, "over", as_value(game.utility(state)))
    terms = tuple(terms_of(game, state))
    kind = "chance" if game.player(state) == CHANCE else "horizon" if plies >= depth else "known"
    return Ending(state, plies, kind, as_value(game.evaluate(state)), terms, isinstance(game, NetworkEvaluation))


def terms_of(game: Game[Any], state: Any) -> Iterator[Term]:
    """The features of a state with their weights; nothing for a game without features of its own."""
    if isinstance(game, PatternEvaluation):
        yield from terms_of_patterns(game, state)
    if not game.has_features:
        return
    for number, (amount, weight) in enumerate(zip(game.features(state), game.weights, strict=True)):
        yield Term(name_of_feature(game, number), float(amount), float(weight))


def terms_of_patterns(game: PatternEvaluation, state: Any) -> Iterator[Term]:
    """What the places of patterns add that add most, and what all others add together, in the unit of the game."""
    unit = game.unit_of_sum[0] or 1.0
    contributions = ((cells, unit * amount) for cells, amount in game.contributions(state))
    added = sorted(contributions, key=lambda each: -abs(each[1]))
    if game.adds_to_own:
        yield Term("the game's own evaluation", 1.0, float(game.own_estimate(state)))
    for cells, amount in added[:MOST_PLACES]:
        yield Term(f"cells {' '.join(map(game.cell_name, cells))}", 1.0, amount)
    if added[MOST_PLACES:]:
        yield Term("all other places", 1.0, math.fsum(amount for _, amount in added[MOST_PLACES:]))
