"""What connection games on hexagonal cells have in common: one stone a turn, until a player's stones connect."""

from collections.abc import Iterator
from typing import Any

from gamesearch.game import MAX, MIN
from gamesearch.games._shared.connection_board import Position
from gamesearch.games._shared.connection_notation import ConnectionNotation
from gamesearch.games._shared.flood import flooded
from gamesearch.optional import PlayedOut, Selective
from gamesearch.toolkit.bits import Wide128, low_bit_index, mix, popcount

__all__ = ["ConnectionGame"]


class ConnectionGame(ConnectionNotation, PlayedOut[Position], Selective[Position]):
    """A game that is won by the first whose stones hang together and touch all sides that are theirs.

    With `swap`, the second player may answer the first move by `swap`, and so take it over.
    """

    notes_moves = True
    suggested_algorithm = "pvs"  # of 60 games against alpha-beta, 0.1 s a move, 53 % in hex(size=7) and 68 % in Y

    # Set by hand: who misses fewer stones on the way from side to side, and whose turn it is.
    weights = (0.8, 0.15)
    feature_names = ("stones fewer to connect", "whose turn it is")

    def __init__(self, size: int, swap: bool, rows: tuple[tuple[int, ...], ...]) -> None:
        super().__init__(size, swap, rows)
        self.passing_never_helps = not swap  # one stone more does no harm, but where it can be taken over
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
        # Only the player who has just moved can have connected.
        return self.connects(s.noughts, MIN) if s.turn == MAX else self.connects(s.crosses, MAX)

    def utility(self, s: Position) -> int:
        return 1 if s.turn == MIN else -1

    # What a position is worth, and which moves to try first. -------------------------------------
    def features(self, s: Position) -> tuple[float, ...]:
        """How many stones fewer Max misses than Min, and whose turn it is; both count more near the end."""
        empty = self.empty_cells(s)
        crosses = self.missing_stones(s.crosses, empty, MAX)
        noughts = self.missing_stones(s.noughts, empty, MIN)
        tempo = 1 if s.turn == MAX else -1
        return (noughts - crosses) / (noughts + crosses + 1), tempo / (noughts + crosses + 1)

    def missing_stones(self, stones: int, empty: int, player: int) -> int:
        """How many stones it takes to connect each two of a player's sides."""
        sides = self.sides(player)
        missing = 0
        for i in range(len(sides)):
            for j in range(i):
                missing += self.distance(stones, empty, sides[i], sides[j])
        return missing

    def distance(self, stones: int, empty: int, start: int, goal: int) -> int:
        """How many stones it takes to connect two sides if bridges count as connected already."""
        starts = start | self.touched_twice(start & empty)
        goals = goal | self.touched_twice(goal & empty)
        reached, distance = self.bridged(starts & stones, stones, empty), 0
        while reached & goals == 0:
            grown = reached | ((starts | self.neighbours(reached) | self.bridges(reached, empty)) & empty)
            if grown == reached:
                return len(self.cells)  # the opponent is in between
            reached = self.bridged(grown, stones, empty)
            distance += 1
        return distance

    def bridged(self, cells: int, stones: int, empty: int) -> int:
        """The cells, and the stones that neighbours and bridges lead to from there."""
        reached, before = Wide128(cells), Wide128(0)
        while reached != before:
            before = reached
            reached |= (self.neighbours(reached) | self.bridges(reached, empty)) & stones
        return reached

    def order(self, s: Position, m: int) -> float:
        # Near stones of either side, best of all a bridge away from one's own; the centre comes first anyhow.
        if m == self.swap_move:
            return 0.0
        empty = self.empty_cells(s)
        mine, theirs = (s.crosses, s.noughts) if s.turn == MAX else (s.noughts, s.crosses)
        cell = Wide128(1) << m
        bridges = self.bridges(cell, empty)
        touched = self.neighbours(cell)
        return 2 * popcount(bridges & mine) + popcount(bridges & theirs) + popcount(touched & (mine | theirs))

    # What search may ask to do better. -----------------------------------------------------------
    def bounds(self, s: Position) -> tuple[float, float]:
        # Who can connect with one stone wins; else who faces two cells where the other can, loses.
        empty = self.empty_cells(s)
        mine, theirs = (s.crosses, s.noughts) if s.turn == MAX else (s.noughts, s.crosses)
        win = 1.0 if s.turn == MAX else -1.0
        if self.winning_cells(mine, empty, s.turn) != 0:
            return win, win
        if popcount(self.winning_cells(theirs, empty, 1 - s.turn)) > 1 and not self.may_swap(s):
            return -win, -win
        return -1.0, 1.0

    def winning_cells(self, stones: int, empty: int, player: int) -> int:
        """The empty cells where one more stone connects all of a player's sides."""
        cells = Wide128(empty)
        for side in self.sides(player):
            cells &= side | self.neighbours(flooded(self, stones & side, stones))
        return cells

    def is_threatened(self, s: Position) -> bool:
        """Whether the other side can connect with its next stone."""
        theirs = s.noughts if s.turn == MAX else s.crosses
        return self.winning_cells(theirs, self.empty_cells(s), 1 - s.turn) != 0

    def is_evasion(self, s: Position, m: int) -> bool:
        """Whether a stone connects, or keeps the other side from it; a swap takes the threat over."""
        if m == self.swap_move:
            return True
        empty = self.empty_cells(s)
        mine, theirs = (s.crosses, s.noughts) if s.turn == MAX else (s.noughts, s.crosses)
        cells = self.winning_cells(mine, empty, s.turn) | self.winning_cells(theirs, empty, 1 - s.turn)
        return cells >> m & 1 != 0

    def passed(self, s: Position) -> Position:
        return Position(s.crosses, s.noughts, 1 - s.turn)

    def random_payoff(self, s: Position, seed: int) -> int:
        return self.random_game(s, seed, None, 0)[0]

    def random_moves(self, s: Position, seed: int, moves: Any, ply: int) -> tuple[float, int]:
        payoff, last = self.random_game(s, seed, moves, ply)
        return float(payoff), last

    def random_game(self, s: Position, seed: int, moves: Any, ply: int) -> tuple[int, int]:
        """The payoff of a random game and the ply at its end; moves are written down if there is where."""
        # All cells are played, and one look at the full board tells who connected, for only one side can. Which of the
        # empty cells get a cross is drawn cell by cell (Knuth, The Art of Computer Programming 2, 3.4.2, algorithm S).
        if self.terminal(s):
            return self.utility(s), ply
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
        return 1 if self.connects(crosses, MAX) else -1, last

    def consistent(self, s: Position) -> bool:
        surplus = popcount(s.crosses) - popcount(s.noughts)
        is_swapped = surplus != s.turn
        on_board = (s.crosses | s.noughts) & self.full == s.crosses | s.noughts
        return on_board and s.crosses & s.noughts == 0 and surplus + is_swapped == s.turn and self.swap >= is_swapped
