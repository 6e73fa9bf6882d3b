"""Processes that start at the same time on one cache, and count the compilations of each."""

import os
import subprocess
import sys
import time
from pathlib import Path

from countdown import written

KERNELS = '''
import random
import sys
import time

import numpy as np

import gamesearch.compiler.types  # and Numba, which is not to be raced for
from gamesearch.compiler import compilations, kernel, prepared
from gamesearch.registry import load


@kernel
def count_moves(game, s, factor, table):
    """Twenty-two and more for each move; with a table, a hundred more, and what the table holds."""
    found = 22 * factor
    if table is not None:
        found += 100 + table[0]
    for m in game.moves(s):
        found += m * factor
    return found


@kernel
def count_replies(game, s, table):
    """The replies to all moves; with a table, below zero."""
    found = 0
    for m in game.moves(s):
        for _ in game.moves(game.result(s, m)):
            found += 1
    if table is not None:
        return -found
    return found


def calls():
    for start in (3, 5):
        game = load(f"{sys.argv[1]}(start={start})")
        s = game.initial()
        for table in (None, np.array([7])):
            yield from ((count_moves, (game, s, factor, table)) for factor in (2, 0.5))
            yield count_replies, (game, s, table)


if __name__ == "racing_kernels":
    shuffled = list(calls())
    random.Random(sys.argv[2]).shuffle(shuffled)
    started = []
    time.sleep(max(0.0, float(sys.argv[3]) - time.time()))
    with compilations(started.append, lambda seconds: None):
        for function, arguments in shuffled:
            found, wanted = prepared(function, arguments[0], arguments)(*arguments), function(*arguments)
            assert found == wanted, (function, arguments, found, wanted)
    print(len(started))
'''
VERSIONS = 12
"""The number of versions of the kernels that are compiled."""


def prepared_folder(folder: Path) -> Path:
    """Return a folder with the game and the kernels."""
    written(folder, "countdown.py")
    (folder / "racing_kernels.py").write_text(KERNELS)
    return folder


def started(folder: Path, cache: Path, seed: int, begin: float = 0.0) -> "subprocess.Popen[str]":
    """Start a process that compiles all versions in a random order, beginning at a given time."""
    paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-c", "import racing_kernels", str(folder / "countdown.py"), str(seed), str(begin)],
        env=os.environ | {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def compilations_of(process: "subprocess.Popen[str]") -> int:
    """Return how many compilations a process made; fails if a result differs from the interpreted one."""
    out, error = process.communicate()
    assert process.returncode == 0, error
    return int(out)


def race(folder: Path, cache: Path, processes: int, seed: int, seconds_to_start: float = 5.0) -> list[int]:
    """Return the number of compilations of each process; all start at the same time."""
    begin = time.time() + seconds_to_start
    running = [started(folder, cache, seed * processes + number, begin) for number in range(processes)]
    outcomes = [process.communicate() for process in running]
    for process, (_, error) in zip(running, outcomes, strict=True):
        assert process.returncode == 0, error
    return [int(out) for out, _ in outcomes]
