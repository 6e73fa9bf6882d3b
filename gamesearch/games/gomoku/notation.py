"""How gomoku's positions and moves are written and drawn."""

import re

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.board_notation import (
    LETTERS,
    cell_of,
    draw_boards,
    read_moves,
    read_stones,
    square_name,
    square_rows,
)
from gamesearch.games._shared.members import members
from gamesearch.games.gomoku.position import GomokuBoard, Position
from gamesearch.toolkit.boards import Board, Cell, places_in_line

__all__ = ["GomokuNotation"]

MOVE = re.compile(r"([a-s])([0-9]{1,2})")


class GomokuNotation(GomokuBoard):
    """Reads, writes and draws rows of stones with the pairs taken, and moves by their cells."""

    notation = (
        "rows from the top with X, O and '.', joined by '/', with captures and the pairs that X and O have taken "
        "(1,0), or the moves so far (h8 i9); a move is a column's letter and a row's number, from below"
    )
    example = "h8 i9 g9 i7 i8"
    names = ("X", "O")
    estimates_are_chances = True

    # Positions. ----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        return self.read_drawing(text) if "/" in text else read_moves(self, text)

    def format(self, s: Position) -> str:
        pairs = f" {s.max_pairs},{s.min_pairs}" if self.captures else ""
        return draw_boards((s.crosses, s.noughts), square_rows(self.size, self.width)) + pairs

    def read_drawing(self, text: str) -> Position:
        """The position of a drawn board, with the pairs that are taken."""
        drawing, _, after = text.strip().upper().partition(" ")
        boards = read_stones(text, drawing.split("/"), square_rows(self.size, self.width))
        max_pairs, min_pairs = self.read_pairs(text, after)
        crosses, noughts = boards[MAX].bit_count() + 2 * min_pairs, boards[MIN].bit_count() + 2 * max_pairs
        if crosses - noughts not in (0, 1):
            raise GamesearchError(f"{text!r} needs {crosses} X and {noughts} O to be played: X begins, in turns")
        s = self.initial()._replace(
            crosses=boards[MAX], noughts=boards[MIN], max_pairs=max_pairs, min_pairs=min_pairs, turn=crosses - noughts
        )
        self.refuse_unreachable(text, s)
        return s

    def read_pairs(self, text: str, pairs: str) -> tuple[int, int]:
        """How many pairs X and O have taken, as after the board."""
        match = re.fullmatch(r"\s*([0-9]{1,2})\s*[, ]\s*([0-9]{1,2})\s*", pairs)
        if pairs.strip() and (match is None or not self.captures):
            wanted = "the pairs that X and O have taken, such as 1,0" if self.captures else "nothing"
            raise GamesearchError(f"{text!r} has {pairs.strip()!r} after the board where {wanted} should stand")
        return (int(match[1]), int(match[2])) if match else (0, 0)

    def refuse_unreachable(self, text: str, s: Position) -> None:
        """Raise GamesearchError where a game would have ended before this position."""
        mine, last = self.mine(s), self.theirs(s)
        my_pairs, last_pairs = (s.max_pairs, s.min_pairs) if s.turn == MAX else (s.min_pairs, s.max_pairs)
        if last_pairs >= self.pairs_to_win + 2 * len(self.directions) - 1:
            raise GamesearchError(f"{text!r} has {last_pairs} pairs taken: five end the game")
        over_before = self.has_row(last) and all(self.has_row(last ^ 1 << cell) for cell in members(last))
        if my_pairs >= self.pairs_to_win or self.has_row(mine) or over_before:
            raise GamesearchError(f"{text!r} goes on after somebody has won")

    # Moves. --------------------------------------------------------------------------------------
    def move_name(self, s: Position, m: int) -> str:
        return square_name(m, self.width)

    def parse_move(self, s: Position, text: str) -> int:
        match = MOVE.fullmatch("".join(text.split()).casefold())
        if match is None:
            raise GamesearchError(f"{text.strip()!r} is not a cell, such as {square_name(self.centre, self.width)}")
        column, row = LETTERS.index(match[1]), int(match[2]) - 1
        if column >= self.size or not 0 <= row < self.size:
            last = square_name(self.full.bit_length() - 1, self.width)
            raise GamesearchError(f"{text.strip()!r} is off the board, which goes from a1 to {last}")
        cell = row * self.width + column
        if (s.crosses | s.noughts) >> cell & 1:
            raise GamesearchError(f"{text.strip()!r} is taken")
        return cell

    # The picture. --------------------------------------------------------------------------------
    def board(self, s: Position) -> Board:
        """The board, with the pairs taken below it in Pente."""
        rows = [[cell_of(mark, Cell(mark, faint=True)) for mark in row] for row in self.format(s).split()[0].split("/")]
        return Board(
            rows=rows,
            row_labels=[str(row) for row in range(self.size, 0, -1)],
            column_labels=LETTERS[: self.size],
            marks=places_in_line(rows, self.connect),
            notes=[f"pairs taken: X {s.max_pairs}, O {s.min_pairs}"] if self.captures else [],
        )
