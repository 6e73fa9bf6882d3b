"""Reading a file always ends: one module reads files for all others, and only regular files up to a size limit."""

import ast
import os
import sys
from pathlib import Path

import pytest

import gamesearch
from gamesearch.files.whole import open_regular, read_regular, read_text

ROOT = Path(gamesearch.__file__).parent
OWN = {
    "files/whole.py",
    "files/books.py",  # reads the header of a book that comes with gamesearch
    "render/pages/__init__.py",  # reads a file of the package
    "lessons/lesson.py",  # reads a shipped lesson or starter file
    "lessons/worksheets.py",  # reads the shipped topics of worksheets
    "cli/__init__.py",  # reads the first lines of the commands of the package
    "registry.py",  # reads the sources of installed games
    "compiler/cache.py",  # the sources of kernels
    "compiler/cache_files.py",  # reads compiled code in a separate folder
    "algorithms/engine/compile_times.py",  # reads times in the same folder
    "play/matches/game_process.py",  # opens the null device
}
"""Files of the package that read only files which gamesearch itself has written or installed."""


def test_a_regular_file_up_to_its_limit(tmp_path: Path) -> None:
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


def test_links_are_followed_and_the_rest_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("text")
    (tmp_path / "link").symlink_to("file")
    assert read_regular(tmp_path / "link", 10) == b"text"
    with pytest.raises(FileNotFoundError):
        read_regular(tmp_path / "missing", 10)
    with pytest.raises(IsADirectoryError):
        read_regular(tmp_path, 10)


@pytest.mark.skipif(sys.platform == "win32", reason="only POSIX systems have devices and pipes with names")
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


def reads(node: ast.AST) -> bool:
    """Whether a syntax node opens or reads a file."""
    if not isinstance(node, ast.Call):
        return False
    name = ast.unparse(node.func)
    return name in ("open", "io.open", "os.open", "np.load", "np.memmap") or name.endswith(
        (".read_text", ".read_bytes", ".open")
    )


def test_nothing_else_reads_files() -> None:
    found = {
        (path.relative_to(ROOT).as_posix(), ast.unparse(node))
        for path in ROOT.rglob("*.py")
        if path.relative_to(ROOT).as_posix() not in OWN
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if reads(node)
    }
    assert {call for _, call in found} == {
        "np.load(io.BytesIO(read_regular(self.path, LARGEST)), allow_pickle=False)",
        "path.open('r+b')",  # replaces the header of a layer that has been read
        "np.memmap(path, np.uint8, 'r')",  # maps the data of a layer whose header has been read
        "os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 438)",  # opens a journal for writing
        "os.open(os.devnull, os.O_WRONLY)",
        "self.open(command)",  # starts an engine
    }
