"""`gamesearch solve` on the command line."""

import json
import re

import pytest
from commands import complaint, output

from gamesearch.algorithms.engine.result import Progress
from gamesearch.cli import run
from gamesearch.cli.progress import how_far


def test_a_won_position_is_told_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "tictactoe", "XX./OO./..."]) == 0
    printed = capsys.readouterr().out
    assert "X wins in 1 move" in printed
    assert "69 positions" in printed


def test_moves_are_listed_best_first(capsys: pytest.CaptureFixture[str]) -> None:
    for position, named in (("XX./OX./.OO", ["3", "7", "6"]), ("X../.O./..X", ["2", "4", "6", "8", "3", "7"])):
        assert run(["solve", "tictactoe", position, "--speed", "interpreted"]) == 0
        lines = capsys.readouterr().out.splitlines()
        table = lines[lines.index("move   value for X") + 1 :]
        assert [line.split()[0] for line in table[: len(named)]] == named
        assert run(["solve", "tictactoe", position, "--speed", "interpreted", "--json"]) == 0
        assert [each["move"] for each in json.loads(capsys.readouterr().out)["moves"]] == named


def test_whose_turn_it_is_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "checkers", "W:WK18:BK3", "--method", "retrograde", "--speed", "interpreted"]) == 0
    text = capsys.readouterr().out
    assert text.count("to move") == 1
    assert "\nWhite (Min) to move\n" in text


@pytest.mark.parametrize("method", ["auto", "memo", "retrograde", "grundy", "search"])
def test_every_method_finds_the_only_winning_move(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "nim", "3,4,5", "--method", method, "--speed", "interpreted", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["value"], answer["best"]) == (1, ["a2"])
    assert answer["distance"] == 11


def test_what_is_not_counted_is_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "nim", "1,2", "--method", "proof", "--speed", "interpreted"]) == 0
    told = capsys.readouterr().out.splitlines()[-1]
    assert told.startswith("method proof, ")
    assert "kept" not in told


def test_json_has_the_promised_keys(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "tree", "[[3,12,8],[2,4,6],[14,5,2]]", "--speed", "interpreted", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert {"value", "distance", "best", "method", "positions"} <= set(answer)
    assert (answer["value"], answer["best"], answer["positions"]) == (3, ["a"], 13)


def test_grundy_numbers_are_shown_with_their_nim_sum(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "nim", "1000,5,7", "--method", "grundy"]) == 0
    assert "nim-sum" in capsys.readouterr().out


def test_a_finished_game_is_solved_too(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "tictactoe", "XXX/OO./...", "--speed", "interpreted"]) == 0
    assert "the game is over" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tictactoe", "--method", "grundy"], "use memo"),
        (["pig", "--method", "memo"], "use iteration"),
        (["pig", "--method", "retrograde"], "use iteration"),
        (["[[(1,2,3),(4,5,6)]]"], "use analyze with maxn"),
        (["tictactoe", "XXX/OOO/..."], "three in a row"),
        (["nim", "3,-1,5"], "-1"),
        (["tictacto"], "did you mean tictactoe?"),
        (["tictactoe", "--method", "magic"], "magic"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in complaint(capsys, "solve", *arguments)


def test_the_table_of_grundy_numbers_names_its_period(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "kayles", "5-3", "--speed", "interpreted"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "Grundy  5: 4, 3: 3; nim-sum 7" in lines
    assert "  0  0* 1  2  3* 1  4  3* 2  1  4* 2  6*" in lines
    assert " 72  4  1  2  8  1  4  7  2  1  8  2  7" in lines
    assert any(line.startswith("period 12 from 71 on, proved by the numbers up to 167") for line in lines)


def test_json_has_the_table_of_grundy_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "dawson", "--speed", "interpreted", "--json"]) == 0
    table = json.loads(capsys.readouterr().out)["grundy_table"]
    assert table["period"] == {"length": 34, "begins": 52}
    assert table["exceptions"] == [0, 14, 16, 17, 31, 34, 51]
    assert table["values"][:14] == [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4]


def test_a_game_without_a_code_has_no_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "nim", "3,4,5", "--speed", "interpreted", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["grundy"] == {"3": 3, "4": 4, "5": 5}
    assert answer["grundy_table"] is None


def test_the_size_is_estimated_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "tictactoe", "--estimate"]) == 0
    assert capsys.readouterr().out.startswith("estimate: 5,478 positions, a tree of about ")
    assert run(["solve", "tictactoe", "--estimate", "--json", "--speed", "interpreted"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["positions"], answer["is_counted"], answer["method"]) == (5478, True, "memo")
    assert "leave out --estimate" in complaint(capsys, "solve", "nim", "--estimate")
    large = output(capsys, "solve", "connect4", "--estimate", "--speed", "interpreted")
    assert re.match(r"estimate: about [0-9.]+ \w+ positions \(very rough.*\), a tree of about ", large)
    assert re.search(r" nodes \(standard error [0-9]+%\)", large)


def test_what_is_long_is_estimated_before(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.solvers.estimate.estimated.__kwdefaults__", {"few": 100, "sample": 50, "seed": 1})
    assert run(["solve", "tictactoe", "X........", "--speed", "interpreted", "--verbose"]) == 0
    assert capsys.readouterr().err.startswith("estimate: ")


def test_how_far_it_is_and_how_long_still() -> None:
    assert how_far(Progress(nodes=250, seconds=2.0), 1000.0) == ", about 25%, 6.0 s left"
    assert how_far(Progress(nodes=250, seconds=2.0), 100.0) == ", more than estimated"
    assert how_far(Progress(nodes=250, seconds=2.0), 0.0) == ""


def test_the_nim_sum_stands_in_binary_columns(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["solve", "nim", "3,4,5", "--method", "grundy", "--speed", "interpreted"]) == 0
    text = capsys.readouterr().out
    rows = ["   3   0 1 1   = 3", "   4   1 0 0   = 4", "   5   1 0 1   = 5", "       -----", " sum   0 1 0   = 2"]
    assert "\n".join(["size   4 2 1", *rows]) in text
    assert "odd in the column 2: whoever moves wins" in text
    assert run(["solve", "kayles", "5-4-1", "--method", "grundy", "--speed", "interpreted"]) == 0
    assert run(["solve", "nim", "1,2,3", "--method", "grundy", "--speed", "interpreted"]) == 0
    assert "even in every column" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("connect4(rows=4, columns=4)", "1223"), "value  0  a draw with best play"),
        (("connect4(rows=4, columns=4)", "121314"), "2                1   X wins in 5 moves\n"),
        (("connect4(rows=4, columns=4)", "121314"), "4                0   draw\n"),
        (("connect4(rows=4, columns=4)", "121314"), "value  5  X wins in 1 move"),
        (("connect4(rows=4, columns=4)", "1213141"), "value  5  X has won"),
        (("dotsandboxes(1, 2)",), "b1-c1            -2   B wins by 2 boxes\n"),
        (("[[-1,1],[2,-2]]",), "value  -1 for Max; the game ends in 2 plies"),
        (("pig(target=5)",), "value  0.797  80 % chance for Max, the expected value"),
    ],
)
def test_a_value_is_said_in_words_where_it_tells_who_wins(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], said: str
) -> None:
    assert said in output(capsys, "solve", *arguments, "--speed", "interpreted")
