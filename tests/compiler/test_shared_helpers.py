"""If several kernels, games and a user's compiled functions call one helper, each kernel gets its own copy of it.

LLVM derives specialized functions from each copy. If code of another kernel could call these specialized functions, the
process would crash.
"""

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from parted import total_at_both_speeds

import gamesearch

SOURCE = '''
from typing import NamedTuple

from numba import njit

from gamesearch import MAX, MIN, Game


class Position(NamedTuple):
    left: int
    turn: int


@njit
def large(n, flag):
    """Too large to be copied into each caller."""
    x, y, z = n + 1, n + 2, n + 3
    for i in range(n % 7 + 2):
        x, y, z = (x * 31 + y) % 1009, (y * 17 + z) % 2003, (z * 13 + x) % 3001
        if x & 1:
            x += y
            if z & 2:
                y -= x // 3
            else:
                z += y // 5
        elif y & 1:
            y += z
            for j in range(x % 4):
                z -= x % 11 + j
        else:
            z += x
            for j in range(z % 3):
                x += (y * j) % 5
    return (x + y + z) % 3 if flag == 1 else (x * y + z) % 50 + 10


def even(n):
    return 3 if n < 1 else odd(n - 1)


def odd(n):
    return large(n, 1) + even(n // 2)


def once(n):
    """Calls `back` only with 0, so that `back` calls nothing any more when it is a part of this function."""
    if n < 1:
        return 1
    return (once(n - 1) * 3 + once(n - 2) + large(n, 1) + back(n - n)) % 1000


def back(n):
    if n > 0:
        return once(n - 1) + 1
    return 5


def first(n, flag):
    return large(n, flag) if n < 1 else second(n - 1, flag) + large(n, 1)


def second(n, flag):
    return large(n, flag) if n < 1 else third(n - 1, flag) * 2 % 101


def third(n, flag):
    return large(n, 2) if n < 1 else (first(n - 1, 1) + large(n, flag) + first(n // 2, flag)) % 97


class Sharing(Game):
    name = "sharing"
    MINSCORE, MAXSCORE = -10000, 10000
    win_or_loss = False

    def initial(self):
        return Position(11, 0)

    def player(self, s):
        return MAX if s.turn == 0 else MIN

    def moves(self, s):
        yield 1
        if large(s.left, 1) > 0:
            yield 2
        if large(s.left + 5, 1) > 1:
            yield 3

    def result(self, s, m):
        return Position(max(0, s.left - m), 1 - s.turn)

    def terminal(self, s):
        return s.left <= 0

    def utility(self, s):
        return 1 - 2 * s.turn

    def evaluate(self, s):
        return even(s.left)

    def format(self, s):
        return f"{s.left} {s.turn}"

    def parse(self, text):
        return Position(*map(int, text.split()))


class CallingOnce(Sharing):
    def moves(self, s):
        yield 1
        if once(s.left) % 2 == 0:
            yield 2


class CallingBack(Sharing):
    def moves(self, s):
        yield 1
        if back(s.left) % 2 == 0:
            yield 2


class CallingAround(Sharing):
    def moves(self, s):
        yield 1
        if first(s.left, 1) % 2:
            yield 2
        if third(s.left, 0) % 3 == 1:
            yield 3

    def utility(self, s):
        return second(4, 1) % 7 - 3 - s.turn

    def evaluate(self, s):
        return first(s.left, 1) - second(s.left, 0)
'''


@pytest.fixture
def helpers(tmp_path: Path) -> ModuleType:
    """A module of helpers, loaded from a file."""
    path = tmp_path / "sharing_helpers.py"
    path.write_text(SOURCE)
    found = importlib.util.spec_from_file_location("sharing_helpers", path)
    assert found is not None
    assert found.loader is not None
    module = sys.modules["sharing_helpers"] = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


def test_each_kernel_calls_its_own_copy_of_a_helper(helpers: Any) -> None:
    for kind in (helpers.Sharing, helpers.CallingOnce, helpers.CallingBack):
        game = kind()
        if kind is helpers.Sharing:
            leaves = [gamesearch.perft(game, game.initial(), 4, speed=speed) for speed in ("compiled", "interpreted")]
            assert leaves[0] == leaves[1]
        for depth in (1, 2, 3):
            fast, slow = (
                gamesearch.search(game, game.initial(), f"minimax(depth={depth})", speed=speed)
                for speed in ("compiled", "interpreted")
            )
            assert (fast.value, fast.statistics.nodes) == (slow.value, slow.statistics.nodes)


def test_helpers_that_call_each_other_in_a_circle_of_three_are_all_found(helpers: Any) -> None:
    total_at_both_speeds(helpers.CallingAround(), 4)
