"""Beliefs about leaves from random games: compared with exact expectations, and at both speeds."""

import functools
import math
from typing import Any

import pytest
from support import Maze, Trap, textbook_on_paths

from gamesearch.algorithms.engine.result import Limits, MoveValue
from gamesearch.algorithms.tree_search.sampling import mean_and_error
from gamesearch.api import search, searcher
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.registry import load

PLAYOUTS = 2_000
SURE = 4.5
"""A deviation of this many standard errors has a probability of 1 in 150,000; the seeds are fixed."""
GAMES = [
    ("tictactoe", "X../.O./..."),
    ("nim(heaps=1-2-3)", ""),
    ("connect4(rows=3, columns=3, connect=3)", ""),
    ("pig(target=8)", ""),
    ("[[3,{1/4: -2, 3/4: 5}],[[1,2,9],4]]", ""),
]
"""Games small enough to enumerate all random games."""


def moments_of(game: Game, state: Any) -> tuple[float, float]:
    """Return the mean payoff of random games from a position, and the mean of its square, by enumeration."""

    @functools.cache
    def moments(s: Any, left: int) -> tuple[float, float]:
        if game.terminal(s):
            payoff = float(game.utility(s))
            return payoff, payoff * payoff
        if not left:
            return 0.0, 0.0
        steps = game.steps(s)
        odds = game.outcomes(s) if game.player(s) == CHANCE else [(move, 1 / len(steps)) for move in steps]
        found = [(share, moments(game.result(s, move), left - 1)) for move, share in odds]
        return sum(share * one for share, (one, _) in found), sum(share * two for share, (_, two) in found)

    return moments(state, 60)


def beliefs_at(game: Game, state: Any, options: str, **given: Any) -> tuple[MoveValue, ...]:
    """Return the beliefs about the moves of a position after one expansion."""
    algorithm = f"beliefs(leaves=playouts, expansions=1, {options})"
    return search(game, state, algorithm, **{"speed": "interpreted", **given}).moves


@pytest.mark.parametrize(("text", "position"), GAMES)
def test_means_and_errors_are_those_of_random_games(text: str, position: str) -> None:
    game, state = load(text).setup(position)
    checked = 0
    for each in beliefs_at(game, state, f"playouts={PLAYOUTS}, seed=1"):
        after = game.result(state, each.move)
        mean, square = moments_of(game, after)
        assert each.belief is not None
        if game.terminal(after):
            assert (each.value, each.belief.deviation) == (mean, 0)
            continue
        assert isinstance(each.value, float)
        # The average includes one payoff of each extreme, which is not random; the other payoffs are.
        least, greatest = float(game.MINSCORE), float(game.MAXSCORE)
        wanted, error = mean_and_error(least, greatest, PLAYOUTS * mean, PLAYOUTS * square, PLAYOUTS)
        drawn = math.sqrt(max(0.0, square - mean * mean) / PLAYOUTS)
        assert abs(each.value - wanted) <= SURE * drawn + each.belief.step / 2
        assert each.belief.deviation == pytest.approx(error, rel=0.15, abs=each.belief.step)
        checked += 1
    assert checked >= 1


def test_the_error_that_is_believed_is_the_one_there_is() -> None:
    """Among many averages of few games, 95 % are within 1.96 estimated errors of the true mean."""
    game, state = load("tictactoe").setup("X../.O./...")
    means = {move: moments_of(game, game.result(state, move))[0] for move in game.moves(state)}
    within = total = 0
    for seed in range(100):
        for each in beliefs_at(game, state, f"playouts=20, seed={seed}"):
            assert each.belief is not None
            assert isinstance(each.value, float)
            within += abs(each.value - means[each.move]) <= 1.96 * each.belief.deviation
            total += 1
    assert total == 700
    assert 0.93 <= within / total <= 0.99


def test_more_games_say_it_more_narrowly() -> None:
    game, state = load("tictactoe").setup("X../.O./...")
    deviations = []
    for playouts in (5, 80, 1280):
        found = beliefs_at(game, state, f"playouts={playouts}")
        deviations.append(max(each.belief.deviation for each in found if each.belief is not None))
    assert deviations[0] > 2.5 * deviations[1] > 6.25 * deviations[2]


def test_an_error_that_is_given_comes_on_top() -> None:
    game, state = load("tictactoe").setup("X../.O./...")
    for each in beliefs_at(game, state, f"playouts={PLAYOUTS}, error=0.1"):
        assert each.belief is not None
        assert each.belief.deviation == pytest.approx(0.1, rel=0.1)


def test_a_seed_plays_the_same_games() -> None:
    game = load("connect4")
    one, again, other = (
        [each.value for each in beliefs_at(game, game.initial(), f"playouts=10, seed={seed}")] for seed in (1, 1, 2)
    )
    assert one == again != other


@pytest.mark.parametrize("kind", [Maze, Trap])
@pytest.mark.parametrize("seed", range(8))
def test_what_is_certain_where_positions_recur_is_right(kind: Any, seed: int) -> None:
    game = kind(seed, places=6)
    state = game.initial()
    if game.terminal(state) or not game.steps(state):
        return
    found = search(game, state, "beliefs(leaves=playouts, playouts=3, expansions=2000)", speed="interpreted")
    if found.sees_the_end:
        assert (found.value, found.bound) == (textbook_on_paths(game, state, 50), "exact")
    else:
        assert found.bound == "estimate"


def test_it_takes_the_win_in_front_of_it() -> None:
    game = load("tictactoe")
    found = search(game, game.parse("XX./OO./..."), "beliefs(leaves=playouts, expansions=50)", speed="interpreted")
    assert (found.value, found.best, found.distance, found.bound) == (1, 2, 1, "exact")


@pytest.mark.parametrize("nodes", [1, 7, 60, 2000])
def test_a_limit_on_nodes_holds_but_for_the_last_random_game(nodes: int) -> None:
    game = load("connect4")
    found = search(game, game.initial(), "beliefs(leaves=playouts)", limits=Limits(nodes=nodes), speed="interpreted")
    assert found.statistics.nodes <= nodes + 42
    assert found.stopped == "nodes"
    assert (found.best is None) == (nodes < 8)


def test_draws_of_the_search_agree_with_its_histograms() -> None:
    game = load("kalah(pits=3, seeds=2)")
    algorithm = "beliefs(leaves=playouts, expansions=40, draws=20000, seed=3)"
    for each in search(game, game.initial(), algorithm, speed="interpreted").moves:
        assert each.belief is not None
        assert each.belief.sampled is not None
        assert each.belief.sampled[0] == pytest.approx(each.value, abs=each.belief.step / 2 + 0.1)
        assert each.belief.sampled[1] == pytest.approx(each.belief.best, abs=0.05)


def test_the_tree_is_kept_from_move_to_move() -> None:
    game = load("kalah(pits=3, seeds=2)")
    with searcher(game, "beliefs(leaves=playouts, expansions=30)", speed="interpreted") as kept:
        first = kept.search(game.initial())
        after = game.result(game.initial(), first.line[0])
        again = kept.search(after, past=[game.initial()])
        assert kept.runner_for(after).store.used_nodes > again.statistics.leaves // 20  # type: ignore[attr-defined]
    assert again.best in list(game.moves(after))


def test_what_does_not_fit_is_refused() -> None:
    for text, algorithm, said in (
        ("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "beliefs(leaves=playouts)", "for two players"),
        ("tictactoe", "beliefs(leaves=playouts, playouts=0)", "at least 1, not 0"),
        ("tictactoe", "beliefs(leaves=playouts, playouts=2.5)", "whole number"),
        ("tictactoe", "beliefs(leaves=none)", "leaves is estimates, playouts, payoffs, not 'none'"),
    ):
        game = load(text)
        with pytest.raises(GamesearchError, match=said):
            search(game, game.initial(), algorithm)
