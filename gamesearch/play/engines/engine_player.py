"""What all programs that play have in common: limits, patience, and a new start after a failure."""

import time
from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.engine.result import Limits, Monitor, Progress, SearchResult, Statistics, Value
from gamesearch.game import Game
from gamesearch.play.engines.process import LineProcess, command_line
from gamesearch.play.players.player import Player, PlayerError, Resigned, Turn

__all__ = ["TO_START", "EnginePlayer", "Found", "LinePlayer", "legal_names"]

TO_START = 30.0
"""Seconds that a program has to begin."""
TO_STOP = 1.0
"""Seconds that a program has to answer once it was told to stop."""


@dataclass(frozen=True)
class Found:
    """What a program says besides its move; None and 0 where it does not tell."""

    value: Value | None = None
    bound: str = "exact"
    line: tuple[int, ...] = ()
    distance: int | None = None
    depth: int = 0
    nodes: int = 0


class EnginePlayer(Player):
    """A program that plays. It is started when it is first asked, and again after it failed.

    It has its own limits for what a turn leaves open. Where it does not answer in time and with patience, it is
    killed: it may be closed at any time, and asked again.
    """

    def __init__(self, specification: str, own: Limits) -> None:
        self.specification, self.own = specification, own
        self.own_time, self.has_limit = own.time, own != Limits()

    @abstractmethod
    def ask(self, turn: Turn, monitor: Monitor) -> SearchResult:
        """What the program answers. Whatever this raises but Resigned, the program is killed."""

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        """Ask the program; where Ctrl-C leaves it without an answer, nothing is known."""
        try:
            return self.ask(turn, monitor or Monitor())
        except Resigned:
            raise
        except KeyboardInterrupt:
            self.close()
            if monitor is None or monitor.interrupted:
                raise
            monitor.interrupted = True
            return self.nothing()
        except BaseException:
            self.close()
            raise

    def limits(self, turn: Turn) -> Limits:
        """The limits of a turn, and its own where it has none."""
        open_ones = {name: own for name, own in vars(self.own).items() if getattr(turn.limits, name) is None}
        return replace(turn.limits, **open_ones)

    def patience(self, turn: Turn) -> float:
        """The seconds after which the program counts as hung."""
        allowed = self.limits(turn).time
        if turn.clock is not None:
            left = max(0.0, turn.clock.remaining[turn.mover])
            allowed = left if allowed is None else min(allowed, left)
        return turn.longest_wait(allowed)

    def unanswered(self, watch: "Watch") -> SearchResult:
        """The answer of a program that gave none: nothing is known where it was told to stop, else it hangs."""
        if not watch.is_stopped:
            raise PlayerError(f"{self.specification} has not answered for {watch.patience:g} s, and was killed")
        self.close()
        return self.nothing()

    def illegal(self, turn: Turn, text: str) -> PlayerError:
        """The error of a program that answered what is no legal move."""
        where = f"no legal move in {turn.game.format(turn.state)}"
        return PlayerError(f"{self.specification} answered {text[:60]!r}, which is {where}")

    def result(self, move: int | None, found: Found, seconds: float, stopped: str = "") -> SearchResult:
        """A move and what is known of it, as searches of ours say it."""
        line = found.line if found.line[:1] == (move,) else () if move is None else (move,)
        return SearchResult(
            algorithm=self.specification,
            value=found.value,
            bound=found.bound,
            best=move,
            line=line,
            statistics=Statistics(nodes=found.nodes, depth=found.depth, seconds=seconds, speed="its own"),
            distance=found.distance,
            stopped=stopped,
        )

    def nothing(self) -> SearchResult:
        """The answer of a program that was stopped before it gave one."""
        return self.result(None, Found(), 0.0, "interrupted")


class LinePlayer(EnginePlayer):
    """A program that is told by lines what has happened in the game since it was last told."""

    farewell = "quit"
    """What it is told before it is ended."""

    def __init__(self, specification: str, game: Game[Any], path: str, own: Limits) -> None:
        super().__init__(specification, own)
        self.rules, self.command = game, command_line(path)
        self.process: LineProcess | None = None
        self.told: tuple[Any, list[int]] | None = None
        """The start of the game and what has happened in it, as far as the program knows; None where nothing is."""

    def close(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.close(self.farewell)
        self.process, self.told = None, None

    def ready(self) -> LineProcess:
        """The program, ready to play, in a new process where there is none."""
        if self.process is None:
            self.process = LineProcess(self.command, self.specification)
            self.introduce(self.process)
        return self.process

    def introduce(self, process: LineProcess) -> None:
        """Tell a new process what it has to know first, if anything, and wait until it is ready."""

    def begin(self) -> None:
        """Start it, if it does not run, which is not counted as thinking; before its next move, it is told the game."""
        self.ready()
        self.told = None

    def news(self, turn: Turn) -> tuple[bool, list[tuple[Any, int]]]:
        """Whether it has to be told the start, as something was taken back; and the states and moves to tell it."""
        known = self.told[1] if self.told is not None and self.told[0] == turn.states[0] else None
        is_new = known is None or list(turn.moves[: len(known)]) != known
        count = 0 if known is None or is_new else len(known)
        self.told = (turn.states[0], list(turn.moves))
        return is_new, list(zip(turn.states[count:], turn.moves[count:], strict=False))


class Watch:
    """The time that a program takes and has, and whether somebody wants it to stop."""

    def __init__(self, monitor: Monitor, patience: float) -> None:
        self.monitor, self.patience, self.started = monitor, patience, time.monotonic()
        self.deadline, self.is_stopped = self.started + patience, False
        self.progress = Progress()

    @property
    def seconds(self) -> float:
        """The seconds since it was asked."""
        return time.monotonic() - self.started

    def is_unwanted(self) -> bool:
        """Whether the monitor wants it to stop, for the first time; then it has a moment to say the best so far."""
        self.progress.seconds = self.seconds
        if self.is_stopped or not self.monitor.poll(self.progress):
            return False
        self.is_stopped, self.deadline = True, time.monotonic() + TO_STOP
        return True


def legal_names(turn: Turn) -> dict[str, int]:
    """The legal moves by their names."""
    return {turn.game.move_name(turn.state, m): m for m in turn.game.steps(turn.state, turn.past)}
