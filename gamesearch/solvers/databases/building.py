"""Builds and verifies a database: the layers that are asked for, from the lowest, each in a file of its own.

What is finished is on the disk. So whatever ends the work, the same command goes on from the last finished layer.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from gamesearch.algorithms.databases.codes import Layers
from gamesearch.algorithms.databases.layer_files import (
    Header,
    layer_path,
    read_layer,
    refuse_no_folder,
    write_layer,
)
from gamesearch.algorithms.databases.packing import Packed, mapped_codes
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.database import check_header, rules_of
from gamesearch.algorithms.node.table import MEGABYTE, physical_memory
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.optional import Numbered
from gamesearch.registry import specification_of
from gamesearch.solvers.databases.folders import (
    BuiltLayer,
    Wrong,
    alone_in,
    as_solved,
    nobody_listens,
    refuse_unsolvable,
    renewed,
)
from gamesearch.solvers.databases.reachable import build_reached, verify_reached
from gamesearch.solvers.databases.solving import LayerSolver
from gamesearch.solvers.databases.workers import Listener

__all__ = ["build", "verify"]


class Folder:
    """The layers of one request in a folder, as far as they are there, and what solves the others."""

    def __init__(
        self, game: Game[Any], layers: str, folder: str, speed: str, memory: int, workers: int, listen: Listener
    ) -> None:
        assert isinstance(game, Numbered)
        self.game, self.path = game, Path(folder).expanduser()
        self.wanted = self.game.layers_for(layers)
        self.specification = specification_of(self.game)
        self.solver = LayerSolver(Runner(as_solved(self.game), speed), bytes_for(memory), workers, listen)
        self.codes: list[Packed | None] = [None] * (max(self.wanted) + 1)
        self.headers: dict[int, Header] = {}

    def layers(self, is_compiled: bool) -> Layers:
        """What is there, in the form of one speed."""
        return Layers(mapped_codes(self.codes, is_compiled))

    def file_of(self, layer: int) -> Path:
        """The file of a layer."""
        return layer_path(self.path, self.game.layer_name(layer))

    def read(self, layer: int, *, is_trusted: bool = False) -> None:
        """Take a layer from its file, all of it compared with its checksum; with `is_trusted`, not with the rules."""
        header = check_header(self.file_of(layer), self.game, is_trusted=is_trusted)
        if header.layer != layer or header.numbers != self.game.layer_size(layer):
            raise GamesearchError(f"{self.file_of(layer)} is of layer {header.name}: remove it, and build it anew")
        self.codes[layer], _ = read_layer(self.file_of(layer), header, is_checked=True)
        self.headers[layer] = header

    def unpacked(self, layer: int) -> Any:
        """The codes of a layer that was read."""
        codes = self.codes[layer]
        assert codes is not None
        return codes.unpacked(self.headers[layer].numbers)

    def build(self, layer: int) -> None:
        """Solve a layer, write its file, and map it."""
        longest = max((header.longest for header in self.headers.values()), default=0)
        codes, positions, (won, drawn, lost, plies) = self.solver.solve(layer, self.layers, longest)
        name = self.game.layer_name(layer)
        needs = tuple(self.game.layers_for(name)[:-1])
        header = Header(self.specification, "", layer, name, needs, len(codes), positions, won, drawn, lost, plies)
        header = replace(header, rules=rules_of(self.game, header))
        header = write_layer(self.path, header, self.solver.packed(codes))
        self.codes[layer], _ = read_layer(self.file_of(layer), header, is_checked=False)
        self.headers[layer] = header


def build(
    game: Game[Any],
    layers: str,
    folder: str,
    *,
    speed: str = "auto",
    memory: int = 0,
    workers: int = 1,
    listen: Listener = nobody_listens,
) -> Iterator[BuiltLayer]:
    """Yield the layers that are asked for, from the lowest, as each is on the disk in a folder.

    `memory` are megabytes, by default half of what the machine has. `workers` are threads, which find the same as
    one, where the game is compiled. Raises GamesearchError where a layer does not fit
    into it, the disk is full, or the folder is damaged, another game's, read-only, or in use.
    """
    refuse_unsolvable(game)
    if not isinstance(game, Numbered):
        yield build_reached(game, layers, folder, speed, bytes_for(memory), listen)
        return
    work = Folder(game, layers, folder, speed, memory, workers, listen)
    with alone_in(work.path):
        for layer in work.wanted:  # sooner than hours of work on smaller ones
            if not work.file_of(layer).exists():
                work.solver.refuse_too_large(layer)
        for layer in work.wanted:
            begun = work.solver.runner.seconds
            is_there = work.file_of(layer).exists()
            if is_there:
                work.read(layer)
            else:
                work.build(layer)
            yield BuiltLayer(work.headers[layer], 0.0 if is_there else work.solver.runner.seconds - begun)


def bytes_for(memory: int) -> int:
    """The bytes of so many megabytes; for none, half of what the machine has."""
    return memory * MEGABYTE if memory else physical_memory() // 2


def verify(
    game: Game[Any],
    layers: str,
    folder: str,
    *,
    speed: str = "auto",
    workers: int = 1,
    listen: Listener = nobody_listens,
) -> Iterator[BuiltLayer | Wrong]:
    """Yield each layer that is read back right, every code compared with those after one ply; or the first wrong code.

    A layer that is right is valid from then on, even if it was made by rules that were written otherwise, or by an
    earlier version: its header is brought up to date. Raises GamesearchError if a file is missing or damaged.
    """
    refuse_unsolvable(game)
    refuse_no_folder(Path(folder).expanduser(), game)
    if not isinstance(game, Numbered):
        yield verify_reached(game, layers, folder, speed, listen)
        return
    work = Folder(game, layers, folder, speed, 0, workers, listen)
    for layer in work.wanted:
        if not work.file_of(layer).exists():
            raise GamesearchError(f"{folder} has no layer {work.game.layer_name(layer)}: build it without --verify")
    for layer in work.wanted:
        begun = work.solver.runner.seconds
        work.read(layer, is_trusted=True)
        number = work.solver.first_wrong(layer, work.unpacked(layer), work.layers)
        if number >= 0:
            yield Wrong(work.headers[layer], number, work.game.unrank(layer, number))
            return
        work.headers[layer] = renewed(work.file_of(layer), work.headers[layer], work.game)
        yield BuiltLayer(work.headers[layer], work.solver.runner.seconds - begun)
