"""Explains why a move is not best (`--why-not`). Shows the values of this move and of the best move, the reply, and how
both lines end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.formatting import data_number, plural, value_text
from gamesearch.algorithms.engine.result import Limits, MoveValue, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.root.move_values import MoveSearch, reduce_depth
from gamesearch.commands.solving.analyze.explanation import Ending, ending_of
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.notation import line_names, player_name
from gamesearch.optional import assumed_fact
from gamesearch.play.match import number_moves
from gamesearch.render.tables import table_of_numbers
from gamesearch.render.value_words import NEARLY, Analysis, MoveWords, amount, join_moves, later

__all__ = ["Refutation", "RefutationView", "refutation_data", "refute", "search_refutation"]


# The searches. ------------------------------------------------------------------------------------
@dataclass(frozen=True)
class Refutation:
    """A comparison of a move with the best move; both moves are searched to the same depth."""

    result: SearchResult  # the search of the position
    best: MoveValue
    tried: MoveValue
    depth: int | None  # the depth to which both moves were searched; None if a deeper search would find the same values
    endings: tuple[Ending, Ending]  # the last positions of the lines after the best and the compared move

    @property
    def is_best(self) -> bool:
        """Whether the compared move is the best move."""
        return self.best.move == self.tried.move


def refute(game: Game, state: Any, move: int, algorithm: Algorithm, limits: Limits, **context: Any) -> Refutation:
    """Search a position. Then search `move` and the best move to the same depth. Limits on time and nodes apply to all
    searches together. Raises GamesearchError if chance is to move, or if no best move was found."""
    if game.player(state) == CHANCE:
        raise GamesearchError("chance decides here: give a position in which a player chooses")
    holding = algorithm.limits(game, limits)
    result = search_with(game, state, algorithm, holding.divide(2), **context)
    if result.best is None or result.value is None:
        raise GamesearchError("the search found no best move for the comparison: allow more nodes or time")
    best = MoveValue(result.best, result.value, result.distance, line=result.line[1:])
    known = {each.move: each for each in result.moves}
    if move == result.best or move in known:  # the result already has the value of the move, for example from playouts
        return compare_endings(game, state, result, best, known.get(move, best), result.statistics.depth)
    search = MoveSearch(game, state, algorithm, **context)
    if holding.time is None and holding.nodes is None and not result.stopped:
        found = search.value(move, reduce_depth(holding))
        if found is not None:
            return compare_endings(game, state, result, best, found.found, result.statistics.depth)
    search.moves = [result.best, move]
    done = result.statistics
    valued, reached = search.search_within(done.depth or 1, holding.after_use(done.seconds, done.nodes))
    best, tried = (each.found for each in valued)
    return compare_endings(game, state, result, best, tried, reached)


def compare_endings(
    game: Game, state: Any, result: SearchResult, best: MoveValue, tried: MoveValue, depth: int | None
) -> Refutation:
    """Compare two moves by the final positions of their principal variations."""
    deep = FULL_DEPTH if depth is None else depth
    endings = [ending_of(game, state, replace(result, line=(each.move, *each.line)), deep) for each in (best, tried)]
    return Refutation(result, best, tried, depth, (endings[0], endings[1]))


def search_refutation(
    game: Game, state: Any, found: Refutation, algorithm: Algorithm, past: Sequence[Any] = (), **context: Any
) -> SearchResult:
    """Record a search of the position after the move `found.tried`. Raises GamesearchError if there is nothing to
    search."""
    after = game.result(state, found.tried.move)
    if game.terminal(after):
        raise GamesearchError("the game is over after this move, so no reply can be searched")
    depth = FULL_DEPTH if found.depth is None else found.depth - 1
    if depth < 1:
        raise GamesearchError("depth 1 does not include a reply: search at least 2 plies deep")
    limits = Limits(depth, nodes=algorithm.limits(game, Limits(depth)).nodes)
    return search_with(game, after, algorithm, limits, past=(*past, state), **context)


# The view. ----------------------------------------------------------------------------------------
class RefutationView(MoveWords):
    """Shows what the move loses, the opponent's reply, the continuation, and the evaluations at the ends of both
    lines."""

    def __init__(self, analysis: Analysis, refutation: Refutation) -> None:
        super().__init__(analysis)
        self.refutation = refutation

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the sentences, then the table of features that differ."""
        self.only_ascii = options.ascii_only
        yield from map(Text, self.sentences())
        if any(self.differing_features()):
            yield Text()
            yield self.features_table()

    def sentences(self) -> Iterator[str]:
        """Yield sentences: how much the move loses, what the opponent replies, and what follows after the best move."""
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
            plies = plural(found.depth, "ply", "plies")
            yield f"Both moves were searched {plies} deep; a deeper search may find other values."

    def against_best(self, found: Refutation) -> str:
        """Return words that compare the move with the best move: the loss and both values."""
        best, behind = self.name(found.best), self.behind(found)
        if abs(behind) <= NEARLY:
            when = later(found.tried.distance, found.best.distance)
            return f"has the same value as {best}{when}: {self.worth(found.tried)}"
        lost = amount(self.analysis.game, abs(behind))
        verdict = f"is worse than {best}" if self.words(found.tried) else f"loses {lost} compared with {best}"
        return f"{verdict}: {self.worth(found.tried)}; after {best}, {self.worth(found.best)}"

    def behind(self, found: Refutation) -> float:
        """Return how much the player to move loses by this move, compared with the best move."""
        return self.for_mover(found.best.value) - self.for_mover(found.tried.value)

    def answer_sentence(self, tried: MoveValue) -> str:
        """Return a sentence with the opponent's reply and the continuation."""
        game = self.analysis.game
        after = game.result(self.analysis.state, tried.move)
        if game.terminal(after):
            return "The game is then over."
        if game.player(after) == CHANCE:
            return "Then chance decides."
        who = player_name(game, game.player(after))
        if not tried.line:
            return f"{who}'s reply was not searched."
        answer, rest = game.move_name(after, tried.line[0]), self.line_after(tried, skip=2)
        return f"{who} replies {answer}" + (f", followed by {join_moves(rest)}." if rest else ".")

    def best_sentence(self, best: MoveValue) -> str:
        """Return a sentence that shows the continuation after the best move, or that says why no continuation is
        shown."""
        game, name, line = self.analysis.game, self.name(best), self.line_after(best)
        if line:
            return f"{name} is followed by {join_moves(line)}."
        after = game.result(self.analysis.state, best.move)
        if game.terminal(after):
            return f"{name} ends the game: {self.worth(best)}."
        if game.player(after) == CHANCE:
            return f"After {name}, chance decides."
        return f"The moves after {name} were not searched."

    def line_after(self, found: MoveValue, skip: int = 1) -> list[str]:
        """Return the moves of a line without the first `skip` moves, in the usual notation."""
        return number_moves(self.analysis.game, self.analysis.state, (found.move, *found.line), skip=skip)

    def differing_features(self) -> Iterator[tuple[str, float, float]]:
        """Compare the last positions of the two lines. Yield each feature that differs, and its contributions to both
        evaluations."""
        if self.refutation.is_best:
            return
        best, tried = self.refutation.endings
        for ours, theirs in zip(best.terms, tried.terms, strict=False):
            if abs(ours.product - theirs.product) > NEARLY:
                yield ours.name, ours.product, theirs.product

    def features_table(self) -> Table:
        """Return a table of the features that differ, with their contributions at the ends of both lines."""
        names = [self.name(self.refutation.best), self.name(self.refutation.tried)]
        signed = partial(value_text, signed=True, only_ascii=self.only_ascii)
        rows = ((name, *map(signed, (best, tried, tried - best))) for name, best, tried in self.differing_features())
        return table_of_numbers("feature at the end", *(f"after {name}" for name in names), "difference", rows=rows)


def refutation_data(view: RefutationView) -> dict[str, Any]:
    """The refutation as JSON."""
    game, state, found = view.analysis.game, view.analysis.state, view.refutation
    line = line_names(game, state, (found.tried.move, *found.tried.line))
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
        "features": [{"name": name, "best": best, "tried": tried} for name, best, tried in view.differing_features()],
    } | assumed_fact(game, game.result(state, found.tried.move))
