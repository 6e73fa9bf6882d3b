"""Go: surround more of the board than the opponent; whatever has no liberty left is taken off."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from gamesearch.bits import Wide128, low_bit_index, popcount
from gamesearch.boards import Board
from gamesearch.errors import GamesearchError
from gamesearch.game import FORBIDDEN, MAX, MIN, RECURRENCE_DRAWS, Game
from gamesearch.games._shared.board_notation import draw_boards, square_rows
from gamesearch.games._shared.flood import flooded
from gamesearch.games.go.notation import drawn, point_name, read_point, read_position
from gamesearch.known import Known

__all__ = ["Go", "Position"]

LARGEST, LARGEST_COMPILED = 19, 10
"""The longest sides of a board, and of one that Wide128 has the bits for."""
NOWHERE = -1
TROMP = "John Tromp, tromp.github.io/go.html"


class Position(NamedTuple):
    """Bitboards: a row is `size` bits from the left and one more that stays empty, the lowest row first.

    With size 4, whose corners are A1 at 0, D1 at 3, A4 at 15 and D4 at 18:

        15 16 17 18  .
        10 11 12 13  .
         5  6  7  8  .
         0  1  2  3  .

    `passes` have just followed each other; `ko` is where a stone may not be put back at once, which
    is only of use without superko.
    """

    black: Wide128
    white: Wide128
    turn: int
    passes: int
    ko: int


class Go(Game[Position]):
    """Go with area scoring: the stones on the board and the empty points that only they reach.

    The rules of Tromp and Taylor (tromp.github.io/go.html): Black (X, Max) begins, two passes end the
    game, and nobody may make an arrangement of stones that was there before (positional superko). With
    `superko=false`, only to retake a single stone at once is forbidden, and longer cycles are draws.
    `suicide=true` lets a stone take off its own chain, but not itself alone, for that would be a
    pass. `komi` is what White gets on top.
    """

    notation = (
        "rows from the top with X, O and '.', joined by '/', then whose turn it is, X or O, then pass for each pass "
        "just made, or ko and the point where it may not be retaken (only without superko); moves are points (D4, "
        "columns without I, rows from the bottom) or pass"
    )
    example = ".XO./XO.O/.XO./.... X"
    names = ("Black", "White")
    known = (
        Known("counted on grids", perft=(82, 6_643, 531_522)),
        Known("counted on grids", "size=3", perft=(10, 91, 738, 5_281)),
        Known("counted on grids", "size=2", perft=(5, 21, 68, 156, 316, 604, 1_088)),
        Known("counted on grids", "size=2, superko=false", perft=(5, 21, 68, 156, 316, 604, 1_168)),
        Known(TROMP, "size=2", value=1, best=("A1", "A2", "B1", "B2"), method="alphabeta"),
        Known(TROMP, "size=3", value=9, best=("B2",), method="alphabeta"),
    )
    win_or_loss = False
    # Set by hand, in points: area, liberties, eyes.
    weights = (1.0, 0.1, 0.5)
    feature_names = ("points nearer to one's stones", "liberties", "eyes")

    def __init__(self, size: int = 9, komi: float = 0.0, superko: bool = True, suicide: bool = False) -> None:
        if not 2 <= size <= LARGEST:
            raise GamesearchError(f"size={size} is not between 2 and {LARGEST}")
        if not -size * size <= komi <= size * size:
            raise GamesearchError(f"komi={komi:g} is more than the {size * size} points of the board")
        self.size, self.komi, self.superko, self.suicide = size, float(komi), superko, suicide
        self.recurrence = FORBIDDEN if superko else RECURRENCE_DRAWS
        self.width = size + 1
        points = [row * self.width + column for row in range(size) for column in range(size)]
        self.full = sum(1 << point for point in points)
        self.points_from_centre = tuple(sorted(points, key=self.squared_remoteness))
        self.pass_move = size * self.width
        self.MAXSCORE = size * size + abs(self.komi)
        self.MINSCORE = -self.MAXSCORE
        if size > LARGEST_COMPILED:
            self.interpreted_because = f"{size} rows do not fit an integer of 128 bits"
        if size > 2:
            self.suggested_depth = 4 if size < 7 else 3

    def squared_remoteness(self, point: int) -> int:
        """The square of twice a point's distance from the centre."""
        row, column = divmod(point, self.width)
        return (2 * row - self.size + 1) ** 2 + (2 * column - self.size + 1) ** 2

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(Wide128(0), Wide128(0), MAX, 0, NOWHERE)

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        empty = self.full & ~(mine | theirs)
        open_points = empty & self.neighbours(empty)
        for point in self.points_from_centre:
            if empty >> point & 1 and point != s.ko:
                if open_points >> point & 1 or self.may_fill(mine, theirs, Wide128(1) << point):
                    yield point
        yield self.pass_move

    def may_fill(self, mine: int, theirs: int, stone: int) -> bool:
        """Whether a stone may be put where it has no liberty of its own."""
        after, _ = self.after_stone(mine, theirs, stone)
        return after & stone != 0 or (self.suicide and after != mine)

    def after_stone(self, mine: int, theirs: int, stone: int) -> tuple[int, int]:
        """Both sides' stones when one more is put down, and chains without liberties are taken off."""
        mine |= stone
        empty = self.full & ~(mine | theirs)
        attacked = self.neighbours(stone) & theirs
        while attacked != 0:
            chain = flooded(self, attacked & -attacked, theirs)
            attacked &= ~chain
            if self.neighbours(chain) & empty == 0:
                theirs &= ~chain
        chain = flooded(self, stone, mine)
        if self.neighbours(chain) & ~(mine | theirs) == 0:
            mine &= ~chain
        return mine, theirs

    def neighbours(self, points: int) -> int:
        """The points next to some of these."""
        return (points << 1 | points >> 1 | points << self.width | points >> self.width) & self.full

    def result(self, s: Position, m: int) -> Position:
        if m == self.pass_move:
            return Position(s.black, s.white, 1 - s.turn, s.passes + 1, NOWHERE)
        stone = Wide128(1) << m
        if s.turn == MAX:
            black, white = self.after_stone(s.black, s.white, stone)
            return Position(black, white, MIN, 0, self.ko_after(stone, black, white, s.white))
        white, black = self.after_stone(s.white, s.black, stone)
        return Position(black, white, MAX, 0, self.ko_after(stone, white, black, s.black))

    def ko_after(self, stone: int, mine: int, theirs: int, theirs_before: int) -> int:
        """Where the opponent may not retake at once: where a lone stone took one, and has no other liberty."""
        taken = theirs_before ^ theirs
        liberties_and_friends = self.neighbours(stone) & ~theirs
        if self.superko or taken == 0 or liberties_and_friends != taken or popcount(taken) > 1:
            return NOWHERE
        return low_bit_index(taken)

    def arrangement(self, s: Position) -> tuple[int, int]:
        return s.black, s.white

    def terminal(self, s: Position) -> bool:
        return s.passes == 2

    def utility(self, s: Position) -> float:
        empty = self.full & ~(s.black | s.white)
        reached_by_black = flooded(self, self.neighbours(s.black) & empty, empty)
        reached_by_white = flooded(self, self.neighbours(s.white) & empty, empty)
        black = popcount(s.black | reached_by_black & ~reached_by_white)
        white = popcount(s.white | reached_by_white & ~reached_by_black)
        return black - white - self.komi

    # What search may ask to do better. -----------------------------------------------------------
    def bounds(self, s: Position) -> tuple[float, float]:
        # Who can end the game by a second pass gets at least what it pays now.
        least, greatest = self.MINSCORE, self.MAXSCORE
        if s.passes == 1:
            if s.turn == MAX:
                least = self.utility(s)
            else:
                greatest = self.utility(s)
        return least, greatest

    def features(self, s: Position) -> tuple[float, ...]:
        """Black's less White's: points nearer to one's stones, liberties, and eyes."""
        empty = self.full & ~(s.black | s.white)
        black, white, unclaimed = s.black, s.white, Wide128(empty)
        growing = True
        while growing:
            by_black, by_white = self.neighbours(black) & unclaimed, self.neighbours(white) & unclaimed
            black |= by_black & ~by_white
            white |= by_white & ~by_black
            unclaimed &= ~(by_black | by_white)
            growing = (by_black | by_white) != 0
        liberties = popcount(self.neighbours(s.black) & empty) - popcount(self.neighbours(s.white) & empty)
        eyes = popcount(self.eyes(s.black, empty)) - popcount(self.eyes(s.white, empty))
        return float(popcount(black) - popcount(white)), float(liberties), float(eyes)

    def eyes(self, stones: int, empty: int) -> int:
        """The empty points that have nothing but these stones around them."""
        return empty & ~self.neighbours(self.full & ~stones)

    def evaluate(self, s: Position) -> float:
        value = -self.komi
        features = self.features(s)
        for i in range(len(features)):
            value += features[i] * self.weights[i]
        return max(self.MINSCORE + 0.5, min(self.MAXSCORE - 0.5, value))

    def order(self, s: Position, m: int) -> float:
        # Captures first, then escapes; chains that can be taken and eyes filled come late, and a pass last,
        # or first where it ends a game that is won.
        if m == self.pass_move:
            ahead = self.utility(s) if s.turn == MAX else -self.utility(s)
            return 100.0 if s.passes == 1 and ahead > 0 else -100.0
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        stone = Wide128(1) << m
        mine_after, theirs_after = self.after_stone(mine, theirs, stone)
        empty = self.full & ~(mine_after | theirs_after)
        liberties = popcount(self.neighbours(flooded(self, stone, mine_after)) & empty)
        around = self.neighbours(stone)
        score = 10.0 * (popcount(theirs) - popcount(theirs_after))
        if liberties == 1:
            score -= 5.0
        elif around & mine != 0 and self.is_in_atari(around & mine, mine, self.full & ~(mine | theirs)):
            score += 8.0
        if around & ~mine == 0:
            score -= 20.0
        return score + popcount(around & theirs)

    def is_in_atari(self, seeds: int, stones: int, empty: int) -> bool:
        """Whether one of the chains that the seeds belong to has a single liberty."""
        while seeds != 0:
            chain = flooded(self, seeds & -seeds, stones)
            if popcount(self.neighbours(chain) & empty) == 1:
                return True
            seeds &= ~chain
        return False

    def consistent(self, s: Position) -> bool:
        taken = s.black | s.white
        empty = self.full & ~taken
        is_apart = s.black & s.white == 0 and taken & self.full == taken
        return is_apart and s.passes <= 2 and self.all_breathe(s.black, empty) and self.all_breathe(s.white, empty)

    def all_breathe(self, stones: int, empty: int) -> bool:
        """Whether every chain has a liberty."""
        return flooded(self, self.neighbours(empty) & stones, stones) == stones

    # Notation and picture. -----------------------------------------------------------------------
    def setup(self, text: str) -> tuple[Game[Any], Position]:
        # As many rows as are joined by '/' make a board of that size.
        size = text.count("/") + 1
        if size == self.size or not 2 <= size <= LARGEST:
            return self, self.parse(text) if text else self.initial()
        game = Go(size, self.komi, self.superko, self.suicide)
        return game, game.parse(text)

    def parse(self, text: str) -> Position:
        black, white, turn, passes, ko = read_position(self, text)
        s = Position(Wide128(black), Wide128(white), turn, passes, NOWHERE if ko is None else ko)
        if not self.consistent(s):
            raise GamesearchError(f"{text!r} has a chain without liberties")
        if s.ko != NOWHERE and not self.can_be_ko(s):
            raise GamesearchError(f"in {text!r} no single stone can just have been taken at {point_name(self, s.ko)}")
        return s

    def can_be_ko(self, s: Position) -> bool:
        """Whether a lone stone next to the ko may just have taken one there."""
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        ko = Wide128(1) << s.ko
        around = self.neighbours(ko)
        if (mine | theirs) & ko or around & ~theirs:
            return False
        takers = [1 << point for point in self.points_from_centre if around >> point & 1]
        return any(self.ko_after(taker, theirs, mine, mine | ko) == s.ko for taker in takers)

    def format(self, s: Position) -> str:
        rows = draw_boards((s.black, s.white), square_rows(self.size, self.width))
        words = [rows, "XO"[s.turn], *["pass"] * s.passes]
        return " ".join(words + (["ko", point_name(self, s.ko)] if s.ko != NOWHERE else []))

    def move_name(self, s: Position, m: int) -> str:
        return "pass" if m == self.pass_move else point_name(self, m)

    def parse_move(self, s: Position, text: str) -> int:
        wanted = "".join(text.split())
        try:
            return super().parse_move(s, wanted)
        except GamesearchError:
            point = read_point(self, wanted.upper())
            if point is None:
                raise
            if point == s.ko:
                problem = "would take back at once, which ko forbids"
            else:
                problem = "is taken" if (s.black | s.white) >> point & 1 else "would be suicide"
            raise GamesearchError(f"{wanted!r} {problem}") from None

    def board(self, s: Position) -> Board:
        return drawn(self, s)
