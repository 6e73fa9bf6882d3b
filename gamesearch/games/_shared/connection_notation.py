"""How the positions and cells of connection games are written and drawn."""

import re
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.games._shared.board_notation import LETTERS, cell_of, draw_boards, mark_at, read_moves, read_stones
from gamesearch.games._shared.connection_board import LARGEST, ConnectionBoard, Position
from gamesearch.toolkit.bits import Wide128, popcount
from gamesearch.toolkit.boards import WON, Board, Cell

__all__ = ["ConnectionNotation"]


MOVES_PLAYED = re.compile(r"\d")
"""Only moves have digits, boards do not."""
CELL = re.compile(r"[A-Za-z]\d+|swap", re.IGNORECASE)


class ConnectionNotation(ConnectionBoard):
    """Reads, writes and draws rows of stones, and moves by their cells."""

    names = ("X", "O")
    estimates_are_chances = True
    edges: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    """Who owns which edge of the board: top, right, bottom, left."""

    def setup(self, text: str) -> tuple[Game[Any], Position]:
        if MOVES_PLAYED.search(text):
            return self, self.parse(text)
        # As many rows as there are make a board of that size.
        size = len(text.upper().replace("/", " ").replace("SWAPPED", "").split())
        is_other = size != self.size and 2 <= size <= LARGEST
        make: Any = type(self)
        game = make(size, self.swap) if is_other else self
        return game, game.parse(text) if text else game.initial()

    def parse(self, text: str) -> Position:
        if MOVES_PLAYED.search(text):
            return read_moves(self, text, CELL)
        rows = text.upper().replace("/", " ").split()
        is_swapped = rows[-1:] == ["SWAPPED"]
        boards = read_stones(text, rows[: len(rows) - is_swapped], self.rows)
        crosses, noughts = boards[MAX].bit_count(), boards[MIN].bit_count()
        is_swapped = is_swapped or (self.swap and crosses - noughts == -1)
        if is_swapped and not self.swap:
            raise GamesearchError(f"{text!r} is swapped, which takes {self.name}(swap=true)")
        turn = crosses - noughts + is_swapped
        if turn not in (MAX, MIN) or (is_swapped and not noughts):
            first = "O has the first stone after a swap" if is_swapped else "X begins"
            raise GamesearchError(f"{text!r} has {crosses} X and {noughts} O: {first} and the players take turns")
        s = Position(Wide128(boards[MAX]), Wide128(boards[MIN]), turn)
        if not self.can_be_reached(s):
            raise GamesearchError(f"{text!r} goes on after somebody has connected")
        return s

    def can_be_reached(self, s: Position) -> bool:
        """Whether nobody had connected before the last stone."""
        mine, theirs = (s.crosses, s.noughts) if s.turn == MAX else (s.noughts, s.crosses)
        if self.connects(mine, s.turn):
            return False
        lasts = [1 << cell for cell in self.cells if theirs >> cell & 1]
        return not lasts or any(not self.connects(theirs ^ last, 1 - s.turn) for last in lasts)

    def format(self, s: Position) -> str:
        is_swapped = popcount(s.crosses) - popcount(s.noughts) != s.turn
        return draw_boards((s.crosses, s.noughts), self.rows) + " swapped" * is_swapped

    def move_name(self, s: Position, m: int) -> str:
        return "swap" if m == self.swap_move else self.cell_name(m)

    def parse_move(self, s: Position, text: str) -> int:
        wanted = "".join(text.split())
        taken = [self.cell_name(cell) for cell in self.cells if (s.crosses | s.noughts) >> cell & 1]
        if wanted.casefold() in taken:
            raise GamesearchError(f"{wanted!r} is taken")
        return super().parse_move(s, wanted)

    def cell_name(self, cell: int) -> str:
        """A letter for the place in the row, and the row's number from the top."""
        row = cell // self.size
        return f"{LETTERS[self.rows[row].index(cell)]}{row + 1}"

    def edge_notes(self) -> list[str]:
        """Which edges each player has to connect."""
        top, right, bottom, left = self.edges
        edges = {"top": top, "bottom": bottom, "left": left, "right": right}
        goals = [
            f"{name} connects {' and '.join(edge for edge, owner in edges.items() if owner == i)}"
            for i, name in enumerate(self.names)
            if i in self.edges
        ]
        return [", ".join(goals)] if goals else []

    def board(self, s: Position) -> Board:
        """The cells, each row half a cell beside the one above; at the end, with the chain that has won."""
        begins = [2 * (row[0] % self.size) + number for number, row in enumerate(self.rows)]
        chain = self.connecting(s.crosses, MAX) | self.connecting(s.noughts, MIN)
        return Board(
            rows=[
                [cell_of(mark_at(cell, (s.crosses, s.noughts)), Cell(faint=True)) for cell in cells]
                + [Cell(" ", absent=True)] * (self.size - len(cells))
                for cells in self.rows
            ],
            row_labels=[f"{number:2}" for number in range(1, len(self.rows) + 1)],
            column_labels=LETTERS[: self.size],
            shifts=[begin - min(begins) for begin in begins],
            edges=self.edges,
            notes=self.edge_notes(),
            marks={
                (row, column): WON
                for row, cells in enumerate(self.rows)
                for column, cell in enumerate(cells)
                if chain >> cell & 1
            },
        )
