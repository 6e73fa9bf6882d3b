"""Endings of chess without the fifty-move rule are solved by compiled retrograde analysis."""

import pytest
from choices import only_with_everything

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.game import MAX
from gamesearch.games.capturing.chess.position import Position
from gamesearch.games.capturing.chess.rules import Chess
from gamesearch.solvers.graphs.graph import build_graph, lookup_in_graph
from gamesearch.solvers.graphs.retrograde import values_by_predecessors

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


def test_the_clock_of_the_fifty_move_rule_is_ignored() -> None:
    _, s, note = Chess().for_solving(Chess().parse("8/8/8/3k4/8/8/8/KQ6 w - - 95 90"))
    assert (s.clock, note) == (0, "solved without the fifty-move rule, so the clock of the position is ignored")


@only_with_everything
def test_king_and_pawn_win_or_draw_as_known() -> None:
    game, start, _ = Chess().for_solving(Chess().parse("8/8/8/3k4/8/8/4P3/K7 w - - 0 1"))
    runner = Runner(game, "compiled")
    graph = build_graph(runner, start)
    values, distances, _ = values_by_predecessors(runner, graph)
    n = graph.positions
    diagonal, straight = (graph.rows[:n, Position._fields.index(name)] != 0 for name in ("diagonal", "straight"))
    white_wins = (graph.players[:n] == MAX) & (values[:n] == 1000)
    # K. Thompson and others count the same numbers of won positions with a queen and with a rook, and the same lengths.
    for has, count, moves in ((straight & diagonal, 144_508, 10), (straight & ~diagonal, 175_168, 16)):
        won = has & white_wins
        assert (won.sum(), (distances[:n][won].max() + 1) // 2) == (count, moves)
    lookup = lookup_in_graph(graph, values, distances)
    for position, value in PAWN_ENDINGS.items():
        _, s, _ = Chess().for_solving(Chess().parse(position))
        assert lookup(s)[0] == value, position
