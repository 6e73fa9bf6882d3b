"""`gamesearch database` on the command line."""

import json
from pathlib import Path

import pytest
from commands import complaint, output

from gamesearch.cli import run

SMALL = ("checkers(size=4)", "2", "--speed", "interpreted", "--to")


def test_layers_are_built_once_and_listed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["database", *SMALL, str(tmp_path)]) == 0
    captured = capsys.readouterr()
    assert [line.split() for line in captured.out.splitlines()[1:]] == [
        ["1", "28", "14", "0", "14", "40", "1"],
        ["2", "342", "139", "94", "109", "184", "5"],
    ]
    assert captured.err.count("positions solved in") == 2
    data = json.loads(output(capsys, "database", *SMALL, str(tmp_path), "--json"))
    assert [layer["positions"] for layer in data["layers"]] == [28, 342]
    assert [layer["seconds"] for layer in data["layers"]] == [0, 0]
    assert run(["database", *SMALL, str(tmp_path), "--verify"]) == 0
    assert capsys.readouterr().err.count("positions right in") == 2


def test_a_terminal_shows_how_far_a_layer_is(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = list[str]()
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("rich.status.Status.update", lambda _, text: shown.append(text))
    assert run(["database", *SMALL, str(tmp_path)]) == 0
    assert any(": 0% of" in text for text in shown)
    assert all(text.endswith("Ctrl-C stops") for text in shown)
    capsys.readouterr()


def test_points_are_no_wins(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    arguments = ("database", "kalah(pits=1, seeds=1)", "2", "--to", str(tmp_path), "--speed", "interpreted")
    assert output(capsys, *arguments).splitlines()[0].split() == (
        ["layer", "positions", "gains", "more", "even", "gains", "less", "bytes"]
    )


def test_what_cannot_be_is_one_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert "chance nodes" in complaint(capsys, "database", "pig", "3", "--to", str(tmp_path))
    assert "name the most pieces" in complaint(capsys, "database", "checkers", "x", "--to", str(tmp_path))
    missing = str(tmp_path / "nothing")
    assert "there is no folder" in complaint(capsys, "database", *SMALL, missing, "--verify")
    assert "there is no folder" in complaint(
        capsys, "analyze", "checkers", "--algorithm", f"alphabeta(depth=1, database='{missing}')"
    )


def test_ctrl_c_says_that_nothing_is_lost(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("gamesearch.solvers.databases.building.write_layer", interrupted)
        assert run(["database", *SMALL, str(tmp_path)]) == 130
    assert "the same command continues" in capsys.readouterr().err
    assert run(["database", *SMALL, str(tmp_path)]) == 0


def test_solve_answers_from_a_database(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert run(["database", *SMALL, str(tmp_path)]) == 0
    capsys.readouterr()
    arguments = ("solve", "checkers(size=4)", "W:WK7:BK2", "--speed", "interpreted", "--json")
    known = json.loads(output(capsys, *arguments, "--database", str(tmp_path)))
    found = json.loads(output(capsys, *arguments, "--method", "retrograde"))
    for name in ("value", "distance", "best", "moves"):
        assert known[name] == found[name]
    assert known["method"] == "database"
    assert "is in no layer of" in complaint(
        capsys, "solve", "checkers(size=4)", "B:W7,8:B1,K3", "--database", str(tmp_path)
    )
