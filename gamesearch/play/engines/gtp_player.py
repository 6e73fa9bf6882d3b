"""A player that is a program with the Go Text Protocol (GTP), and the notation of each game in GTP.

In GTP (Gunnar Farnebäck 2002, Specification of the Go Text Protocol, version 2, draft 2), each line is a command. The
answer is `=` or `?`, the number of the command, a text, and an empty line. Other lines of the program are ignored.
"""

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.engines.engine_player import TO_START, AnswerTimer, LinePlayer, legal_names
from gamesearch.play.players.player import NoAnswerError, PlayerError, Resigned, Turn
from gamesearch.specification import nearest

__all__ = ["COLOURS", "GO_LETTERS", "Dialect", "GtpPlayer", "dialect_of"]

COLOURS = ("black", "white")  # the colors of the first and the second player: Max begins and is black in all games
GO_LETTERS = "ABCDEFGHJKLMNOPQRST"  # the letters of Go's columns; I is omitted (GTP 2, section 2.11)
LETTERS = "abcdefghijklmnopqrs"  # the letters of gomoku's columns
TO_VERTEX, TO_NAME = (
    str.maketrans(LETTERS, GO_LETTERS),
    str.maketrans(GO_LETTERS + GO_LETTERS.lower(), 2 * LETTERS, "Ii"),
)

TO_OBEY = 30.0  # the time limit in seconds for a command that needs no search; the program may first have to load data
ANSWER = re.compile(r"([=?])(\d*)\s*(.*)")


class GtpPlayer(LinePlayer):
    """A program that speaks GTP."""

    least_time = 1.0  # GTP counts in whole seconds

    def __init__(self, specification: str, game: Game, path: str, own: Limits) -> None:
        super().__init__(specification, game, path, own)
        if own.depth is not None or own.nodes is not None:
            raise GamesearchError(
                "GTP can limit only time: for other limits, add an option of the program, such as --level, to its "
                "command in `path`"
            )
        self.dialect = dialect_of(game)
        self.has_limit = True  # the level of the program counts as a limit
        self.is_timed = False  # whether the time settings of this game were sent to the program

    def begin(self) -> None:
        """Start the program if it is not running, and wait until it is ready."""
        is_new = self.process is None
        super().begin()
        if is_new and self.say("name", TO_START) is None:
            raise PlayerError(f"{self.specification} was not ready within {TO_START:g} s, and was killed")

    def ask(self, turn: Turn, monitor: Monitor) -> SearchResult:
        """Send the moves of the game, and let the program choose its move."""
        self.send_game(turn)
        self.send_time(turn)
        watch = AnswerTimer(monitor, self.patience(turn))
        answer = self.say(f"genmove {COLOURS[turn.mover]}", watch.patience, must=True, poll=watch.is_unwanted)
        if answer is None:  # GTP cannot stop a search, so after Ctrl-C no answer is awaited
            return self.handle_no_answer(watch)
        text = " ".join(answer.split())
        if text.casefold() == "resign":
            self.known_game = None
            raise Resigned(f"{self.specification} resigns")
        legal = {name.casefold(): m for name, m in legal_names(turn).items()}
        move = legal.get(self.dialect.name(text).casefold())
        if move is None:
            raise self.illegal(turn, text)
        self.known_game = (turn.states[0], [*turn.moves, move])
        return self.result(move, watch.seconds)

    def send_game(self, turn: Turn) -> None:
        """Set the program's board to the current position."""
        is_new, steps = self.changes_to_send(turn)
        if is_new:
            for command in self.dialect.setup(turn.game, turn.states[0]):
                self.obey(command)
            self.is_timed = False
        for s, m in steps:
            vertex = self.dialect.vertex(turn.game.move_name(s, m))
            is_needed = vertex != "pass" or not self.dialect.has_forced_pass
            self.obey(f"play {COLOURS[turn.game.player(s)]} {vertex}", is_needed)

    def send_time(self, turn: Turn) -> None:
        """Send the time left, or the time for every move. The command `time_settings` is sent only once in a game,
        because it may reset clocks."""
        clock, seconds = turn.clock, self.limits(turn).time
        if clock is not None:
            left, stones = max(0, int(clock.remaining[turn.mover])), 0
        elif seconds is not None:
            left, stones = max(1, int(seconds)), 1
        else:
            return
        if not self.is_timed:
            self.say(f"time_settings 0 {left} 1" if stones else f"time_settings {left} 0 0", TO_OBEY)
            self.is_timed = True
        self.say(f"time_left {COLOURS[turn.mover]} {left} {stones}", TO_OBEY)

    def obey(self, command: str, must: bool = True) -> None:
        """Send a command and wait for the answer; if `must` is true, a refusal raises PlayerError."""
        if self.say(command, TO_OBEY, must) is None:
            raise NoAnswerError(f"{self.specification} did not answer {command!r} within {TO_OBEY:g} s, and was killed")

    def say(
        self, command: str, seconds: float, must: bool = False, poll: Callable[[], bool] = lambda: False
    ) -> str | None:
        """Send a command and return the text of the answer, or None. If `must` is true and the program refuses the
        command, raises PlayerError."""
        process, deadline = self.running_program(), time.monotonic() + seconds
        number = str(process.said + 1)
        process.write(f"{number} {command}")
        while (line := process.read(deadline, poll)) is not None:
            match = ANSWER.fullmatch(line.strip())
            if match is None or match[2] != number:
                continue
            text = match[3]
            while (line := process.read(deadline)) is not None and line.strip():
                text += f"\n{line}"
            if line is None:
                return None
            if match[1] == "?" and must:
                raise PlayerError(f"{self.specification} refused {command!r}: {text or 'without a reason'}")
            return text
        return None


@dataclass(frozen=True)
class Dialect:
    """The notation of a game and its moves in GTP."""

    vertex: Callable[[str], str] = str  # converts the name of a move to a vertex, the name of a point in GTP
    name: Callable[[str], str] = str  # a function that converts a vertex of GTP to the name of a move
    stones: tuple[str, ...] = ()  # the attributes of a state with the stones, if GTP can set up positions
    has_komi: bool = False
    # Whether a player passes only if it has no other move. In such a game, a program may refuse the command to pass.
    has_forced_pass: bool = False
    free_turns: bool = False  # whether the program can be asked for a move of either side at any time

    def setup(self, game: Game, start: Any) -> list[str]:
        """Return the commands that set a program's board to the start of a game."""
        commands = [f"boardsize {getattr(game, 'size', 8)}", "clear_board"]
        if self.has_komi:
            commands.append(f"komi {getattr(game, 'komi', 0.0):g}")
        if start == game.initial():
            return commands
        if not self.stones:
            raise GamesearchError(f"GTP cannot set up a position of {game.name}: begin at the start of the game")
        empty: Any = game.initial()
        boards = [(COLOURS[player], int(getattr(start, field))) for player, field in enumerate(self.stones)]
        return commands + [
            f"play {color} {self.vertex(game.move_name(empty, point))}"
            for color, board in boards
            for point in range(board.bit_length())
            if board >> point & 1
        ]


DIALECTS = {
    "go": Dialect(stones=("black", "white"), has_komi=True, free_turns=True),
    "othello": Dialect(has_forced_pass=True),
    "hex": Dialect(
        lambda name: "swap-pieces" if name == "swap" else name,
        lambda vertex: "swap" if vertex.casefold() == "swap-pieces" else vertex,
        stones=("crosses", "noughts"),
    ),
    "gomoku": Dialect(
        lambda name: name.translate(TO_VERTEX), lambda vertex: vertex.translate(TO_NAME), stones=("crosses", "noughts")
    ),
}


def dialect_of(game: Game) -> Dialect:
    """The dialect for a game; raises GamesearchError if no known program plays the game by GTP."""
    name = type(game).name
    if name not in DIALECTS:
        raise GamesearchError(
            f"GTP is for boards with stones, not for {name}: {nearest(name, DIALECTS)}; external(...) plays any game"
        )
    if getattr(game, "captures", False):
        raise GamesearchError("GTP supports gomoku only without captures")
    return DIALECTS[name]
