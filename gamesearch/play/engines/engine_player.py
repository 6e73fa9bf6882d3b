"""Base classes of players that are other programs. They apply limits, wait for answers, and restart failed programs."""

import time
from abc import abstractmethod
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.engine.result import Limits, Monitor, Progress, SearchResult, Statistics
from gamesearch.game import Game
from gamesearch.play.engines.process import LineProcess, command_line
from gamesearch.play.players.player import IllegalAnswerError, NoAnswerError, Player, Resigned, Turn

__all__ = ["TO_START", "EnginePlayer", "LinePlayer", "legal_names"]

TO_START = 30.0  # seconds for a program to start
TO_STOP = 1.0  # seconds that a program has for its answer after a request to stop


class EnginePlayer(Player):
    """A program that plays. It is started when it is needed, and again after a failure or after `close()`. If a turn
    does not set a limit, the limit in the player's specification applies. A program that does not answer in time is
    killed."""

    def __init__(self, specification: str, own: Limits) -> None:
        self.specification, self.own = specification, own
        self.own_time, self.has_limit = own.time, own != Limits()

    @abstractmethod
    def ask(self, turn: Turn, monitor: Monitor) -> SearchResult:
        """Get the answer of the program. The caller kills the program after any exception except Resigned."""

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        """Ask the program for a move; the result has no move if Ctrl-C stops the program before it answers."""
        try:
            result = self.ask(turn, monitor or Monitor())
            return result if is_possible(turn, result.value) else replace(result, value=None, bound="exact")
        except Resigned:
            raise
        except KeyboardInterrupt:
            self.close()
            if monitor is None or monitor.interrupted:
                raise
            monitor.interrupted = True
            return self.result(None, 0.0, "interrupted")
        except BaseException:
            self.close()
            raise

    def limits(self, turn: Turn) -> Limits:
        """Return the limits of a turn; a limit that the turn does not set comes from the player's specification."""
        open_ones = {name: own for name, own in vars(self.own).items() if getattr(turn.limits, name) is None}
        return replace(turn.limits, **open_ones)

    def patience(self, turn: Turn) -> float:
        """If the program takes more than this number of seconds for an answer, gamesearch considers it hung."""
        allowed = self.limits(turn).time
        if turn.clock is not None:
            left = max(0.0, turn.clock.remaining[turn.mover])
            allowed = left if allowed is None else min(allowed, left)
        return turn.longest_wait(allowed)

    def handle_no_answer(self, watch: "AnswerTimer") -> SearchResult:
        """Handle a missing answer. If the program was asked to stop, return a result without a move. Otherwise, raise
        NoAnswerError, because the program hangs."""
        if not watch.is_stopped:
            raise NoAnswerError(f"{self.specification} has not answered for {watch.patience:g} s, and was killed")
        self.close()
        return self.result(None, 0.0, "interrupted")

    def illegal(self, turn: Turn, text: str) -> IllegalAnswerError:
        """Return the error for an illegal move of the program."""
        where = f"not a legal move in {turn.game.format(turn.state)}"
        return IllegalAnswerError(f"{self.specification} answered {text[:60]!r}: {where}")

    def result(
        self, move: int | None, seconds: float, stopped: str = "", *, line: tuple[int, ...] = (), **facts: Any
    ) -> SearchResult:
        """Return a search result that contains a move and what the program reported about this move."""
        if line[:1] != (move,):
            line = () if move is None else (move,)
        counts = {name: facts.pop(name, 0) for name in ("depth", "nodes")}
        statistics = Statistics(**counts, seconds=seconds, speed="its own")
        known = {"value": None, "bound": "exact", "line": line, "stopped": stopped} | facts
        return SearchResult(algorithm=self.specification, best=move, statistics=statistics, **known)


class LinePlayer(EnginePlayer):
    """A program that reads and writes lines of text."""

    farewell: str | None = "quit"  # the line that asks the program to end; None if the program has no command to end

    def __init__(self, specification: str, game: Game, path: str, own: Limits) -> None:
        super().__init__(specification, own)
        self.rules, self.command = game, command_line(path)
        self.process: LineProcess | None = None
        self.known_game: tuple[Any, list[int]] | None = None  # the start and the moves that the program knows

    def close(self) -> None:
        """End the program."""
        if self.process is not None:
            self.process.close(self.farewell)
        self.process, self.known_game = None, None

    def running_program(self) -> LineProcess:
        """The running program; it is started if necessary."""
        if self.process is None:
            self.process = LineProcess(self.command, self.specification)
            self.introduce(self.process)
        return self.process

    def introduce(self, process: LineProcess) -> None:
        """Initialize a new process, and wait until the process is ready."""

    def begin(self) -> None:
        """Start the program if it is not running. The program receives the game before its first move."""
        self.running_program()
        self.known_game = None

    def changes_to_send(self, turn: Turn) -> tuple[bool, list[tuple[Any, int]]]:
        """Return two results. The first is true if the whole game must be sent again. The second lists the moves to
        send, each with the state before the move."""
        known = self.known_game[1] if self.known_game is not None and self.known_game[0] == turn.states[0] else None
        is_new = known is None or list(turn.moves[: len(known)]) != known
        count = 0 if known is None or is_new else len(known)
        self.known_game = (turn.states[0], list(turn.moves))
        return is_new, list(zip(turn.states[count:], turn.moves[count:], strict=False))


class AnswerTimer:
    """Measures the time that a program takes for its answer, and notices requests to stop."""

    def __init__(self, monitor: Monitor, patience: float) -> None:
        self.monitor, self.patience, self.started = monitor, patience, time.monotonic()
        self.deadline, self.is_stopped = self.started + patience, False
        self.progress = Progress()

    @property
    def seconds(self) -> float:
        """The seconds since the request to the program."""
        return time.monotonic() - self.started

    def is_unwanted(self) -> bool:
        """Whether the program must be asked to stop now. Returns True only once; after that, the program has TO_STOP
        seconds to answer."""
        self.progress.seconds = self.seconds
        if self.is_stopped or not self.monitor.poll(self.progress):
            return False
        self.is_stopped, self.deadline = True, time.monotonic() + TO_STOP
        return True


def is_possible(turn: Turn, value: Any) -> bool:
    """Whether the position of this turn can have this value, as a payoff or as an estimate. Programs with another scale
    report impossible values."""
    game = turn.game
    if not isinstance(value, int | float):
        return True
    plies = game.plies_to_win(turn.state, value) if game.MINSCORE <= value <= game.MAXSCORE else 0
    return plies is None or plies > 0


def legal_names(turn: Turn) -> dict[str, int]:
    """A dictionary from the name of each legal move to the move."""
    return {turn.game.move_name(turn.state, m): m for m in turn.game.steps(turn.state, turn.past)}
