"""Kayles: knock down one pin or two adjacent pins; taking the last pin wins."""

import re
from collections.abc import Iterator, Sequence

from gamesearch.games._shared.octal import OctalGame, Position
from gamesearch.toolkit.known import Known

__all__ = ["Kayles"]

PLACE_BITS = 6
DUDENEY = "Dudeney 1908, The Canterbury Puzzles, 73: thirteen pins, the second one down"
GRUNDY = "OEIS A002186: lost if the nim-sum of the rows' Grundy numbers is 0"


class Kayles(OctalGame):
    """Knock down one pin or two adjacent pins; taking the last pin wins (octal game 0.77; Dudeney 1908)."""

    notation = (
        "the lengths of the rows (2-4), or one character for each place: x for a standing pin, . for a gap "
        "(xx.xxxx). Add min if Min is to move. A move is a pin (3) or two adjacent pins (3-4)"
    )
    example = "xx.xxxx"
    octal_code = (0, 7, 7)
    known = (
        Known("counted by an independent program", perft=(13, 122, 774, 3_096, 7_320, 9_360, 5_040), value=1),
        Known(DUDENEY, "rows=1-11", value=1, best=("6", "10"), method="memo"),
        Known(GRUNDY, "rows=3-6", value=-1),
        Known(GRUNDY, "rows=1-4-8", value=1),
        Known(GRUNDY, "rows=5-9", "xxxxx.xxxxxxxxx min", value=1, method="grundy"),
        Known(GRUNDY, "rows=37-22", value=1, method="grundy"),
    )

    def __init__(self, rows: str | int | Sequence[int] = "7") -> None:
        super().__init__(rows)
        self.rows = self.lengths

    def moves(self, s: Position) -> Iterator[int]:
        for place in range(1, self.places + 1):
            if s.pins >> place & 1:
                yield place | 1 << PLACE_BITS
                if s.pins >> place + 1 & 1:
                    yield place | 2 << PLACE_BITS

    def pins_taken_by(self, m: int) -> int:
        number = m >> PLACE_BITS
        return ((1 << number) - 1) << (m & (1 << PLACE_BITS) - 1)

    def move_name(self, s: Position, m: int) -> str:
        place, number = m & (1 << PLACE_BITS) - 1, m >> PLACE_BITS
        return str(place) if number == 1 else f"{place}-{place + 1}"

    def parse_move(self, s: Position, text: str) -> int:
        return super().parse_move(s, re.sub(r"[\s,+-]+", "-", text.strip()))
