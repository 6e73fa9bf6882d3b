"""If a game has its own fast method for random games, the payoffs have the same distribution as with random moves."""

from typing import Any

import pytest
from choices import choose
from support import playout

from gamesearch.api import search
from gamesearch.compiler import kernel, run
from gamesearch.game import MAX, Game
from gamesearch.games.capturing.go.rules import Go
from gamesearch.optional import PlayoutGame
from gamesearch.registry import load
from gamesearch.toolkit.bits import mix

DRAWS = 2000


def mean_payoff(game: Game, s: Any, known: dict[Any, float]) -> float:
    """Return the exact mean payoff if all moves are random."""
    if s not in known:
        if game.terminal(s):
            known[s] = float(game.utility(s))
        else:
            below = [mean_payoff(game, game.result(s, m), known) for m in game.moves(s)]
            known[s] = sum(below) / len(below)
    return known[s]


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("hex(size=3)", ""),
        ("hex(size=3)", "X../.O./..."),
        ("hex(size=3, swap=true)", "X../.../..."),
        ("hex(size=3)", "XOX/OX./..."),
        ("hex(size=2)", "XO/X."),  # a finished game
        ("y(size=3)", ""),
        ("y(size=4)", "./.X/.O./..XO"),
        ("y(size=3, swap=true)", "X/../..."),
    ],
)
def test_random_payoffs_have_the_mean_of_random_moves(text: str, position: str) -> None:
    game = load(text)
    assert isinstance(game, PlayoutGame)
    state = game.parse(position) if position else game.initial()
    paid = [game.random_payoff(state, mix(seed)) for seed in range(DRAWS)]
    assert set(paid) <= {-1, 1}
    wanted = mean_payoff(game, state, {})
    error = ((1 - wanted**2) / DRAWS) ** 0.5
    # A difference of more than four standard errors has a probability of 1 in 15,000.
    assert abs(sum(paid) / DRAWS - wanted) <= 4 * error + 1e-12


@pytest.mark.parametrize(
    "text",
    ["hex(size=4)", "hex(size=3, swap=true)", "y(size=4)", "go(size=4, superko=false)",
     "go(size=4, superko=false, suicide=true)", "go(size=4, playouts=uniform, superko=false, suicide=true)"],
)  # fmt: skip
def test_recorded_moves_lead_to_the_payoff(text: str) -> None:
    game = load(text)
    assert isinstance(game, PlayoutGame)
    for seed in range(20):
        s, moves = game.initial(), [-1] * 200
        if seed % 2:
            s = game.result(s, next(iter(game.moves(s))))
        payoff, last = game.random_moves(s, mix(seed), moves, 5)
        assert payoff == game.random_payoff(s, mix(seed))
        assert moves[:5] == [-1] * 5
        assert moves[last:] == [-1] * (200 - last)
        for move in moves[5:last]:
            if not game.terminal(s):  # Hex and Y continue until the board is full
                assert move in game.moves(s)
                s = game.result(s, move)
        assert game.terminal(s) or "suicide" in text  # random games with suicide may reach the limit of moves
        assert game.utility(s) == payoff


@kernel
def random_payoff(game: PlayoutGame[Any], s: Any, seed: int) -> float:
    """Return the payoff of a random game that is played by the game's own fast method."""
    return game.random_payoff(s, seed)


@pytest.mark.parametrize("text", choose(["hex(size=3)"], ["go(size=3, playouts=uniform)", "go(size=3, suicide=true)"]))
def test_both_speeds_find_the_same_ends(text: str) -> None:
    game = load(text)
    paid = [
        [run(random_payoff, game, speed, game.initial(), mix(seed)) for seed in range(100)]
        for speed in ("interpreted", "compiled")
    ]
    assert [each for each, _ in paid[0]] == [each for each, _ in paid[1]]
    assert len({each for each, _ in paid[0]}) > 1
    assert {speed for _, speed in paid[1]} == {"compiled"}


def test_a_playout_by_the_games_own_method_counts_as_one_node() -> None:
    game = load("hex(size=3)")
    found = search(game, game.initial(), "montecarlo(playouts=200)", speed="interpreted")
    assert found.statistics.nodes == 201


def is_own_eye(game: Go, s: Any, point: int) -> bool:
    """Whether a point is an eye of the side to move: this side owns all neighbors, and the opponent has at most one
    stone on the four diagonal neighbors, or none if the point is on the edge."""
    mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
    row, column = divmod(point, game.width)

    def at(stones: int, down: int, right: int) -> bool | None:
        there = 0 <= row + down < game.size and 0 <= column + right < game.size
        return bool(stones >> (row + down) * game.width + column + right & 1) if there else None

    sides = [at(mine, *step) for step in ((0, 1), (0, -1), (1, 0), (-1, 0))]
    corners = [at(theirs, *step) for step in ((1, 1), (1, -1), (-1, 1), (-1, -1))]
    return False not in sides and corners.count(True) <= (1 if None not in corners else 0)


@pytest.mark.parametrize("suicide", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_playouts_of_go_take_every_legal_move_that_fills_no_eye(seed: int, suicide: bool) -> None:
    game = Go(4, superko=False, suicide=suicide)
    for s in playout(game, seed, 60):
        if game.terminal(s):
            continue
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        points = [row * game.width + column for row in range(4) for column in range(4)]
        sensible = {point for point in points if game.is_sensible(mine, theirs, s.ko, point)}
        legal = {move for move in game.moves(s) if move != game.pass_move}
        assert sensible == {move for move in legal if not is_own_eye(game, s, move)}
        drawn = {game.random_point(mine, theirs, s.ko, seed, False) for seed in range(150)}
        assert drawn == (sensible or {game.pass_move})


def test_the_last_points_of_go_are_equally_likely() -> None:
    game = Go(9, superko=False)
    rows = ".OXO.O.OO/XO..OOOOO/OOXOO.O.O/OOOO.OOOO/.OO.O.OOO/OOOOOOOOO/OO.OOX.OO/OOOOOOOOO/.OO.O.O.O X"
    s = game.parse(rows)
    drawn = [game.random_point(s.black, s.white, s.ko, mix(seed), False) for seed in range(4000)]
    assert {game.move_name(s, point) for point in drawn} == {"C8", "D8"}
    assert 1850 < drawn.count(drawn[0]) < 2150  # five standard deviations of the count are 158


@pytest.mark.parametrize(("suicide", "names"), [(False, {"C2", "C3"}), (True, {"C2", "C3", "B4"})])
def test_suicide_is_as_likely_as_any_other_move(suicide: bool, names: set[str]) -> None:
    game = Go(4, playouts="uniform", superko=False, suicide=suicide)
    s = game.parse("O.X./XX.X/.X.X/XXX. O")
    assert {game.move_name(s, m) for m in game.moves(s)} == names | {"pass"}
    drawn = []
    for seed in range(1000):
        moves = [-1] * 200
        game.random_moves(s, mix(seed), moves, 0)
        drawn.append(game.move_name(s, moves[0]))
    assert set(drawn) == names
    for name in names:  # five standard deviations of the counts are at most 79
        assert abs(drawn.count(name) - 1000 / len(names)) < 79
