"""Nine men's morris: three in a line is a mill, and a mill takes a man of the opponent's.

The rules are those of R. Gasser 1996, "Solving nine men's morris", Games of No Chance, MSRI
Publications 29, who proved that the game is a draw.
"""

from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.bits import low_bit_index, popcount
from gamesearch.boards import Board
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, RECURRENCE_DRAWS, Game
from gamesearch.games.morris.notation import drawn, find_move, point_name, position_text, read_position
from gamesearch.known import Known

__all__ = ["Morris"]

RING = 8
"""A ring's points: its corners are the even ones, its middles the odd ones."""
LIOU = "B. Liou, Morris tablebases, github.com/brianhliou/game-solver"
FEWEST = 3
"""Who has fewer men has lost; who has no more may fly."""
HAND = 31
"""Where a man comes from who is placed."""
NOBODY = 31
"""Who is removed where no mill is closed."""
ORIGIN, REMOVED = 5, 10
"""A move is target | origin << ORIGIN | removed << REMOVED."""


class Position(NamedTuple):
    """Bitboards, a byte for each ring from the outside in, clockwise from the top left corner.

         0 ---------- 1 ---------- 2
         |   8 ------ 9 ----- 10   |
         |   |   16  17  18    |   |
         7  15   23      19   11   3
         |   |   22  21  20    |   |
         |  14 ----- 13 ----- 12   |
         6 ---------- 5 ---------- 4

    `mine` are the men of the side to move; `hands` are the men that both have yet to place.
    """

    mine: int
    theirs: int
    hands: int
    turn: int


class Morris(Game[Position]):
    """Place nine men, then move them along the lines; White is Max and begins.

    Whoever closes a mill removes a man of the other side, from a mill only where all are in mills; two
    mills at once remove one man, too. With three men left and none to place, men fly to any free point
    (unless flying=false). Who has fewer than three men, or no move, loses. A position that comes again
    is a draw. Two rings and six men are six men's morris.
    """

    notation = (
        "the points of each row from the top with W, B and '.', the men that White and Black have in hand, and who "
        "is to move (W.B/.../.../....../.../.../... 8,8 white); moves are d7, a1-a4, and with a removal a1-a4xd7"
    )
    example = "W.B/.W./.../....B./.../.W./B.. 6,6 white"
    names = ("White", "Black")
    recurrence = RECURRENCE_DRAWS
    suggested_depth = 6
    MINSCORE = -100
    MAXSCORE = 100
    # Set by hand, with a man for the unit: men, mills, lines to close, double mills, mobility, blocked men.
    weights = (1.0, 0.25, 0.375, 0.75, 0.0625, -0.125)
    feature_names = ("men", "mills", "lines to close", "double mills", "steps", "blocked men")
    known = (
        Known("counted by brute force", perft=(24, 552, 12_144)),
        Known("counted by brute force", "men=3, rings=1, flying=false", value=0, positions=2_209),
        Known("counted by brute force", "men=3, rings=1", value=0, positions=2_241),
        Known("counted by brute force", "men=3, rings=2", value=0, positions=368_513),
        Known(LIOU, "men=6, rings=2, flying=false", value=0, positions=42_372_745),
        Known(LIOU, "men=6, rings=2", value=0, positions=42_383_945),
    )

    def __init__(self, men: int = 9, rings: int = 3, flying: bool = True) -> None:
        if not 1 <= rings <= 3:
            raise GamesearchError(f"morris has 1 to 3 rings, not rings={rings}")
        if not FEWEST <= men <= 3 * rings:
            raise GamesearchError(f"morris on {rings} rings takes {FEWEST} to {3 * rings} men a side, not men={men}")
        self.men, self.rings, self.flying = men, rings, bool(flying)
        self.points = RING * rings
        self.full = (1 << self.points) - 1
        self.first = self.full // 0xFF
        self.last = self.first << RING - 1
        self.worth_compiling = rings > 1
        self.corners, self.middles = 0x55 * self.first, 0xAA * self.first

    def initial(self) -> Position:
        return Position(0, 0, 2 * self.men, MAX)

    def player(self, s: Position) -> int:
        return s.turn

    # Lines. --------------------------------------------------------------------------------------
    def clockwise(self, men: int) -> int:
        """The men, each one point on along its ring."""
        return men << 1 & (self.full ^ self.first) | men >> RING - 1 & self.first

    def anticlockwise(self, men: int) -> int:
        """The men, each one point back along its ring."""
        return men >> 1 & (self.full ^ self.last) | men << RING - 1 & self.last

    def outwards(self, men: int) -> int:
        """The men on middles, each on the next ring further out."""
        return (men & self.middles) >> RING

    def inwards(self, men: int) -> int:
        """The men on middles, each on the next ring further in."""
        return (men & self.middles) << RING & self.full

    def neighbours(self, men: int) -> int:
        """The points next to one of the men."""
        return self.clockwise(men) | self.anticlockwise(men) | self.outwards(men) | self.inwards(men)

    def completing(self, men: int) -> int:
        """The points, free or not, whose line has the men on its other two; the men among them are in mills."""
        after, before = self.clockwise(men), self.anticlockwise(men)
        corners = after & self.clockwise(after) | before & self.anticlockwise(before)
        middles = after & before
        if self.rings == 3:
            middles |= (men << RING | men >> 2 * RING) & (men << 2 * RING | men >> RING)
        return corners & self.corners | middles & self.middles

    # The rules. ----------------------------------------------------------------------------------
    def goes_anywhere(self, s: Position) -> bool:
        """Whether a man of the side to move may go to any free point: from the hand, or flying."""
        return s.hands > 0 or (self.flying and popcount(s.mine) == FEWEST)

    def moves(self, s: Position) -> Iterator[int]:
        free = self.full ^ (s.mine | s.theirs)
        outside = s.theirs & ~self.completing(s.theirs)
        removable = outside if outside else s.theirs
        goes_anywhere = self.goes_anywhere(s)
        origins = 1 << HAND if s.hands > 0 else s.mine
        while origins:
            origin = low_bit_index(origins)
            origins &= origins - 1
            targets = free if goes_anywhere else self.neighbours(1 << origin) & free
            closing = self.completing(s.mine & ~(1 << origin)) if removable else 0
            while targets:
                target = low_bit_index(targets)
                targets &= targets - 1
                if not closing >> target & 1:
                    yield target | origin << ORIGIN | NOBODY << REMOVED
                else:
                    victims = removable
                    while victims:
                        yield target | origin << ORIGIN | low_bit_index(victims) << REMOVED
                        victims &= victims - 1

    def result(self, s: Position, m: int) -> Position:
        target, origin, removed = m & 31, m >> ORIGIN & 31, m >> REMOVED
        mine = s.mine & ~(1 << origin) | 1 << target
        theirs = s.theirs & ~(1 << removed)
        return Position(theirs, mine, s.hands - (origin == HAND), 1 - s.turn)

    def terminal(self, s: Position) -> bool:
        # The hands are of one size when White is to place, and Black's has one more when Black is.
        if popcount(s.mine) + (s.hands + 1) // 2 < FEWEST:
            return True
        return not self.goes_anywhere(s) and not self.neighbours(s.mine) & ~(s.mine | s.theirs)

    def utility(self, s: Position) -> int:
        return -100 if s.turn == MAX else 100

    def key(self, s: Position) -> int:
        return s.mine | s.theirs << 24 | s.hands << 48 | s.turn << 53

    def progress(self, s: Position) -> int:
        # Every man that is placed raises it by one, and so does every man that is removed.
        return 2 * (2 * self.men - s.hands) - popcount(s.mine | s.theirs)

    def consistent(self, s: Position) -> bool:
        mine, theirs = popcount(s.mine) + (s.hands + 1) // 2, popcount(s.theirs) + s.hands // 2
        in_turn = s.hands == 0 or s.turn == s.hands & 1
        return s.mine & s.theirs == 0 and mine <= self.men and theirs <= self.men and in_turn

    # What search may ask to do better. -----------------------------------------------------------
    def order(self, s: Position, m: int) -> float:
        """Mills first, then what keeps the other side from one."""
        if m >> REMOVED != NOBODY:
            return 2
        return self.completing(s.theirs) >> (m & 31) & 1

    def features(self, s: Position) -> tuple[float, ...]:
        """What Max has more than Min: men, mills, lines to close, double mills, steps, blocked men."""
        free = self.full ^ (s.mine | s.theirs)
        sign = 1.0 if s.turn == MAX else -1.0
        mine, theirs = s.mine, s.theirs
        return (
            sign * (popcount(mine) - popcount(theirs) + (s.hands & 1)),
            sign * (self.mills(mine) - self.mills(theirs)),
            sign * (popcount(self.completing(mine) & free) - popcount(self.completing(theirs) & free)),
            sign * (self.double_mills(mine, free) - self.double_mills(theirs, free)),
            sign * (self.mobility(mine, free) - self.mobility(theirs, free)),
            sign * (popcount(mine & ~self.neighbours(free)) - popcount(theirs & ~self.neighbours(free))),
        )

    def mills(self, men: int) -> int:
        """How many lines the men fill."""
        sides = men & self.clockwise(men) & self.anticlockwise(men) & self.middles
        spokes = men & men >> RING & men >> 2 * RING & self.middles
        return popcount(sides) + popcount(spokes)

    def double_mills(self, men: int, free: int) -> int:
        """How many men leave a mill for another with one step, and can go to and fro."""
        count = 0
        inside = men & self.completing(men)
        while inside:
            man = inside & -inside
            inside ^= man
            count += popcount(self.neighbours(man) & free & self.completing(men ^ man))
        return count

    def mobility(self, men: int, free: int) -> int:
        """How many steps along lines the men have."""
        rounds = popcount(self.clockwise(men) & free) + popcount(self.anticlockwise(men) & free)
        return rounds + popcount(self.outwards(men) & free) + popcount(self.inwards(men) & free)

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        s = read_position(self, text)
        if popcount(s.theirs) + s.hands // 2 < FEWEST:
            raise GamesearchError(f"{text!r} goes on after {self.names[1 - s.turn]} has lost all but two men")
        return s

    def format(self, s: Position) -> str:
        return position_text(self, s)

    def move_name(self, s: Position, m: int) -> str:
        target, origin, removed = m & 31, m >> ORIGIN & 31, m >> REMOVED
        name = point_name(self, target)
        if origin != HAND:
            name = f"{point_name(self, origin)}-{name}"
        return name if removed == NOBODY else f"{name}x{point_name(self, removed)}"

    def parse_move(self, s: Position, text: str) -> int:
        return find_move(text, {self.move_name(s, m): m for m in self.moves(s)})

    def board(self, s: Position) -> Board:
        return drawn(self, s)
