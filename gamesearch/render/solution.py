"""The exact answer for a position."""

import functools
import math
import operator
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.parts.formatting import (
    data_number,
    plural,
    probability_text,
    seconds_text,
    speed_text,
    value_text,
)
from gamesearch.algorithms.parts.ranking import ranked
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.pictures import picture
from gamesearch.questions import is_impartial
from gamesearch.render.board import BoardView
from gamesearch.render.player_names import board_and_turn, certain_words, player_text, winner_words
from gamesearch.render.tables import plain_table
from gamesearch.solvers.periods import MOST_SIZES, GrundyTable
from gamesearch.solvers.solving import Solution

__all__ = ["SolutionView", "solution_data"]

MEGABYTE = 1 << 20
MOST_MOVES = 40
"""How many moves are listed, where not more of them are best."""
MOST_ADDED = 20
"""How many numbers are added in columns."""
MOST_GRUNDY = 40
"""How many Grundy numbers are listed."""
GRUNDY_ROW = 10
"""How many Grundy numbers a line of the table has where no period says how many."""
EXCEPTION = "*"
UNITS = {"search": "node", "grundy": "Grundy number"}
"""What a method counts, where that is not positions."""


class SolutionView:
    """The board, the value in words, the best moves, every move, and what it took."""

    def __init__(self, game: Game[Any], state: Any, solution: Solution, only_ascii: bool = False) -> None:
        self.game, self.state, self.solution, self.only_ascii = game, state, solution, only_ascii

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield each part."""
        game, solution = self.game, self.solution
        board, turn = picture(game, self.state), "the game is over"
        if not game.terminal(self.state):
            board, turn = board_and_turn(game, self.state)
        yield BoardView(board, self.only_ascii)
        yield Text()
        if turn:
            yield Text(turn)
        facts = Table.grid(padding=(0, 2))
        facts.add_column(no_wrap=True, style="dim")
        facts.add_column()
        words = self.words(solution.value, solution.distance)
        number = value_text(solution.value, signed=game.win_or_loss, only_ascii=self.only_ascii or options.ascii_only)
        facts.add_row("value", Text.assemble((number, "bold"), f"  {words}" if words else ""))
        if solution.best:
            best = "  ".join(game.move_name(self.state, move) for move in solution.best)
            facts.add_row("best", Text(best, style="bold"))
        if solution.grundy:
            facts.add_row("Grundy", Text(self.grundy_text()))
        yield facts
        if solution.method == "grundy" and is_impartial(game):
            yield from nim_sum_lines(game.subgames(self.state), solution.grundy)
        if solution.moves:
            yield Text()
            yield self.moves_table(options)
        if solution.grundy_table is not None:
            yield Text()
            yield from grundy_lines(solution.grundy_table, options.max_width)
        yield Text()
        if solution.note:
            yield Text(solution.note, style="dim")
        yield Text(self.effort(), style="dim")

    def words(self, value: float, distance: int | None) -> str:
        """What a value means."""
        game = self.game
        if outcome := self.outcome(value, distance):
            return outcome
        if not game.win_or_loss:
            end = f", the game ends in {plural(distance, 'ply', 'plies')}" if distance else ""
            return f"{'expected for' if game.chance else 'for'} {player_text(game, MAX)}{end}"
        return ""

    def outcome(self, value: float, distance: int | None) -> str:
        """Who wins, and how soon or by how much, or that nobody does; empty where payoffs do not tell."""
        game = self.game
        is_over = game.terminal(self.state)
        tells_winner = not game.chance and (game.payoffs_tell_how_soon or game.unit != "")
        said = certain_words(game, value) if tells_winner else ""
        if value == game.draw_value() and (game.win_or_loss or said):
            return "a draw" if is_over else "a draw with best play"
        if game.win_or_loss:
            return winner_words(game, value, distance)
        if game.payoffs_tell_how_soon:
            winner = game.player_name(MAX if value > game.draw_value() else MIN)
            return f"{winner} has won" if is_over else game.value_words(self.state, value)
        return said

    def grundy_text(self) -> str:
        """The Grundy numbers by size, and their nim-sum."""
        shown = list(self.solution.grundy.items())[:MOST_GRUNDY]
        assert is_impartial(self.game)
        total = 0
        for size in self.game.subgames(self.state):
            total ^= self.solution.grundy[size]
        return ", ".join(f"{size}: {value}" for size, value in shown) + f"; nim-sum {total}"

    def moves_table(self, options: ConsoleOptions) -> Table:
        """Each move with its value, the best first."""
        game, state = self.game, self.state
        at_chance = game.player(state) == CHANCE
        odds = dict(game.outcomes(state)) if at_chance else {}
        table = plain_table()
        table.add_column("outcome" if at_chance else "move", no_wrap=True, style="bold")
        if at_chance:
            table.add_column("probability", justify="right")
        table.add_column("value", justify="right", no_wrap=True)
        table.add_column("")
        best = self.solution.best
        moves = ranked(game, state, self.solution.moves, best)
        for found in moves[: max(MOST_MOVES, len(best))]:
            assert isinstance(found.value, float)
            name = game.move_name(state, found.move)
            number = value_text(found.value, signed=game.win_or_loss, only_ascii=self.only_ascii or options.ascii_only)
            words = self.outcome(found.value, found.distance)
            cells = [name, number, "draw" if words.startswith("a draw") else words]
            if at_chance:
                cells.insert(1, probability_text(odds[found.move]))
            table.add_row(*(Text(cell) for cell in cells))
        if len(moves) > len(table.rows):
            table.add_row(Text("..."), "", Text(f"and {len(moves) - len(table.rows):,} more"))
        return table

    def effort(self) -> str:
        """What solving took."""
        solution = self.solution
        unit = UNITS.get(solution.method, "position")
        parts = [f"method {solution.method}", plural(solution.positions, unit)]
        if solution.kept not in (0, solution.positions):
            parts.append(f"at most {solution.kept:,} kept")
        if solution.bytes:
            parts.append(f"{max(solution.bytes / MEGABYTE, 0.1):.1f} MB")
        parts.append(seconds_text(solution.seconds))
        if solution.method != "grundy":
            parts.append(speed_text(solution.positions, solution.seconds, f"{unit}s"))
        return ", ".join(part for part in [*parts, solution.speed] if part)


def nim_sum_lines(sizes: Sequence[int], grundy: dict[int, int]) -> Iterator[Text]:
    """The nim-sum as it is taught: the numbers in binary, one below the other, with a 1 where a column has an odd
    number of ones; a move wins that makes all columns even.
    """
    numbers = [grundy[size] for size in sizes]
    if not 0 < len(numbers) <= MOST_ADDED:
        return
    total = functools.reduce(operator.xor, numbers)
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
    which = f"odd in the column{'s' if len(odd) > 1 else ''} {', '.join(odd)}: whoever moves wins by making all even"
    yield Text(which if odd else "even in every column: whoever moves makes one odd, and loses")


def grundy_lines(table: GrundyTable, width: int) -> Iterator[Text]:
    """The Grundy numbers of all sizes, each period on lines of its own, exceptions marked; then what is proved."""
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
        yield Text(f"no period is proved by the numbers up to {MOST_SIZES - 1}")
    else:
        before = f"; {EXCEPTION} {plural(len(exceptions), 'exception')} before" if exceptions else ""
        proof = f"proved by the numbers up to {last} (Guy & Smith 1956)"
        yield Text(f"period {period.length} from {period.begins} on, {proof}{before}")


def grundy_table_data(table: GrundyTable) -> dict[str, Any]:
    """The Grundy numbers of all sizes as JSON has them."""
    return {
        "values": list(table.values),
        "period": vars(table.period) if table.period is not None else None,
        "exceptions": list(table.exceptions),
    }


def solution_data(game: Game[Any], state: Any, solution: Solution, game_text: str) -> dict[str, Any]:
    """The answer as JSON has it."""
    return {
        "game": game_text,
        "position": game.format(state),
        "value": data_number(solution.value),
        "distance": solution.distance,
        "best": [game.move_name(state, move) for move in solution.best],
        "method": solution.method,
        "positions": solution.positions,
        "kept": solution.kept,
        "bytes": solution.bytes,
        "note": solution.note,
        "moves": [
            {"move": game.move_name(state, m.move), "value": data_number(m.value), "distance": m.distance}
            for m in ranked(game, state, solution.moves, solution.best)
        ],
        "grundy": {str(size): value for size, value in solution.grundy.items()},
        "grundy_table": grundy_table_data(solution.grundy_table) if solution.grundy_table is not None else None,
        "seconds": solution.seconds,
        "speed": solution.speed,
    }
