"""Yavalath for three players: a player who makes four in a row wins, and a player who makes only three is out."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.games._shared.board_notation import cell_of, draw_boards, mark_at, read_boards
from gamesearch.notation import play_moves
from gamesearch.toolkit.bits import Wide128, low_bit_index, popcount, replace_item
from gamesearch.toolkit.boards import Board, Cell, Palette
from gamesearch.toolkit.known import Known

__all__ = ["Yavalath"]

PLAYERS = 3
WIN, OUT = 4, 3
PLAYING, LOST, WON = range(3)
LETTERS = "WBR"
ROWS = "abcdefghi"
COUNTED = "counted by an independent program"
THREAT, SAFE, REACH = 2.0, 1.0, 0.5
"""The weights of three numbers. THREAT weights the number of a player's winning cells. SAFE weights the fraction of
cells that are safe. REACH weights the fraction of cells that are at most two steps from the player's stones. A player's
share of the prize is proportional to 1 plus the weighted sum. The weights were set by hand."""


class Position(NamedTuple):
    """The stones of each player, and the player to move.

    The rows of the hexagon are shifted so that cells form columns. The last column is empty. So the bit numbers of two
    neighbors differ by 1, `width` or `width` - 1. With side = 3:

            . . .               2  3  4  |
           . . . .           7  8  9 10  |
          . . . . .      12 13 14 15 16  |
           . . . .       18 19 20 21     |
            . . .        24 25 26        |
    """

    white: Wide128
    black: Wide128
    red: Wide128
    turn: int


class Yavalath(Game[Position]):
    """For three players: four in a row win, and a player with only three is out (C. Browne and LUDI 2007).

    The published rules are for three players. A player who makes three in a row without four is out, but the stones
    stay. A player must keep the next player from winning, if possible. The first player with four in a row, or the last
    player left, wins. The published rules leave two cases open. In gamesearch, a player may win instead of defending.
    If the next player can win on two cells, any move is legal. If the board is full, the remaining players share the
    win.
    """

    palette = Palette(
        "hexagons", board="#cdb58a", line="#6b5836", sides=("#fdfdf8", "#101010", "#b3261e"), discs=True, letters=True
    )
    notation = (
        "a list of moves (c4, e5), or the rows from the top, joined by '/', with W, B, R and '.' for an empty cell, "
        "then the side to move: white, black or red. A move is the letter of a row, counted from the top, and the "
        "number of a cell in the row, counted from the left (c4)"
    )
    example = "...../....../...W.../...BB.../....W..../...R..../......./....../..... red"
    players = PLAYERS
    names = ("White", "Black", "Red")
    estimates_are_chances = True
    win_or_loss = False
    suggested_depth = 3
    MINSCORE = 0.0
    MAXSCORE = 1.0
    known = (
        Known("no game ends in three plies: 61, 61 * 60, 61 * 60 * 59", perft=(61, 3_660, 215_940)),
        Known(COUNTED, "side=3", "WW./..../BB.R./R.../... white", perft=(13, 156, 1_705, 17_050, 150_966)),
        Known(COUNTED, "side=3", "R.R/..../WW.../BB.B/RW. white", perft=(1, 9, 72, 504, 2_910)),
        Known(COUNTED, "side=3", "W.W/.W../BB.R./R..B/R.. white", perft=(10, 90, 656, 4_592, 25_776)),
        Known(COUNTED, "side=4", "..B./BW..W/R.RR.R/.BBWB../...W.W/...../WR.. black", perft=(21, 420, 6_554)),
        Known(COUNTED, "side=2", perft=(7, 42, 210, 840, 2_520, 5_040, 5_040)),
    )

    def __init__(self, side: int = 5) -> None:
        if not 2 <= side <= 5:
            raise GamesearchError(f"side={side} is not possible: the side of a board must have 2 to 5 cells")
        self.side = int(side)
        self.height = 2 * self.side - 1
        self.width = 2 * self.side
        self.directions = (1, self.width - 1, self.width)
        self._cells = [
            [row * self.width + column for column in range(self.height) if side - 1 <= row + column <= 3 * (side - 1)]
            for row in range(self.height)
        ]
        self.hexagon = sum(1 << cell for row in self._cells for cell in row)
        self.cells = self.hexagon.bit_count()

    def initial(self) -> Position:
        return Position(Wide128(0), Wide128(0), Wide128(0), 0)

    def player(self, s: Position) -> int:
        return s.turn

    def stones_of(self, s: Position, player: int) -> int:
        """The stones of a player."""
        return s.white if player == 0 else s.black if player == 1 else s.red

    def open_cells(self, s: Position) -> int:
        """The cells without a stone."""
        return Wide128(self.hexagon) & ~(s.white | s.black | s.red)

    def has_line(self, stones: int, length: int) -> bool:
        """Whether the stones contain a row of `length` stones."""
        for step in self.directions:
            line = stones
            for i in range(1, length):
                line &= stones >> i * step
            if line != 0:
                return True
        return False

    def completing_cells(self, stones: int, length: int) -> int:
        """The cells, occupied or not, on which a stone completes a row of `length` stones."""
        cells = Wide128(0)
        for step in self.directions:
            for place in range(length):
                line = Wide128(self.hexagon)
                for i in range(length):
                    if i < place:
                        line &= stones << (place - i) * step
                    elif i > place:
                        line &= stones >> (i - place) * step
                cells |= line
        return cells

    def near(self, stones: int) -> int:
        """The cells that are at most two steps from a stone. The steps go in the directions of winning rows."""
        cells = Wide128(0)
        for step in self.directions:
            one, other = stones << step & self.hexagon, stones >> step & self.hexagon
            cells |= one | other | one << step | other >> step
        return cells

    def status_of(self, s: Position, player: int) -> int:
        """Whether a player is still playing, has lost, or has won by four in a row."""
        stones = self.stones_of(s, player)
        if not self.has_line(stones, OUT):
            return PLAYING
        return WON if self.has_line(stones, WIN) else LOST

    def next_player(self, s: Position) -> int:
        """The next player who is still playing, or the player to move if no other player is left."""
        for step in range(1, PLAYERS):
            other = (s.turn + step) % PLAYERS
            if self.status_of(s, other) != LOST:
                return other
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        cells = self.open_cells(s)
        threats = cells & self.completing_cells(self.stones_of(s, self.next_player(s)), WIN)
        if popcount(threats) == 1:
            cells &= threats | self.completing_cells(self.stones_of(s, s.turn), WIN)
        while cells != 0:
            yield low_bit_index(cells)
            cells &= cells - 1

    def result(self, s: Position, m: int) -> Position:
        stone = Wide128(1) << m
        white = s.white | stone if s.turn == 0 else s.white
        black = s.black | stone if s.turn == 1 else s.black
        red = s.red | stone if s.turn == 2 else s.red
        return Position(white, black, red, self.next_player(Position(white, black, red, s.turn)))

    def terminal(self, s: Position) -> bool:
        playing = 0
        for player in range(PLAYERS):
            standing = self.status_of(s, player)
            if standing == WON:
                return True
            if standing == PLAYING:
                playing += 1
        return playing == 1 or self.open_cells(s) == 0

    def utility(self, s: Position) -> tuple[float, ...]:
        shares: tuple[float, ...] = (0.0, 0.0, 0.0)
        for player in range(PLAYERS):
            standing = self.status_of(s, player)
            if standing == WON:
                return replace_item((0.0, 0.0, 0.0), player, 1.0)
            if standing == PLAYING:
                shares = replace_item(shares, player, 1.0)
        playing = shares[0] + shares[1] + shares[2]
        return shares[0] / playing, shares[1] / playing, shares[2] / playing

    def evaluate(self, s: Position) -> tuple[float, ...]:
        """The estimated payoffs. The share of each player depends on the number of the player's winning, safe and near
        cells."""
        cells = self.open_cells(s)
        strengths: tuple[float, ...] = (0.0, 0.0, 0.0)
        total = 0.0
        for player in range(PLAYERS):
            if self.status_of(s, player) != LOST:
                stones = self.stones_of(s, player)
                wins = cells & self.completing_cells(stones, WIN)
                safe = cells & (wins | ~self.completing_cells(stones, OUT))
                near = cells & self.near(stones)
                strength = 1.0 + THREAT * popcount(wins) + (SAFE * popcount(safe) + REACH * popcount(near)) / self.cells
                strengths = replace_item(strengths, player, strength)
                total += strength
        for player in range(PLAYERS):
            strengths = replace_item(strengths, player, strengths[player] / total)
        return strengths

    def consistent(self, s: Position) -> bool:
        stones = s.white | s.black | s.red
        counted = popcount(s.white) + popcount(s.black) + popcount(s.red)
        return stones & ~Wide128(self.hexagon) == 0 and counted == popcount(stones)

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        if text and "/" not in text:
            return play_moves(self, self.initial(), text)[-1]
        rows, *turn = re.sub(r"\s*/\s*", "/", text.strip()).split() or [""]
        stones = read_boards(rows.upper().split("/"), self._cells, LETTERS)
        if stones is None:
            wanted = ", ".join(str(len(row)) for row in self._cells)
            raise GamesearchError(f"{text!r} must have rows of {wanted} cells: W, B, R or '.'")
        s = Position(stones[0], stones[1], stones[2], self._read_turn(text, turn, sum(map(int.bit_count, stones))))
        standings = [self.status_of(s, player) for player in range(PLAYERS)]
        if standings.count(WON) > 1 or standings.count(LOST) > PLAYERS - 1:
            raise GamesearchError(f"{text!r} continues after the end of the game")
        if standings[s.turn] == LOST:
            raise GamesearchError(f"{text!r} gives the turn to {self.names[s.turn]}, who is already out")
        counts = [each.bit_count() for each in stones]
        if LOST not in standings and not counts[0] >= counts[1] >= counts[2] >= counts[0] - 1:
            shown = ", ".join(f"{count} {letter}" for count, letter in zip(counts, LETTERS, strict=True))
            raise GamesearchError(f"{text!r} has {shown}, but White begins, and the players take turns")
        if LOST not in standings and s.turn != sum(counts) % PLAYERS:
            raise GamesearchError(f"after {sum(counts)} stones it is {self.names[sum(counts) % PLAYERS]}'s turn")
        return s

    def _read_turn(self, text: str, words: list[str], stones: int) -> int:
        """The player to move. A word after the rows names the player. If this word is missing, the number of stones
        determines the player."""
        if not words:
            return stones % PLAYERS
        found = [i for i, name in enumerate(self.names) if name.casefold().startswith(words[0].casefold())]
        if len(words) > 1 or len(found) != 1:
            raise GamesearchError(f"{text!r} does not end with the player to move: white, black or red")
        return found[0]

    def format(self, s: Position) -> str:
        return f"{draw_boards(s[:PLAYERS], self._cells, LETTERS)} {self.names[s.turn].casefold()}"

    def move_name(self, s: Position, m: int) -> str:
        row = m // self.width
        return f"{ROWS[row]}{self._cells[row].index(m) + 1}"

    def parse_move(self, s: Position, text: str) -> int:
        wanted = re.sub(r"\s", "", text.casefold())
        try:
            return super().parse_move(s, wanted)
        except GamesearchError:
            names = {
                f"{ROWS[row]}{i + 1}": cell for row, cells in enumerate(self._cells) for i, cell in enumerate(cells)
            }
            if wanted in names and self.open_cells(s) >> names[wanted] & 1:
                following = self.names[self.next_player(s)]
                raise GamesearchError(
                    f"{wanted} is not legal: it does not keep {following} from making four in a row"
                ) from None
            raise

    def board(self, s: Position) -> Board:
        """The hexagon. Each open cell shows its number within its row."""
        rows = [
            [
                cell_of(mark_at(cell, s[:PLAYERS], LETTERS), Cell(str(number), faint=True), LETTERS)
                for number, cell in enumerate(cells, 1)
            ]
            + [Cell(" ", absent=True)] * (self.height - len(cells))
            for cells in self._cells
        ]
        notes = [f"{self.names[player]} is out" for player in range(PLAYERS) if self.status_of(s, player) == LOST]
        return Board(rows, ROWS[: self.height], notes=notes, shifts=[self.height - len(cells) for cells in self._cells])
