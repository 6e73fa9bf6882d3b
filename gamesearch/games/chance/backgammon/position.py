"""Positions and boards of backgammon, and the Position IDs of GNU Backgammon."""

import base64
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.toolkit.bits import Wide128
from gamesearch.toolkit.boards import Palette

__all__ = [
    "BAR", "CHECKERS", "OFF", "OPENING", "PLACE_BITS", "BackgammonBoard", "Position", "count", "read_cube", "read_id",
    "read_match_id", "write_id",
]  # fmt: skip

OFF, BAR = 0, 25
CHECKERS = 15
OPENING = -1
"""The value of `roll` in the initial position, in which each side rolls one die to decide who begins."""
PLACE_BITS = 5
"""The number of bits for each place in a move. Bit 0 of a move says whether the smaller number of the roll is played
first. The next bits list the places that checkers leave."""


class Position(NamedTuple):
    """The checkers of each side (from the point of view of this side), the player to move, and the roll.

    The checkers of a side are stored in one number. Its hexadecimal digits count the checkers borne off, the checkers
    on points 1 to 24, and the checkers on the bar.

        place    bar 24  19 18  13 12   7 6    1 off
                   | |    | |    | |    | |    | |
        start    0x0 200000 000005 000030 500000 0

    Point p of a side is point 25 - p of the other side. `mine` contains the checkers of the side to move. `roll` is 0
    before the dice are rolled. After the roll, `roll` has two digits, such as 31: the larger and the smaller number. In
    the initial position, `roll` is OPENING.
    """

    mine: Wide128
    theirs: Wide128
    turn: int
    roll: int


def count(board: int, place: int) -> int:
    """The number of checkers at a place."""
    return int(board) >> 4 * place & 15


class BackgammonBoard(Game[Position]):
    """Operations on boards. A mask is a set of places: the lowest bit of a hexadecimal digit is set if the set contains
    the digit's place."""

    unit = "points"
    palette = Palette(
        "points", board="#b98a5a", dark="#7b2f25", line="#e3c896", sides=("#fdf8ee", "#17110b"), discs=True
    )

    def __init__(self) -> None:
        self.start = 0x0_200000_000005_000030_500000_0
        self.points = 0x0_111111_111111_111111_111111_0
        self.home = 0x111111_0
        self.far_home = 0x111100_0
        self.anchors = 0x001110_000000_000000_000000_0
        self.bar = 1 << 4 * BAR
        self.halves = tuple([((1 << 128) - 1) // ((1 << shift) + 1) for shift in (64, 32, 16, 8, 4)])
        # For each distance, the number of rolls (of 36) that hit a checker at this distance. `in_reach` is the set of
        # points 12 to 23.
        self.shots = (0, 11, 12, 14, 15, 15, 17, 6, 6, 5, 3, 2, 3)
        self.in_reach = 0x111111_111111_000000_000000

    def occupied_places(self, board: int) -> int:
        """The places with a checker, including the bar."""
        return (board | board >> 1 | board >> 2 | board >> 3) & (self.points | self.bar)

    def made_points(self, board: int) -> int:
        """The points with two or more checkers (made points), which the other side cannot enter."""
        return (board >> 1 | board >> 2 | board >> 3) & self.points

    def from_other_side(self, places: int) -> int:
        """Convert places to the other side's numbers: p becomes 25 - p. Exchange the halves of the integer, then the
        halves of each half, and so on."""
        for i in range(5):
            places = places >> (64 >> i) & self.halves[i] | (places & self.halves[i]) << (64 >> i)
        return places >> 4 * (31 - BAR)

    def movable(self, mine: int, open_points: int, die: int) -> int:
        """The places from which a checker may move if the die shows `die`."""
        checkers = self.occupied_places(mine)
        if checkers & self.bar != 0:
            checkers = checkers & self.bar
        found = checkers & open_points << 4 * die
        if 0 < checkers < 1 << 4 * 7:
            # A checker on point p can be borne off with the number p. If no checker is behind it, it can also be borne
            # off with a greater number.
            rearmost = die
            while checkers >> 4 * rearmost == 0:
                rearmost -= 1
            found |= checkers & 1 << 4 * rearmost
        return found

    def step(self, mine: int, checker: int, die: int) -> int:
        """The board after a checker has moved as many points as a die shows. `checker` is the mask of the checker's
        place."""
        end = checker >> 4 * die
        return mine - checker + (end if end != 0 else Wide128(1))


OWNER, PLAYER_ON_ROLL, CRAWFORD, IS_OFFERED, DICE, LENGTH, SCORES = 4, 6, 7, 12, 15, 21, 36
"""The first bit of each field of a Match ID (GNU Backgammon Manual). The binary logarithm of the cube's value begins at
bit 0."""


def write_id(mine: int, theirs: int) -> str:
    """The Position ID of a position. `mine` contains the checkers of the side to move.

    From the lowest bit on, an ID describes the points 1 to 24 and then the bar. A place is written as a one for each of
    its checkers, followed by a zero. The side that is *not* to move is written first. The manual of GNU Backgammon says
    otherwise.
    """
    bits = "".join("1" * count(board, place) + "0" for board in (theirs, mine) for place in range(1, BAR + 1))
    return base64.b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode().rstrip("=")


def read_id(text: str) -> tuple[int, int]:
    """Parse a Position ID; returns the checkers of the side to move and of the other side."""
    bits = f"{int.from_bytes(base64.b64decode(text + '=='), 'little'):080b}"[::-1]
    checkers = [min(len(ones), CHECKERS + 1) for ones in bits.split("0")]
    boards = []
    for numbers in (checkers[:BAR], checkers[BAR : 2 * BAR]):
        if sum(numbers) > CHECKERS:
            raise GamesearchError(f"in {text!r}, a side has {sum(numbers)} checkers: the limit is {CHECKERS}")
        off_and_on = (CHECKERS - sum(numbers), *numbers)
        boards.append(sum(number << 4 * place for place, number in enumerate(off_and_on)))
    theirs, mine = boards
    if any(checkers[2 * BAR :]):
        raise GamesearchError(f"{text!r} has text after the checkers of both sides")
    for point in range(1, BAR):
        if count(mine, point) and count(theirs, BAR - point):
            raise GamesearchError(f"in {text!r}, both sides have checkers on the mover's {point} point")
    return mine, theirs


def read_match_id(text: str) -> tuple[int, int]:
    """Read the player to move and the roll from a Match ID of GNU Backgammon. The roll is a number such as 31, or 0 if
    the dice have not been rolled yet.

    Max is player 1 of GNU Backgammon, at the bottom of its board.

    >>> read_match_id("QYkqASAAIAAA")
    (0, 52)
    """
    bits = int.from_bytes(base64.b64decode(text), "little")
    turn = MIN if bits >> PLAYER_ON_ROLL & 1 == 0 else MAX
    dice = sorted((bits >> DICE & 7, bits >> DICE + 3 & 7))
    if max(dice) > 6:
        raise GamesearchError(f"{text!r} is not a Match ID: a die shows {max(dice)}")
    return turn, 10 * dice[1] + dice[0] if dice[0] else 0


def read_cube(text: str) -> tuple[int, int, int, int, int, bool, bool]:
    """Read the cube and the score from a Match ID of GNU Backgammon.

    The result contains the length of the match (0 for money), the value and the owner of the cube, the points of Max
    and of Min, whether this is the Crawford game, and whether the cube is offered. The owner is MAX or MIN, but has no
    meaning if the cube is 1.

    >>> read_cube("cAmgADAAEAAE")
    (5, 1, 1, 2, 3, False, False)
    """
    bits = int.from_bytes(base64.b64decode(text), "little")
    score = (1 << 15) - 1
    return (
        bits >> LENGTH & score,
        1 << (bits & 15),
        MAX if bits >> OWNER & 3 == 1 else MIN,
        bits >> SCORES + 15 & score,
        bits >> SCORES & score,
        bool(bits >> CRAWFORD & 1),
        bool(bits >> IS_OFFERED & 1),
    )
