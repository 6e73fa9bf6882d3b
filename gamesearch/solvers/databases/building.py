"""Build and verify a database. Each requested layer is written into its own file, the lowest layer first.

After an interruption, the same command continues from the last finished layer. If positions can repeat and the moves
within a layer fit into memory, the module `linked_layer` solves the layer. All other layers are solved by the sweeps of
the module `kernels`.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from gamesearch.algorithms.databases.codes import DRAWN, WON, Layers, PackedCodes, mapped_codes, pack
from gamesearch.algorithms.databases.layer_files import Header, layer_path, read_layer, refuse_no_folder, write_layer
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.database import check_header, rules_of
from gamesearch.algorithms.node.table import MEGABYTE, physical_memory
from gamesearch.errors import GamesearchError
from gamesearch.game import NEVER, Game
from gamesearch.optional import NumberedGame
from gamesearch.registry import specification_of
from gamesearch.solvers.databases.folders import (
    BuiltLayer,
    WrongCode,
    as_solved,
    ignore_progress,
    lock_folder,
    refuse_unsolvable,
    renew_header,
    wrong_payoffs,
)
from gamesearch.solvers.databases.kernels import begin_layer, count_codes, first_wrong, sweep
from gamesearch.solvers.databases.linked_layer import LinkedLayer, NoRoomError
from gamesearch.solvers.databases.reachable import build_reachable, verify_reachable
from gamesearch.solvers.databases.workers import Listener, Workers

__all__ = ["build", "verify"]


# Layers. ------------------------------------------------------------------------------------------
AT_ONCE = {"compiled": 1 << 15, "interpreted": 1 << 9}
BYTE, TWO_BYTES = 1 << 8, 1 << 16


class LayerSolver:
    """Solves the layers of one game, one at a time, within a memory limit."""

    def __init__(self, runner: Runner, most_bytes: int, workers: int, listen: Listener) -> None:
        game = runner.game
        assert isinstance(game, NumberedGame)
        self.runner, self.game, self.most_bytes = runner, game, most_bytes
        self.workers = Workers(runner, workers, listen)
        self.repeats = game.repetition != NEVER
        self.points_width = 1 if 2 * int(max(game.MAXSCORE, -game.MINSCORE)) + DRAWN < BYTE else 2

    def run_blocks(self, stage: str, size: int, kernel: Callable[..., Any], layer: int, *rest: Any) -> list[int]:
        """Call a kernel for each block of the position numbers 0 to `size` - 1, and return the results."""
        return self.workers.run_blocks(stage, size, AT_ONCE[self.runner.speed], kernel, layer, *rest)

    def refuse_too_large(self, layer: int) -> None:
        """Raise GamesearchError if there is not enough memory for a layer."""
        size = self.game.layer_size(layer)
        if 2 * size > self.most_bytes:
            raise GamesearchError(
                f"layer {self.game.layer_name(layer)} has {size:,} position numbers and needs "
                f"{2 * size // MEGABYTE + 1:,} MB, but the limit is {self.most_bytes // MEGABYTE:,} MB: "
                f"raise it with --memory, or build smaller layers"
            )

    def solve(self, layer: int, layers: Callable[[bool], Layers], longest: int) -> tuple[Any, int, list[int]]:
        """Solve a layer. Returns the codes of the layer, its number of positions, and a list of four numbers: the
        numbers of won, drawn and lost positions, and the greatest number of plies to a win.

        `longest` is the number of plies of the longest win in the lower layers.
        """
        self.refuse_too_large(layer)
        size = self.game.layer_size(layer)
        codes, positions = self.decide_layer(layer, size, layers, longest)
        block = AT_ONCE[self.runner.speed]
        counts = np.zeros((-(-size // block), 4), np.int64)
        most = self.run_blocks("counting", size, count_codes, layer, block, codes, counts)
        if codes.itemsize == 2 and max(most, default=0) < BYTE:
            codes = codes.astype(np.uint8)
        return codes, positions, [*counts[:, :3].sum(axis=0).tolist(), int(counts[:, 3].max(initial=0))]

    def decide_layer(self, layer: int, size: int, layers: Callable[[bool], Layers], longest: int) -> tuple[Any, int]:
        """Solve a layer by the method that fits the game and the memory. Returns the codes and the number of positions
        of the layer."""
        if self.repeats:
            try:
                linked = LinkedLayer(self.workers, layer, size, self.most_bytes)
                codes, positions = linked.solve(self.new_codes(size, longest), layers, self.widen_codes)
                self.refuse_wrong_payoffs(positions)
            except NoRoomError:
                return self.sweep_by_plies(layer, *self.initial_codes(layer, size, layers, longest), layers, longest)
            return codes, positions
        codes, positions = self.initial_codes(layer, size, layers, longest)
        return self.sweep_until_decided(layer, codes, layers), positions

    def new_codes(self, size: int, longest: int) -> Any:
        """An array of `size` codes, all UNDECIDED. The codes can represent wins in `longest` + 1 plies."""
        return self.widen_codes(np.zeros(size, np.uint8), longest + 1)

    def initial_codes(self, layer: int, size: int, layers: Callable[[bool], Layers], longest: int) -> tuple[Any, int]:
        """The initial codes of a layer, and the number of its positions. A code is UNDECIDED unless the rules or lower
        layers decide the position."""
        codes = self.new_codes(size, longest)
        positions = self.run_blocks("numbering", size, begin_layer, layer, np.iinfo(codes.dtype).max, codes, layers)
        self.refuse_wrong_payoffs(min(positions))
        return codes, sum(positions)

    def refuse_wrong_payoffs(self, positions: int) -> None:
        """Raise GamesearchError if `positions` is -1, which means that a payoff contradicts the declarations of the
        game."""
        if positions < 0:
            raise wrong_payoffs(self.game)

    def widen_codes(self, codes: Any, plies: int) -> Any:
        """Use two bytes for each code if one byte cannot hold the points, or cannot hold a win in `plies` plies."""
        width = self.points_width if not self.game.win_or_loss else 1 if WON + 2 * plies + 1 < BYTE else 2
        if WON + 2 * plies + 1 >= TWO_BYTES:
            raise GamesearchError(f"a database cannot store a win in {plies:,} plies: build smaller layers")
        return codes if codes.itemsize >= width else codes.astype(np.uint16)

    def sweep_until_decided(self, layer: int, codes: Any, layers: Callable[[bool], Layers]) -> Any:
        """Sweep until all positions are decided. This method is for games whose positions cannot repeat."""
        number = 0
        while not codes.all():
            number += 1
            most = np.iinfo(codes.dtype).max
            found = self.run_blocks(f"sweep {number}", len(codes), sweep, layer, -1, most, codes, layers)
            if min(found) < 0:
                codes = self.widen_codes(codes, BYTE)
            elif not any(found):
                raise GamesearchError(
                    f"{self.game.name} declares `repetition = NEVER`, but positions of layer "
                    f"{self.game.layer_name(layer)} repeat"
                )
        return codes

    def sweep_by_plies(
        self, layer: int, codes: Any, positions: int, layers: Callable[[bool], Layers], longest: int
    ) -> tuple[Any, int]:
        """Decide the positions that are won or lost in 1 ply, in 2 plies, and so on, with one sweep for each number of
        plies."""
        plies = 0
        while True:
            plies += 1
            codes = self.widen_codes(codes, plies)
            found = self.run_blocks(f"sweep {plies}", len(codes), sweep, layer, plies, TWO_BYTES - 1, codes, layers)
            if not any(found) and plies > longest + 1:
                return codes, positions

    def first_wrong(self, layer: int, codes: Any, layers: Callable[[bool], Layers]) -> int:
        """Find the first position whose code contradicts the codes of its children. Returns its number, or -1 if no
        code is wrong."""
        found = self.run_blocks("comparing", len(codes), first_wrong, layer, codes, layers)
        return min((number for number in found if number >= 0), default=-1)


# Folders. -----------------------------------------------------------------------------------------
class Folder:
    """The folder of a database, together with the numbers of the requested layers and a solver for missing layers."""

    def __init__(
        self, game: Game, layers: str, folder: str, speed: str, memory: int, workers: int, listen: Listener
    ) -> None:
        assert isinstance(game, NumberedGame)
        self.game, self.path = game, Path(folder).expanduser()
        self.wanted = self.game.layers_for(layers)
        self.specification = specification_of(self.game)
        self.solver = LayerSolver(Runner(as_solved(self.game), speed), bytes_for(memory), workers, listen)
        self.codes: list[PackedCodes | None] = [None] * (max(self.wanted) + 1)
        self.headers: dict[int, Header] = {}

    def layers(self, is_compiled: bool) -> Layers:
        """The layers in memory, as arrays for compiled or for interpreted code."""
        return Layers(mapped_codes(self.codes, is_compiled))

    def file_of(self, layer: int) -> Path:
        """The file of a layer."""
        return layer_path(self.path, self.game.layer_name(layer))

    def read(self, layer: int, *, is_trusted: bool = False) -> None:
        """Read a layer and verify its checksum. Unless `is_trusted`, also verify that the rules have not changed since
        the layer was built."""
        header = check_header(self.file_of(layer), self.game, is_trusted=is_trusted)
        if header.layer != layer or header.numbers != self.game.layer_size(layer):
            raise GamesearchError(f"{self.file_of(layer)} contains layer {header.name}: remove it, and build it again")
        self.codes[layer], _ = read_layer(self.file_of(layer), header, is_checked=True)
        self.headers[layer] = header

    def unpack(self, layer: int) -> Any:
        """Unpack the codes of a layer that is in memory."""
        codes = self.codes[layer]
        assert codes is not None
        return codes.unpack(self.headers[layer].numbers)

    def build(self, layer: int) -> None:
        """Solve a layer, write its file, and map the file into memory."""
        longest = max((header.longest for header in self.headers.values()), default=0)
        codes, positions, (won, drawn, lost, plies) = self.solver.solve(layer, self.layers, longest)
        name = self.game.layer_name(layer)
        needs = tuple(self.game.layers_for(name)[:-1])
        header = Header(self.specification, "", layer, name, needs, len(codes), positions, won, drawn, lost, plies)
        header = replace(header, rules=rules_of(self.game, header))
        header = write_layer(self.path, header, pack(codes, self.solver.workers.count, self.solver.workers.run_jobs))
        self.codes[layer], _ = read_layer(self.file_of(layer), header, is_checked=False)
        self.headers[layer] = header


def build(
    game: Game,
    layers: str,
    folder: str,
    *,
    speed: str = "auto",
    memory: int = 0,
    workers: int = 1,
    listen: Listener = ignore_progress,
) -> Iterator[BuiltLayer]:
    """Build the requested layers, the lowest first, and yield each layer as soon as it is on the disk.

    `memory` is in megabytes, by default half of the machine's memory. `workers` is the number of threads; the result
    does not depend on it. Raises GamesearchError if the memory or the disk is too small. Also raises it if the folder
    is damaged, is read-only, is in use, or belongs to another game.
    """
    refuse_unsolvable(game)
    if not isinstance(game, NumberedGame):
        yield build_reachable(game, layers, folder, speed, bytes_for(memory), listen)
        return
    work = Folder(game, layers, folder, speed, memory, workers, listen)
    with lock_folder(work.path):
        for layer in work.wanted:  # refuse the layer now, not after hours of work on smaller layers
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
    """Convert megabytes to bytes; 0 stands for half of the machine's memory."""
    return memory * MEGABYTE if memory else physical_memory() // 2


def verify(
    game: Game, layers: str, folder: str, *, speed: str = "auto", workers: int = 1, listen: Listener = ignore_progress
) -> Iterator[BuiltLayer | WrongCode]:
    """Compare every code with a search of one ply. Yields each correct layer. At the first wrong code, yields this code
    and ends.

    The header of a correct layer is updated if it comes from an earlier version of gamesearch, or if it has another
    fingerprint of the rules. Raises GamesearchError if a file is missing or damaged.
    """
    refuse_unsolvable(game)
    refuse_no_folder(Path(folder).expanduser(), game)
    if not isinstance(game, NumberedGame):
        yield verify_reachable(game, layers, folder, speed, listen)
        return
    work = Folder(game, layers, folder, speed, 0, workers, listen)
    for layer in work.wanted:
        if not work.file_of(layer).exists():
            raise GamesearchError(
                f"{folder} has no layer {work.game.layer_name(layer)}: leave out --verify to build it"
            )
    for layer in work.wanted:
        begun = work.solver.runner.seconds
        work.read(layer, is_trusted=True)
        number = work.solver.first_wrong(layer, work.unpack(layer), work.layers)
        if number >= 0:
            yield WrongCode(work.headers[layer], number, work.game.unrank(layer, number))
            return
        work.headers[layer] = renew_header(work.file_of(layer), work.headers[layer], work.game)
        yield BuiltLayer(work.headers[layer], work.solver.runner.seconds - begun)
