"""Commands report that compiled code is kept for the next time only if it is."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from gamesearch.cli.progress import Compilations
from gamesearch.compiler import cache_files

IDENTITY = {"game": "tictactoe", "kernel": "a test"}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(cache_files, "folder", lambda: tmp_path / "compiled")
    monkeypatch.setattr(cache_files, "_unpruned", [])
    return tmp_path / "compiled"


def test_code_counts_as_kept_if_it_is_on_the_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cache_files.write(IDENTITY, b"code")
    assert cache_files.read(IDENTITY) == b"code"
    monkeypatch.setenv(cache_files.LIMIT_VARIABLE, "0")
    assert not cache_files.write(IDENTITY, b"code")
    monkeypatch.setenv(cache_files.LIMIT_VARIABLE, "1")
    assert not cache_files.write(IDENTITY, bytes(2_000_000)), "it is pruned immediately"


def test_a_folder_that_cannot_be_written(folder: Path) -> None:
    folder.write_text("in the way")
    assert not cache_files.write(IDENTITY, b"code")


def test_nothing_is_promised_before_the_code_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, said = set[str](), list[str]()
    monkeypatch.setattr("gamesearch.cli.progress.kept_kernels", kept)
    compilations = Compilations(said.append)
    for kernel in ("minimax", "minimax", "", "search", ""):
        compilations.note(kernel)
    assert said == ["compiling minimax", "compiling search"]
    kept.add("search")
    compilations.note("")
    compilations.note("")
    assert said[2:] == ["search is compiled and saved for the next time"]


def test_a_command_that_compiles(tmp_path: Path) -> None:
    words = [sys.executable, "-m", "gamesearch", "perft", "tictactoe", "1", "--speed", "compiled"]

    def messages(limit: str) -> str:
        settings = {"XDG_CACHE_HOME": str(tmp_path), cache_files.LIMIT_VARIABLE: limit}
        return subprocess.run(words, env=os.environ | settings, capture_output=True, text=True, check=True).stderr

    assert messages("0") == "compiling count_leaves\n"
    assert messages("100") == "compiling count_leaves\ncount_leaves is compiled and saved for the next time\n"
    assert messages("100") == ""
