"""Files of compiled code are complete or absent, are checked when they are read, and stay below a limit of size."""

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest

from gamesearch.compiler import cache_files

ONE = {"game": "nim", "kernel": "minimax", "arguments": "int64"}
OTHER = ONE | {"arguments": "float64"}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(cache_files, "folder", lambda: tmp_path / "compiled")
    monkeypatch.delenv(cache_files.LIMIT_VARIABLE, raising=False)
    cache_files._unpruned.clear()
    return tmp_path / "compiled"


def test_written_files_are_read(folder: Path) -> None:
    assert cache_files.read(ONE) is None
    cache_files.write(ONE, b"one\n\0")
    cache_files.write(OTHER, b"other")
    assert (cache_files.read(ONE), cache_files.read(OTHER)) == (b"one\n\0", b"other")
    cache_files.write(ONE, b"again")
    assert cache_files.read(ONE) == b"again"
    assert len(list(folder.iterdir())) == 2


def test_a_file_with_one_wrong_byte_is_removed(folder: Path) -> None:
    cache_files.write(ONE, b"machine code")
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert cache_files.read(ONE) is None
        assert not path.exists()
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert cache_files.read(ONE) is None
    path.write_bytes(whole)
    assert cache_files.read(ONE) == b"machine code"


def test_a_renamed_cache_file_is_not_used(folder: Path) -> None:
    cache_files.write(ONE, b"one")
    (path,) = folder.iterdir()
    cache_files.write(OTHER, b"other")
    (other,) = set(folder.iterdir()) - {path}
    other.replace(path)
    assert cache_files.read(ONE) is None
    assert not list(folder.iterdir())


def test_a_disk_that_is_full_or_cannot_be_written_is_no_error(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "no space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "replace", full)
        cache_files.write(ONE, b"one")
    assert not list(folder.iterdir())
    folder.rmdir()
    folder.write_text("a file instead of a folder")
    cache_files.write(ONE, b"one")
    assert cache_files.read(ONE) is None
    assert cache_files.sort_by_use() == []
    assert cache_files.clear() == (0, 0)


# The limit. --------------------------------------------------------------------------------------
def write_at(seconds_ago: float, number: int) -> Path:
    """Write a file of about 1,000 bytes that was last used `seconds_ago` seconds ago."""
    identity = ONE | {"arguments": str(number)}
    before = set(cache_files._files(cache_files.FINISHED))
    cache_files.write(identity, bytes(900))
    (path,) = set(cache_files._files(cache_files.FINISHED)) - before
    os.utime(path, (time.time() - seconds_ago,) * 2)
    return path


def test_the_least_recently_used_files_go_first(folder: Path) -> None:
    paths = [write_at(100 * number, number) for number in range(6)]
    assert cache_files.read(ONE | {"arguments": "5"}) is not None  # the oldest file is used again
    size = sum(path.stat().st_size for path in paths)
    cache_files.prune(size)
    assert all(path.exists() for path in paths)
    cache_files.prune(size // 2)
    assert [path.exists() for path in paths] == [True, True, False, False, False, True]
    cache_files.prune(0)
    assert not list(folder.iterdir())


def test_a_process_removes_old_files_only_when_it_writes_its_first_file(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = [write_at(1000 + number, number) for number in range(3)]
    for path in old:
        path.write_bytes(bytes(cache_files.MEGABYTE // 2))
        os.utime(path, (time.time() - 1000,) * 2)
    monkeypatch.setenv(cache_files.LIMIT_VARIABLE, "1")
    cache_files.write(ONE | {"arguments": "second"}, b"")
    assert all(path.exists() for path in old)
    cache_files._unpruned.clear()  # as in another process
    cache_files.write(ONE | {"arguments": "third"}, b"")
    assert sum(path.exists() for path in old) == 1
    assert sum(each.bytes for each in cache_files.sort_by_use()) <= cache_files.MEGABYTE
    assert cache_files.read(ONE | {"arguments": "third"}) == b""


def test_a_limit_of_zero_neither_reads_nor_writes_nor_removes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache_files.write(ONE, b"one")
    (path,) = folder.iterdir()
    monkeypatch.setenv(cache_files.LIMIT_VARIABLE, "0")
    assert cache_files.read(ONE) is None
    cache_files._unpruned.clear()
    assert not cache_files.write(OTHER, b"other")
    assert list(folder.iterdir()) == [path]


@pytest.mark.parametrize("text", ["1GB", "-1", "0.5", "many"])
def test_a_limit_that_is_not_a_number_is_ignored(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_files.is_limit_readable()
    monkeypatch.setenv(cache_files.LIMIT_VARIABLE, text)
    assert not cache_files.is_limit_readable()
    assert cache_files.limit() == cache_files.DEFAULT_LIMIT


def test_files_that_another_process_removes_at_the_same_time_are_no_error(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each file is removed just before the cache examines or removes it."""
    for method in ("stat", "unlink"):
        paths = [write_at(number, number) for number in range(4)]
        plain = getattr(Path, method)

        def remove_first(self: Path, *arguments: Any, plain: Any = plain, **options: Any) -> Any:
            if self.suffix == ".code":
                os.remove(self)  # noqa: PTH107
            return plain(self, *arguments, **options)

        with monkeypatch.context() as patched:
            patched.setattr(Path, method, remove_first)
            cache_files.prune(0)
        assert not any(path.exists() for path in paths)


def test_old_unfinished_files_are_removed_and_no_others(folder: Path) -> None:
    folder.mkdir()
    strangers = [folder / "notes.txt", folder / "notes.code", folder / "sub"]
    for path in strangers[:2]:
        path.write_text("mine")
    strangers[2].mkdir()
    young, old = (folder / f"{name}.unfinished" for name in ("young", "old"))
    for path in (young, old):
        path.write_bytes(b"half")
    os.utime(old, (time.time() - 2 * cache_files.SECONDS_TO_FINISH,) * 2)
    cache_files.prune(0)
    assert young.exists()
    assert not old.exists()
    cache_files.write(ONE, b"one")
    assert cache_files.clear()[0] == 2
    assert sorted(folder.iterdir()) == sorted(strangers)


@pytest.mark.parametrize("remove", [cache_files.clear, lambda: cache_files.prune(1 << 30)], ids=["clear", "prune"])
def test_files_of_earlier_versions_are_removed(folder: Path, remove: Any) -> None:
    old = folder / "0123456789abcdef" / "TicTacToe-0123" / "algorithms_1"
    old.mkdir(parents=True)
    for name in ("minimax.nbi", "minimax.1.nbc", "notes.txt"):
        (old / name).touch()
    remove()
    assert [path.name for path in old.iterdir()] == ["notes.txt"]
