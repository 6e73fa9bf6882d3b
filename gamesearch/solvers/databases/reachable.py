"""Databases of games without numbered positions. They contain all positions that can be reached from a given position.

All positions are first found and solved in memory, which takes at least 100 bytes for each position. The file contains
the hashed keys of the positions in ascending order, and a code for each key. So a position takes 9 bytes in the file
(in other databases 1 byte), and is found by binary search (D. E. Knuth, The Art of Computer Programming 3, section
6.2.1). Symmetric positions have the same key. Terminal positions are not stored.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gamesearch.algorithms.databases.codes import (
    DRAWN,
    UNDECIDED,
    WON,
    Layers,
    code_in_layers,
    greatest_open_payoff,
    mapped_codes,
    pack,
)
from gamesearch.algorithms.databases.layer_files import SUFFIX, Header, layer_path, read_layer, write_layer
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.database import check_header
from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import load_state, map_arrays
from gamesearch.errors import GamesearchError
from gamesearch.files.fingerprint import fingerprint_of_rules
from gamesearch.game import MAX, Game
from gamesearch.registry import specification_of
from gamesearch.solvers.databases.checkpoints import Checkpoints, Resumption
from gamesearch.solvers.databases.folders import (
    BuiltLayer,
    WrongCode,
    as_solved,
    lock_folder,
    renew_header,
    wrong_payoffs,
)
from gamesearch.solvers.databases.kernels import code_by_moves
from gamesearch.solvers.databases.workers import Listener
from gamesearch.solvers.graphs.graph import OVER, build_graph
from gamesearch.toolkit.bits import mix
from gamesearch.toolkit.symmetric_games import declares_symmetries, fold_symmetries

__all__ = ["build_reachable", "verify_reachable"]

START = "start"
MOST_CODE = (1 << 16) - 1
AT_ONCE = 1 << 20  # the number of positions that are processed at a time


def build_reachable(game: Game, text: str, folder: str, speed: str, most_bytes: int, listen: Listener) -> BuiltLayer:
    """Build the layer of all positions that can be reached from a position. Checkpoints are written, so that an
    interrupted build can be resumed."""
    if as_solved(game) is not game:
        raise GamesearchError(
            f"no database of {game.name} can be built: its positions are not numbered, and the results of games depend "
            "on move counters"
        )
    runner, path, state = Runner(with_stored_keys(game), speed), Path(folder).expanduser(), start_of(game, text)
    name = name_of_start(game, state)
    with lock_folder(path):
        headers = [check_header(each, game) for each in path.glob(f"*{SUFFIX}")]
        there = next((header for header in headers if header.name == name), None)
        checkpoints = Checkpoints(path, name, game, fingerprint_of_rules(game, state, is_ordered=True))
        checkpoints.refuse_others()
        if there is not None:
            read_layer(layer_path(path, name), there, is_checked=True)
            checkpoints.remove()
            return BuiltLayer(there, 0.0)
        resumption = Resumption(checkpoints, listen)
        try:
            found = solve_reachable(runner, state, most_bytes, resumption)
        except (KeyboardInterrupt, GamesearchError):
            resumption.keep_now()
            raise
        size = len(found.codes)
        won, drawn, lost, longest = found.counts
        place = max((header.layer + 1 for header in headers), default=0)
        start, rules = game.format(state), fingerprint_of_rules(game, state)
        header = Header(
            specification_of(game),
            rules,
            place,
            name,
            (),
            size,
            size,
            won,
            drawn,
            lost,
            longest,
            keys=True,
            start=start,
        )
        header = write_layer(path, header, pack(found.codes), found.keys)
        checkpoints.remove()
    return BuiltLayer(header, runner.seconds)


def verify_reachable(game: Game, text: str, folder: str, speed: str, listen: Listener) -> BuiltLayer | WrongCode:
    """Verify the file of a layer: compare every code with a search of one ply."""
    runner, path, state = Runner(with_stored_keys(game), speed), Path(folder).expanduser(), start_of(game, text)
    name = name_of_start(game, state)
    if not layer_path(path, name).exists():
        raise GamesearchError(f"{folder} has no layer {name}: leave out --verify to build it")
    header = replace(check_header(layer_path(path, name), game, is_trusted=True), start=game.format(state))
    codes, keys = read_layer(layer_path(path, name), header, is_checked=True)
    listen("comparing", 1, 1)

    graph = build_graph(runner, state)

    def arguments() -> tuple[Any, ...]:
        is_compiled = runner.speed == "compiled"
        layers = Layers(None, mapped_codes([codes], is_compiled), map_arrays([keys], is_compiled))
        return runner.game, state, graph.rows, graph.positions, layers

    number = int(runner.execute(first_wrong_key, arguments))
    if number < 0:
        return BuiltLayer(renew_header(layer_path(path, name), header, game), runner.seconds)
    return WrongCode(header, number, state if graph.is_compiled else load_state(graph.rows, number, state))


def with_stored_keys(game: Game) -> Game:
    """Return the game that computes the keys in a layer. If the game declares symmetries, symmetric positions have
    equal keys."""
    return fold_symmetries(game) if declares_symmetries(game) else game


# Reachable positions. -----------------------------------------------------------------------------
class HashedLayer:
    """The solved positions: the sorted keys, a code for each key, and the counts as in `count_codes`."""

    def __init__(self, game: Game, keys: Any, players: Any, values: Any, distances: Any) -> None:
        codes, self.counts = np.zeros(len(keys), np.uint16), [0, 0, 0, 0]
        for begin in range(0, len(keys), AT_ONCE):
            part = slice(begin, begin + AT_ONCE)
            codes[part], counts = encode_positions(game, players[part], values[part], distances[part])
            self.counts = [*map(sum, zip(self.counts[:3], counts[:3], strict=True)), max(self.counts[3], counts[3])]
        order = np.argsort(keys)
        self.keys, self.codes = keys[order], codes[order]
        if codes.max(initial=0) < 1 << 8:
            self.codes = self.codes.astype(np.uint8)


def encode_positions(game: Game, players: Any, values: Any, distances: Any) -> tuple[Any, list[int]]:
    """Compute the codes of positions from their values, their distances and the players to move. Returns the codes, and
    the counts that `count_codes` would write."""
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
            raise GamesearchError(f"{game.name} declares that its payoffs are whole numbers, but has other payoffs")
        codes = DRAWN + (greatest_open_payoff(game) + signed).astype(np.int64)
    if codes.max(initial=0) > MOST_CODE:
        raise GamesearchError(f"a database cannot store {game.name}: its games are too long or its payoffs too great")
    return codes, [int((signed > 0).sum()), int((signed == 0).sum()), int((signed < 0).sum()), longest]


def start_of(game: Game, text: str) -> Any:
    """The position that a text describes; the initial position if the text is START."""
    return game.initial() if text.strip().casefold() == START else game.parse(text)


def name_of_start(game: Game, state: Any) -> str:
    """Name the layer that contains all positions that can be reached from `state`. This name is part of the name of the
    layer's file."""
    return START if state == game.initial() else f"from-{mix(game.key(state)) & (1 << 48) - 1:012x}"


def solve_reachable(runner: Runner, state: Any, most_bytes: int, resumption: Resumption) -> HashedLayer:
    """Find all positions that can be reached from a state, and solve them."""
    graph = build_graph(runner, state, most_bytes, resumption)
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


@kernel
def first_wrong_key(game: Any, start: Any, rows: Any, size: int, layers: Layers) -> int:
    """Check the code of each position by a search of one ply; returns the index of the first wrong code, or -1."""
    for number in range(size):
        s = load_state(rows, number, start)
        if game.terminal(s):
            continue
        code = code_in_layers(game, s, layers)
        if code == UNDECIDED or code != code_by_moves(game, s, -1, -1, None, layers):
            return number
    return -1
