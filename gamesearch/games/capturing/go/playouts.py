"""Random games (playouts) of Go on bitboards, guided by simple knowledge.

In a playout, players do not fill their own eyes, do not put their own large chains into atari (with a single liberty),
save chains from atari, and answer the last move if a pattern of 3x3 points matches. These rules come from S. Gelly, Y.
Wang, R. Munos and O. Teytaud 2006, "Modification of UCT with patterns in Monte-Carlo Go", INRIA RR-6062.
"""

from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games.capturing.go.knowledge import GoKnowledge
from gamesearch.games.capturing.go.position import NOWHERE, Position
from gamesearch.optional import PlayedOut
from gamesearch.toolkit.bits import Wide128, low_bit_index, mix, popcount

__all__ = ["PLAYOUTS", "GoPlayouts"]

LONGEST = 3
"""A random game ends, and is scored, after at most LONGEST moves for each point of the board."""
PLAYOUTS = ("patterns", "uniform")


class GoPlayouts(GoKnowledge, PlayedOut[Position]):
    """Random games in which players never fill their own eyes, and pass only if they have no other move.

    Superko is ignored; only immediate recaptures in a ko are forbidden. If `knows_patterns` is set, a player may answer
    the last move by simple rules. All other moves of a random game are equally likely. A random game on a board of 9x9
    has about a hundred moves.
    """

    notes_moves = True

    def __init__(self, size: int, superko: bool, suicide: bool, playouts: str) -> None:
        super().__init__(size, superko, suicide)
        if playouts not in PLAYOUTS:
            raise GamesearchError(f"playouts must be {' or '.join(PLAYOUTS)}, not {playouts!r}")
        self.playouts, self.knows_patterns = playouts, playouts == "patterns"

    def random_moves(self, s: Position, seed: int, moves: Any, ply: int) -> tuple[float, int]:
        end, last = self.random_game(s, seed, moves, ply, self.knows_patterns)
        return float(self.utility(end)), last

    def random_game(self, s: Position, seed: int, moves: Any, ply: int, careful: bool) -> tuple[Position, int]:
        """Play a random game; returns its final position and ply. Writes the moves into `moves` unless `moves` is None.

        If `careful` is true, players do not put large chains into atari, for example in a seki.
        """
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        turn, ko, passes, last = s.turn, s.ko, s.passes, s.last
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
        return Position(black, white, turn, 2, NOWHERE, NOWHERE), ply

    def random_point(self, mine: int, theirs: int, ko: int, seed: int, careful: bool) -> int:
        """Draw random points until one is playable; after many draws, choose among all playable points."""
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
        """Whether the player to move in a random game may place a stone on a point."""
        return self.is_sensible(mine, theirs, ko, point) and not (careful and self.gives_away(mine, theirs, point))

    # Sensible moves. -----------------------------------------------------------------------------
    def is_sensible(self, mine: int, theirs: int, ko: int, point: int) -> bool:
        """Whether a move is legal and does not fill the player's own eye."""
        stone = Wide128(1) << point
        if (mine | theirs) & stone != 0 or point == ko:
            return False
        around = self.neighbors(stone)
        if around & ~(mine | theirs) != 0:
            return True
        fills_eye = around & ~mine == 0 and self.is_eye(theirs, stone)
        return not fills_eye and self.may_fill(mine, theirs, stone)

    # Answers. ------------------------------------------------------------------------------------
    def answer(self, mine: int, theirs: int, ko: int, last: int, seed: int) -> int:
        """A random answer to the opponent's last move. Answers to an atari come before answers by a pattern. The result
        is NOWHERE if no answer exists."""
        points = self.answers_to_atari(mine, theirs, ko, Wide128(1) << last)
        if points == 0:
            points = self.answers_by_pattern(mine, theirs, ko, Wide128(1) << last)
        return NOWHERE if points == 0 else self.random_of(points, seed)

    def answers_to_atari(self, mine: int, theirs: int, ko: int, last: int) -> int:
        """The points that capture the chain of the last stone, or that save a chain which this stone put into atari."""
        empty = self.full & ~(mine | theirs)
        points = self.last_liberties(last, theirs, empty)
        attacked = self.neighbors(last) & mine
        while attacked != 0:
            chain, liberty = self.chain_in_atari(attacked & -attacked, mine, empty)
            attacked &= ~chain
            if liberty != 0:
                if not self.is_in_atari_after(mine, theirs, liberty):
                    points |= liberty
                points |= self.last_liberties(self.neighbors(chain) & theirs, theirs, empty)
        if ko != NOWHERE:
            points &= ~(Wide128(1) << ko)
        return points

    def answers_by_pattern(self, mine: int, theirs: int, ko: int, last: int) -> int:
        """The points around the last stone that match a pattern and on which a new stone would not be in atari."""
        row = last | last << 1 | last >> 1
        near = (row | row << self.width | row >> self.width) & self.full & ~(mine | theirs)
        points = Wide128(0)
        while near != 0:
            point, stone = low_bit_index(near), near & -near
            near &= near - 1
            is_pattern = point != ko and self.is_pattern(mine, theirs, point)
            if is_pattern and not self.is_in_atari_after(mine, theirs, stone):
                points |= stone
        return points

    def random_of(self, points: int, seed: int) -> int:
        """Choose one of the given points at random."""
        for _ in range((mix(mix(seed)) >> 1 & 0xFFFFFFFF) * popcount(points) >> 32):
            points &= points - 1
        return low_bit_index(points)
