"""`gamesearch learn --patterns` improves play, can be interrupted, and learns the same interpreted and compiled."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from choices import only_with_everything
from commands import output

from gamesearch.errors import GamesearchError
from gamesearch.learn.method import Task
from gamesearch.learn.patterns import PatternOutcomes, PatternTemporalLearning, Prior, regress, shrink_to_content_means
from gamesearch.learn.training import PATTERN_METHODS, learn, settings_for
from gamesearch.learned.patterns import patterns_of
from gamesearch.play.files import write_file
from gamesearch.registry import load

SLOW = ("--speed", "interpreted")


@pytest.mark.parametrize("method", PATTERN_METHODS)
def test_learned_weights_beat_the_game_without_an_evaluation(
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
    assert game.evaluate(game.parse("XX./OO./...")) > 0.2  # if the side to move wins, whether it is X or O
    assert game.evaluate(game.parse("XX./OO./..X")) < -0.2


@pytest.mark.xdist_group("patterns")
def test_both_speeds_learn_the_same_and_symmetric_weights_stay_equal() -> None:
    game = load("tictactoe")
    settings, patterns = settings_for(game, "td", 200, 3, None, 1, "own"), patterns_of(game, game.patterns())  # type: ignore[attr-defined]
    slow, fast = (
        PatternTemporalLearning.play(Task(settings, 0, 50, PatternTemporalLearning(settings).state, speed))["weights"]
        for speed in ("interpreted", "compiled")
    )
    assert slow == pytest.approx(fast, rel=1e-9)
    twins, least = patterns.twins, patterns.least_twins
    assert (slow == slow[twins]).all()
    assert slow.any()
    assert (twins != np.arange(len(twins))).any()
    assert (least == least[twins]).all()
    assert (least <= np.arange(len(twins))).all()


def test_a_fit_maximizes_the_likelihood() -> None:
    source = np.random.default_rng(1)
    rows, true, known = source.integers(0, 13, (400, 3)), source.normal(0, 0.5, 13), source.normal(0, 0.5, 400)
    true[12] = 0.0  # the index that means no weight
    goals = np.tanh(known + true[rows].sum(axis=1))
    weights = regress(rows, goals, known, Prior(12, 1e-3, 0.0, np.zeros((0, 2), np.int64)))
    errors = goals - np.tanh(known + np.append(weights, 0.0)[rows].sum(axis=1))
    slope = np.bincount(rows.ravel(), np.repeat(errors, 3), 13)[:12] - 1e-3 * weights
    assert np.abs(slope).max() < 0.5
    assert weights == pytest.approx(true[:12], abs=0.05)


@only_with_everything
def test_patterns_correct_the_evaluation_of_chess(tmp_path: Path) -> None:
    settings = settings_for(load("chess"), "outcomes", 2, 1, 1, 1, "own")
    *_, last = learn(settings, str(tmp_path / "learned.json"), 1, "interpreted", write_file)
    game: Any = load(f"chess(weights={tmp_path / 'learned.json'})")
    assert last.loss is not None
    assert game.unit_of_sum[0] > 0
    assert game.pattern_weights.any()
    a_queen_up = game.parse("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")
    assert game.evaluate(a_queen_up) == pytest.approx(9, abs=3)  # in pawns, as before


def test_half_of_the_mean_weight_of_a_piece_is_subtracted() -> None:
    game: Any = load("chess")
    patterns = patterns_of(game, game.patterns())
    shape = patterns.stages, len(patterns.cells), patterns.things
    weights, seen = np.random.default_rng(1).normal(1, 1, shape), np.ones(shape, bool)
    seen[0, :4, 1] = False
    found = shrink_to_content_means(weights.ravel(), seen.ravel(), patterns).reshape(shape)
    assert found.mean(axis=1)[1:] == pytest.approx(weights.mean(axis=1)[1:] / 2)
    assert found[0, 4:, 1].mean() == pytest.approx(weights[0, 4:, 1].mean() / 2)
    assert np.diff(found, axis=1) == pytest.approx(np.diff(weights, axis=1))


def test_a_run_of_an_earlier_version_is_refused() -> None:
    settings = settings_for(load("tictactoe"), "outcomes", 20, 1, 1, 1, "own")
    state = PatternOutcomes(settings).state
    assert PatternOutcomes(settings, state).state is state
    with pytest.raises(GamesearchError, match="another version"):
        PatternOutcomes(settings, {name: each for name, each in state.items() if name != "unit"})
