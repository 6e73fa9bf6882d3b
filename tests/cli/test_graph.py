"""`gamesearch graph` on the command line."""

import io
import json
import shutil
from pathlib import Path

import pytest
from commands import complaint

from gamesearch.cli import run

SIX = ["nim(heaps=6, max_take=3)", "6", "6 min"]


def test_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", "nim(heaps=2, max_take=3)"]) == 0
    assert capsys.readouterr().out.splitlines() == [
        "position   player   value   distance   best moves",
        "2          Max         +1          1   a2",
        "1 min      Min         -1          1   a1",
        "0 min      end         +1          0",
        "0          end         -1          0",
        "",
        "4 positions, 3 moves, 1 start",
    ]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", *SIX, "--json"]) == 0
    graph = json.loads(capsys.readouterr().out)
    assert graph["starts"] == [0, 1]
    assert graph["positions"][1] == {
        "position": "6 min", "player": "Min", "value": -1, "distance": 3, "best": ["a2"],
        "moves": [
            {"move": "a1", "to": 5, "quality": "worse"},
            {"move": "a2", "to": 6, "quality": "best"},
            {"move": "a3", "to": 7, "quality": "worse"},
        ],
    }  # fmt: skip


def test_chance(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", "pig(target=1)", "--json"]) == 0
    positions = json.loads(capsys.readouterr().out)["positions"]
    assert positions[1]["player"] == "chance"
    assert [move["probability"] for move in positions[1]["moves"]] == pytest.approx([1 / 6] * 6)
    assert positions[0]["value"] == pytest.approx(6 / 7)  # five of six rolls win, otherwise the opponent rolls


def test_a_game_grows_with_its_positions(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["graph", "nim", "2", "3 min"]) == 0
    assert "6 positions" in capsys.readouterr().out


needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz, which draws, is not installed")


@needs_graphviz
@pytest.mark.parametrize(("suffix", "begins"), [("html", "<!DOCTYPE html>"), ("svg", "<svg "), ("dot", "digraph ")])
def test_it_is_drawn_in_a_file(suffix: str, begins: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"graph.{suffix}"
    assert run(["graph", *SIX, "--to", str(file)]) == 0
    assert file.read_text(encoding="utf-8").startswith(begins)
    printed = capsys.readouterr()
    assert (printed.out, printed.err) == ("", f"drawn in {file}\n")


def test_without_graphviz_the_sentence_says_what_to_install(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for suffix in ("svg", "html"):
        said = complaint(capsys, "graph", *SIX, "--to", str(tmp_path / f"graph.{suffix}"))
        assert "Graphviz draws this picture and is not installed: `apt install graphviz`" in said
    assert run(["graph", *SIX, "--to", str(tmp_path / "graph.dot")]) == 0
    assert [file.name for file in tmp_path.iterdir()] == ["graph.dot"]


@needs_graphviz
def test_a_file_is_replaced_by_force_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "graph.svg"
    file.write_text("mine")
    assert run(["graph", *SIX, "--to", str(file)]) == 2
    assert "exists already" in capsys.readouterr().err
    assert file.read_text() == "mine"
    assert run(["graph", *SIX, "--to", str(file), "--force"]) == 0
    assert file.read_text(encoding="utf-8").startswith("<svg ")


def test_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("XX./OO./..X\n"))
    assert run(["graph", "tictactoe", "-"]) == 0
    assert "25 positions, 30 moves" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tictactoe"], "tictactoe has 5,478 positions from here: more than 200 are too many to look at"),
        (["tictactoe", "XX./OO./...", "--most", "50"], "69 positions from here: more than 50"),
        (["tictactoe"], "give a later POSITION, or allow up to 1,000 with --most N\n"),
        (["tictactoe", "--most", "1000"], "give a later POSITION\n"),
        (["go"], "depend on earlier positions"),
        (["nim", "2,3", "3,2"], "'2,3' is a position of another game than '3,2'"),
        (["nim", "x"], "is not heaps of Nim"),
        (["nim", "3", "--to", "graph.png"], "it should end in .html, .svg or .dot"),
        (["nim", "3", "--to", "no/such/graph.svg"], "there is no folder"),
        (["nim", "3", "--most", "0"], "--most"),
    ],
)
def test_wrong_input_is_one_sentence(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in complaint(capsys, "graph", *arguments)
