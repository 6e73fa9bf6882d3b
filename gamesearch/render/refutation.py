"""Why not this move, in sentences, and where its line ends beside the best one's."""

from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.parts.formatting import data_number, plural, value_text
from gamesearch.algorithms.parts.result import MoveValue
from gamesearch.game import CHANCE
from gamesearch.render.analysis import Analysis
from gamesearch.render.move_words import NEARLY, MoveWords, joined
from gamesearch.render.tables import table_of_numbers
from gamesearch.study.explanation import Refutation

__all__ = ["RefutationView", "refutation_data"]


class RefutationView(MoveWords):
    """What the move loses, what the opponent answers, what follows, and what the evaluation says of both ends."""

    def __init__(self, analysis: Analysis, refutation: Refutation, only_ascii: bool = False) -> None:
        super().__init__(analysis, only_ascii)
        self.refutation = refutation

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the sentences, then the table of features that differ."""
        self.only_ascii |= options.ascii_only
        for sentence in self.sentences():
            yield Text(sentence)
        if any(self.differing()):
            yield Text()
            yield self.features_table()

    def sentences(self) -> Iterator[str]:
        """The verdict, the answer, and the best move's line to compare with."""
        found = self.refutation
        tried = self.name(found.tried)
        if found.is_best:
            yield f"Why not {tried}? It is the best move: {self.worth(found.best)}."
        else:
            yield f"Why not {tried}? It {self.against_best(found)}."
        yield self.answer_sentence(found.tried)
        if not found.is_best:
            yield self.best_sentence(found.best)
        if found.depth is not None and not self.analysis.is_to_the_end:
            yield f"Both were searched {plural(found.depth, 'ply', 'plies')} deep: a deeper search may say otherwise."

    def against_best(self, found: Refutation) -> str:
        """How far the move is behind the best one, with what both come to."""
        best, behind = self.name(found.best), self.behind(found)
        if abs(behind) <= NEARLY:
            mine, its = found.tried.distance, found.best.distance
            when = "" if mine is None or its is None or mine == its else ", only later" if mine > its else ", sooner"
            return f"comes to the same as {best}{when}: {self.worth(found.tried)}"
        said, wanted = self.words(found.tried), self.words(found.best)
        if said and wanted:
            return f"is worse than {best}: {said}, where {best} comes to: {wanted}"
        by = value_text(abs(behind), only_ascii=self.only_ascii)
        worth = f"{said or self.number(found.tried.value)} instead of {wanted or self.number(found.best.value)}"
        return f"loses {by} against {best}: {worth}"

    def behind(self, found: Refutation) -> float:
        """How much less the move is worth to who makes it than the best one."""
        return self.for_mover(found.best.value) - self.for_mover(found.tried.value)

    def answer_sentence(self, tried: MoveValue) -> str:
        """What the opponent answers, and what follows."""
        game = self.analysis.game
        after = game.result(self.analysis.state, tried.move)
        if game.terminal(after):
            return "There is no answer: the game is over."
        if game.player(after) == CHANCE:
            return "Then chance decides."
        who = game.player_name(game.player(after))
        answer, *rest = self.line_after(tried) or [""]
        if not answer:
            return f"{who}'s answer was not searched."
        return f"{who} answers {answer}" + (f", and then {joined(rest)} follows." if rest else ".")

    def best_sentence(self, best: MoveValue) -> str:
        """What follows the best move; where nothing does, what it does itself."""
        game, name, line = self.analysis.game, self.name(best), self.line_after(best)
        if line:
            return f"With {name}, play goes {joined(line)}."
        after = game.result(self.analysis.state, best.move)
        if game.terminal(after):
            return f"{name} ends the game: {self.worth(best)}."
        return (
            f"With {name}, chance decides."
            if game.player(after) == CHANCE
            else f"What follows {name} was not searched."
        )

    def line_after(self, found: MoveValue) -> list[str]:
        """The moves after a move, as people write them."""
        return self.analysis.game.line_names(self.analysis.state, (found.move, *found.line))[1:]

    def differing(self) -> Iterator[tuple[str, float, float]]:
        """The features in which the ends of the two lines differ: what each adds to the value, the move's line last."""
        if self.refutation.is_best:
            return
        best, tried = self.refutation.endings
        for ours, theirs in zip(best.terms, tried.terms, strict=False):
            if abs(ours.product - theirs.product) > NEARLY:
                yield ours.name, ours.product, theirs.product

    def features_table(self) -> Table:
        """What the features that differ add to the evaluation where either line ends."""
        names = [self.name(self.refutation.best), self.name(self.refutation.tried)]
        table = table_of_numbers("where the lines end", *(f"after {name}" for name in names), "difference")
        for name, *products in self.differing():
            numbers = (*products, products[1] - products[0])
            table.add_row(name, *(value_text(each, signed=True, only_ascii=self.only_ascii) for each in numbers))
        return table


def refutation_data(view: RefutationView) -> dict[str, Any]:
    """The refutation as JSON has it."""
    game, state, found = view.analysis.game, view.analysis.state, view.refutation
    line = game.line_names(state, (found.tried.move, *found.tried.line))
    return {
        "move": line[0],
        "value": data_number(found.tried.value),
        "distance": found.tried.distance,
        "loses": data_number(view.behind(found)),
        "answer": line[1] if len(line) > 1 else None,
        "line": line,
        "best": view.name(found.best),
        "depth": found.depth,
        "sentences": list(view.sentences()),
        "features": [{"name": name, "best": best, "tried": tried} for name, best, tried in view.differing()],
    }
