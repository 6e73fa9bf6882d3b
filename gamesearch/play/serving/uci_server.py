"""An engine for chess programs that use the Universal Chess Interface (R. Huber and S. Meyer-Kahlen 2006).

The server takes lines and returns lines, without a terminal. A search runs in a separate thread, so that the server can
answer every line immediately.
"""

import contextlib
import os
import random
import re
import sys
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib import metadata
from itertools import pairwise
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.parameters import MOST_THREADS
from gamesearch.algorithms.engine.result import Limits
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.games.capturing.chess.boards import VARIANTS, ChessBoard, board_of, encode, variant_name
from gamesearch.games.capturing.chess.rules import Chess
from gamesearch.learned.weights_files import LEARNED
from gamesearch.play.clock import Clock
from gamesearch.play.players.computer import ELO_RANGE, Computer, level_of_elo
from gamesearch.play.players.loading import default_algorithm, find_learned_game
from gamesearch.play.players.player import Player, Turn
from gamesearch.play.players.searching import TO_PREPARE, AlgorithmPlayer, limits_by_clock
from gamesearch.play.serving.uci_search import GoCommand, UciSearch
from gamesearch.registry import load
from gamesearch.specification import format_specification
from gamesearch.support.escaping import escape_invisible
from gamesearch.support.interrupts import SEARCH

__all__ = ["UciServer"]

UCI_VARIANTS = {variant.board.uci_variant: name for name, variant in VARIANTS.items() if not variant.chess960}
"""For each name of a variant in UCI, the name in gamesearch."""
MOST_MEMORY = 65_536  # the greatest table size that is ever offered, in megabytes
MOST_LINES = 256
SECONDS_TO_STOP = 0.1  # seconds that the command `quit` waits for a search to stop
SECONDS_TO_ANSWER = 2  # seconds that a stopped search has for its answer at the end of the input
SWITCH_INTERVAL = 0.001  # seconds between switches of threads; the server needs several switches to notice `stop`
NUMBERS = ("depth", "nodes", "mate", "movetime", "wtime", "btime", "winc", "binc", "movestogo")
GO_WORDS = (*NUMBERS, "infinite", "ponder", "searchmoves")
NUMBER = re.compile(r"-?[0-9]{1,18}")
EMPTY = "<empty>"  # the word that clients send for an empty text


def most_memory() -> int:
    """Return the greatest table size to offer on this machine, in megabytes: half of its memory."""
    try:
        total = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):  # the system does not report its memory
        total = 2 << 30
    return max(16, min(MOST_MEMORY, total >> 21))


class UciServer:
    """A UCI engine with its options and its position; it passes each line of output to `write`."""

    def __init__(self, write: Callable[[str], None], algorithm: str = "", speed: str = "auto") -> None:
        self.lock, self.output = threading.Lock(), write
        self.algorithm, self.speed, self.weights = algorithm, speed, LEARNED
        self.memory, self.threads, self.lines, self.overhead = 16, 1, 1, 10
        self.variant, self.is_chess960 = "standard", False
        self.is_limited, self.elo = False, ELO_RANGE[1]
        self.running: UciSearch | None = None
        self.unanswered = list[str]()  # a readyok for each isready without an answer
        self.preparation: threading.Thread | None = None  # compiles the code of searches after isready or go
        self.prepared: Game | None = None  # the game for which the thread `preparation` compiles
        self.load()

    def write(self, line: str) -> None:
        """Write a whole line."""
        with self.lock:
            self.output(escape_invisible(line))

    # Lines. --------------------------------------------------------------------------------------
    def run(self, lines: Iterable[str]) -> None:
        """Carry out the commands in the lines until `quit`. If the input ends without `quit`, wait until the search
        ends, provided that the search has a limit."""
        before = sys.getswitchinterval()
        sys.setswitchinterval(SWITCH_INTERVAL)
        try:
            is_at_end = all(self.obey(line) for line in lines)
            if is_at_end and self.preparation is not None:
                self.preparation.join()
            if is_at_end and self.running is not None and self.running.may_answer.is_set():
                self.running.thread.join()
        finally:
            self.close()
            sys.setswitchinterval(before)

    def close(self) -> None:
        """Stop the search and wait until it ends, but only for a limited time, because a compilation cannot be
        stopped."""
        if self.running is not None:
            self.running.stop()
            self.running.thread.join(SECONDS_TO_STOP if self.running.is_abandoned else SECONDS_TO_ANSWER)

    def obey(self, line: str) -> bool:
        """Carry out the command in a line. Unknown words before the command are ignored. Returns False for the command
        `quit`."""
        words = line.split()
        while words and words[0] not in COMMANDS:
            del words[0]
        if not words:
            return True
        if words[0] == "quit":
            if self.running is not None:
                self.running.abandon()
            while self.unanswered:  # a client may have written isready and quit together
                self.answer_ready()
            return False
        try:
            COMMANDS[words[0]](self, words[1:])
        except GamesearchError as error:
            self.write(f"info string {error}")
        return True

    def do_uci(self, _: Sequence[str]) -> None:
        """Write the name and the options."""
        variants = " ".join(f"var {name}" for name in UCI_VARIANTS)
        for line in (
            f"id name gamesearch {metadata.version('gamesearch')}",
            "id author the gamesearch developers",
            f"option name Hash type spin default 16 min 1 max {most_memory()}",
            "option name Clear Hash type button",
            f"option name Threads type spin default 1 min 1 max {MOST_THREADS}",
            "option name Ponder type check default false",
            f"option name MultiPV type spin default 1 min 1 max {MOST_LINES}",
            "option name Move Overhead type spin default 10 min 0 max 5000",
            "option name UCI_LimitStrength type check default false",
            "option name UCI_Elo type spin default {1} min {0} max {1}".format(*ELO_RANGE),
            "option name UCI_Chess960 type check default false",
            f"option name UCI_Variant type combo default chess {variants}",
            f"option name Algorithm type string default {self.algorithm or default_algorithm(Chess())}",
            f"option name Weights type string default {LEARNED}",
            "uciok",
        ):
            self.write(line)

    def do_isready(self, _: Sequence[str]) -> None:
        """Answer readyok. During a search, answer immediately. Otherwise, wait until the machine code of searches is
        compiled or loaded. Clients start their clocks after readyok, so the first move does not lose time to the
        compilation."""
        self.unanswered.append("readyok")
        if self.running is not None and self.running.is_running:
            self.answer_ready()
        else:
            self.begin_preparation(self.answer_ready)

    def answer_ready(self) -> None:
        """Write readyok, unless another thread has written it."""
        with contextlib.suppress(IndexError):
            self.write(self.unanswered.pop())

    def begin_preparation(self, then: Callable[[], None] = lambda: None) -> threading.Thread:
        """Compile or load the code of searches in a thread. So the commands `quit` and `stop` work during this time."""
        arguments, self.prepared = (self.preparation, self.new_player(), self.game, then), self.game
        self.preparation = threading.Thread(target=self.prepare, args=arguments, name=SEARCH, daemon=True)
        self.preparation.start()
        return self.preparation

    def prepare(self, earlier: threading.Thread | None, player: Player, game: Game, then: Callable[[], None]) -> None:
        """Search once, so that later searches start without delay. Call `then` even if the search fails."""
        try:
            if earlier is not None:
                earlier.join()
            player.answer(Turn(game, (game.initial(),), (), replace(TO_PREPARE, nodes=1)))
        except Exception as error:
            self.write(f"info string {type(error).__name__}: {' '.join(str(error).split())}")
        then()

    def do_setoption(self, words: Sequence[str]) -> None:
        """Set an option; its name and its value may have several words."""
        if words[:1] != ["name"]:
            raise GamesearchError("setoption needs a name: setoption name Hash value 16")
        at = words.index("value") if "value" in words else len(words)
        name, value = " ".join(words[1:at]).casefold(), " ".join(words[at + 1 :])
        if name == "hash":
            self.memory = number_in(value, 1, most_memory())
        elif name == "threads":
            threads = number_in(value, 1, MOST_THREADS)
            self.with_options(self.algorithm, threads)
            self.threads = threads
        elif name == "multipv":
            self.lines = number_in(value, 1, MOST_LINES)
        elif name == "move overhead":
            self.overhead = number_in(value, 0, 5000)
        elif name == "uci_limitstrength":
            self.is_limited = value.casefold() == "true"
        elif name == "uci_elo":
            self.elo = number_in(value, *ELO_RANGE)
        elif name == "uci_chess960":
            self.is_chess960 = value.casefold() == "true"
        elif name == "uci_variant":
            known = UCI_VARIANTS.get(value.casefold(), variant_name(value))
            if known not in VARIANTS:
                raise GamesearchError(f"unknown variant {value!r}: see the values of UCI_Variant")
            self.variant = known
        elif name == "algorithm":
            self.with_options(value, self.threads).fits(Chess())
            self.algorithm = value
        elif name == "weights":
            value = "" if value == EMPTY else value
            if value not in ("", LEARNED):
                load(format_specification("chess", {"weights": value}))
            self.weights = value
        elif name not in ("ponder", "clear hash"):
            raise GamesearchError(f"unknown option {name!r}: the command uci lists the options")
        if name in ("hash", "threads", "uci_chess960", "uci_variant", "algorithm", "weights"):
            self.load()
        elif name in ("clear hash", "uci_limitstrength", "uci_elo"):
            self.player = self.new_player()

    def load(self) -> None:
        """Load the game and the player that the options specify, at the start position."""
        is_960 = self.is_chess960 and self.variant == "standard"
        game: Any = load(f"chess(variant={'chess960' if is_960 else self.variant})")
        evaluation_game: Game | None = None
        if self.weights == LEARNED:
            evaluation_game = find_learned_game(game)
        elif self.weights and self.variant == "standard" and not is_960:
            evaluation_game = load(format_specification("chess", {"weights": self.weights}))
        self.game, self.evaluation_game = game, evaluation_game  # set last, because loading may fail
        self.player = self.new_player()
        self.known_position: tuple[str, list[str]] = ("", [])
        self.is_set_up = True  # whether the last command `position` had a valid position
        self.states: list[Any] = [self.game.initial()]
        self.moves: list[int] = []

    def new_player(self, exact: bool = False) -> AlgorithmPlayer | Computer:
        """Return a new player with an empty table. If the strength is limited, the player has the level that UCI_Elo
        sets."""
        algorithm = self.with_options(self.algorithm, self.threads, exact)
        if self.is_limited and not exact:
            seed = random.getrandbits(32)  # so that games differ
            return Computer(algorithm, level_of_elo(self.elo), seed, self.speed, self.evaluation_game)
        return AlgorithmPlayer(algorithm, self.speed, evaluation_game=self.evaluation_game)

    def with_options(self, algorithm: str, threads: int, exact: bool = False) -> Algorithm:
        """Load an algorithm. By default, it uses iterative deepening, and a table whose size is the option Hash. With
        several threads, it always has a table. If `exact` is true, the algorithm searches without selective methods."""
        sharing = {"threads": threads, "table": True} if threads > 1 else {}
        text = algorithm or default_algorithm(self.game)
        return load_algorithm(text, {"memory": self.memory, "deepen": True, "exact": exact, **sharing})

    def do_ucinewgame(self, _: Sequence[str]) -> None:
        """Forget the previous game."""
        self.load()

    def do_position(self, words: Sequence[str]) -> None:
        """Set up a position and make the moves after it. If a move is illegal, the moves before it are made, as in
        Stockfish. If the position is invalid, nothing is searched."""
        self.is_set_up = False
        at = words.index("moves") if "moves" in words else len(words)
        start, names = " ".join(words[:at]), list(words[at + 1 :])
        if words[:1] not in (["startpos"], ["fen"]):
            raise GamesearchError("position needs startpos or fen, optionally followed by moves")
        if self.known_position[0] != start or names[: len(self.known_position[1])] != self.known_position[1]:
            self.states = [self.game.parse(start)]
            self.moves, self.known_position = [], (start, [])
        self.is_set_up = True
        for name in names[len(self.known_position[1]) :]:
            try:
                m = self.read_move(name)
            except ValueError:
                raise GamesearchError(f"{name!r} is not a legal move in {self.board.fen()}") from None
            self.moves.append(m)
            self.states.append(self.game.result(self.states[-1], m))
            self.known_position[1].append(name)

    def do_go(self, words: Sequence[str]) -> None:
        """Begin to search."""
        if self.running is not None and self.running.must_stop.is_set():
            self.running.thread.join()
        if self.running is not None and self.running.is_running:
            raise GamesearchError("a search is running: stop it first")
        if not self.is_set_up:
            self.write("info string the last position was not valid: set up another position")
            self.write("bestmove (none)")
            return
        asked = self.parse_go(words)
        for each in asked.ignored:
            self.write(f"info string go ignores {each}")
        if asked.ignored and asked.limits == Limits() and not {"infinite", "ponder", "searchmoves"} & set(words):
            self.write("bestmove (none)")  # a search without limits would not end
            return
        turn = Turn(self.game, tuple(self.states), tuple(self.moves))
        player = self.player
        if "mate" in words:  # null-move pruning could miss a mate in zugzwang
            with contextlib.suppress(GamesearchError):  # a search of limited width cannot be exact
                player = self.new_player(exact=True)
        preparation = self.preparation
        if preparation is None or self.prepared is not self.game:
            preparation = self.begin_preparation()
        self.running = UciSearch(player, turn, asked, self.write, player is not self.player, preparation)

    def parse_go(self, words: Sequence[str]) -> GoCommand:
        """Parse the words after `go`."""
        numbers, legal, ignored, known = dict[str, int](), set[int](), list[str](), ""
        for word, after in pairwise([*words, ""]):
            if word in GO_WORDS:
                known = word
                if word in NUMBERS and not NUMBER.fullmatch(after):
                    ignored.append(f"{word}, which needs a whole number")
            elif known in NUMBERS and known not in numbers and NUMBER.fullmatch(word):
                numbers[known] = int(word)
            elif known == "searchmoves" and (m := self.legal_move(word)) is not None:
                legal.add(m)
            else:
                ignored.append(f"{word!r}, which is not a legal move" if known == "searchmoves" else repr(word))
        if "searchmoves" in words and not legal:
            ignored.append("searchmoves, which needs a legal move")
        depth = numbers.get("depth")
        if "mate" in numbers:
            depth = min(2 * max(1, numbers["mate"]) - 1, depth or 1 << 16)
        nodes = numbers.get("nodes")
        limits = replace(
            self.time_limits(numbers),
            depth=None if depth is None else max(1, depth),
            nodes=None if nodes is None else max(1, nodes),
        )
        ordered = tuple(m for m in self.game.steps(self.states[-1]) if m in legal)
        is_endless = "infinite" in words or limits == Limits()
        return GoCommand(limits, is_endless, "ponder" in words, ordered, self.lines, tuple(ignored))

    @property
    def board(self) -> ChessBoard:
        """The present position as a board of python-chess."""
        return board_of(self.game, self.states[-1])

    def legal_move(self, name: str) -> int | None:
        """The move with this name; None if it is not legal."""
        try:
            return self.read_move(name)
        except ValueError:
            return None

    def read_move(self, name: str) -> int:
        """Parse a move, which may be in upper case (E7E8Q); raises ValueError if the move is not legal."""
        is_drop = name[1:2] == "@"  # in a drop, the letter of the piece is a capital
        move = self.board.parse_uci(name[:1].upper() + name[1:].lower() if is_drop else name.lower())
        if not move:
            raise ValueError("a null move is not legal")
        return encode(move)

    def time_limits(self, numbers: dict[str, int]) -> Limits:
        """The time limits: the time for the move, or a share of the time on the clock."""
        overhead = self.overhead / 1000
        seconds = max(0.001, numbers["movetime"] / 1000 - overhead) if "movetime" in numbers else None
        side = self.game.player(self.states[-1])
        left, more = numbers.get("wb"[side] + "time"), numbers.get("wb"[side] + "inc", 0)
        if left is None:
            return Limits(time=seconds)
        remaining = (max(0, left) / 1000 - overhead,) * 2
        clock = Clock(remaining, max(0, more) / 1000, numbers.get("movestogo") or None)
        return limits_by_clock(clock, side, self.player.algorithm, Limits(time=seconds))

    def do_stop(self, _: Sequence[str]) -> None:
        """Stop the search. The search then reports its best move."""
        if self.running is not None:
            self.running.stop()

    def do_ponderhit(self, _: Sequence[str]) -> None:
        """Start the clock, because the opponent has made the move that the engine was pondering on."""
        if self.running is not None:
            self.running.ponderhit()


COMMANDS: dict[str, Callable[[UciServer, Sequence[str]], None]] = {
    **{name.removeprefix("do_"): method for name, method in vars(UciServer).items() if name.startswith("do_")},
    **dict.fromkeys(("debug", "register", "quit"), lambda _, __: None),
}


def number_in(text: str, least: int, most: int) -> int:
    """Parse the integer value of an option, and clip it to the bounds of the option."""
    try:
        return min(max(int(text), least), most)
    except ValueError:
        raise GamesearchError(f"{text!r} is not an integer") from None
