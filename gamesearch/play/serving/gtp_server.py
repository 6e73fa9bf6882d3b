"""An engine for board programs that use the Go Text Protocol, version 2 (G. Farnebäck 2002, draft 2)."""

import math
import re
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib import metadata
from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.optional import AreaScoring
from gamesearch.play.clock import Clock
from gamesearch.play.engines.gtp_player import COLOURS, GO_LETTERS, dialect_of
from gamesearch.play.players.loading import find_learned_game
from gamesearch.play.players.player import Turn
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.study.final_status import STATUSES, FinalStatus, status_at_end
from gamesearch.support.escaping import escape_invisible
from gamesearch.toolkit.boards import board_lines

__all__ = ["GtpServer"]


class Refusal(Exception):  # noqa: N818
    """Raised if a command cannot be carried out; the message is sent as the answer."""


class GtpServer:
    """A GTP engine with its game, board and clock; it passes each answer to `write`. If `learned` is set, the engine
    uses the learned weights that come with gamesearch, except in games that it plays better without them."""

    def __init__(
        self, game: Game, algorithm: Algorithm, write: Callable[[str], None], speed: str = "auto", learned: bool = False
    ) -> None:
        self.dialect = dialect_of(game)
        self.algorithm, self.write, self.speed, self.learned = algorithm, write, speed, learned
        self.settings = (0.0, 0.0, 0)
        """The main time and the time of a byo-yomi period in seconds, and the number of stones to play in a period.
        Byo-yomi periods follow one after another when the main time is used up."""
        self.left: list[tuple[float, int] | None] = [None, None]  # for each color, seconds left and stones to play
        self.set_game(game)

    def set_game(self, game: Game) -> None:
        """Change to another game, and empty the board."""
        self.algorithm.fits(game)
        seen = find_learned_game(game) if self.learned else None
        self.game, self.player = game, AlgorithmPlayer(self.algorithm, self.speed, evaluation_game=seen)
        # The last finished state, and the status of its stones.
        self.counted: tuple[Any, FinalStatus | None] | None = None
        self.states: list[Any] = [game.initial()]
        self.moves: list[int] = []

    # Lines. --------------------------------------------------------------------------------------
    def run(self, lines: Iterable[str]) -> None:
        """Carry out the command of each line, until quit or the last line."""
        for line in lines:
            if not self.obey(line):
                return

    def obey(self, line: str) -> bool:
        """Carry out a command and send its answer; returns False after quit. Ignores control characters and
        comments."""
        words = re.sub(r"[\x00-\x08\x0b-\x1f\x7f]", "", line.partition("#")[0]).split()
        if not words:
            return True
        number = words.pop(0) if words[0].isascii() and words[0].isdecimal() else ""
        sign = "="
        try:
            if not words:
                raise Refusal("a command is missing")
            if words[0] not in COMMANDS:
                raise Refusal("unknown command")
            command = COMMANDS[words[0]]
            answer = command if isinstance(command, str) else command(self, words[1:]) or ""
        except (Refusal, GamesearchError) as error:
            sign, answer = "?", escape_invisible(" ".join(str(error).split()))
        self.write(f"{sign}{number}{' ' if answer else ''}{answer}\n\n")
        return words[:1] != ["quit"]

    def do_known_command(self, words: Sequence[str]) -> str:
        """Whether the engine knows a command."""
        return "true" if words and words[0] in COMMANDS else "false"

    def do_list_commands(self, _: Sequence[str]) -> str:
        """All commands."""
        return "\n".join(COMMANDS)

    # The board. ----------------------------------------------------------------------------------
    def do_boardsize(self, words: Sequence[str]) -> None:
        """Change to an empty board of another size."""
        size, game = whole_number(words), self.game
        if size == getattr(game, "size", None):
            self.set_game(game)
            return
        if "size" not in game.parameters():
            raise Refusal("unacceptable size")
        usual: Any = type(game)
        # Some default values, such as the komi, depend on the size.
        defaults = usual(size=game.parameters()["size"]).parameters()
        given = {name: value for name, value in game.parameters().items() if value != defaults[name]}
        try:
            self.set_game(usual(**{**given, "size": size}))
        except GamesearchError:
            raise Refusal("unacceptable size") from None

    def do_clear_board(self, _: Sequence[str]) -> None:
        """Begin a new game."""
        self.set_game(self.game)
        self.left = [None, None]

    def do_komi(self, words: Sequence[str]) -> None:
        """Set the komi; the stones stay on the board."""
        try:
            komi = float(words[0])
            if not math.isfinite(komi):
                raise ValueError
        except (IndexError, ValueError):
            raise Refusal("komi not a float") from None
        if not self.dialect.has_komi:
            return  # the program that sends the commands also sends a komi for games without komi
        states, moves = self.states, self.moves
        self.set_game(type(self.game)(**{**self.game.parameters(), "komi": komi}))
        self.states, self.moves = states, moves

    def do_fixed_handicap(self, words: Sequence[str]) -> str:
        """Place Black's handicap stones on the points that GTP prescribes; returns the points."""
        points = self.handicap_points()
        count = whole_number(words)
        if not 2 <= count <= len(points):
            raise Refusal("invalid number of stones")
        return self.place_handicap(handicap_pattern(points, count))

    def do_place_free_handicap(self, words: Sequence[str]) -> str:
        """Place handicap stones on points that the engine chooses. A fixed handicap limits their number."""
        points = self.handicap_points()
        count = whole_number(words)
        if count < 2 or not points:
            raise Refusal("invalid number of stones")
        return self.place_handicap(handicap_pattern(points, min(count, len(points))))

    def do_set_free_handicap(self, words: Sequence[str]) -> None:
        """Place handicap stones on the given points."""
        self.handicap_points()
        names = [self.dialect.name(word).upper() for word in words]
        vertices = {self.game.move_name(self.states[-1], m) for m in self.game.steps(self.states[-1])} - {"pass"}
        if len(names) < 2 or len(set(names)) < len(names) or not set(names) < vertices:
            raise Refusal("bad vertex list")
        self.place_handicap(names)

    def handicap_points(self) -> list[str]:
        """The points of a fixed handicap, in the order of GTP 2 (section 4.1.1): corners, sides, the center last."""
        if not self.dialect.free_turns:
            raise Refusal(f"{self.game.name} has no handicap")
        if self.moves or self.states[-1] != self.game.initial():
            raise Refusal("board not empty")
        size: int = self.game.parameters()["size"]
        low, middle = (3 if size >= 13 else 2), size // 2
        high = size - 1 - low
        corners = [(low, low), (high, high), (low, high), (high, low)] if size >= 7 else []
        others = [(low, middle), (high, middle), (middle, low), (middle, high), (middle, middle)]
        points = corners + others * (size >= 9 and size % 2 == 1)
        return [f"{GO_LETTERS[column]}{row + 1}" for column, row in points]

    def place_handicap(self, names: Sequence[str]) -> str:
        """Place Black's handicap stones on the empty board. White is then to move."""
        state: Any = self.states[-1]
        for name in names:
            state = self.game.result(state._replace(turn=MAX), self.game.parse_move(state, name))
        self.states[-1] = state
        return " ".join(names)

    def do_play(self, words: Sequence[str]) -> None:
        """Make a move for a color."""
        player = color_of_word(words)
        if len(words) < 2:
            raise Refusal("invalid color or coordinate")
        state, name = self.state_for(player), self.dialect.name(" ".join(words[1:])).casefold()
        found = [m for m in self.steps(state) if self.game.move_name(state, m).casefold() == name]
        if not found:
            board = self.game.board(state)
            points = {f"{column}{row.strip()}".casefold() for column in board.column_labels for row in board.row_labels}
            is_known = name in points | {"pass", "swap"}
            raise Refusal("illegal move" if is_known else "invalid color or coordinate")
        self.advance(state, found[0])

    def do_undo(self, _: Sequence[str]) -> None:
        """Take back the last move."""
        if not self.moves:
            raise Refusal("cannot undo")
        self.states.pop()
        self.moves.pop()

    def do_showboard(self, _: Sequence[str]) -> str:
        """The board as text."""
        board = self.game.board(self.states[-1])
        columns = [self.dialect.vertex(f"{label}1")[:-1] for label in board.column_labels]
        return "\n" + "\n".join(board_lines(replace(board, column_labels=columns)))

    def do_final_score(self, _: Sequence[str]) -> str:
        """The winner and the margin. After two passes in Go, dead stones are removed first."""
        state = self.states[-1]
        if not self.game.terminal(state) and not self.dialect.free_turns:
            raise Refusal("cannot score: the game is not over")
        status = self.final_status()
        payoff = float(self.game.utility(state)) if status is None else status.utility_without
        return "0" if payoff == 0 else f"{'B' if payoff > 0 else 'W'}+{abs(payoff):g}"

    def do_final_status_list(self, words: Sequence[str]) -> str:
        """Return the points of all chains with the requested status (dead, alive or seki), one line for each chain."""
        if words[:1] == [] or words[0] not in STATUSES:
            raise Refusal(f"status is not one of {', '.join(STATUSES)}")
        if not isinstance(self.game, AreaScoring):
            raise Refusal(f"stones are never dead in {self.game.name}")
        status = self.final_status()
        if status is None:
            raise Refusal("cannot score: the game is not over")
        groups = [each.points for each in status.groups if each.status == words[0]]
        names = [[self.dialect.vertex(self.game.move_name(status.state, point)) for point in each] for each in groups]
        return "\n".join(" ".join(each) for each in names)

    def final_status(self) -> FinalStatus | None:
        """Return the status of all stones after two passes; None if the game is not over."""
        if self.counted is None or self.counted[0] != self.states[-1]:
            self.counted = self.states[-1], status_at_end(self.game, self.states[-1], self.speed)
        return self.counted[1]

    # Thinking. -----------------------------------------------------------------------------------
    def do_genmove(self, words: Sequence[str]) -> str:
        """Choose a move for a color, and make it."""
        begun = time.monotonic()
        state, move = self.choose_move(words)
        name = self.dialect.vertex(self.game.move_name(state, move))
        self.advance(state, move)
        self.spend(color_of_word(words), time.monotonic() - begun)
        return name

    def do_reg_genmove(self, words: Sequence[str]) -> str:
        """Choose a move for a color, but do not make the move."""
        state, move = self.choose_move(words)
        return self.dialect.vertex(self.game.move_name(state, move))

    def choose_move(self, words: Sequence[str]) -> tuple[Any, int]:
        """Search the current state as if the requested color were to move. Returns the searched state and the best
        move."""
        player = color_of_word(words)
        state = self.state_for(player)
        steps = self.steps(state)
        if not steps:
            raise Refusal("the game is over")
        turn = Turn(self.game, (*self.states[:-1], state), tuple(self.moves), clock=self.clock(player))
        best = self.player.answer(turn).best if len(steps) > 1 else None
        return state, steps[0] if best is None else best

    def do_time_settings(self, words: Sequence[str]) -> None:
        """Set main time, byo-yomi time and byo-yomi stones. If the byo-yomi time is greater than 0 and the number of
        stones is 0, there is no time limit."""
        try:
            main, period, stones = float(words[0]), float(words[1]), int(words[2])
        except (IndexError, ValueError):
            raise Refusal("syntax error") from None
        self.settings, self.left = (main, period, stones), [None, None]

    def do_time_left(self, words: Sequence[str]) -> None:
        """Set how much time a color has left, and how many stones it must play in this time. If the number is 0, this
        time is the main time."""
        player = color_of_word(words)
        try:
            self.left[player] = float(words[1]), int(words[2])
        except (IndexError, ValueError):
            raise Refusal("syntax error") from None

    def clock(self, player: int) -> Clock | None:
        """Return the clock of a color. If it is None, only the limits of the algorithm apply."""
        _, period, stones = self.settings
        is_untimed = self.left[player] is None and self.settings == (0.0, 0.0, 0)
        if is_untimed or (period > 0 and stones == 0):
            return None
        seconds, to_play = self.time_left(player)
        share = period / stones if stones else 0.0  # byo-yomi after main time counts as an increment
        return Clock((max(0.0, seconds),) * 2, 0.0 if to_play else share, to_play or None)

    def time_left(self, player: int) -> tuple[float, int]:
        """The seconds left for a color, and the number of stones to play in this time (0 in main time)."""
        main, period, stones = self.settings
        return self.left[player] or ((main, 0) if main > 0 else (period, stones))

    def spend(self, player: int, seconds: float) -> None:
        """Subtract seconds from the clock of a color. The program that sends the commands may never report the time
        left."""
        _, period, stones = self.settings
        left, to_play = self.time_left(player)
        left -= seconds
        if to_play == 0 and left <= 0 and stones:
            left, to_play = period + left, stones
        elif to_play:
            to_play -= 1
            left, to_play = (left, to_play) if to_play else (period, stones)
        self.left[player] = left, to_play

    def state_for(self, player: int) -> Any:
        """Return the current state with the given player to move. In Go, either color may move at any time."""
        state = self.states[-1]
        if self.dialect.free_turns:
            is_ready = state.turn == player and state.passes < 2  # a move may be requested after two passes
            return state if is_ready else state._replace(turn=player, passes=0, ko=-1)
        if not self.game.terminal(state) and self.game.player(state) != player:
            raise Refusal("it is not the turn of this color")
        return state

    def steps(self, state: Any) -> list[int]:
        """Return the legal moves in a state that `state_for` returned."""
        return [] if self.game.terminal(state) else self.game.steps(state, self.states[:-1])

    def advance(self, state: Any, m: int) -> None:
        """Make a move in a state that `state_for` returned."""
        self.states[-1] = state
        self.states.append(self.game.result(state, m))
        self.moves.append(m)


COMMANDS: dict[str, str | Callable[[GtpServer, Sequence[str]], str | None]] = {
    "protocol_version": "2",
    "name": "gamesearch",
    "version": metadata.version("gamesearch"),
    "quit": "",
    **{name.removeprefix("do_"): method for name, method in vars(GtpServer).items() if name.startswith("do_")},
}
"""The commands, each with a fixed answer or with the method that carries it out."""


def load_server_algorithm(text: str, seconds: float) -> Algorithm:
    """Load the algorithm of an engine. By default, the algorithm deepens iteratively, and has `seconds` per move in
    games without a clock."""
    return load_algorithm(text, {"time": seconds, "deepen": True})


def color_of_word(words: Sequence[str]) -> int:
    """The first word is a color: return the number of this color's player."""
    named = [player for player, name in enumerate(COLOURS) if words and words[0].casefold() in (name, name[0])]
    if not named:
        raise Refusal("invalid color or coordinate")
    return named[0]


def handicap_pattern(points: Sequence[str], count: int) -> list[str]:
    """Return the first `count` points. If `count` is odd and at least 5, the last point is replaced by the center."""
    return [*points[: count - 1], points[-1]] if count >= 5 and count % 2 else list(points[:count])


def whole_number(words: Sequence[str]) -> int:
    """Parse the first word as a number. Any further words must equal the first, because programs for Hex send the size
    twice."""
    if not words or not words[0].isascii() or not words[0].isdecimal() or len(words[0]) > 4 or len(set(words)) > 1:
        raise Refusal("boardsize not an integer")
    return int(words[0])
