"""Players that are other programs. Programs that use the protocol in docs/reference/protocol.md can play any game. GNU
Backgammon has its own class.

gamesearch sends GNU Backgammon the commands that people type into the program (GNU Backgammon Manual, "Command
reference"), and rolls the dice itself.
"""

import math
import re
import time
from collections.abc import Iterable
from typing import Any

from gamesearch import registry
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.notation import player_name
from gamesearch.optional import CubeGame
from gamesearch.play.engines.engine_player import TO_START, AnswerTimer, LinePlayer, legal_names
from gamesearch.play.engines.process import LineProcess
from gamesearch.play.players.player import PlayerError, Resigned, Turn

__all__ = ["VERSION", "ExternalPlayer", "GnubgPlayer"]

VERSION = 1  # the version of the protocol
NUMBER = r"(value|depth|nodes)\s+(-?[0-9][0-9.e+-]*)"  # a number that a program reports, such as `depth 5`

MOST_COUNTED = 1e18  # a program that reports a greater depth or more nodes is not believed


class ExternalPlayer(LinePlayer):
    """A program that gets the game and all moves, and answers with the name of a legal move."""

    def ask(self, turn: Turn, monitor: Monitor) -> SearchResult:
        """Send the turn and wait for the move; after a request to stop, the program has TO_STOP seconds to answer."""
        process, legal = self.running_program(), legal_names(turn)
        process.write(*self.question(turn, legal))
        watch, numbers, principal = AnswerTimer(monitor, self.patience(turn)), dict[str, float](), ""
        while True:
            line = process.read(watch.deadline, watch.is_unwanted)
            if line is None and watch.is_stopped and time.monotonic() < watch.deadline:
                process.write("stop")
                continue
            if line is None:
                return self.handle_no_answer(watch)
            word, _, rest = line.strip().partition(" ")
            if word == "info":
                before, _, after = f" {rest}".partition(" line ")
                numbers |= numbers_in(before)
                principal = after or principal
                watch.progress.depth, watch.progress.nodes = int(numbers.get("depth", 0)), int(numbers.get("nodes", 0))
            elif word == "move":
                break
            elif word == "resign" and not rest:
                raise Resigned(f"{self.specification} resigns")
            elif word == "error":
                raise PlayerError(f"{self.specification} failed: {rest[:200]}")
        name = rest.strip()
        while name not in legal and (match := re.search(rf"\s+{NUMBER}$", name)):
            numbers |= numbers_in(match[0])
            name = name[: match.start()]
        move = legal.get(name)
        if move is None:
            raise self.illegal(turn, rest)
        stopped = "interrupted" if watch.is_stopped else ""
        return self.result(move, watch.seconds, stopped, **information_of(turn, numbers, principal))

    def introduce(self, process: LineProcess) -> None:
        """Send the game, and wait until the program is ready."""
        names = [f"name {player} {player_name(self.rules, player)}" for player in range(self.rules.players)]
        process.write(f"gamesearch {VERSION}", f"game {registry.specification_of(self.rules)}", *names, "begin")
        deadline = time.monotonic() + TO_START
        while (line := process.read(deadline)) is not None:
            words = line.split()
            if words[:1] == ["ready"]:
                if words[1:] not in ([], [str(VERSION)]):
                    raise PlayerError(f"{self.specification} uses version {words[1]} of the protocol, not {VERSION}")
                return
            if words[:1] == ["error"]:
                raise PlayerError(f"{self.specification} failed: {' '.join(words[1:])[:200]}")
        raise PlayerError(f"{self.specification} was not ready within {TO_START:g} s, and was killed")

    def question(self, turn: Turn, legal: Iterable[str]) -> list[str]:
        """The lines that ask a program for a move. They contain the moves since the last question (after undo, all
        moves), the position, the limits and the clock."""
        game, clock, (is_new, steps) = turn.game, turn.clock, self.changes_to_send(turn)
        lines = [f"start {game.format(turn.states[0])}"] if is_new else []
        for s, m in steps:
            player, name = game.player(s), game.move_name(s, m)
            lines.append(f"chance {name}" if player == CHANCE else f"played {player} {name}")
        lines += [f"position {game.format(turn.state)}", *(f"legal {name}" for name in legal)]
        if clock is not None:
            lines += [f"clock {player} {seconds:.3f}" for player, seconds in enumerate(clock.remaining)]
            lines.append(f"increment {clock.increment:g}")
            lines += [f"movestogo {clock.moves_to_go}"] if clock.moves_to_go else []
        lines += [f"limit {name} {value:g}" for name, value in vars(self.limits(turn)).items() if value is not None]
        return [*lines, f"seed {turn.seed}", f"go {turn.mover}"]


def numbers_in(text: str) -> dict[str, float]:
    """Parse the numbers that a program reports. Invalid numbers are ignored, and so are counts that no search can
    reach."""
    numbers = {}
    for key, written in re.findall(NUMBER, text):
        try:
            number = float(written)
        except ValueError:
            continue
        if math.isfinite(number) and (key == "value" or 0 <= number <= MOST_COUNTED):
            numbers[key] = number
    return numbers


def information_of(turn: Turn, numbers: dict[str, float], principal: str) -> dict[str, Any]:
    """Convert the numbers and the principal variation that the program reported to arguments of `result()`. The
    variation ends before the first illegal move."""
    game, s = turn.game, turn.state
    line: list[int] = []
    for name in principal.split(";"):
        steps = {} if game.terminal(s) else {game.move_name(s, m): m for m in game.steps(s)}
        if name.strip() not in steps:
            break
        line.append(steps[name.strip()])
        s = game.result(s, line[-1])
    value = numbers.get("value") if game.players == 2 and game.zero_sum else None
    counts = {name: int(numbers.get(name, 0)) for name in ("depth", "nodes")}
    return {"value": value, "line": tuple(line), **counts}


# GNU Backgammon. ----------------------------------------------------------------------------------
MOST_PLIES = 4
OPTIONS = ("--tty", "--quiet", "--no-rc")
BEGINNING = (
    "set player 0 human",
    "set player 1 human",
    *(f"set automatic {what} off" for what in ("game", "roll", "move", "bearoff", "doubles")),
    "set display off",
    "set cube use off",
    "set jacoby off",
    "set evaluation chequerplay evaluation cubeful off",
)
"""Commands that switch off automatic actions and the doubling cube, and let gammons and backgammons count."""
HINT = re.compile(r"\s*1\.\s+\S+\s+(\d+)-ply\s+(.*?)\s+Eq\.:\s*([+-]?\d+[.,]\d+).*")


class GnubgPlayer(LinePlayer):
    """GNU Backgammon with a search depth; a depth of 0 plies evaluates each move without search."""

    farewell = None

    def __init__(self, specification: str, game: Game, path: str, plies: int) -> None:
        if type(game).name != "backgammon":
            raise GamesearchError(f"gnubg plays backgammon, not {game.name}: external(...) plays any game")
        if isinstance(game, CubeGame):
            raise GamesearchError("gnubg plays only without the doubling cube: use backgammon without parameters")
        if not 0 <= plies <= MOST_PLIES:
            raise GamesearchError(
                f"the parameter `plies` of gnubg must be a number from 0 to {MOST_PLIES}, not {plies}"
            )
        super().__init__(specification, game, path, Limits())
        self.command += OPTIONS
        self.plies, self.has_limit = plies, True

    def ask(self, turn: Turn, monitor: Monitor) -> SearchResult:
        """Set the program's board and dice, and play the first of its hints."""
        game, s = turn.game, turn.state
        steps = game.steps(s)
        if len(steps) == 1:  # GNU Backgammon gives no hint if there is only one move
            return self.result(steps[0], 0.0)
        process, identity = self.running_program(), game.format(s).split()[0]
        watch = AnswerTimer(monitor, self.patience(turn))
        process.write(f"set board {identity}", f"set dice {s.roll // 10} {s.roll % 10}", "hint 1")
        while (line := process.read(watch.deadline, watch.is_unwanted)) is not None:
            match = HINT.fullmatch(line)
            if match is not None:
                break
        else:
            return self.handle_no_answer(watch)
        try:
            move = game.parse_move(s, match[2])
        except GamesearchError:
            raise self.illegal(turn, match[2]) from None
        equity = float(match[3].replace(",", "."))
        value = equity if s.turn == MAX else -equity
        return self.result(move, watch.seconds, value=value, depth=int(match[1]))

    def introduce(self, process: LineProcess) -> None:
        """Begin a game, because the program refuses to set a board outside of a game."""
        plies = f"set evaluation chequerplay evaluation plies {self.plies}"
        process.write(*BEGINNING, plies, "new session", "set turn 0")
