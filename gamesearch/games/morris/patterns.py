"""What is learned of nine men's morris: what stands on a ring, and on a side or at a corner of all rings."""

from collections.abc import Mapping

from gamesearch.bits import Board64, popcount
from gamesearch.boards import Place
from gamesearch.games.morris.notation import MorrisNotation
from gamesearch.games.morris.position import FEWEST, RING, Position
from gamesearch.questions import Patterned

__all__ = ["MorrisPatterns"]

SIDE, CORNER = (0, 1, 2), (7, 0, 1)
"""Points of a ring: a side of it, and a corner with the middles beside it."""


class MorrisPatterns(MorrisNotation, Patterned[Position]):
    """Men of both sides on rings, sides and corners."""

    pattern_symmetry = "square"
    stages = 3
    plays_by_learned = True  # 78 % of 200 games of 2,000 nodes a move

    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {point: self.drawn_at(point) for point in range(self.points)}

    def cell_name(self, cell: int) -> str:
        return self.point_name(cell)

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """Each ring, one side of all rings, and one corner of all."""
        rings = [tuple(range(RING * ring, RING * (ring + 1))) for ring in range(self.rings)]
        side, corner = (
            tuple(RING * ring + point for ring in range(self.rings) for point in points) for points in (SIDE, CORNER)
        )
        return (*rings, side, corner)

    def contents(self, s: Position) -> tuple[Board64, ...]:
        return s.mine, s.theirs

    def stage(self, s: Position) -> int:
        """While men are placed, while they step, and when a side has no more than can fly."""
        if s.hands > 0:
            return 0
        return 1 if min(popcount(s.mine), popcount(s.theirs)) > FEWEST else 2
