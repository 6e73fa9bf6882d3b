"""Base class of octal games. A position has rows of pins, and a move takes some adjacent pins of a row.

R. K. Guy and C. A. B. Smith 1956, "The G-values of various games", Proc. Cambridge Phil. Soc. 52; Berlekamp, Conway and
Guy, *Winning Ways*, chapter 4. The name of an octal game is a number 0.d1d2d3... Digit dk says when a move may take k
adjacent pins of a row. Digit dk is a sum. It contains 1 if the move may take the whole row, 2 if the move may leave one
row, and 4 if the move may leave two rows.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.optional import ImpartialGame
from gamesearch.toolkit.bits import popcount
from gamesearch.toolkit.boards import STICK, Board, Cell

__all__ = ["OctalGame", "Position"]

LONGEST = 60
"""The greatest number of places. The pins and the key must fit into the signed 64-bit integers of compiled code."""
LONGEST_LINE = 20
TENS = [str(place) for place in range(1, 11)]
STANDING, GONE = "x", "."
SIZES = re.compile(r"[0-9]{1,9}(?:\s*[-,\s]\s*[0-9]{1,9})*")


class Position(NamedTuple):
    """The pins, and the player to move. Bit i of `pins` is set if there is a pin at place i. Places are counted from 1.
    An empty place separates two rows.

        x x x . x x
        1 2 3 4 5 6     pins = 0b1101110

    Bit 0 is never set, so that each pin has a place before it.
    """

    pins: int
    turn: int


def number_of_rows(pins: int) -> int:
    """The number of rows. Each row ends with a pin that is followed by an empty place."""
    return popcount(pins & ~(pins >> 1))


def read_rows(text: str) -> str:
    """Convert the lengths of rows, such as 2-4, to places, such as xx.xxxx. Places are also accepted."""
    folded = text.strip().casefold().replace("|", STANDING)
    if folded and set(folded) <= {STANDING, GONE, " "}:
        drawn = folded.replace(" ", GONE)
    elif SIZES.fullmatch(folded):
        numbers = re.findall(r"[0-9]+", folded)
        drawn = GONE.join(STANDING * min(int(number), LONGEST + 1) for number in numbers)
    else:
        raise GamesearchError(f"{text!r} is not a position: write the lengths of rows (2-4) or places (xx.xxxx)")
    if len(drawn) > LONGEST:
        raise GamesearchError(f"{text[:40]!r} is too long: rows and gaps can have at most {LONGEST} places")
    return drawn


class OctalGame(ImpartialGame[Position]):
    """Rows of pins. Taking the last pin wins. Subclasses define which pins a move takes."""

    whole_payoffs = True
    feature_names = ("nim-sum",)
    estimates_are_chances = True
    weights = (0.5,)

    def __init__(self, rows: str | int | Sequence[int]) -> None:
        if isinstance(rows, Sequence) and not isinstance(rows, str):
            rows = "-".join(map(str, rows))
        drawn = read_rows(str(rows))
        lengths = [len(row) for row in drawn.split(GONE)]
        self.lengths: str | int = "-".join(map(str, lengths)) if len(lengths) > 1 else lengths[0]
        self.places = len(drawn)
        if not self.places:
            raise GamesearchError(f"the rows of {self.name} must have 1 to {LONGEST} places")
        if self.places > 9:
            self.suggested_depth = 6
        self._drawn_start = drawn
        self._grundy = [0]
        self.numbers = tuple(self.grundy(size) for size in range(self.places + 1))

    def initial(self) -> Position:
        return Position(pins_of(self._drawn_start), MAX)

    def player(self, s: Position) -> int:
        return s.turn

    def pins_taken_by(self, m: int) -> int:
        """The places from which a move takes pins."""
        raise NotImplementedError

    def result(self, s: Position, m: int) -> Position:
        return Position(s.pins & ~self.pins_taken_by(m), 1 - s.turn)

    def terminal(self, s: Position) -> bool:
        return s.pins == 0

    def utility(self, s: Position) -> int:
        return -1 if s.turn == MAX else 1  # the other side took the last pin

    def key(self, s: Position) -> int:
        """The lengths of the rows, encoded as bits. Rows in a different order have the same key. Sort the rows, and
        draw them below each other (a Young diagram). The bits follow the outline of this drawing: each place of the
        longest row is a 1, and the end of each row is a 0."""
        outline, rows, count = 1, s.pins, number_of_rows(s.pins)
        while rows:
            rows &= rows >> 1  # each row becomes one pin shorter
            still = number_of_rows(rows)
            outline = (outline << 1 | 1) << count - still
            count = still
        return outline << 1 | s.turn

    def features(self, s: Position) -> tuple[float, ...]:
        """1 if Max wins according to the Grundy numbers of the rows, else -1 (Sprague 1935, Grundy 1939)."""
        nim_sum, length = 0, 0
        for place in range(1, self.places + 2):
            if s.pins >> place & 1:
                length += 1
            else:
                nim_sum ^= self.numbers[length]
                length = 0
        return (1.0 if (nim_sum != 0) == (s.turn == MAX) else -1.0,)

    def consistent(self, s: Position) -> bool:
        return 0 <= s.pins < 2 << self.places and s.pins & 1 == 0

    def subgames(self, s: Position) -> tuple[int, ...]:
        """The lengths of the rows. Each row is a game, and a position is the sum of its rows."""
        return tuple(len(row) for row in self._draw(s).split(GONE) if row)

    def grundy(self, size: int) -> int:
        """The Grundy number of a row: the smallest number that is not the Grundy number of a position after a move
        (mex)."""
        known = self._grundy
        while len(known) <= size:
            reached = set()
            for number, digit in enumerate(self.octal_code[: len(known) + 1]):
                left = len(known) - number
                if left == 0 and digit & 1:
                    reached.add(0)
                if left > 0 and digit & 2:
                    reached.add(known[left])
                if digit & 4:
                    reached |= {known[i] ^ known[left - i] for i in range(1, left // 2 + 1)}
            known.append(next(value for value in range(len(reached) + 1) if value not in reached))
        return known[size]

    # Notation and picture. -----------------------------------------------------------------------
    def _draw(self, s: Position) -> str:
        return "".join(STANDING if s.pins >> place & 1 else GONE for place in range(1, self.places + 1))

    def _read(self, text: str) -> tuple[str, int]:
        """Read a position; returns its places, such as xx.xxxx, and the player to move."""
        words = text.split()
        turn = words.pop().casefold() if words and words[-1].casefold() in ("max", "min") else "max"
        return read_rows(" ".join(words)), MIN if turn == "min" else MAX

    def parse(self, text: str) -> Position:
        drawn, turn = self._read(text)
        if len(drawn) > self.places:
            raise GamesearchError(f"{text.strip()!r} has {len(drawn)} places, but {self.name} has {self.places}")
        return Position(pins_of(drawn), turn)

    def setup(self, text: str) -> tuple[Game[Position], Position]:
        if not text:
            return self, self.initial()
        drawn, turn = self._read(text)
        game = self if len(drawn) <= self.places else type(self)(len(drawn))
        return game, Position(pins_of(drawn), turn)

    def format(self, s: Position) -> str:
        return self._draw(s) + (" min" if s.turn == MIN else "")

    def board(self, s: Position) -> Board:
        """The pins in one line, or in lines of ten places if one line would be too long."""
        cells = [Cell(STICK) if mark == STANDING else Cell(faint=True) for mark in self._draw(s)]
        if self.places <= LONGEST_LINE:
            return Board(rows=[cells], column_labels=[str(place) for place in range(1, self.places + 1)])
        cells += [Cell(" ")] * (-self.places % 10)
        starts = range(0, self.places, 10)
        return Board([cells[start : start + 10] for start in starts], [f"{start:3}+" for start in starts], TENS)


def pins_of(drawn: str) -> int:
    """Convert a text such as xx.xxxx to a bitboard of the pins."""
    return sum(2 << i for i, mark in enumerate(drawn) if mark == STANDING)
