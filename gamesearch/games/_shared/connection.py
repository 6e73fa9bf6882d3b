"""Base class of connection games on hexagonal cells: the player who first connects the given sides wins."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.games._shared.board_notation import LETTERS, cell_of, draw_boards, mark_at, read_stones
from gamesearch.games._shared.cells import flood, members
from gamesearch.notation import play_moves
from gamesearch.optional import PlayoutGame, SelectiveGame
from gamesearch.toolkit.bits import Wide128, low_bit_index, mix, popcount
from gamesearch.toolkit.boards import WON, Board, Cell, Palette, Place

__all__ = ["ConnectionGame", "Position"]

LARGEST = 11
"""The greatest number of rows of a board. The 121 cells of 11 rows fit into Wide128."""


class Position(NamedTuple):
    """Bitboards of the stones, and the player to move. The cells of a rhombus are numbered row by row from the top.
    Each row starts half a cell further to the right.

    On a board with rows of four cells, the neighbors of cell 5 are the cells 6, 2, 1, 4, 8 and 9:

         0   1   2   3
           4   5   6   7
             8   9  10  11
              12  13  14  15
    """

    crosses: Wide128
    noughts: Wide128
    turn: int


MOVES_PLAYED = re.compile(r"\d")
"""Matches texts that contain moves. Moves contain digits, and texts that show a board do not."""
CELL = re.compile(r"[A-Za-z]\d+|swap", re.IGNORECASE)


class ConnectionGame(PlayoutGame[Position], SelectiveGame[Position]):
    """A game on hexagonal cells. The first player to connect all of their sides with a chain of stones wins.

    If `swap` is set, the second player may answer the first move with the move `swap`: then the first stone belongs to
    the second player.
    """

    notes_moves = True
    suggested_algorithm = "pvs"  # benchmarks/results.md, "pvs against alpha-beta"

    # The weights were set by hand.
    weights = (0.8, 0.15)
    feature_names = ("stones fewer to connect", "whose turn it is")
    palette = Palette(
        "hexagons", board="#d9d2c3", line="#6e675a", sides=("#d23b32", "#2458c9"), discs=True, letters=True,
        mark="#f2c230",
    )  # fmt: skip

    whole_payoffs = True
    names = ("X", "O")
    estimates_are_chances = True
    edges: tuple[int | None, int | None, int | None, int | None] = (None, None, None, None)
    """The players who must connect the top, right, bottom and left edge. The entry of an edge that both players must
    connect is None."""

    def __init__(self, size: int, swap: bool, rows: tuple[tuple[int, ...], ...]) -> None:
        if not 2 <= size <= LARGEST:
            raise GamesearchError(f"size={size} is not between 2 and {LARGEST}")
        self.size, self.swap, self.rows = size, swap, rows
        self.cells = tuple(cell for row in rows for cell in row)
        self.swap_move = size * size
        self.full = sum(1 << cell for cell in self.cells)
        first_column = sum(1 << row * size for row in range(size))
        self.not_first = self.full & ~first_column
        self.not_last = self.full & ~(first_column << (size - 1))
        self.cells_from_centre = tuple(sorted(self.cells, key=self.remoteness))
        self.passing_never_helps = not swap  # an extra stone never hurts, unless a swap can take it over
        if len(self.cells) > 16:
            self.suggested_depth = 4

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(Wide128(0), Wide128(0), MAX)

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        empty = self.empty_cells(s)
        for cell in self.cells_from_centre:
            if empty >> cell & 1:
                yield cell
        if self.may_swap(s):
            yield self.swap_move

    def result(self, s: Position, m: int) -> Position:
        if m == self.swap_move:
            return Position(Wide128(0), Wide128(1) << self.cell_after_swap(low_bit_index(s.crosses)), MAX)
        stone = Wide128(1) << m
        if s.turn == MAX:
            return Position(s.crosses | stone, s.noughts, MIN)
        return Position(s.crosses, s.noughts | stone, MAX)

    def terminal(self, s: Position) -> bool:
        # Only the player who moved last can have connected the sides.
        return self.connects(s.noughts, MIN) if s.turn == MAX else self.connects(s.crosses, MAX)

    def utility(self, s: Position) -> int:
        return 1 if s.turn == MIN else -1

    # Evaluation and move ordering. ----------------------------------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        """The first feature is the number of stones that O needs to connect its sides, minus the number of stones that
        X needs. The second feature is the side to move (1 for X, -1 for O). Both features are divided by 1 plus the
        total number of stones that the two players still need. So the features grow near the end of the game."""
        empty = self.empty_cells(s)
        crosses = self.missing_stones(s.crosses, empty, MAX)
        noughts = self.missing_stones(s.noughts, empty, MIN)
        tempo = 1 if s.turn == MAX else -1
        return (noughts - crosses) / (noughts + crosses + 1), tempo / (noughts + crosses + 1)

    def missing_stones(self, stones: int, empty: int, player: int) -> int:
        """The sum of `distance` over all pairs of a player's sides."""
        sides = self.sides(player)
        missing = 0
        for i in range(len(sides)):
            for j in range(i):
                missing += self.distance(stones, empty, sides[i], sides[j])
        return missing

    def distance(self, stones: int, empty: int, start: int, goal: int) -> int:
        """The number of stones that a player still needs to connect two sides. The two ends of a bridge count as
        connected."""
        starts = start | self.cells_touched_twice(start & empty)
        goals = goal | self.cells_touched_twice(goal & empty)
        reached, distance = self.reach_over_bridges(starts & stones, stones, empty), 0
        while reached & goals == 0:
            grown = reached | ((starts | self.neighbors(reached) | self.bridges(reached, empty)) & empty)
            if grown == reached:
                return len(self.cells)  # the opponent has blocked all paths
            reached = self.reach_over_bridges(grown, stones, empty)
            distance += 1
        return distance

    def reach_over_bridges(self, cells: int, stones: int, empty: int) -> int:
        """The given cells, and all stones that are connected to them, directly or by bridges."""
        reached, before = Wide128(cells), Wide128(0)
        while reached != before:
            before = reached
            reached |= (self.neighbors(reached) | self.bridges(reached, empty)) & stones
        return reached

    def order(self, s: Position, m: int) -> float:
        # Count the stones next to the cell, and the bridges from the cell to stones. Bridges to stones of the side to
        # move count twice.
        if m == self.swap_move:
            return 0.0
        empty = self.empty_cells(s)
        mine, theirs = (s.crosses, s.noughts) if s.turn == MAX else (s.noughts, s.crosses)
        cell = Wide128(1) << m
        bridges = self.bridges(cell, empty)
        touched = self.neighbors(cell)
        return 2 * popcount(bridges & mine) + popcount(bridges & theirs) + popcount(touched & (mine | theirs))

    # For the search. ------------------------------------------------------------------------------
    def bounds(self, s: Position) -> tuple[float, float]:
        # The player to move wins if one stone connects the player's sides. Otherwise, the player loses if the opponent
        # has two winning cells.
        empty = self.empty_cells(s)
        mine, theirs = (s.crosses, s.noughts) if s.turn == MAX else (s.noughts, s.crosses)
        win = 1.0 if s.turn == MAX else -1.0
        if self.winning_cells(mine, empty, s.turn) != 0:
            return win, win
        if popcount(self.winning_cells(theirs, empty, 1 - s.turn)) > 1 and not self.may_swap(s):
            return -win, -win
        return -1.0, 1.0

    def winning_cells(self, stones: int, empty: int, player: int) -> int:
        """The empty cells on which a stone would connect all of a player's sides."""
        cells = Wide128(empty)
        for side in self.sides(player):
            cells &= side | self.neighbors(flood(self, stones & side, stones))
        return cells

    def is_threatened(self, s: Position) -> bool:
        """Whether the opponent can win with the next stone."""
        theirs = s.noughts if s.turn == MAX else s.crosses
        return self.winning_cells(theirs, self.empty_cells(s), 1 - s.turn) != 0

    def is_evasion(self, s: Position, m: int) -> bool:
        """Whether a move wins, or prevents the opponent from winning with the next stone. A swap is always considered
        an evasion."""
        if m == self.swap_move:
            return True
        empty = self.empty_cells(s)
        mine, theirs = (s.crosses, s.noughts) if s.turn == MAX else (s.noughts, s.crosses)
        cells = self.winning_cells(mine, empty, s.turn) | self.winning_cells(theirs, empty, 1 - s.turn)
        return cells >> m & 1 != 0

    def make_null_move(self, s: Position) -> Position:
        return Position(s.crosses, s.noughts, 1 - s.turn)

    def random_moves(self, s: Position, seed: int, moves: Any, ply: int) -> tuple[float, int]:
        # Fill all cells, and test only the full board. On a full board, exactly one player has connected the sides. X
        # gets a random sample of the empty cells (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S).
        if self.terminal(s):
            return float(self.utility(s)), ply
        left = popcount(self.empty_cells(s))
        if self.may_swap(s) and (mix(mix(seed)) >> 1 & 0xFFFFFFFF) * (left + 1) >> 32 == left:
            s = self.result(s, self.swap_move)
            if moves is not None:
                moves[ply] = self.swap_move
            ply += 1
        empty, crosses, last = self.empty_cells(s), Wide128(s.crosses), ply + left
        missing = (left + 1) // 2 if s.turn == MAX else left // 2
        next_ply = (ply, ply + 1) if s.turn == MAX else (ply + 1, ply)
        for cell in self.cells:
            if empty >> cell & 1:
                seed += 1
                side = MIN
                if (mix(mix(seed)) >> 1 & 0xFFFFFFFF) * left >> 32 < missing:
                    crosses |= Wide128(1) << cell
                    missing -= 1
                    side = MAX
                if moves is not None:
                    moves[next_ply[side]] = cell
                    next_ply = (next_ply[0] + 2 - 2 * side, next_ply[1] + 2 * side)
                left -= 1
        return 1.0 if self.connects(crosses, MAX) else -1.0, last

    def consistent(self, s: Position) -> bool:
        surplus = popcount(s.crosses) - popcount(s.noughts)
        is_swapped = surplus != s.turn
        on_board = (s.crosses | s.noughts) & self.full == s.crosses | s.noughts
        return on_board and s.crosses & s.noughts == 0 and surplus + is_swapped == s.turn and self.swap >= is_swapped

    # The board. -----------------------------------------------------------------------------------
    def remoteness(self, cell: int) -> int:
        """The sum of the squared distances from a cell to all cells. The sum is smallest in the center of the board."""
        size = self.size
        ways = [(other // size - cell // size, other % size - cell % size) for other in self.cells]
        return sum(down * down + down * right + right * right for down, right in ways)

    def sides(self, player: int) -> tuple[int, ...]:
        """The sides that a player must connect. A side is the set of cells along an edge of the board."""
        raise NotImplementedError

    def cell_after_swap(self, cell: int) -> int:
        """The cell of the second player's stone after a swap, given the cell of the first stone."""
        raise NotImplementedError

    def connects(self, stones: int, player: int) -> bool:
        """Whether one group of connected stones touches all of a player's sides."""
        return self.connecting_group(stones, player) != 0

    def connecting_group(self, stones: int, player: int) -> int:
        """The stones of the group that touches all of a player's sides. The result is 0 if no group does."""
        joined = stones
        for side in self.sides(player):
            joined = flood(self, joined & side, joined)
        return joined

    def may_swap(self, s: Position) -> bool:
        """Whether the second player may answer the first move with `swap` now."""
        return self.swap and s.turn == MIN and s.noughts == 0

    def empty_cells(self, s: Position) -> int:
        """The cells without a stone."""
        return self.full & ~(s.crosses | s.noughts)

    # The neighbors in each direction. Masks remove cells that wrap around the left or right edge. --------
    def east(self, cells: int) -> int:
        return cells << 1 & self.not_first

    def west(self, cells: int) -> int:
        return cells >> 1 & self.not_last

    def north_east(self, cells: int) -> int:
        return cells >> (self.size - 1) & self.not_first

    def north_west(self, cells: int) -> int:
        return cells >> self.size & self.full

    def south_east(self, cells: int) -> int:
        return cells << self.size & self.full

    def south_west(self, cells: int) -> int:
        return cells << (self.size - 1) & self.not_last

    def neighbors(self, cells: int) -> int:
        """The cells that are adjacent to at least one of the given cells."""
        return (
            self.east(cells) | self.north_east(cells) | self.north_west(cells)
            | self.west(cells) | self.south_west(cells) | self.south_east(cells)
        )  # fmt: skip

    def bridges(self, cells: int, empty: int) -> int:
        """The cells that form a bridge with one of the given cells. The two cells of a bridge share two empty
        neighbors. So the player can connect the two cells even if the opponent takes one of the neighbors (Browne 2000,
        Hex Strategy, chapter 3)."""
        east, west = self.east(cells) & empty, self.west(cells) & empty
        north_east, south_west = self.north_east(cells) & empty, self.south_west(cells) & empty
        north_west, south_east = self.north_west(cells) & empty, self.south_east(cells) & empty
        return (
            (self.north_east(east) & self.east(north_east))
            | (self.north_west(north_east) & self.north_east(north_west))
            | (self.west(north_west) & self.north_west(west))
            | (self.south_west(west) & self.west(south_west))
            | (self.south_east(south_west) & self.south_west(south_east))
            | (self.east(south_east) & self.south_east(east))
        )

    def cells_touched_twice(self, cells: int) -> int:
        """The cells that are adjacent to at least two of the given cells."""
        once = twice = Wide128(0)
        for touched in (
            self.east(cells), self.north_east(cells), self.north_west(cells),
            self.west(cells), self.south_west(cells), self.south_east(cells),
        ):  # fmt: skip
            twice |= once & touched
            once |= touched
        return twice

    # Notation. ------------------------------------------------------------------------------------
    def setup(self, text: str) -> tuple[Game, Position]:
        if MOVES_PLAYED.search(text):
            return self, self.parse(text)
        # The number of rows determines the size of the board.
        size = len(text.upper().replace("/", " ").replace("SWAPPED", "").split())
        is_other = size != self.size and 2 <= size <= LARGEST
        make: Any = type(self)
        game = make(size, self.swap) if is_other else self
        return game, game.parse(text) if text else game.initial()

    def parse(self, text: str) -> Position:
        if MOVES_PLAYED.search(text):
            return play_moves(self, self.initial(), text, CELL)[-1]
        rows = text.upper().replace("/", " ").split()
        is_swapped = rows[-1:] == ["SWAPPED"]
        boards = read_stones(text, rows[: len(rows) - is_swapped], self.rows)
        crosses, noughts = boards[MAX].bit_count(), boards[MIN].bit_count()
        is_swapped = is_swapped or (self.swap and crosses - noughts == -1)
        if is_swapped and not self.swap:
            raise GamesearchError(f"{text!r} is a position after a swap: use {self.name}(swap=true)")
        turn = crosses - noughts + is_swapped
        if turn not in (MAX, MIN) or (is_swapped and not noughts):
            first = "after a swap, the first stone is a stone of O" if is_swapped else "X begins"
            raise GamesearchError(f"{text!r} has {crosses} X and {noughts} O, but {first}, and the players take turns")
        s = Position(Wide128(boards[MAX]), Wide128(boards[MIN]), turn)
        if not self.can_be_reached(s):
            raise GamesearchError(f"{text!r} continues after the end of the game")
        return s

    def can_be_reached(self, s: Position) -> bool:
        """Whether a game can lead to the position. This is impossible if the game was over before the last stone."""
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
        return super().parse_move(s, "".join(text.split()))

    def place_of(self, cell: int) -> Place:
        """The number of a cell's row, counted from the top, and the cell's place in this row."""
        row = cell // self.size
        return row, self.rows[row].index(cell)

    def cell_name(self, cell: int) -> str:
        """The name of a cell: a letter for its place in the row, and the number of the row, counted from the top."""
        row, column = self.place_of(cell)
        return f"{LETTERS[column]}{row + 1}"

    def edge_notes(self) -> list[str]:
        """Sentences that tell each player which edges to connect."""
        top, right, bottom, left = self.edges
        edges = {"top": top, "bottom": bottom, "left": left, "right": right}
        goals = [
            f"{name} connects {' and '.join(edge for edge, owner in edges.items() if owner == i)}"
            for i, name in enumerate(self.names)
            if i in self.edges
        ]
        return [", ".join(goals)] if goals else []

    def board(self, s: Position) -> Board:
        """The board; each row is shifted by half a cell relative to the row above. When the game is over, the winning
        chain is marked."""
        begins = [2 * (row[0] % self.size) + number for number, row in enumerate(self.rows)]
        chain = self.connecting_group(s.crosses, MAX) | self.connecting_group(s.noughts, MIN)
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
            marks=dict.fromkeys(map(self.place_of, members(chain)), WON),
        )
