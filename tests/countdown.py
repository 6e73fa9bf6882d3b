"""A game in a file of one's own, as a user would write it, with what tests change in it."""

import os
import subprocess
import sys
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
SCRIPT = """
import sys
from gamesearch.registry import load
from gamesearch.api import search, perft, solve
from gamesearch.compiler import compilations
started = []
with compilations(started.append, lambda seconds: None):
    game = load(sys.argv[1])
    s = game.initial()
    for _ in range(int(sys.argv[2])):
        s = game.result(s, next(game.moves(s)))
    for algorithm in sys.argv[3:]:
        slow, fast = (search(game, s, algorithm, speed=speed) for speed in ("interpreted", "compiled"))
        assert slow.statistics.nodes == fast.statistics.nodes, (slow, fast)
        assert slow.value == fast.value
    print(len(started), slow.statistics.nodes)
"""


def in_new_process(cache: Path, game: str, *algorithms: str, plies: int = 0) -> list[int]:
    """The compilations, and the nodes of the last search, that a process of its own counted."""
    environment = os.environ | {"XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, game, str(plies), *algorithms],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [int(word) for word in done.stdout.split()]


def written(folder: Path, name: str, *changes: tuple[str, str]) -> str:
    source = COUNTDOWN
    for old, new in changes:
        assert old in source
        source = source.replace(old, new)
    path = folder / name
    path.write_text(source)
    return str(path)
