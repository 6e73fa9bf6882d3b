"""Processes that start together or are killed at any moment share the cache of compiled code without a lock."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from countdown import in_new_process, write_game

pytestmark = pytest.mark.xdist_group("cache processes")

KERNELS = '''
import random
import sys
import time

import numpy as np

import gamesearch.compiler.types  # and Numba, so that all processes have imported it before they start together
from gamesearch.compiler import compilations, kernel, prepare
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
    game = load(sys.argv[1])
    s = game.initial()
    for table in (None, np.array([7])):
        yield from ((count_moves, (game, s, factor, table)) for factor in (2, 0.5))
    yield count_replies, (game, s, None)


if __name__ == "racing_kernels":
    shuffled = list(calls())
    random.Random(sys.argv[2]).shuffle(shuffled)
    started = []
    time.sleep(max(0.0, float(sys.argv[3]) - time.time()))
    with compilations(started.append, lambda seconds: None):
        for function, arguments in shuffled:
            found, wanted = prepare(function, arguments[0], arguments)(*arguments), function(*arguments)
            assert found == wanted, (function, arguments, found, wanted)
    print(len(started))
'''
SECONDS_TO_START = 2.0
VERSIONS = 5
"""The number of versions of the kernels to compile."""


def prepare_folder(folder: Path) -> Path:
    """Return a folder with the game and the kernels."""
    write_game(folder, "countdown.py")
    (folder / "racing_kernels.py").write_text(KERNELS)
    return folder


def start_process(folder: Path, cache: Path, seed: int, begin: float = 0.0) -> "subprocess.Popen[str]":
    """Start a process that waits until a given time and then compiles all versions in a random order."""
    paths = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])
    return subprocess.Popen(
        [sys.executable, "-c", "import racing_kernels", str(folder / "countdown.py"), str(seed), str(begin)],
        env=os.environ | {"XDG_CACHE_HOME": str(cache), "PYTHONPATH": paths},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def compilations_of(process: "subprocess.Popen[str]") -> int:
    """Return the number of compilations in a process; fail if a compiled result differs from the interpreted one."""
    out, error = process.communicate()
    assert process.returncode == 0, error
    return int(out)


def files_in(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file())


@pytest.mark.slow
def test_simultaneous_processes_never_get_code_of_another_version(tmp_path: Path) -> None:
    folder, cache = prepare_folder(tmp_path), tmp_path / "cache"
    begin = time.time() + SECONDS_TO_START
    compiled = [compilations_of(each) for each in [start_process(folder, cache, seed, begin) for seed in (4, 5)]]
    assert sum(compiled) >= VERSIONS
    assert [path.suffix for path in files_in(cache)] == [".code"] * VERSIONS
    assert compilations_of(start_process(folder, cache, 1)) == 0


KILLED_WHILE_WRITING = """
import os, signal, sys
from gamesearch import load, search
os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
game = load(sys.argv[1])
search(game, game.initial(), "minimax")
"""


def test_a_file_that_was_never_finished_is_never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = write_game(tmp_path, "countdown.py"), tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    done = subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, path], check=False)
    assert done.returncode == -9
    assert [path.suffix for path in files_in(cache)] == [".unfinished"]
    assert in_new_process(cache, path, "minimax")[0] == 1
