"""`gamesearch analyze --against` explains why another move is better than the user's move."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Cli
from recordings import TWO_PLY

from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.registry import load
from gamesearch.trace.reading import load_recording

SMALL = "connect4(rows=4, columns=4)"
NEARLY = "XX./OX./.OO"
SLOW = ("--speed", "interpreted")


def data(cli: Cli, *arguments: str) -> Any:
    return cli.data("analyze", *arguments)["against"]


def test_a_losing_move_is_explained_with_the_reply(cli: Cli) -> None:
    text = cli.output("analyze tictactoe", NEARLY, "--why-not", "6")
    assert (
        "Why not 6? It is worse than 3: O wins in 1 move; after 3, X wins in 1 move.\n"
        "O replies 7.\n3 ends the game: X wins in 1 move.\n" in text
    )
    assert "a deeper search" not in text


def test_the_loss_is_the_difference_of_two_searches(cli: Cli) -> None:
    game = load(SMALL)
    for position in ("12", "112", "3321"):
        s = game.parse(position)
        best = search(game, s, "alphabeta(depth=4)", speed="interpreted")
        for move in game.steps(s):
            name = game.move_name(s, move)
            found = data(cli, SMALL, position, "--why-not", name, "--depth", "4")
            alone = search(game, game.result(s, move), "alphabeta", limits=Limits(3), speed="interpreted")
            assert found["value"] == alone.value
            assert found["loses"] == abs(float(best.value or 0) - float(alone.value or 0))  # type: ignore[arg-type]
            assert found["line"] == game.line_names(s, (move, *alone.line))
            assert found["answer"] == found["line"][1]
            assert any(name in sentence for sentence in found["sentences"])


def test_the_features_of_two_lines_are_compared(cli: Cli) -> None:
    given = ("connect4", "4453", "--why-not", "1", "--depth", "3", "-a", "alphabeta")
    text = cli.output("analyze", *given)
    _, *rows = text.partition("feature at the end")[2].splitlines()
    assert [row.split()[-3:] for row in rows] == [["+0.0312", "+0.0156", "-0.0156"]]
    found = data(cli, *given)
    total = sum(each["best"] - each["tried"] for each in found["features"])
    assert total == pytest.approx(found["loses"])
    assert "deeper search may find other values" in found["sentences"][-1]


def test_the_best_move_and_one_as_good(cli: Cli) -> None:
    assert "It is the best move: X wins in 1 move." in data(cli, "tictactoe", NEARLY, "--why-not", "3")["sentences"][0]
    assert "has the same value as" in data(cli, "[max[3,4],max[4]]", "--why-not", "b")["sentences"][0]
    assert data(cli, "min[1,5]", "--why-not", "b")["sentences"][1] == "The game is then over."


def test_one_budget_is_for_both_moves(cli: Cli) -> None:
    given = ("analyze", SMALL, "--why-not", "1", "--nodes", "600", "--json", *SLOW)
    answer = json.loads(cli.output(*given))
    assert answer["statistics"]["nodes"] <= 301
    assert 1 <= answer["against"]["depth"] <= answer["statistics"]["depth"]


def test_the_refutation_as_a_tree_and_as_a_trace(cli: Cli, tmp_path: Path) -> None:
    file = str(tmp_path / "why.trace")
    text = cli.output("analyze", TWO_PLY, "--why-not", "c", "--tree", "--trace", file)
    assert "Min [-inf, +inf] = 2\n+-- a  end [-inf, +inf] = 14" in text
    recording = load_recording(file)
    assert (recording.header["position"], recording.end["value"], len(recording.nodes)) == ("c", 2, 4)
