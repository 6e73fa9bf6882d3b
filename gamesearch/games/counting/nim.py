"""Nim: take objects from one heap at a time. Taking the last object wins, or loses in misere play."""

import math
import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.notation import play_moves
from gamesearch.optional import ImpartialGame, LeveledGame, ReversibleGame
from gamesearch.toolkit.bits import replace_item
from gamesearch.toolkit.boards import STICK, Board, Cell, Place
from gamesearch.toolkit.known import Known

__all__ = ["Nim"]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
LARGEST_HEAP = (1 << 20) - 1
DRAWN = 15
"""The picture shows each object if no heap is larger than this at the start. Otherwise, it shows only numbers."""
MANY_POSITIONS = 100_000

BOUTON = "Bouton 1902: lost if the nim-sum of the heaps is 0"


class Position(NamedTuple):
    """The sizes of all heaps in order, including empty heaps, and the player to move."""

    heaps: tuple[int, ...]
    turn: int


def read_heaps(text: str) -> tuple[int, ...]:
    """The sizes of the heaps in a text such as 3-4-5 or 3,4,5."""
    if not re.fullmatch(r"[0-9]+(?:\s*[-,\s]\s*[0-9]+)*", text.strip()):
        raise GamesearchError(f"{text!r} is not a list of heaps of Nim: write, for example, 3-4-5 or 3,4,5")
    numbers = re.findall(r"[0-9]+", text)
    if len(numbers) > len(LETTERS):
        raise GamesearchError(f"{len(numbers)} heaps are too many: at most {len(LETTERS)} (a to z) are possible")
    for number in numbers:
        if len(number) > 7 or int(number) > LARGEST_HEAP:
            raise GamesearchError(f"a heap of {number[:20]} is too large: at most {LARGEST_HEAP} objects are possible")
    return tuple(int(number) for number in numbers)


class Nim(ImpartialGame[Position], LeveledGame[Position], ReversibleGame[Position]):
    """Take any number of objects from one heap; taking the last object wins, or loses in misere play.

    `heaps` are the sizes of the heaps, joined by "-". If `max_take` is set, a move takes at most `max_take` objects. No
    heap of a position may be larger than the largest initial heap. For a position with a larger heap, `setup` creates a
    game with larger initial heaps.
    """

    notation = (
        "a list of moves (a2 b3), or the sizes of the heaps in order (3,4,5). Add min if Min is to move. A move is the "
        "letter of a heap and the number of objects to take (b3). If there is only one heap, the number is enough"
    )
    example = "3,4,5"
    whole_payoffs = True
    known = (
        Known(BOUTON, value=1, best=("a2",), perft=(12, 113, 810, 4_338, 17_496), nodes=1_038_768, positions=232),
        Known(BOUTON, "heaps=1-2-3", value=-1, nodes=447),
        Known(BOUTON, "heaps=1-3-5", "1,2,3 min", value=1),
        Known("Bouton 1902: misere is like normal play if a heap is above 1", "heaps=1-2-3, misere=true", value=-1),
        Known("Bouton 1902: misere is lost with an odd number of heaps of 1", "heaps=1-1-1, misere=true", value=-1),
        Known("folklore: lost at multiples of 4", "heaps=13, max_take=3", value=1, best=("a1",)),
        Known("folklore: lost at multiples of 4", "heaps=12, max_take=3", value=-1),
        Known("folklore: lost in misere play at multiples of 4 plus 1", "heaps=13, max_take=3, misere=true", value=-1),
    )  # fmt: skip

    def __init__(self, heaps: str | int | Sequence[int] = "3-4-5", misere: bool = False, max_take: int = 0) -> None:
        if isinstance(heaps, Sequence) and not isinstance(heaps, str):
            heaps = ",".join(map(str, heaps))
        if not 0 <= max_take <= LARGEST_HEAP:
            raise GamesearchError(f"max_take={max_take} is neither a number of objects nor 0 for no limit")
        self.start = read_heaps(str(heaps))
        self.heaps: str | int = "-".join(map(str, self.start)) if len(self.start) > 1 else self.start[0]
        self.misere = bool(misere)
        self.max_take = int(max_take)
        self.impartial = not self.misere
        self.reach = min(max(self.start), self.max_take) if self.max_take else max(self.start)
        if 2 * math.prod(heap + 1 for heap in self.start) > MANY_POSITIONS:
            self.suggested_depth = 8

    def initial(self) -> Position:
        return Position(self.start, MAX)

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        for heap in range(len(s.heaps)):
            most = s.heaps[heap]
            if self.max_take > 0:
                most = min(most, self.max_take)
            for number in range(1, most + 1):
                yield number * len(s.heaps) + heap

    def result(self, s: Position, m: int) -> Position:
        number, heap = m // len(s.heaps), m % len(s.heaps)
        return Position(replace_item(s.heaps, heap, s.heaps[heap] - number), 1 - s.turn)

    def terminal(self, s: Position) -> bool:
        return self.level(s) == 0

    def utility(self, s: Position) -> int:
        # The player to move did not take the last object, so this player wins only in misere play.
        return 1 if (s.turn == MAX) == self.misere else -1

    def parents(self, s: Position) -> Iterator[Position]:
        for heap, left in enumerate(s.heaps):
            taken = self.start[heap] - left
            for number in range(1, (min(taken, self.max_take) if self.max_take else taken) + 1):
                yield Position(replace_item(s.heaps, heap, left + number), 1 - s.turn)

    def level(self, s: Position) -> int:
        objects = 0
        for heap in s.heaps:
            objects += heap
        return objects

    def states_of_level(self, level: int) -> Iterator[Position]:
        combinations = 1  # the size of the last heap follows from the others
        for i in range(len(self.start) - 1):
            combinations *= self.start[i] + 1
        for combination in range(combinations):
            heaps = self.start
            digits = combination
            remaining = level
            for i in range(len(self.start) - 1):
                size = self.start[i] + 1
                heaps = replace_item(heaps, i, digits % size)
                remaining -= digits % size
                digits //= size
            if 0 <= remaining <= self.start[-1]:
                heaps = replace_item(heaps, len(self.start) - 1, remaining)
                yield Position(heaps, MAX)
                yield Position(heaps, MIN)

    def subgames(self, s: Position) -> tuple[int, ...]:
        """The sizes of the heaps. A position is the sum of the games with one heap each."""
        return s.heaps

    def grundy(self, size: int) -> int:
        """The Grundy number of one heap."""
        return size if self.max_take == 0 else size % (self.max_take + 1)

    # Notation and picture. -----------------------------------------------------------------------
    def _read(self, text: str) -> Position:
        if re.match(r"\s*([0-9]+\.\s*)?[A-Za-z]\s?:?\s?[0-9]", text):
            return play_moves(self, self.initial(), text)[-1]
        heaps, *rest = re.split(r"[\s,]+(max|min)\Z", text.strip().casefold())
        return Position(read_heaps(heaps), MIN if rest and rest[0] == "min" else MAX)

    def _has(self, s: Position) -> bool:
        return len(s.heaps) == len(self.start) and all(a <= b for a, b in zip(s.heaps, self.start, strict=True))

    def parse(self, text: str) -> Position:
        s = self._read(text)
        if not self._has(s):
            start = self.format(self.initial())
            raise GamesearchError(f"{text.strip()!r} is not a position of Nim with the heaps {start}")
        return s

    def setup(self, text: str) -> tuple[Game, Position]:
        s = self._read(text) if text else self.initial()
        return (self if self._has(s) else Nim(s.heaps, self.misere, self.max_take)), s

    def format(self, s: Position) -> str:
        return ",".join(map(str, s.heaps)) + (" min" if s.turn == MIN else "")

    def move_name(self, s: Position, m: int) -> str:
        number, heap = divmod(m, len(s.heaps))
        return f"{LETTERS[heap]}{number}"

    def parse_move(self, s: Position, text: str) -> int:
        wanted = re.sub(r"^([a-z])\s*:?\s*(?=\d)", r"\1", text.strip().casefold())
        if len(s.heaps) == 1 and wanted.isdecimal():
            wanted = "a" + wanted
        return super().parse_move(s, wanted)

    def board(self, s: Position) -> Board:
        most, lettered = max(self.start), list(zip(LETTERS, s.heaps, strict=False))
        if not 0 < most <= DRAWN:
            return Board(notes=[f"heap {letter}: {heap}" for letter, heap in lettered])
        stick, gap = Cell(STICK), Cell(" ", absent=True)
        rows = [[stick] * heap + [gap] * (most - heap) for heap in s.heaps]
        return Board(rows=rows, row_labels=[f"{letter} {heap:{len(str(most))}}" for letter, heap in lettered])

    def pointing_at(self, s: Position, m: int) -> list[Place] | None:
        number, heap = divmod(m, len(s.heaps))
        return [(heap, s.heaps[heap] - number)] if max(self.start) <= DRAWN else None
