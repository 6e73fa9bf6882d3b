"""The graph of all positions that can be reached, as arrays.

Once it is there, solving needs no rules any more: the same compiled code solves every game. Position
i has the edges `starts[i]` to `starts[i + 1]`, in the order in which the game yields its moves.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from gamesearch.algorithms.parts.node_store import FULL, INDEX, copy_index, enter_index, find, new_store
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.algorithms.parts.table import physical_memory
from gamesearch.bits import mix
from gamesearch.checking import endless_moves
from gamesearch.compiler import kernel, new_rows
from gamesearch.compiler.rows import load_state, save_state
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import CHANCE, MOST_MOVES, Game

__all__ = ["OVER", "GameGraph", "explored", "lookup_in_graph"]

OVER = -2
"""The player of a finished game."""
FIRST_SIZE = 1 << 12
MOST_INTERPRETED = 1 << 20
"""No more positions are explored interpreted: it would take hours."""


class GameGraph:
    """Positions 0 (where it began) to `positions` - 1, and what leads to what.

    `call` runs a kernel that asks nothing of the game, as `Runner.call` does.
    """

    def __init__(self, game: Game[Any], state: Any, is_compiled: bool, call: Callable[..., Any]) -> None:
        self.game, self.state, self.is_compiled, self.call = game, state, is_compiled, call
        self.positions = self.edges = self.done = 0
        self.rows = new_rows(state, FIRST_SIZE, is_compiled)
        self.index = new_store(INDEX, 2 * FIRST_SIZE, is_compiled)
        self.players = np.zeros(FIRST_SIZE, np.int8)
        self.payoffs = np.zeros(FIRST_SIZE, np.float64)
        self.starts = np.zeros(FIRST_SIZE + 1, np.int64)
        self.children = np.zeros(4 * FIRST_SIZE, np.int32)
        self.probabilities = np.zeros(4 * FIRST_SIZE if game.chance else 1, np.float64)

    @property
    def bytes(self) -> int:
        """The memory that the arrays take."""
        arrays = [self.index, self.players, self.payoffs, self.starts, self.children, self.probabilities]
        return int(sum(array.nbytes for array in arrays) + getattr(self.rows, "nbytes", 0))

    def build(self, call: Callable[..., Any], may_go_on: Callable[[int], bool], others: Sequence[Any] = ()) -> bool:
        """Explore until there is nothing new; `may_go_on(positions)` is asked now and then.

        `call` runs a kernel with the game before its arguments. Gives False where it may not go on.
        `others` are states to begin from, too: where they differ, they have the numbers 1, 2, ...
        """
        number = np.zeros(4, np.int64)  # positions, edges, positions visited, moves there was no room for
        for state in (self.state, *others) if others else ():
            call(number_of, state, number, self.rows, self.index)
        while not call(
            explore, self.state, number, 1 << 18, self.rows, self.index, self.players, self.payoffs,
            self.starts, self.children, self.probabilities,
        ):  # fmt: skip
            if number[3] > MOST_MOVES:
                raise endless_moves(self.game)
            if not may_go_on(int(number[0])):
                return False
            self.make_room(int(number[0] + number[3]), int(number[1] + number[3]))
        self.positions, self.edges, self.done = (int(n) for n in number[:3])
        return True

    def make_room(self, positions: int, edges: int) -> None:
        """Double the arrays that would not hold so many positions and edges."""
        while positions > len(self.players):
            self.check_memory(positions)
            size = 2 * len(self.players)
            rows = new_rows(self.state, size, self.is_compiled)
            rows[: size // 2] = self.rows
            self.rows = rows
            for name, length in (("players", size), ("payoffs", size), ("starts", size + 1)):
                self.enlarge(name, length)
        while edges > len(self.children):
            self.check_memory(positions)
            self.enlarge("children", 2 * len(self.children))
            if self.game.chance:
                self.enlarge("probabilities", len(self.children))
        while positions > FULL * len(self.index):
            larger = new_store(INDEX, 2 * len(self.index), self.is_compiled)
            self.call(copy_index, self.index, larger)
            self.index = larger

    def check_memory(self, positions: int) -> None:
        """Refuse what would not fit."""
        if 2 * self.bytes > physical_memory():
            raise GamesearchError(f"more than {positions:,} positions do not fit this machine's memory")

    def enlarge(self, name: str, length: int) -> None:
        """Give an array more room."""
        old = getattr(self, name)
        new = np.zeros(length, old.dtype)
        new[: len(old)] = old
        setattr(self, name, new)


@kernel
def number_of(game: Game[Any], s: Any, number: Any, rows: Any, index: Any) -> int:
    """The number of a position; a new one where it is new."""
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
def count_edges(game: Game[Any], s: Any) -> int:
    """How many moves or outcomes a position has; of those without end, one more than MOST_MOVES."""
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
def explore(
    game: Game[Any], start: Any, number: Any, most: int, rows: Any, index: Any, players: Any, payoffs: Any,
    starts: Any, children: Any, probabilities: Any,
) -> bool:  # fmt: skip
    """Visit positions in the order of their discovery, at most so many; whether all are visited.

    `number` holds the positions known, the edges, the positions visited, and, when it ends early, how
    many moves of the next position there is no room for.
    """
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
            payoffs[i] = game.utility(s)
        elif game.player(s) == CHANCE:
            players[i] = CHANCE
            for outcome, probability in game.outcomes(s):
                if probability <= 0.0:
                    continue
                children[edge] = number_of(game, game.result(s, outcome), number, rows, index)
                probabilities[edge] = probability
                edge += 1
        else:
            players[i] = game.player(s)
            for move in game.moves(s):
                children[edge] = number_of(game, game.result(s, move), number, rows, index)
                edge += 1
        number[1] = edge
        number[2] = i + 1
        starts[i + 1] = edge
    return True


def explored(runner: Runner, state: Any) -> GameGraph:
    """The graph of all positions that can be reached from a state."""
    game = runner.game

    def may_go_on(positions: int) -> bool:
        runner.counts.nodes = positions
        if runner.speed == "interpreted" and positions > MOST_INTERPRETED:
            raise GamesearchError(
                f"{game.name} has more than {MOST_INTERPRETED:,} positions: too many to solve interpreted"
            )
        return runner.monitor is None or not runner.monitor.interrupted

    def call(kernel: Callable[..., Any], *arguments: Any) -> Any:
        return runner.execute(kernel, lambda: (game, *arguments))

    asked = runner.speed
    graph = GameGraph(game, state, asked == "compiled", runner.call)
    try:
        finished = graph.build(call, may_go_on)
    except (TypeError, ValueError, AttributeError):
        if runner.speed == asked:
            raise
        graph = GameGraph(game, state, False, runner.call)  # it turned out not to compile: begin again with lists
        finished = graph.build(call, may_go_on)
    if not finished:
        raise Interrupted(f"solving was interrupted after {int(runner.counts.nodes):,} positions")
    return graph


def lookup_in_graph(graph: GameGraph, values: Any, distances: Any) -> Callable[[Any], tuple[float, int]]:
    """A function that gives the value and distance of a state in a solved graph."""
    readable = graph.index.view(np.recarray)

    def lookup(state: Any) -> tuple[float, int]:
        number = int(readable[find(readable, mix(graph.game.key(state)))].number)
        return float(values[number]), int(distances[number])

    return lookup
