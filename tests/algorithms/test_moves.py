"""Values of all moves under a time or node limit, which the searches of the position and of its moves share."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from support import facts

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Progress, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.root import move_values as each
from gamesearch.api import search
from gamesearch.game import Game
from gamesearch.games.trees.tree.rules import Tree
from gamesearch.registry import load

DEEPENING = "alphabeta(deepen=true, table=true, memory=1, order=killer)"


def value_moves(game: Game, nodes: int | None, algorithm: str = DEEPENING, **more: Any) -> SearchResult:
    return search(game, game.initial(), algorithm, limits=Limits(nodes=nodes), moves=True, speed="interpreted", **more)


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[SearchResult]:
    """Return a list that collects the results of all searches, of the position and of its moves."""
    made: list[SearchResult] = []
    plain: Callable[..., SearchResult] = search_with

    def note_result(*arguments: Any, **options: Any) -> SearchResult:
        made.append(plain(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(each, "search_with", note_result)
    return made


@pytest.mark.parametrize("nodes", [1, 2, 30, 200, 1000, 5000])
def test_a_limit_on_nodes_is_for_the_position_and_its_moves_together(nodes: int, searches: list[SearchResult]) -> None:
    game = load("connect4(rows=4, columns=4)")
    result = value_moves(game, nodes)
    own, *others = [found.statistics.nodes for found in searches]
    assert own == result.statistics.nodes <= max(1, nodes // 2)
    assert own + sum(others) <= max(nodes, own) + 1  # with no nodes left, a search still visits its root
    assert [found.move for found in result.moves] == list(game.moves(game.initial()))
    depth = result.moves_depth or result.statistics.depth
    assert depth <= max(1, result.statistics.depth)
    wanted = search(game, game.initial(), f"alphabeta(depth={depth})", moves=True, speed="interpreted")
    assert [(found.move, found.value) for found in result.moves] == [
        (found.move, found.value) for found in wanted.moves
    ]
    assert facts(result) == facts(value_moves(game, nodes))


def test_all_moves_have_values_if_the_search_found_none() -> None:
    game = load("tictactoe")
    result = value_moves(game, 20, "minimax")
    assert (result.value, result.stopped) == (None, "nodes")
    assert [found.move for found in result.moves] == list(range(9))


def test_settled_moves_are_not_searched_again(searches: list[SearchResult]) -> None:
    game = load("tictactoe")
    s = game.parse("XX./OX./.OO")
    result = search(game, s, DEEPENING, limits=Limits(nodes=100_000), moves=True, speed="interpreted")
    plain = search(game, s, DEEPENING, moves=True, speed="interpreted")
    assert result.moves == plain.moves
    assert (result.stopped, result.moves_depth) == ("", None)
    assert len(searches) < 12


@pytest.mark.parametrize("algorithm", [DEEPENING, "alphabeta(time=0.4)", "minimax(depth=6, time=0.4)"])
def test_a_limit_on_time_is_for_the_position_and_its_moves_together(algorithm: str) -> None:
    game = load("connect4")
    limits = Limits(time=0.4 if "time" not in algorithm else None)
    result = search(game, game.initial(), algorithm, limits=limits, moves=True, speed="interpreted")
    assert result.stopped == "time"
    assert [found.move for found in result.moves] == list(game.moves(game.initial()))
    assert result.moves_depth is None or 1 <= result.moves_depth < result.statistics.depth


def test_moves_at_the_horizon_are_valued_by_quiescence_search() -> None:
    game = load("chess")
    state = game.parse("4k3/8/3p4/4p3/8/2n5/1P6/4R2K w - - 0 1")  # Rxe5+ dxe5 loses White's rook
    result = search(game, state, "pvs(depth=1)", moves=True, speed="interpreted")
    values = {game.move_name(state, found.move): found.value for found in result.moves}
    assert result.value == values["bxc3"] == 4
    assert values["Rxe5+"] == 0
    assert values["Kh2"] == 1
    plain = search(game, state, "pvs(depth=1, exact=true)", moves=True, speed="interpreted")
    assert {found.value for found in plain.moves if game.move_name(state, found.move) == "Rxe5+"} == {
        game.evaluate(game.result(state, game.parse_move(state, "Rxe5+")))
    }


def test_an_interrupted_search_keeps_the_last_depth_that_all_moves_have_reached() -> None:
    game = load("connect4")

    def poll(now: Progress) -> bool:
        monitor.interrupted = monitor.interrupted or now.nodes >= 5_000  # nodes of all searches
        return monitor.interrupted

    monitor = Monitor(poll, interval=0.001)
    search_moves = each.MoveSearch(
        game, game.initial(), load_algorithm(DEEPENING), monitor=monitor, speed="interpreted"
    )
    found, depth = search_moves.search_within(30, Limits(time=1e6))
    assert monitor.interrupted
    assert depth is not None
    wanted = search(game, game.initial(), f"alphabeta(depth={depth})", moves=True, speed="interpreted").moves
    assert [move.found for move in found] == list(wanted)


@pytest.mark.parametrize("limits", [Limits(), Limits(time=1e6), Limits(depth=30), Limits(nodes=10**9)])
@pytest.mark.parametrize("after", [3, 12])
def test_every_move_has_a_value_after_an_interruption_too(limits: Limits, after: int) -> None:
    polls = 0

    def poll(_: Progress) -> bool:
        nonlocal polls
        polls += 1
        monitor.interrupted = monitor.interrupted or polls > after
        return monitor.interrupted

    game, monitor = load("connect4"), Monitor(poll, interval=0.001)
    result = search(game, game.initial(), DEEPENING, limits=limits, moves=True, monitor=monitor, speed="interpreted")
    assert result.stopped == "interrupted"
    assert [found.move for found in result.moves] == game.steps(game.initial())
    if result.moves_depth == 1:
        assert {found.value for found in result.moves} == {
            game.evaluate(game.result(game.initial(), move)) for move in game.steps(game.initial())
        }


def test_values_of_moves_for_three_players_are_within_the_payoffs() -> None:
    game = Tree("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]")
    game.estimates = np.tile([1e9, -1e9, 3.0], (len(game.estimates), 1))
    result = search(game, game.initial(), "maxn(depth=1)", moves=True, speed="interpreted")
    assert {found.value for found in result.moves} == {result.value} == {(7.0, 1.0, 3.0)}
