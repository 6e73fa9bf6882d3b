"""A database of a game that does not number its positions: of all that can be reached from one, by their hashed keys.

All positions are found first and solved in memory, as `solve` does it, so a database is as large as memory holds:
100 bytes a position and more while it is made. Kept are the hashed keys by their size and a code for each: 9 bytes a
position instead of 1, and a search in them (D. E. Knuth, The Art of Computer Programming 3, section 6.2.1) instead of
one look. Finished games are left out, as the rules tell their values.
"""

from typing import Any

import numpy as np

from gamesearch.algorithms.parts.codes import DRAWN, UNDECIDED, WON, Layers, code_in_layers, most_paid
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.bits import mix
from gamesearch.compiler import kernel
from gamesearch.compiler.rows import load_state
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.solvers.databases.folders import wrong_payoffs
from gamesearch.solvers.databases.kernels import code_by_moves
from gamesearch.solvers.graph import OVER, explored
from gamesearch.solvers.retrograde import values_by_predecessors

__all__ = ["START", "HashedLayer", "first_wrong_of_reached", "name_of_start", "solve_reached", "start_of"]

START = "start"
MOST_CODE = (1 << 16) - 1


class HashedLayer:
    """What is reached from a position: keys by their size, the code of each, and counts as `count_codes` makes them."""

    def __init__(self, game: Game[Any], keys: Any, players: Any, values: Any, distances: Any) -> None:
        order = np.argsort(keys)
        self.keys, players, values, distances = keys[order], players[order], values[order], distances[order]
        if game.win_or_loss:
            is_drawn, is_best = values == game.draw_value(), values == game.MAXSCORE
            if not (is_drawn | is_best | (values == game.MINSCORE)).all():
                raise wrong_payoffs(game)
            is_won = is_best == (players == MAX)
            codes = np.where(is_drawn, DRAWN, WON + 2 * distances + ~is_won)
            signed = np.where(is_drawn, 0, np.where(is_won, 1, -1))
        else:
            signed = np.where(players == MAX, values, -values)
            if (signed != np.floor(signed)).any():
                raise GamesearchError(f"{game.name} says that its payoffs are whole, and they are not")
            codes = DRAWN + (most_paid(game) + signed).astype(np.int64)
        most = int(codes.max(initial=0))
        if most > MOST_CODE:
            raise GamesearchError(f"{game.name} lasts longer, or pays more, than a database can tell")
        self.codes = codes.astype(np.uint8 if most < 1 << 8 else np.uint16)
        longest = int((codes[codes >= WON] - WON >> 1).max(initial=0)) if game.win_or_loss else 0
        self.counts = [int((signed > 0).sum()), int((signed == 0).sum()), int((signed < 0).sum()), longest]


def start_of(game: Game[Any], text: str) -> Any:
    """The position that a person names, or the first one for START."""
    return game.initial() if text.strip().casefold() == START else game.parse(text)


def name_of_start(game: Game[Any], state: Any) -> str:
    """How the layer that is reached from a position is called; it is part of the name of a file."""
    if state == game.initial():
        return START
    return f"from-{mix(game.key(state)) & (1 << 48) - 1:012x}"


def solve_reached(runner: Runner, state: Any) -> HashedLayer:
    """Find all positions that can be reached from one, and solve them."""
    game = runner.game
    graph = explored(runner, state)
    values, distances, _ = values_by_predecessors(runner, graph)
    index = np.asarray(graph.index)
    index = index[index["filled"] != 0]
    index = index[graph.players[index["number"]] != OVER]
    numbers = index["number"]
    return HashedLayer(game, index["key"], graph.players[numbers], values[numbers], distances[numbers].astype(np.int64))


def first_wrong_of_reached(runner: Runner, state: Any, layers: Any) -> tuple[Any, int]:
    """The first position reached whose code does not follow from those after its moves, and its place, or -1."""
    graph = explored(runner, state)
    number = int(
        runner.execute(
            first_wrong_key,
            lambda: (runner.game, state, graph.rows, graph.positions, layers(runner.speed == "compiled")),
        )
    )
    return (load_state(graph.rows, number, state) if number >= 0 and not graph.is_compiled else state), number


@kernel
def first_wrong_key(game: Any, start: Any, rows: Any, size: int, layers: Layers) -> int:
    """The first of some positions whose code is not what one ply of search says; -1 if all are right."""
    for number in range(size):
        s = load_state(rows, number, start)
        if game.terminal(s):
            continue
        code = code_in_layers(game, s, layers)
        if code == UNDECIDED or code != code_by_moves(game, s, -1, -1, None, layers):
            return number
    return -1
