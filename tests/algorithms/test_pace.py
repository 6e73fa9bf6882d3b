"""A search that deepens keeps time where its best move stays the same."""

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.pace import SHARES, Pace
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.registry import load


def ends_at(moves: list[int], second: float) -> int | None:
    """After which of some depths, a second apart, a search of ten seconds ends."""
    pace = Pace(10.0)
    return next((n for n, move in enumerate(moves, 1) if pace.is_enough(move, n * second)), None)


def test_the_longer_the_move_stays_the_sooner_it_ends() -> None:
    assert list(SHARES) == sorted(SHARES, reverse=True)
    assert ends_at([7] * 20, 1.0) == 5
    assert ends_at(list(range(20)), 1.0) == 15
    assert ends_at([7, 7, 7, 7, 8, 8, 8, 8, 8, 8], 1.0) == 8
    assert ends_at([1, 2] * 10, 1.0) == 15


def test_without_a_time_to_aim_at_it_never_ends() -> None:
    pace = Pace(None)
    assert not any(pace.is_enough(3, seconds) for seconds in (0.0, 1.0, 1e9))


def test_a_search_ends_after_a_finished_depth_long_before_its_last_second() -> None:
    game = load("othello")
    algorithm = load_algorithm("alphabeta(deepen=true)")
    found = search_with(game, game.initial(), algorithm, Limits(depth=60, time=600, target=0.0), speed="interpreted")
    assert (found.statistics.depth, found.stopped) == (1, "")
