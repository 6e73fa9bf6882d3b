"""The computations that learning uses agree with their definitions."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesearch.learn.method import Settings, squash_scale, with_weights
from gamesearch.learn.outcomes import FeatureEvaluation, Outcomes, fit, log_loss, probabilities, regress, scale_of_odds
from gamesearch.learn.temporal import DECAY, Episode, Learner, TemporalLearning
from gamesearch.registry import load


def results(weights: list[float], count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    source = np.random.default_rng(seed)
    rows = source.normal(size=(count, len(weights))) * [10.0**i for i in range(len(weights))]
    return rows, (source.random(count) < probabilities(rows @ np.array(weights))).astype(float)


def test_fitting_finds_the_weights_that_made_the_results() -> None:
    weights = [1.5, -0.1, 0.002]
    rows, won = results(weights, 20_000, 1)
    fitted, loss = fit(rows, won, np.arange(20_000.0), np.zeros(rows.shape[1]))
    assert fitted == pytest.approx(weights, rel=0.15)  # eight standard errors
    assert loss == pytest.approx(log_loss(rows @ np.array(weights), won), abs=0.005)
    assert scale_of_odds(rows @ (np.array(weights) / 7), won) == pytest.approx(7, rel=0.1)


@settings(max_examples=20)
@given(st.integers(0, 10**6), st.sampled_from([0.1, 3.0, 100.0]))
def test_the_slope_of_the_penalized_likelihood_is_zero(seed: int, penalty: float) -> None:
    rows, won = results([0.7, 0.05], 60, seed)
    rows, before = np.column_stack([rows, np.zeros(60)]), np.array([1.0, 0.0, 0.5])
    weights = regress(rows, won, penalty, before)
    spread = np.sqrt(np.mean(rows * rows, axis=0))
    slope = rows.T @ (won - probabilities(rows @ weights)) - penalty * (weights - before) * spread**2
    assert np.abs(slope / np.maximum(spread, 1)).max() < 1e-6
    assert weights[2] == 0.5  # a feature that never varies keeps its weight
    assert regress(rows, won, 1e12, before) == pytest.approx(before, abs=1e-3)


def test_separable_results_have_finite_weights() -> None:
    rows = np.array([[1.0], [2.0], [-1.0], [-3.0]] * 5)
    weights, loss = fit(rows, (rows[:, 0] > 0).astype(float), np.arange(20.0), np.zeros(rows.shape[1]))
    assert 0 < weights[0] < 100
    assert 0 <= loss < math.log(2)


episodes = st.integers(1, 8).flatmap(
    lambda n: st.tuples(
        st.lists(st.floats(-0.9, 0.9), min_size=n, max_size=n), st.lists(st.booleans(), min_size=n, max_size=n)
    )
)


@given(episodes, st.sampled_from([-64.0, 0.0, 20.0]))
def test_the_step_is_that_of_lambda_returns(played: tuple[list[float], list[bool]], payoff: float) -> None:
    """Sutton 1988: the error is the mean of all n-step returns, weighted by powers of lambda, minus the estimate."""
    values, explored = [64 * each for each in played[0]], played[1]
    asked = Settings("othello(size=8)", (1.0, 0.0, 0.0, 0.0), "td", 20, 0, 1)
    state = TemporalLearning(asked).state
    game = with_weights(asked.game, state["weights"])
    rows = np.zeros((len(values), 4))
    rows[:, 1] = range(1, len(values) + 1)
    episode = Episode(rows, np.array(values), np.ones(len(values)), np.array(explored, float), payoff)
    Learner(game, asked, state).learn(episode, 0.5)

    seen = [value / 64 for value in values] + [payoff / 64]
    credits = []
    for t in range(len(values)):
        # A random move ends the sequence; the estimate before the move replaces the rest of the game.
        end = next((i for i in range(t + 1, len(values)) if explored[i]), None)
        last = len(values) if end is None else end - 1
        returns = [seen[i] for i in range(t + 1, last + 1)]
        if not returns:
            credits.append(0.0)
            continue
        blend = sum((1 - DECAY) * DECAY**i * each for i, each in enumerate(returns[:-1]))
        credits.append(blend + DECAY ** (len(returns) - 1) * returns[-1] - seen[t])
    gradients = rows[:, 1] / 64
    step = float(np.mean(np.array(credits) * gradients) / np.mean(gradients**2))
    assert state["weights"][1] == pytest.approx(0.5 * step, abs=1e-9)
    assert state["weights"][[0, 2, 3]].tolist() == [1, 0, 0]
    assert game.weights[1] == state["weights"][1]


@pytest.mark.parametrize(("game", "unit"), [("chess", 4.0), ("othello", 0.0), ("pig", 0.0)])
def test_estimates_keep_the_unit_of_the_game(game: str, unit: float) -> None:
    loaded = load(game)
    assert squash_scale(loaded, np.array(loaded.weights)) == unit


@pytest.mark.parametrize("name", ["pig", "backgammon", "go", "othello"])
def test_the_scale_brings_estimates_near_to_payoffs(name: str) -> None:
    game = load(name)
    width = len(game.weights)
    asked = Settings(name, tuple(map(float, game.weights)), "outcomes", 20, 0, 1)
    learner = Outcomes(asked)
    source = np.random.default_rng(1)
    odds = source.normal(size=width)
    rows = source.normal(size=(200, width)) / width
    payoffs = rows @ odds + source.normal(size=200)
    middle, most = game.draw_value(), (game.MAXSCORE - game.MINSCORE) / 2
    learner.state |= {"rows": rows, "won": (payoffs > 0).astype(float)}
    learner.state["targets"] = middle + most * np.tanh(payoffs)
    best = learner.scale(odds)

    def error(scale: float) -> float:
        return float(np.mean((FeatureEvaluation(game).estimates(rows, odds * scale) - learner.state["targets"]) ** 2))

    assert error(best) <= min(error(0.7 * best), error(1.4 * best)) + 1e-9
