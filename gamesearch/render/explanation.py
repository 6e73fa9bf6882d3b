"""Why this move, in sentences and three small tables."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import data_number, plural, probability_text
from gamesearch.algorithms.engine.ranking import ranked
from gamesearch.algorithms.engine.result import MoveValue, Value
from gamesearch.play.numbering import numbered
from gamesearch.render.player_names import player_text
from gamesearch.render.tables import table_of_numbers
from gamesearch.render.value_words import NEARLY, Analysis, MoveWords, joined
from gamesearch.study.explanation import AtDepth, Ending, Explanation

__all__ = ["ExplanationView", "explanation_data"]

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
