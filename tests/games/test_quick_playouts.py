"""Random ends that a game finds by itself are distributed as those of random moves, one after another."""

from typing import Any

import pytest

from gamesearch.api import search
from gamesearch.bits import mix
from gamesearch.game import Game
from gamesearch.questions import PlayedOut
from gamesearch.registry import load

DRAWS = 3000


def expected(game: Game[Any], s: Any, known: dict[Any, float]) -> float:
    """What random play pays on average, exactly."""
    if s not in known:
        if game.terminal(s):
            known[s] = float(game.utility(s))
        else:
            below = [expected(game, game.result(s, m), known) for m in game.moves(s)]
            known[s] = sum(below) / len(below)
    return known[s]


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("hex(size=3)", ""),
        ("hex(size=3)", "X../.O./..."),
        ("hex(size=3, swap=true)", "X../.../..."),
        ("hex(size=3)", "XOX/OX./..."),
        ("y(size=3)", ""),
        ("y(size=4)", "./.X/.O./..XO"),
        ("y(size=3, swap=true)", "X/../..."),
    ],
)
def test_random_ends_pay_what_random_moves_pay(text: str, position: str) -> None:
    game = load(text)
    assert isinstance(game, PlayedOut)
    state = game.parse(position) if position else game.initial()
    paid = [game.random_payoff(state, mix(seed)) for seed in range(DRAWS)]
    assert set(paid) <= {-1, 1}
    wanted = expected(game, state, {})
    error = ((1 - wanted**2) / DRAWS) ** 0.5
    # Four standard errors: by bad luck once in fifteen thousand times.
    assert abs(sum(paid) / DRAWS - wanted) <= 4 * error + 1e-12


def test_a_finished_game_pays_what_it_pays() -> None:
    game = load("hex(size=2)")
    state = game.parse("XO/X.")
    assert game.terminal(state)
    assert isinstance(game, PlayedOut)
    assert {game.random_payoff(state, seed) for seed in range(9)} == {1}


def test_both_speeds_find_the_same_ends() -> None:
    game = load("hex(size=3)")
    slow, fast = (
        search(game, game.initial(), "montecarlo(playouts=200)", speed=speed) for speed in ("interpreted", "compiled")
    )
    assert slow.moves == fast.moves
    assert fast.statistics.nodes == 201  # nothing but what each move leads to
