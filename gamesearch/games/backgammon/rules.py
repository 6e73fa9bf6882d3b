"""Backgammon without the doubling cube: dice are chance nodes, and a play uses all it can of a roll."""

from collections.abc import Iterator
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, IGNORED, MAX, MIN, Game
from gamesearch.games.backgammon.counting import BackgammonCounts
from gamesearch.games.backgammon.evaluation import BackgammonEvaluation
from gamesearch.games.backgammon.notation import BackgammonNotation
from gamesearch.games.backgammon.position import BAR, MEN, OPENING, PLACE_BITS, Position
from gamesearch.optional import Varied
from gamesearch.toolkit.bits import Wide128, low_bit_index, replaced
from gamesearch.toolkit.known import Known

__all__ = ["Backgammon"]

ROLLS = tuple([10 * larger + smaller for larger in range(1, 7) for smaller in range(1, larger + 1)])
PASS = 0
COUNTS = "counts"
DISTINCT = {21: 15, 32: 17, 43: 17, 52: 8, 54: 9, 62: 14, 63: 14, 65: 7, 22: 75, 55: 4}
"""How many positions can follow some first rolls; counted by other programs, too."""


class Backgammon(BackgammonNotation, BackgammonEvaluation, Varied[Position]):
    """Race fifteen men home and off the board, hit single men, and be in the way.

    The rules are those of the GNU Backgammon Manual 1.00 ("Rules of the game") and of tournaments in
    the US (bkgm.com/articles/Meese/Fundamentals). Each side rolls one die; the higher number begins and
    plays both, so the first roll is never a double. A win pays 1, a gammon (the loser has
    borne nobody off) 2, a backgammon (and has a man on the bar or in the winner's home) 3. Plays that
    lead to the same position are one move, and who cannot move passes. With `features=counts`, the
    evaluation weighs blots, men on the bar and men in each part of the board, one by one.
    """

    known = (
        Known("counted by the plain generator in the tests", "", "opening max", perft=(21, 447, 9_387, 202_782)),
        Known("15 rolls without doubles, for either side", perft=(30, 380)),
        *[Known("distinct plays of a first roll", "", f"max {roll}", perft=(n,)) for roll, n in DISTINCT.items()],
    )
    chance = True
    recurrence = IGNORED
    win_or_loss = False
    bounds_hold_estimates = True  # who has borne a man off has done so for good
    estimate_sees_chance = False
    suggested_depth = 3
    MINSCORE = -3.0
    MAXSCORE = 3.0

    @classmethod
    def class_for(cls, **parameters: Any) -> type[Game[Any]]:
        """This class, or the one with other features."""
        return BackgammonByCounts if "features" in parameters else cls

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(self.start, self.start, MAX, OPENING)

    def player(self, s: Position) -> int:
        return CHANCE if s.roll <= 0 else s.turn

    def outcomes(self, s: Position) -> Iterator[tuple[int, float]]:
        if s.roll == OPENING:
            for white in range(1, 7):
                for black in range(1, 7):
                    if white != black:
                        yield 10 * white + black, 1 / 30
        else:
            for roll in ROLLS:
                yield roll, 1 / 36 if roll % 11 == 0 else 2 / 36

    def moves(self, s: Position) -> Iterator[int]:
        larger, smaller = s.roll // 10, s.roll % 10
        made = self.made(s.theirs)
        open_points = self.points ^ self.seen_by_other(made)
        blots = self.seen_by_other(s.theirs & self.points & ~made)
        by_larger = self.movable(s.mine, open_points, larger)
        either_way = Wide128(0)
        is_double = larger == smaller
        found = False
        # The longest plays first, for shorter ones are legal only if there are none. Of a double, four steps, then
        # three, ...; else two, by the larger number first, two by the smaller first, one by the larger, one by the
        # smaller. What would come to a position a second time is taken out.
        for attempt in range(4):
            length = 4 - attempt if is_double else 2 - attempt // 2
            order = 0 if is_double else attempt % 2
            first, second = (larger, smaller) if order == 0 else (smaller, larger)
            men = self.movable(s.mine, open_points, first)
            if order == 1 and length == 2:
                men &= -1 << 4 * (first + 1)  # bearing off by the smaller number first leads to nothing new
            boards: tuple[int, ...] = (s.mine, s.mine, s.mine, s.mine)
            waiting: tuple[int, ...] = (men, men, men, men)
            play = order
            step = 0
            while step >= 0:
                men = waiting[step]
                if men == 0:
                    step -= 1
                    continue
                man = men & -men
                waiting = replaced(waiting, step, men ^ man)
                shift = 1 + PLACE_BITS * step
                play = play & (1 << shift) - 1 | low_bit_index(man) // 4 << shift
                if step + 1 == length:
                    yield play
                    found = True
                    continue
                die, next_die = (first, second) if step % 2 == 0 else (second, first)
                board = self.stepped(boards[step], man, die)
                men = self.movable(board, open_points, next_die)
                if is_double:
                    # Who can step can do so later, too: so the rearmost man goes first, whatever the play.
                    men &= (man << 1) - 1
                elif order == 0:
                    # Where the same man goes on, and no hit tells them apart, the smaller number first comes to
                    # the same, and so does a man already there who goes on by the larger, this one replacing him.
                    onward = man >> 4 * larger & men & ~blots
                    between = man >> 4 * smaller & ~blots
                    if onward != 0 and between & by_larger != 0:
                        men ^= onward
                    elif onward != 0 and between != 0:
                        either_way |= man
                else:
                    men &= ~by_larger  # who can go first, and did
                    if man & either_way != 0:
                        men &= ~(man >> 4 * smaller)
                step += 1
                boards = replaced(boards, step, board)
                waiting = replaced(waiting, step, men)
            if found and (is_double or attempt > 0):
                break
        if not found:
            yield PASS

    def result(self, s: Position, m: int) -> Position:
        if s.roll == OPENING:
            white, black = m // 10, m % 10
            if white > black:
                return Position(s.mine, s.theirs, MAX, m)
            return Position(s.theirs, s.mine, MIN, 10 * black + white)
        if s.roll == 0:
            return Position(s.mine, s.theirs, s.turn, m)
        mine, theirs = s.mine, s.theirs
        die, next_die = s.roll // 10, s.roll % 10
        if m & 1:
            die, next_die = next_die, die
        places = m >> 1
        while places > 0:
            place = places % (1 << PLACE_BITS)
            mine = self.stepped(mine, Wide128(1) << 4 * place, die)
            met = 4 * (BAR - place + die)
            if place > die and theirs >> met & 15 == 1:
                theirs += self.bar - (Wide128(1) << met)
            places >>= PLACE_BITS
            die, next_die = next_die, die
        return Position(theirs, mine, 1 - s.turn, 0)

    def terminal(self, s: Position) -> bool:
        return bool(s.theirs & 15 == MEN)  # the side that has just moved

    def utility(self, s: Position) -> float:
        points = 1.0
        if s.mine & 15 == 0:
            points = 3.0 if s.mine >> 4 * 19 != 0 else 2.0
        return -points if s.turn == MAX else points

    def progress(self, s: Position) -> int:
        return int(s.mine & 15) + int(s.theirs & 15)

    def consistent(self, s: Position) -> bool:
        mine = theirs = 0
        for place in range(BAR + 1):
            mine += int(s.mine >> 4 * place & 15)
            theirs += int(s.theirs >> 4 * place & 15)
        met = self.occupied(s.mine) & self.points & self.seen_by_other(self.occupied(s.theirs) & self.points)
        return mine == theirs == MEN and met == 0 and s.mine & 15 < MEN

    # What search may ask to do better. -----------------------------------------------------------
    def bounds(self, s: Position) -> tuple[float, float]:
        # Whoever has borne a man off loses no gammon.
        least = -1.0 if s.mine & 15 != 0 else -3.0
        greatest = 1.0 if s.theirs & 15 != 0 else 3.0
        return (least, greatest) if s.turn == MAX else (-greatest, -least)


class BackgammonByCounts(BackgammonCounts, Backgammon):
    """Backgammon whose evaluation weighs what stands where."""

    def __init__(self, features: str = COUNTS) -> None:
        if features != COUNTS:
            raise GamesearchError(f"backgammon weighs what books do, or features={COUNTS}: not features={features}")
        super().__init__()

    def parameters(self) -> dict[str, Any]:
        """What the constructor was given."""
        return {"features": COUNTS}
