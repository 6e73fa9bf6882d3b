"""The solution of a position as text and as JSON."""

import functools
import itertools
import math
import operator
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column, Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import data_number, plural, probability_text, seconds_text, speed_text
from gamesearch.algorithms.engine.result import MoveValue, SearchResult, Statistics, rank_moves
from gamesearch.game import CHANCE, Game
from gamesearch.optional import is_impartial
from gamesearch.render.player_names import position_parts
from gamesearch.render.tables import number_column, pairs, plain_table, text_column
from gamesearch.render.value_words import Analysis, distance_in, number_text, outcome_words, value_heading, value_words
from gamesearch.solvers.periods import MOST_SIZES, GrundyTable
from gamesearch.solvers.solving import Solution

__all__ = ["SolutionView", "solution_data"]

MEGABYTE = 1 << 20
MOST_MOVES = 40
"""The greatest number of moves in the table. If there are more best moves, the table lists exactly the best moves."""
MOST_ADDED = 20
"""If there are more Grundy numbers than this, their nim-sum is not shown in binary columns."""
MOST_GRUNDY = 40
"""A list contains at most this number of Grundy numbers."""
GRUNDY_ROW = 10
"""If no period was found, a line of the table contains this number of Grundy numbers."""
EXCEPTION = "*"
UNITS = {"search": "node", "grundy": "Grundy number"}
"""The names of the units that methods count. All other methods count positions."""

LOOKED_UP = ("grundy", "book")
"""The methods whose speed is not shown, because they look up only a few positions or numbers."""


class SolutionView:
    """Draws a solution: the board, the value in words, the best moves, a table of all moves, and the effort."""

    def __init__(self, game: Game, state: Any, solution: Solution) -> None:
        self.game, self.state, self.solution, self.only_ascii = game, state, solution, False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        game, solution, self.only_ascii = self.game, self.solution, options.ascii_only
        yield from position_parts(game, self.state, "the game is over" if game.terminal(self.state) else "")
        yield pairs(self.facts())
        if solution.method == "grundy" and is_impartial(game):
            yield from nim_sum_lines(game.subgames(self.state), solution.grundy)
        if solution.moves:
            yield Text()
            yield self.moves_table()
        if solution.grundy_table is not None:
            yield Text()
            yield from grundy_lines(solution.grundy_table, options.max_width)
        yield Text()
        if solution.note:
            yield Text(solution.note, style="dim")
        yield Text(self.effort(), style="dim")

    def facts(self) -> Iterator[tuple[str, Text]]:
        """The value, the best moves, and the Grundy numbers."""
        solution = self.solution
        yield "value", Text(self.value_words(), style="bold")
        if solution.best:
            best = "  ".join(self.game.move_name(self.state, move) for move in solution.best)
            yield "best", Text(best, style="bold")
        if solution.grundy:
            assert is_impartial(self.game)
            total = nim_sum(solution.grundy[size] for size in self.game.subgames(self.state))
            shown = (f"{size}: {value}" for size, value in itertools.islice(solution.grundy.items(), MOST_GRUNDY))
            yield "Grundy", Text(f"size {', '.join(shown)}; nim-sum {total}")

    def value_words(self) -> str:
        """The value and its meaning."""
        game, state, solution = self.game, self.state, self.solution
        result = None
        if not game.terminal(state):
            known = SearchResult("", solution.value, "exact", None, (), Statistics(), sees_the_end=True)
            result = replace(known, distance=solution.distance)
        return value_words(Analysis(game, state, result, is_expected=game.chance), only_ascii=self.only_ascii)

    def meaning(self, found: MoveValue) -> str:
        """The meaning of a move's value in a word or two."""
        game = self.game
        words = outcome_words(game, self.state, found.value, distance=found.distance, is_certain=not game.chance)
        return words.removeprefix("a ")

    def moves_table(self) -> Table:
        """A table of the moves and their values. The best move comes first."""
        game, state, best = self.game, self.state, self.solution.best
        odds = dict(game.outcomes(state)) if game.player(state) == CHANCE else {}
        moves = rank_moves(game, state, self.solution.moves, best)
        shown = moves[: max(MOST_MOVES, len(best))]
        rows = [
            (
                game.move_name(state, each.move),
                *([probability_text(odds[each.move])] if odds else []),
                number_text(game, each.value, only_ascii=self.only_ascii),
                self.meaning(each),
            )
            for each in shown
        ]
        if len(moves) > len(shown):
            rows.append(("...", "", f"and {len(moves) - len(shown):,} more"))
        probability = [Column("probability", justify="right")] if odds else []
        return plain_table(
            text_column("outcome" if odds else "move", "bold"),
            *probability,
            number_column(value_heading(game, is_exact=True)),
            Column(),
            rows=rows,
        )

    def effort(self) -> str:
        """The method, the number of positions, the memory and the time, on one line."""
        solution = self.solution
        unit = UNITS.get(solution.method, "position")
        levels = "including unreachable positions" if solution.method == "dynamic_programming" else ""
        kept = "" if solution.kept in (0, solution.positions) else f"at most {solution.kept:,} kept"
        parts = (
            f"method {solution.method}",
            plural(solution.positions, unit),
            levels,
            kept,
            f"{max(solution.bytes / MEGABYTE, 0.1):.1f} MB" if solution.bytes else "",
            seconds_text(solution.seconds),
            "" if solution.method in LOOKED_UP else speed_text(solution.positions, solution.seconds, f"{unit}s"),
            solution.speed,
        )
        return ", ".join(filter(None, parts))


def nim_sum(numbers: Iterable[int]) -> int:
    """The nim-sum of numbers: addition of binary digits without carrying."""
    return functools.reduce(operator.xor, numbers, 0)


def nim_sum_lines(sizes: Sequence[int], grundy: dict[int, int]) -> Iterator[Text]:
    """The nim-sum as textbooks write it: a row for each binary number, then a row for the sum. If a column contains an
    odd number of ones, the sum has a 1 in this column.

    A move wins if each column then contains an even number of ones.
    """
    numbers = [grundy[size] for size in sizes]
    if not 0 < len(numbers) <= MOST_ADDED:
        return
    total = nim_sum(numbers)
    bits, width = max(1, max(numbers).bit_length()), max(len(str(each)) for each in (*sizes, "size"))
    powers = [str(1 << place) for place in reversed(range(bits))]
    column = max(map(len, powers))

    def line(label: str, number: int) -> Text:
        digits = [f"{number >> place & 1:>{column}}" for place in reversed(range(bits))]
        return Text(f"{label:>{width}}   {' '.join(digits)}   = {number}", no_wrap=True)

    yield Text()
    yield Text(f"{'size':>{width}}   {' '.join(f'{power:>{column}}' for power in powers)}", style="dim", no_wrap=True)
    for size, number in zip(sizes, numbers, strict=True):
        yield line(str(size), number)
    yield Text(f"{'':>{width}}   {'-' * (bits * (column + 1) - 1)}", no_wrap=True)
    yield line("sum", total)
    odd = [power for power, place in zip(powers, reversed(range(bits)), strict=True) if total >> place & 1]
    columns = f"columns {', '.join(odd)} are" if len(odd) > 1 else f"column {''.join(odd)} is"
    wins = f"{columns} odd: the player to move wins by making all columns even"
    yield Text(wins if odd else "all columns are even: each move makes a column odd and loses")


def grundy_lines(table: GrundyTable, width: int) -> Iterator[Text]:
    """A table of Grundy numbers, and their period if it is proven. Each repetition of the period begins a new line.
    Exceptions are marked."""
    period, exceptions, last = table.period, table.exceptions, len(table.values) - 1
    cells = [f"{value}{EXCEPTION if size in exceptions else ''}" for size, value in enumerate(table.values)]
    cell_width, label_width = max(map(len, cells)), len(str(last))
    length = period.length if period is not None else GRUNDY_ROW
    room = max(1, (width - label_width - 1) // (cell_width + 1))
    columns = math.ceil(length / math.ceil(length / room))
    yield Text("Grundy numbers by size", style="dim")
    for start in range(0, last + 1, length):
        end = min(start + length, last + 1)
        for first in range(start, end, columns):
            row = " ".join(f"{cell:<{cell_width}}" for cell in cells[first : min(first + columns, end)])
            yield Text(f"{first:>{label_width}}  {row}".rstrip(), no_wrap=True)
    if period is None:
        yield Text(f"the numbers up to {MOST_SIZES - 1} do not prove a period")
    else:
        before = f"; {EXCEPTION} {plural(len(exceptions), 'exception')} before" if exceptions else ""
        proof = f"proved by the numbers up to {last} (Guy & Smith 1956)"
        yield Text(f"period {period.length} from {period.begins} on, {proof}{before}")


def solution_data(game: Game, state: Any, solution: Solution, game_text: str) -> dict[str, Any]:
    """The solution as JSON."""
    table = solution.grundy_table
    return {
        "game": game_text,
        "position": game.format(state),
        "value": data_number(solution.value),
        "evaluation": None,  # the value is exact
        "distance": distance_in(game, state, solution.value, solution.distance),
        "best": [game.move_name(state, move) for move in solution.best],
        "method": solution.method,
        "positions": solution.positions,
        "kept": solution.kept,
        "bytes": solution.bytes,
        "note": solution.note,
        "moves": [
            {"move": game.move_name(state, m.move), "value": data_number(m.value)}
            | {"distance": distance_in(game, state, m.value, m.distance)}
            for m in rank_moves(game, state, solution.moves, solution.best)
        ],
        "grundy": {str(size): value for size, value in solution.grundy.items()},
        "grundy_table": None
        if table is None
        else {
            "values": list(table.values),
            "period": vars(table.period) if table.period is not None else None,
            "exceptions": list(table.exceptions),
        },
        "seconds": solution.seconds,
        "speed": solution.speed,
    }
