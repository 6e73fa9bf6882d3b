"""Compile the searches of a match's players in a thread while people think about their moves."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.engine.result import Monitor, Progress
from gamesearch.algorithms.engine.thread_pool import Done, start_thread
from gamesearch.errors import Interrupted
from gamesearch.game import CHANCE
from gamesearch.play.match import Match
from gamesearch.play.players.player import Player, Turn

__all__ = ["Preparation"]

MOVES_AHEAD = 8
"""The number of plies in which a turn of each player is looked for."""


class Preparation:
    """Prepares the searching players of a match, one after another."""

    def __init__(self, match: Match) -> None:
        self.turns = list(turns_ahead(match))
        self.now = Progress()
        """The progress of the compilation in progress."""
        self.done = Done()
        start_thread(self.work)

    def work(self) -> None:
        """Prepare the players. An error here occurs again and is reported when the player is to move."""
        for player, turn in self.turns:
            with contextlib.suppress(Exception):
                player.prepare(turn, Monitor(poll=self.note, interval=0.1))
            self.now = Progress()
        self.done.set()

    def note(self, now: Progress) -> bool:
        """Keep the progress of the compilation."""
        self.now = replace(now)
        return False

    def wait(self, monitor: Monitor) -> None:
        """Wait until everything is compiled, and show the progress to the monitor.

        Raises Interrupted if the monitor is interrupted.
        """
        while not self.done.is_set:
            self.done.wait(monitor.interval)
            if not self.done.is_set and self.now.compiling:
                monitor.poll(replace(self.now))
            if not self.done.is_set and monitor.interrupted:
                raise Interrupted("interrupted while code was being compiled")


def turns_ahead(match: Match) -> Iterator[tuple[Player, Turn]]:
    """Yield each searching player with a turn that it would have if the first legal moves were made."""
    game, missing = match.game, {i for i, player in enumerate(match.players) if player.algorithm is not None}
    states: list[Any] = list(match.states)
    for _ in range(MOVES_AHEAD):
        if not missing or game.terminal(states[-1]):
            return
        mover = game.player(states[-1])
        if mover != CHANCE and mover in missing:
            missing.remove(mover)
            yield match.players[mover], replace(match.player_turn(), states=tuple(states))
        steps = game.steps(states[-1], states[:-1])
        if not steps:
            return
        states.append(game.result(states[-1], steps[0]))
