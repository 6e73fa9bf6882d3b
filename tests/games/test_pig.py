from collections.abc import Iterator

import numpy as np
import pytest

from gamesearch.api import solve
from gamesearch.errors import GamesearchError
from gamesearch.games.chance.pig import HOLD, ROLL, Pig, Position


def winning_chance(target: int, tolerance: float) -> float:
    """Return the probability that the first player wins, by value iteration on Neller & Presser's equations."""
    wins = np.zeros((target, target, target + 6))  # indices: own score, opponent's score, turn total
    i, j, k = np.ogrid[:target, :target, :target]
    enough = i + k >= target
    after_holding = np.minimum(i + k, target - 1)
    change = 1.0
    while change > tolerance:
        fresh = wins[:, :, 0]
        roll = 1 - fresh.T[:, :, None]
        for face in range(2, 7):
            roll = roll + np.where(i + k + face >= target, 1.0, wins[:, :, face : face + target])
        hold = np.where(k == 0, 0.0, 1 - wins[j, after_holding, 0])
        new = np.where(enough, 1.0, np.maximum(roll / 6, hold))
        change = float(np.abs(new - wins[:, :, :target]).max())
        wins[:, :, :target] = new
    return float(wins[0, 0, 0])


def reachable(game: Pig) -> Iterator[Position]:
    seen, waiting = {game.initial()}, [game.initial()]
    while waiting:
        s = waiting.pop()
        yield s
        if not game.terminal(s):
            after = {game.result(s, m) for m in game.moves(s)} - seen
            seen |= after
            waiting += after


@pytest.mark.parametrize("target", [1, 2, 5, 10])
def test_rules_give_the_published_equations(target: int) -> None:
    game = Pig(target)
    value = solve(game, game.initial(), "iteration", speed="interpreted").value
    assert value == pytest.approx(winning_chance(target, 1e-10), abs=1e-7)


def test_moves() -> None:
    game = Pig(100)
    assert list(game.moves(game.initial())) == [ROLL]
    assert list(game.moves(game.parse("0,0,5"))) == [ROLL, HOLD]
    assert list(game.moves(game.parse("95,0,5"))) == [HOLD]
    assert game.result(game.parse("0,7,5 min roll"), 1) == game.parse("0,7,0 max")
    assert game.result(game.parse("0,7,5 min"), HOLD) == game.parse("0,12,0 max")
    assert game.parse_move(game.initial(), " R") == ROLL
    assert game.parse_move(game.parse("0,0,0 roll"), "6") == 6


def test_positions_have_different_keys_and_round_trip() -> None:
    game = Pig(12)
    states = list(reachable(game))
    assert len({game.key(s) for s in states}) == len(states)
    assert {game.parse(game.format(s)) for s in states} == set(states)


@pytest.mark.parametrize(
    "text", ["", "5", "1,2,3,4", "-1,0,0", "100,100,0", "100,0,5", "95,0,5 roll", "0,0,107", "107,0", "0,0,0 up"]
)
def test_impossible_positions_are_refused(text: str) -> None:
    with pytest.raises(GamesearchError):
        Pig().parse(text)
