"""`gamesearch compare --transform` shows which changes of an evaluation change the chosen moves."""

import functools
import itertools
import math
import operator
from typing import Any

import pytest
from commands import Cli
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesearch.algorithms.engine.result import Monitor
from gamesearch.commands.visualizing.compare.formula import parse_formula
from gamesearch.commands.visualizing.compare.transforming import TransformedGame, choice_in
from gamesearch.errors import GamesearchError
from gamesearch.registry import load

LECTURE = "[{9/10: [2,2], 1/10: [3,3]}, {9/10: [1,1], 1/10: [4,4]}]"
RISING = ("x^3", "exp(x)", "2*x+1", "x + tanh(x)", "atan(x)*3 - 1", "{-4: -9, 0: 1, 200: 3}")


def compare(cli: Cli, game: str, formula: str, *more: str) -> Any:
    return cli.data("compare", game, "--transform", formula, *more)


def test_the_lectures_pair(cli: Cli) -> None:
    found = compare(cli, LECTURE, "{1: 1, 2: 20, 3: 30, 4: 400}")
    root = found["positions"][0]
    values = [(move["value"], move["transformed"]) for move in root["moves"]]
    assert values == [pytest.approx((2.1, 21)), pytest.approx((1.3, 40.9))]
    assert (root["best"], root["best_transformed"], root["other"], found["changed"]) == ("a", "b", True, 1)
    assert "Max chooses a by the original values, but b by the transformed values" in cli.output(
        "compare", LECTURE, "--transform", "{1:1, 2:20, 3:30, 4:400}"
    )


def test_a_position_that_comes_up_again_is_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    game, made, result = load("nim(heaps=4-5-6)"), itertools.count(), TransformedGame.result

    def count_result(self: TransformedGame, s: Any, m: int) -> Any:
        next(made)
        return result(self, s, m)

    monkeypatch.setattr(TransformedGame, "result", count_result)
    found = choice_in(game, game.initial(), parse_formula("x^3"), None, Monitor())
    assert found is not None
    sums = [functools.reduce(operator.xor, game.result(game.initial(), m).heaps) for m in found.moves]
    assert found.before == found.after == tuple(-1.0 if each else 1.0 for each in sums)
    assert next(made) < 50_000


def test_only_a_linear_transformation_keeps_the_chosen_move_with_chance(cli: Cli) -> None:
    for game in ("random_tree(branching=3, depth=4, values=20)", "connect4(rows=4, columns=4)"):
        found = compare(cli, game, "x^3", "--positions", "12", "--depth", "4")
        assert (found["increasing"], found["changed"], len(found["positions"])) == (True, 0, 12)
    game = "random_tree(branching=3, depth=4, chance=true)"
    assert compare(cli, game, "x^3")["changed"] > 0
    assert compare(cli, game, "2*x+1")["changed"] == 0
    pig = compare(cli, "pig(target=20)", "x^3", "--positions", "60")
    (other, *_) = [each for each in pig["positions"] if each["other"]]
    assert other["best"] != other["best_transformed"]
    found = compare(cli, "nim(heaps=1-2)", "-x")
    assert found["increasing"] is False
    assert found["changed"] > 0
    assert "so choices may change" in cli.output("compare nim(heaps=1-2) --transform x^2")


@settings(max_examples=25)
@given(st.sampled_from(RISING), st.floats(-4, 4), st.floats(-4, 4))
def test_increasing_formulas_are_recognized(text: str, one: float, other: float) -> None:
    formula = parse_formula(text)
    low, high = sorted((one, other))
    assert formula(low) <= formula(high)
    assert formula.is_increasing(-4, 4)
    assert formula.is_linear(-4, 4) is (text == "2*x+1")


def test_formulas_are_evaluated() -> None:
    assert parse_formula("-x^2 + 3*(x - 1)/2")(5) == -25 + 6
    assert parse_formula("sqrt(abs(x)) + e*pi")(-4) == pytest.approx(2 + math.e * math.pi)
    assert parse_formula("{0: 0, 2: 10}")(0.5) == 2.5
    assert not parse_formula("cbrt(x)").is_linear(-1, 1)


def test_wrong_formulas_are_refused() -> None:
    for text in (
        "", "y", "x.real", "exp", "exp(x, x)", "__import__('os')", "x if x else 1", "[x]", "True*x", "x//2", "'x'",
        "{1: 2}", "{2: 1, 1: 2}", "{1: x, 2: 3}", "(" * 90 + "x", "x+" * 150 + "x", "lambda x: x", "x == 1", "1j*x",
        "{**x, 1: 2}",
    ):  # fmt: skip
        with pytest.raises(GamesearchError, match="write, for example"):
            parse_formula(text)
    for text in ("log(x)", "1/x", "9**9**9*x", "x**0.5", "{3: 1, 4: 2}", "1e308*10*x"):
        with pytest.raises(GamesearchError, match="has no value at x = "):
            [parse_formula(text)(x) for x in (-1, 0, 1)]
