"""What is learned of draughts: what stands in small areas of the board, all of which overlap."""

from collections.abc import Mapping

from gamesearch.game import MIN
from gamesearch.games._shared.draughts_board import DraughtsBoard, Position
from gamesearch.optional import Patterned
from gamesearch.toolkit.bits import Board64, popcount
from gamesearch.toolkit.boards import Place

__all__ = ["DraughtsPatterns"]

HIGH, WIDE = 3, 2
"""An area has so many rows, and so many dark squares of each."""


class DraughtsPatterns(DraughtsBoard, Patterned[Position]):
    """Areas with men and kings of both sides, as the side to move sees them.

    The weights that come with gamesearch beat those by hand at equal nodes, and hardly at equal time, so that the
    computer does not play by them.
    """

    stages = 3

    def cells_of_patterns(self) -> Mapping[int, Place]:
        return {self.bit_of(number): self.place_of(number) for number in range(1, self.square_count + 1)}

    def patterns(self) -> tuple[tuple[int, ...], ...]:
        """All areas of three rows and two squares of each."""
        rows, wide = min(HIGH, self.size), min(WIDE, self.half)
        return tuple(
            tuple(self.bit_of((row + i) * self.half + column + j + 1) for i in range(rows) for j in range(wide))
            for row in range(self.size - rows + 1)
            for column in range(self.half - wide + 1)
        )

    def contents(self, s: Position) -> tuple[Board64, ...]:
        """The mover's men and kings, and those of the other side, as if he were Max."""
        own, other, kings = s.max_pieces, s.min_pieces, s.kings
        if s.turn == MIN:
            own, other, kings = self.turned_round(other), self.turned_round(own), self.turned_round(kings)
        return own & ~kings, own & kings, other & ~kings, other & kings

    def stage(self, s: Position) -> int:
        """By the number of pieces."""
        gone = 2 * self.most_pieces - popcount(s.max_pieces | s.min_pieces)
        return gone * self.stages // (2 * self.most_pieces + 1)
