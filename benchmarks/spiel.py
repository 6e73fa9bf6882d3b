"""Playouts per second of `mcts`, compared with OpenSpiel's searches of the same kind in Python and in C++.

`pip install open_spiel`, then `python -m benchmarks spiel`, or `python -m benchmarks.spiel 2000` for another number of
playouts. The three programs search the initial position and random positions in turn. Each program uses UCT without
proofs, with the same number of playouts and one random game per playout. The whole call is timed, including the
allocation of the tree, but not compilation.
"""

import random
import sys
from collections.abc import Callable, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Any, NamedTuple

import gamesearch
from benchmarks.measuring import time_call
from benchmarks.playouts import COUNTED, moves_of_a_game

__all__ = ["main"]

GAMES = (
    ("tictactoe", "tic_tac_toe", 2),
    ("connect4", "connect_four", 8),
    ("othello", "othello", 12),
    ("go(playouts=uniform, komi=7.5)", "go(board_size=9,komi=7.5)", 20),
)
"""The name of each game in both programs, and the numbers of random moves before the searched positions."""
SEARCH = "mcts(playouts={playouts}, exploration=1.0, wins=1, solver=false)"
"""The search of gamesearch, whose payoffs go from 0 for a loss to 1 for a win."""
UCT_CONSTANT = 2.0
"""The UCT constant for OpenSpiel. It is twice gamesearch's constant, because OpenSpiel's payoffs go from -1 to 1."""
MEGABYTES = 1_000
"""The memory limit of the tree in C++ in megabytes, which is more than it needs."""
POSITIONS, TURNS, GOAL = 3, 3, 20


class Pair(NamedTuple):
    """One position in both programs."""

    ours: Any
    theirs: Any


def pair_after(game: Any, spiel: Any, plies: int, source: random.Random) -> Pair:
    """A position after random moves. Both programs list moves in the same order, but may number them differently."""
    s, state = game.initial(), spiel.new_initial_state()
    for _ in range(plies):
        moves, actions = sorted(game.moves(s)), sorted(state.legal_actions())
        assert len(moves) == len(actions), f"{game.name}: not the same moves after {state}"
        place = source.randrange(len(moves))
        s = game.result(s, moves[place])
        state.apply_action(actions[place])
    assert not game.terminal(s)
    assert not state.is_terminal()
    return Pair(s, state)


def search_here(game: Any, playouts: int, pair: Pair) -> int:
    """Search with gamesearch; return the number of playouts."""
    found = gamesearch.search(game, pair.ours, SEARCH.format(playouts=playouts), speed="compiled")
    return found.statistics.leaves


def search_in_python(spiel: Any, playouts: int, pair: Pair) -> int:
    """Search with OpenSpiel's Python implementation; return the number of playouts."""
    from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator

    bot = MCTSBot(spiel, UCT_CONSTANT, playouts, RandomRolloutEvaluator(1), solve=False)
    return int(bot.mcts_search(pair.theirs).explore_count)


def search_in_cpp(spiel: Any, playouts: int, pair: Pair) -> int:
    """Search with OpenSpiel's C++ implementation; return the number of playouts."""
    from pyspiel import MCTSBot, RandomRolloutEvaluator

    evaluator = RandomRolloutEvaluator(n_rollouts=1, seed=1)
    bot = MCTSBot(spiel, evaluator, UCT_CONSTANT, playouts, MEGABYTES, solve=False, seed=1, verbose=False)
    return int(bot.mcts_search(pair.theirs).explore_count)


def rates(searches: Sequence[Callable[[int, Pair], int]], pairs: Sequence[Pair], playouts: int) -> list[float]:
    """The playouts per second of each search, over all positions, in the best of several runs."""
    best = [float("inf")] * len(searches)
    for turn in range(TURNS + 1):
        asked = playouts if turn else 10  # the first turn compiles gamesearch's code
        sums = [0.0] * len(searches)
        for pair in pairs:
            for i, search in enumerate(searches):
                made, seconds = time_call(partial(search, asked, pair))
                assert made == asked
                sums[i] += seconds
        if turn:
            best = [min(one, other) for one, other in zip(best, sums, strict=True)]
    return [playouts * len(pairs) / seconds for seconds in best]


def moves_of_their_game(spiel: Any, source: random.Random) -> float:
    """The average number of moves of a random game in OpenSpiel."""
    moves = 0
    for _ in range(COUNTED):
        state = spiel.new_initial_state()
        while not state.is_terminal():
            state.apply_action(source.choice(state.legal_actions()))
            moves += 1
    return moves / COUNTED


def main(playouts: int = 10_000, seed: int = 1) -> None:
    """Print playouts per second of the three searches for each game, and the ratios."""
    if find_spec("pyspiel") is None:
        print("OpenSpiel is not installed: pip install open_spiel")
        return
    import pyspiel

    source = random.Random(seed)
    print(f"{SEARCH.format(playouts=playouts)}, playouts per second from {POSITIONS} positions:")
    print(f"{'game':32} {'gamesearch':>12} {'Python':>9} {'ratio':>6} {'C++':>9} {'ratio':>6}")
    for ours, theirs, plies in GAMES:
        game, spiel = gamesearch.load(ours), pyspiel.load_game(theirs)
        pairs = [pair_after(game, spiel, plies if i else 0, source) for i in range(POSITIONS)]
        searches = [partial(search_here, game), partial(search_in_python, spiel), partial(search_in_cpp, spiel)]
        here, python, cpp = rates(searches, pairs, playouts)
        print(
            f"{ours:32} {here:12,.0f} {python:9,.0f} {here / python:6.1f} {cpp:9,.0f} {here / cpp:6.2f}",
            flush=True,
        )
    print(f"ratio to Python: the goal is {GOAL}")
    print(
        f"a random game of Go has {moves_of_a_game(game):.0f} moves here (no player fills its own eyes), and "
        f"{moves_of_their_game(spiel, source):.0f} in OpenSpiel"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
