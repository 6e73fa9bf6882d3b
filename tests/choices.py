"""Which tests run at each commit, and which only with GAMESEARCH_TEST_ALL=1.

Compiling a kernel for a game takes seconds. At each commit, every kernel is compiled for one game, usually GAME. For
all other games, only one kernel is compiled, which calls all functions of the rules. GAMESEARCH_TEST_ALL=1 compiles
every kernel for every game, and `make torture` compares every option of every algorithm.
"""

import os
from collections.abc import Sequence
from typing import Any

import pytest

EVERYTHING = "GAMESEARCH_TEST_ALL" in os.environ
GAME = "tictactoe"
"""The game for which a kernel is compiled if any game will do."""
TOO_LONG = "too long for every run: GAMESEARCH_TEST_ALL=1 tests it"
only_with_everything = pytest.mark.skipif(not EVERYTHING, reason=TOO_LONG)


def chosen(always: Sequence[Any], more: Sequence[Any]) -> tuple[Any, ...]:
    """Return the cases for this run; `more` is included only if everything is tested."""
    return (*always, *more) if EVERYTHING else tuple(always)


each_speed = pytest.mark.parametrize("speed", chosen(["interpreted"], ["compiled"]))
"""Marks a test whose kernels `tests/test_speeds.py` compiles for another game; here, only everything compiles them."""


def for_game(text: str, *rest: Any) -> Any:
    """Return the parameters of a test. All tests of one game run in one worker and share its compiled rules."""
    label = "-".join(map(str, (text, *rest)))
    return pytest.param(text, *rest, marks=pytest.mark.xdist_group(text.partition("(")[0]), id=label)
