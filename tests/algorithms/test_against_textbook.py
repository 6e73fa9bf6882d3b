"""Every algorithm and solver that has a textbook function finds the same values and moves as this function."""

import inspect
import math
import random
from typing import Any

import pytest
from torture.combinations import fits

from gamesearch.algorithms.catalog import all_algorithms, load_algorithm
from gamesearch.algorithms.catalog.alphabeta import AlphaBeta
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.tree_search.playout import PlayoutRecord, random_below
from gamesearch.algorithms.tree_search.sampling import first_draw
from gamesearch.api import search, solve
from gamesearch.game import Game
from gamesearch.registry import load
from gamesearch.textbook import minimax, proof_numbers, sampling

GAMES = (
    "[[3,12,8],[2,4,6],[14,5,2]]",
    "[[5:[3,9],1:[9,[1,7]]],[max[4,[8,2]],2]]",
    "[{1/4: [7,1], 3/4: [2,6]},[3,{9,0,[1,8]}]]",
    "[[(1,2,6),(4,3,2)],p1[(6,1,3),p3[(7,4,1),(5,5,5)]]]",
    "nim(heaps=1-2-2)",
)
SEARCHES = [
    *(name for name, cls in all_algorithms().items() if cls().textbook is not None and cls().has_depth),
    "minimax(bounds=true)",
    "alphabeta(fail=hard)",
    "paranoid(table=true, memory=1)",
]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_finds_the_value_of_its_textbook_function(name: str) -> None:
    algorithm, searched = load_algorithm(name), 0
    assert algorithm.textbook is not None
    for game in filter(lambda game: fits(game, algorithm), map(load, GAMES)):
        s = game.initial()
        given = {"game": game, "s": s, "alpha": -math.inf, "beta": math.inf, "me": game.player(s)}
        for depth in range(1, 6):
            given["depth"] = depth
            wanted = algorithm.textbook(*map(given.__getitem__, inspect.signature(algorithm.textbook).parameters))
            found = search(game, s, algorithm, limits=Limits(depth=depth), speed="interpreted")
            assert found.value == pytest.approx(wanted, abs=1e-6)
            searched += 1
    assert searched


@pytest.mark.parametrize("options", ["", "fail=hard", "table=true, memory=1", "table=true, memory=1, fail=hard"])
@pytest.mark.parametrize("seed", range(5))
def test_both_kernels_of_alphabeta_return_the_bounds_of_the_textbook_function(options: str, seed: int) -> None:
    """With a table, the kernel is written by hand; otherwise, it is woven."""
    game, algorithm = load(f"random_tree(depth=4, values=9, seed={seed})"), load_algorithm(f"alphabeta({options})")
    assert isinstance(algorithm, AlphaBeta)
    assert algorithm.textbook is not None
    s = game.initial()
    for alpha, beta in ((0.0, 2.0), (2.0, 5.0), (4.0, 5.0), (7.0, 9.0), (-math.inf, math.inf)):
        with algorithm.runner(game, "interpreted") as runner:
            runner.begin(fail_hard=algorithm.clips_values)
            value, _ = algorithm.window_search(runner, s, alpha, beta, 4)
        assert value == algorithm.textbook(game, s, 4, alpha, beta)


@pytest.mark.parametrize("text", ["tictactoe XO./.X./..O", "tictactoe XOX/O../...", "nim(heaps=1-2-3)", "nim"])
def test_solvers_find_the_values_of_their_textbook_functions(text: str) -> None:
    name, _, position = text.partition(" ")
    game, s = load(name).setup(position)
    value = minimax.memoized_minimax(game, s, {})
    assert solve(game, s, "memo", speed="interpreted").value == value
    assert solve(game, s, "dynamic_programming", speed="interpreted").value == value
    assert minimax.values_by_dynamic_programming(game, s)[s] == value
    if text != "nim":  # the textbook function would need minutes
        found = solve(game, s, "proof(search=pn)", speed="interpreted").value
        assert proof_numbers.proof_number_search(game, s) == (found == game.MAXSCORE)


class Draws(random.Random):
    """The random numbers of a search from a position. The seed of the search is 0."""

    def __init__(self, game: Game, s: Any) -> None:
        super().__init__()
        self.record = PlayoutRecord()
        self.record.drawn = first_draw(game, s, 0, 0)

    def choice(self, moves: Any) -> Any:
        return moves[random_below(len(moves), self.record)]


def random_tree(source: random.Random, depth: int) -> str:
    """A tree with two moves at each node. The payoffs are 0 and 1."""
    return f"[{random_tree(source, depth - 1)},{random_tree(source, depth - 1)}]" if depth else str(source.randrange(2))


@pytest.mark.parametrize("seed", range(20))
def test_searches_by_playouts_choose_the_move_of_their_textbook_function(seed: int) -> None:
    """With one playout for each move, `montecarlo` plays the same random games as the textbook function.

    `mcts` makes its first playout from a child of the root, and the textbook function from the root. So `mcts` begins
    one ply earlier, at a node with one move. An odd number of playouts after two moves leaves no tie.
    """
    game = load(f"[{random_tree(random.Random(seed), 6)}]")
    s = game.initial()
    root = game.result(s, 0)
    tree = search(game, s, "mcts(playouts=60, solver=false, exploration=0.7)", speed="interpreted")
    assert tree.line[1] == sampling.uct(game, root, 60, 0.7, Draws(game, s))
    flat = search(game, root, "montecarlo(playouts=2)", speed="interpreted")
    assert flat.best == sampling.flat_monte_carlo(game, root, 1, Draws(game, root))
