"""Wide integers give the same results interpreted, as Python integers, and compiled."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from questions_asked import answers

from gamesearch.api import perft
from gamesearch.compiler import compiled, kernel, new_rows
from gamesearch.compiler.kernels import load_state, save_state
from gamesearch.game import MAX, MIN, Game
from gamesearch.toolkit.bits import Wide128, Wide256, low_bit_index, mix, popcount

pytestmark = pytest.mark.xdist_group("wide")


class Pair(NamedTuple):
    small: Wide128
    large: Wide256
    number: int


def signed_integers(width: int) -> st.SearchStrategy[int]:
    """Return a Hypothesis strategy for signed integers of up to `width` bits, including the limits of 64-bit words."""
    edges = [sign * (1 << place) + step for place in (0, 63, 64, width - 2) for sign in (1, -1) for step in (-1, 0, 1)]
    return st.one_of(st.integers(-(1 << width - 1) + 2, (1 << width - 1) - 2), st.sampled_from(edges))


pairs = st.builds(Pair, signed_integers(128), signed_integers(250), st.integers(-5, 5))


class Pairs(Game[Pair]):
    """A game that is never played; tests use only its states."""

    def initial(self) -> Pair:
        return Pair(Wide128(0), Wide256(0), 0)


PAIRS: Game[Pair] = Pairs()


@kernel
def compute(game: object, pair: Pair, shift: int) -> tuple[Any, ...]:
    """Return the results of all operations on wide integers that rules may use."""
    mixed = (pair.small | pair.large) ^ (Wide256(1) << shift)
    mixed &= ~pair.small
    total = (mixed >> 7) + pair.number - pair.small
    rest = 0
    rest |= mixed & ((Wide256(1) << 200) - 1)
    found = 0
    while rest:
        found += 1 + low_bit_index(rest) * found & 0xFFFF
        rest &= rest - 1
    counted = popcount(mixed & ((Wide256(1) << 249) - 1))
    compared = mixed < total, mixed == total, not pair.small, -pair.small >= pair.large
    return mixed, total, found, counted, compared, int(pair.small & 63)


@kernel
def hash_pair(game: object, pair: Pair) -> tuple[int, int, int]:
    return mix(pair.small), mix(pair.large), mix(pair)


@kernel
def is_restored(game: object, rows: Any, pair: Pair) -> bool:
    save_state(rows, 0, pair)
    again = load_state(rows, 0, pair)
    return again.small == pair.small and bool(again == pair)


@given(pairs, st.integers(0, 249))
def test_both_speeds_compute_the_same(pair: Pair, shift: int) -> None:
    assert compiled(compute)(PAIRS, pair, shift) == compute(0, pair, shift)


@given(pairs)
def test_wide_integers_have_the_same_hash_at_both_speeds_and_can_be_stored(pair: Pair) -> None:
    assert compiled(hash_pair)(PAIRS, pair) == hash_pair(0, pair)
    assert compiled(is_restored)(PAIRS, new_rows(pair, 1, True), pair)


class Line(NamedTuple):
    marks: Wide256
    last: int


class LongNim(Game[Line]):
    """A row of 200 fields; a move marks one of the two fields after the field marked last."""

    example = "0,0"

    def __init__(self, fields: int = 200) -> None:
        self.fields = fields
        self.full = (1 << fields) - 1
        self.places = tuple(1 << place for place in range(fields))

    def initial(self) -> Line:
        return Line(self.places[0], 1)

    def player(self, s: Line) -> int:
        return MIN if popcount(s.marks) % 2 == 0 else MAX

    def moves(self, s: Line) -> Iterator[int]:
        for place in range(s.last, min(s.last + 2, self.fields)):
            yield place

    def result(self, s: Line, m: int) -> Line:
        return Line(s.marks | self.places[m], m + 1)

    def terminal(self, s: Line) -> bool:
        return (s.marks & self.full) >> self.fields - 1 == 1

    def utility(self, s: Line) -> int:
        return -1 if self.player(s) == MAX else 1


def test_a_game_on_a_wide_board_runs_at_both_speeds() -> None:
    game = LongNim()
    start = game.initial()
    assert perft(game, start, 8, speed="interpreted") == 256
    (*slow, _), (*fast, speed) = (answers(game, 300, speed) for speed in ("interpreted", "compiled"))
    assert speed == "compiled"
    assert slow == fast
