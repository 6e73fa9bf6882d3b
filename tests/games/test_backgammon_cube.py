"""The doubling cube and matches of backgammon."""

import functools
from typing import Any

import pytest
from choices import EVERYTHING
from commands import Cli
from support import playout

from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN
from gamesearch.games.chance.backgammon.cube import (
    DOUBLE,
    DROP,
    OFFERED,
    TAKE,
    TO_DOUBLE,
    BackgammonMatch,
    BackgammonWithCube,
)
from gamesearch.games.chance.backgammon.equities import CENTERED, Rates
from gamesearch.games.chance.backgammon.position import count
from gamesearch.games.chance.backgammon.without_cube import ROLLS
from gamesearch.registry import load, specification_of

MONEY = BackgammonWithCube()
WITHOUT_GAMMONS = Rates(0.5, 0.0, 0.0, 0.0, 0.0)


# The model. --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("game", "text", "offered", "point"),
    [
        pytest.param(MONEY, "max", 64, 0.25, id="money, the last cube is dead"),
        pytest.param(MONEY, "max", 2, 0.20, id="money, a live cube"),
        pytest.param(BackgammonMatch(2), "max", 2, 0.30, id="both sides need two points, so a cube on two is dead"),
        pytest.param(BackgammonMatch(4), "max cube 2 min", 4, 0.32, id="both need four points, and the cube is dead"),
    ],
)
def test_take_points_without_gammons(game: BackgammonWithCube, text: str, offered: int, point: float) -> None:
    assert game.take_point(game.parse(text), WITHOUT_GAMMONS, 1, offered) == pytest.approx(point, abs=3e-4)


GNUBG_FOR_MONEY = [
    ("jGfwCSDg88gBMA max", (0.48, 0.1437, 0.0043, 0.1484, 0.0091), (-0.0699, -0.4527, 1.0)),
    ("ZiY4YBng22YGAA min", (0.6428, 0.1971, 0.008, 0.0645, 0.0023), (0.585, 0.6054, 1.0)),
    ("oTnxYALbOMEDQA max", (0.7003, 0.5065, 0.0213, 0.0728, 0.0038), (1.0351, 1.4997, 1.0)),
    ("djPgACOwbyMHAA min", (0.7654, 0.1052, 0.0017, 0.0363, 0.0008), (0.8571, 1.0417, 1.0)),
    ("sQ3jAyDgOXgjQA min cube 2 min", (0.3853, 0.0672, 0.0015, 0.252, 0.0047), (-0.2864, -1.2527, 1.0)),
    ("ceZmADDM3gaASA min cube 2 min", (0.6552, 0.2258, 0.0195, 0.0917, 0.0042), (0.6825, 0.6849, 1.0)),
]
GNUBG_IN_A_MATCH = [
    (5, "Hjg4YBng22YGAA min", (0.7546, 0.262, 0.0154, 0.0347, 0.0008), (57.664, 60.99, 58.0)),
    (5, "wTnxUALbOOABQQ max score 0-1", (0.7418, 0.5274, 0.0434, 0.0601, 0.0036), (51.728, 60.09, 50.0)),
    (5, "4JxxSAa3AyFgTA max cube 2 max score 0-1", (0.2169, 0.0608, 0.0014, 0.2454, 0.0058), (29.72, 19.033, 59.0)),
    (5, "z90AANDfLQEgAA min cube 4 min score 2-0", (0.5826, 0.0, 0.0, 0.0102, 0.0), (53.604, 58.265, 75.0)),
    (5, "zd0AAFxu2wWCAA min cube 4 min", (0.8854, 0.5196, 0.0716, 0.0033, 0.0), (86.326, 88.543, 85.0)),
    (9, "NvcBAyA4220AIA max cube 8 max", (0.5775, 0.0824, 0.0024, 0.1181, 0.0027), (58.405, 57.749, 95.0)),
    (9, "rpkzwADbmOABUA min cube 4 min score 0-1", (0.3879, 0.1294, 0.0029, 0.2373, 0.0155), (48.852, 39.509, 79.0)),
    (9, "4HPkAQnBa/ABMA max score 7-8", (0.484, 0.1432, 0.0056, 0.1443, 0.0089), (42.948, 48.4, 50.0)),
    (9, "onPwATDgc/ABMA min score 8-5", (0.5501, 0.1806, 0.0155, 0.1168, 0.007), (27.46, 35.981, 30.0)),
]
"""Positions with the probabilities and values that GNU Backgammon computes without search.

The probabilities are those of a win, gammon, backgammon, lost gammon and lost backgammon; the values are those of no
double, take and drop. In a match, the values are winning chances in percent, by Woolsey's match equity table.
"""


@pytest.mark.parametrize(
    ("length", "text", "chances", "expected"), [*((0, *case) for case in GNUBG_FOR_MONEY), *GNUBG_IN_A_MATCH]
)
def test_equities_as_in_gnu_backgammon(
    length: int, text: str, chances: tuple[float, ...], expected: tuple[float, float, float]
) -> None:
    game = BackgammonMatch(length) if length else MONEY
    s, (win, gammon, backgammon, lost_gammon, lost_backgammon) = game.parse(text), chances
    rates = game.rates_of((1 - lost_backgammon, 1 - lost_gammon, win, gammon, backgammon))
    kept, taken = game.equity(s, rates, s.cube, s.owner), game.equity(s, rates, 2 * s.cube, 1 - s.turn)
    found = (kept, taken, game.worth(s, s.cube))
    if length:
        assert [50 + 50 * value for value in found] == pytest.approx(expected, abs=0.02)
    else:
        assert [value / s.cube for value in found] == pytest.approx(expected, abs=0.01)


# A recursive solution of races in which all checkers are at home, on lists. -----------------------
Men = tuple[int, ...]


def plays(men: Men, dice: tuple[int, ...]) -> set[Men]:
    """Return the checkers after every way to use the dice in the given order.

    The index is the point; index 0 is not used.
    """
    if not dice or not any(men):
        return {men}
    found = set()
    for point in range(1, 7):
        end = point - dice[0]
        if men[point] and (end >= 0 or not any(men[point + 1 :])):
            after = list(men)
            after[point] -= 1
            if end > 0:
                after[end] += 1
            found |= plays(tuple(after), dice[1:])
    return found


@functools.cache
def roll_value(mine: Men, theirs: Men, cube: int, may_mine: bool, may_theirs: bool) -> float:
    """Return the expected points of the side to roll if it does not double."""
    total = 0.0
    for roll in ROLLS:
        larger, smaller = divmod(roll, 10)
        dice = [(larger,) * 4] if larger == smaller else [(larger, smaller), (smaller, larger)]
        after = set().union(*(plays(mine, each) for each in dice))
        best = max(-turn_value(theirs, men, cube, may_theirs, may_mine) if any(men) else cube for men in after)
        total += best * (1 if larger == smaller else 2) / 36
    return total


def turn_value(mine: Men, theirs: Men, cube: int, may_mine: bool, may_theirs: bool) -> float:
    """Return the expected points of the side to move, which may double before it rolls."""
    value = roll_value(mine, theirs, cube, may_mine, may_theirs)
    if may_mine and cube < 64:
        value = max(value, min(cube, roll_value(mine, theirs, 2 * cube, False, True)))
    return value


@pytest.mark.parametrize(
    ("mine", "theirs", "cube"),
    [
        pytest.param({5: 1, 2: 1}, {1: 2}, 1, id="a last roll that wins 19 of 36 times: double and take"),
        pytest.param({6: 1, 5: 1}, {1: 2}, 1, id="a last roll that seldom wins: no double"),
        pytest.param({1: 2}, {1: 1}, 2, id="a certain win: double and drop"),
        pytest.param({6: 1, 3: 1}, {4: 1, 3: 1}, 1, id="two rolls on each side"),
        pytest.param({5: 1, 4: 1}, {6: 1, 1: 1}, 2, id="two rolls and an owned cube"),
    ],
)
def test_the_solution_of_bear_offs_is_exact(mine: dict[int, int], theirs: dict[int, int], cube: int) -> None:
    boards = [sum(number << 4 * point for point, number in men.items()) for men in (mine, theirs)]
    boards = [board + (15 - sum(men.values())) for board, men in zip(boards, (mine, theirs), strict=True)]
    s = MONEY.parse("max")._replace(mine=boards[0], theirs=boards[1], cube=cube, owner=CENTERED if cube == 1 else MAX)
    ours, others = (tuple(count(board, point) if point else 0 for point in range(7)) for board in boards)
    assert best_value(s) == pytest.approx(turn_value(ours, others, cube, True, cube == 1))


@functools.cache
def best_value(s: Any) -> float:
    """The value of a position agrees with a simple recursive function on the rules."""
    if MONEY.terminal(s):
        return MONEY.utility(s)
    player = MONEY.player(s)
    if player == CHANCE:
        return sum((share * best_value(MONEY.result(s, roll)) for roll, share in MONEY.outcomes(s)), 0.0)
    values = [best_value(MONEY.result(s, m)) for m in MONEY.moves(s)]
    return max(values) if player == MAX else min(values)


# The rules. --------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", ["backgammon(cube=true)", "backgammon(match=1)", "backgammon(match=3)"])
def test_random_games(name: str) -> None:
    game = load(name)
    assert isinstance(game, BackgammonWithCube)
    assert load(specification_of(game)) == game
    for seed in range(6 if EVERYTHING else 2):
        states = playout(game, seed)
        assert [game.progress(s) for s in states] == sorted(game.progress(s) for s in states)
        for s in states[::4]:
            assert game.consistent(s)
            assert game.parse(game.format(s)) == s
            if not game.terminal(s):
                lower, upper = game.bounds(s)
                assert lower <= game.evaluate(s) <= upper
            for m in game.steps(s) if game.player(s) != CHANCE and not game.terminal(s) else ():
                assert game.parse_move(s, game.move_name(s, m)) == m


def test_a_double_a_take_and_a_redouble() -> None:
    s = MONEY.parse("max")
    assert (s.roll, MONEY.player(s), MONEY.move_name(s, DOUBLE)) == (TO_DOUBLE, MAX, "double")
    offered = MONEY.result(s, DOUBLE)
    assert (offered.roll, MONEY.player(offered)) == (OFFERED, MIN)
    dropped = MONEY.result(offered, MONEY.parse_move(offered, "pass"))
    assert (MONEY.terminal(dropped), MONEY.utility(dropped)) == (True, 1)
    taken = MONEY.result(offered, TAKE)
    assert (taken.cube, taken.owner, MONEY.player(taken)) == (2, MIN, CHANCE)
    after = MONEY.result(MONEY.result(taken, 31), next(MONEY.moves(MONEY.result(taken, 31))))
    assert (after.turn, after.roll) == (MIN, TO_DOUBLE)
    redropped = MONEY.result(MONEY.result(after, DOUBLE), DROP)
    assert MONEY.utility(redropped) == -2
    assert MONEY.player(MONEY.parse("max cube 2 min")) == CHANCE


def test_the_crawford_game() -> None:
    game = BackgammonMatch(5)
    s = game.parse("max score 3-2")
    crawford = game.result(game.result(s, DOUBLE), DROP)
    assert (crawford.white, crawford.black, crawford.crawford, crawford.cube) == (4, 2, 1, 1)
    assert game.player(game.parse("min score 4-2 crawford")) == CHANCE
    after = game.after_game(game.parse("min score 4-2 crawford"), MIN, 1)
    assert (after.black, after.crawford) == (3, 0)
    assert game.player(game.parse("min score 4-3")) == MIN
    assert game.player(game.parse("max score 4-3")) == CHANCE  # White's gain is limited to one point
    over = game.after_game(game.parse("max score 4-3"), MAX, 2)
    assert (game.terminal(over), game.utility(over)) == (True, 1)


def test_after_the_crawford_game_the_trailing_side_doubles() -> None:
    game = load("backgammon(match=5, weights=learned)")
    s = game.parse("min score 4-1")
    found = search(game, s, "expectiminimax(depth=2)", speed="interpreted")
    assert found.best == DOUBLE


def test_ids_of_gnu_backgammon_contain_the_cube_and_the_score() -> None:
    game = BackgammonMatch(5)
    assert game.parse("sOfgEwDg8+AIBg:cAmgADAAEAAE") == game.parse("sOfgEwDg8+AIBg max score 2-3")
    assert MONEY.parse("4HPwATDgc/ABMA:AQEAAAAAAAAA") == MONEY.parse("4HPwATDgc/ABMA min cube 2 min")
    with pytest.raises(GamesearchError, match=r"is a position of backgammon\(match=5\)"):
        MONEY.parse("sOfgEwDg8+AIBg:cAmgADAAEAAE")


# Programs. ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "action"),
    [
        ("AwAAiAAAAAAAAA max", "double, drop"),
        ("AwAAgAIAAAAAAA max", "no double, take"),
        ("AwAAEAEAAAAAAA max", "double, take"),
    ],
)
def test_analyze_prints_the_cube_decision(cli: Cli, text: str, action: str) -> None:
    found = cli.data("analyze backgammon(cube=true)", text, "--depth", 3, "--json")
    assert found["cube"]["action"] == action


def test_cube_games_learn_no_weights(cli: Cli) -> None:
    assert "learn backgammon" in cli.refusal("learn backgammon(cube=true) --network 2 --to x.json")
