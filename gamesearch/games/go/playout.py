"""Random games of Go, played on the boards alone."""

from typing import Any

from gamesearch.game import MAX
from gamesearch.games.go.knowledge import GoKnowledge
from gamesearch.games.go.position import NOWHERE, Position
from gamesearch.optional import PlayedOut
from gamesearch.toolkit.bits import Wide128, mix

__all__ = ["PLAYOUTS", "GoPlayouts"]

LONGEST = 3
"""A game is counted as it stands after so many moves for each point."""
PLAYOUTS = ("patterns", "uniform")


class GoPlayouts(GoKnowledge, PlayedOut[Position]):
    """Plays to a random end: no eye of one's own is filled, only ko is forbidden in place of superko, and nobody passes
    who has another move. Else moves are equally likely, or the last one is answered where `knows_patterns`.

    So games end in some hundred moves, with eyes in place of boards that are filled and taken again and again.
    """

    knows_patterns: bool
    notes_moves = True

    def random_payoff(self, s: Position, seed: int) -> float:
        return float(self.utility(self.random_game(s, seed, None, 0, False)[0]))

    def random_moves(self, s: Position, seed: int, moves: Any, ply: int) -> tuple[float, int]:
        end, last = self.random_game(s, seed, moves, ply, False)
        return float(self.utility(end)), last

    def random_game(self, s: Position, seed: int, moves: Any, ply: int, careful: bool) -> tuple[Position, int]:
        """The end of a random game and its ply; moves are written down if there is where.

        Who is careful gives no stones away where both sides share the last liberties.
        """
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        turn, ko, passes, last = s.turn, s.ko, s.passes, NOWHERE
        for _ in range(LONGEST * self.size * self.size):
            if passes == 2:
                break
            seed = mix(seed + 1)
            point = NOWHERE
            if self.knows_patterns and last != NOWHERE:
                point = self.answer(mine, theirs, ko, last, seed)
            if point == NOWHERE:
                point = self.random_point(mine, theirs, ko, seed, careful)
            if point == self.pass_move:
                passes, ko, last = passes + 1, NOWHERE, NOWHERE
            else:
                stone, before = Wide128(1) << point, theirs
                mine, theirs = self.after_stone(mine, theirs, stone)
                passes, ko, last = 0, self.point_of_ko(stone, mine, theirs, before), point
            mine, theirs, turn = theirs, mine, 1 - turn
            if moves is not None:
                moves[ply] = point
            ply += 1
        black, white = (mine, theirs) if turn == MAX else (theirs, mine)
        return Position(black, white, turn, 2, NOWHERE), ply

    def random_point(self, mine: int, theirs: int, ko: int, seed: int, careful: bool) -> int:
        """A random point to play on: drawn again where one cannot be, and, after many, drawn from those that can."""
        count = self.size * self.size
        for _ in range(count):
            seed += 1
            drawn = (mix(mix(seed)) >> 1 & 0xFFFFFFFF) * count >> 32
            point = drawn // self.size * self.width + drawn % self.size
            if self.is_playable(mine, theirs, ko, point, careful):
                return point
        chosen, playable = self.pass_move, 0
        for number in range(count):
            point = number // self.size * self.width + number % self.size
            if self.is_playable(mine, theirs, ko, point, careful):
                playable += 1
                seed += 1
                if (mix(mix(seed)) >> 1 & 0xFFFFFFFF) * playable >> 32 == 0:
                    chosen = point
        return chosen

    def is_playable(self, mine: int, theirs: int, ko: int, point: int, careful: bool) -> bool:
        """Whether a point is one of those that are drawn."""
        return self.is_sensible(mine, theirs, ko, point) and not (careful and self.gives_away(mine, theirs, point))
