"""The solved graph of a small game. It contains each position once, with all moves. `gamesearch graph` displays it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.errors import GamesearchError, refuse
from gamesearch.game import CHANCE, FORBIDDEN, NEVER, Game
from gamesearch.notation import zero_sum_words
from gamesearch.optional import certain_moves
from gamesearch.solvers.graphs.graph import OVER, GameGraph
from gamesearch.solvers.graphs.iteration import ACCURACY, values_by_iteration
from gamesearch.solvers.graphs.retrograde import values_by_predecessors
from gamesearch.solvers.store import counts_plies

__all__ = [
    "BEST", "EQUAL", "OUTCOME", "WORSE", "Edge", "Position", "PositionGraph", "TooManyPositionsError",
    "solve_graph",
]  # fmt: skip

BEST, EQUAL, WORSE, OUTCOME = "best", "equal", "worse", "outcome"
"""How good a move is for the player to move. An EQUAL move keeps the value, but it wins later or loses earlier than the
best move does. An OUTCOME is not a move, but an outcome of chance."""

MOST_COUNTED = 10_000
"""If a graph is too large, the error message gives the number of its positions. At most this number of positions are
counted, which takes about a second."""


@dataclass(frozen=True)
class Edge:
    """A move or outcome, and the number of the position that it leads to."""

    name: str
    target: int
    quality: str
    """BEST, EQUAL, WORSE or OUTCOME."""
    probability: float | None = None


@dataclass(frozen=True)
class Position:
    """A position with its exact value, from Max's point of view."""

    state: Any
    player: int | None  # the player to move; None if the game is over
    value: float
    distance: int | None
    """The plies to the end if the winner hurries and the loser delays; None for a draw, for games with points, and for
    games with chance."""
    edges: tuple[Edge, ...]

    @property
    def best(self) -> list[str]:
        """The names of all best moves."""
        return [edge.name for edge in self.edges if edge.quality == BEST]


@dataclass(frozen=True)
class PositionGraph:
    """All positions that can be reached from the start positions. The first `starts` positions are the start
    positions."""

    game: Game
    starts: int
    positions: tuple[Position, ...]

    @property
    def moves(self) -> int:
        """The number of moves and outcomes."""
        return sum(len(position.edges) for position in self.positions)


def solve_graph(game: Game, states: Sequence[Any], most: int) -> PositionGraph:
    """Build the graph of all positions that can be reached from some states, each with its exact value.

    Raises GamesearchError if there are more than `most` positions, or if values depend on earlier positions.

    >>> from gamesearch import load
    >>> game = load("nim(heaps=6, max_take=3)")
    >>> graph = solve_graph(game, [game.initial()], most=200)
    >>> len(graph.positions), graph.positions[0].value, graph.positions[0].distance, graph.positions[0].best
    (12, 1.0, 3, ['a2'])
    """
    refuse(
        (
            game.payoff_count > 1,
            f"`gamesearch graph` is {zero_sum_words(game)}: use `gamesearch analyze` with the algorithm maxn",
        ),
        (
            game.repetition == FORBIDDEN,
            f"moves and values of {game.name} depend on earlier positions: use `gamesearch analyze` or "
            f"`gamesearch solve`",
        ),
    )
    graph = explore_graph(game, states, most)
    runner = Runner(game, "interpreted")
    if game.chance and game.repetition != NEVER:
        values, distances = values_by_iteration(runner, graph)
    else:
        values, distances, _ = values_by_predecessors(runner, graph)
    worths = [(float(value), int(plies)) for value, plies in zip(values, distances, strict=False)]
    starts = len({game.key(state) for state in states})
    return PositionGraph(game, starts, tuple(position_of(graph, number, worths) for number in range(graph.positions)))


class TooManyPositionsError(GamesearchError):
    """Raised if a graph has more positions than allowed."""


def explore_graph(game: Game, states: Sequence[Any], most: int) -> GameGraph:
    """Explore all positions; raises TooManyPositionsError if there are more than `most`."""

    def call(kernel: Callable[..., Any], *arguments: Any) -> Any:
        return kernel(game, *arguments)

    graph = GameGraph(game, states[0], is_compiled=False, call=lambda kernel, *arguments: kernel(*arguments))
    is_whole = graph.build(call, lambda positions: positions <= max(most, MOST_COUNTED), states[1:])
    if is_whole and graph.positions <= most:
        return graph
    count = f"{graph.positions:,}" if is_whole else f"more than {max(most, MOST_COUNTED):,}"
    raise TooManyPositionsError(
        f"{game.name} has {count} positions from here, but the graph may have at most {most:,}: give a later POSITION"
    )


def position_of(graph: GameGraph, number: int, worths: Sequence[tuple[float, int]]) -> Position:
    """Make a `Position` with its moves, from the values and distances of all positions."""
    game, state = graph.game, graph.rows[number]
    value, plies = worths[number]
    distance = plies if counts_plies(game) and value != game.draw_value() else None
    player = int(graph.players[number])
    if player == OVER:
        return Position(state, None, value, 0, ())
    targets = [int(child) for child in graph.children[graph.starts[number] : graph.starts[number + 1]]]
    if player == CHANCE:
        outcomes = [(outcome, probability) for outcome, probability in game.outcomes(state) if probability > 0]
        edges = [
            Edge(game.move_name(state, outcome), target, OUTCOME, float(probability))
            for (outcome, probability), target in zip(outcomes, targets, strict=True)
        ]
    else:
        certain = certain_moves(game, state)
        edges = [
            Edge(
                game.move_name(state, move),
                target,
                quality(value, distance, *worths[target]) if move in certain else WORSE,
            )
            for move, target in zip(game.moves(state), targets, strict=True)
        ]
    return Position(state, player, value, distance, tuple(edges))


def quality(value: float, distance: int | None, after: float, plies: int) -> str:
    """Compute the quality of a move. `value` and `distance` belong to the position before the move; `after` and `plies`
    belong to the position after the move."""
    if abs(after - value) > 100 * ACCURACY:
        return WORSE
    return BEST if distance is None or plies + 1 == distance else EQUAL
