"""The source of the game Countdown, as a user would write it; tests change this source."""

import functools
import multiprocessing
import multiprocessing.context
import os
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

COUNTDOWN = '''
"""A game of one's own."""

from typing import NamedTuple

from gamesearch import Game


class State(NamedTuple):
    left: int
    turn: int


def largest(left):
    return min(left, 3)


class Countdown(Game):
    """Count down by one to three; who says zero wins."""

    def __init__(self, start: int = 7):
        self.start = start

    def initial(self):
        return State(self.start, 0)

    def player(self, s):
        return s.turn

    def moves(self, s):
        for m in range(1, largest(s.left) + 1):
            yield m

    def result(self, s, m):
        return State(s.left - m, 1 - s.turn)

    def terminal(self, s):
        return s.left == 0

    def utility(self, s):
        return 1 if s.turn == 1 else -1
'''


def count_compilations(cache: Path, text: str, algorithms: tuple[str, ...], plies: int) -> list[int]:
    """Search interpreted and compiled; return the numbers of compilations, and the nodes of the last search.

    The process must not have compiled anything before.
    """
    from gamesearch.api import search
    from gamesearch.compiler import compilations
    from gamesearch.registry import load

    os.environ["XDG_CACHE_HOME"] = str(cache)
    started: list[str] = []
    nodes = 0
    with compilations(started.append, lambda seconds: None):
        game = load(text)
        s = game.initial()
        for _ in range(plies):
            s = game.result(s, game.steps(s)[0])
        for algorithm in algorithms:
            slow, fast = (search(game, s, algorithm, speed=speed) for speed in ("interpreted", "compiled"))
            assert slow.statistics.nodes == fast.statistics.nodes, (slow, fast)
            assert slow.value == fast.value
            nodes = slow.statistics.nodes
    return [len(started), nodes]


@functools.cache
def newborn() -> multiprocessing.context.ForkServerContext:
    """Return a context whose processes are forked from a process that has already imported Numba, to save time."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["gamesearch.api", "gamesearch.compiler.types", "gamesearch.algorithms.catalog"])
    return context


def in_new_process(cache: Path, game: str, *algorithms: str, plies: int = 0) -> list[int]:
    """Return the result of `count_compilations` when called in a new process."""
    with ProcessPoolExecutor(1, mp_context=newborn()) as processes:
        return processes.submit(count_compilations, cache, game, algorithms, plies).result()


def write_game(folder: Path, name: str, *changes: tuple[str, str]) -> str:
    source = COUNTDOWN
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    path = folder / name
    path.write_text(source)
    return str(path)
