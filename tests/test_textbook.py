"""The textbook functions, without changes, find the values known from books and agree with each other."""

import math
import random
from typing import Any

import pytest

from gamesearch import load
from gamesearch.game import Game
from gamesearch.textbook import alphabeta, expectiminimax, many_players, minimax, proof_numbers, sampling

FIGURE_5_2 = "[[3,12,8],[2,4,6],[14,5,2]]"
"""The tree of figure 5.2 in Russell and Norvig, 4th edition; its value is 3."""
TREES = (FIGURE_5_2, "[[5,6],[7,4],[3,9]]", "min[[3,5],[6,9],[1,2]]", "[[[[6]]]]", "[[[3],[9,[1,7]]],[[4,[8,[2,5]]]]]")
FULL = 99


class Counted:
    """A game that counts how often `result` is called."""

    def __init__(self, game: Game) -> None:
        self.game, self.results = game, 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self.game, name)

    def result(self, s: Any, m: int) -> Any:
        self.results += 1
        return self.game.result(s, m)


def root(text: str) -> tuple[Game, Any]:
    game = load(text)
    return game, game.initial()


@pytest.mark.parametrize(
    ("text", "value"), [(FIGURE_5_2, 3), ("tictactoe", 0), ("nim(heaps=1-2-3)", -1), ("nim(heaps=1-2-4)", 1)]
)
def test_minimax_finds_known_values(text: str, value: float) -> None:
    game, s = root(text)
    if text == "tictactoe":
        s = game.parse("X../.O./...")
    assert minimax.minimax_value(game, s) == value
    assert minimax.minimax(game, s, FULL) == value
    assert minimax.minimax_until_won(game, s, FULL) == value
    assert minimax.memoized_minimax(game, s, {}) == value
    assert minimax.values_by_dynamic_programming(game, s)[s] == value
    color = 1 if game.player(s) == 0 else -1
    assert minimax.negamax(game, s, FULL, color) == color * value
    assert alphabeta.alphabeta(game, s, FULL, -math.inf, math.inf) == value
    assert alphabeta.fail_hard_alphabeta(game, s, FULL, -math.inf, math.inf) == value
    assert proof_numbers.proof_number_search(game, s) == (value == game.MAXSCORE)


@pytest.mark.parametrize("text", TREES)
def test_all_forms_agree_and_values_outside_the_window_are_bounds(text: str) -> None:
    game, s = root(text)
    for depth in range(5):
        value = minimax.minimax(game, s, depth)
        assert alphabeta.alphabeta(game, s, depth, -math.inf, math.inf) == value
        assert expectiminimax.expectiminimax(game, s, depth) == value
    value = minimax.minimax(game, s, FULL)
    for alpha, beta in ((2, 4), (3, 5), (5, 6), (-9, 1), (7, 20), (-math.inf, math.inf)):
        soft = alphabeta.alphabeta(game, s, FULL, alpha, beta)
        assert alphabeta.fail_hard_alphabeta(game, s, FULL, alpha, beta) == min(max(value, alpha), beta)
        assert value <= soft if soft <= alpha else value >= soft if soft >= beta else value == soft


def test_alpha_beta_and_memoization_visit_fewer_nodes() -> None:
    """In figure 5.5 of Russell and Norvig, alpha-beta does not visit two of the nine leaves."""
    game = Counted(load(FIGURE_5_2))
    alphabeta.alphabeta(game, game.initial(), FULL, -math.inf, math.inf)
    assert game.results == 10
    nim = Counted(load("nim(heaps=1-2-3)"))
    minimax.memoized_minimax(nim, nim.initial(), {})
    few = nim.results
    minimax.minimax_value(nim, nim.initial())
    assert few < nim.results / 3


def test_expected_values() -> None:
    game, s = root("[{1/4: [7,1], 3/4: [2,6]},[3,9]]")
    assert expectiminimax.expectiminimax(game, s, FULL) == 3
    game, s = root("[[3,12,9],[2,4,6],[15,5,1]]")
    assert expectiminimax.expectimax(game, s, FULL) == 8
    assert expectiminimax.expectimax(game, s, 1) == max(game.evaluate(game.result(s, m)) for m in game.moves(s))


def test_many_players() -> None:
    """The expected values of these trees were computed by hand.

    The trees are similar to Sturtevant and Korf's figures, but have other numbers.
    """
    game, s = root("[[(1,2,6),(4,3,2)],[(6,1,3),(7,4,1)]]")
    assert many_players.maxn(game, s, FULL) == (7, 4, 1)
    assert many_players.paranoid(game, s, FULL, -math.inf, math.inf, 0) == 6
    assert many_players.paranoid(game, s, FULL, -math.inf, math.inf, 1) == 3
    assert many_players.add_weighted(many_players.zero_payoffs(load(FIGURE_5_2), None), 0.5, (2, 4)) == (1, 2)


def test_paranoid_and_alpha_beta_cut_the_same_moves() -> None:
    """With three players, paranoid search visits as many nodes as alpha-beta visits if all opponents are Min."""

    def trees(source: random.Random, depth: int) -> tuple[str, str]:
        if depth == 0:
            value = source.randrange(9)
            return str(value), f"({value},0,0)"
        parts = [trees(source, depth - 1) for _ in range(3)]
        two, three = (",".join(each) for each in zip(*parts, strict=True))
        return (f"max[{two}]", f"p1[{three}]") if depth % 2 == 0 else (f"min[{two}]", f"p2[{three}]")

    for seed in range(10):
        games = [Counted(load(text)) for text in trees(random.Random(seed), 4)]
        for low, high in ((-math.inf, math.inf), (3, 5)):
            values = (
                alphabeta.alphabeta(games[0], games[0].initial(), FULL, low, high),
                many_players.paranoid(games[1], games[1].initial(), FULL, low, high, 0),
            )
            assert values[0] == values[1]
            assert games[0].results == games[1].results


def test_monte_carlo_finds_a_win() -> None:
    game = load("tictactoe")
    s = game.parse("XX./OO./...")
    assert abs(sampling.playout(game, s, random.Random(1))) <= 1
    assert sampling.flat_monte_carlo(game, s, 200, random.Random(1)) == 2
    assert sampling.uct(game, s, 300, 1.4, random.Random(1)) == 2
