"""Backgammon without the doubling cube: dice are chance nodes, and a play uses all it can of a roll."""

from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.bits import Wide128, low_bit_index, popcount, replaced
from gamesearch.boards import Board
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, IGNORED, MAX, Game
from gamesearch.games.backgammon.evaluation import differences
from gamesearch.games.backgammon.notation import (
    BAR,
    MEN,
    PLACE_BITS,
    drawn,
    find_play,
    play_name,
    read_position,
    read_roll,
    steps_of,
    write_id,
)
from gamesearch.known import Known

__all__ = ["Backgammon", "Position"]

ROLLS = tuple([10 * larger + smaller for larger in range(1, 7) for smaller in range(1, larger + 1)])
PASS = 0
DISTINCT = {21: 15, 32: 17, 43: 17, 52: 8, 54: 9, 62: 14, 63: 14, 65: 7, 22: 75, 55: 4}
"""How many positions can follow some first rolls; counted by other programs, too."""


class Position(NamedTuple):
    """Both sides' men as their owner sees the board, whose turn it is, and the roll.

    A hexadecimal digit is how many men stand at a place: borne off, on points 1 to 24, on the bar.

        place    bar 24  19 18  13 12   7 6    1 off
                   | |    | |    | |    | |    | |
        start    0x0 200000 000005 000030 500000 0

    Point p of the one side is point 25 - p of the other. `mine` are the men of the side to move. `roll`
    is 0 before the dice fall, then the larger number and the smaller one, such as 31.
    """

    mine: Wide128
    theirs: Wide128
    turn: int
    roll: int


class Backgammon(Game[Position]):
    """Race fifteen men home and off the board, hit single men, and be in the way.

    The rules are those of the GNU Backgammon Manual 1.00 ("Rules of the game") and of tournaments in
    the US (bkgm.com/articles/Meese/Fundamentals). Max begins, with any of the 21 rolls; at the table
    the first roll is never a double and decides who begins. A win pays 1, a gammon (the loser has
    borne nobody off) 2, a backgammon (and has a man on the bar or in the winner's home) 3. Plays that
    lead to the same position are one move, and who cannot move passes.
    """

    notation = (
        "GNU Backgammon's Position ID, or opening, with max or min for whose turn it is and the roll where the "
        "dice lie (4HPwATDgc/ABMA max 31); moves are such as 8/5 6/5, 24/18/13*, bar/20, 6/off, 6/4(2) or pass"
    )
    example = "4HPwATDgc/ABMA max 31"
    known = (
        Known("counted by the plain generator in the tests", perft=(21, 447, 9_387, 202_782)),
        *[Known("distinct plays of a first roll", "", f"max {roll}", perft=(n,)) for roll, n in DISTINCT.items()],
    )
    chance = True
    recurrence = IGNORED
    win_or_loss = False
    suggested_depth = 3
    MINSCORE = -3.0
    MAXSCORE = 3.0
    # What each feature is worth in points: fitted by least squares to the results of 300,000 games in which
    # the evaluation played both sides, looking no further than its own play; refitted after every 30,000.
    feature_names = (
        "pips in contact", "pips in a race", "turn", "risk of blots", "bar", "home points", "prime", "anchor",
        "men behind", "stacked men", "gammon unsaved",
    )  # fmt: skip
    weights = (0.0097, 1.8, 0.091, -0.0034, -0.0157, 0.079, 0.121, 0.106, -0.084, -0.0145, -0.45)

    def __init__(self) -> None:
        self.start = 0x0_200000_000005_000030_500000_0
        self.points = 0x0_111111_111111_111111_111111_0
        self.home = 0x111111_0
        self.far_home = 0x111100_0
        self.anchors = 0x001110_000000_000000_000000_0
        self.bar = 1 << 4 * BAR
        self.halves = tuple([((1 << 128) - 1) // ((1 << shift) + 1) for shift in (64, 32, 16, 8, 4)])
        # Of 36 rolls, those that hit a man who stands so far off, and the twelve places next below 24.
        self.shots = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)
        self.in_reach = 0x111111_111111_000000_000000

    # Boards, and masks of places: the lowest bits of their digits. -------------------------------
    def occupied(self, board: int) -> int:
        """The points with a man, and the bar."""
        return (board | board >> 1 | board >> 2 | board >> 3) & (self.points | self.bar)

    def made(self, board: int) -> int:
        """The points with two men or more, where the other side cannot land."""
        return (board >> 1 | board >> 2 | board >> 3) & self.points

    def seen_by_other(self, places: int) -> int:
        """The same places as the other side counts them, 25 - p for p: halves swapped, and their halves, and so on."""
        for i in range(5):
            places = places >> (64 >> i) & self.halves[i] | (places & self.halves[i]) << (64 >> i)
        return places >> 4 * (31 - BAR)

    def movable(self, mine: int, open_points: int, die: int) -> int:
        """The places from which a man may step so far."""
        men = self.occupied(mine)
        if men & self.bar != 0:
            men = men & self.bar
        found = men & open_points << 4 * die
        if 0 < men < 1 << 4 * 7:
            # A man is borne off by his own number, and by a greater one if nobody is behind him.
            rearmost = die
            while men >> 4 * rearmost == 0:
                rearmost -= 1
            found |= men & 1 << 4 * rearmost
        return found

    def stepped(self, mine: int, man: int, die: int) -> int:
        """The board after a man, given by his place, has stepped so far."""
        end = man >> 4 * die
        return mine - man + (end if end != 0 else Wide128(1))

    # The rules. ----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(self.start, self.start, MAX, 0)

    def player(self, s: Position) -> int:
        return CHANCE if s.roll == 0 else s.turn

    def outcomes(self, s: Position) -> Iterator[tuple[int, float]]:
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

    def order(self, s: Position, m: int) -> float:
        """Hits count most, then points made, then men left alone."""
        after = self.result(s, m)
        made = self.made(after.theirs)
        blots = after.theirs & self.points & ~made
        return 4.0 * int(after.mine >> 4 * BAR) + 2.0 * popcount(made) - popcount(blots)

    def features(self, s: Position) -> tuple[float, ...]:
        return differences(self, s)

    def evaluate(self, s: Position) -> float:
        value = 0.0
        features = self.features(s)
        for i in range(len(features)):
            value += features[i] * self.weights[i]
        lower, upper = self.bounds(s)
        return 0.99 * max(lower, min(upper, value))

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        s = Position(*read_position(text, self.start))
        if s.mine & 15 == MEN:
            raise GamesearchError(f"in {text!r}, {self.names[s.turn]} has won and is to move: it is the other's turn")
        if self.terminal(s) and s.roll:
            raise GamesearchError(f"in {text!r}, {self.names[s.turn]} has a roll and the game is over")
        if all(self.made(board) & self.home == self.home and board >= self.bar for board in (s.mine, s.theirs)):
            raise GamesearchError(f"in {text!r}, both sides are on the bar and neither can enter")
        return s

    def format(self, s: Position) -> str:
        roll = f" {s.roll}" if s.roll else ""
        return write_id(s.mine, s.theirs) + (" max" if s.turn == MAX else " min") + roll

    def move_name(self, s: Position, m: int) -> str:
        return play_name(steps_of(s, m)) if s.roll else str(m)

    def parse_move(self, s: Position, text: str) -> int:
        if s.roll == 0:
            return read_roll(text)
        blots = {point for point in range(1, BAR) if s.theirs >> 4 * (BAR - point) & 15 == 1}
        return find_play(text, s.roll, {m: steps_of(s, m) for m in self.moves(s)}, blots)

    def board(self, s: Position) -> Board:
        return drawn(self, s)
