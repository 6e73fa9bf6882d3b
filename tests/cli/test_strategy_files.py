"""`gamesearch solve --strategy` and `--verify` on the command line."""

from pathlib import Path
from typing import Any

import pytest
from commands import Cli

NIM = ("solve", "nim", "1,2", "--speed", "interpreted")


@pytest.fixture
def written(tmp_path: Path, cli: Cli) -> Path:
    """Write the strategy of a small game, and return its file."""
    file = tmp_path / "nim.jsonl"
    assert "3 moves" in cli.run(*NIM, "--strategy", file).err
    return file


def test_a_strategy_that_was_written_is_right(written: Path, cli: Cli) -> None:
    said = cli.output("solve --verify", str(written))
    assert "is correct: nim" in said
    assert "1,2 is worth 1, in 3 plies at most (proved by Max's moves)" in said
    found = cli.data("solve nim(heaps=1-2) --verify", str(written))
    assert (found["holds"], found["value"], found["plies"], found["reason"]) == (True, 1, 3, "")


def test_a_strategy_that_was_changed_is_refused(written: Path, cli: Cli) -> None:
    written.write_text(written.read_text().replace('"1,0", "move": "a1"', '"1,0", "move": "b1"'))
    assert "does not prove its claim: 'b1' is not a legal move in '1,0'" in cli.output(
        "solve --verify", str(written), code=1
    )


def test_impossible_files_and_options_are_refused(written: Path, tmp_path: Path, cli: Cli) -> None:
    assert "exists already" in cli.refusal(*NIM, "--strategy", str(written))
    cli.run(*NIM, "--strategy", str(written), "--force")
    assert "not for nim(heaps=1-3)" in cli.refusal("solve nim(heaps=1-3) --verify", str(written))
    assert "leave out POSITION" in cli.refusal("solve nim 1,2 --verify", str(written))
    assert "there is no file" in cli.refusal("solve --verify", str(tmp_path / "none.jsonl"))
    assert "missing argument 'GAME'" in cli.refusal("solve")


def test_an_interrupted_write_leaves_no_file(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    cli.run(*NIM, "--strategy", tmp_path / "nim.jsonl", code=130)
    assert list(tmp_path.iterdir()) == []
