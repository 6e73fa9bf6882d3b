"""A recording that is written to a file during the search equals a recording in memory."""

import errno
import io
from pathlib import Path
from typing import IO, Any

import pytest
from commands import complaint, output
from recordings import TWO_PLY


def test_a_search_that_fails_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "search.trace"
    path.write_text("mine")
    own = tmp_path / "failing.py"
    own.write_text(
        "def search(game, state, depth):\n"
        "    if depth == 0:\n        raise RuntimeError('no value')\n"
        "    return max(search(game, game.result(state, m), depth - 1) for m in game.moves(state))\n"
    )
    complaint(capsys, "analyze", "tictactoe", "-a", f"{own}(depth=2)", "--trace", str(path), "--force")
    assert path.read_text() == "mine"
    assert {each.name for each in tmp_path.iterdir()} <= {"search.trace", "failing.py", "__pycache__"}


def test_a_full_disk_is_reported_in_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Path.open

    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    def opened(path: Path, mode: str = "r", *arguments: Any, **options: Any) -> IO[Any]:
        if "unfinished" not in path.name:
            return before(path, mode, *arguments, **options)
        path.touch()
        return io.BufferedWriter(Full())

    monkeypatch.setattr(Path, "open", opened)
    path = tmp_path / "search.trace"
    assert "no space left on device" in complaint(capsys, "analyze", "tictactoe", "--depth", "3", "--trace", str(path))
    assert list(tmp_path.iterdir()) == []


def test_a_trace_is_printed_as_it_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "search.trace"
    output(capsys, "analyze", TWO_PLY, "--trace", str(path))
    assert output(capsys, "analyze", TWO_PLY, "--trace", "-") == path.read_text()
