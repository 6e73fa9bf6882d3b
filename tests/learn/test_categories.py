"""`gamesearch learn --categories`: what a feature is worth."""

import json
from pathlib import Path

import numpy as np
import pytest
from commands import complaint, output
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesearch.learn.categories import MOST_CATEGORIES, categories_of

OWN = str(Path(__file__).with_name("own_game.py"))


def test_whoever_is_ahead_wins_more(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["learn", OWN, "--categories", "sum", "--games", "60", "--speed", "interpreted", "--depth", "1"]
    found = json.loads(output(capsys, *arguments, "--json"))
    rows = found["categories"]
    assert (found["feature"], found["games"]) == ("sum", 60)
    assert rows[0]["value"] < rows[-1]["value"]
    assert rows[0]["label"].endswith(" or less")
    assert rows[-1]["label"].endswith(" or more")
    for row in rows:
        assert row["wins"] + row["draws"] + row["losses"] == pytest.approx(1)
        assert row["value"] == pytest.approx(row["wins"] - row["losses"])
        assert 1 <= row["games"] <= row["positions"]
    text = output(capsys, *arguments)
    assert "bar: + = -" in text


@settings(deadline=None)
@given(
    st.lists(
        st.tuples(st.floats(-50, 50), st.sampled_from([0.0, 0.5, 1.0]), st.floats(-1, 1), st.integers(0, 9)),
        min_size=1,
        max_size=60,
    )
)
def test_every_position_is_in_one_category(rows: list[tuple[float, float, float, int]]) -> None:
    array = np.array(rows, np.float64)
    found = categories_of(array)
    assert sum(each.positions for each in found) == len(rows)
    assert 1 <= len(found) <= MOST_CATEGORIES + 1
    mean = sum(each.value * each.positions for each in found) / len(rows)
    assert mean == pytest.approx(float(np.mean(2 * array[:, 1] - 1)))


def test_the_lectures_value() -> None:
    rows = np.array([[1.0, won, 0.0, number] for number, won in enumerate([1.0] * 5 + [0.5] * 4 + [0.0])])
    (found,) = categories_of(rows)
    assert (found.wins, found.draws, found.losses, found.games) == (0.5, 0.4, 0.1, 10)
    assert found.value == pytest.approx(0.4)


def test_what_cannot_be_told_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "has no feature 'material'" in complaint(capsys, "learn", "connect4", "--categories", "material")
    assert "leave out --to" in complaint(capsys, "learn", "connect4", "--categories", "discs", "--to", "a.json")
    assert "name a file" in complaint(capsys, "learn", "connect4")
