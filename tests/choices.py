"""What is tested at each commit, and what only with GAMESEARCH_TEST_ALL=1.

To compile a kernel for a game takes seconds. At each commit, every kernel is compiled for one game, most of them for
GAME, and one kernel for every game: the one that asks for all answers of its rules. GAMESEARCH_TEST_ALL=1 compiles all
pairs, and `make torture` compares every option of every algorithm.
"""

import os
from collections.abc import Sequence
from typing import Any

import pytest

EVERYTHING = "GAMESEARCH_TEST_ALL" in os.environ
GAME = "tictactoe"
"""The game for which kernels are compiled if any game will do."""
TOO_LONG = "too long for every run: GAMESEARCH_TEST_ALL=1 tests it"
only_with_everything = pytest.mark.skipif(not EVERYTHING, reason=TOO_LONG)


def chosen(always: Sequence[Any], more: Sequence[Any]) -> tuple[Any, ...]:
    """Return the cases for this run: with `more` if everything is tested."""
    return (*always, *more) if EVERYTHING else tuple(always)


def for_game(text: str, *rest: Any) -> Any:
    """Return the parameters of a test; the tests of one game share a worker, and the rules that it has compiled."""
    label = "-".join(map(str, (text, *rest)))
    return pytest.param(text, *rest, marks=pytest.mark.xdist_group(text.partition("(")[0]), id=label)
