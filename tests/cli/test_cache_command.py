"""`gamesearch cache`, and messages about compiling code and saving it in the cache."""

import os
import subprocess
import sys
from contextvars import ContextVar
from datetime import datetime
from pathlib import Path

import pytest
from commands import Cli

from gamesearch.compiler import cache_files


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache with three files for two games, and one file that belongs to no game."""
    folder = tmp_path / "compiled"
    monkeypatch.setattr(cache_files, "folder", lambda: folder)
    monkeypatch.delenv(cache_files.LIMIT_VARIABLE, raising=False)
    for game, kernel in (("nim", "minimax"), ("nim", "alphabeta"), ("chess960", "memo"), ("", "copy_index")):
        cache_files.write({"game": game, "kernel": kernel}, bytes(600_000))
    return folder


@pytest.mark.usefixtures("folder")
def test_a_long_path_of_a_game_hides_no_column(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    cache_files.write({"game": f"/home/{'student/' * 20}game.py", "kernel": "memo"}, bytes(1_300_000))
    monkeypatch.setattr("gamesearch.cli.consoles.columns", ContextVar("columns", default=80))
    lines = cli.output("cache").splitlines()
    assert max(map(len, lines)) <= 80
    assert ["game", "files", "MB", "last", "used"] in [line.split() for line in lines]
    assert any(line.startswith("/home/student/") and line.split()[1:3] == ["1", "1.2"] for line in lines)


def test_cached_files_are_listed_by_game(folder: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    old = datetime(2024, 2, 3, 12).timestamp()
    for path in folder.iterdir():
        os.utime(path, (old, old))
    lines = cli.output("cache").splitlines()
    assert lines[:2] == [f"compiled code in {folder}", "4 files, 2.3 MB of at most 512 MB"]
    assert [" ".join(line.split()[:-1]) for line in lines[4:]] == [
        "(any game) 1 0.6 2024-02-03",
        "chess960 1 0.6 2024-02-03",
        "nim 2 1.1 2024-02-03",
    ]
    monkeypatch.setenv(cache_files.LIMIT_VARIABLE, "7")
    data = cli.data("cache")
    assert (data["folder"], data["files"], data["limit_bytes"]) == (str(folder), 4, 7 << 20)
    assert data["bytes"] == sum(path.stat().st_size for path in folder.iterdir())
    assert [(each["game"], each["files"]) for each in data["games"]] == [(None, 1), ("chess960", 1), ("nim", 2)]
    assert sum(each["bytes"] for each in data["games"]) == data["bytes"]
    assert all(datetime.fromisoformat(each["last_used"]).timestamp() == old for each in data["games"])
    monkeypatch.setenv(cache_files.LIMIT_VARIABLE, "1GB")
    captured = cli.run("cache")
    assert "of at most 512 MB" in captured.out
    assert captured.err == "GAMESEARCH_CACHE_MB is '1GB', not a whole number of MB: the limit is 512 MB\n"


def test_clearing_removes_only_files_of_gamesearch(folder: Path, cli: Cli) -> None:
    (folder / "notes.txt").write_text("mine")
    (folder / "half.unfinished").write_bytes(b"half")
    assert cli.output("cache --clear") == "removed 5 files, 2.3 MB\n"
    assert [path.name for path in folder.iterdir()] == ["notes.txt"]
    assert cli.data("cache --clear")["removed_files"] == 0
    assert cli.output("cache").splitlines()[1:] == ["0 files, 0 MB of at most 512 MB"]


def test_a_file_that_is_damaged_is_counted_and_cleared(folder: Path, cli: Cli) -> None:
    for path, content in zip(sorted(folder.iterdir()), (b"", b"x\n[]\n", b"x\n{}\n", b"\xff\n\xff\n"), strict=True):
        path.write_bytes(content)
    assert cli.output("cache").splitlines()[1].startswith("4 files")
    assert cli.output("cache --clear").startswith("removed 4 files")


# Messages about compilations. ---------------------------------------------------------------------
def test_a_command_that_compiles(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "gamesearch", "perft", "tictactoe", "1", "--speed", "compiled"]
    settings = {"XDG_CACHE_HOME": str(tmp_path), cache_files.LIMIT_VARIABLE: "100"}
    for said in ("compiling count_leaves\ncount_leaves is compiled and saved for the next time\n", ""):
        done = subprocess.run(words, env=os.environ | settings, capture_output=True, text=True, check=True)
        assert done.stderr == said
