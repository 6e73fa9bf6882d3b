"""Processes share the cache of compiled code without a lock: started together, or killed at any moment."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from countdown import in_new_process, written
from racing import VERSIONS, compilations_of, prepared_folder, race, started

pytestmark = pytest.mark.xdist_group("cache processes")


def files_in(cache: Path) -> list[Path]:
    return sorted(path for path in cache.rglob("*") if path.is_file())


@pytest.mark.slow
def test_processes_that_begin_at_once_never_get_the_code_of_another_version(tmp_path: Path) -> None:
    folder, cache = prepared_folder(tmp_path), tmp_path / "cache"
    compiled = race(folder, cache, 4, seed=1)
    assert sum(compiled) >= VERSIONS
    assert [path.suffix for path in files_in(cache)] == [".code"] * VERSIONS
    assert compilations_of(started(folder, cache, 1)) == 0


@pytest.mark.slow
def test_processes_killed_at_any_moment_leave_a_cache_that_works(tmp_path: Path) -> None:
    folder, cache = prepared_folder(tmp_path), tmp_path / "cache"
    moments = random.Random(3)
    for number in range(2):
        killed = [started(folder, cache, 2 * number + each) for each in range(2)]
        time.sleep(moments.uniform(1.0, 3.0))
        for process in killed:
            process.kill()
            process.communicate()
    assert compilations_of(started(folder, cache, 0)) <= VERSIONS
    assert compilations_of(started(folder, cache, 1)) == 0


KILLED_WHILE_WRITING = """
import os, signal, sys
from gamesearch import load, search
os.replace = lambda *paths: os.kill(os.getpid(), signal.SIGKILL)
game = load(sys.argv[1])
search(game, game.initial(), "minimax")
"""


def test_a_file_that_was_never_finished_is_never_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, cache = written(tmp_path, "countdown.py"), tmp_path / "cache"
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    done = subprocess.run([sys.executable, "-c", KILLED_WHILE_WRITING, path], check=False)
    assert done.returncode == -9
    assert [path.suffix for path in files_in(cache)] == [".unfinished"]
    assert in_new_process(cache, path, "minimax")[0] == 1
    assert in_new_process(cache, path, "minimax")[0] == 0
