"""Which tests run at each commit, and which only with GAMESEARCH_TEST_ALL=1.

Compiling a kernel for a game takes seconds. At each commit, every kernel is compiled for only one game, usually GAME.
For each other game, only one kernel is compiled; this kernel calls all functions of the rules. GAMESEARCH_TEST_ALL=1
compiles every kernel for every game, and `make torture` compares all options of all algorithms.
"""

import os
from collections.abc import Sequence
from typing import Any

import pytest

EVERYTHING = "GAMESEARCH_TEST_ALL" in os.environ
GAME = "tictactoe"
"""The game for which a kernel is compiled if the choice of the game does not matter."""
TOO_LONG = "too long for every run: GAMESEARCH_TEST_ALL=1 tests it"
only_with_everything = pytest.mark.skipif(not EVERYTHING, reason=TOO_LONG)


def choose(always: Sequence[Any], more: Sequence[Any]) -> tuple[Any, ...]:
    """Return the cases to test in this run; the cases `more` are included only if everything is tested."""
    return (*always, *more) if EVERYTHING else tuple(always)


each_speed = pytest.mark.parametrize("speed", choose(["interpreted"], ["compiled"]))
"""Runs a test interpreted, and also compiled if everything is tested.

`tests/test_speeds.py` always compiles these kernels for another game.
"""


def for_game(text: str, *rest: Any) -> Any:
    """Return parameters of a test. All tests of one game run in one worker, so its rules are compiled only once."""
    label = "-".join(map(str, (text, *rest)))
    return pytest.param(text, *rest, marks=pytest.mark.xdist_group(text.partition("(")[0]), id=label)
