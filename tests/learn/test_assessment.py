"""`gamesearch bench --evaluation`: what makes an evaluation good."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import complaint, output
from hypothesis import given
from hypothesis import strategies as st

from gamesearch.learn.assessment import rank_correlation, ranks, share_of_ties
from gamesearch.registry import load

DOTS = """
from gamesearch.bits import popcount


def evaluate(game, s):
    return -0.1 * popcount(s.dots)
"""


def assessed(capsys: pytest.CaptureFixture[str], game: str) -> Any:
    return json.loads(output(capsys, "bench", game, "--evaluation", "--json", "--speed", "interpreted"))


def test_an_evaluation_by_the_dots_that_are_left_cannot_decide(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "dots.py").write_text(DOTS)
    layout = "layout=#######/#P...##/#.#####/#.....#/#######"
    own, dots = (assessed(capsys, f"pacman({layout}{more})") for more in ("", f", evaluation={tmp_path / 'dots.py'}"))
    assert dots["ties"] > 2 * own["ties"]
    assert own["strength"] > dots["strength"] + 10  # a dot more at least, mostly many
    assert own["has_winner"] is False
    assert own["strength"] > own["by_lot"]


def test_a_small_game_is_judged_by_exact_values(capsys: pytest.CaptureFixture[str]) -> None:
    found = assessed(capsys, "othello(size=4)")
    assert found["is_solved"] is True
    assert 0.3 < found["correlation"] <= 1
    assert found["strength"] > 0.6
    assert found["nanoseconds"] > 0
    text = output(capsys, "bench", "nim", "--evaluation", "--speed", "interpreted")
    assert "of choices have several moves of the best estimate" in text
    assert "of the points against moves by lot, at depth 1" in text
    assert re.search(r"strength +\d+ %  of the points against moves by lot, at 5 ms a move", text)
    assert found["strength_in_time"] >= 0.6  # it sees much farther than a ply


def test_without_an_estimate_all_moves_tie() -> None:
    game: Any = load("tictactoe")
    assert share_of_ties(game, [game.initial(), game.parse("XO./.../...")]) == 1
    assert share_of_ties(game, [game.parse("XX./OO./...")]) == 0  # one move wins


numbers = st.lists(st.integers(-3, 3), min_size=2, max_size=12)


@given(numbers)
def test_ranks_share_the_mean_of_their_places(values: list[int]) -> None:
    found = ranks(np.array(values, float))
    assert found.sum() == pytest.approx(len(values) * (len(values) + 1) / 2)
    for value, rank in zip(values, found, strict=True):
        below, equal = sum(each < value for each in values), values.count(value)
        assert rank == below + (equal + 1) / 2


@given(numbers)
def test_what_rises_correlates_wholly(values: list[int]) -> None:
    one = np.array(values, float)
    wanted = 1.0 if len(set(values)) > 1 else 0.0
    assert rank_correlation(one, np.exp(one)) == pytest.approx(wanted)
    assert rank_correlation(one, -one) == pytest.approx(-wanted)


def test_what_does_not_go_together_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "leave out all but" in complaint(capsys, "bench", "nim", "--evaluation", "--nodes", "9")
    assert "players" in complaint(capsys, "bench", "yavalath(players=3)", "--evaluation")
