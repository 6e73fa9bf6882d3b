"""A search for the best n moves finds the same n moves as a search that computes the values of all moves."""

import random
import time
from typing import Any

import pytest
from support import facts

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Progress, SearchResult, Value, rank_moves
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.algorithms.root.best_moves import search_best_moves
from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.registry import load

CASES = [
    ("tictactoe", 5, "alphabeta(table=true, memory=1)"),
    ("connect4(rows=4, columns=4)", 5, "alphabeta(table=true, memory=1, order=killer)"),
    ("kalah", 3, "alphabeta(fail=hard)"),
    ("othello", 3, "alphabeta(table=true, memory=1, window=null)"),
    ("othello", 3, "pvs(exact=true, table=false)"),
    ("pig(10)", 3, "expectiminimax"),
]


def positions(game: Game, count: int) -> list[Any]:
    """Return positions that are reached by a few random moves, and are neither terminal nor chance nodes."""
    dice, found = random.Random(3), list[Any]()
    while len(found) < count:
        s = game.initial()
        for _ in range(dice.randrange(6)):
            s = s if game.terminal(s) else game.result(s, dice.choice(game.steps(s)))
        if not game.terminal(s) and game.player(s) != CHANCE:
            found.append(s)
    return found


def as_float(value: Value | None) -> float:
    """Return a value as a number; the game must have two players."""
    assert isinstance(value, float)
    return value


@pytest.mark.parametrize(("text", "depth", "algorithm"), CASES)
def test_the_best_moves_are_the_first_of_all_moves_in_a_full_search(text: str, depth: int, algorithm: str) -> None:
    game, chosen = load(text), load_algorithm(algorithm)
    for s in positions(game, 2):
        whole = search(game, s, chosen, limits=Limits(depth), moves=True, speed="interpreted")
        ranked = rank_moves(game, s, whole.moves)
        wanted = [(found.value, found.distance) for found in ranked]
        for count in (1, 3, 99):
            result = search(game, s, chosen, limits=Limits(depth), multipv=count, speed="interpreted")
            assert [(found.value, found.distance) for found in result.moves] == wanted[:count]
            assert (result.value, result.distance) == wanted[0]
            assert result.best == result.moves[0].move == result.line[0]
        for margin in (0.05, 4.0):
            result = search_best_moves(
                game, s, chosen, Limits(depth), 1, margin=margin, speed="interpreted", monitor=None
            )
            near = [each for each in ranked if abs(as_float(each.value) - as_float(ranked[0].value)) < margin]
            assert {(each.move, each.value, each.distance) for each in result.moves} == {
                (each.move, each.value, each.distance) for each in near or ranked[:1]
            }


def test_bounds_of_a_game_do_not_hide_the_distances_of_wins() -> None:
    game = load("hex(4)")
    s = game.parse("X.O./OXX./..XO/O.OX")
    whole = search(game, s, "alphabeta(bounds=true)", limits=Limits(5), moves=True, speed="interpreted")
    found = search(game, s, "alphabeta(bounds=true)", limits=Limits(5), multipv=3, speed="interpreted")
    wanted = [(each.value, each.distance) for each in rank_moves(game, s, whole.moves)][:3]
    assert [(each.value, each.distance) for each in found.moves] == wanted
    assert wanted[0][1] is not None


@pytest.mark.parametrize("nodes", [1, 30, 1000])
def test_the_searches_for_several_best_moves_share_one_limit(nodes: int) -> None:
    game = load("connect4(rows=4, columns=4)")

    def find_best(nodes: int) -> SearchResult:
        limits = Limits(nodes=nodes)
        return search(game, game.initial(), "alphabeta(deepen=true)", limits=limits, multipv=3, speed="interpreted")

    result = find_best(nodes)
    assert (result.stopped, len(result.moves)) == ("nodes", 3)
    assert result.statistics.nodes <= nodes + 1
    depth = Limits(result.statistics.depth)
    wanted = search(game, game.initial(), "alphabeta", limits=depth, multipv=3, speed="interpreted")
    assert result.moves == wanted.moves
    assert facts(result) == facts(find_best(nodes))


def test_fewer_moves_take_fewer_nodes() -> None:
    game = load("othello")
    nodes = [
        search(game, game.initial(), "alphabeta", limits=Limits(4), multipv=count, speed="interpreted").statistics.nodes
        for count in (1, 2, 4)
    ]
    assert nodes == sorted(nodes)
    assert nodes[0] < nodes[-1]


def test_each_depth_is_reported_and_an_interruption_keeps_the_last() -> None:
    game, told = load("connect4"), list[SearchResult]()

    def poll(_: Progress) -> bool:
        monitor.interrupted = len(told) >= 3
        return monitor.interrupted

    monitor = Monitor(poll, told.append, interval=0.001)
    result = search(
        game, game.initial(), "alphabeta", limits=Limits(30), multipv=2, monitor=monitor, speed="interpreted"
    )
    assert [found.statistics.depth for found in told] == list(range(1, len(told) + 1))
    assert all(len(found.moves) == 2 for found in told)
    assert (result.stopped, result.moves) == ("interrupted", told[-1].moves)


def test_chance_nodes_have_no_best_moves() -> None:
    game = load("pig(10)")
    s = next(
        s for s in (game.result(game.initial(), m) for m in game.steps(game.initial())) if game.player(s) == CHANCE
    )
    with pytest.raises(GamesearchError, match="chance decides here"):
        search(game, s, "expectiminimax", multipv=2)
    with pytest.raises(GamesearchError, match="at least 1"):
        search(game, game.initial(), "expectiminimax", multipv=-1)


def test_compilation_is_not_a_part_of_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    begin = Searcher.search

    def compile_first(self: Searcher, *args: Any, **options: Any) -> SearchResult:
        time.sleep(0.2)  # as a compilation, before the search starts its clock
        monkeypatch.setattr(Searcher, "search", begin)
        return begin(self, *args, **options)

    monkeypatch.setattr(Searcher, "search", compile_first)
    game = load("nim(7, max_take=3)")
    result = search(game, game.initial(), "alphabeta", limits=Limits(time=0.15), multipv=1, speed="interpreted")
    assert result.statistics.depth > 1
