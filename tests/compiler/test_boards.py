"""Boards of 64 bits give the same results interpreted, as Python integers, and compiled."""

from typing import Any, NamedTuple

from hypothesis import given, settings
from hypothesis import strategies as st

from gamesearch.compiler import compiled, kernel, new_rows
from gamesearch.compiler.kernels import load_state, save_state
from gamesearch.game import Game
from gamesearch.toolkit.bits import Board64, BoardTable, high_bit_index, low_bit_index, mix, popcount

ALL = (1 << 64) - 1
boards = st.integers(0, ALL) | st.sampled_from([0, 1, 1 << 62, 1 << 63, ALL])
TABLE = BoardTable((0, 1, 1 << 63, ALL))


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

    def computed(self, s: Two) -> tuple[Any, ...]:
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
    return game.computed(s)  # type: ignore[no-any-return]


@kernel
def counted(game: Any, s: Two) -> tuple[int, int, int, int, int]:
    board = s.one | 1
    return popcount(s.one), low_bit_index(board), high_bit_index(board), mix(s.one), mix((s.one, s.number))


@kernel
def kept(game: Any, rows: Any, s: Two) -> Two:
    save_state(rows, 1, s)
    return load_state(rows, 1, s)  # type: ignore[no-any-return]


@settings(max_examples=200)
@given(boards, boards, st.integers(0, 63))
def test_boards_are_computed_alike(one: int, other: int, number: int) -> None:
    s = Two(one, other, number)
    assert compiled(everything)(BOARDS, s) == everything(BOARDS, s)
    assert compiled(counted)(BOARDS, s) == counted(BOARDS, s)
    for is_compiled in (False, True):
        rows = new_rows(s, 3, is_compiled)
        assert (compiled(kept) if is_compiled else kept)(BOARDS, rows, s) == s


def test_the_highest_square_of_every_board() -> None:
    assert [high_bit_index(1 << square | 1) for square in range(64)] == list(range(64))
