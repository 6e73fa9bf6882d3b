"""`gamesearch graph` on the command line."""

import shutil
from pathlib import Path

import pytest
from commands import Cli

SIX = ("nim(heaps=6, max_take=3)", "6", "6 min")


def test_the_table(cli: Cli) -> None:
    assert cli.output("graph", "nim(heaps=2, max_take=3)").splitlines() == [
        "position   player   value for Max   plies to end   best moves",
        "2          Max                 +1              1   a2",
        "1 min      Min                 -1              1   a1",
        "0 min      end                 +1              0",
        "0          end                 -1              0",
        "",
        "4 positions, 3 moves, 1 start",
    ]


def test_json(cli: Cli) -> None:
    graph = cli.data("graph", *SIX)
    assert graph["starts"] == [0, 1]
    assert graph["positions"][1] == {
        "position": "6 min", "player": "Min", "value": -1, "distance": 3, "best": ["a2"],
        "moves": [
            {"move": "a1", "to": 5, "quality": "worse"},
            {"move": "a2", "to": 6, "quality": "best"},
            {"move": "a3", "to": 7, "quality": "worse"},
        ],
    }  # fmt: skip


def test_chance(cli: Cli) -> None:
    positions = cli.data("graph pig(target=1)")["positions"]
    assert positions[1]["player"] == "chance"
    assert [move["probability"] for move in positions[1]["moves"]] == pytest.approx([1 / 6] * 6)
    assert positions[0]["value"] == pytest.approx(6 / 7)  # five of six rolls win, otherwise the opponent rolls


def test_positions_are_joined_and_read_from_standard_input(cli: Cli) -> None:
    assert "6 positions" in cli.output("graph nim 2 '3 min'")
    assert "25 positions, 30 moves" in cli.output("graph tictactoe -", typed="XX./OO./..X\n")


needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz, which draws, is not installed")


@needs_graphviz
@pytest.mark.parametrize(
    ("suffix", "begins"),
    [("html", "<!DOCTYPE html>"), ("svg", "<svg "), ("tex", "\\documentclass"), ("dot", "digraph ")],
)
def test_it_is_drawn_in_a_file(suffix: str, begins: str, tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / f"graph.{suffix}"
    assert cli.run("graph", *SIX, "--to", file) == ("", f"wrote {file}\n")
    assert file.read_text(encoding="utf-8").startswith(begins)


def test_without_graphviz_a_message_says_what_to_install(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for suffix in ("svg", "html"):
        said = cli.refusal("graph", *SIX, "--to", tmp_path / f"graph.{suffix}")
        assert "this picture needs Graphviz, which is not installed: `apt install graphviz`" in said
    cli.run("graph", *SIX, "--to", tmp_path / "graph.dot")
    assert [file.name for file in tmp_path.iterdir()] == ["graph.dot"]
