"""A search for the UCI server, in a thread. After `stop`, the search answers within tenths of a second."""

import contextlib
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Progress, SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.repetition import is_repeated
from gamesearch.algorithms.root.best_moves import search_best_moves
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.games.capturing.chess.boards import board_of, decode
from gamesearch.play.players.computer import Computer
from gamesearch.play.players.player import Turn
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.support.interrupts import SEARCH

__all__ = ["GoCommand", "UciSearch"]

INTERVAL = 0.005  # every INTERVAL seconds, the search checks whether it must stop
# No search reaches this limit. A search without any limit would stop at the depth that the game suggests.
NO_END = 1 << 62


@dataclass(frozen=True)
class GoCommand:
    """The parameters of the UCI command `go`."""

    limits: Limits
    is_endless: bool = False  # whether the answer must wait for the command `stop`, as after `go infinite`
    is_pondering: bool = False  # whether the answer and the clock must wait for the command `ponderhit` or `stop`
    root_moves: tuple[int, ...] = ()  # the moves to search; empty for all moves
    lines: int = 1  # the number of variations to find. Each variation begins with another move.
    ignored: tuple[str, ...] = ()  # descriptions of the words that are ignored


class UciSearch:
    """A search that writes `info` lines while it runs, and a `bestmove` line at its end."""

    def __init__(
        self,
        player: AlgorithmPlayer | Computer,
        turn: Turn,
        asked: GoCommand,
        write: Callable[[str], None],
        closes_player: bool,
        preparation: threading.Thread,
    ) -> None:
        """Start a thread that searches as soon as the thread `preparation` has compiled the code. If `stop` arrives
        before the search has found a move, a short search answers. If `closes_player` is true, the player is closed
        after the search."""
        self.preparation = preparation
        self.player, self.turn, self.asked, self.write, self.closes_player = player, turn, asked, write, closes_player
        self.must_stop, self.may_answer = threading.Event(), threading.Event()
        self.deadline: float | None = None  # the time at which to stop; None if only a command stops the search
        if not (asked.is_endless or asked.is_pondering):
            self.may_answer.set()
        self.is_abandoned = False  # whether the caller no longer needs an answer
        self.is_drawn = False  # whether the position is already a draw by the rules
        self.line: tuple[int, ...] = ()
        self.is_running = True  # whether the line `bestmove` has not been written yet
        self.thread = threading.Thread(target=self.run, name=SEARCH, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Answer as soon as possible."""
        self.must_stop.set()
        self.may_answer.set()

    def abandon(self) -> None:
        """Stop because the answer is no longer needed. An answer is still written if the search has found a move, or if
        `stop` was called before."""
        self.is_abandoned = not self.must_stop.is_set()
        self.stop()

    def ponderhit(self) -> None:
        """Start the clock, because the opponent made the expected move."""
        if self.asked.is_pondering:
            seconds = self.asked.limits.target or self.asked.limits.time
            if seconds is not None:
                self.deadline = time.monotonic() + seconds
            if not self.asked.is_endless:
                self.may_answer.set()

    def poll(self, _: Progress) -> bool:
        """Whether the search must stop."""
        return self.must_stop.is_set() or (self.deadline is not None and time.monotonic() >= self.deadline)

    # The thread. ---------------------------------------------------------------------------------
    def run(self) -> None:
        """Search, and then write the answer as soon as an answer is allowed. If the search fails, write an answer
        too."""
        try:
            if self.turn.game.steps(self.turn.state):
                while self.preparation.is_alive() and not self.must_stop.is_set():
                    self.preparation.join(INTERVAL)
                if not self.preparation.is_alive():
                    self.search()
            else:
                self.write(
                    f"info depth 0 score {'mate 0' if board_of(self.turn.game, self.turn.state).is_check() else 'cp 0'}"
                )
        except Exception as error:  # if the search fails, the other program must still get an answer
            self.write(f"info string {type(error).__name__}: {' '.join(str(error).split())}")
        if self.closes_player:
            self.player.close()
        self.may_answer.wait()
        if not self.line and self.is_abandoned:
            self.is_running = False
            return
        if not self.line and (moves := self.asked.root_moves or self.turn.game.steps(self.turn.state)):
            self.line = tuple(moves[:1])
            with contextlib.suppress(GamesearchError):
                self.search_briefly()
        self.is_running = False  # this must be False before the other program can read the answer
        best, ponder = (*(decode(m).uci() for m in self.line[:2]), "", "")[:2]
        self.write(f"bestmove {best or '(none)'}{ponder and f' ponder {ponder}'}")

    def search(self) -> None:
        """Let the player choose a move. Its search uses the player's transposition table. If the client asks for
        several variations or names the moves to search, the search does not use this table."""
        asked, turn = self.asked, self.searchable_turn()
        limits = asked.limits
        if asked.is_pondering:
            limits = replace(limits, time=None, target=None)
        if limits == Limits():
            limits = Limits(nodes=NO_END)
        is_limited = isinstance(self.player, Computer)
        if not asked.root_moves and (asked.lines == 1 or is_limited) and turn.game is self.turn.game:
            monitor = Monitor(poll=self.poll, finished=self.write_info, interval=INTERVAL)
            result = self.player.answer(replace(turn, limits=limits), monitor)
            if result.best is not None:
                if result.line != self.line:  # a depth that was stopped has found another line
                    self.write_info(result)
                self.line = result.line
            return
        turn = self.with_evaluation(turn)
        algorithm, monitor = self.player.algorithm, Monitor(self.poll, interval=INTERVAL)
        if not algorithm.values_moves:  # the algorithm reports a result after each depth
            monitor.finished = self.write_best_moves
        context: dict[str, Any] = {"speed": self.searching.speed, "monitor": monitor, "past": turn.past}
        found = search_best_moves(turn.game, turn.state, algorithm, limits, asked.lines, asked.root_moves, **context)
        if algorithm.values_moves:
            self.write_best_moves(found)

    def search_briefly(self) -> None:
        """Search to depth 1 without compiled code, because the compiler may still be running."""
        turn, moves = self.with_evaluation(self.searchable_turn()), self.asked.root_moves
        algorithm = load_algorithm("pvs(depth=1)")
        context: dict[str, Any] = {"speed": "interpreted", "monitor": Monitor(), "past": turn.past}
        self.write_best_moves(search_best_moves(turn.game, turn.state, algorithm, Limits(), 1, moves, **context))

    def searchable_turn(self) -> Turn:
        """The turn that the search receives. If the game has ended in a draw, the rules about draws are switched off,
        because the other program may still ask for a move."""
        turn = self.turn
        is_over = turn.game.terminal(turn.state)
        self.is_drawn = is_over or is_repeated(turn.game, [*turn.past, turn.state])
        if is_over:
            turn = replace(turn, game=type(turn.game)(**{**turn.game.parameters(), "draws": False}))
        return turn

    def with_evaluation(self, turn: Turn) -> Turn:
        """If the player has its own evaluation, return the turn with this evaluation."""
        game = self.searching.evaluation_game
        return turn if game is None or turn.game is not self.turn.game else replace(turn, game=game)

    def write_best_moves(self, result: SearchResult) -> None:
        """Write an info line for each of the best moves."""
        for number, each in enumerate(result.moves, 1):
            line = (each.move, *each.line)
            self.write_info(replace(result, value=each.value, distance=each.distance, line=line), number)

    @property
    def searching(self) -> AlgorithmPlayer:
        """The player that runs the algorithm. If `player` is a Computer, this is the AlgorithmPlayer inside
        `player`."""
        return self.player.thinking if isinstance(self.player, Computer) else self.player

    def write_info(self, result: SearchResult, number: int = 0) -> None:
        """Write an info line about a variation, and keep its moves. `number` is the rank of the variation; it is 0 if
        the search has only one variation."""
        if number <= 1:
            self.line = result.line
        searcher = self.searching.searcher if number == 0 else None
        runner = None if searcher is None else searcher.runner_for(self.turn.state)
        self.write(info_text(self.turn.game, self.turn.state, result, runner, number or 1, self.is_drawn))


# Output. ------------------------------------------------------------------------------------------
def info_text(game: Game, s: Any, result: SearchResult, runner: Runner | None, number: int, is_drawn: bool) -> str:
    """The info line of a finished depth. `number` is the rank of the variation, from 1. If `is_drawn`, the score is
    0."""
    statistics, table = result.statistics, None if runner is None else runner.held_table
    facts = {
        "depth": statistics.depth,
        "seldepth": None if runner is None else max(statistics.depth, int(runner.counts.deepest)),
        "multipv": number,
        "score": None if result.value is None else "cp 0" if is_drawn else score_text(game, s, result),
        "nodes": statistics.nodes,
        "nps": int(statistics.nodes / statistics.seconds) if statistics.seconds > 0 else None,
        "hashfull": None if table is None else table.used_permille(),
        "time": int(1000 * statistics.seconds),
        "pv": " ".join(decode(m).uci() for m in result.line) or None,
    }
    return " ".join(["info", *(f"{name} {fact}" for name, fact in facts.items() if fact is not None)])


def score_text(game: Game, s: Any, result: SearchResult) -> str:
    """Format the score for the side to move: the number of moves to mate, or hundredths of a pawn. If the score is a
    bound, the text says so."""
    assert isinstance(result.value, float)
    is_max = game.player(s) == MAX
    value = result.value if is_max else -result.value
    if result.distance is not None and value != 0:
        moves = (result.distance + 1) // 2
        return f"mate {moves if value > 0 else -moves}"
    opposite = {"lower": "upper", "upper": "lower"}
    bound = result.bound if is_max else opposite.get(result.bound)
    return f"cp {round(100 * value)}{f' {bound}bound' if bound in opposite else ''}"
