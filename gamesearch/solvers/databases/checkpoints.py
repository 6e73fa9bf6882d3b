"""Checkpoints: files from which another process can continue to solve a layer.

A checkpoint contains a line of JSON, followed by arrays. Spaces fill the line up to HEADER_BYTES. The file gets its
final name only after it has been completely written and read back.

A checkpoint of the graph contains no states. It lists the moves that were found since the previous checkpoint. Each
move is stored as the number of the position after the move. Positions are numbered in the order of their discovery, so
another process finds the states again by generating the moves in the same order. A checkpoint of `RetrogradeAnalysis`
contains its complete state and replaces the previous one.
"""

import contextlib
import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import IO, Any

import numpy as np

from gamesearch.algorithms.databases.layer_files import HEADER_BYTES
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.database import refuse_other_game
from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import load_state
from gamesearch.errors import GamesearchError, write_error
from gamesearch.files.whole import open_regular, sync_folder, whole_file
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.solvers.databases.workers import Listener
from gamesearch.solvers.graphs.graph import AT_ONCE, OVER, GameGraph, GraphArrays, number_of
from gamesearch.solvers.graphs.retrograde import RetrogradeAnalysis

__all__ = ["INTERVAL", "Checkpoints", "Resumption"]


# Files. -------------------------------------------------------------------------------------------
FORMAT = 2
SUFFIX = ".part"
INTERVAL = 10.0  # the minimum number of seconds between two checkpoints
SHARE = 0.05  # the greatest share of the total time that may be spent on writing checkpoints


@dataclass(frozen=True)
class Part:
    """The header of a checkpoint file."""

    game: str
    rules: str  # the fingerprint of the rules, including the order of moves
    counts: tuple[int, ...]  # numbers that describe the progress, such as the number of positions found
    kinds: tuple[str, ...]
    lengths: tuple[int, ...]  # the length of each array; the element types are in `kinds`
    checksum: str
    format: int = FORMAT


class Checkpoints:
    """Reads and writes the checkpoints of one layer in a folder. A checkpoint has a name, such as `values`."""

    def __init__(self, folder: Path, layer: str, game: Any, rules: str) -> None:
        self.folder, self.layer, self.game, self.rules = folder, layer, game, rules
        self.written, self.took = time.monotonic(), 0.0

    def path(self, name: str) -> Path:
        """The file of a checkpoint."""
        return self.folder / f"{self.layer}.{name}{SUFFIX}"

    def is_due(self) -> bool:
        """Whether it is time for another checkpoint."""
        return time.monotonic() - self.written >= max(INTERVAL, self.took / SHARE)

    def write(self, name: str, counts: Sequence[int], arrays: Sequence[Any]) -> None:
        """Write a checkpoint, and read it again to check it. If the disk is full, raises GamesearchError and keeps the
        last checkpoint."""
        begun, path = time.monotonic(), self.path(name)
        kinds, lengths = tuple(each.dtype.str for each in arrays), tuple(map(len, arrays))
        game, found = specification_of(self.game), checksum(counts, arrays)
        part = Part(game, self.rules, tuple(counts), kinds, lengths, found)
        try:
            with whole_file(path, self.read_whole) as file:
                file.write(json.dumps(asdict(part)).encode().ljust(HEADER_BYTES - 1) + b"\n")
                for each in arrays:
                    file.write(memoryview(each).cast("B"))
            sync_folder(self.folder)
        except OSError as error:
            raise write_error(path, error, "everything up to the last checkpoint is safe") from None
        self.written = time.monotonic()
        self.took = self.written - begun

    def read(self, name: str) -> tuple[tuple[int, ...], list[Any]] | None:
        """The contents of a checkpoint; None if the file is missing or damaged. Raises GamesearchError if the rules
        differ."""
        with contextlib.suppress(OSError, DamagedError):
            return self.read_whole(self.path(name))
        return None

    def read_whole(self, path: Path) -> tuple[tuple[int, ...], list[Any]]:
        """Read the counts and the arrays from a file. Raises DamagedError if the file is damaged."""
        with open_regular(path) as file:
            part = self.read_header(path, file)
            try:
                arrays = list(map(partial(np.fromfile, file), part.kinds, part.lengths))
            except (ValueError, TypeError, MemoryError):
                raise DamagedError(f"{path} is damaged") from None
        if checksum(part.counts, arrays) != part.checksum:
            raise DamagedError(f"{path} is damaged")
        return tuple(part.counts), arrays

    def read_header(self, path: Path, file: IO[bytes]) -> Part:
        """The header of a file. Raises GamesearchError if the file is damaged or belongs to another game."""
        try:
            part = Part(**json.loads(file.read(HEADER_BYTES)))
        except (ValueError, TypeError, RecursionError):
            raise DamagedError(f"{path} is damaged") from None
        refuse_other_game(path, part.game, self.game)
        if part.format != FORMAT or part.rules != self.rules:
            other = f"other rules of {self.game.name}" if part.format == FORMAT else "another version of gamesearch"
            raise GamesearchError(f"{path} was written with {other} and cannot be continued: remove it to begin again")
        return part

    def refuse_others(self) -> None:
        """Raise GamesearchError if the folder contains a checkpoint of another game."""
        for path in self.folder.glob(f"*{SUFFIX}"):
            with contextlib.suppress(OSError, DamagedError), open_regular(path) as file:
                self.read_header(path, file)

    def remove(self) -> None:
        """Remove all checkpoints of the finished layer."""
        for path in self.folder.glob(f"{self.layer}.*{SUFFIX}"):
            path.unlink(missing_ok=True)


class DamagedError(GamesearchError):
    """Raised if a checkpoint file is damaged."""


def checksum(counts: Sequence[int], arrays: Sequence[Any]) -> str:
    """A hash of the counts and arrays of a checkpoint."""
    found = hashlib.blake2b(json.dumps(list(counts)).encode(), digest_size=16)
    for each in arrays:
        found.update(memoryview(each).cast("B"))
    return found.hexdigest()


# Resuming. ----------------------------------------------------------------------------------------
VALUES = "values"


class Resumption:
    """Saves a graph and the values of its positions in checkpoints, and restores them."""

    def __init__(self, checkpoints: Checkpoints, listen: Listener) -> None:
        self.checkpoints, self.listen = checkpoints, listen
        self.keep_now: Callable[[], None] = lambda: None
        """A function that saves everything that is not yet in a checkpoint."""

    # The graph. ----------------------------------------------------------------------------------
    def restore(self, graph: GameGraph, call: Callable[..., Any]) -> None:
        """Restore a graph from its checkpoints."""
        self.parts, self.done, self.edges = 0, 0, 0
        while (found := self.checkpoints.read(self.name_of_part())) is not None:
            (positions, edges, done), (children,) = found
            if edges - self.edges != len(children):
                break  # left from an earlier build: this checkpoint does not continue the previous one
            graph.make_room(positions, edges)
            graph.children[self.edges : edges] = children
            graph.positions, graph.edges, graph.done = positions, edges, done
            self.parts, self.done, self.edges = self.parts + 1, done, edges
        self.replay(graph, call)
        self.keep_now = lambda: self.keep(graph)

    def name_of_part(self) -> str:
        """The name of the next checkpoint of the graph."""
        return f"moves-{self.parts:04}"

    def replay(self, graph: GameGraph, call: Callable[..., Any]) -> None:
        """Compute the states of all positions again, by generating the moves in the same order as when the graph was
        built."""
        import numpy as np

        number = np.zeros(3, np.int64)
        while number[2] < graph.done:
            end = min(int(number[2]) + AT_ONCE[graph.is_compiled], graph.done)
            call(replay, graph.state, number, end, graph.rows, graph.index, graph.arrays)
            self.listen("finding positions again", int(number[2]), graph.done)

    def explores(self, graph: GameGraph) -> None:
        """Report the progress, and write a checkpoint if it is due."""
        self.listen("finding positions", graph.positions, 0)
        if self.checkpoints.is_due():
            self.keep(graph)

    def keep(self, graph: GameGraph) -> None:
        """Store the moves that were found since the last checkpoint."""
        if graph.done == self.done:
            return
        counts = graph.positions, graph.edges, graph.done
        self.checkpoints.write(self.name_of_part(), counts, [graph.children[self.edges : graph.edges]])
        self.parts, self.done, self.edges = self.parts + 1, graph.done, graph.edges

    # The values. ---------------------------------------------------------------------------------
    def values(self, runner: Runner, graph: GameGraph) -> tuple[Any, Any]:
        """Use retrograde analysis with checkpoints to find the values and distances of all positions of a graph."""
        self.keep_now = lambda: None
        solving, size = RetrogradeAnalysis(runner, graph), (graph.positions, graph.edges)
        found = self.checkpoints.read(VALUES)
        if found is not None and found[0][:2] == size:
            solving.place[:] = found[0][2:]
            for array, stored in zip(solving.arrays, found[1], strict=True):
                array[:] = stored

        def keep() -> None:
            self.checkpoints.write(VALUES, (*size, *solving.place.tolist()), list(solving.arrays))

        self.keep_now = keep
        for done in solving.steps():
            self.listen("going backwards", done, graph.positions)
            if self.checkpoints.is_due():
                keep()
        self.keep_now = lambda: None
        return solving.arrays.values, solving.arrays.distances


@kernel
def replay(game: Game, start: Any, number: Any, end: int, rows: Any, index: Any, graph: GraphArrays) -> None:
    """Recompute the states of the children of all positions whose numbers are less than `end`. For `number`, see
    `explore`."""
    if number[0] == 0:
        number_of(game, start, number, rows, index)
    while number[2] < end:
        i, edge = int(number[2]), int(number[1])
        s = load_state(rows, i, start)
        if game.terminal(s):
            graph.players[i] = OVER
            graph.payoffs[i] = game.utility(s)
        else:
            graph.players[i] = game.player(s)
            for move in game.moves(s):
                if graph.children[edge] == number[0]:
                    number_of(game, game.result(s, move), number, rows, index)
                edge += 1
        number[1] = edge
        number[2] = i + 1
        graph.starts[i + 1] = edge
