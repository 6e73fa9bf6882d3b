"""Solving a graph of positions so that it goes on where it was, whatever ended the process.

Positions are numbered as they are found, so what is known of the graph only grows. Of a move, it is written down which
number it leads to, and nothing else: who goes through the moves again in the same order meets each new position where
it was found, needs no look at those known before, and asks the rules only for these. So a position costs 4 bytes a
move, and states need not be written. Each checkpoint has what was found since the last.

While values go backwards, a checkpoint has all that `Backwards` knows, and replaces the last.
"""

from collections.abc import Callable
from typing import Any

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import load_state
from gamesearch.game import Game
from gamesearch.solvers.databases.checkpoints import Checkpoints
from gamesearch.solvers.databases.pieces import Listener
from gamesearch.solvers.graph import AT_ONCE, OVER, GameGraph, number_of
from gamesearch.solvers.retrograde import Backwards

__all__ = ["Resumption"]

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
