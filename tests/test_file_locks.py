"""Locks between processes: only one process holds a lock at a time, and no lock file remains."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from gamesearch.files.whole import LockHeldError, locked

pytestmark = pytest.mark.skipif(os.name != "posix", reason="elsewhere there are no locks")


def test_the_second_process_is_refused_and_no_lock_file_is_left(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with locked(path):
        with pytest.raises(LockHeldError), locked(path):
            pass
        assert path.exists()
    assert not path.exists()
    path.touch()  # a killed process leaves its lock file
    with locked(path):
        pass


def test_removing_a_lock_file_does_not_admit_two_processes(tmp_path: Path) -> None:
    """If the lock file is removed after a process has opened it, this process must not hold the lock."""
    path, inside, most, held = tmp_path / "lock", 0, 0, 0

    def take(_: int) -> None:
        nonlocal inside, most, held
        try:
            with locked(path):
                inside += 1
                most, held = max(most, inside), held + 1
                inside -= 1
        except LockHeldError:
            pass

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(take, range(2000)))
    assert (most, inside) == (1, 0)
    assert held > 0
    assert not path.exists()
