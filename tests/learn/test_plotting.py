"""`gamesearch learn --plot` and `--compare`; if there are too few games for a conclusion, the output says so."""

import io
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from commands import complaint, output
from rich.console import Console

from gamesearch.commands.learning.learn.view import learned_view
from gamesearch.learned.weights_files import LearnedWeights, MatchScore

pytestmark = pytest.mark.usefixtures("unchecked")
OWN = str(Path(__file__).with_name("own_game.py"))
SLOW = ("--speed", "interpreted")


def test_strength_is_drawn_against_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to, picture = tmp_path / "learned.json", tmp_path / "curve.svg"
    arguments = ["learn", "tictactoe", "--patterns", "own", "--method", "td", "--games", "50"]
    found = output(capsys, *arguments, "--to", str(to), "--plot", str(picture), *SLOW)
    assert "A  against the game's own evaluation" in found
    assert "games" in found
    assert "B  against random" in found
    assert "are too few to decide whether the new weights are stronger" in found
    letters = [each.text for each in ET.fromstring(picture.read_text()).iter() if each.text in ("A", "B")]
    assert {*letters} == {"A", "B"}


def test_the_loss_is_printed_with_its_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for method, name in (("outcomes", "mean log loss"), ("td", "mean squared TD error")):
        arguments = ("learn", OWN, "--method", method, "--games", "20", "--depth", "1", *SLOW)
        loss = json.loads(output(capsys, *arguments, "--to", str(tmp_path / f"{method}.json"), "--json"))["loss"]
        assert f"{name} {loss:.4f}" in output(capsys, *arguments, "--to", str(tmp_path / f"{method}-again.json"))


def test_a_match_calls_its_players_by_their_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    files = [str(tmp_path / name) for name in ("one.json", "other.json")]
    for seed, file in enumerate(files):
        output(capsys, "learn", OWN, "--games", "20", "--depth", "1", "--seed", str(seed), "--to", file, *SLOW)
    arguments = ("learn", OWN, "--compare", *files, "--games", "20", *SLOW)
    found = output(capsys, *arguments)
    assert "20 of 20 games" in found
    assert all(f"{letter}  {file}\n" in found for letter, file in zip("AB", files, strict=True))
    assert "seeing" not in found
    assert json.loads(output(capsys, *arguments, "--json"))["games"] == 20
    assert "--compare plays only a match" in complaint(capsys, *arguments, "--to", files[0])


def test_few_games_have_wide_intervals() -> None:
    low, high = MatchScore("random", 10, 0.0).interval
    assert low == 0
    assert high == pytest.approx(0.278, abs=0.001)  # Wilson's interval for 0 successes in 10
    low, high = MatchScore("random", 10, 5.0).interval
    assert low == pytest.approx(0.237, abs=0.001)
    assert high == pytest.approx(0.763, abs=0.001)


def test_weaker_weights_are_not_recommended() -> None:
    def show(points: float) -> str:
        beat = (MatchScore("the weights before", 40, points), MatchScore("random", 40, 38))
        learned = LearnedWeights(
            game="othello", parameters={"size": 8}, features=("discs",), weights=(2.0,), method="outcomes", games=20,
            seed=0, beat=beat,
        )  # fmt: skip
        console = Console(width=120, record=True, file=io.StringIO())
        console.print(learned_view(learned, (1.0,), "", "x.json"))
        return console.export_text()

    weaker = show(13)  # a score of 33 %, with an interval from 20 to 48 %
    assert "x.json is weaker than the weights before: learn from more than 20 games" in weaker
    assert "play with it" not in weaker
    for points in (15, 30):  # scores of 38 % (interval 24 to 53 %) and 75 % (60 to 86 %)
        assert "play with it: othello(size=8, weights=x.json)" in show(points)
        assert "weaker than" not in show(points)
