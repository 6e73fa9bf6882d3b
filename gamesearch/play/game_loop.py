"""The game loop: it plays outcomes of chance, asks players for their moves, and runs clocks until the game is over.

Line mode, the full screen, the referee of matches and learning all use this loop. Callers iterate over `GameLoop.turns`
and make a move when it yields None:

    for ply in loop.turns():
        if ply is None:
            loop.accept(loop.ask())
"""

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from gamesearch import compiler
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Monitor, SearchResult
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.play.clock import Clock
from gamesearch.play.match import Match
from gamesearch.play.players.player import PlayerError, Resigned, Turn

__all__ = ["GameLoop", "Ply", "Reply"]


class Ply(NamedTuple):
    """A move or an outcome of chance, together with the state before it."""

    state: Any
    move: int


@dataclass(frozen=True)
class Reply:
    """The answer of a player to the request for a move."""

    move: int | None = None  # the move; None if the player resigns, or if its search was stopped before it found a move
    result: SearchResult | None = None  # None if there was only one legal move, or if the player resigns
    algorithm: Algorithm | None = None  # the algorithm that searched; None if another program chose the move
    evaluation_game: Game | None = None  # the game with another evaluation, if the search used it
    has_resigned: bool = False
    seconds: float = 0.0  # the thinking time, without compilation


class GameLoop:
    """Plays a match: for each turn, it asks the player to move, charges the player's clock and makes the move."""

    def __init__(self, match: Match, clock: Clock | None = None, margin: float = 0.0) -> None:
        self.match, self.clock, self.margin = match, clock, margin
        """`clock` is None in games without clocks; a player may exceed its time by `margin` seconds."""
        self.ponders = False  # whether computer players also think while a human is to move
        self.seconds = 0.0  # the thinking time of the last answer in seconds. It is also set if the player failed.

    def turns(
        self, is_over: Callable[[], bool] | None = None, dice: random.Random | None = None
    ) -> Iterator[Ply | None]:
        """Until the game is over, play each outcome of chance and yield it; yield None when a player must move.

        After the iterator yields None, the caller must make a move or change the match in another way. The caller may
        stop iterating at any time and start again later. `is_over` can end the game earlier than the rules. If `dice`
        is None, the match rolls the dice.
        """
        match = self.match
        while not (is_over() if is_over is not None else match.is_over):
            yield Ply(match.state, match.roll(dice)) if match.turn == CHANCE else None

    def ask(self, turn: Turn | None = None, monitor: Monitor | None = None) -> Reply:
        """Get a move from the player whose turn it is, but do not make the move. If the move is forced, return it
        without asking the player. By default, `turn` is made from the match and the clock."""
        player = self.match.player
        if self.forced_move is not None:
            return Reply(self.forced_move)
        turn = replace(self.match.player_turn(), clock=self.clock) if turn is None else turn
        result: SearchResult | None = None
        started, compiled = time.perf_counter(), list[float]()
        try:
            # A user's class may compile built-in kernels. The time to compile is measured, and does not count as the
            # player's time.
            with compiler.compilations(lambda _: None, compiled.append) if player.is_own else contextlib.nullcontext():
                result = player.answer(turn, monitor)
        except Resigned:
            pass
        finally:
            self.seconds = max(0.0, time.perf_counter() - started - sum(compiled))
        if result is None:
            return Reply(has_resigned=True, seconds=self.seconds)
        is_ours = player.algorithm is not None and not player.is_own
        seconds = min(self.seconds, result.statistics.seconds) if is_ours else self.seconds
        return Reply(result.best, result, player.algorithm, player.evaluation_game, seconds=seconds)

    @property
    def forced_move(self) -> int | None:
        """The only legal move; None if there are several legal moves, or if the player does not search."""
        steps = self.match.steps
        return steps[0] if len(steps) == 1 and self.match.player.is_search else None

    def accept(self, reply: Reply) -> Ply | None:
        """Make the chosen move or, if no move was chosen, the first legal move; returns None if the player resigned or
        lost on time. Raises PlayerError for an illegal move."""
        match = self.match
        if reply.has_resigned:
            match.resign()
            return None
        if reply.move is not None and reply.move not in match.steps:
            raise PlayerError(
                f"{match.player.specification} answered {reply.move!r}, which is not legal in {self.position}"
            )
        return self.make(self.first_move() if reply.move is None else reply.move, reply.seconds)

    def make(self, move: int, seconds: float = 0.0) -> Ply | None:
        """Charge the clock of the player to move, and make the move; returns None if the player lost on time."""
        match = self.match
        if self.charge(match.turn, seconds, has_moved=True):
            return None
        ply, player = Ply(match.state, move), match.player
        match.play(move)
        if self.ponders and not match.is_over and match.waits_for_human(match.state):
            player.ponder(match.player_turn())
        return ply

    def charge(self, player: int, seconds: float, *, has_moved: bool) -> bool:
        """Take time from a player's clock, and add the increment after a move. Return whether a player's time is up."""
        if self.clock is None:
            return False
        left = self.clock.remaining[player]
        used = min(seconds, left) if seconds <= left + self.margin else seconds
        clock = self.clock if has_moved else replace(self.clock, increment=0.0)
        self.clock = replace(self.clock, remaining=clock.after(player, used).remaining)
        if self.clock.remaining[player] < 0:
            self.match.flagged = player
        return self.match.flagged is not None

    def first_move(self) -> int:
        """The first legal move."""
        if not self.match.steps:
            raise GamesearchError(
                f"the rules of {self.match.game.name} allow no move in {self.position!r}, but the game is not over"
            )
        return self.match.steps[0]

    @property
    def position(self) -> str:
        """The current position as text."""
        return self.match.game.format(self.match.state)
