"""`gamesearch database` on the command line."""

import json
from pathlib import Path

import pytest
from commands import Cli

SMALL = ("checkers(size=4)", "2", "--speed", "interpreted", "--to")


def test_layers_are_built_once_and_listed(cli: Cli, tmp_path: Path) -> None:
    captured = cli.run("database", *SMALL, tmp_path)
    assert [line.split() for line in captured.out.splitlines()[1:]] == [
        ["1", "28", "14", "0", "14", "40", "1"],
        ["2", "342", "139", "94", "109", "184", "5"],
    ]
    assert captured.err.count("positions solved in") == 2
    data = cli.data("database", *SMALL, tmp_path)
    assert [layer["positions"] for layer in data["layers"]] == [28, 342]
    assert [layer["seconds"] for layer in data["layers"]] == [0, 0]
    assert cli.run("database", *SMALL, tmp_path, "--verify").err.count("positions verified in") == 2


def test_a_terminal_shows_how_far_a_layer_is(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = list[str]()
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("rich.status.Status.update", lambda _, text: shown.append(text))
    cli.run("database", *SMALL, tmp_path)
    assert any(": 0% of" in text for text in shown)
    assert all(text.endswith("Ctrl-C stops") for text in shown)


def test_points_are_no_wins(cli: Cli, tmp_path: Path) -> None:
    arguments = ("database", "kalah(pits=1, seeds=1)", "2", "--to", str(tmp_path), "--speed", "interpreted")
    assert cli.output(*arguments).splitlines()[0].split() == (
        ["layer", "positions", "gains", "more", "even", "gains", "less", "bytes"]
    )


def test_ctrl_c_says_that_nothing_is_lost(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("gamesearch.solvers.databases.building.write_layer", interrupted)
        assert "the same command continues" in cli.run("database", *SMALL, tmp_path, code=130).err
    cli.run("database", *SMALL, str(tmp_path))


def test_solve_answers_from_a_database(cli: Cli, tmp_path: Path) -> None:
    cli.run("database", *SMALL, tmp_path)
    arguments = ("solve", "checkers(size=4)", "W:WK7:BK2", "--speed", "interpreted", "--json")
    known = json.loads(cli.output(*arguments, "--database", tmp_path))
    found = json.loads(cli.output(*arguments, "--method", "retrograde"))
    for name in ("value", "distance", "best", "moves"):
        assert known[name] == found[name]
    assert known["method"] == "database"
    assert "is in no layer of" in cli.refusal("solve checkers(size=4) B:W7,8:B1,K3 --database", tmp_path)
