"""`gamesearch learn --patterns`: better than no evaluation, interrupted at any moment, the same at both speeds."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from choices import only_with_everything
from commands import complaint, output

from gamesearch.errors import GamesearchError
from gamesearch.learn.method import Task
from gamesearch.learn.patterns import Belief, PatternOutcomes, PatternTemporal, nearer_to_known, regressed
from gamesearch.learn.training import PATTERN_METHODS, Report, learn, settings_for
from gamesearch.learned.patterns import patterns_of
from gamesearch.play.files import write_file
from gamesearch.registry import load

SLOW = ("--speed", "interpreted")


def learned(to: Path, method: str, games: int = 60, stop_after: int = 0, workers: int = 1) -> Report | None:
    """Return the last report of a run; None if it stops after some reports, as if it were killed."""
    settings = settings_for(load("tictactoe"), method, games, 1, 1, workers, "own")
    last = None
    for number, report in enumerate(learn(settings, str(to), workers, "interpreted", write_file), 1):
        if number == stop_after:
            return None
        last = report
    return last


@pytest.mark.parametrize("method", PATTERN_METHODS)
def test_it_learns_what_beats_an_evaluation_that_says_nothing(
    method: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "learned.json"
    arguments = ["learn", "tictactoe", "--patterns", "own", "--to", str(to), "--games", "300", "--method", method]
    found = json.loads(output(capsys, *arguments, "--depth", "1", "--json", *SLOW))
    own, lot = found["beat"]
    assert own["points"] > 0.5 * own["games"]
    assert lot["points"] > 0.7 * lot["games"]
    assert found["command"].startswith("gamesearch learn tictactoe --patterns own --method")
    game = load(f"tictactoe(weights={to})")
    assert game.evaluate(game.parse("XX./OO./...")) > 0.2  # the side to move wins, X or O
    assert game.evaluate(game.parse("XX./OO./..X")) < -0.2


@pytest.mark.parametrize("method", PATTERN_METHODS)
def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(method: str, tmp_path: Path) -> None:
    whole, parted = tmp_path / "whole.json", tmp_path / "parted.json"
    last = learned(whole, method)
    assert last is not None
    assert learned(parted, method, stop_after=2) is None
    assert learned(parted, method, stop_after=1) is None
    again = learned(parted, method)
    assert again is not None
    assert whole.read_text() == parted.read_text()


def test_two_workers_learn_the_same_from_outcomes(tmp_path: Path) -> None:
    one, two = tmp_path / "one.json", tmp_path / "two.json"
    learned(one, "outcomes", 40)
    learned(two, "outcomes", 40, workers=2)
    assert one.read_text() == two.read_text()


@pytest.mark.xdist_group("patterns")
def test_both_speeds_play_and_learn_the_same() -> None:
    settings = settings_for(load("tictactoe"), "td", 200, 3, None, 1, "own")
    found = []
    for speed in ("interpreted", "compiled"):
        task = Task(settings, 0, 50, PatternTemporal(settings).state, speed)
        found.append(PatternTemporal.play(task)["weights"])
    assert found[0] == pytest.approx(found[1], rel=1e-9)
    assert found[0].any()


def test_what_symmetry_makes_equal_stays_equal() -> None:
    settings = settings_for(load("tictactoe"), "td", 200, 3, None, 1, "own")
    weights = PatternTemporal.play(Task(settings, 0, 30, PatternTemporal(settings).state, "interpreted"))["weights"]
    game = load("tictactoe")
    patterns = patterns_of(game, game.patterns())  # type: ignore[attr-defined]
    twins, least = patterns.twins, patterns.least_twins
    assert (weights == weights[twins]).all()
    assert (twins != np.arange(len(twins))).any()
    assert (least == least[twins]).all()
    assert (least <= np.arange(len(twins))).all()


def test_a_fit_is_where_no_weight_can_be_bettered() -> None:
    source = np.random.default_rng(1)
    rows, true, known = source.integers(0, 13, (400, 3)), source.normal(0, 0.5, 13), source.normal(0, 0.5, 400)
    true[12] = 0.0  # the index that stands for no weight
    goals = np.tanh(known + true[rows].sum(axis=1))
    weights = regressed(rows, goals, known, Belief(12, 1e-3, 0.0, np.zeros((0, 2), np.int64)))
    errors = goals - np.tanh(known + np.append(weights, 0.0)[rows].sum(axis=1))
    slope = np.bincount(rows.ravel(), np.repeat(errors, 3), 13)[:12] - 1e-3 * weights
    assert np.abs(slope).max() < 0.5
    assert weights == pytest.approx(true[:12], abs=0.05)


@only_with_everything
def test_outcomes_tell_what_the_own_evaluation_of_a_game_lacks(tmp_path: Path) -> None:
    settings = settings_for(load("chess"), "outcomes", 2, 1, 1, 1, "own")
    *_, last = learn(settings, str(tmp_path / "learned.json"), 1, "interpreted", write_file)
    game: Any = load(f"chess(weights={tmp_path / 'learned.json'})")
    assert last.loss is not None
    assert game.unit_of_sum[0] > 0
    assert game.pattern_weights.any()
    a_queen_up = game.parse("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert game.evaluate(a_queen_up) == pytest.approx(9, abs=3)  # in pawns, as before


def test_half_of_what_a_thing_adds_everywhere_is_believed() -> None:
    game: Any = load("chess")
    patterns = patterns_of(game, game.patterns())
    shape = patterns.stages, len(patterns.cells), patterns.things
    weights, seen = np.random.default_rng(1).normal(1, 1, shape), np.ones(shape, bool)
    seen[0, :4, 1] = False
    found = nearer_to_known(weights.ravel(), seen.ravel(), patterns).reshape(shape)
    assert found.mean(axis=1)[1:] == pytest.approx(weights.mean(axis=1)[1:] / 2)
    assert found[0, 4:, 1].mean() == pytest.approx(weights[0, 4:, 1].mean() / 2)
    assert np.diff(found, axis=1) == pytest.approx(np.diff(weights, axis=1))


def test_one_cell_without_neighbours_is_learned(tmp_path: Path) -> None:
    settings = settings_for(load("tictactoe"), "outcomes", 20, 1, 1, 1, "1x1")
    *_, last = learn(settings, str(tmp_path / "learned.json"), 1, "interpreted", write_file)
    assert last.loss is not None


def test_what_an_earlier_version_began_is_refused() -> None:
    settings = settings_for(load("tictactoe"), "outcomes", 20, 1, 1, 1, "own")
    state = PatternOutcomes(settings).state
    assert PatternOutcomes(settings, state).state is state
    with pytest.raises(GamesearchError, match="another version"):
        PatternOutcomes(settings, {name: each for name, each in state.items() if name != "unit"})


def test_what_cannot_be_learned_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = ("--to", str(tmp_path / "weights.json"))
    assert "not by tdleaf" in complaint(capsys, "learn", "othello", *to, "--patterns", "own", "--method", "tdleaf")
    assert "has no cells" in complaint(capsys, "learn", "nim", *to, "--patterns", "4x4")
    assert "16x6" in complaint(capsys, "learn", "tictactoe", *to)
