"""`gamesearch bench --evaluation` measures how good an evaluation is."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from commands import complaint, output
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from gamesearch.commands.measuring.bench import assessment_view
from gamesearch.learn import assessment
from gamesearch.learn.assessment import (
    Assessment,
    Exactness,
    correlation_of_games,
    rank_correlation,
    ranks,
    self_play,
    share_of_ties,
)
from gamesearch.learn.searched_play import new_searcher
from gamesearch.registry import load
from gamesearch.solvers.solving import solve

DOTS = """
from gamesearch.toolkit.bits import popcount


def evaluate(game, s):
    return -0.1 * popcount(s.dots)
"""


def assess(capsys: pytest.CaptureFixture[str], game: str) -> Any:
    return json.loads(output(capsys, "bench", game, "--evaluation", "--json", "--speed", "interpreted"))


def test_an_evaluation_by_remaining_dots_cannot_choose_a_move(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, fewer in (("GAMES", 12), ("ENOUGH_POSITIONS", 300), ("PLIES", 500), ("SECONDS_OF_A_MOVE", 0.001)):
        monkeypatch.setattr(assessment, name, fewer)
    (tmp_path / "dots.py").write_text(DOTS)
    layout = "layout=#######/#P...##/#.#####/#.....#/#######"
    own, dots = (assess(capsys, f"pacman({layout}{more})") for more in ("", f", evaluation={tmp_path / 'dots.py'}"))
    assert dots["ties"] > 2 * own["ties"]
    assert own["strength"] > dots["strength"] + 10  # at least one more dot, usually many more
    assert own["has_winner"] is False
    assert own["strength"] > own["strength_of_random_moves"]


def test_a_small_game_is_judged_by_exact_values(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assessment, "SECONDS_OF_A_MOVE", 0.002)
    found = assess(capsys, "othello(size=4)")
    assert found["is_solved"] is True
    assert 0.3 < found["correlation"] <= 1
    assert found["strength"] > 0.6
    assert found["nanoseconds"] > 0
    assert found["correlation_low"] < found["correlation"] < found["correlation_high"]
    assert 30 <= found["games"] <= found["positions"] == 200  # the number of positions to solve
    assert found["strength_in_time"] >= 0.6  # in this time, the search sees much more than one ply
    text = output(capsys, "bench", "pig(target=9)", "--evaluation", "--speed", "interpreted")
    assert re.search(r"positions of \d+ games\n +95 % interval -?\d\.\d\d to \d\.\d\d", text)
    assert "of positions have several moves with the best estimate" in text
    assert "of the points against random moves, at depth 1" in text
    assert re.search(r"strength +\d+ %  of the points against random moves, at 2 ms a move", text)
    unsure = Assessment("compiled", 4.0, 0.2, 200, 30, -0.18, -0.36, 0.04, False, 0.25, 1, 1.0, 0.005, 1.0, 0.5, True)
    Console(width=120).print(assessment_view(load("connect4"), unsure))
    said = "95 % interval -0.36 to 0.04: too few games to say if the evaluation is better than chance"
    shown = capsys.readouterr().out
    assert said in shown
    assert re.search(r"cost of a call +4 ns +0.2 times the cost of a move, compiled", shown)
    for measured in (0.0, 0.4):  # a call that costs almost nothing
        quick = replace(unsure, nanoseconds=measured, of_a_move=measured / 100)
        Console(width=120).print(assessment_view(load("connect4"), quick))
        said = r"cost of a call +< 1 ns +< 0.01 times the cost of a move, compiled"
        assert re.search(said, capsys.readouterr().out)


def test_confidence_intervals_contain_the_correlation_of_many_games() -> None:
    """No more than 12 of 100 intervals miss the true correlation, although all positions of a game share its result."""
    source, misses = np.random.default_rng(1), 0
    for _ in range(100):
        results = source.choice([-1.0, 1.0], 40)
        games = np.repeat(np.arange(40), 8)
        swing = np.repeat(source.normal(size=40), 8)  # all positions of a game share one random number
        found, low, high = correlation_of_games(0.3 * results[games] + swing, results[games], games)
        assert low <= found <= high
        misses += not low <= 0.275 <= high  # the correlation in 2 million such games
    assert misses <= 12


def test_self_play_continues_until_enough_positions_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assessment, "GAMES", 5)
    monkeypatch.setattr(assessment, "ENOUGH_POSITIONS", 200)
    with new_searcher(load("connect4(rows=4, columns=4)"), "interpreted") as searcher:
        seen = self_play(searcher, 1)
    assert 200 <= len(seen) < 250
    assert len({each.game for each in seen}) > 10


def test_errors_are_differences_from_exact_values(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("pig(target=4)")
    exact = Exactness(game, 1, "interpreted")
    assert len(set(exact.states)) > 10
    assert exact.error(game) > 0
    monkeypatch.setattr(game, "evaluate", lambda s: solve(game, s, speed="interpreted").value)
    assert exact.error(game) == pytest.approx(0)
    assert [done for done in range(10, 330, 10) if exact.is_due(done - 10, done, 320)] == [20, 40, 80, 160, 320]


numbers = st.lists(st.integers(-3, 3), min_size=2, max_size=12)


@given(numbers)
def test_equal_numbers_share_their_mean_rank(values: list[int]) -> None:
    found = ranks(np.array(values, float))
    assert found.sum() == pytest.approx(len(values) * (len(values) + 1) / 2)
    for value, rank in zip(values, found, strict=True):
        below, equal = sum(each < value for each in values), values.count(value)
        assert rank == below + (equal + 1) / 2


@given(numbers)
def test_monotonic_numbers_correlate_fully(values: list[int]) -> None:
    one = np.array(values, float)
    wanted = 1.0 if len(set(values)) > 1 else 0.0
    assert rank_correlation(one, np.exp(one)) == pytest.approx(wanted)
    assert rank_correlation(one, -one) == pytest.approx(-wanted)


def test_games_without_an_evaluation(capsys: pytest.CaptureFixture[str]) -> None:
    assert "nim has no evaluation: name a file" in complaint(capsys, "bench", "nim", "--evaluation")
    assert "leave out --nodes" in complaint(capsys, "bench", "nim", "--evaluation", "--nodes", "9")
    game: Any = load("tictactoe")  # without an estimate, all moves tie unless a move wins
    assert share_of_ties(game, [game.initial(), game.parse("XO./.../...")]) == 1
    assert share_of_ties(game, [game.parse("XX./OO./...")]) == 0
    assert "players" in complaint(capsys, "bench", "yavalath(players=3)", "--evaluation")
