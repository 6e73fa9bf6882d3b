"""A player of chess and its variants: a program with the Universal Chess Interface (UCI). python-chess talks to it."""

import asyncio
import concurrent.futures
import contextlib
import logging
import subprocess
import threading
import time
from collections.abc import Callable, Coroutine, Mapping
from typing import Any, TypeVar

import chess.engine

from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.games.capturing.chess.boards import board_of, decode, encode
from gamesearch.play.engines.engine_player import AnswerTimer, EnginePlayer
from gamesearch.play.engines.process import INTERVAL, command_line, end_on_termination, note_running
from gamesearch.play.players.player import IllegalAnswerError, PlayerError, Turn
from gamesearch.specification import nearest

__all__ = ["UciPlayer", "information_of"]

HANDSHAKE = 10.0  # seconds for a program to start, and to set its options
ELO = "elo"  # an option of this player, which sets two options of the program: UCI_LimitStrength and UCI_Elo
T = TypeVar("T")

# Without a handler, the invalid lines of programs would be printed.
logging.getLogger("chess.engine").addHandler(logging.NullHandler())


class UciProcess:
    """A running UCI program, and the event loop of python-chess in a daemon thread. Normally, python-chess starts a
    thread that is not a daemon. Python could not exit while an engine hangs if its thread were not a daemon."""

    def __init__(self, command: list[str], name: str) -> None:
        """Start the program; raises PlayerError if it does not start or does not speak UCI."""
        self.name = name
        self.loop, self.is_closed = asyncio.new_event_loop(), asyncio.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.transport: asyncio.SubprocessTransport | None = None
        self.kill: Callable[[], object] = lambda: None
        self.has_begun = False  # whether the program has answered; if so, it may get the command `quit`
        end_on_termination()
        self.thread.start()
        try:
            self.protocol = self.wait(self.begin(self.open(command), HANDSHAKE), "started")
            self.has_begun = True
        except BaseException:
            self.close()
            raise

    def run(self) -> None:
        """Run the loop until it is closed, and then cancel its remaining tasks."""
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self.is_closed.wait())

    async def open(self, command: list[str]) -> chess.engine.UciProtocol:
        """Start the program in its own session; the program is killed when this process ends."""
        self.transport, protocol = await chess.engine.UciProtocol.popen(
            command, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self.kill = note_running(self, self.transport.get_pid())
        await protocol.initialize()
        return protocol

    def begin(self, coroutine: Coroutine[Any, Any, T], seconds: float | None = None) -> "concurrent.futures.Future[T]":
        """Start a coroutine in the loop, with a time limit in seconds."""
        return asyncio.run_coroutine_threadsafe(asyncio.wait_for(coroutine, seconds), self.loop)

    def wait(self, future: "concurrent.futures.Future[T]", what: str) -> T:
        """Wait for the result of a coroutine; raises PlayerError if the program failed."""
        try:
            return future.result()
        except TimeoutError:
            raise PlayerError(f"{self.name} has not {what} for {HANDSHAKE:g} s: does it speak UCI?") from None
        except chess.engine.EngineError as error:
            is_illegal = isinstance(error.args[0], chess.IllegalMoveError | chess.InvalidMoveError)
            kind = IllegalAnswerError if is_illegal else PlayerError
            raise kind(f"{self.name} failed: {error}") from None
        except OSError as error:
            raise PlayerError(f"{self.name} cannot be started: {error.strerror or error}") from None

    def close(self) -> None:
        """End the program and the event loop."""
        if self.transport is not None:
            if self.has_begun:
                with contextlib.suppress(Exception):
                    self.begin(self.protocol.quit(), 0.5).result(1)
            self.kill()
            with contextlib.suppress(concurrent.futures.TimeoutError):
                self.begin(release(self.transport)).result(1)
        self.loop.call_soon_threadsafe(self.is_closed.set)
        self.thread.join(2)


class UciPlayer(EnginePlayer):
    """A program that speaks UCI. The program starts immediately, because it must list its options."""

    def __init__(self, specification: str, game: Game, path: str, own: Limits, options: Mapping[str, Any]) -> None:
        super().__init__(specification, own)
        if type(game).name != "chess":
            raise GamesearchError(
                f"UCI is for chess and its variants, not for {game.name}: use gtp(...) or external(...)"
            )
        self.command, self.given, self.rules = command_line(path), dict(options), game
        self.process: UciProcess | None = None
        self.game = object()
        try:
            self.running_program()
        except PlayerError as error:
            raise GamesearchError(str(error)) from None

    # The process. --------------------------------------------------------------------------------
    def running_program(self) -> UciProcess:
        """Return the program, which is started if necessary. Raises GamesearchError if the program lacks a given
        option."""
        if self.process is None:
            self.process = UciProcess(self.command, self.specification)
            try:
                options = self.check_options(self.process.protocol)
                self.process.wait(
                    self.process.begin(self.process.protocol.configure(options), HANDSHAKE), "taken its options"
                )
            except BaseException:
                self.close()
                raise
        return self.process

    def check_options(self, protocol: chess.engine.UciProtocol) -> dict[str, Any]:
        """Return the given options, under the names that the program uses; raises GamesearchError for unknown
        options."""
        variants = protocol.options.get("UCI_Variant")
        known = ["chess"] if variants is None else variants.var or []
        position = board_of(self.rules, self.rules.initial())
        if position.uci_variant not in known:
            raise GamesearchError(f"{self.command[0]} does not play {position.uci_variant}: use an engine that does")
        if position.chess960 and "UCI_Chess960" not in protocol.options:
            raise GamesearchError(f"{self.command[0]} does not play chess960: use an engine that does")
        names = {plain(name): name for name in protocol.options if name not in chess.engine.MANAGED_OPTIONS}
        options: dict[str, Any] = {}
        for given, value in self.given.items():
            if given == ELO and "uci_elo" in names:
                options |= {"UCI_LimitStrength": True, "UCI_Elo": value}
            elif plain(given) in names:
                options[names[plain(given)]] = value
            else:
                hint = nearest(given, [*names, *([ELO] if "uci_elo" in names else [])])
                raise GamesearchError(f"{self.command[0]} has no option {given!r}: {hint}")
        for name, value in options.items():
            try:
                protocol.options[name].parse(value)
            except (chess.engine.EngineError, ValueError) as error:
                raise GamesearchError(f"{self.command[0]} refuses {name}={value}: {error}") from None
        return options

    def close(self) -> None:
        """End the program."""
        process, self.process = self.process, None
        if process is not None:
            process.close()

    # Playing. ------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Start the program if it is not running. It gets the command `ucinewgame` before its next move."""
        self.running_program()
        self.game = object()

    def ask(self, turn: Turn, monitor: Monitor) -> SearchResult:
        """Let the program search. After the command `stop`, the program has a moment to answer."""
        process, watch = self.running_program(), AnswerTimer(monitor, self.patience(turn))
        protocol = process.protocol
        playing = protocol.play(board_with_moves(turn), self.limit(turn), game=self.game, info=chess.engine.INFO_ALL)
        answer = process.begin(playing)
        while True:
            with contextlib.suppress(concurrent.futures.TimeoutError):
                answer.exception(timeout=max(0.0, min(INTERVAL, watch.deadline - time.monotonic())))
            if answer.done():
                break
            if time.monotonic() >= watch.deadline:
                return self.handle_no_answer(watch)
            if watch.is_unwanted():
                process.loop.call_soon_threadsafe(protocol.send_line, "stop")
        played = process.wait(answer, "answered")
        if played.move is None:
            raise self.illegal(turn, "no move")
        move = encode(played.move)
        if move not in turn.game.steps(turn.state, turn.past):
            raise self.illegal(turn, played.move.uci())
        stopped = "interrupted" if watch.is_stopped else ""
        return self.result(move, watch.seconds, stopped, **information_of(turn.game, turn.state, played.info))

    def limit(self, turn: Turn) -> chess.engine.Limit:
        """Convert the limits of a turn, and its clock, to a limit of python-chess."""
        limits, clock = self.limits(turn), turn.clock
        limit = chess.engine.Limit(time=limits.time, depth=limits.depth, nodes=limits.nodes)
        if clock is not None:
            limit.white_clock, limit.black_clock = clock.remaining[:2]
            limit.white_inc = limit.black_inc = clock.increment
            limit.remaining_moves = clock.moves_to_go
        return limit

    def limits(self, turn: Turn) -> Limits:
        """The limits of a turn. If the game has a clock, the player's own time per move is ignored."""
        limits = super().limits(turn)
        return limits if turn.clock is None else Limits(limits.depth, turn.limits.time, limits.nodes)


async def release(transport: asyncio.SubprocessTransport) -> None:
    """Close the pipes of a process that ended, and give the event loop time to notice that the pipes are closed."""
    transport.close()
    while transport.get_returncode() is None:
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.005)


def board_with_moves(turn: Turn) -> chess.Board:
    """The present position with the moves that led to it, so that the program sees repetitions."""
    board = board_of(turn.game, turn.states[0]).copy(stack=False)
    for m in turn.moves:
        board.push(decode(m))
    return board


def information_of(game: Game, s: Any, info: Mapping[str, Any]) -> dict[str, Any]:
    """Convert the `info` of a program to arguments of `result()`, such as White's value and the best line."""
    line: list[int] = []
    state = s
    for move in info.get("pv", ()):
        if game.terminal(state) or encode(move) not in game.steps(state):
            break
        line.append(encode(move))
        state = game.result(state, line[-1])
    value, distance, bound = None, None, "exact"
    if "score" in info:
        score = info["score"].white()
        mate = score.mate()
        is_white = game.player(s) == MAX
        if info.get("lowerbound") or info.get("upperbound"):  # bounds for the player to move
            bound = "lower" if bool(info.get("lowerbound")) == is_white else "upper"
        if mate is None:
            value = score.score() / 100
        else:
            is_mover = (mate > 0) == is_white
            value = float(game.MAXSCORE if mate > 0 else game.MINSCORE)
            distance = 2 * abs(mate) - is_mover
    counts = {name: info.get(name, 0) for name in ("depth", "nodes")}
    return {"value": value, "bound": bound, "line": tuple(line), "distance": distance, **counts}


def plain(name: str) -> str:
    """The name of an option in lower case, with underscores between words."""
    return "_".join(name.casefold().replace("-", " ").split())
