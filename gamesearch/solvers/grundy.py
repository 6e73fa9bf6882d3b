"""Solve impartial games by their Grundy numbers, which determine the winner but not the distance to the end.

Sprague 1935 and Grundy 1939: the player to move wins a sum of such games unless the nim-sum of the Grundy numbers is 0.
"""

import functools
import itertools
import operator
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.errors import Interrupted
from gamesearch.game import MAX, MOST_MOVES, Game
from gamesearch.optional import ImpartialGame, is_impartial
from gamesearch.solvers.dynamic_programming import solve_few_by_memo
from gamesearch.solvers.periods import tabulate
from gamesearch.solvers.solution import Solution, solution_from

__all__ = ["solve_by_grundy", "solve_impartial", "with_grundy_numbers"]

SMALL = 1 << 13
"""If an impartial game has at most this number of positions, its solution also contains distances, which Grundy numbers
do not give."""


def solve_impartial(runner: Runner, state: Any, *, prefers_theory: bool) -> Solution:
    """Solve by Grundy numbers. A game with few positions is also solved by the method `memo`, which finds distances.
    For such a game, return the solution that `memo` has found. But if `prefers_theory` is true, return the solution by
    Grundy numbers and add the distances from `memo`."""
    if has_too_many_moves(runner.game, state):
        return solve_by_grundy(runner, state)
    counted = solve_few_by_memo(runner, state, SMALL)
    if counted is not None and not prefers_theory:
        return counted
    solution = solve_by_grundy(runner, state)
    if counted is None:
        return solution
    return replace(solution, distance=counted.distance, best=counted.best, moves=counted.moves)


def solve_by_grundy(runner: Runner, state: Any) -> Solution:
    """Solve by the nim-sum of the Grundy numbers, without distances."""
    game = runner.game
    assert is_impartial(game)
    number = functools.cache(game.grundy)

    def nim_sum(s: Any) -> int:
        return functools.reduce(operator.xor, map(number, game.subgames(s)), 0)

    def first_winning_move() -> list[int]:
        for count, move in enumerate(game.moves(state)):
            if count % MOST_MOVES == 0 and runner.monitor is not None and runner.monitor.interrupted:
                raise Interrupted(f"solving was interrupted after {count:,} moves")
            if nim_sum(game.result(state, move)) == 0:
                return [move]
        return []

    def lookup(s: Any) -> tuple[float, int | None]:
        if game.terminal(s):
            return float(game.utility(s)), None
        wins = (nim_sum(s) != 0) == (game.player(s) == MAX)
        return float(game.MAXSCORE if wins else game.MINSCORE), None

    steps, note, is_won = None, "", nim_sum(state) != 0
    sizes = number.cache_info().currsize
    if has_too_many_moves(game, state):
        steps = first_winning_move() if is_won else []
        listed = "only the first winning move is listed" if steps else "all moves lose, and no move is listed"
        note = f"more than {MOST_MOVES:,} moves: {listed}"
    found = solution_from(runner, state, "grundy", lookup, steps=steps, positions=sizes, kept=sizes, bytes=0, note=note)
    return replace(found, speed="interpreted")


def has_too_many_moves(game: Game, state: Any) -> bool:
    """Whether a state has too many moves for a search. Grundy numbers can still solve it, because they need no list of
    moves."""
    return next(itertools.islice(game.moves(state), MOST_MOVES, None), None) is not None


def with_grundy_numbers(game: ImpartialGame[Any], state: Any, solution: Solution) -> Solution:
    """Add the Grundy numbers of an impartial game to a solution."""
    numbers = {size: game.grundy(size) for size in game.subgames(state)}
    table = tabulate(game.grundy, len(game.octal_code) - 1) if game.octal_code else None
    return replace(solution, grundy=numbers, grundy_table=table)
