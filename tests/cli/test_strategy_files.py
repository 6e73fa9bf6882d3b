"""`gamesearch solve --strategy` and `--check` on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import complaint, output

from gamesearch.cli import run

NIM = ("solve", "nim", "1,2", "--speed", "interpreted")


@pytest.fixture
def written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    """Return the strategy of a small game."""
    file = tmp_path / "nim.jsonl"
    assert run([*NIM, "--strategy", str(file)]) == 0
    assert "3 moves" in capsys.readouterr().err
    return file


def test_a_strategy_that_was_written_is_right(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    said = output(capsys, "solve", "--verify", str(written))
    assert "is correct: nim" in said
    assert "1,2 is worth 1, in 3 plies at most (proved by Max's moves)" in said
    assert run(["solve", "nim(heaps=1-2)", "--verify", str(written), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["holds"], found["value"], found["plies"], found["reason"]) == (True, 1, 3, "")


def test_a_strategy_that_was_changed_is_refused(written: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written.write_text(written.read_text().replace('"1,0", "move": "a1"', '"1,0", "move": "b1"'))
    assert "does not prove its claim: 'b1' is not a legal move in '1,0'" in output(
        capsys, "solve", "--verify", str(written), code=1
    )


def test_both_sides_of_a_draw(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "draw.jsonl"
    output(capsys, "solve", "tictactoe", "X../.O./...", "--speed", "interpreted", "--strategy", str(file))
    assert "Max's moves prove that it is not less, Min's that it is not more" in output(
        capsys, "solve", "--verify", str(file)
    )


def test_what_cannot_be_is_refused(written: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "exists already" in complaint(capsys, *NIM, "--strategy", str(written))
    assert run([*NIM, "--strategy", str(written), "--force"]) == 0
    capsys.readouterr()
    assert "not for nim(heaps=1-3)" in complaint(capsys, "solve", "nim(heaps=1-3)", "--verify", str(written))
    assert "leave out POSITION" in complaint(capsys, "solve", "nim", "1,2", "--verify", str(written))
    assert "there is no file" in complaint(capsys, "solve", "--verify", str(tmp_path / "none.jsonl"))
    assert "missing argument 'GAME'" in complaint(capsys, "solve")


def test_an_interrupted_write_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    assert run([*NIM, "--strategy", str(tmp_path / "nim.jsonl")]) == 130
    assert list(tmp_path.iterdir()) == []
