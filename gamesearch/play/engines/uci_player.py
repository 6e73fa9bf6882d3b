"""A program as a player of chess and its variants by the Universal Chess Interface, as python-chess speaks it."""

import asyncio
import concurrent.futures
import contextlib
import logging
import subprocess
import threading
import time
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

import chess.engine

from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.games.chess.boards import board_of, decoded, encoded
from gamesearch.play.engines.engine_player import EnginePlayer, Found, Watch
from gamesearch.play.engines.process import INTERVAL, command_line, end_on_termination, note_running
from gamesearch.play.players.player import PlayerError, Turn
from gamesearch.specification import nearest

__all__ = ["UciPlayer", "found_in"]

HANDSHAKE = 10.0
"""Seconds that a program has to begin, and to take its options."""
ELO = "elo"
"""A short name for two options: UCI_LimitStrength and UCI_Elo."""
T = TypeVar("T")

logging.getLogger("chess.engine").addHandler(logging.NullHandler())  # else garbage of programs goes to stderr


class EventLoop:
    """An event loop in a thread of its own, which runs until it is closed.

    python-chess's own thread keeps Python from ending while an engine hangs; this one does not.
    """

    def __init__(self) -> None:
        self.loop, self.is_closed = asyncio.new_event_loop(), asyncio.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        """Run until it is closed, and then end what still runs in it."""
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self.is_closed.wait())

    def begin(self, coroutine: Coroutine[Any, Any, T]) -> "concurrent.futures.Future[T]":
        """Let a coroutine run; what it will return."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)

    def close(self) -> None:
        """End the loop."""
        self.loop.call_soon_threadsafe(self.is_closed.set)
        self.thread.join(2)


class UciPlayer(EnginePlayer):
    """A program that speaks UCI. It is started at once, for only then its options are known."""

    def __init__(self, specification: str, game: Game[Any], path: str, own: Limits, options: Mapping[str, Any]) -> None:
        super().__init__(specification, own)
        if type(game).name != "chess":
            raise GamesearchError(f"UCI is for chess and its variants, not for {game.name}: take gtp or external")
        self.command, self.given, self.rules = command_line(path), dict(options), game
        self.protocol: chess.engine.UciProtocol | None = None
        self.game = object()
        try:
            self.start()
        except PlayerError as error:
            self.close()
            raise GamesearchError(str(error)) from None
        except BaseException:
            self.close()
            raise

    # The process. --------------------------------------------------------------------------------
    def start(self) -> chess.engine.UciProtocol:
        """The running program; a new one where there is none. Raises GamesearchError for options that it has not."""
        if self.protocol is not None:
            return self.protocol
        end_on_termination()
        self.loop = EventLoop()
        process = self.loop.begin(asyncio.wait_for(self.opened(), HANDSHAKE))
        self.protocol = self.waited(process, "started")
        options = self.checked_options(self.protocol)
        self.waited(self.loop.begin(asyncio.wait_for(self.protocol.configure(options), HANDSHAKE)), "taken its options")
        return self.protocol

    async def opened(self) -> chess.engine.UciProtocol:
        """The program in a process of its own, which is killed at the end whatever happens."""
        self.transport, protocol = await chess.engine.UciProtocol.popen(
            self.command, stderr=subprocess.DEVNULL, start_new_session=True
        )
        self.kill = note_running(self, self.transport.get_pid())
        await protocol.initialize()
        return protocol

    def waited(self, future: "concurrent.futures.Future[Any]", what: str) -> Any:
        """What a coroutine returned; raises PlayerError if the program failed."""
        try:
            return future.result()
        except TimeoutError:
            raise PlayerError(f"{self.specification} has not {what} for {HANDSHAKE:g} s: does it speak UCI?") from None
        except chess.engine.EngineError as error:
            raise PlayerError(f"{self.specification} failed: {error}") from None
        except OSError as error:
            raise PlayerError(f"{self.specification} cannot be started: {error.strerror or error}") from None

    def checked_options(self, protocol: chess.engine.UciProtocol) -> dict[str, Any]:
        """The given options by the program's names; raises GamesearchError for those that it has not."""
        variants = protocol.options.get("UCI_Variant")
        known = ["chess"] if variants is None else variants.var or []
        position = board_of(self.rules, self.rules.initial())
        if position.uci_variant not in known:
            raise GamesearchError(f"{self.command[0]} does not play {position.uci_variant}: take an engine that does")
        if position.chess960 and "UCI_Chess960" not in protocol.options:
            raise GamesearchError(f"{self.command[0]} does not play chess960: take an engine that does")
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
        if "loop" not in vars(self):
            return
        protocol, self.protocol = self.protocol, None
        if protocol is not None:
            with contextlib.suppress(Exception):
                self.loop.begin(asyncio.wait_for(protocol.quit(), 0.5)).result(1)
        if "transport" in vars(self):
            self.kill()
            with contextlib.suppress(concurrent.futures.TimeoutError):
                self.loop.begin(let_go(self.transport)).result(1)
            del self.transport
        self.loop.close()
        del self.loop

    # Playing. ------------------------------------------------------------------------------------
    def begin(self) -> None:
        """Start it, if it does not run, which is not counted as thinking; before its next move, it is told the game."""
        self.start()
        self.game = object()

    def ask(self, turn: Turn, monitor: Monitor) -> SearchResult:
        """Let it search; told to stop, it has a moment to say the best so far."""
        protocol, watch = self.start(), Watch(monitor, self.patience(turn))
        playing = protocol.play(board_with_moves(turn), self.limit(turn), game=self.game, info=chess.engine.INFO_ALL)
        answer = self.loop.begin(playing)
        while True:
            with contextlib.suppress(concurrent.futures.TimeoutError):
                answer.exception(timeout=max(0.0, min(INTERVAL, watch.deadline - time.monotonic())))
            if answer.done():
                break
            if time.monotonic() >= watch.deadline:
                return self.unanswered(watch)
            if watch.is_unwanted():
                self.loop.loop.call_soon_threadsafe(protocol.send_line, "stop")
        played = self.waited(answer, "answered")
        if played.move is None:
            raise self.illegal(turn, "no move")
        move = encoded(played.move)
        if move not in turn.game.steps(turn.state, turn.past):
            raise self.illegal(turn, played.move.uci())
        found = found_in(turn.game, turn.state, played.info)
        return self.result(move, found, watch.seconds, "interrupted" if watch.is_stopped else "")

    def limit(self, turn: Turn) -> chess.engine.Limit:
        """The limits of a turn, and the clock, as python-chess has them."""
        limits, clock = self.limits(turn), turn.clock
        limit = chess.engine.Limit(time=limits.time, depth=limits.depth, nodes=limits.nodes)
        if clock is not None:
            limit.white_clock, limit.black_clock = clock.remaining[:2]
            limit.white_inc = limit.black_inc = clock.increment
            limit.remaining_moves = clock.moves_to_go
        return limit

    def limits(self, turn: Turn) -> Limits:
        """The limits of a turn; by the clock, its own time for a move does not hold."""
        limits = super().limits(turn)
        return limits if turn.clock is None else Limits(limits.depth, turn.limits.time, limits.nodes)


async def let_go(transport: asyncio.SubprocessTransport) -> None:
    """Close the pipes of a process that ended, and let the loop notice it."""
    transport.close()
    while transport.get_returncode() is None:
        await asyncio.sleep(0.005)
    await asyncio.sleep(0.005)


def board_with_moves(turn: Turn) -> chess.Board:
    """The present position with the moves that led to it, so that the program sees repetitions."""
    board = board_of(turn.game, turn.states[0]).copy(stack=False)
    for m in turn.moves:
        board.push(decoded(m))
    return board


def found_in(game: Game[Any], s: Any, info: Mapping[str, Any]) -> Found:
    """What a program says of a position: its evaluation in pawns, or the end of the game for a mate, both for White."""
    line: list[int] = []
    state = s
    for move in info.get("pv", ()):
        if game.terminal(state) or encoded(move) not in game.steps(state):
            break
        line.append(encoded(move))
        state = game.result(state, line[-1])
    value, distance, bound = None, None, "exact"
    if "score" in info:
        score = info["score"].white()
        mate = score.mate()
        is_white = game.player(s) == MAX
        if info.get("lowerbound") or info.get("upperbound"):  # which are told for the player to move
            bound = "lower" if bool(info.get("lowerbound")) == is_white else "upper"
        if mate is None:
            value = score.score() / 100
        else:
            is_mover = (mate > 0) == is_white
            value = float(game.MAXSCORE if mate > 0 else game.MINSCORE)
            distance = 2 * abs(mate) - is_mover
    return Found(value, bound, tuple(line), distance, info.get("depth", 0), info.get("nodes", 0))


def plain(name: str) -> str:
    """The name of an option as it may be typed: in small letters, with _ for what joins words."""
    return "_".join(name.casefold().replace("-", " ").split())
