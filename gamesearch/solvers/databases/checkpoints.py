"""Checkpoints: what was found so far of a layer that takes long, in files that are removed once the layer is there.

A file is a line of JSON, filled up with blanks to HEADER_BYTES, then arrays. It has its name only once it was written
whole and read back, as the file of a layer. How often one is written, follows from how long that takes.
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
from gamesearch.errors import GamesearchError, not_written
from gamesearch.files.whole import open_regular, sync_folder, whole_file
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.solvers.databases.workers import Listener
from gamesearch.solvers.graphs.graph import AT_ONCE, OVER, GameGraph, number_of
from gamesearch.solvers.graphs.retrograde import Backwards

__all__ = ["INTERVAL", "Checkpoints", "Resumption"]


# Files. -------------------------------------------------------------------------------------------
FORMAT = 2
SUFFIX = ".part"
INTERVAL = 10.0
"""No more often is one written (seconds),"""
SHARE = 0.05
"""and to write them takes no more of the time than this."""


@dataclass(frozen=True)
class Part:
    """What a file says of itself."""

    game: str
    rules: str
    """The fingerprint of the rules, the order of moves included."""
    counts: tuple[int, ...]
    """Numbers that say how far the work was."""
    kinds: tuple[str, ...]
    lengths: tuple[int, ...]
    """The type of each array's numbers, and how many there are."""
    checksum: str
    format: int = FORMAT


class Checkpoints:
    """The checkpoints of one layer in a folder, by their names."""

    def __init__(self, folder: Path, layer: str, game: Any, rules: str) -> None:
        self.folder, self.layer, self.game, self.rules = folder, layer, game, rules
        self.written, self.took = time.monotonic(), 0.0

    def path(self, name: str) -> Path:
        """The file of a checkpoint."""
        return self.folder / f"{self.layer}.{name}{SUFFIX}"

    def is_due(self) -> bool:
        """Whether it is time for another."""
        return time.monotonic() - self.written >= max(INTERVAL, self.took / SHARE)

    def write(self, name: str, counts: Sequence[int], arrays: Sequence[Any]) -> None:
        """Write a checkpoint, and read it back; it is on the disk when this returns.

        Raises GamesearchError, and leaves what was there, where there is no room.
        """
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
            raise not_written(path, error, "what was found until then is safe") from None
        self.written = time.monotonic()
        self.took = self.written - begun

    def read(self, name: str) -> tuple[tuple[int, ...], list[Any]] | None:
        """What a checkpoint says; None where there is none, or it is damaged: then the work goes on from before it.

        Raises GamesearchError for one of another game, or of other rules.
        """
        with contextlib.suppress(OSError, DamagedError):
            return self.read_whole(self.path(name))
        return None

    def read_whole(self, path: Path) -> tuple[tuple[int, ...], list[Any]]:
        """The counts and arrays of a file; raises DamagedError where it is not as it was written."""
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
        """What a file says of itself; raises GamesearchError where it is damaged, or of another game."""
        try:
            part = Part(**json.loads(file.read(HEADER_BYTES)))
        except (ValueError, TypeError, RecursionError):
            raise DamagedError(f"{path} is damaged") from None
        refuse_other_game(path, part.game, self.game)
        if part.format != FORMAT or part.rules != self.rules:
            other = f"other rules of {self.game.name}" if part.format == FORMAT else "another version of gamesearch"
            raise GamesearchError(f"{path} was begun by {other}, and cannot be continued: remove it to begin again")
        return part

    def refuse_others(self) -> None:
        """Raise GamesearchError where the folder has checkpoints of another game, of whatever layer."""
        for path in self.folder.glob(f"*{SUFFIX}"):
            with contextlib.suppress(OSError, DamagedError), open_regular(path) as file:
                self.read_header(path, file)

    def remove(self) -> None:
        """Remove all of the layer's checkpoints: the layer is there."""
        for path in self.folder.glob(f"{self.layer}.*{SUFFIX}"):
            path.unlink(missing_ok=True)


class DamagedError(GamesearchError):
    """A file is not as it was written."""


def checksum(counts: Sequence[int], arrays: Sequence[Any]) -> str:
    """A hash of all that a file says."""
    found = hashlib.blake2b(json.dumps(list(counts)).encode(), digest_size=16)
    for each in arrays:
        found.update(memoryview(each).cast("B"))
    return found.hexdigest()


# Resuming. ----------------------------------------------------------------------------------------
VALUES = "values"


class Resumption:
    """Keeps what was found of a graph and of its values, and goes on with it."""

    def __init__(self, checkpoints: Checkpoints, listen: Listener) -> None:
        self.checkpoints, self.listen = checkpoints, listen
        self.keep_now: Callable[[], None] = lambda: None
        """Writes down what is not yet in a checkpoint."""

    # The graph. ----------------------------------------------------------------------------------
    def restore(self, graph: GameGraph, call: Callable[..., Any]) -> None:
        """Put what was found before into a graph."""
        self.parts, self.done, self.edges = 0, 0, 0
        while (found := self.checkpoints.read(self.name_of_part())) is not None:
            (positions, edges, done), (children,) = found
            if edges - self.edges != len(children):
                break  # from another run, which was stopped at other places
            graph.make_room(positions, edges)
            graph.children[self.edges : edges] = children
            graph.positions, graph.edges, graph.done = positions, edges, done
            self.parts, self.done, self.edges = self.parts + 1, done, edges
        self.replay(graph, call)
        self.keep_now = lambda: self.keep(graph)

    def name_of_part(self) -> str:
        """The name of the next checkpoint with moves."""
        return f"moves-{self.parts:04}"

    def replay(self, graph: GameGraph, call: Callable[..., Any]) -> None:
        """Find all positions again by the moves that are written down."""
        import numpy as np

        number = np.zeros(3, np.int64)
        while number[2] < graph.done:
            end = min(int(number[2]) + AT_ONCE[graph.is_compiled], graph.done)
            call(
                replay, graph.state, number, end, graph.rows, graph.index, graph.players, graph.payoffs, graph.starts,
                graph.children,
            )  # fmt: skip
            self.listen("finding positions again", int(number[2]), graph.done)

    def explores(self, graph: GameGraph) -> None:
        """Write a checkpoint if it is time, and say how far the work is."""
        self.listen("finding positions", graph.positions, 0)
        if self.checkpoints.is_due():
            self.keep(graph)

    def keep(self, graph: GameGraph) -> None:
        """Write down the moves that were found since the last checkpoint."""
        if graph.done == self.done:
            return
        counts = graph.positions, graph.edges, graph.done
        self.checkpoints.write(self.name_of_part(), counts, [graph.children[self.edges : graph.edges]])
        self.parts, self.done, self.edges = self.parts + 1, graph.done, graph.edges

    # The values. ---------------------------------------------------------------------------------
    def values(self, runner: Runner, graph: GameGraph) -> tuple[Any, Any]:
        """The values and distances of all positions of a graph."""
        self.keep_now = lambda: None
        solving, size = Backwards(runner, graph), (graph.positions, graph.edges)
        found = self.checkpoints.read(VALUES)
        if found is not None and found[0][:2] == size:
            solving.place[:] = found[0][2:]
            for name, array in zip(solving.ARRAYS, found[1], strict=True):
                getattr(solving, name)[:] = array

        def keep() -> None:
            arrays = [getattr(solving, name) for name in solving.ARRAYS]
            self.checkpoints.write(VALUES, (*size, *solving.place.tolist()), arrays)

        self.keep_now = keep
        for done in solving.steps():
            self.listen("going backwards", done, graph.positions)
            if self.checkpoints.is_due():
                keep()
        self.keep_now = lambda: None
        return solving.values, solving.distances


@kernel
def replay(
    game: Game[Any], start: Any, number: Any, end: int, rows: Any, index: Any, players: Any, payoffs: Any, starts: Any,
    children: Any,
) -> None:  # fmt: skip
    """Find positions again, those after the first up to `end`, whose moves are known; `number` is as in `explore`."""
    if number[0] == 0:
        number_of(game, start, number, rows, index)
    while number[2] < end:
        i, edge = int(number[2]), int(number[1])
        s = load_state(rows, i, start)
        if game.terminal(s):
            players[i] = OVER
            payoffs[i] = game.utility(s)
        else:
            players[i] = game.player(s)
            for move in game.moves(s):
                if children[edge] == number[0]:
                    number_of(game, game.result(s, move), number, rows, index)
                edge += 1
        number[1] = edge
        number[2] = i + 1
        starts[i + 1] = edge
