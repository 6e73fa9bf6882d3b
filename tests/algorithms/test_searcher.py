"""A searcher keeps its memory from one search to the next."""

import weakref
from typing import Any

import pytest
from choices import for_game
from support import Watcher

from gamesearch import GamesearchError, Limits, load, search, searcher
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.game import Game


def playout(game: Game, moves: int) -> list[Any]:
    """Return the states of a game in which the middle move is always played."""
    states = [game.initial()]
    for _ in range(moves):
        steps = game.steps(states[-1], states[:-1])
        states.append(game.result(states[-1], steps[len(steps) // 2]))
    return states


COMPILED = "alphabeta(depth=5, table=true, deepen=true)"
"""The only algorithm that is compiled, because compiling an algorithm takes seconds."""


@pytest.mark.parametrize(
    ("game", "algorithm"),
    [
        ("tictactoe", "alphabeta(table=true, order=previous+killer+history)"),
        ("connect4(rows=4, columns=4)", "alphabeta(depth=5, table=true, bounds=true, window=null)"),
        for_game("tictactoe", COMPILED),
        ("checkers", "alphabeta(depth=3, table=true, order=history)"),
        ("go(size=3)", "alphabeta(depth=4, table=true)"),
        ("pig(target=20)", "expectiminimax(depth=4, pruning=star2, table=true)"),
        ("pig(target=20)", "expectimax(depth=4, table=true)"),
        ("yavalath(side=3)", "paranoid(depth=2, table=true)"),
        ("yavalath(side=3)", "maxn(depth=2)"),
    ],
)
def test_later_searches_agree_with_new_searches(game: str, algorithm: str) -> None:
    rules = load(game)
    speed = "compiled" if algorithm == COMPILED else "interpreted"
    states = playout(rules, 5)
    with searcher(rules, algorithm, speed=speed) as kept:
        for number, state in enumerate(states):
            past = states[:number]
            found, new = kept.search(state, past=past), search(rules, state, algorithm, speed=speed, past=past)
            assert (found.value, found.distance, found.stopped) == (new.value, new.distance, new.stopped)


def test_a_repeated_search_finds_its_result_in_the_table() -> None:
    game = load("tictactoe")
    with searcher(game, "alphabeta(depth=6, table=true)", speed="interpreted") as kept:
        first, again = (kept.search(game.initial()) for _ in range(2))
    assert first.value == again.value
    assert again.statistics.nodes == 1 + len(game.steps(game.initial())) < first.statistics.nodes


def test_without_a_table_nothing_is_left_of_an_earlier_search() -> None:
    game = load("tictactoe")
    with searcher(game, "alphabeta(depth=6, order=game)", speed="interpreted") as kept:
        first, again = (kept.search(game.initial()) for _ in range(2))
        shorter = kept.search(game.initial(), Limits(depth=2))
    assert first.statistics.nodes == again.statistics.nodes > shorter.statistics.nodes
    assert shorter.statistics.depth == 2


def test_limits_hold_for_each_search_by_itself() -> None:
    game = load("connect4")
    with searcher(game, "alphabeta(depth=8)", speed="interpreted") as kept:
        for _ in range(3):
            found = kept.search(game.initial(), Limits(nodes=100))
            assert (found.stopped, found.statistics.nodes) == ("nodes", 100)
        assert not kept.search(game.initial(), Limits(depth=3)).stopped


def test_watch_shows_a_whole_search() -> None:
    class Counter(Watcher):
        nodes = 0

        def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
            self.nodes += 1

    game, counter = load("tictactoe"), Counter()
    with searcher(game, "alphabeta(table=true)", speed="interpreted") as kept:
        nodes = kept.search(game.initial()).statistics.nodes
        assert kept.search(game.initial(), observer=counter).statistics.nodes == counter.nodes == nodes


def test_a_changed_game_is_searched_as_it_is_now() -> None:
    game = load("connect4(rows=4, columns=4)")
    state = game.parse("21")
    with searcher(game, "alphabeta(depth=3, table=true)", speed="interpreted") as kept:
        before = kept.search(state).value
        game.weights = (0.25, 0.5)
        assert (
            kept.search(state).value == search(game, state, "alphabeta(depth=3)", speed="interpreted").value != before
        )


def test_paranoid_searches_another_game_for_each_player() -> None:
    game = load("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]")
    with Searcher(game, load_algorithm("paranoid"), "interpreted") as kept:
        for state in playout(game, 1):
            assert kept.search(state).value == search(game, state, "paranoid", speed="interpreted").value
        assert len(kept.runners) == 2


def test_a_searcher_refuses_unsuitable_games() -> None:
    with pytest.raises(GamesearchError, match="maxn needs"):
        searcher(load("tictactoe"), "maxn")
    game = load("tictactoe")
    kept, won = searcher(game), game.parse("XXX/OO./...")
    with pytest.raises(GamesearchError, match="the game is over"):
        kept.search(won)


@pytest.mark.parametrize("algorithm", ["alphabeta(table=true, memory=1)", "mcts(playouts=5)", "beliefs(expansions=2)"])
def test_a_runner_is_freed_with_its_searcher(algorithm: str) -> None:
    """A runner that refers to itself would keep its table until the next garbage collection."""
    game = load("tictactoe")
    searcher = Searcher(game, load_algorithm(algorithm), "interpreted")
    searcher.search(game.initial(), Limits(depth=2))
    runner = weakref.ref(searcher.runner_for(game.initial()))
    del searcher
    assert runner() is None
