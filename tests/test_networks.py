"""Evaluation by a network equals a slow second implementation, interpreted, compiled and in other processes."""

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from choices import choose
from support import random_states

import gamesearch
from gamesearch.compiler import compilations
from gamesearch.errors import GamesearchError
from gamesearch.game import MIN
from gamesearch.games.chance.backgammon.rules import Backgammon
from gamesearch.games.counting.kalah import INPUTS_OF_PIT, MOST_TOLD
from gamesearch.learned.networks import Network, network_of
from gamesearch.learned.packed_files import LearnedNetwork
from gamesearch.registry import load
from gamesearch.toolkit import vectors

OWN = Path(__file__).parent / "learn" / "networked_game.py"


def write_network(path: Path, name: str = "backgammon", hidden: int = 11, seed: int = 1) -> tuple[str, Network, Any]:
    """Write a random network to a file; return a game that reads this file, the network, and its weights."""
    game: Any = load(name)
    network = network_of(game, hidden)
    weights = np.random.default_rng(seed).normal(0, 0.3, network.size)
    learned = LearnedNetwork(
        game=type(game).name, parameters=game.parameters(), method="td", games=10, seed=seed, network=network.sizes()
    ).with_table(weights)
    path.write_text(learned.text())
    text = f"{name.removesuffix(')')}{', ' if name.endswith(')') else '('}weights={path})"
    found: Any = load(text)
    assert np.abs(found.network - weights).max() < 1e-4
    return text, network, found.network


def slow_estimate(game: Any, network: Network, weights: Any, s: Any) -> float:
    """Compute the estimate of a network by definition, with matrices."""
    inputs = np.zeros((network.views, network.inputs))
    for row, view in zip(inputs, (s, game.other_view(s)), strict=False):
        for number, amount in game.inputs(view):
            row[number] += amount
    cut = network.inputs * network.hidden
    first, rest = weights[:cut].reshape(network.inputs, network.hidden), weights[cut:]
    sums = (inputs @ first + rest[: network.hidden]).ravel()
    hidden = sums / np.sqrt(1 + sums**2)
    second = rest[network.hidden : -network.outputs].reshape(network.outputs, len(hidden))
    chances = 1 / (1 + np.exp(-(second @ hidden + rest[-network.outputs :])))
    value = network.payoffs[0] + float(chances @ np.diff(network.payoffs))
    value = -value if game.viewer(s) == MIN else value
    lower, upper = game.bounds(s)
    return float(np.clip(0.999 * value, lower, upper))


@pytest.mark.parametrize("name", ["backgammon", str(OWN), "kalah", "hex(size=5)", "gomoku(size=7, captures=true)"])
def test_an_estimate_agrees_with_a_computation_by_matrices(name: str, tmp_path: Path) -> None:
    text, network, weights = write_network(tmp_path / "network.json", name)
    game: Any = load(text)
    for s in random_states(game):
        assert game.evaluate(s) == pytest.approx(slow_estimate(game, network, weights, s), abs=1e-9)
        assert all(0 <= number < game.input_count and math.isfinite(amount) for number, amount in game.inputs(s))
        if name != str(OWN):
            assert sorted(game.inputs(s)) == sorted(game.inputs(exchange_sides(game, s)))


SMALL = (str(OWN), "...X.O...", "minimax(depth=1)")
LARGE = ("backgammon", "max 31", "expectiminimax(depth=1)")


@pytest.mark.parametrize(("name", "position", "algorithm"), choose([SMALL], [LARGE]))
def test_both_speeds_agree_and_other_weights_compile_nothing(
    name: str, position: str, algorithm: str, tmp_path: Path
) -> None:
    started, found = list[str](), []
    for seed in (1, 2):
        path = tmp_path / f"{seed}.json"
        text = write_network(path, name, seed=seed)[0]
        game: Any = load(text)
        s = game.parse(position)
        with compilations(started.append, lambda _: None):
            fast = gamesearch.search(game, s, algorithm, speed="compiled")
        slow = gamesearch.search(game, s, algorithm, speed="interpreted")
        assert (fast.value, fast.best, fast.statistics.nodes) == (slow.value, slow.best, slow.statistics.nodes)
        assert len(started) <= 1
        found.append(fast.value)
    assert found[0] != found[1]
    path.write_text(json.dumps(json.loads(path.read_text()) | {"unit": 1e6}))  # sums beyond all odds
    game = load(text)
    assert all(abs(game.evaluate(s)) <= game.MAXSCORE for s in random_states(game))
    values = {gamesearch.search(game, s, algorithm, speed=speed).value for speed in ("interpreted", "compiled")}
    assert len(values) == 1


def exchange_sides(game: Any, s: Any) -> Any:
    """Return the position with exchanged sides: the opponent is to move, with the pieces of the player to move in s."""
    if game.name == "hex":  # reflected on the long diagonal, because the sides connect different edges
        turned = [
            sum(1 << game.cell_after_swap(cell) for cell in game.cells if board >> cell & 1)
            for board in (s.noughts, s.crosses)
        ]
        return s._replace(crosses=turned[0], noughts=turned[1], turn=1 - s.turn)
    if game.name == "gomoku":
        return s._replace(
            crosses=s.noughts, noughts=s.crosses, max_pairs=s.min_pairs, min_pairs=s.max_pairs, turn=1 - s.turn
        )
    return s._replace(turn=1 - s.turn)


def test_kalah_sees_turns_and_captures() -> None:
    game: Any = load("kalah(pits=3, seeds=2)")
    seen = dict(game.inputs(game.parse("1,1,1:1/3,0,2:3")))
    at = {pit: INPUTS_OF_PIT * pit for pit in range(6)}
    assert seen[at[2] + MOST_TOLD + 1] == 1.0  # the last seed falls into the store: the player moves again
    assert at[0] + MOST_TOLD + 2 not in seen  # no capture, because the last seed falls into a pit with seeds
    assert seen[at[3] + 2] == 1.0  # the opponent's first pit contains three seeds
    assert seen[at[3] + MOST_TOLD + 1] == 1.0
    emptied = dict(game.inputs(game.parse("1,0,1:2/3,4,1:0")))
    assert emptied[at[0] + MOST_TOLD + 2] == 4 / 8  # the last seed falls into an empty pit and captures four seeds


def test_checkers_are_encoded_as_by_tesauro() -> None:
    game = Backgammon()
    seen = dict(game.inputs(game.initial()))
    six, mid, back = 4 * 5, 4 * 12, 4 * 23
    assert [seen.get(six + i, 0.0) for i in range(4)] == [0, 1, 1, 1]  # for five checkers: >= 2, >= 3, (5 - 3) / 2
    assert [seen.get(mid + i, 0.0) for i in range(4)] == [0, 1, 1, 1]
    assert [seen.get(back + i, 0.0) for i in range(4)] == [0, 1, 0, 0]
    assert seen[98] == 167 / 100


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "othello"}, "contains weights of othello"),
        ({"network": {"inputs": 214, "hidden": 12, "payoffs": [-3, -2, -1, 1, 2, 3]}}, "weights that it needs"),
        ({"network": {"inputs": 198, "hidden": 11, "payoffs": [-3, -2, -1, 1, 2, 3]}}, "inputs or payoffs of"),
        ({"network": {"inputs": 214, "hidden": 10**9, "payoffs": [-3, -2, -1, 1, 2, 3]}}, "from 1 to 1000 hidden"),
        ({"network": {"inputs": 214, "hidden": 11, "payoffs": [-3, -2, -1, 1, 2, 3], "views": 2}}, "`views = 2`, but"),
        (
            {"network": {"inputs": 214, "hidden": 11, "payoffs": [-3, -2, -1, 1, 2, 3], "views": "1"}},
            "header is missing",
        ),
        ({"network": 3}, "header is missing"),
    ],
)
def test_other_files_are_refused_in_a_sentence(change: dict[str, Any], said: str, tmp_path: Path) -> None:
    path = tmp_path / "network.json"
    text, _, _ = write_network(path)
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(GamesearchError, match=said):
        load(text)


@pytest.mark.parametrize(
    ("name", "chance"), [(str(OWN), 0.75), ("hex(size=5)", 0.75), ("backgammon", None), ("kalah", None)]
)
def test_estimates_of_a_network_for_wins_and_losses_have_a_win_chance(
    name: str, chance: float | None, tmp_path: Path
) -> None:
    assert load(write_network(tmp_path / "network.json", name)[0]).win_chance(0.5) == chance


@pytest.mark.parametrize("count", [1, 21])
def test_rows_have_the_same_sum_at_both_speeds(count: int) -> None:
    from numba import njit

    import gamesearch.compiler.types  # noqa: F401  (registers the compiled functions with Numba)

    def combine(target: Any, source: Any) -> float:
        vectors.add_multiple(target, 1, source, 2, len(target) - 1, 0.3)
        vectors.squash(target)
        return vectors.product_of_rows(target, source, 3)

    compiled = njit(combine)

    numbers = np.random.default_rng(count)
    target, source = numbers.normal(size=count), numbers.normal(size=count + 5)
    by_python = target.copy()
    assert combine(by_python, source) == compiled(target, source)
    assert (by_python == target).all()
    with pytest.raises(IndexError):
        compiled(target, source[: count + 1])
    with pytest.raises(IndexError):
        combine(target, source[: count + 1])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("views = 2", "views = 1"), "define both `views = 2` and a method other_view"),
        (("def other_view", "def others_view"), "define both `views = 2` and a method other_view"),
        (("return Position(s.noughts, s.crosses)", "return s.noughts, s.crosses"), "a state of the same type"),
    ],
)
def test_wrong_views_are_refused(change: tuple[str, str], said: str, tmp_path: Path) -> None:
    path = tmp_path / "mine.py"
    path.write_text(OWN.read_text().replace(*change))
    with pytest.raises(GamesearchError, match=said):
        network_of(load(str(path)), 3)
