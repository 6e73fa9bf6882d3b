from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import trees

from gamesearch.algorithms.catalog import expectiminimax as chance
from gamesearch.algorithms.catalog.expectiminimax import expectiminimax
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.api import search
from gamesearch.game import CHANCE, MIN, Game
from gamesearch.games.trees.random_tree import RandomTree
from gamesearch.games.trees.tree.rules import Tree
from gamesearch.optional import Stochastic
from gamesearch.registry import load
from gamesearch.render.value_words import found_text
from gamesearch.textbook.expectiminimax import expectiminimax as textbook


class Purse(NamedTuple):
    """The number of throws left, Max's winnings, the player to move, and the stake (0 if no coin is in the air)."""

    left: int
    won: int
    turn: int
    stake: int


class Stakes(Stochastic[Purse]):
    """Stake 1 to 3 on a coin, which pays three times the stake with probability 1/4; otherwise the stake is lost."""

    chance = True
    win_or_loss = False

    def __init__(self, throws: int = 4, holds_estimates: bool = False) -> None:
        self.throws, self.holds_estimates = throws, holds_estimates
        self.MINSCORE, self.MAXSCORE = -9 * throws, 9 * throws
        self.bounds_hold_estimates = holds_estimates

    def initial(self) -> Purse:
        return Purse(self.throws, 0, 0, 0)

    def player(self, s: Purse) -> int:
        return CHANCE if s.stake else s.turn

    def moves(self, s: Purse) -> Iterator[int]:
        for stake in range(1, 4):
            yield stake

    def outcomes(self, s: Purse) -> Iterator[tuple[int, float]]:
        yield 3, 0.25
        yield -1, 0.75

    def result(self, s: Purse, m: int) -> Purse:
        if s.stake == 0:
            return Purse(s.left, s.won, s.turn, m)
        return Purse(s.left - 1, s.won + m * s.stake * (1 - 2 * s.turn), 1 - s.turn, 0)

    def terminal(self, s: Purse) -> bool:
        return s.left == 0

    def utility(self, s: Purse) -> float:
        return float(s.won)

    def evaluate(self, s: Purse) -> float:
        # If the game does not declare that its bounds hold for estimates, most estimates are outside the bounds.
        return float(s.won) if self.holds_estimates else float(s.won % 5 * 9)

    def bounds(self, s: Purse) -> tuple[float, float]:
        return s.won - 9.0 * s.left, s.won + 9.0 * s.left


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
    def nodes(game: Game, depth: str, pruning: str = pruning) -> int:
        algorithm = f"expectiminimax(depth={depth}, pruning={pruning})"
        return search(game, game.initial(), algorithm, speed="interpreted").statistics.nodes

    # A search to the end can always use the bounds. A search to depth 8 reaches the end, but cannot know this before.
    assert nodes(Stakes(), "full") < nodes(Stakes(), "8") < nodes(Stakes(), "8", "none") == 2_332
    assert nodes(Stakes(holds_estimates=True), "8") == nodes(Stakes(), "full")
    assert nodes(Stakes(holds_estimates=True), "6") < nodes(Stakes(), "6")


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
