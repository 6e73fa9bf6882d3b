"""Why the best move is best: the replies to the other moves, the evaluation at the end of the principal variation,
and the choice at each depth (`--explain`)."""

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.formatting import data_number, plural, probability_text
from gamesearch.algorithms.engine.result import Limits, MoveValue, SearchResult, Value, as_value, rank_moves
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.root.move_values import MoveSearch, reduce_depth
from gamesearch.game import CHANCE, Game
from gamesearch.learned.networks import NetworkEvaluation
from gamesearch.learned.patterns import PatternEvaluation
from gamesearch.learned.weights_files import name_of_feature
from gamesearch.notation import line_names
from gamesearch.optional import assumed_fact, mark_assumed
from gamesearch.play.match import number_moves
from gamesearch.render.player_names import player_text
from gamesearch.render.tables import table_of_numbers
from gamesearch.render.value_words import NEARLY, Analysis, MoveWords, book_words, join_moves, value_heading

__all__ = ["Ending", "Explanation", "ExplanationView", "ending_of", "explain", "explanation_data", "terms_of"]


# The searches. ------------------------------------------------------------------------------------
DEEPEST = 40  # the greatest depth of the table of depths
MOST_PLACES = 8  # the greatest number of pattern places to list; the contributions of all other places are added up


@dataclass(frozen=True)
class DepthResult:
    """The value and the best move of a search to `depth`."""

    depth: int
    value: Value
    best: int | None
    is_assumed: bool


@dataclass(frozen=True)
class Term:
    """A feature of a position, and the weight of this feature in the evaluation."""

    name: str
    amount: float
    weight: float

    @property
    def product(self) -> float:
        """The contribution of the feature to the evaluation."""
        return self.amount * self.weight


@dataclass(frozen=True)
class Ending:
    """The position at the end of the principal variation, and its value without further search."""

    state: Any
    plies: int
    kind: str
    """The reason why the principal variation ends. `over`: the game is over. `chance`: a chance node follows.
    `horizon`: the depth limit of the search is reached. `known`: the search went deeper, but did not keep the following
    moves."""
    value: Value
    terms: tuple[Term, ...] = ()  # features or places of patterns; empty if the evaluation has no terms
    is_by_network: bool = False  # whether a network computed or corrected the evaluation

    @property
    def total(self) -> float:
        """The sum of the terms."""
        return math.fsum(term.product for term in self.terms)


@dataclass(frozen=True)
class Explanation:
    """An explanation of a search result."""

    moves: tuple[MoveValue, ...]  # each legal move or outcome with its line, in the order of the game
    depths: tuple[DepthResult, ...]
    ending: Ending

    @property
    def choices(self) -> list[tuple[DepthResult, DepthResult]]:
        """Divide the depths into ranges in which all searches choose the same move. Each pair contains the first and
        the last depth of a range."""
        runs = [list(run) for _, run in itertools.groupby(self.depths, key=lambda each: each.best)]
        return [(run[0], run[-1]) for run in runs]


def explain(
    game: Game, state: Any, algorithm: Algorithm, limits: Limits, result: SearchResult, **context: Any
) -> Explanation:
    """Explain a result. Search each move to the same depth, and then search the position to smaller depths. If the
    algorithm has no parameter `depth`, only search the moves, each with an equal part of the limits."""
    holding = algorithm.limits(game, limits)
    if algorithm.has_depth:
        depth = max(1, result.statistics.depth) if result.stopped else holding.depth or FULL_DEPTH
        last, each_limits = min(result.statistics.depth if depth == FULL_DEPTH else depth, DEEPEST), Limits(depth)
    else:
        moves_to_search = len(game.steps(state, context.get("past", ())))
        depth, last, each_limits = FULL_DEPTH, 0, replace(holding.divide(moves_to_search), depth=None)
    behind = reduce_depth(algorithm.limits(game, each_limits))
    moves = [each.found for each in MoveSearch(game, state, algorithm, **context).values(behind)]
    depths = []
    for each in range(1, last + 1):
        is_known = each == depth and not result.stopped
        found = result if is_known else search_with(game, state, algorithm, Limits(each), **context)
        if found.value is None or found.stopped:
            break
        depths.append(DepthResult(each, found.value, found.best, found.is_assumed))
    return Explanation(tuple(moves), tuple(depths), ending_of(game, state, result, depth))


def ending_of(game: Game, state: Any, result: SearchResult, depth: int) -> Ending:
    """Return the position at the end of the principal variation."""
    for move in result.line:
        state = game.result(state, move)
    plies = len(result.line)
    if game.terminal(state):
        return Ending(state, plies, "over", as_value(game.utility(state)))
    terms = tuple(terms_of(game, state))
    kind = "chance" if game.player(state) == CHANCE else "horizon" if plies >= depth else "known"
    return Ending(state, plies, kind, as_value(game.evaluate(state)), terms, isinstance(game, NetworkEvaluation))


def terms_of(game: Game, state: Any) -> Iterator[Term]:
    """Yield the terms of the evaluation: the features and their weights. Features whose names begin with the same words
    and a colon form one term."""
    if isinstance(game, PatternEvaluation):
        yield from terms_of_patterns(game, state)
    if not game.has_features:
        return
    groups: dict[str, float] = {}
    for number, (amount, weight) in enumerate(zip(game.features(state), game.weights, strict=True)):
        group, colon, _ = name_of_feature(game, number).partition(":")
        if colon:
            groups[group] = groups.get(group, 0.0) + float(amount) * float(weight)
        else:
            yield Term(group, float(amount), float(weight))
    for group, product in groups.items():
        yield Term(group, 1.0, product)


def terms_of_patterns(game: PatternEvaluation, state: Any) -> Iterator[Term]:
    """Yield the greatest contributions of patterns on the board, and the sum of all other contributions. They are in
    the unit of the game."""
    unit = game.unit_of_sum[0] or 1.0
    contributions = ((cells, unit * amount) for cells, amount in game.contributions(state))
    added = sorted(contributions, key=lambda each: -abs(each[1]))
    if game.adds_to_own:
        yield Term("the game's own evaluation", 1.0, float(game.own_estimate(state)))
    for cells, amount in added[:MOST_PLACES]:
        yield Term(f"cells {' '.join(map(game.cell_name, cells))}", 1.0, amount)
    if added[MOST_PLACES:]:
        yield Term("all other places", 1.0, math.fsum(amount for _, amount in added[MOST_PLACES:]))


# The view. ----------------------------------------------------------------------------------------
# If more than this number of moves have the same value, one sentence describes them and names the first of them.
MOST_ALIKE = 6


class ExplanationView(MoveWords):
    """Explains a result: the reasons for the best move, the replies to other moves, the terms of the evaluation, and
    the results at smaller depths."""

    def __init__(self, analysis: Analysis, explanation: Explanation) -> None:
        super().__init__(analysis)
        self.explanation = explanation

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.only_ascii = options.ascii_only
        yield from map(Text, self.reasons())
        yield Text()
        yield Text(self.ending_sentence())
        if self.explanation.ending.terms:
            yield self.terms_table()
        if len(self.explanation.depths) > 1:
            yield Text()
            yield Text(self.depths_sentence())
            yield self.depths_table()

    # Each move. ----------------------------------------------------------------------------------
    def reasons(self) -> Iterator[str]:
        """Yield a sentence about the best move, and sentences about the other moves."""
        analysis, best = self.analysis, self.result.best
        if best is None:
            yield from self.outcome_sentences()
            return
        line = number_moves(analysis.game, analysis.state, self.result.line)
        worth = self.worth(MoveValue(best, self.result.value or 0.0, self.result.distance))
        play = f", with the line {join_moves(line)}" if len(line) > 1 else ""
        name = analysis.game.move_name(analysis.state, best)
        yield f"Why {name}? It is best for {player_text(analysis.game, analysis.player or 0)}: {worth}{play}."
        if self.is_contradicted_by_book() and analysis.book is not None:
            yield f"The opening book contradicts this: {book_words(analysis.game, analysis.state, analysis.book)}."
        others = [each for each in sort_explained_moves(analysis, self.explanation) if each.move != best]
        for alike in group_alike(others):
            first = alike[0]
            if len(alike) > 1:
                yield f"Each of {len(alike)} other moves ({self.names(alike)}) {self.verdict(first)}."
            else:
                yield f"{self.name(first)} {self.verdict(first)}{self.reply(first)}."
        if missing := len(analysis.game.steps(analysis.state)) - len(self.explanation.moves):
            yield f"{plural(missing, 'move')} could not be searched before the limit."

    def is_contradicted_by_book(self) -> bool:
        """Whether the opening book disagrees with the search.

        The book disagrees if it recommends a different move, and either gives the move of the search a different value
        or does not contain this move.
        """
        book, best = self.analysis.book, self.result.best
        if book is None or book.best in (best, None):
            return False
        values = {each.move: each.value for each in book.moves}
        return best not in values or values[best] != values[book.best]

    def outcome_sentences(self) -> Iterator[str]:
        """Yield sentences about the outcomes of a chance node."""
        analysis = self.analysis
        odds = dict(analysis.game.outcomes(analysis.state))
        yield "Chance decides here: the value is the mean over the outcomes."
        for alike in group_alike(sort_explained_moves(analysis, self.explanation)):
            first, worth = alike[0], self.worth(alike[0])
            probability = probability_text(math.fsum(odds[each.move] for each in alike))
            if len(alike) > 1:
                names = self.names(alike)
                yield f"One of {len(alike)} outcomes ({names}) has probability {probability}: {worth}."
            else:
                yield f"{self.name(first)} has probability {probability}: {worth}{self.reply(first)}."

    def names(self, alike: Sequence[MoveValue]) -> str:
        """Return the names of the first MOST_ALIKE moves of a list."""
        return ", ".join(map(self.name, alike[:MOST_ALIKE])) + ", ..."

    # The end of the line. ------------------------------------------------------------------------
    def ending_sentence(self) -> str:
        """Return a sentence about the end of the principal variation and the value of the position there."""
        ending = self.explanation.ending
        after = f"After {plural(ending.plies, 'ply', 'plies')}" if ending.plies else "In this position"
        value = mark_assumed(self.analysis.game, ending.state, self.number(ending.value))
        if ending.kind == "over":
            return f"{after} the game is over; the payoff is {value}."
        why = {
            "horizon": "the search stops",
            "chance": "chance decides",
            "known": "the line ends, because the search stored no more moves",
        }[ending.kind]
        if not ending.terms:
            parts = "computed by a network, without a sum of features" if ending.is_by_network else "without features"
            return f"{after} {why}; the evaluation of this position is {value} ({parts})."
        return f"{after} {why}; the evaluation of this position is {value}{sum_remark(ending)}:"

    def terms_table(self) -> Table:
        """Return a table of the features and their weights. Below them are the sum and, if it differs from the sum, the
        evaluation."""
        ending = self.explanation.ending
        rows = [(term.name, *map(self.digits, (term.amount, term.weight, term.product))) for term in ending.terms]
        rows.append(("sum", "", "", self.digits(ending.total)))
        if sum_remark(ending):
            rows.append((evaluation_row(self.analysis.game), "", "", self.number(ending.value)))
        return table_of_numbers("feature", "amount", "weight", "amount x weight", rows=rows)

    # Depth by depth. -----------------------------------------------------------------------------
    def depths_sentence(self) -> str:
        """Return a sentence that says which move each shallower search chooses."""
        runs = self.explanation.choices
        if runs[0][0].best is None:
            return "The value at each depth:"
        depths = [f"s {a.depth} to {z.depth}" if a is not z else f" {a.depth}" for a, z in runs]
        parts = [f"{self.choice(run[0])} at depth{text}" for run, text in zip(runs, depths, strict=True)]
        if len(runs) == 1:
            return f"The best move is the same at all depths: {parts[0]}."
        return (
            f"The best move changes with the depth: {', '.join(parts)}. "
            "A shallower search does not see beyond its horizon."
        )

    def choice(self, found: DepthResult) -> str:
        """The name of the move that a search chooses; empty at a chance node."""
        return "" if found.best is None else self.analysis.game.move_name(self.analysis.state, found.best)

    def depths_table(self) -> Table:
        """Return a table of the value and the chosen move at each depth. No move is chosen at a chance node."""
        has_choices = any(found.best is not None for found in self.explanation.depths)
        rows = (
            (
                str(found.depth),
                *([self.choice(found)] if has_choices else []),
                self.number(found.value) + "?" * found.is_assumed,
            )
            for found in self.explanation.depths
        )
        return table_of_numbers(
            "depth", *(["best move"] if has_choices else []), value_heading(self.analysis.game), rows=rows
        )


def sort_explained_moves(analysis: Analysis, explanation: Explanation) -> list[MoveValue]:
    """Sort the moves of an explanation: the best move for the player to move comes first."""
    return rank_moves(analysis.game, analysis.state, explanation.moves, (analysis.final_result.best,))


def group_alike(explained: Iterable[MoveValue]) -> Iterator[list[MoveValue]]:
    """Yield groups of moves. Each group is described by one sentence. If more than MOST_ALIKE moves have the same
    value, they are one group. Each other move is a separate group."""
    groups: dict[tuple[Value, int | None], list[MoveValue]] = {}
    for each in explained:
        groups.setdefault((each.value, each.distance), []).append(each)
    for alike in groups.values():
        if len(alike) > MOST_ALIKE:
            yield alike
        else:
            yield from ([each] for each in alike)


def sum_remark(ending: Ending) -> str:
    """Return a remark on how the evaluation is computed from its features; empty if the evaluation is their sum."""
    value = ending.value
    is_sum = not isinstance(value, tuple) and abs(value - ending.total) <= NEARLY * max(1.0, abs(value))
    how = (
        "the sum of these features, corrected by a network"
        if ending.is_by_network
        else "computed from the sum of these features"
    )
    return "" if is_sum else f", {how}"


def evaluation_row(game: Game) -> str:
    """Return the name of the table row for the evaluation. The table needs this row only if the sum of the terms is not
    the evaluation itself."""
    if isinstance(game, PatternEvaluation) and not game.unit_of_sum[0]:
        return f"evaluation: {game.largest_estimate:.4g} x tanh(sum)"
    if isinstance(game, NetworkEvaluation):
        return "evaluation, corrected by a network"
    return "evaluation, scaled or limited"


def explanation_data(analysis: Analysis, explanation: Explanation) -> dict[str, Any]:
    """The explanation as JSON."""
    game, state, ending = analysis.game, analysis.state, explanation.ending
    return {
        "moves": [
            {
                "move": game.move_name(state, each.move),
                "value": data_number(each.value),
                "distance": each.distance,
                "line": line_names(game, game.result(state, each.move), each.line),
            }
            | assumed_fact(game, game.result(state, each.move))
            for each in sort_explained_moves(analysis, explanation)
        ],
        "ending": {
            "position": game.format(ending.state),
            "plies": ending.plies,
            "kind": ending.kind,
            "value": data_number(ending.value),
            "features": [
                {"name": term.name, "amount": term.amount, "weight": term.weight, "product": term.product}
                for term in ending.terms
            ],
        }
        | assumed_fact(game, ending.state),
        "depths": [
            {
                "depth": each.depth,
                "value": data_number(each.value),
                "best": None if each.best is None else game.move_name(state, each.best),
            }
            | ({"assumed": True} if each.is_assumed else {})
            for each in explanation.depths
        ],
    }
