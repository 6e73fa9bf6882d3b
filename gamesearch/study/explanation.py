"""Why this move: what each other move runs into, the worth of the best line's end, and each depth's choice.

And why not this move: what it is worth beside the best one, how it is answered, and where both lines lead.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.algorithms.parts.result import Limits, Monitor, MoveValue, Observer, SearchResult, Value, as_value
from gamesearch.algorithms.parts.searcher import search_with
from gamesearch.algorithms.parts.workspace import FULL_DEPTH
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.learned.networks import NetworkEvaluation
from gamesearch.learned.patterns import PatternEvaluation
from gamesearch.learned.weights_files import name_of_feature
from gamesearch.study.move_values import MoveSearch, one_ply_less

__all__ = ["AtDepth", "Ending", "Explanation", "Refutation", "Term", "explain", "refute", "search_refutation"]

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
        return sum(term.product for term in self.terms)


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
        yield Term("all other places", 1.0, sum(amount for _, amount in added[MOST_PLACES:]))


# Why not this move. ------------------------------------------------------------------------------
@dataclass(frozen=True)
class Refutation:
    """A move beside the best one, both valued to the same depth."""

    result: SearchResult
    """The search of the position."""
    best: MoveValue
    tried: MoveValue
    depth: int | None
    """The depth of both values; None where no deeper search would find others."""
    endings: tuple[Ending, Ending]
    """Where the best line ends, and where the line of the move that is asked about does."""

    @property
    def is_best(self) -> bool:
        """Whether the move is the one that the search plays itself."""
        return self.best.move == self.tried.move


def refute(game: Game[Any], state: Any, move: int, algorithm: Algorithm, limits: Limits, **context: Any) -> Refutation:
    """Search a position, then a move of it and the best one to the same depth, in one budget.

    Raises GamesearchError where chance is to move, where the algorithm finds no best move, and where the limits were
    reached before it was found.
    """
    if game.player(state) == CHANCE:
        raise GamesearchError("chance decides here, and no move is anybody's choice: give a position with a choice")
    holding = algorithm.limits(game, limits)
    result = search_with(game, state, algorithm, holding.shared(2), **context)
    if result.best is None or result.value is None:
        raise GamesearchError("no best move was found to compare with: allow more nodes or time")
    best = MoveValue(result.best, result.value, result.distance, line=result.line[1:])
    known = {each.move: each for each in result.moves}
    if move == result.best or move in known:  # as playouts value all moves
        return compared(game, state, result, best, known.get(move, best), result.statistics.depth)
    search = MoveSearch(game, state, algorithm, **context)
    if holding.time is None and holding.nodes is None and not result.stopped:
        found = search.value(move, one_ply_less(holding))
        if found is not None:
            return compared(game, state, result, best, found.found, result.statistics.depth)
    search.moves = [result.best, move]
    done = result.statistics
    valued, reached = search.within(done.depth or 1, holding.left(done.seconds, done.nodes))
    best, tried = (each.found for each in valued)
    return compared(game, state, result, best, tried, reached)


def compared(
    game: Game[Any], state: Any, result: SearchResult, best: MoveValue, tried: MoveValue, depth: int | None
) -> Refutation:
    """The two moves, with the ends of their lines."""
    deep = FULL_DEPTH if depth is None else depth
    endings = [ending_of(game, state, replace(result, line=(each.move, *each.line)), deep) for each in (best, tried)]
    return Refutation(result, best, tried, depth, (endings[0], endings[1]))


def search_refutation(
    game: Game[Any],
    state: Any,
    found: Refutation,
    algorithm: Algorithm,
    observer: Observer,
    past: Sequence[Any] = (),
    **context: Any,
) -> SearchResult:
    """The search of the position after the move, which an observer sees; `past` are the states before the position.

    Raises GamesearchError where there is nothing to search: the game is over, or the depth was 1.
    """
    after = game.result(state, found.tried.move)
    if game.terminal(after):
        raise GamesearchError("the game is over after this move: there is no search of an answer to show")
    depth = FULL_DEPTH if found.depth is None else found.depth - 1
    if depth < 1:
        raise GamesearchError("at depth 1 no answer is searched: search at least 2 plies deep")
    limits = Limits(depth, nodes=algorithm.limits(game, Limits(depth)).nodes)
    return search_with(game, after, algorithm, limits, observer=observer, past=(*past, state), **context)
