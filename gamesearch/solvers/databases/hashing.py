"""A database of a game that does not number its positions: of all that can be reached from one, by their hashed keys.

All positions are found first and solved in memory, as `solve` does it, so a database is as large as memory holds:
100 bytes a position and more while it is made. Kept are the hashed keys by their size and a code for each: 9 bytes a
position instead of 1, and a search in them (D. E. Knuth, The Art of Computer Programming 3, section 6.2.1) instead of
one look. Symmetric positions share a key. Finished games are left out, as the rules tell their values.
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
from gamesearch.solvers.databases.resumption import Resumption
from gamesearch.solvers.graph import OVER, explored

__all__ = ["START", "HashedLayer", "first_wrong_of_reached", "name_of_start", "solve_reached", "start_of"]

START = "start"
MOST_CODE = (1 << 16) - 1
AT_ONCE = 1 << 20
"""So many positions are looked at together."""


class HashedLayer:
    """What is reached from a position: keys by their size, the code of each, and counts as `count_codes` makes them."""

    def __init__(self, game: Game[Any], keys: Any, players: Any, values: Any, distances: Any) -> None:
        codes, self.counts = np.zeros(len(keys), np.uint16), [0, 0, 0, 0]
        for begin in range(0, len(keys), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            codes[part], counts = coded(game, players[part], values[part], distances[part])
            self.counts = [*map(sum, zip(self.counts[:3], counts[:3], strict=True)), max(self.counts[3], counts[3])]
        order = np.argsort(keys)
        self.keys, self.codes = keys[order], codes[order]
        if codes.max(initial=0) < 1 << 8:
            self.codes = self.codes.astype(np.uint8)


def coded(game: Game[Any], players: Any, values: Any, distances: Any) -> tuple[Any, list[int]]:
    """The codes of some positions, and the counts that `count_codes` makes."""
    if game.win_or_loss:
        is_drawn, is_best = values == game.draw_value(), values == game.MAXSCORE
        if not (is_drawn | is_best | (values == game.MINSCORE)).all():
            raise wrong_payoffs(game)
        is_won = is_best == (players == MAX)
        codes = np.where(is_drawn, DRAWN, WON + 2 * distances.astype(np.int64) + ~is_won)
        signed = np.where(is_drawn, 0, np.where(is_won, 1, -1))
        longest = int((codes[codes >= WON] - WON >> 1).max(initial=0))
    else:
        signed, longest = np.where(players == MAX, values, -values), 0
        if (signed != np.floor(signed)).any():
            raise GamesearchError(f"{game.name} says that its payoffs are whole, and they are not")
        codes = DRAWN + (most_paid(game) + signed).astype(np.int64)
    if codes.max(initial=0) > MOST_CODE:
        raise GamesearchError(f"{game.name} lasts longer, or pays more, than a database can tell")
    return codes, [int((signed > 0).sum()), int((signed == 0).sum()), int((signed < 0).sum()), longest]


def start_of(game: Game[Any], text: str) -> Any:
    """The position that a person names, or the first one for START."""
    return game.initial() if text.strip().casefold() == START else game.parse(text)


def name_of_start(game: Game[Any], state: Any) -> str:
    """How the layer that is reached from a position is called; it is part of the name of a file."""
    if state == game.initial():
        return START
    return f"from-{mix(game.key(state)) & (1 << 48) - 1:012x}"


def solve_reached(runner: Runner, state: Any, most_bytes: int, resumption: Resumption) -> HashedLayer:
    """Find all positions that can be reached from one, and solve them."""
    graph = explored(runner, state, most_bytes, resumption)
    keys, index = np.zeros(graph.positions, np.int64), np.asarray(graph.index)
    for begin in range(0, len(index), AT_ONCE):
        part = index[begin : begin + AT_ONCE]
        part = part[part["filled"] != 0]
        keys[part["number"]] = part["key"]
    del index
    graph.forget_states()
    values, distances = resumption.values(runner, graph)
    graph.forget_moves()
    numbers = np.flatnonzero(graph.players[: graph.positions] != OVER)
    return HashedLayer(runner.game, keys[numbers], graph.players[numbers], values[numbers], distances[numbers])


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
