"""`gamesearch analyze --beliefs` on the command line."""

import json
from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import complaint

from gamesearch.cli import run

SLOW = ("--speed", "interpreted")
LECTURE = "[[99,1000,1000,1000],[100,101,102,100]]"
SVG = "{http://www.w3.org/2000/svg}"


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert run(["analyze", *arguments, *SLOW]) == 0
    return capsys.readouterr().out


def test_the_lecture_s_tree_in_one_command(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "beliefs.svg"
    text = printed(
        capsys, LECTURE, "-a", "beliefs(error=5, leaves=payoffs, draws=50000)", "--beliefs", "--to", str(file)
    )
    lines = [line.split() for line in text.splitlines()]
    assert ["a", "99", "5.01", "71", "%"] in [line[:5] for line in lines]
    assert next(line[-2:] for line in lines if line[:2] == ["a", "99"]) == ["71", "%"]  # for a random choice
    drawn = [line for line in text.splitlines() if "@" in line]
    assert [line[0] for line in drawn] == ["a", "b"]
    assert drawn[0].index("@") > drawn[1].index("@")
    root = ElementTree.parse(file).getroot()
    assert len(root.findall(f"{SVG}path")) == 2
    words = [each.text for each in root.findall(f"{SVG}text")]
    assert {"a", "b", "99, best 71 %"} <= set(words)


def test_beliefs_are_searched_where_no_algorithm_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    data = json.loads(printed(capsys, "tictactoe", "XX./OO./...", "--beliefs", "--json"))
    assert data["algorithm"] == "beliefs"
    assert data["beliefs"][0]["move"] == data["best"] == "3"
    assert data["beliefs"][0]["best"] == pytest.approx(1)
    for each in data["beliefs"]:
        assert sum(each["masses"]) == pytest.approx(1)
        middle = sum((each["least"] + i * each["step"]) * mass for i, mass in enumerate(each["masses"]))
        assert middle == pytest.approx(each["mean"], abs=each["step"] / 2 + 1e-6)


def test_plain_characters_and_many_moves(capsys: pytest.CaptureFixture[str]) -> None:
    text = printed(capsys, "gomoku(size=5)", "-a", "beliefs(expansions=2, error=0.3)", "--beliefs", "--ascii")
    assert text.isascii()
    assert "and 13 more moves" in text
    assert "@" in text


def test_outcomes_of_dice_have_probabilities_and_none_is_best(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file, dice = tmp_path / "dice.svg", "{1/4: [1,2,3], 3/4: [[5,6],[7,8]]}"
    search = ("-a", "beliefs(error=2, leaves=payoffs, draws=100)", "--beliefs")
    text = printed(capsys, dice, *search, "--to", str(file), "--ascii")
    assert " best" not in text
    assert "%" not in text
    rows = [line.split() for line in text.splitlines()]
    assert ["outcome", "mean", "probability"] in rows
    assert [row[0::2][:2] for row in rows if "@" in "".join(row)] == [["a", "1/4"], ["b", "3/4"]]
    words = [each.text for each in ElementTree.parse(file).getroot().findall(f"{SVG}text")]
    assert any(each and each.endswith(", probability 3/4") for each in words)
    data = json.loads(printed(capsys, dice, *search, "--json"))
    assert [(each["best"], each["sampled"]["best"]) for each in data["beliefs"]] == [(None, None)] * 2
    assert "and 9 more outcomes" in printed(capsys, "backgammon", "max", "-a", "beliefs(expansions=1)", "--beliefs")


def test_a_finished_game_has_no_beliefs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "none.svg"
    assert "the game is over" in printed(capsys, "tictactoe", "XXX/OO./...", "--beliefs", "--to", str(file))
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tictactoe", "-a", "minimax", "--beliefs"], "minimax does not compute beliefs"),
        (["tictactoe", "--to", "beliefs.svg"], "add --beliefs"),
        (["tictactoe", "--beliefs", "--to", "beliefs.png"], "should end in .svg"),
        (["tictactoe", "--beliefs", "--why-not", "1"], "leave out --beliefs"),
        ([LECTURE, "-a", "beliefs(leaves=payoffs)", "--beliefs"], "needs error="),
    ],
)
def test_what_cannot_be_drawn_is_said(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert said in complaint(capsys, "analyze", *arguments, *SLOW)
