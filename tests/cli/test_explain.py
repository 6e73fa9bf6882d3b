"""`gamesearch analyze --explain` on the command line."""

import json
import re
from typing import Any

import pytest
from recordings import TWO_PLY

from gamesearch.cli import run


def output(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["analyze", *arguments, "--explain", "--speed", "interpreted"]) == 0
    return capsys.readouterr().out


def data(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(output(capsys, *arguments, "--json"))["explanation"]


def test_sentences_for_each_move(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "tictactoe", "XX./OX./.OO")
    assert "Why 3? It is best for X (Max): X wins in 1 move.\n" in text
    assert "7 is worse: draw; the reply is 3 6.\n6 is worse: O wins in 1 move; the reply is 7.\n" in text
    assert "After 1 ply the game is over; the payoff is +1.\n" in text
    assert "The best move is the same at all depths: 3 at depths 1 to 3.\n" in text


def test_payoffs_are_compared(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, TWO_PLY)
    assert "Why a? It is best for Max: the value is 3, with a a.\n" in text
    assert "c is worse by 1: the value is 2; the reply is c.\n" in text
    text = output(capsys, "[max[3,4],max[4]]")
    assert "b has the same value: the value is 4" in text
    text = output(capsys, "min[1,5]")
    assert (
        "Why a? It is best for Min: the value is 1.\nb is worse by 4: the value is 5, and the game is over.\n" in text
    )


def test_the_horizon(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "tictactoe", "X../.../...")
    assert "The best move changes with the depth: 2 at depths 1 to 5, 5 at depths 6 to 8." in text
    assert "does not see beyond its horizon" in text
    assert "\n6               5             0\n" in text


def test_features(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "connect4", "4453", "--depth", "3", "-a", "alphabeta")
    assert "After 3 plies the search stops; the evaluation of the position there is 0.0312:\n" in text
    assert re.search(r"^stones in the middle +2 +0\.0156 +0\.0312$", text, re.MULTILINE)
    assert re.search(r"^sum +0\.0312$", text, re.MULTILINE)
    assert "computed from the sum of these features" in output(capsys, "pig(target=20)", "5,3,4", "--depth", "3")


def test_chance_and_more_players(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "pig(target=20)", "5,3,4", "--depth", "3")
    assert "hold is worse by " in text
    assert "After 1 ply chance decides" in text
    text = output(capsys, "{1/2: 8, 1/3: 24, 1/6: -12}")
    assert "Chance decides here: the value is the mean" in text
    assert "b has probability 1/3: the value is 24, and the game is over.\n" in text
    text = output(capsys, "[(1,2,6),(4,2,3)]")
    assert "Why b? It is best for P1: the value is (4, 2, 3).\na is worse by 3: the value is (1, 2, 6)" in text
    text = output(capsys, "tictactoe", "XX./OO./...", "-a", "expectimax")
    assert "9 is worse by 0.875: the value is +0.125.\n" in text


def test_moves_that_come_to_the_same_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "[5,3,3,3,3,3,3,3,2]")
    assert (
        "Each of 7 other moves (b, c, d, e, f, g, ...) is worse by 2: the value is 3.\n"
        "i is worse by 3: the value is 2, and the game is over.\n"
    ) in text
    assert "b is worse by 2" in output(capsys, "[5,3,3,3,3,3,3,2]")
    text = output(capsys, "{1/8: 1, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2}")
    assert "One of 7 outcomes (b, c, d, e, f, g, ...) has probability 7/8: the value is 2.\n" in text


def test_nothing_is_chosen_by_chance_at_any_depth(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "{[1,2],[3,4]}")
    assert "\ndepth   value for Max\n1                 2.5\n2                   3\n" in text
    assert "\ndepth   best move   value for Max\n" in output(capsys, TWO_PLY)


def test_a_finished_game_needs_no_explanation(capsys: pytest.CaptureFixture[str]) -> None:
    assert "the game is over" in output(capsys, "tictactoe", "XXX/OO./...")
    assert data(capsys, "tictactoe", "XXX/OO./...") is None


def test_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    answer = data(capsys, TWO_PLY)
    assert answer["moves"][1] == {"move": "b", "value": 2, "distance": None, "line": ["a"]}
    assert answer["depths"] == [{"depth": 1, "value": 8, "best": "a"}, {"depth": 2, "value": 3, "best": "a"}]
    assert (answer["ending"]["kind"], answer["ending"]["plies"], answer["ending"]["value"]) == ("over", 2, 3)
    features = data(capsys, "connect4", "4453", "--depth", "3", "-a", "alphabeta")["ending"]["features"]
    assert features[1] == {"name": "stones in the middle", "amount": 2, "weight": 1 / 64, "product": 1 / 32}
    assert json.loads(json.dumps(answer)) == answer


def test_without_the_option_nothing_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", TWO_PLY, "--speed", "interpreted", "--json"]) == 0
    assert "explanation" not in json.loads(capsys.readouterr().out)


def test_of_playouts_nothing_is_said_by_depth(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "tictactoe", "-a", "mcts(playouts=50)")
    assert "Why" in text
    assert "depth" not in text.partition("Why")[2]


def test_a_depth_is_refused_where_there_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", "tictactoe", "-a", "mcts(playouts=50)", "--depth", "3"]) == 2
    assert "mcts has no depth" in capsys.readouterr().err
