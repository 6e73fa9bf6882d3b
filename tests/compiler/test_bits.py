"""Helpers for bits and tuples give the same results interpreted and compiled."""

from typing import Any, NamedTuple

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from gamesearch.compiler import compiled, kernel, new_rows
from gamesearch.compiler.bit_operations import pack_bits_by_loop
from gamesearch.compiler.kernels import load_state, save_state
from gamesearch.game import Game
from gamesearch.toolkit.bits import (
    ALL_BITS,
    Board64,
    BoardTable,
    high_bit_index,
    low_bit_index,
    mix,
    pack_bits,
    popcount,
)

whole = st.integers(-(2**63), 2**63 - 1)


@kernel
def mix_key(key: Any) -> int:
    return mix(key)


@kernel
def count_bits(x: int) -> int:
    return 100 * popcount(x) + low_bit_index(x)


@given(st.one_of(whole, st.tuples(whole, whole), st.tuples(whole, st.tuples(whole, st.booleans()), st.tuples(whole))))
def test_keys_have_the_same_hash_at_both_speeds(key: Any) -> None:
    assert mix(key) == compiled(mix_key)(key)
    assert -(2**63) <= mix(key) < 2**63


@given(whole.filter(bool))
def test_bits_are_counted_in_the_same_way_at_both_speeds(x: int) -> None:
    assert count_bits(x) == compiled(count_bits)(x)


@kernel
def take_out(board: int, mask: int) -> int:
    return pack_bits(Board64(board), Board64(mask))


@given(whole, whole)
def test_bits_are_packed_in_the_same_way_at_both_speeds(board: int, mask: int) -> None:
    places = [place for place in range(64) if mask >> place & 1]
    wanted = sum((board >> place & 1) << i for i, place in enumerate(places))
    assert pack_bits(board & ALL_BITS, mask & ALL_BITS) == wanted
    wanted -= (wanted >> 63) << 64  # if all 64 bits are packed, the result is a signed number
    assert compiled(take_out)(board, mask) == wanted
    assert looped(np.uint64(board & ALL_BITS), np.uint64(mask & ALL_BITS)) == wanted


looped = njit(pack_bits_by_loop)
"""The compiled function for processors that lack the instruction PEXT."""


@given(st.sets(whole, max_size=50))
def test_whole_numbers_never_share_a_hash(numbers: set[int]) -> None:
    assert len({mix(number) for number in numbers}) == len(numbers)


@given(st.sets(st.integers(1, 2**63 - 1), max_size=20), st.sampled_from([63, 64, 65, 130]))
def test_boards_too_large_to_compile_have_different_hashes(numbers: set[int], shift: int) -> None:
    boards = numbers | {number << shift for number in numbers}
    assert len({mix(board) for board in boards}) == len({board % 2**64 if board < 2**64 else board for board in boards})


@given(whole)
def test_numpys_integers_are_hashed_like_pythons(number: int) -> None:
    assert mix(np.int64(number)) == mix(number)
    assert mix((np.int64(number), 1)) == mix((number, 1))


# Boards of 64 bits. -------------------------------------------------------------------------------
ALL_SET = (1 << 64) - 1
boards = st.integers(0, ALL_SET) | st.sampled_from([0, 1, 1 << 62, 1 << 63, ALL_SET])
TABLE = BoardTable((0, 1, 1 << 63, ALL_SET))


class Two(NamedTuple):
    one: Board64
    other: Board64
    number: int


class Boards(Game[Two]):
    """A game that is never played; tests use only its states and constants."""

    edge = 0xFF00_0000_0000_0000
    table = TABLE

    def initial(self) -> Two:
        return Two(Board64(0), Board64(0), 0)

    def compute(self, s: Two) -> tuple[Any, ...]:
        up, down = (s.one << s.number) & s.other, s.one >> s.number
        rest, count = s.one, Board64(0)
        while rest != 0:
            count += 1
            rest &= rest - 1
        around = (s.one ^ s.one - 2 * s.other) & self.edge
        compared = s.one < s.other, s.one == s.other, not s.one, s.one >= self.edge
        return up, down, count, around, ~s.one & s.other, compared, self.table[s.number & 3], TABLE[s.number & 3]


BOARDS = Boards()


@kernel
def everything(game: Any, s: Two) -> tuple[Any, ...]:
    return game.compute(s)  # type: ignore[no-any-return]


@kernel
def board_counts(game: Any, s: Two) -> tuple[int, int, int, int, int]:
    board = s.one | 1
    return popcount(s.one), low_bit_index(board), high_bit_index(board), mix(s.one), mix((s.one, s.number))


@kernel
def save_and_load(game: Any, rows: Any, s: Two) -> Two:
    save_state(rows, 1, s)
    return load_state(rows, 1, s)  # type: ignore[no-any-return]


@settings(max_examples=200)
@given(boards, boards, st.integers(0, 63))
def test_boards_are_computed_in_the_same_way_at_both_speeds(one: int, other: int, number: int) -> None:
    s = Two(one, other, number)
    assert compiled(everything)(BOARDS, s) == everything(BOARDS, s)
    assert compiled(board_counts)(BOARDS, s) == board_counts(BOARDS, s)
    for is_compiled in (False, True):
        rows = new_rows(s, 3, is_compiled)
        assert (compiled(save_and_load) if is_compiled else save_and_load)(BOARDS, rows, s) == s


def test_the_highest_square_of_every_board() -> None:
    assert [high_bit_index(1 << square | 1) for square in range(64)] == list(range(64))
