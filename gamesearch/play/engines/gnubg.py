"""A player that runs GNU Backgammon. The player sends the board and the dice to the program, and plays its best hint.

gamesearch rolls the dice. It sends the same commands that people type into the program (GNU Backgammon Manual, "Command
reference").
"""

import re

from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.optional import WithCube
from gamesearch.play.engines.engine_player import LinePlayer, Watch
from gamesearch.play.engines.process import LineProcess
from gamesearch.play.players.player import Turn

__all__ = ["GnubgPlayer"]

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
            raise GamesearchError(f"gnubg plays backgammon, not {game.name}: use external(...) for other games")
        if isinstance(game, WithCube):
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
        watch = Watch(monitor, self.patience(turn))
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
