"""One search for UCI in a thread; after `stop` it answers within hundredths of a second."""

import copy
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Progress, SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.algorithms.node.repetition import is_repeated
from gamesearch.algorithms.node.workspace import MAX_PLY
from gamesearch.game import MAX, Game
from gamesearch.games.chess.boards import board_of, decoded
from gamesearch.play.players.computer import Computer
from gamesearch.play.players.player import Turn
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.support.interrupts import SEARCH

__all__ = ["GoCommand", "UciSearch"]

INTERVAL = 0.005
"""Seconds between two looks at whether to stop."""
NO_END = 1 << 62
"""A limit of nodes that no search reaches: without any, an algorithm would take the depth that the game suggests."""


@dataclass(frozen=True)
class GoCommand:
    """The parameters of `go`."""

    limits: Limits
    is_endless: bool = False
    """Whether the answer has to wait for stop (infinite)."""
    is_pondering: bool = False
    """Whether the answer, and the clock, have to wait for ponderhit or stop."""
    root_moves: tuple[int, ...] = ()
    """The moves to search; empty for all."""
    lines: int = 1
    """How many lines to find, each with another first move."""


class UciSearch:
    """A search that writes info lines while it goes on, and bestmove at its end."""

    def __init__(
        self,
        player: AlgorithmPlayer | Computer,
        turn: Turn,
        asked: GoCommand,
        write: Callable[[str], None],
        is_for_once: bool = False,
        preparation: threading.Thread | None = None,
    ) -> None:
        """A player that is for this search only is closed at its end. The search waits for the end of `preparation`."""
        self.preparation = preparation
        self.player, self.turn, self.asked, self.write, self.is_for_once = player, turn, asked, write, is_for_once
        self.must_stop, self.may_answer = threading.Event(), threading.Event()
        self.deadline: float | None = None
        """The time to stop after ponderhit; None before it."""
        if not (asked.is_endless or asked.is_pondering):
            self.may_answer.set()
        self.is_drawn = False
        """Whether the position is a draw already, by the rules."""
        self.line: tuple[int, ...] = ()
        self.is_running = True
        """Whether bestmove is yet to come."""
        self.thread = threading.Thread(target=self.run, name=SEARCH, daemon=True)
        self.thread.start()

    def stop(self) -> None:
        """Answer as soon as possible."""
        self.must_stop.set()
        self.may_answer.set()

    def ponderhit(self) -> None:
        """The move that was pondered on was made: from now on, the time runs."""
        if self.asked.is_pondering:
            seconds = self.asked.limits.target or self.asked.limits.time
            if seconds is not None:
                self.deadline = time.monotonic() + seconds
            if not self.asked.is_endless:
                self.may_answer.set()

    def poll(self, _: Progress) -> bool:
        """Whether to stop."""
        return self.must_stop.is_set() or (self.deadline is not None and time.monotonic() >= self.deadline)

    # The thread. ---------------------------------------------------------------------------------
    def run(self) -> None:
        """Search, and answer when that is allowed; whatever happens, there is an answer."""
        try:
            if self.turn.game.steps(self.turn.state):
                if self.preparation is not None:
                    self.preparation.join()
                self.search()
            else:
                self.write(
                    f"info depth 0 score {'mate 0' if board_of(self.turn.game, self.turn.state).is_check() else 'cp 0'}"
                )
        except Exception as error:  # a search that fails must not leave the other program waiting
            self.write(f"info string {type(error).__name__}: {' '.join(str(error).split())}")
        if self.is_for_once:
            self.player.close()
        self.may_answer.wait()
        if not self.line:
            self.line = tuple(self.turn.game.steps(self.turn.state)[:1])
        self.is_running = False  # before anybody can have read the answer
        self.write(bestmove_text(self.line))

    def search(self) -> None:
        """Search with the player, which remembers; or only some moves, or several lines, without memory."""
        asked, turn = self.asked, self.turn
        is_over = turn.game.terminal(turn.state)
        self.is_drawn = is_over or is_repeated(turn.game, [*turn.past, turn.state])
        if is_over:  # but the other program may ask for a move all the same
            turn = replace(turn, game=type(turn.game)(**{**turn.game.parameters(), "draws": False}))
        monitor = Monitor(poll=self.poll, finished=lambda result: self.tell(result, self.runner), interval=INTERVAL)
        limits = asked.limits
        if asked.is_pondering:
            limits = replace(limits, time=None, target=None)
        if limits == Limits():
            limits = Limits(nodes=NO_END)
        is_limited = isinstance(self.player, Computer)
        if not asked.root_moves and (asked.lines == 1 or is_limited) and turn.game is self.turn.game:
            result = self.player.answer(replace(turn, limits=limits), monitor)
            if result.best is not None:
                if result.line != self.line:  # of a depth that was stopped
                    self.tell(result, self.runner)
                self.line = result.line
            return
        if turn.game is self.turn.game and self.searching.evaluation_game is not None:
            turn = replace(turn, game=self.searching.evaluation_game)
        for number, result, runner in lines_by_depth(turn, self.player.algorithm, asked, limits, monitor):
            if result.best is not None:
                self.tell(result, runner, number)

    @property
    def searching(self) -> AlgorithmPlayer:
        """The player that searches."""
        return self.player.thinking if isinstance(self.player, Computer) else self.player

    @property
    def runner(self) -> Runner | None:
        """The runner of the player's search."""
        searcher = self.searching.searcher
        return None if searcher is None else searcher.runner_for(self.turn.state)

    def tell(self, result: SearchResult, runner: Runner | None, number: int = 1) -> None:
        """Write an info line, and keep what would be answered."""
        if number == 1:
            self.line = result.line
        self.write(info_text(self.turn.game, self.turn.state, result, runner, number, self.is_drawn))


def from_root(game: Any, root: Any) -> Any:
    """The game, in which only the moves that are `allowed` may be made at the root; it runs interpreted."""

    class FromRoot(type(game)):  # type: ignore[misc]
        """A game whose root is one object: equal positions that come again have all their moves."""

        name = type(game).name
        allowed: tuple[int, ...] = ()

        def moves(self, s: Any) -> Iterator[int]:
            return iter(self.allowed) if s is root else super().moves(s)

        def key(self, s: Any) -> tuple[int, ...]:
            """The root with other moves is another position."""
            return (*super().key(s), *self.allowed) if s is root else super().key(s)

    return FromRoot(**game.parameters())


def lines_by_depth(
    turn: Turn, algorithm: Algorithm, asked: GoCommand, limits: Limits, monitor: Monitor
) -> Iterator[tuple[int, SearchResult, Runner]]:
    """For each depth, the best lines that begin with different moves; the number of each, from 1.

    They are searched one after another, each without the first moves of the lines before.
    """
    quiet = Monitor(poll=monitor.poll, interval=monitor.interval)
    started, nodes = time.monotonic(), 0
    state = turn.state
    game = from_root(turn.game, state)
    algorithm = copy.copy(algorithm)
    algorithm.deepen = False  # that is done here
    moves = asked.root_moves or tuple(turn.game.steps(turn.state))
    with Searcher(game, algorithm, "interpreted") as searcher:
        for depth in range(1, min(limits.depth or MAX_PLY, MAX_PLY) + 1):
            left, is_final = moves, True
            for number in range(1, min(asked.lines, len(moves)) + 1):
                game.allowed = left
                rest = replace(limits.left(time.monotonic() - started, nodes), depth=depth)
                result = searcher.search(state, rest, monitor=quiet, past=turn.past)
                nodes += result.statistics.nodes
                if result.stopped and depth > 1:
                    return
                spent = replace(result.statistics, nodes=nodes, seconds=time.monotonic() - started)
                yield number, replace(result, statistics=spent), searcher.runner_for(state)
                if result.stopped or result.best is None:
                    return
                is_final = is_final and (result.sees_the_end or result.distance is not None)
                left = tuple(m for m in left if m != result.best)
            if is_final:
                return


# Output. ------------------------------------------------------------------------------------------
def uci_move(m: int) -> str:
    """A move in coordinates, such as e2e4, e7e8q or N@f3; in chess960, castling is the king's move onto his rook."""
    return decoded(m).uci()


def info_text(
    game: Game, s: Any, result: SearchResult, runner: Runner | None, number: int = 1, is_drawn: bool = False
) -> str:
    """The info line of a finished depth. `number` is the rank of the line, from 1; a drawn position scores 0."""
    statistics, table = result.statistics, None if runner is None else runner.held_table
    facts = {
        "depth": statistics.depth,
        "seldepth": None if runner is None else max(statistics.depth, int(runner.counts.deepest)),
        "multipv": number,
        "score": None if result.value is None else "cp 0" if is_drawn else score_text(game, s, result),
        "nodes": statistics.nodes,
        "nps": int(statistics.nodes / statistics.seconds) if statistics.seconds > 0 else None,
        "hashfull": None if table is None else table.permille_used(),
        "time": int(1000 * statistics.seconds),
        "pv": " ".join(map(uci_move, result.line)) or None,
    }
    return " ".join(["info", *(f"{name} {fact}" for name, fact in facts.items() if fact is not None)])


def score_text(game: Game, s: Any, result: SearchResult) -> str:
    """The value for the side to move: moves to a mate, else hundredths of a pawn; and whether it is a bound."""
    assert isinstance(result.value, float)
    is_max = game.player(s) == MAX
    value = result.value if is_max else -result.value
    if result.distance is not None and value != 0:
        moves = (result.distance + 1) // 2
        return f"mate {moves if value > 0 else -moves}"
    opposite = {"lower": "upper", "upper": "lower"}
    bound = result.bound if is_max else opposite.get(result.bound)
    return f"cp {round(100 * value)}{f' {bound}bound' if bound in opposite else ''}"


def bestmove_text(line: tuple[int, ...]) -> str:
    """The answer to go: the move, and what it expects in return, to ponder on."""
    ponder = f" ponder {uci_move(line[1])}" if len(line) > 1 else ""
    return f"bestmove {uci_move(line[0]) if line else '(none)'}{ponder}"
