import _thread
import math
import threading
import time
from collections.abc import Iterator

import pytest
from support import Counters, Take, facts

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Progress, SearchResult
from gamesearch.algorithms.node.workspace import MAX_PLY, SHALLOW
from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.games.counting.nim import Nim
from gamesearch.registry import load
from gamesearch.support.interrupts import SEARCH

SMALL = [
    ("tictactoe", "XO./.X./..O", "minimax(depth=3)"),
    ("tictactoe", "XO./.X./..O", "alphabeta(depth=4, deepen=true, table=true, memory=1, order=previous+killer)"),
    ("tictactoe", "XO./.X./..O", "alphabeta(depth=4, table=true, memory=1, window=null)"),
    ("tictactoe", "XX./OO./...", "alphabeta(depth=4, table=true, memory=1)"),
    ("random_tree(chance=true, depth=4)", "", "expectiminimax(deepen=true)"),
    ("random_tree(chance=true, depth=4)", "1", "expectiminimax(pruning=star2, table=true, memory=1)"),
    ("tree([[(1,2,6),(4,2,3)],{[(6,1,2),(7,4,1)],(1,1,1)}])", "", "maxn"),
]


@pytest.mark.parametrize(("text", "position", "algorithm"), SMALL)
def test_a_search_can_be_stopped_at_every_node(text: str, position: str, algorithm: str) -> None:
    game = load(text)
    s = game.parse(position) if position else game.initial()
    whole = search(game, s, algorithm, speed="interpreted")
    assert whole.stopped == ""
    finished: list[SearchResult] = []
    last = None
    if "deepen" in algorithm:
        for depth in range(1, 5):
            plain = algorithm.replace("depth=4, ", "")
            limits = Limits(depth=depth)
            finished.append(search(game, s, plain, limits=limits, speed="interpreted"))
    for nodes in range(1, whole.statistics.nodes + 1):
        stopped = search(game, s, algorithm, limits=Limits(nodes=nodes), speed="interpreted")
        assert (stopped.stopped, stopped.statistics.nodes) == ("nodes", nodes)
        assert stopped.best is None or stopped.best in game.steps(s)
        if stopped.value is None:
            assert stopped.line == ()
            assert last is None, "a search never loses the value that it had before"
        if finished and nodes > finished[0].statistics.nodes:
            done = [each for each in finished if each.statistics.nodes < nodes][-1]
            if stopped.bound == "exact":
                assert (stopped.value, stopped.best) == (done.value, done.best)
                assert stopped.statistics.depth == done.statistics.depth
            else:  # the unfinished depth has found a better move; test_deepening checks such moves
                assert stopped.best != done.best
                assert stopped.statistics.depth == done.statistics.depth + 1
        last = stopped.value
    free = search(game, s, algorithm, limits=Limits(nodes=whole.statistics.nodes + 1), speed="interpreted")
    assert facts(free) == facts(whole)


LONG, DEEPENING = Take(60), "alphabeta(deepen=true)"
"""A game whose tree is never searched to its end, and an algorithm that is compiled fast for it."""


def only_the_main_thread() -> bool:
    """Whether all other threads stop searching within two seconds."""
    for _ in range(200):
        if all(thread.name != SEARCH for thread in threading.enumerate()):
            return True
        time.sleep(0.01)
    return False


@pytest.mark.parametrize("speed", ["interpreted", "compiled"])
def test_the_clock_stops_a_long_search(speed: str) -> None:
    search(LONG, LONG.initial(), DEEPENING, limits=Limits(depth=2), speed=speed)  # compile the search before measuring
    result = search(LONG, LONG.initial(), DEEPENING, limits=Limits(time=0.2), speed=speed)
    assert result.stopped == "time"
    assert result.statistics.nodes > 0
    assert result.best in LONG.steps(LONG.initial())
    assert result.bound in ("exact", "lower")
    assert only_the_main_thread()


def test_a_time_parameter_deepens_until_the_time_is_up() -> None:
    assert load_algorithm("alphabeta(time=0.2)").deepen
    game = load("connect4")
    result = search(game, game.initial(), "alphabeta(time=0.2)", speed="interpreted")
    assert result.stopped == "time"
    assert result.statistics.depth >= 1


@pytest.mark.parametrize("speed", ["interpreted", "compiled"])
def test_a_monitor_sees_progress_and_stops_the_search(speed: str) -> None:
    seen: list[Progress] = []
    depths: list[int] = []

    def poll(progress: Progress) -> bool:
        seen.append(Progress(progress.nodes, progress.depth))
        return progress.nodes > 1000 and not progress.compiling

    monitor = Monitor(poll, lambda result: depths.append(result.statistics.depth), interval=0.01)
    result = search(LONG, LONG.initial(), DEEPENING, limits=Limits(depth=1000), monitor=monitor, speed=speed)
    assert result.stopped == "interrupted"
    assert result.statistics.nodes > 1000
    assert seen[-1].nodes > 1000
    assert depths == list(range(1, len(depths) + 1))
    assert result.statistics.depth in (len(depths), 0) or len(depths) == 0
    assert only_the_main_thread()


def test_a_keyboard_interrupt_stops_the_search_and_is_noted() -> None:
    game = load("connect4")

    def poll(progress: Progress) -> bool:
        if progress.nodes > 100 and not monitor.interrupted:
            _thread.interrupt_main()
        return False

    monitor = Monitor(poll, interval=0.01)
    result = search(game, game.initial(), "alphabeta(depth=40)", monitor=monitor, speed="interpreted")
    assert monitor.interrupted
    assert result.stopped == "interrupted"
    assert only_the_main_thread()


def test_an_error_in_the_rules_is_raised_by_the_search() -> None:
    game = load("tictactoe")

    class Broken(type(game)):  # type: ignore[misc]
        def utility(self, s: object) -> int:
            raise ZeroDivisionError("broken rules")

    with pytest.raises(ZeroDivisionError, match="broken rules"):
        search(Broken(), game.parse("XX./OO./X.O"), "minimax", monitor=Monitor(), speed="interpreted")


class Stuck(Take):
    """A game whose generator of moves runs forever if two counters are left."""

    def moves(self, s: Counters) -> Iterator[int]:
        m = 0
        while m < min(3, s.left) or s.left == 2:
            m += 1
            yield m

    def result(self, s: Counters, m: int) -> Counters:
        return Counters(max(0, s.left - m), 1 - s.turn)


@pytest.mark.parametrize(
    ("algorithm", "speed"),
    [
        ("minimax", "compiled"),
        ("minimax", "interpreted"),
        ("alphabeta(order=game)", "interpreted"),
    ],
)
def test_endless_moves_deep_in_the_game_are_an_error(algorithm: str, speed: str) -> None:
    game = Stuck(6)
    with pytest.raises(GamesearchError, match="`moves` of Stuck yields more than 65,536"):
        search(game, game.initial(), algorithm, speed=speed)


class Stairs(Game[int]):
    """A game in which every move is one step down a flight of stairs, and the player who takes the last step wins.

    A state is twice the number of steps left, plus the player to move. The game has no parameters, so flights of all
    lengths use the same compiled code.
    """

    name = "stairs"

    def initial(self) -> int:
        return 2 * 5 + MAX

    def player(self, s: int) -> int:
        return s & 1

    def moves(self, s: int) -> Iterator[int]:
        if s > 1:
            yield 1

    def result(self, s: int, m: int) -> int:
        return s - 2 ^ 1

    def terminal(self, s: int) -> bool:
        return s <= 1

    def utility(self, s: int) -> int:
        return 1 if self.player(s) == MIN else -1

    def format(self, s: int) -> str:
        return str(s)


@pytest.mark.parametrize("plies", [SHALLOW - 1, SHALLOW, 4_001, MAX_PLY + 1])
def test_a_search_that_goes_deep_begins_again_with_more_room(plies: int) -> None:
    """If the game has more plies than the memory of the search has space for, the search restarts with more memory.

    The search visits the same nodes interpreted and compiled, with and without a monitor.
    """
    twice = SHALLOW + 1 if plies >= SHALLOW else 0
    for speed, monitor in (("compiled", None), ("compiled", Monitor()), ("interpreted", None)):
        algorithm = "alphabeta(depth=full, distance=false)"
        found = search(Stairs(), 2 * plies + MAX, algorithm, speed=speed, monitor=monitor)
        assert found.stopped == ("space" if plies > MAX_PLY else "")
        assert found.statistics.nodes == min(plies, MAX_PLY) + 1 + twice
        assert found.value == (None if plies > MAX_PLY else 1 if plies % 2 else -1)


@pytest.mark.parametrize("nodes", [SHALLOW, SHALLOW + 1, SHALLOW + 500])
def test_a_node_limit_holds_if_a_search_begins_again(nodes: int) -> None:
    for speed in ("interpreted", "compiled"):
        found = search(Stairs(), 2 * 3_000 + MAX, "alphabeta(depth=full)", limits=Limits(nodes=nodes), speed=speed)
        assert (found.stopped, found.statistics.nodes) == ("nodes", nodes)
        assert found.statistics.depth >= min(nodes - 1, SHALLOW)


def test_a_search_that_is_stopped_does_not_begin_again() -> None:
    """The monitor stops the search when the first attempt has run out of space."""
    monitor = Monitor(lambda _: True, interval=20.0)
    found = search(Stairs(), 2 * 3_000 + MAX, "minimax(depth=full)", monitor=monitor, speed="interpreted")
    assert found.stopped == "interrupted"
    assert found.statistics.nodes <= SHALLOW + 1


# Estimates that are not numbers. ------------------------------------------------------------------
class Unsure(Nim):
    """Nim with the estimate NaN in some positions; `load` does not check these positions."""

    def evaluate(self, s: object) -> float:
        return math.nan if hash(s) % 3 == 0 else 0.25


@pytest.mark.parametrize(
    "algorithm", ["minimax(depth=3)", "alphabeta(table=true, window=null)", "pvs", "bestfirst", "mcts"]
)
def test_every_search_ends_with_nan_estimates(algorithm: str) -> None:
    game = Unsure(heaps="3,4,5")
    limits = Limits(nodes=300, depth=3 if load_algorithm(algorithm).can_deepen else None)
    found = search(game, game.initial(), algorithm, limits=limits, speed="interpreted")
    assert isinstance(found.value, float)
    assert not math.isnan(found.value)
    assert found.best in game.steps(game.initial())
