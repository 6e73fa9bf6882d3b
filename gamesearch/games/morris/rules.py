"""Nine men's morris: three in a line is a mill, and a mill takes a man of the opponent's.

The rules are those of R. Gasser 1996, "Solving nine men's morris", Games of No Chance, MSRI
Publications 29, who proved that the game is a draw.
"""

from collections.abc import Iterator

from gamesearch.game import MAX, RECURRENCE_DRAWS
from gamesearch.games.morris.evaluation import MorrisEvaluation
from gamesearch.games.morris.notation import MorrisNotation
from gamesearch.games.morris.numbers import MorrisNumbers
from gamesearch.games.morris.position import FEWEST, HAND, NOBODY, ORIGIN, REMOVED, Position
from gamesearch.toolkit.bits import low_bit_index, popcount
from gamesearch.toolkit.known import Known

__all__ = ["Morris"]

LIOU = "B. Liou, Morris tablebases, github.com/brianhliou/game-solver"


class Morris(MorrisNotation, MorrisEvaluation, MorrisNumbers):
    """Place nine men, then move them along the lines; White is Max and begins.

    Whoever closes a mill removes a man of the other side, from a mill only where all are in mills; two
    mills at once remove one man, too. With three men left and none to place, men fly to any free point
    (unless flying=false). Who has fewer than three men, or no move, loses. A position that comes again
    is a draw. Two rings and six men are six men's morris.
    """

    recurrence = RECURRENCE_DRAWS
    shortest_cycle = 4  # each player slides a piece of his own, and slides it back
    suggested_algorithm = "pvs"  # 66 % of 60 games against alpha-beta, 0.1 s a move
    suggested_depth = 6
    MINSCORE = -100
    MAXSCORE = 100
    known = (
        Known("counted by brute force", perft=(24, 552, 12_144)),
        Known("counted by brute force", "men=3, rings=1, flying=false", value=0, positions=2_209),
        Known("counted by brute force", "men=3, rings=1", value=0, positions=2_241),
        Known("counted by brute force", "men=3, rings=2", value=0, positions=368_513),
        Known(LIOU, "men=6, rings=2, flying=false", value=0, positions=42_372_745),
        Known(LIOU, "men=6, rings=2", value=0, positions=42_383_945),
    )

    def __init__(self, men: int = 9, rings: int = 3, flying: bool = True) -> None:
        super().__init__(men, rings)
        self.flying = bool(flying)
        self.prepare_numbers()
        self.worth_compiling = rings > 1

    def initial(self) -> Position:
        return Position(0, 0, 2 * self.men, MAX)

    def player(self, s: Position) -> int:
        return s.turn

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
        has_lost_men = popcount(s.mine) + (s.hands + 1) // 2 < FEWEST
        return has_lost_men or not (self.goes_anywhere(s) or self.neighbours(s.mine) & ~(s.mine | s.theirs))

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
