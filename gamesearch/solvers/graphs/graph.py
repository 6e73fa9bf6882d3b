"""The graph of all positions that can be reached, as arrays.

Solving the graph does not call the rules, so the same compiled code solves every game. Position i has the edges
`starts[i]` to `starts[i + 1] - 1`, in the order in which the game yields its moves.
"""

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.table import MEGABYTE, physical_memory
from gamesearch.algorithms.tree_search.node_store import FULL, INDEX, copy_index, enter_index, find, new_store
from gamesearch.compiler import kernel, new_rows
from gamesearch.compiler.kernels import load_state, save_state
from gamesearch.errors import GamesearchError, Interrupted, NotCompilable
from gamesearch.game import CHANCE, MOST_MOVES, Game
from gamesearch.solvers.estimate import MANY, Estimate, estimate_size, refuse_if_hopeless
from gamesearch.toolkit.bits import mix
from gamesearch.user_code.checking import endless_moves

__all__ = [
    "AT_ONCE", "OVER", "GameGraph", "GraphArrays", "build_graph", "graph_bytes", "lookup_in_graph", "number_of",
]  # fmt: skip

OVER = -2  # the entry of a terminal position in the array `players`
SOLVED, SOLVED_EDGE = 62, 8
"""While a graph is solved, each position takes at most SOLVED bytes of memory, and each move at most SOLVED_EDGE bytes.
The states and their index need additional memory."""
FIRST_SIZE = 1 << 12
AT_ONCE = {True: 1 << 18, False: 1 << 12}
"""The number of positions that are visited between two calls of `may_go_on`. The index is True for compiled code, and
False for interpreted code."""
MOST_INTERPRETED = 1 << 20
"""The greatest number of positions that interpreted code explores. More positions would take hours."""


class GraphArrays(NamedTuple):
    """The positions and edges of a graph, for kernels. The children of i are `children[starts[i]:starts[i + 1]]`."""

    players: Any
    payoffs: Any
    starts: Any
    children: Any
    probabilities: Any


class GameGraph:
    """A graph of positions, which are numbered from 0 (the start) to `positions` - 1. The moves of the first `done`
    positions are known.

    `call` is a function that calls a kernel but does not pass a game to it, for example `Runner.call`. The graph,
    together with the arrays for solving it, may take at most `most_bytes` of memory. The default is the machine's
    memory.
    """

    def __init__(
        self, game: Game, state: Any, is_compiled: bool, call: Callable[..., Any], most_bytes: int = 0
    ) -> None:
        self.game, self.state, self.is_compiled, self.call = game, state, is_compiled, call
        self.most_bytes = most_bytes or physical_memory()
        self.positions = self.edges = self.done = 0
        self.rows = new_rows(state, FIRST_SIZE, is_compiled)
        self.index = new_store(INDEX, 2 * FIRST_SIZE, is_compiled)
        self.players = np.zeros(FIRST_SIZE, np.int8)
        self.payoffs = np.zeros(FIRST_SIZE, np.float64)
        self.starts = np.zeros(FIRST_SIZE + 1, np.int64)
        self.children = np.zeros(4 * FIRST_SIZE, np.int32)
        self.probabilities = np.zeros(4 * FIRST_SIZE if game.chance else 1, np.float64)

    @property
    def arrays(self) -> GraphArrays:
        """The positions and edges, as kernels use them."""
        return GraphArrays(self.players, self.payoffs, self.starts, self.children, self.probabilities)

    @property
    def bytes(self) -> int:
        """The number of bytes that the arrays occupy."""
        arrays = self.rows, self.index, self.players, self.payoffs, self.starts, self.children, self.probabilities
        return sum(int(getattr(array, "nbytes", 0)) for array in arrays)

    def build(self, call: Callable[..., Any], may_go_on: Callable[[int], bool], others: Sequence[Any] = ()) -> bool:
        """Explore all positions. `may_go_on(positions)` is called regularly; if it returns False, the work stops.

        Returns whether all positions were explored. `call` calls a kernel, and passes the game as its first argument.
        `others` are additional start states. If `others` contains no duplicates, these states get the numbers 1, 2, ...
        """
        number = np.array([self.positions, self.edges, self.done, 0])  # last: the number of moves that do not fit
        for state in (self.state, *others) if others else ():
            call(number_of, state, number, self.rows, self.index)
        while True:
            most = AT_ONCE[self.is_compiled]
            is_whole = call(explore, self.state, number, most, self.rows, self.index, self.arrays)
            self.positions, self.edges, self.done = (int(n) for n in number[:3])
            if is_whole:
                return True
            if number[3] > MOST_MOVES:
                raise endless_moves(self.game)
            if not may_go_on(self.positions):
                return False
            self.make_room(int(number[0] + number[3]), int(number[1] + number[3]))

    def make_room(self, positions: int, edges: int) -> None:
        """Double the arrays that are too small for the given numbers of positions and edges."""
        while positions > len(self.players):
            if len(self.players) == MANY:
                estimate = estimate_size(self.game, self.state)
                refuse_if_hopeless(estimate, graph_bytes(self.state, estimate), self.most_bytes)
            size = 2 * len(self.players)
            self.check_memory(positions, 8 * size * (self.rows.shape[1] if self.is_compiled else 1))
            rows = new_rows(self.state, size, self.is_compiled)
            rows[: size // 2] = self.rows
            self.rows = rows
            for name, length in (("players", size), ("payoffs", size), ("starts", size + 1)):
                self.enlarge(name, length)
        while edges > len(self.children):
            self.check_memory(positions, 2 * self.children.nbytes)
            self.enlarge("children", 2 * len(self.children))
            if self.game.chance:
                self.enlarge("probabilities", len(self.children))
        while positions > FULL * len(self.index):
            self.check_memory(positions, 2 * self.index.nbytes)
            larger = new_store(INDEX, 2 * len(self.index), self.is_compiled)
            self.call(copy_index, self.index, larger)
            self.index = larger

    def check_memory(self, positions: int, more: int) -> None:
        """Raise GamesearchError if too little memory is available to add `more` bytes to the graph, or to solve it."""
        states = 0 if self.is_compiled else self.positions * (8 + size_of(self.state))
        need = max(self.bytes + states + more, SOLVED * self.positions + SOLVED_EDGE * self.edges)
        if need <= self.most_bytes:
            return
        if self.most_bytes == physical_memory():
            raise GamesearchError(f"more than {positions:,} positions do not fit into this machine's memory")
        raise GamesearchError(
            f"more than {positions:,} positions need at least {need // MEGABYTE + 1:,} MB, but the limit is "
            f"{self.most_bytes // MEGABYTE:,} MB: raise it with --memory, or give a later position"
        )

    def forget_states(self) -> None:
        """Release the memory of the states and the index, which are not needed for solving."""
        self.rows = new_rows(self.state, 0, self.is_compiled)
        self.index = new_store(INDEX, 1, self.is_compiled)

    def forget_moves(self) -> None:
        """Release the memory of the moves, which are not needed after solving."""
        self.children, self.probabilities = self.children[:0].copy(), self.probabilities[:0].copy()

    def enlarge(self, name: str, length: int) -> None:
        """Enlarge the array in the attribute `name` to a new length."""
        old = getattr(self, name)
        setattr(self, name, np.concatenate([old, np.zeros(length - len(old), old.dtype)]))


@kernel
def number_of(game: Game, s: Any, number: Any, rows: Any, index: Any) -> int:
    """The number of a position. A new position is added to the graph."""
    key = mix(game.key(s))
    entry = index[find(index, key)]
    if entry.filled:
        return int(entry.number)
    new = int(number[0])
    save_state(rows, new, s)
    enter_index(index, key, new)
    number[0] = new + 1
    return new


@kernel
def count_edges(game: Game, s: Any) -> int:
    """The number of moves or outcomes of a position; MOST_MOVES + 1 if there are more than MOST_MOVES."""
    count = 0
    if not game.terminal(s):
        if game.player(s) == CHANCE:
            for _ in game.outcomes(s):
                count += 1
                if count > MOST_MOVES:
                    break
        else:
            for _ in game.moves(s):
                count += 1
                if count > MOST_MOVES:
                    break
    return count


@kernel
def explore(game: Game, start: Any, number: Any, most: int, rows: Any, index: Any, graph: GraphArrays) -> bool:
    """Visit up to `most` positions in the order of their discovery; returns whether all positions are visited.

    The first three elements of `number` are the numbers of known positions, of edges, and of visited positions. The
    last element is usually 0. If the moves of the next position do not fit into the arrays, it is the number of these
    moves.
    """
    players, children = graph.players, graph.children
    number[3] = 0
    if number[0] == 0:
        number_of(game, start, number, rows, index)
    last = number[2] + most
    while number[2] < number[0]:
        i, edge = int(number[2]), int(number[1])
        s = load_state(rows, i, start)
        count = count_edges(game, s)
        positions = number[0] + count
        is_too_much = positions > len(players) or edge + count > len(children) or positions > FULL * len(index)
        if is_too_much or count > MOST_MOVES:
            number[3] = count
            return False
        if number[2] >= last:
            return False
        if game.terminal(s):
            players[i] = OVER
            graph.payoffs[i] = game.utility(s)
        elif game.player(s) == CHANCE:
            players[i] = CHANCE
            for outcome, probability in game.outcomes(s):
                if probability <= 0.0:
                    continue
                children[edge] = number_of(game, game.result(s, outcome), number, rows, index)
                graph.probabilities[edge] = probability
                edge += 1
        else:
            players[i] = game.player(s)
            for move in game.moves(s):
                children[edge] = number_of(game, game.result(s, move), number, rows, index)
                edge += 1
        number[1] = edge
        number[2] = i + 1
        graph.starts[i + 1] = edge
    return True


def graph_bytes(state: Any, estimate: Estimate) -> float:
    """The estimated memory, in bytes, for the graph of a game, its states and its solution."""
    fields = len(state) if isinstance(state, tuple) else 1
    return estimate.positions * (SOLVED + 8 * fields + SOLVED_EDGE * estimate.moves)


def size_of(state: Any) -> int:
    """The approximate size in bytes of an interpreted state with its contents."""
    return sys.getsizeof(state) + (sum(map(size_of, state)) if isinstance(state, tuple | frozenset) else 0)


class GraphSaver(Protocol):
    """An object that saves the graph, so that another process can continue to explore it."""

    def restore(self, graph: GameGraph, call: Callable[..., Any]) -> None:
        """Restore a saved graph. `call` calls a kernel, and passes the game as its first argument."""

    def explores(self, graph: GameGraph) -> None:
        """Save the graph if necessary. This method is called regularly while the graph grows."""


def build_graph(runner: Runner, state: Any, most_bytes: int = 0, keeper: GraphSaver | None = None) -> GameGraph:
    """The graph of all positions that can be reached from a state."""
    game = runner.game

    def call(kernel: Callable[..., Any], *arguments: Any) -> Any:
        return runner.execute(kernel, lambda: (game, *arguments))

    def build(is_compiled: bool) -> tuple[GameGraph, bool]:
        graph = GameGraph(game, state, is_compiled, runner.call, most_bytes)

        def may_go_on(positions: int) -> bool:
            runner.counts.nodes = positions
            if runner.speed == "interpreted" and positions > MOST_INTERPRETED:
                raise GamesearchError(
                    f"{game.name} has more than {MOST_INTERPRETED:,} positions, which is too many for interpreted code"
                )
            if keeper is not None:
                keeper.explores(graph)
            return runner.monitor is None or not runner.monitor.interrupted

        if keeper is not None:
            keeper.restore(graph, call)
        return graph, graph.build(call, may_go_on)

    speed = runner.speed
    try:
        graph, is_finished = build(speed == "compiled")
    except (NotCompilable, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, NotCompilable):
            runner.continue_interpreted(error)
        if runner.speed == speed:
            raise
        graph, is_finished = build(is_compiled=False)  # the game does not compile: store states in lists
    if not is_finished:
        raise Interrupted(f"solving was interrupted after {int(runner.counts.nodes):,} positions")
    return graph


def lookup_in_graph(graph: GameGraph, values: Any, distances: Any) -> Callable[[Any], tuple[float, int]]:
    """Make a function that looks up a state in a solved graph and returns its value and distance."""
    readable = graph.index.view(np.recarray)

    def lookup(state: Any) -> tuple[float, int]:
        number = int(readable[find(readable, mix(graph.game.key(state)))].number)
        return float(values[number]), int(distances[number])

    return lookup
