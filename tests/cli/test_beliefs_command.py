"""`gamesearch analyze --beliefs` on the command line."""

from pathlib import Path
from xml.etree import ElementTree

import pytest
from commands import Cli

LECTURE = "[[99,1000,1000,1000],[100,101,102,100]]"
SVG = "{http://www.w3.org/2000/svg}"


def test_the_tree_of_the_lecture(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "beliefs.svg"
    algorithm = "beliefs(error=5, leaves=payoffs, draws=50000)"
    text = cli.output("analyze", LECTURE, "-a", algorithm, "--beliefs", "--to", file)
    lines = [line.split() for line in text.splitlines()]
    assert ["a", "99", "5.01", "71", "%"] in [line[:5] for line in lines]
    assert next(line[-2:] for line in lines if line[:2] == ["a", "99"]) == ["71", "%"]  # the random choice
    drawn = [line for line in text.splitlines() if "@" in line]
    assert [line[0] for line in drawn] == ["a", "b"]
    assert drawn[0].index("@") > drawn[1].index("@")
    root = ElementTree.parse(file).getroot()
    assert len(root.findall(f"{SVG}path")) == 2
    assert {"a", "b", "99, best 71 %"} <= {each.text for each in root.findall(f"{SVG}text")}


def test_beliefs_are_searched_if_no_algorithm_is_named(cli: Cli, tmp_path: Path) -> None:
    data = cli.data("analyze tictactoe XX./OO./... --beliefs")
    assert data["algorithm"] == "beliefs"
    assert data["beliefs"][0]["move"] == data["best"] == "3"
    assert data["beliefs"][0]["best"] == pytest.approx(1)
    for each in data["beliefs"]:
        assert sum(each["masses"]) == pytest.approx(1)
        middle = sum((each["least"] + i * each["step"]) * mass for i, mass in enumerate(each["masses"]))
        assert middle == pytest.approx(each["mean"], abs=each["step"] / 2 + 1e-6)
    file = tmp_path / "none.svg"
    assert "the game is over" in cli.output("analyze tictactoe XXX/OO./... --beliefs --to", file)
    assert not file.exists()


def test_outcomes_of_dice_have_probabilities_but_no_best_outcome(cli: Cli, tmp_path: Path) -> None:
    file, dice = tmp_path / "dice.svg", "{1/4: [1,2,3], 3/4: [[5,6],[7,8]]}"
    search = ("analyze", dice, "-a", "beliefs(error=2, leaves=payoffs, draws=100)", "--beliefs")
    text = cli.output(*search, "--to", file, "--ascii")
    assert " best" not in text
    assert "%" not in text
    rows = [line.split() for line in text.splitlines()]
    assert ["outcome", "mean", "probability"] in rows
    assert [row[0::2][:2] for row in rows if "@" in "".join(row)] == [["a", "1/4"], ["b", "3/4"]]
    words = [each.text for each in ElementTree.parse(file).getroot().findall(f"{SVG}text")]
    assert any(each and each.endswith(", probability 3/4") for each in words)
    found = cli.data(*search)["beliefs"]
    assert [(each["best"], each["sampled"]["best"]) for each in found] == [(None, None)] * 2
    assert "and 9 more outcomes" in cli.output("analyze backgammon max -a beliefs(expansions=1) --beliefs")
