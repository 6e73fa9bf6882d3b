"""What a position of a connection game is worth, and which moves to try first."""

from gamesearch.bits import Wide128, popcount
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.connection_board import ConnectionBoard, Position

__all__ = ["ConnectionEvaluation"]


class ConnectionEvaluation(ConnectionBoard):
    """Features of a position, and the order of its moves."""

    # Set by hand: who misses fewer stones on the way from side to side, and whose turn it is.
    weights = (0.8, 0.15)
    feature_names = ("stones fewer to connect", "whose turn it is")

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
