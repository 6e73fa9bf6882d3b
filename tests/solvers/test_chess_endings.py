"""Chess endings are solved by compiled retrograde analysis, because each has about 400,000 positions."""

from typing import Any

import numpy as np
import pytest
from choices import only_with_everything

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.game import MAX
from gamesearch.games.capturing.chess.position import Position
from gamesearch.games.capturing.chess.rules import Chess
from gamesearch.solvers.graphs.graph import build_graph, lookup_in_graph
from gamesearch.solvers.graphs.retrograde import values_by_predecessors
from gamesearch.solvers.solving import solve

pytestmark = pytest.mark.xdist_group("chess")
PAWN_ENDINGS = {
    "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1": 1000,  # White's king is in front of its pawn, on the sixth rank
    "4k3/8/4K3/4P3/8/8/8/8 b - - 0 1": 1000,
    "4k3/4P3/4K3/8/8/8/8/8 w - - 0 1": 0,  # stalemate, or the pawn is lost
    "4k3/4P3/3K4/8/8/8/8/8 b - - 0 1": 1000,
    "8/8/4k3/8/4K3/4P3/8/8 w - - 0 1": 0,  # Black has the opposition
    "8/8/4k3/8/4K3/4P3/8/8 b - - 0 1": 1000,
    "8/8/8/8/8/4k3/4P3/4K3 w - - 0 1": 0,
}
"""Positions of king and pawn against king, with their results according to textbooks."""


def solved(position: str) -> tuple[Any, Any, Any]:
    """Return the graph of all positions that can be reached from a position, with values and distances."""
    game, start, _ = Chess().for_solving(Chess().parse(position))
    runner = Runner(game, "compiled")
    graph = build_graph(runner, start)
    values, distances, _ = values_by_predecessors(runner, graph)
    return graph, values, distances


def longest(graph: Any, values: Any, distances: Any, piece: str) -> tuple[int, int]:
    """Return the number of positions in which White, to move, wins with a piece, and the length of the longest win."""
    n = graph.positions
    diagonal, straight = (graph.rows[:n, Position._fields.index(name)] != 0 for name in ("diagonal", "straight"))
    has = straight & (diagonal if piece == "Q" else ~diagonal)
    won = has & (graph.players[:n] == MAX) & (values[:n] == 1000)
    return int(won.sum()), (int(distances[:n][won].max()) + 1) // 2


@only_with_everything
def test_the_queen_mates_in_ten_moves_at_most() -> None:
    graph, values, distances = solved("8/8/8/3k4/8/8/8/KQ6 w - - 0 1")
    # K. Thompson and others count the same number of positions with White to move, and White wins all of them.
    assert longest(graph, values, distances, "Q") == (144_508, 10)
    is_lost = values[: graph.positions] == -1000
    assert not np.any(is_lost)


QUEEN = "8/8/8/3k4/8/8/8/KQ6 w - - 95 90"
NOTE = "solved without the fifty-move rule, so the clock of the position is ignored"


def test_a_note_says_that_the_clock_is_ignored() -> None:
    _, s, note = Chess().for_solving(Chess().parse(QUEEN))
    assert (s.clock, note) == (0, NOTE)


@only_with_everything
def test_a_win_is_found_that_takes_longer_than_the_fifty_move_rule_allows() -> None:
    game = Chess()
    s = game.parse(QUEEN)
    solution = solve(game, s, speed="compiled")
    assert (solution.value, solution.method) == (1000, "retrograde")
    assert solution.note == NOTE
    assert solution.distance is not None
    assert solution.distance > 5  # longer than the fifty-move rule allows
    assert {move.value for move in solution.moves} <= {0, 1000}


@only_with_everything
def test_king_and_pawn_win_or_draw_as_known() -> None:
    graph, values, distances = solved("8/8/8/3k4/8/8/4P3/K7 w - - 0 1")
    assert longest(graph, values, distances, "Q") == (144_508, 10)
    assert longest(graph, values, distances, "R") == (175_168, 16)
    lookup = lookup_in_graph(graph, values, distances)
    for position, value in PAWN_ENDINGS.items():
        _, s, _ = Chess().for_solving(Chess().parse(position))
        assert lookup(s)[0] == value, position
