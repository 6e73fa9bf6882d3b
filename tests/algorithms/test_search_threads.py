"""Search threads: Ctrl-C at any moment, forked processes, and searches that raise exceptions in their threads."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Progress
from gamesearch.algorithms.engine.searcher import Searcher, search_with
from gamesearch.algorithms.engine.thread_pool import IDLE, SearchThreads, search_threads
from gamesearch.registry import load
from gamesearch.support.interrupts import SEARCH

GAME = load("connect4(rows=4, columns=4)")
LONG = Limits(depth=12, time=600.0)


def searching() -> list[threading.Thread]:
    """Return the threads that are searching."""
    return [each for each in threading.enumerate() if each.name == SEARCH]


def idle() -> list[threading.Thread]:
    """Return the search threads that wait for work."""
    return [each for each in threading.enumerate() if each.name == IDLE]


def wait_until(is_so: Any) -> None:
    end = time.monotonic() + 20
    while not is_so() and time.monotonic() < end:
        time.sleep(0.001)
    assert is_so()


def test_one_thread_waits_while_others_work() -> None:
    threads, gates = SearchThreads(), [threading.Event() for _ in range(3)]
    running = [threads.run(gate.wait) for gate in gates]
    wait_until(lambda: threads.waiting == 1)
    for gate in gates:
        gate.set()
    wait_until(lambda: all(done.is_set for done in running))
    assert threads.waiting == 4
    for _ in range(50):
        done = threads.run(int)
        while not done.is_set:
            done.wait(1.0)
    assert threads.waiting == 4


@pytest.mark.skipif(threading.current_thread() is not threading.main_thread(), reason="signals need the main thread")
def test_ctrl_c_at_any_moment_does_not_change_the_next_search() -> None:
    """Ctrl-C arrives some microseconds later: when a thread receives a search, runs this search, or has just
    finished."""
    algorithm, game = load_algorithm("alphabeta(depth=2)"), load("tictactoe")
    others = len(idle()) - search_threads.waiting
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        for microseconds in range(100, 3_000, 10):
            try:
                signal.setitimer(signal.ITIMER_REAL, microseconds * 1e-6)
                search_with(game, game.initial(), algorithm, Limits(time=60.0), speed="interpreted")
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                signal.setitimer(signal.ITIMER_REAL, 0)
            found = search_with(game, game.initial(), algorithm, Limits(time=60.0), speed="interpreted")
            assert (found.value, found.stopped) == (0, "")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    wait_until(lambda: not searching())
    assert search_threads.waiting == len(idle()) - others < 20, "no thread is lost"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_searches(tmp_path: Path) -> None:
    program = tmp_path / "forks.py"
    program.write_text(
        "import multiprocessing\n"
        "import gamesearch\n"
        "from gamesearch.algorithms.engine.result import Limits\n"
        "def value(column):\n"
        "    game = gamesearch.load('connect4')\n"
        "    state = game.result(game.initial(), column)\n"
        "    limits = Limits(time=60.0)\n"
        "    return gamesearch.search(game, state, 'alphabeta(depth=2)', limits=limits, speed='interpreted').stopped\n"
        "if __name__ == '__main__':\n"
        "    value(3)\n"
        "    with multiprocessing.get_context('fork').Pool(2) as pool:\n"
        "        print(pool.map_async(value, range(7)).get(30))\n"
    )
    done = subprocess.run([sys.executable, program], check=False, capture_output=True, text=True, timeout=60)
    assert done.stdout == f"{[''] * 7}\n", done.stderr


def test_a_monitor_that_raises_ends_its_search() -> None:
    def fail(_: Progress) -> bool:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        search_with(GAME, GAME.initial(), load_algorithm("minimax"), LONG, speed="interpreted", monitor=Monitor(fail))
    wait_until(lambda: not searching())


def test_an_interrupted_searcher_gets_new_memory() -> None:
    """A thread of the interrupted search may still write to its memory, which the next search must not use."""

    def leave(_: Progress) -> bool:
        raise KeyboardInterrupt

    searcher = Searcher(GAME, load_algorithm("alphabeta(table=true, memory=1)"), "interpreted")
    wanted = searcher.search(GAME.parse("12"), Limits(depth=5))
    other = Searcher(GAME, searcher.algorithm, "interpreted")
    monitor = Monitor(leave)
    monitor.interrupted = True
    with pytest.raises(KeyboardInterrupt):
        other.search(GAME.parse("12"), LONG, monitor=monitor)
    found = other.search(GAME.parse("12"), Limits(depth=5))
    assert (found.value, found.statistics.nodes) == (wanted.value, wanted.statistics.nodes)
