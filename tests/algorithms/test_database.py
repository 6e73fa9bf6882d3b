"""Searches use the exact values of a database at their leaves, interpreted and compiled."""

from pathlib import Path
from typing import Any

import pytest
from database_support import build_database, positions_of
from recordings import record_search as recorded
from support import facts

from gamesearch.algorithms.databases.codes import decode
from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.game import Game
from gamesearch.registry import load
from gamesearch.solvers.solving import solve


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("checkers")
    build_database(load("checkers(size=4)"), "3", folder)
    return folder


def run_search(
    game: Game, s: Any, algorithm: str, folder: Path, speed: str = "interpreted", nodes: int | None = None
) -> Any:
    return search(game, s, f"{algorithm[:-1]}, database='{folder}')", limits=Limits(nodes=nodes), speed=speed)


@pytest.mark.parametrize("algorithm", ["alphabeta(depth=2, deepen=true, table=true)", "pvs(depth=2)"])
def test_a_shallow_search_finds_every_value_and_distance(algorithm: str, small: Path) -> None:
    database = build_database(load("checkers(size=4)"), "3", small)
    game, tried = database.game, 0
    for s, code in list(positions_of(database))[::97]:
        if game.terminal(s):
            continue
        value, plies = decode(game, code, game.player(s))
        found = run_search(game, s, algorithm, small)
        assert found.value == value
        assert found.sees_the_end
        assert found.distance == (plies if value != game.draw_value() else None)
        tried += 1
    assert tried > 20


def test_values_agree_with_solve(small: Path) -> None:
    """Positions with four or more pieces are searched; positions with three pieces are in the database."""
    game = load("checkers(size=4)")
    s = game.parse("B:W7,8:B1,K3")
    solution = solve(game, s, "retrograde", speed="interpreted")
    found = run_search(game, s, "alphabeta(depth=8, deepen=true)", small)
    assert (found.value, found.distance) == (solution.value, solution.distance)
    assert found.best in solution.best


@pytest.mark.xdist_group("tictactoe")
def test_both_speeds_agree_node_for_node(tmp_path: Path) -> None:
    game, algorithm = load("tictactoe"), "alphabeta(depth=5)"
    build_database(game, "6", tmp_path)
    for position in (".../.../...", "X../.../...", "X../.O./..."):
        s = game.parse(position)
        one, other = (run_search(game, s, algorithm, tmp_path, speed) for speed in ("interpreted", "compiled"))
        assert other.statistics.speed == "compiled"
        assert facts(one) == facts(other)


def test_a_database_answers_when_a_search_cannot(small: Path) -> None:
    """Without the database, a search with the same limit on nodes finds only an estimate near 0."""
    game = load("checkers(size=4)")
    s, algorithm = game.parse("W:W4,5:B1,6"), "alphabeta(depth=full, deepen=true, table=true, memory=1)"
    alone = search(game, s, algorithm, limits=Limits(nodes=300), speed="interpreted")
    assert (alone.stopped, alone.sees_the_end, alone.distance) == ("nodes", False, None)
    assert alone.value is not None
    assert abs(alone.value) < 0.1  # type: ignore[arg-type]
    known = run_search(game, s, algorithm, small, nodes=300)
    assert (known.value, known.distance, known.stopped) == (game.MAXSCORE, 14, "")
    assert solve(game, s, "retrograde", speed="interpreted").distance == 14


def test_a_win_that_the_fifty_moves_may_end_is_not_believed() -> None:
    """The database ignores the fifty-move clock, but in a game the value depends on the clock."""
    game = load("chess")
    rook = game.parse("8/8/8/8/8/2k5/8/K6R w - - 95 90")
    assert not game.win_holds(rook, 6)  # type: ignore[attr-defined]
    assert game.win_holds(rook, 5)  # type: ignore[attr-defined]


def test_an_observer_sees_nodes_that_the_database_settles(small: Path) -> None:
    recording, result = recorded("checkers(size=4)", f"alphabeta(depth=2, database='{small}')", "W:WK7:BK2")
    kinds = [node.kind for node in recording.nodes.values()]
    assert kinds.count("database") == result.statistics.leaves > 0
    assert set(kinds) == {"searched", "database"}
