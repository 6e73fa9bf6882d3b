"""Iterative deepening: the use of unfinished depths, and the attempt to search to the end of the game."""

import math
import random
import time
from typing import Any

import pytest

from gamesearch import Limits, load, search
from gamesearch.algorithms.catalog.alphabeta import AlphaBeta
from gamesearch.algorithms.engine.deepening import MOST_NODES, SHARES, Deepening, Endgame, TimeManagement, least_nodes
from gamesearch.algorithms.engine.result import Monitor, SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.game import MAX, Game

GAMES = ("othello(size=6)", "checkers(size=6)")
ORDERED = (
    "alphabeta(deepen=true, table=true, memory=1, order=killer+history)",
    "alphabeta(deepen=true, order=previous)",
    "alphabeta(deepen=true)",
    "alphabeta(deepen=true, table=true, memory=1, fail=hard)",
)


def positions(text: str, count: int) -> tuple[Game, list[list[Any]]]:
    """Return a game and random sequences of its positions; each sequence begins at the start of the game."""
    game, source, found = load(text), random.Random(text), []
    for number in range(count):
        states = [game.initial()]
        for _ in range(number % 5 + 2):
            states.append(game.result(states[-1], source.choice(game.steps(states[-1], states[:-1]))))
        found.append(states)
    return game, found


def at_depth(game: Game, states: list[Any], depth: int) -> dict[int, float]:
    """Return the value of each move for the side to move, computed by a plain search of the position after the move."""
    s, sign, values = states[-1], 1.0 if game.player(states[-1]) == MAX else -1.0, {}
    for move in game.steps(s, states[:-1]):
        after = game.result(s, move)
        if depth == 1 or game.terminal(after):
            value = float(game.utility(after) if game.terminal(after) else game.evaluate(after))
        else:
            found = search(game, after, "alphabeta", limits=Limits(depth - 1), speed="interpreted", past=states)
            assert isinstance(found.value, float)
            value = found.value
        values[move] = sign * value
    return values


# An unfinished depth. ----------------------------------------------------------------------------
@pytest.mark.parametrize("text", GAMES)
def test_an_unfinished_depth_never_worsens_the_move(text: str) -> None:
    game, given = positions(text, 3)
    used = 0
    for states in given:
        for algorithm in ORDERED:
            for nodes in range(20, 400, 47):
                used += check_unfinished(game, states, algorithm, nodes)
    assert used


def check_unfinished(game: Game, states: list[Any], algorithm: str, nodes: int) -> bool:
    """Return whether a search used an unfinished depth; if so, check that its move beats the previous depth's move."""
    s, past = states[-1], states[:-1]
    found = search(game, s, algorithm, limits=Limits(nodes=nodes), speed="interpreted", past=past)
    depth = found.statistics.depth
    if not found.stopped or found.bound == "exact" or depth == 1:
        return False
    before = search(game, s, algorithm, limits=Limits(depth=depth - 1), speed="interpreted", past=past)
    values = at_depth(game, states, depth)
    assert found.best is not None
    assert before.best is not None
    assert found.best != before.best
    assert found.line[0] == found.best
    assert values[found.best] > values[before.best]
    assert isinstance(found.value, float)
    assert math.isclose(abs(found.value), abs(values[found.best]), rel_tol=1e-9, abs_tol=1e-9)
    assert found.bound == ("lower" if game.player(s) == MAX else "upper")
    return True


def test_an_unfinished_depth_of_null_windows_is_dropped() -> None:
    game, given = positions("othello(size=6)", 2)
    algorithm = "alphabeta(deepen=true, table=true, memory=1, window=null)"
    for states in given:
        for nodes in range(100, 1000, 90):
            found = search(game, states[-1], algorithm, limits=Limits(nodes=nodes), speed="interpreted")
            assert found.bound == "exact"


def test_a_loss_of_the_moves_searched_so_far_has_no_distance() -> None:
    game = load("tictactoe")
    s = game.parse("X../.O./..X")  # move 1 is searched first and loses; a move to an edge draws
    for nodes in range(1, 150):
        found = search(game, s, "alphabeta", limits=Limits(nodes=nodes), speed="interpreted")
        if found.stopped and found.value == game.MAXSCORE:
            assert (found.bound, found.distance) == ("upper", None)


# The search to the end. --------------------------------------------------------------------------
TRYING = "alphabeta(deepen=true, table=true, memory=1, bounds=true, order=game+killer, endgame=true)"


def test_the_estimate_for_a_uniform_tree_is_the_minimum_of_alpha_beta() -> None:
    game = load("random_tree(branching=4, depth=6)")
    assert least_nodes(game, game.initial()) == pytest.approx(4**3)
    assert least_nodes(load("gomoku"), load("gomoku").initial()) > MOST_NODES
    assert least_nodes(load("chess"), load("chess").initial()) == math.inf, "no limit on the plies"
    connect4 = load("connect4")
    assert least_nodes(connect4, connect4.parse("555667763427")) > 1e6, "most nodes of the tree belong to long games"


@pytest.mark.parametrize("text", ["nim(heaps=3-4-5)", "tictactoe"])
def test_near_the_end_a_full_search_needs_fewer_nodes(text: str) -> None:
    game = load(text)
    tried, deepened = (
        search(game, game.initial(), algorithm, limits=Limits(nodes=1_000_000), speed="interpreted")
        for algorithm in (TRYING, TRYING.replace(", endgame=true", ""))
    )
    assert tried.sees_the_end
    assert tried.value == deepened.value
    assert tried.distance == deepened.distance
    assert tried.statistics.nodes < deepened.statistics.nodes


def runner_after(nodes: int, limits: Limits) -> Runner:
    """Return a runner that has visited `nodes` nodes in a game whose full search is estimated at 64 nodes."""
    runner = Runner(load("random_tree(branching=4, depth=6)"), "interpreted")
    runner.start(limits)
    runner.workspace.counts_handle.write(nodes=nodes)
    return runner


def test_the_attempt_waits_for_enough_nodes_and_time() -> None:
    def is_due(nodes: int, limits: Limits = Limits()) -> bool:  # noqa: B008
        runner = runner_after(nodes, limits)
        return Endgame(runner, runner.game.initial()).is_due()

    assert not is_due(15)
    assert is_due(17)
    assert not is_due(17, Limits(nodes=17 + 2000)), (
        "an attempt (8 * 64 nodes) would use more than a quarter of the rest"
    )
    assert is_due(17, Limits(nodes=17 + 2100))
    assert is_due(17, Limits(time=1e6))
    assert not is_due(17, Limits(time=1e-9))


def test_an_attempt_is_made_once_and_leaves_the_limits_as_they_were() -> None:
    runner = runner_after(20, Limits(nodes=5000))
    endgame = Endgame(runner, runner.game.initial())
    with endgame.attempt():
        assert runner.limits.nodes == 20 + 512
        runner.workspace.counts_handle.write(stop=1)
        assert runner.stopped == "nodes"
    assert (runner.stopped, runner.limits.nodes) == ("", 5000)
    assert not endgame.is_due()


@pytest.mark.parametrize("interrupted", [False, True])
def test_ctrl_c_during_an_attempt_is_not_forgotten(interrupted: bool) -> None:
    runner = runner_after(20, Limits())
    runner.monitor = Monitor()
    runner.monitor.interrupted = interrupted
    with runner.limit_nodes(10):
        runner.workspace.counts_handle.write(stop=1)
    assert runner.stopped == ("nodes" if interrupted else "")


def test_deepening_continues_after_a_failed_attempt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.algorithms.engine.deepening.NODES_ALLOWED", 1 / 4)
    game = load("tictactoe")
    finished: list[SearchResult] = []
    with Runner(game, "interpreted", memory=1) as runner:
        algorithm = AlphaBeta(deepen=True, table=True, endgame=True)
        runner.start(algorithm.limits(game, Limits()))
        finished.extend(algorithm.iterations(runner, game.initial()))
    assert [found.statistics.depth for found in finished] == list(range(1, 10))
    assert not any(found.stopped for found in finished)
    assert finished[-1].value == 0


# Saving time. ------------------------------------------------------------------------------------
def ends_at(moves: list[int], second: float) -> int | None:
    """Return the depth after which a search with a target of ten seconds stops. `moves` has the best move of each
    depth; each depth takes `second` seconds."""
    pace = TimeManagement(10.0)
    return next((n for n, move in enumerate(moves, 1) if pace.is_enough(move, n * second)), None)


def test_the_search_ends_earlier_if_the_best_move_stays_the_same() -> None:
    assert list(SHARES) == sorted(SHARES, reverse=True)
    assert ends_at([7] * 20, 1.0) == 5
    assert ends_at(list(range(20)), 1.0) == 15
    assert ends_at([7, 7, 7, 7, 8, 8, 8, 8, 8, 8], 1.0) == 8
    assert ends_at([1, 2] * 10, 1.0) == 15


def test_a_search_ends_after_a_finished_depth_long_before_its_last_second() -> None:
    game = load("othello")
    limits = Limits(depth=60, time=600, target=0.0)
    found = search(game, game.initial(), "alphabeta(deepen=true)", limits=limits, speed="interpreted")
    assert (found.statistics.depth, found.stopped) == (1, "")


@pytest.mark.parametrize("algorithm", ["pvs", "alphabeta(deepen=true)", "expectiminimax(deepen=true)"])
def test_a_search_of_a_tree_with_an_unknown_leaf_ends_at_the_last_leaves(algorithm: str) -> None:
    game = load("[[[7:[3,12],8],[2,?]],[14,[5,2]]]")
    found = search(game, game.initial(), algorithm, limits=Limits(depth=100), speed="interpreted")
    several = search(game, game.initial(), algorithm, limits=Limits(depth=100), speed="interpreted", multipv=2)
    for each in (found, several):
        assert (each.statistics.depth, each.sees_the_end, each.is_proven) == (4, True, False)


class WithoutKernel(Deepening):
    """An algorithm of a user that needs some time for each depth and looks at no clock."""

    name, summary, source = "without_kernel", "an algorithm without a kernel", "this test"

    def __init__(self, depth: int | str = 9, time: float = 0.0, deepen: bool = True) -> None:
        self.depth, self.time, self.deepen = depth, time, deepen

    def one_depth(self, runner: Runner, state: Any, depth: int) -> tuple[Any, tuple[int, ...]]:
        time.sleep(0.06)
        return 0.5, (next(iter(runner.game.moves(state))),)

    def is_decided(self, runner: Runner, found: SearchResult) -> bool:
        return False


def test_time_that_ends_between_two_depths_stops_the_search() -> None:
    game = load("connect4")
    found = search(game, game.initial(), WithoutKernel(), limits=Limits(time=0.1), speed="interpreted")
    assert found.stopped == "time"
    assert found.statistics.depth < 9
