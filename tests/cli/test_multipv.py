"""`gamesearch analyze --multipv`: the best moves with their principal variations, during the search and afterwards."""

import json

import pytest
from commands import complaint, output
from terminal import Terminal

SMALL = "connect4(rows=4, columns=4)"
SLOW = ("--speed", "interpreted")


def test_the_best_moves_with_their_lines(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "analyze", "tictactoe", "XX./OX./.OO", "--multipv", "2", *SLOW)
    rows = [line.split() for line in text.partition("move   value")[2].splitlines()[1:3]]
    assert rows == [["3", "+1", "X", "wins", "in", "1", "move"], ["7", "0", "draw", "3", "6"]]
    assert "\n6 " not in text
    assert "have no value" not in text


def test_lines_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    given = ("analyze", SMALL, "--multipv", "2", "--nodes", "2000", "--json", *SLOW)
    answer = json.loads(output(capsys, *given))
    assert [each["line"][0] for each in answer["moves"]] == [each["move"] for each in answer["moves"]]
    assert answer["moves"][0]["line"] == answer["line"]
    assert len(answer["moves"]) == 2
    assert {len(each["line"]) for each in answer["moves"]} == {answer["statistics"]["depth"]}


def test_lines_of_all_moves_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(output(capsys, "analyze", SMALL, "--moves", "--depth", "4", "--json", *SLOW))
    assert {len(each["line"]) for each in answer["moves"]} == {4}


@pytest.mark.parametrize("flag", [("--moves",), ("--tree",), ("--trace", "a.trace")])
def test_what_does_not_go_together(flag: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert f"leave out {flag[0]}" in complaint(capsys, "analyze", SMALL, "--multipv", "2", *flag)


def test_a_table_grows_and_ctrl_c_keeps_what_there_is(terminal: Terminal) -> None:
    terminal.run("analyze", SMALL, "--multipv", "3", "--time", "600", *SLOW)
    screen = terminal.wait_for("depth", "Ctrl-C stops", "\n    4 ")
    rows = [line.split() for line in screen.splitlines()]
    assert [row[0] for row in rows if row[:1] and row[0] in "1234"][:3] == ["1", "2", "3"]
    terminal.press("C-c")
    screen = terminal.wait_for("stopped: it was interrupted; the answer is that of depth", "code=130")
    assert "Ctrl-C stops" not in screen
    assert "\nmove " in screen
