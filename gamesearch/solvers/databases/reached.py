"""Builds and verifies the database of a game that does not number its positions: what can be reached from one."""

from pathlib import Path
from typing import Any

from gamesearch.algorithms.parts.codes import Layers
from gamesearch.algorithms.parts.database import check_header
from gamesearch.algorithms.parts.folding import declares_symmetries, folded
from gamesearch.algorithms.parts.layer_files import (
    SUFFIX,
    Header,
    layer_path,
    read_layer,
    rules_digest,
    write_layer,
)
from gamesearch.algorithms.parts.packing import mapped_codes, packed
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.compiler.mapped import mapped
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.solvers.databases.checkpoints import Checkpoints
from gamesearch.solvers.databases.folders import BuiltLayer, Wrong, alone_in, as_solved
from gamesearch.solvers.databases.hashing import first_wrong_of_reached, name_of_start, solve_reached, start_of
from gamesearch.solvers.databases.pieces import Listener
from gamesearch.solvers.databases.resumption import Resumption

__all__ = ["build_reached", "verify_reached"]


def build_reached(game: Game[Any], text: str, folder: str, speed: str, most_bytes: int, listen: Listener) -> BuiltLayer:
    """All that is reached from a position of a game that does not number its own, on the disk.

    What is found is kept now and then, so that it goes on from there after whatever ended it.
    """
    refuse_counting(game)
    runner, path, state = Runner(as_kept(game), speed), Path(folder).expanduser(), start_of(game, text)
    digest, name = rules_digest(game), name_of_start(game, state)
    with alone_in(path):
        headers = [check_header(each, game, digest) for each in path.glob(f"*{SUFFIX}")]
        there = next((header for header in headers if header.name == name), None)
        checkpoints = Checkpoints(path, name, game, digest)
        checkpoints.refuse_others()
        if there is not None:
            read_layer(layer_path(path, name), there, is_checked=True)
            checkpoints.remove()
            return BuiltLayer(there, 0.0)
        resumption = Resumption(checkpoints, listen)
        try:
            found = solve_reached(runner, state, most_bytes, resumption)
        except (KeyboardInterrupt, GamesearchError):
            resumption.keep_now()
            raise
        size = len(found.codes)
        won, drawn, lost, longest = found.counts
        place = max((header.layer + 1 for header in headers), default=0)
        header = Header(
            specification_of(game), digest, place, name, (), size, size, won, drawn, lost, longest, keys=True
        )
        header = write_layer(path, header, packed(found.codes), found.keys)
        checkpoints.remove()
    return BuiltLayer(header, runner.seconds)


def verify_reached(game: Game[Any], text: str, folder: str, speed: str, listen: Listener) -> BuiltLayer | Wrong:
    """The same file read back, every code compared with those after one ply."""
    runner, path, state = Runner(as_kept(game), speed), Path(folder).expanduser(), start_of(game, text)
    name = name_of_start(game, state)
    if not layer_path(path, name).exists():
        raise GamesearchError(f"{folder} has no layer {name}: build it without --verify")
    header = check_header(layer_path(path, name), game, rules_digest(game))
    codes, keys = read_layer(layer_path(path, name), header, is_checked=True)
    listen("comparing", 1, 1)

    def layers(is_compiled: bool) -> Layers:
        return Layers(None, mapped_codes([codes], is_compiled), mapped([keys], is_compiled))

    wrong, number = first_wrong_of_reached(runner, state, layers)
    if number >= 0:
        return Wrong(header, number, wrong)
    return BuiltLayer(header, runner.seconds)


def as_kept(game: Game[Any]) -> Game[Any]:
    """The game by the keys that are kept: one for all symmetries of a position."""
    return folded(game) if declares_symmetries(game) else game


def refuse_counting(game: Game[Any]) -> None:
    """Raise GamesearchError for a game in which what was counted before decides, such as moves without progress."""
    if as_solved(game) is not game:
        raise GamesearchError(
            f"there is no database of {game.name}: it numbers no positions, and what was counted before decides games"
        )
