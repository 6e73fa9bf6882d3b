"""Several threads that search one tree find the same values, share the limits, and stop when the search ends."""

import _thread
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import facts, playout

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.execution import Execution
from gamesearch.algorithms.engine.lazy_smp import LEAST_BEFORE, LEAST_SHARE
from gamesearch.algorithms.engine.result import Limits, Monitor, Progress, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.engine.thread_pool import IDLE
from gamesearch.algorithms.node.table import Table, probe, store
from gamesearch.algorithms.node.workspace import Options
from gamesearch.cli import run
from gamesearch.compiler import compiled, kernel
from gamesearch.registry import load
from gamesearch.toolkit.bits import mix

GAME = load("connect4(rows=5, columns=6)")
"""The game of all tests that compile, so that only one kernel must be compiled."""
START = GAME.initial()
EXACT = "pvs(exact=true, memory=1)"
kernels = pytest.mark.xdist_group("threads")


@pytest.fixture(autouse=True)
def no_thread_stays() -> Iterator[None]:
    """Check after each test that all threads of its searches have stopped working."""
    before = working()
    yield
    end = time.monotonic() + 20
    while working() - before and time.monotonic() < end:
        time.sleep(0.001)
    assert working() <= before


def working() -> set[threading.Thread]:
    """Return the search threads that are working."""
    return {each for each in threading.enumerate() if each.name != IDLE}


def test_one_thread_runs_the_searches_that_are_watched() -> None:
    algorithm = load_algorithm("alphabeta(depth=2)")
    for _ in range(20):
        search_with(GAME, START, algorithm, Limits(time=60.0), speed="interpreted")
    idle = [each for each in threading.enumerate() if each.name == IDLE]
    assert idle
    for _ in range(20):
        search_with(GAME, START, algorithm, Limits(time=60.0), speed="interpreted")
    assert {each for each in threading.enumerate() if each.name == IDLE} == set(idle)


def run_search(state: Any, text: str, limits: Limits, threads: int, monitor: Monitor | None = None) -> SearchResult:
    """Return the result of a compiled search with several threads."""
    return search_with(
        GAME, state, load_algorithm(text, {"threads": threads}), limits, speed="compiled", monitor=monitor
    )


# The table. --------------------------------------------------------------------------------------
def shared_options(table: Table) -> Any:
    options: Any = Options()
    options.generation, options.oldest, options.shared = table.generation, table.oldest, 1
    return options


numbers = st.one_of(st.integers(-70, 70).map(float), st.floats(-1e6, 1e6), st.sampled_from([float("-inf"), 0.1]))
entries = st.tuples(st.integers(1, 60), st.booleans(), numbers, st.booleans(), st.integers(-1, 1 << 30))
WORDS = (("key",), ("lower",), ("upper",), ("move", "depth", "generation"))
"""Groups of fields of an entry; each group has 8 bytes, so it is written in one step."""


@given(entries, entries, st.integers(0, 1))
def test_an_entry_that_two_threads_have_mixed_is_ignored(first: Any, second: Any, other_position: int) -> None:
    table = Table(1)
    rows, options = table.view(False), shared_options(table)
    written = []
    for (depth, proven, lower, is_exact, move), key in zip((first, second), (7, 7 + other_position), strict=True):
        table.forget()
        options.generation, options.oldest = table.generation, 1
        upper = lower if is_exact else float("inf")
        place = mix(key) * 2 & (len(table.entries) - 1)
        store(rows, mix(key), depth, proven, lower, upper, move, options)
        written.append(table.entries[place].copy())
        assert probe(rows, mix(key), depth, options)[:3] == (lower, upper, max(move, -1))
    place = mix(7) * 2 & (len(table.entries) - 1)
    table.entries[place + 1] = 0
    for choice in itertools.product((0, 1), repeat=len(WORDS)):
        torn = table.entries[place : place + 1]
        for fields, which in zip(WORDS, choice, strict=True):
            for name in fields:
                torn[name] = written[which][name]
        if not any(torn[0] == each for each in written):
            assert [probe(rows, mix(7), depth, options)[2] for depth in (first[0], second[0])] == [-1, -1]


@kernel
def write_and_read(table: Any, keys: int, rounds: int, seed: int, options: Options) -> int:
    """Store values of few positions repeatedly, and return how many entries were read with wrong content."""
    wrong = 0
    for i in range(rounds):
        random = mix(seed + i) >> 1
        key, move = mix(random % keys), (random >> 20) & 0xFFFF
        value = float(key % 1000 + move)
        store(table, key, 1 + move % 8, True, value, value, move, options)
        for number in range(keys):
            known = mix(number)
            lower, upper, found, _ = probe(table, known, 60, options)
            if found >= 0 and not (lower == upper and lower == float(known % 1000 + found)):
                wrong += 1
    return wrong


@kernels
def test_concurrent_threads_read_only_whole_entries() -> None:
    table = Table(1)
    asked: Any = Options.rows(1)
    asked["generation"], asked["oldest"], asked["shared"] = table.generation, table.oldest, 1
    code, view = compiled(write_and_read), table.view(True)
    wrong: list[int] = []
    assert code(view, 3, 10, 0, asked[0]) == 0
    workers = [
        threading.Thread(target=lambda seed=seed: wrong.append(code(view, 3, 1_000_000, seed, asked[0])))
        for seed in (1, 1 << 40)
    ]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert wrong == [0, 0]
    # Interpreted code reads the same entries that compiled code wrote.
    rows, options = table.view(False), shared_options(table)
    known = [(mix(number), *probe(rows, mix(number), 60, options)) for number in range(3)]
    assert all(lower == upper == key % 1000 + move for key, lower, upper, move, _ in known if move >= 0)
    assert any(move >= 0 for *_, move, _ in known)


# Searches. ---------------------------------------------------------------------------------------
@kernels
@settings(max_examples=10)
@given(st.integers(0, 1 << 30), st.integers(0, 20), st.integers(1, 9), st.integers(2, 4))
def test_several_threads_find_the_same_value_as_one_thread(seed: int, plies: int, depth: int, threads: int) -> None:
    state = next(s for s in reversed(playout(GAME, seed, plies)) if not GAME.terminal(s))
    one, several = (run_search(state, EXACT, Limits(depth=depth), count) for count in (1, threads))
    assert (several.value, several.distance) == (one.value, one.distance)
    if several.sees_the_end:  # a single thread may miss the end of the game, because it searches other moves
        assert several.value == run_search(state, EXACT, Limits(depth=30), 1).value
    assert (several.statistics.threads, one.statistics.threads) == (threads, 1)
    assert several.best is not None
    after = GAME.result(state, several.best)
    if depth > 1 and not GAME.terminal(after):
        assert run_search(after, EXACT, Limits(depth=depth - 1), 1).value == one.value


@kernels
def test_a_selective_search_by_several_threads_finds_a_win() -> None:
    state = GAME.parse("3346")  # after 2, three in a row have two open ends
    for threads in (1, 2, 3):
        found = run_search(state, "pvs(memory=1)", Limits(depth=12), threads)
        assert (found.best, found.value == GAME.MAXSCORE, found.statistics.threads) == (1, True, threads)


@kernels
def test_a_limit_on_nodes_applies_to_all_threads_together() -> None:
    for nodes in (1, LEAST_SHARE, 2 * LEAST_SHARE + 1, 40_000):
        found = run_search(START, EXACT, Limits(depth=30, nodes=nodes), 2)
        assert found.stopped == "nodes"
        assert nodes // 2 <= found.statistics.nodes <= nodes


@kernels
@pytest.mark.parametrize("nodes", [40_000, 200_000])
def test_the_main_thread_gets_the_unused_nodes_of_helpers(monkeypatch: pytest.MonkeyPatch, nodes: int) -> None:
    execute_here = Execution.execute_here

    def giving_up(self: Execution, kernel: Callable[..., Any], *given: Any) -> Any:
        return None if self.limits.depth is None else execute_here(self, kernel, *given)

    def at_once(work: Callable[[], None]) -> threading.Thread:
        work()
        thread = threading.Thread(target=lambda: None)
        thread.start()
        return thread

    monkeypatch.setattr(Execution, "execute_here", giving_up)
    monkeypatch.setattr("gamesearch.algorithms.engine.lazy_smp.start_thread", at_once)
    found = run_search(START, EXACT, Limits(depth=30, nodes=nodes), 2)
    assert found.stopped == "nodes"
    assert nodes - 1 <= found.statistics.nodes <= nodes, "half of an odd number of nodes is rounded down"
    monkeypatch.undo()
    assert found.value == run_search(START, EXACT, Limits(depth=30, nodes=found.statistics.nodes), 1).value


@kernels
@pytest.mark.parametrize(
    ("algorithm", "depth", "is_helped"),
    [(EXACT, 3, False), (EXACT, 11, True), ("pvs(exact=true, memory=1, deepen=false)", 3, True)],
)
def test_helpers_begin_when_depths_take_long(
    monkeypatch: pytest.MonkeyPatch, algorithm: str, depth: int, is_helped: bool
) -> None:
    execute_here, helpers = Execution.execute_here, list[Any]()

    def noting(self: Execution, kernel: Callable[..., Any], *given: Any) -> Any:
        if self.limits.depth is None:  # a helper thread has only a node limit
            helpers.append(self)
        return execute_here(self, kernel, *given)

    monkeypatch.setattr(Execution, "execute_here", noting)
    assert run_search(START, algorithm, Limits(depth=depth), 1).statistics.nodes > (LEAST_BEFORE if depth > 3 else 1)
    run_search(START, algorithm, Limits(depth=depth), 2)
    assert bool(helpers) == is_helped
    assert depth == 3 or any(each.counts.nodes > 0 for each in helpers), "a helper counts its own nodes"


@kernels
def test_a_stop_and_the_clock_reach_all_threads() -> None:
    seen: list[int] = []

    def poll(progress: Progress) -> bool:
        seen.append(progress.nodes)
        return progress.nodes > 20_000

    stopped = run_search(START, EXACT, Limits(depth=30), 3, Monitor(poll=poll, interval=0.001))
    assert stopped.stopped == "interrupted"
    assert stopped.statistics.nodes >= seen[-1] > 20_000
    late = run_search(START, EXACT, Limits(depth=30, time=0.05), 3)
    assert late.stopped == "time"


@kernels
def test_ctrl_c_leaves_no_thread() -> None:
    run_search(START, EXACT, Limits(depth=1), 2)  # compile before the test
    interrupted = threading.Timer(0.1, _thread.interrupt_main)
    interrupted.start()
    with pytest.raises(KeyboardInterrupt):
        run_search(START, EXACT, Limits(depth=30, time=60), 2)
    interrupted.join()


@kernels
def test_an_exception_of_a_helper_is_raised_by_the_search(monkeypatch: pytest.MonkeyPatch) -> None:
    execute_here = Execution.execute_here

    def failing(self: Execution, kernel: Callable[..., Any], *given: Any) -> Any:
        if self.limits.depth is None:  # a helper thread has only a node limit
            raise ZeroDivisionError("of a helper")
        return execute_here(self, kernel, *given)

    monkeypatch.setattr(Execution, "execute_here", failing)
    with pytest.raises(ZeroDivisionError, match="of a helper"):
        run_search(START, EXACT, Limits(depth=30), 2)


def test_an_interpreted_search_uses_one_thread(capsys: pytest.CaptureFixture[str]) -> None:
    game = load("tictactoe")
    found = [
        search_with(game, game.initial(), load_algorithm(EXACT, {"threads": n}), Limits(depth=4), speed="interpreted")
        for n in (1, 2)
    ]
    assert facts(found[0]) | {"algorithm": ""} == facts(found[1]) | {"algorithm": ""}
    assert found[1].statistics.threads == 1
    algorithm = "alphabeta(depth=2, table=true, threads=2)"
    assert run(["analyze", "tictactoe", "--speed", "interpreted", "--algorithm", algorithm]) == 0
    said = capsys.readouterr()
    assert "searched by one thread: several threads need compiled code" in said.err


@kernels
def test_a_note_says_that_threads_are_not_repeatable(capsys: pytest.CaptureFixture[str]) -> None:
    text = EXACT.replace(")", ", threads=2)")
    assert run(["analyze", "connect4(rows=5, columns=6)", "--depth", "4", "--algorithm", text]) == 0
    said = capsys.readouterr()
    assert "compiled, 2 threads" in said.out
    assert "another run may visit other nodes" in said.err
