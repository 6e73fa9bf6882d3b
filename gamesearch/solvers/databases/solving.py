"""One layer, solved: kernels run over its numbers in pieces, so that progress is seen and Ctrl-C is heard."""

from collections.abc import Callable
from typing import Any, Protocol

import numpy as np

from gamesearch.algorithms.parts.codes import DRAWN, WON, Layers
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.errors import GamesearchError
from gamesearch.game import NEVER
from gamesearch.questions import Numbered
from gamesearch.solvers.databases.kernels import begin_layer, count_codes, first_wrong, sweep
from gamesearch.solvers.databases.predecessors import add_up, count_predecessors, decide_plies, write_predecessors

__all__ = ["MEGABYTE", "LayerSolver", "Listener"]

MEGABYTE = 1 << 20
AT_ONCE = {"compiled": 1 << 16, "interpreted": 1 << 9}
"""So many numbers are given to a kernel at a time."""
LINKED, MOVE_BYTES = 10, 4
"""Bytes that a number, and a move within the layer, take by predecessors, beside the codes."""
BYTE, TWO_BYTES = 1 << 8, 1 << 16


class Listener(Protocol):
    """Whoever wants to know how far the work is."""

    def __call__(self, stage: str, done: int, of: int) -> None:
        """So many numbers of all of a stage of a layer are done; may raise to end the work."""


class LayerSolver:
    """Solves the layers of one game, one at a time, within some bytes of memory."""

    def __init__(self, runner: Runner, most_bytes: int, listen: Listener) -> None:
        game = runner.game
        assert isinstance(game, Numbered)
        self.runner, self.game, self.most_bytes, self.listen = runner, game, most_bytes, listen
        self.recurs = game.recurrence != NEVER
        span = int(game.MAXSCORE - game.MINSCORE) + DRAWN
        self.points_width = 1 if span < BYTE else 2

    # Pieces. -------------------------------------------------------------------------------------
    def over(self, stage: str, size: int, kernel: Callable[..., Any], *arguments: Any) -> list[int]:
        """What a kernel of the game returns for each piece of the numbers up to a size."""
        layer, *rest = arguments
        return self.pieces(stage, size, lambda start, end: self.execute(kernel, layer, start, end, *rest))

    def pieces(self, stage: str, size: int, call: Callable[[int, int], int]) -> list[int]:
        """What a call returns for each piece."""
        found, step = [], AT_ONCE[self.runner.speed]
        for start in range(0, size, step):
            end = min(start + step, size)
            found.append(call(start, end))
            self.listen(stage, end, size)
        return found

    def execute(self, kernel: Callable[..., Any], *arguments: Any) -> int:
        """Run a kernel of the game; arguments that are functions are asked for their form of the present speed."""

        def present() -> tuple[Any, ...]:
            is_compiled = self.runner.speed == "compiled"
            return self.game, *(each(is_compiled) if callable(each) else each for each in arguments)

        value = self.runner.execute(kernel, present)
        return 0 if value is None else int(value)

    # A layer. ------------------------------------------------------------------------------------
    def refuse_too_large(self, layer: int) -> None:
        """Raise GamesearchError where memory is too small for a layer."""
        size = self.game.layer_size(layer)
        if 2 * size > self.most_bytes:
            raise GamesearchError(
                f"layer {self.game.layer_name(layer)} has {size:,} numbers and needs {2 * size // MEGABYTE + 1:,} MB, "
                f"of {self.most_bytes // MEGABYTE:,} MB: give it more by --memory, or ask for smaller layers"
            )

    def solve(self, layer: int, layers: Callable[[bool], Layers], longest: int) -> tuple[Any, int, list[int]]:
        """The codes of a layer, how many positions it has, and the counts that `count_codes` makes.

        `longest` are the most plies to a win in the layers below. Raises GamesearchError where memory is too small.
        """
        self.refuse_too_large(layer)
        size = self.game.layer_size(layer)
        codes = np.zeros(size, np.uint8)
        positions = self.over("numbering", size, begin_layer, layer, codes)
        if min(positions) < 0:
            raise GamesearchError(
                f"{self.game.name} says that it pays win, loss or draw, and pays something else: win_or_loss is wrong"
            )
        codes = self.wide_enough(codes, longest + 1)
        if self.recurs:
            codes = self.by_plies(layer, codes, layers, longest)
        else:
            codes = self.until_all_are_decided(layer, codes, layers)
        counts = np.zeros(4, np.int64)
        self.execute(count_codes, codes, counts)
        if codes.itemsize == 2 and int(codes.max(initial=0)) < BYTE:
            codes = codes.astype(np.uint8)
        return codes, sum(positions), counts.tolist()

    def wide_enough(self, codes: Any, plies: int) -> Any:
        """The codes with two bytes each if one does not hold wins in so many plies, or the payoffs in points."""
        width = self.points_width if not self.game.win_or_loss else 1 if WON + 2 * plies + 1 < BYTE else 2
        if WON + 2 * plies + 1 >= TWO_BYTES:
            raise GamesearchError(
                f"a win in {plies:,} plies is longer than a database can tell: ask for smaller layers"
            )
        return codes if codes.itemsize >= width else codes.astype(np.uint16)

    def until_all_are_decided(self, layer: int, codes: Any, layers: Callable[[bool], Layers]) -> Any:
        """Sweeps until nothing is undecided, where positions cannot recur."""
        number = 0
        while not codes.all():
            number += 1
            most = (BYTE if codes.itemsize == 1 else TWO_BYTES) - 1
            found = self.over(f"sweep {number}", len(codes), sweep, layer, -1, most, codes, layers)
            if min(found) < 0:
                codes = self.wide_enough(codes, BYTE)
            elif not any(found):
                raise GamesearchError(
                    f"{self.game.name} says that no position comes again, and some of layer "
                    f"{self.game.layer_name(layer)} do: its recurrence is wrong"
                )
        return codes

    def by_plies(self, layer: int, codes: Any, layers: Callable[[bool], Layers], longest: int) -> Any:
        """All that is won or lost in 1, 2, 3, ... plies: by predecessors if memory holds them, else by sweeps."""
        size = len(codes)
        if size * (LINKED + 2 * codes.itemsize) > self.most_bytes:
            return self.sweep_by_plies(layer, codes, layers, longest)
        first, waiting = np.zeros(size + 2, np.int64), np.zeros(size, np.int16)
        found = self.over("counting moves", size, count_predecessors, layer, codes, layers, first, waiting)
        edges = int(self.runner.call(add_up, first))
        if size * (LINKED + 2 * codes.itemsize) + MOVE_BYTES * edges > self.most_bytes:
            return self.sweep_by_plies(layer, np.where(waiting == 0, codes, 0).astype(codes.dtype), layers, longest)
        parents = np.zeros(max(1, edges), np.int32 if size < 1 << 31 else np.int64)
        self.over("linking moves", size, write_predecessors, layer, waiting, first, parents)
        last, plies = max(0, *found), 0
        while plies <= last:
            codes = self.wide_enough(codes, plies + 1)
            last = max(last, *self.decide(plies, last, codes, waiting, first, parents))
            plies += 1
        codes[waiting != 0] = DRAWN
        return codes

    def decide(self, plies: int, last: int, *arrays: Any) -> list[int]:
        """Decide what is won or lost in so many plies; the greatest plies of any code that each piece has written."""

        def piece(start: int, end: int) -> int:
            return int(self.runner.call(decide_plies, plies, start, end, *arrays))

        return self.pieces(f"{plies} of at least {last} plies", len(arrays[0]), piece)

    def sweep_by_plies(self, layer: int, codes: Any, layers: Callable[[bool], Layers], longest: int) -> Any:
        """The same in sweeps, by no more memory than the codes take."""
        plies, most = 0, TWO_BYTES - 1
        while True:
            plies += 1
            codes = self.wide_enough(codes, plies)
            found = self.over(f"sweep {plies}", len(codes), sweep, layer, plies, most, codes, layers)
            if not any(found) and plies > longest + 1:
                return codes

    def first_wrong(self, layer: int, codes: Any, layers: Callable[[bool], Layers]) -> int:
        """The first number whose code does not follow from those after its moves; -1 where all are right."""
        found = self.over("comparing", len(codes), first_wrong, layer, codes, layers)
        return min((number for number in found if number >= 0), default=-1)
