"""Playouts: their averages agree with the mean of all random games; moves compete for playouts; limits hold."""

import math

import pytest
from recordings import recording_of, root_of
from support import Greedy, Trap, random_play

from gamesearch.algorithms.node.records import RecordHandle
from gamesearch.algorithms.tree_search.playout import PlayoutRecord, random_below, random_unit
from gamesearch.api import search
from gamesearch.registry import load

POSITIONS = (
    ("hex(size=2)", ""),  # Hex and Y have their own method to finish a random game
    ("hex(size=3)", ""),
    ("y(size=3)", ""),
    ("nim(heaps=1-2-3)", ""),
    ("tictactoe", "X../.O./..."),
    ("dotsandboxes(rows=1, columns=2)", ""),
    ("{1/8: [8, 4], 7/8: [0, 8]}", ""),
    ("[[3,12,8],[2,4,6],[14,5,2]]", ""),
    ("[{1/4: 3, 3/4: [0, -2]}, [{5, 1/2}, 1, [2, 0]], 0]", ""),
    ("[[(1,2,6),(4,2,3)],{[(6,1,2),(7,4,1)],(1,1,1)}]", ""),
)


def test_averages_and_their_intervals_agree_with_all_random_games() -> None:
    """An average deviates by more than 4.5 standard errors with a probability of 1 in 140,000."""
    inside = total = 0
    for text, position in POSITIONS:
        game, state = load(text).setup(position)
        for seed in range(2):
            found = search(game, state, f"montecarlo(playouts=900, seed={seed})", speed="interpreted")
            for each in found.moves:
                moments = random_play(game, game.result(state, each.move))
                values = each.value if isinstance(each.value, tuple) else (each.value,)
                for (mean, square), value in zip(moments, values, strict=True):
                    error = math.sqrt(max(0.0, square - mean * mean) / each.visits)
                    assert abs(float(value or 0) - mean) <= 4.5 * error + 1e-6, (text, each.move)
                assert each.interval is not None
                player = game.player(state) if len(moments) > 1 else 0
                inside += each.interval[0] <= moments[player][0] <= each.interval[1]
                total += 1
    # Each interval contains the true value with a probability of 95 %. The probability that fewer than 90 % of the
    # intervals contain it is 1 in 1,000.
    assert total > 80
    assert inside / total >= 0.9


def test_halving_gives_each_round_an_equal_share() -> None:
    game = load("[1,2,3,4,5,6,7,8]")
    found = search(game, game.initial(), "montecarlo(playouts=240, race=halving)", speed="interpreted")
    assert [each.visits for each in found.moves] == [10, 10, 10, 10, 30, 30, 70, 70]
    assert found.best == 7


def test_moves_with_a_good_order_are_likelier() -> None:
    """The order of Greedy prefers large takes, so at a low softmax temperature both sides take as many as possible."""
    game = Greedy(6)
    found = search(game, game.initial(), "montecarlo(policy=order, temperature=0.01, playouts=30)", speed="interpreted")
    after = {each.move: each.value for each in found.moves}
    assert after[3] == game.utility(game.result(game.result(game.initial(), 3), 3))


def test_playouts_are_cut_off_and_estimated() -> None:
    game = Greedy(9)
    found = search(game, game.initial(), "montecarlo(playouts=30, plies=1)", speed="interpreted")
    assert found.statistics.nodes == 1 + 30 + 30
    whole = search(game, game.initial(), "montecarlo(playouts=30)", speed="interpreted")
    assert whole.statistics.nodes > found.statistics.nodes


def test_superko_holds_in_playouts() -> None:
    game = Trap(1, places=7)
    found = search(game, game.initial(), "montecarlo(playouts=50)", speed="interpreted")
    # A playout cannot visit a place twice, so its length is at most the number of places.
    assert found.statistics.nodes <= 1 + 50 * game.places
    assert found.best in game.steps(game.initial())


def test_random_numbers_are_spread_evenly() -> None:
    held = RecordHandle(PlayoutRecord, False)
    held.write(drawn=12345)
    counts = [0] * 6
    for _ in range(6000):
        counts[random_below(6, held.record)] += 1
    # A chi-squared variable with 5 degrees of freedom exceeds 20.5 with a probability of 1 in 1,000.
    assert sum((count - 1000) ** 2 / 1000 for count in counts) < 20.5
    units = [random_unit(held.record) for _ in range(4000)]
    assert 0 <= min(units) < 0.01 < 0.99 < max(units) < 1
    assert sum(units) / 4000 == pytest.approx(0.5, abs=0.02)


@pytest.mark.parametrize("game", ["min[0, 9, 9]", "max[9, 0, 0]"])
@pytest.mark.parametrize("race", ["ucb", "halving"])
def test_the_best_move_gets_the_most_playouts_for_max_and_for_min(game: str, race: str) -> None:
    recording = recording_of(game, f"montecarlo(playouts=60, race={race})")
    visits = {child.move: child.visits for child in recording.children(root_of(recording))}
    assert visits["a"] == max(visits.values()) > 60 / 3
