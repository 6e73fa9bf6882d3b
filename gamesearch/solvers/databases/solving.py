"""One layer, solved: by its moves where positions can recur and memory holds them, else by sweeps."""

from collections.abc import Callable
from typing import Any

import numpy as np

from gamesearch.algorithms.databases.codes import DRAWN, WON, Layers
from gamesearch.algorithms.databases.packing import Packed, packed
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.table import MEGABYTE
from gamesearch.errors import GamesearchError
from gamesearch.game import NEVER
from gamesearch.optional import Numbered
from gamesearch.solvers.databases.folders import wrong_payoffs
from gamesearch.solvers.databases.kernels import begin_layer, count_codes, first_wrong, sweep
from gamesearch.solvers.databases.linked_layer import LinkedLayer, NoRoomError
from gamesearch.solvers.databases.workers import Listener, Workers

__all__ = ["LayerSolver"]

AT_ONCE = {"compiled": 1 << 15, "interpreted": 1 << 9}
"""So many numbers are given to a kernel at a time."""
BYTE, TWO_BYTES = 1 << 8, 1 << 16


class LayerSolver:
    """Solves the layers of one game, one at a time, within some bytes of memory."""

    def __init__(self, runner: Runner, most_bytes: int, workers: int, listen: Listener) -> None:
        game = runner.game
        assert isinstance(game, Numbered)
        self.runner, self.game, self.most_bytes = runner, game, most_bytes
        self.workers = Workers(runner, workers, listen)
        self.recurs = game.recurrence != NEVER
        self.points_width = 1 if 2 * int(max(game.MAXSCORE, -game.MINSCORE)) + DRAWN < BYTE else 2

    def over(self, stage: str, size: int, kernel: Callable[..., Any], layer: int, *rest: Any) -> list[int]:
        """What a kernel of the game returns for each piece of the numbers up to a size."""
        return self.workers.over(stage, size, AT_ONCE[self.runner.speed], kernel, layer, *rest)

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
        codes, positions = self.decided(layer, size, layers, longest)
        block = AT_ONCE[self.runner.speed]
        counts = np.zeros((-(-size // block), 4), np.int64)
        most = self.over("counting", size, count_codes, layer, block, codes, counts)
        if codes.itemsize == 2 and max(most, default=0) < BYTE:
            codes = codes.astype(np.uint8)
        return codes, positions, [*counts[:, :3].sum(axis=0).tolist(), int(counts[:, 3].max(initial=0))]

    def decided(self, layer: int, size: int, layers: Callable[[bool], Layers], longest: int) -> tuple[Any, int]:
        """The codes of a layer, by the way that fits the game and the memory, and how many positions it has."""
        if self.recurs:
            try:
                linked = LinkedLayer(self.workers, layer, size, self.most_bytes)
                codes, positions = linked.solve(self.new_codes(size, longest), layers, self.wide_enough)
                self.refuse_wrong_payoffs(positions)
            except NoRoomError:
                return self.sweep_by_plies(layer, *self.begun(layer, size, layers, longest), layers, longest)
            return codes, positions
        codes, positions = self.begun(layer, size, layers, longest)
        return self.until_all_are_decided(layer, codes, layers), positions

    def new_codes(self, size: int, longest: int) -> Any:
        """Codes of numbers of which nothing is known."""
        return self.wide_enough(np.zeros(size, np.uint8), longest + 1)

    def begun(self, layer: int, size: int, layers: Callable[[bool], Layers], longest: int) -> tuple[Any, int]:
        """The codes of a layer as far as they follow at once, and how many positions it has."""
        codes = self.new_codes(size, longest)
        positions = self.over("numbering", size, begin_layer, layer, np.iinfo(codes.dtype).max, codes, layers)
        self.refuse_wrong_payoffs(min(positions))
        return codes, sum(positions)

    def refuse_wrong_payoffs(self, positions: int) -> None:
        """Raise GamesearchError where a count below 0 says that payoffs are others than the game says."""
        if positions < 0:
            raise wrong_payoffs(self.game)

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
            most = np.iinfo(codes.dtype).max
            found = self.over(f"sweep {number}", len(codes), sweep, layer, -1, most, codes, layers)
            if min(found) < 0:
                codes = self.wide_enough(codes, BYTE)
            elif not any(found):
                raise GamesearchError(
                    f"{self.game.name} says that no position comes again, and some of layer "
                    f"{self.game.layer_name(layer)} do: its recurrence is wrong"
                )
        return codes

    def sweep_by_plies(
        self, layer: int, codes: Any, positions: int, layers: Callable[[bool], Layers], longest: int
    ) -> tuple[Any, int]:
        """All that is won or lost in 1, 2, 3, ... plies, in sweeps, by no more memory than the codes take."""
        plies = 0
        while True:
            plies += 1
            codes = self.wide_enough(codes, plies)
            found = self.over(f"sweep {plies}", len(codes), sweep, layer, plies, TWO_BYTES - 1, codes, layers)
            if not any(found) and plies > longest + 1:
                return codes, positions

    def packed(self, codes: Any) -> Packed:
        """Codes as they are kept."""
        return packed(codes, self.workers.count, self.workers.together)

    def first_wrong(self, layer: int, codes: Any, layers: Callable[[bool], Layers]) -> int:
        """The first number whose code does not follow from those after its moves; -1 where all are right."""
        found = self.over("comparing", len(codes), first_wrong, layer, codes, layers)
        return min((number for number in found if number >= 0), default=-1)
