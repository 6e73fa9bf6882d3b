"""Solving impartial games by their Grundy numbers, which say who wins, but not how soon.

Sprague 1935 and Grundy 1939: a sum of such games is won by who moves next, unless the nim-sum of
their numbers is 0.
"""

import functools
import operator
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.parts.runner import Runner
from gamesearch.game import MAX
from gamesearch.questions import Impartial, is_impartial
from gamesearch.solvers.memo import solve_few_by_memo
from gamesearch.solvers.periods import tabulate
from gamesearch.solvers.solution import Solution, solution_from

__all__ = ["solve_by_grundy", "solve_impartial", "with_grundy_numbers"]

SMALL = 1 << 13
"""Up to so many positions, an impartial game is solved with its distances rather than by Grundy numbers."""


def solve_impartial(runner: Runner, state: Any, *, prefers_theory: bool) -> Solution:
    """By Grundy numbers; with how soon, which they do not say, where there are few enough positions to count it."""
    counted = solve_few_by_memo(runner, state, SMALL)
    if counted is not None and not prefers_theory:
        return counted
    solution = solve_by_grundy(runner, state)
    if counted is None:
        return solution
    return replace(solution, distance=counted.distance, best=counted.best, moves=counted.moves)


def solve_by_grundy(runner: Runner, state: Any) -> Solution:
    """By the nim-sum of the Grundy numbers; they say who wins, not how soon (Sprague 1935, Grundy 1939)."""
    game = runner.game
    assert is_impartial(game)
    grundy: dict[int, int] = {}

    def nim_sum(s: Any) -> int:
        sizes = game.subgames(s)
        grundy.update((size, game.grundy(size)) for size in sizes if size not in grundy)
        return functools.reduce(operator.xor, (grundy[size] for size in sizes), 0)

    def lookup(s: Any) -> tuple[float, int | None]:
        if game.terminal(s):
            return float(game.utility(s)), None
        wins = (nim_sum(s) != 0) == (game.player(s) == MAX)
        return float(game.MAXSCORE if wins else game.MINSCORE), None

    nim_sum(state)
    sizes = len(grundy)
    return replace(
        solution_from(runner, state, "grundy", lookup, positions=sizes, kept=sizes, bytes=0), speed="interpreted"
    )


def with_grundy_numbers(game: Impartial[Any], state: Any, solution: Solution) -> Solution:
    """The solution with what the theory says of an impartial game, however it was solved."""
    numbers = {size: game.grundy(size) for size in game.subgames(state)}
    table = tabulate(game.grundy, len(game.octal_code) - 1) if game.octal_code else None
    return replace(solution, grundy=numbers, grundy_table=table)
