"""Operations on arrays that several compiled threads share give the same results as plain Python."""

import threading
from typing import Any

import numpy as np
import pytest
from numba import njit

import gamesearch.compiler.types  # noqa: F401  (registers the compiled functions with Numba)
from gamesearch.compiler import fetch_early
from gamesearch.compiler.kernels import add_atomically
from gamesearch.toolkit.vectors import LOOKED_AT, holds_either


@pytest.mark.parametrize("kind", [np.uint8, np.uint16])
def test_searching_for_a_code_finds_this_code_and_the_next(kind: Any) -> None:
    compiled = njit(lambda numbers, start, even: holds_either(numbers, start, even))
    numbers = np.random.default_rng(4).integers(0, min(int(np.iinfo(kind).max), 600), 400).astype(kind)
    found = set()
    for start in range(len(numbers) - LOOKED_AT + 1):
        for even in {4, 254, 300, 512, int(numbers[start]) & ~1} & set(range(np.iinfo(kind).max)):
            expected = any(int(each) in (even, even + 1) for each in numbers[start : start + LOOKED_AT])
            assert holds_either(numbers, start, even) == compiled(numbers, start, even) == expected
            found.add(expected)
    assert found == {False, True}


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.int64])
def test_additions_of_several_threads_are_all_counted(kind: Any) -> None:
    """Each addition returns the number before the addition, so each number must be returned exactly once."""
    times = 12_000

    def adding(numbers: Any, seen: Any) -> None:
        for _ in range(times):
            seen[add_atomically(numbers, 1, -1)] += 1

    compiled = njit(nogil=True)(adding)
    compiled(np.full(3, times, kind), np.zeros(times + 1, np.int64))
    numbers, seen = np.full(3, 2 * times, kind), [np.zeros(2 * times + 1, np.int64) for _ in range(2)]
    threads = [threading.Thread(target=compiled, args=(numbers, each)) for each in seen]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert numbers.tolist() == [2 * times, 0, 2 * times]
    assert (sum(seen)[1:] == 1).all()  # type: ignore[index]
    by_python = np.zeros(times + 1, np.int64)
    adding(np.full(3, times, kind), by_python)
    assert (by_python[1:] == 1).all()


@pytest.mark.parametrize("kind", [np.int16, np.int32, np.int64])
def test_prefetching_changes_no_data(kind: Any) -> None:
    """Prefetching changes no data and ignores indices outside the array."""
    compiled = njit(lambda numbers, place: fetch_early(numbers, place))
    numbers = np.arange(100).astype(kind)
    for place in (0, 99, -1, 100, 1 << 40):
        fetch_early(numbers, place)
        compiled(numbers, place)
    assert numbers.tolist() == list(range(100))
