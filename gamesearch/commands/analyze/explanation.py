"""Why this move: what each other move runs into, the worth of the best line's end, and each depth's choice."""

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
from gamesearch.algorithms.engine.ranking import ranked
from gamesearch.algorithms.engine.result import Limits, Monitor, MoveValue, SearchResult, Value, as_value
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.root.move_values import MoveSearch, one_ply_less
from gamesearch.game import CHANCE, Game
from gamesearch.learned.networks import NetworkEvaluation
from gamesearch.learned.patterns import PatternEvaluation
from gamesearch.learned.weights_files import name_of_feature
from gamesearch.play.numbering import numbered
from gamesearch.render.player_names import player_text
from gamesearch.render.tables import table_of_numbers
from gamesearch.render.value_words import NEARLY, Analysis, MoveWords, joined

__all__ = ["Ending", "Explanation", "ExplanationView", "ending_of", "explain", "explanation_data", "terms_of"]


# The searches. ------------------------------------------------------------------------------------
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


# The view. ----------------------------------------------------------------------------------------
MOST_ALIKE = 6
"""Of more moves that come to the same, one sentence tells, which names so many of them."""


class ExplanationView(MoveWords):
    """What the best move brings and each other one runs into; the end of the line taken apart; each depth's choice."""

    def __init__(self, analysis: Analysis, explanation: Explanation) -> None:
        super().__init__(analysis)
        self.explanation = explanation

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield each part."""
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
        """A sentence for the best move, and one for each other."""
        analysis, best = self.analysis, self.result.best
        if best is None:
            yield from self.what_may_come()
            return
        line = numbered(analysis.game, analysis.state, self.result.line)
        worth = self.worth(MoveValue(best, self.result.value or 0.0, self.result.distance))
        play = f", with {joined(line)}" if len(line) > 1 else ""
        name = analysis.game.move_name(analysis.state, best)
        yield f"Why {name}? It is best for {player_text(analysis.game, analysis.player or 0)}: {worth}{play}."
        others = [each for each in sorted_explained(analysis, self.explanation) if each.move != best]
        for alike in folded(others):
            first = alike[0]
            if len(alike) > 1:
                yield f"Each of {len(alike)} other moves ({self.names(alike)}) {self.verdict(first)}."
            else:
                yield f"{self.name(first)} {self.verdict(first)}{self.reply(first)}."
        if missing := len(analysis.game.steps(analysis.state)) - len(self.explanation.moves):
            yield f"Of {plural(missing, 'move')} nothing is known: the searches were stopped."

    def what_may_come(self) -> Iterator[str]:
        """A sentence for each outcome, where chance decides."""
        analysis = self.analysis
        odds = dict(analysis.game.outcomes(analysis.state))
        yield "Chance decides here: nothing is chosen, and the value is the mean of what may come."
        for alike in folded(sorted_explained(analysis, self.explanation)):
            first, worth = alike[0], self.worth(alike[0])
            probability = probability_text(math.fsum(odds[each.move] for each in alike))
            if len(alike) > 1:
                names = self.names(alike)
                yield f"One of {len(alike)} outcomes ({names}) comes with probability {probability}: {worth}."
            else:
                yield f"{self.name(first)} comes with probability {probability}: {worth}{self.reply(first)}."

    def names(self, alike: Sequence[MoveValue]) -> str:
        """The first of several moves."""
        return ", ".join(map(self.name, alike[:MOST_ALIKE])) + ", ..."

    # The end of the line. ------------------------------------------------------------------------
    def ending_sentence(self) -> str:
        """Where the best line ends, and what the position there is worth."""
        ending = self.explanation.ending
        after = f"After {plural(ending.plies, 'ply', 'plies')}" if ending.plies else "In this position"
        value = self.number(ending.value)
        if ending.kind == "over":
            return f"{after} the game is over: it pays {value}."
        why = {
            "horizon": "the search sees no further",
            "chance": "chance goes on, and the value is the mean of what may come",
            "known": "the line is known no further",
        }[ending.kind]
        if not ending.terms:
            parts = "by a network that cannot be split into parts" if ending.is_by_network else "which has no features"
            return f"{after} {why}; the evaluation of the position there, {parts}, is {value}."
        return f"{after} {why}; the evaluation of the position there is {value}{turned(ending)}:"

    def terms_table(self) -> Table:
        """The features with their weights, and what they add up to."""
        ending = self.explanation.ending
        rows = [(term.name, *map(self.digits, (term.amount, term.weight, term.product))) for term in ending.terms]
        together = ("together", "", "", self.digits(ending.total))
        return table_of_numbers("feature", "amount", "weight", "product", rows=[*rows, together])

    # Depth by depth. -----------------------------------------------------------------------------
    def depths_sentence(self) -> str:
        """Whether a search less deep would choose the same."""
        runs = self.explanation.choices
        if runs[0][0].best is None:
            return "What is seen at each depth:"
        parts = [f"{self.choice(first)} {depths_text(first, last)}" for first, last in runs]
        if len(runs) == 1:
            return f"The choice is the same depth by depth: {parts[0]}."
        return (
            f"The choice changes with the depth: {', '.join(parts)}. "
            "A search less deep does not see what lies behind its horizon."
        )

    def choice(self, found: AtDepth) -> str:
        """The move that a depth chooses."""
        return "" if found.best is None else self.analysis.game.move_name(self.analysis.state, found.best)

    def depths_table(self) -> Table:
        """The value and the choice of each depth; where chance decides, nothing is chosen."""
        has_choices = any(found.best is not None for found in self.explanation.depths)
        rows = (
            (str(found.depth), *([self.choice(found)] if has_choices else []), self.number(found.value))
            for found in self.explanation.depths
        )
        return table_of_numbers("depth", *(["best"] if has_choices else []), "value", rows=rows)


def sorted_explained(analysis: Analysis, explanation: Explanation) -> list[MoveValue]:
    """The moves, best first for the player who makes them."""
    return ranked(analysis.game, analysis.state, explanation.moves, (analysis.found.best,))


def folded(explained: Iterable[MoveValue]) -> Iterator[list[MoveValue]]:
    """Each move by itself, but those together that are more than MOST_ALIKE and come to the same as soon."""
    groups: dict[tuple[Value, int | None], list[MoveValue]] = {}
    for each in explained:
        groups.setdefault((each.value, each.distance), []).append(each)
    for alike in groups.values():
        if len(alike) > MOST_ALIKE:
            yield alike
        else:
            yield from ([each] for each in alike)


def turned(ending: Ending) -> str:
    """A remark where an evaluation is not just the sum of its features."""
    value = ending.value
    is_sum = not isinstance(value, tuple) and abs(value - ending.total) <= NEARLY * max(1.0, abs(value))
    return "" if is_sum else ", which the game makes of the sum"


def depths_text(first: AtDepth, last: AtDepth) -> str:
    """A run of depths."""
    return f"at depth {first.depth}" if first is last else f"at depths {first.depth} to {last.depth}"


def explanation_data(analysis: Analysis, explanation: Explanation) -> dict[str, Any]:
    """The explanation as JSON has it."""
    game, state, ending = analysis.game, analysis.state, explanation.ending
    return {
        "moves": [
            {
                "move": game.move_name(state, each.move),
                "value": data_number(each.value),
                "distance": each.distance,
                "line": game.line_names(game.result(state, each.move), each.line),
            }
            for each in sorted_explained(analysis, explanation)
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
        },
        "depths": [
            {
                "depth": each.depth,
                "value": data_number(each.value),
                "best": None if each.best is None else game.move_name(state, each.best),
            }
            for each in explanation.depths
        ],
    }
