"""`gamesearch learn --network` improves play, can be interrupted, and learns the same interpreted and compiled."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from choices import choose
from commands import output

from gamesearch.algorithms.engine.result import SearchResult, Statistics
from gamesearch.cli import run
from gamesearch.learn import network_outcomes, training
from gamesearch.learn.method import Task
from gamesearch.learn.network_outcomes import Examples, NetworkOutcomes, fit_network, goals_of, known_odds
from gamesearch.learn.networks import NetworkTemporalLearning, game_with_network
from gamesearch.learn.searched_play import Turn
from gamesearch.learn.training import settings_for
from gamesearch.registry import load

pytestmark = [pytest.mark.xdist_group("network learning"), pytest.mark.usefixtures("unchecked")]
OWN = str(Path(__file__).parent / "networked_game.py")
SLOW = ("--speed", "interpreted")


def test_learned_weights_beat_the_game_without_an_evaluation(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    to = tmp_path / "learned.json"
    arguments = ["learn", OWN, "--network", "6", "--to", str(to), "--games", "600", "--depth", "1", "--json"]
    found = json.loads(output(capsys, *arguments, *SLOW))
    own, lot = found["beat"]
    assert own["points"] > 0.5 * own["games"]
    assert lot["points"] > 0.7 * lot["games"]
    assert "--network 6 --method td --games 600 --seed 0" in found["command"]
    assert -1 < load(f"{OWN}(weights={to})").evaluate(load(OWN).initial()) < 1


def test_a_network_is_fitted_to_searches(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    to = tmp_path / "learned.json"
    arguments = ["learn", OWN, "--network", "8", "--method", "outcomes", "--to", str(to), "--games", "100", "--json"]
    found = json.loads(output(capsys, *arguments, *SLOW))
    assert found["loss"] < 0.66  # an untrained network has a loss of log 2, which is 0.69
    game = load(f"{OWN}(weights={to})")
    ahead, behind = (game.evaluate(game.parse(position)) for position in ("XX./OO./...", "OO./XX./X.."))
    assert ahead > behind + 0.1


def test_both_speeds_fit_the_same_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network_outcomes, "LEAST_BATCHES", 20)
    settings = settings_for(load(OWN), "outcomes", 20, 1, 1, 1, None, 9)
    method = NetworkOutcomes(settings)
    played = Examples(**NetworkOutcomes.play(Task(settings, 0, 10, method.state, "interpreted")))
    examples = played._replace(known=np.linspace(-1, 1, len(played.known)))  # as if the network corrected an estimate
    game = game_with_network(settings, method.weights)
    fast, slow = (fit_network(game, examples, method.weights, 1, speed) for speed in ("compiled", "interpreted"))
    np.testing.assert_allclose(fast[0], slow[0], rtol=0, atol=1e-9)
    assert fast[1] == pytest.approx(slow[1])
    assert np.abs(fast[0] - method.weights).max() > 1e-3


def test_a_network_that_corrects_an_estimate_learns_win_probabilities() -> None:
    game = game_with_network(settings_for(load("chess"), "outcomes", 20, 1, 1, 1, None, 9), np.zeros(0))
    for position, sign in (("7k/8/8/8/8/8/1P6/K7 w - - 0 1", 1), ("7k/8/8/8/8/8/1P6/K7 b - - 0 1", -1)):
        s = game.parse(position)
        assert known_odds(game, s) == pytest.approx(sign * game.own_estimate(s) / game.unit_of_odds)
        result = SearchResult("", 2.0, "estimate", None, (), Statistics())
        won = 0.9 / (1 + math.exp(-2.0 / game.unit_of_odds)) + 0.1 * 1.0
        goals = goals_of(game, Turn(s, result, explored=False), 1000.0)
        assert goals == pytest.approx([won if sign == 1 else 1 - won])


AT_LENGTH = ("backgammon", "kalah", "hex(size=4)", "gomoku(size=6, connect=4)")


@pytest.mark.parametrize("name", choose([OWN], AT_LENGTH))
def test_both_speeds_learn_the_same(name: str) -> None:
    settings = settings_for(load(name), "td", 2, 1, 1, 1, None, 9)
    state = NetworkTemporalLearning(settings).state
    fast, slow = (
        NetworkTemporalLearning.play(Task(settings, 0, 2, state, speed)) for speed in ("compiled", "interpreted")
    )
    np.testing.assert_allclose(fast["weights"], slow["weights"], rtol=0, atol=1e-9)
    assert np.abs(fast["weights"] - state["weights"]).max() > 1e-3
    assert fast["counts"].tolist() == slow["counts"].tolist()
    looked_at, noted = fast["counts"]
    assert looked_at > noted > 0


def test_rules_that_cannot_be_compiled_learn_interpreted(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(training, "matches", lambda *_: ())
    path = tmp_path / "mine.py"
    rules = Path(OWN).read_text().replace("for square in range(9):", 'for square in map(int, "012345678"):')
    path.write_text(rules.replace("    input_count = 18", "    input_count = 18\n    worth_compiling = True"))
    arguments = ["learn", str(path), "--network", "4", "--games", "20", "--json", "--to", str(tmp_path / "x.json")]
    assert run(arguments) == 0
    said = capsys.readouterr()
    assert json.loads(said.out)["games"] == 20
    assert said.err.count("cannot be compiled, so they run interpreted, which is much slower: Numba says") == 1
