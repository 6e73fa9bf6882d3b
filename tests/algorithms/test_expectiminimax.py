from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import trees
from torture.games import load_game

from gamesearch.algorithms.catalog import expectiminimax as chance
from gamesearch.algorithms.catalog.expectiminimax import expectiminimax
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.api import search
from gamesearch.game import MIN, Game
from gamesearch.games.trees.random_tree import RandomTree
from gamesearch.games.trees.tree.rules import Tree
from gamesearch.registry import load
from gamesearch.render.value_words import found_text
from gamesearch.textbook.expectiminimax import expectiminimax as textbook


def test_each_pruning_saves_leaves_if_moves_are_well_ordered() -> None:
    game = RandomTree(6, 4, chance=True, order="best-first")
    leaves = [
        search(game, game.initial(), f"expectiminimax(pruning={pruning})", speed="interpreted").statistics.leaves
        for pruning in ("none", "star1", "star2")
    ]
    assert leaves[0] == 6**4 > 2 * leaves[1]
    assert leaves[1] > leaves[2]


@settings(max_examples=150)
@given(trees(chance=True), st.integers(-10, 10), st.integers(1, 6), st.sampled_from([chance.STAR1, chance.STAR2]))
def test_a_value_is_exact_within_the_window_and_a_bound_outside(
    text: str, alpha: int, width: int, pruning: int
) -> None:
    game = Tree(text)
    beta = alpha + width
    runner = Runner(game, "interpreted")
    runner.begin(pruning=pruning)
    found = runner.execute(
        expectiminimax, lambda: (game, game.initial(), alpha, beta, FULL_DEPTH, 0, False, runner.arguments)
    )
    true = textbook(game, game.initial(), 1000)
    if alpha + 1e-9 < found < beta - 1e-9:
        assert found == pytest.approx(true, abs=1e-9)
    elif found <= alpha + 1e-9:
        assert true <= found + 1e-9
    else:
        assert true >= found - 1e-9


@pytest.mark.parametrize("pruning", ["star1", "star2"])
def test_the_games_bounds_save_nodes(pruning: str) -> None:
    def nodes(bounding: str, estimates: str, depth: str) -> int:
        game = load_game(f"walk(payoffs=points, chance=true, bounding={bounding}, estimates={estimates})")
        algorithm = f"expectiminimax(depth={depth}, pruning={pruning})"
        starts = (game.parse(f"{seed},0,0,0") for seed in range(20))
        return sum(search(game, s, algorithm, speed="interpreted").statistics.nodes for s in starts)

    assert nodes("good", "inside", "full") < nodes("none", "inside", "full")
    assert nodes("good", "inside", "4") == nodes("none", "inside", "4"), "estimates may be outside the bounds"
    assert nodes("good", "bounded", "4") < nodes("none", "bounded", "4")


# Fallible opponents. ------------------------------------------------------------------------------
def value_of(game: Game, s: Any, parameters: str, speed: str = "interpreted") -> float:
    found = search(game, s, f"expectiminimax(depth=full, {parameters})", speed=speed).value
    assert isinstance(found, float)
    return found


@pytest.mark.parametrize("opponent", ["random", "softmax(0.5)", "best"])
def test_a_search_with_an_opponent_model_finds_the_best_move_of_min(opponent: str) -> None:
    game = load("tictactoe")
    s = game.parse("XX./OO./X..")
    assert game.player(s) == MIN
    found = search(game, s, f"expectiminimax(opponent={opponent})", speed="interpreted")
    assert found.best == game.parse_move(s, "6")
    assert search(game, s, "expectimax", limits=Limits(nodes=3), speed="interpreted").best is None


def test_a_trap_is_set_for_a_fallible_opponent() -> None:
    # Minimax takes the move that always pays 1. The other move pays more against a Min who often errs, because only
    # one of Min's three replies is good.
    game = load("tree([[1, 1, 1], [0, 9, 9]])")
    assert search(game, game.initial(), "expectiminimax").best == 0
    assert search(game, game.initial(), "expectiminimax(error=0.3)").best == 1
    assert value_of(game, game.initial(), "error=0.3") == pytest.approx(0.3 * 6)


def test_the_bound_of_a_stopped_search_holds_for_all_replies() -> None:
    game = load("tree(min[0, [9, 9], [9, 8]])")
    found = search(game, game.initial(), "expectiminimax(error=0.9)", limits=Limits(nodes=4), speed="interpreted")
    assert found.stopped == "nodes"
    assert found.value == game.MAXSCORE


def test_an_expected_value_is_marked_as_expected() -> None:
    game = load("tictactoe")
    state = game.parse("..X/O.O/OXX")
    found = search(game, state, "expectiminimax(depth=full, error=1)", speed="interpreted")
    assert (found.value, found.is_expected, found.sees_the_end) == (0, True, True)
    assert "best play" not in found_text(game, state, found)
