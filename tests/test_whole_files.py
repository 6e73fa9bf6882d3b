"""One module reads, writes and locks files: reading always ends, and only one process at a time holds a lock."""

import errno
import os
from pathlib import Path

import pytest

from gamesearch.files import whole
from gamesearch.files.whole import LockHeldError, lock_new_file, open_regular, read_regular, read_text

needs_posix = pytest.mark.skipif(os.name != "posix", reason="there are no locks, and no pipes with names")


def test_only_regular_files_are_read_up_to_a_limit(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"a\r\nb\rc\n")
    assert read_regular(file, 7) == b"a\r\nb\rc\n"
    assert read_text(file, "a text", 7) == "a\nb\nc\n"
    with pytest.raises(OSError, match="more than 6 bytes"):
        read_regular(file, 6)
    file.write_bytes(bytes(3_000_000))
    assert len(read_regular(file, 3_000_000)) == 3_000_000
    with pytest.raises(OSError, match="more than 2,999,999 bytes"):
        read_regular(file, 2_999_999)
    (tmp_path / "link").symlink_to("file")
    assert len(read_regular(tmp_path / "link", 3_000_000)) == 3_000_000
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "missing", 10)
    with pytest.raises(IsADirectoryError):
        read_regular(tmp_path, 10)


@needs_posix
def test_devices_and_pipes_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "link").symlink_to("/dev/zero")
    for path in (tmp_path / "pipe", tmp_path / "link", Path("/dev/zero"), Path("/dev/null")):
        for read in (open_regular, lambda path: read_regular(path, 10)):
            with pytest.raises(OSError, match="not a regular file"):
                read(path)


@pytest.mark.skipif(not Path("/proc/self/pagemap").exists(), reason="Linux has such files")
def test_reading_an_endless_file_of_size_zero_stops_at_the_limit() -> None:
    assert Path("/proc/self/pagemap").stat().st_size == 0
    with pytest.raises(OSError, match="more than 5,000,000 bytes"):
        read_regular(Path("/proc/self/pagemap"), 5_000_000)


# Locks. ------------------------------------------------------------------------------------------
@needs_posix
def test_the_second_process_is_refused_and_no_lock_file_is_left(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    with lock_new_file(path):
        with pytest.raises(LockHeldError), lock_new_file(path):
            pass
        assert path.exists()
    assert not path.exists()
    path.touch()  # a killed process leaves its lock file
    with lock_new_file(path):
        pass


@needs_posix
def test_a_file_system_without_locks_refuses_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(whole.fcntl, "flock", refuse)
    with lock_new_file(tmp_path / "lock", waits=True), lock_new_file(tmp_path / "other"):
        assert (tmp_path / "lock").exists()


@needs_posix
def test_removing_a_lock_file_does_not_admit_two_processes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """If the holder removes the lock file after another process has opened it, that process must open it again."""
    path, attempts, lock = tmp_path / "lock", list[int](), whole.lock

    def lock_late(handle: int, waits: bool) -> None:
        if not attempts:
            path.unlink()
        attempts.append(handle)
        lock(handle, waits)

    monkeypatch.setattr(whole, "lock", lock_late)
    with lock_new_file(path):
        assert (len(attempts), path.exists()) == (2, True)
        with pytest.raises(LockHeldError), lock_new_file(path):
            pass
    assert not path.exists()
