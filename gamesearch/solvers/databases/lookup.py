"""The exact solution of a position, read from a database without solving."""

import math
from typing import Any

from gamesearch.algorithms.databases.codes import UNDECIDED, code_in_layers, decode
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.database import Database
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.optional import WithVariants
from gamesearch.solvers.solution import Solution, solution_from
from gamesearch.solvers.store import prefers
from gamesearch.user_code.checking import check_arguments

__all__ = ["solve_by_database"]


def solve_by_database(game: Game, state: Any, folder: str) -> Solution:
    """The value of a position, the distance to the end, and all best moves, from the layers in a folder. A position
    outside of the layers is solved if all its moves lead to positions in the layers. Otherwise, GamesearchError is
    raised."""
    check_arguments(game, state)
    database = Database(folder, game)
    layers = database.layers(is_compiled=False)

    def known(s: Any) -> tuple[float, int] | None:
        if game.terminal(s):
            return float(game.utility(s)), 0
        code = code_in_layers(database.game, s, layers)
        if code == UNDECIDED:
            return None
        value, plies = decode(game, code, game.player(s))
        return value if game.win_or_loss else value + database.certain_payoff(s), plies

    def lookup(s: Any) -> tuple[float, int | None]:
        found = known(s) or value_from_moves(s)
        return found if game.win_or_loss else (found[0], None)

    def value_from_moves(s: Any) -> tuple[float, int]:
        maximizing = game.player(s) == MAX
        best, distance = -math.inf if maximizing else math.inf, 0
        for move in game.steps(s):
            found = known(game.result(s, move)) if s is state else None
            if found is None:
                raise GamesearchError(
                    f"{game.format(state)!r} is in no layer of {folder}, and its moves lead out of the "
                    f"layers: build larger layers with `gamesearch database`, or search with `gamesearch "
                    f"analyze` and an algorithm with the parameter database="
                )
            if prefers(found[0], found[1] + 1, best, distance, maximizing, game.draw_value()):
                best, distance = found[0], found[1] + 1
        return best, distance

    headers = database.headers.values()
    n, size = sum(each.positions for each in headers), sum(each.size for each in headers)
    note = game.for_solving(state)[2] if isinstance(game, WithVariants) else ""
    runner = Runner(game, "interpreted")
    return solution_from(runner, state, "database", lookup, positions=n, kept=n, bytes=size, note=note)
