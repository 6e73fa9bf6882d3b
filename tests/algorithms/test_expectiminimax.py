import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import PRUNINGS, Watcher, playout, textbook, trees

from gamesearch.algorithms import expectiminimax as chance
from gamesearch.algorithms.expectiminimax import expectiminimax
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.algorithms.parts.workspace import FULL_DEPTH
from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MIN, Game
from gamesearch.games.random_tree import RandomTree
from gamesearch.games.tree.rules import Tree
from gamesearch.registry import load


def with_depth(algorithm: str, depth: int) -> str:
    return f"{algorithm.removesuffix(')')}{', ' if '(' in algorithm else '('}depth={depth})"


@settings(deadline=None, max_examples=60)
@given(trees(chance=True))
def test_all_prunings_find_the_expectation_at_every_depth(text: str) -> None:
    game = Tree(text)
    s = game.initial()
    if not game.terminal(s):
        for depth in range(1, game.level(s) + 2):
            for algorithm in PRUNINGS:
                result = search(game, s, with_depth(algorithm, depth), speed="interpreted")
                assert result.value == pytest.approx(textbook(game, s, depth), abs=1e-9), algorithm
                assert (result.best is None) == (game.player(s) == CHANCE)


@pytest.mark.parametrize("seed", range(3))
def test_all_prunings_agree_on_uniform_chance_trees(seed: int) -> None:
    game = RandomTree(3, 6, seed=seed, chance=True)
    nodes = {}
    for algorithm in PRUNINGS:
        result = search(game, game.initial(), algorithm, speed="interpreted")
        assert result.value == pytest.approx(textbook(game, game.initial(), 100), abs=1e-9)
        nodes[algorithm] = result.statistics.nodes
    plain = nodes["expectiminimax"]
    assert plain == sum(3**ply for ply in range(7))
    assert nodes["expectiminimax(pruning=star1)"] < plain


def test_each_pruning_saves_leaves_where_moves_are_well_ordered() -> None:
    game = RandomTree(6, 4, chance=True, order="best-first")
    leaves = [
        search(game, game.initial(), f"expectiminimax(pruning={pruning})", speed="interpreted").statistics.leaves
        for pruning in ("none", "star1", "star2")
    ]
    assert leaves[0] == 6**4 > 2 * leaves[1]
    assert leaves[1] > leaves[2]


@settings(deadline=None, max_examples=150)
@given(trees(chance=True), st.integers(-10, 10), st.integers(1, 6), st.sampled_from([chance.STAR1, chance.STAR2]))
def test_a_value_is_exact_within_the_window_and_a_bound_outside(
    text: str, alpha: int, width: int, pruning: int
) -> None:
    game = Tree(text)
    beta = alpha + width
    runner = Runner(game, "interpreted")
    runner.begin(pruning=pruning)
    found = runner.execute(
        expectiminimax,
        lambda: (game, game.initial(), alpha, beta, FULL_DEPTH, 0, False, *runner.arguments),
    )
    true = textbook(game, game.initial(), 1000)
    if alpha + 1e-9 < found < beta - 1e-9:
        assert found == pytest.approx(true, abs=1e-9)
    elif found <= alpha + 1e-9:
        assert true <= found + 1e-9
    else:
        assert true >= found - 1e-9


@pytest.mark.parametrize(
    ("text", "value"), [("{1/2: 8, 1/3: 24, 1/6: -12}", 10), ("{1/2: 1, 1/3: 0, 1/6: 1/2}", 7 / 12)]
)
@pytest.mark.parametrize("algorithm", PRUNINGS)
def test_the_textbooks_expectations(text: str, value: float, algorithm: str) -> None:
    game = Tree(text)
    result = search(game, game.initial(), algorithm, speed="interpreted")
    assert result.value == pytest.approx(value)
    assert result.best is None


def against_random(game: Game[Any], s: Any, depth: int) -> float:
    """Each move of Min is as likely as the others."""
    if game.terminal(s):
        return float(game.utility(s))
    if depth == 0:
        return float(game.evaluate(s))
    below = [against_random(game, game.result(s, m), depth - 1) for m in game.moves(s)]
    return math.fsum(below) / len(below) if game.player(s) == MIN else max(below)


@pytest.mark.parametrize("algorithm", ["expectimax", "expectimax(pruning=star1)", "expectiminimax(opponent=random)"])
@pytest.mark.parametrize("text", ["tictactoe", "nim(2-2-1)", "random_tree(depth=4)"])
def test_a_random_opponent_takes_each_move_with_the_same_probability(text: str, algorithm: str) -> None:
    game = load(text)
    for seed in range(4):
        s = playout(game, seed)[-5:][0]
        result = search(game, s, with_depth(algorithm, 20), speed="interpreted")
        assert result.value == pytest.approx(against_random(game, s, 100))
        assert (result.best is None) == (game.player(s) == MIN)


def test_star2_probes_before_it_searches() -> None:
    watcher = Watcher()
    game = RandomTree(3, 6, chance=True)
    search(game, game.initial(), "expectiminimax(pruning=star2)", observer=watcher)
    assert watcher.probes > 0
    assert len(watcher.entered) == len(watcher.left)


def test_without_chance_it_is_alpha_beta() -> None:
    game = RandomTree(3, 5, seed=2)
    star1 = search(game, game.initial(), "expectiminimax(pruning=star1)", speed="interpreted")
    plain = search(game, game.initial(), "alphabeta", speed="interpreted")
    assert star1.statistics.nodes == plain.statistics.nodes
    assert (star1.value, star1.line) == (plain.value, plain.line)


@pytest.mark.parametrize("algorithm", ["expectimax", "expectiminimax(opponent=random)"])
def test_a_random_opponent_is_refused_where_superko_forbids_moves(algorithm: str) -> None:
    game = load("go(2)")
    with pytest.raises(GamesearchError, match="superko of go"):
        search(game, game.initial(), algorithm)
    assert search(game, game.initial(), "expectiminimax(depth=2)").value is not None
