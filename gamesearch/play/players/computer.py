"""The computer as a player, such as `computer(level=3)`, and its levels, which are the same in every game.

A level is a number of nodes and a temperature, so the computer's moves do not depend on the machine. A weak level
chooses randomly among the moves that its search considers nearly as good as the best (Boltzmann distribution, or
softmax). It chooses worse moves more often if the temperature is higher. The highest levels have temperature 0: they
play the best move.

The unit of the temperature is the mean amount by which a move changes the game's evaluation. So a temperature means the
same in games whose evaluations count pawns, discs or winning chances.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.parameters import check_seed
from gamesearch.algorithms.engine.result import Limits, Monitor, MoveValue, SearchResult, Value, value_for_player
from gamesearch.algorithms.root.best_moves import search_best_moves
from gamesearch.errors import GamesearchError
from gamesearch.game import MIN, Game
from gamesearch.play.players.player import COMPUTER, Player, Turn
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.specification import format_specification, nearest
from gamesearch.toolkit.bits import mix
from gamesearch.toolkit.random_games import sample_moves

__all__ = [
    "ELO_RANGE", "LEVELS", "USUAL_LEVEL", "WORDS", "Computer", "Level", "choose", "computer_text", "level_of",
    "level_of_elo", "unit_of",
]  # fmt: skip

# A move is never chosen if its value is below the best value by more than NEAR times the temperature. Such a move would
# be less than 2 % as probable as the best move.
NEAR = 4.0
SAMPLE, LONGEST_GAME = 100, 50  # SAMPLE moves of random games measure the unit; games end after LONGEST_GAME moves


@dataclass(frozen=True)
class Level:
    """One of the levels at which the computer can play."""

    nodes: int | None  # the node limit for a move; None if only time limits the search
    temperature: float  # the temperature in units of the game; at 0 the best move is played


NODES = (400, 400, 500, 800, 1_600, 2_800, 5_000, 9_000, 21_000, 51_200)
TEMPERATURES = (1.3, 0.7, 0.4, 0.3, 0.2, 0.1, 0.05, 0.0, 0.0, 0.0)
LEVELS = {str(number): Level(*each) for number, each in enumerate(zip(NODES, TEMPERATURES, strict=True), 1)}
"""The levels by number; in chess, adjacent levels differ by similar numbers of Elo points (see
`benchmarks/results.md`)."""
WORDS = {"easy": LEVELS["2"], "normal": LEVELS["5"], "hard": LEVELS["8"], "best": Level(None, 0.0)}
"""The levels by name; the level `best` has no node limit, and uses the whole time for a move."""
CHESS_ELO = (1020, 1170, 1300, 1440, 1550, 1670, 1750, 1850, 1940, 2040)
"""The strength of the ten levels in chess, on the scale of Stockfish's UCI_Elo (measured in
`benchmarks/results.md`)."""
ELO_RANGE = CHESS_ELO[0], CHESS_ELO[-1]
USUAL_LEVEL = "normal"  # the default level


def level_of(name: str) -> Level:
    """Return the level for a number from 1 to 10, or for a word such as `easy`."""
    found = {**LEVELS, **WORDS}.get(name.strip().casefold())
    if found is None:
        near = nearest(name, WORDS)
        hint = near if near.startswith("did you mean") else "write a number from 1 to 10, or easy, normal, hard or best"
        raise GamesearchError(f"unknown level {name!r}: {hint}")
    return found


def level_of_elo(elo: float) -> Level:
    """The level that has a given Elo strength in chess. The strength must lie within ELO_RANGE. It may lie between two
    of the ten levels."""
    above = next(number for number, strength in enumerate(CHESS_ELO) if elo <= strength)
    below = max(0, above - 1)
    weaker, stronger = (LEVELS[str(number + 1)] for number in (below, above))
    assert weaker.nodes is not None
    assert stronger.nodes is not None
    gap = CHESS_ELO[above] - CHESS_ELO[below]
    part = (elo - CHESS_ELO[below]) / gap if gap else 0.0
    nodes = weaker.nodes * (stronger.nodes / weaker.nodes) ** part
    return Level(round(nodes), weaker.temperature + part * (stronger.temperature - weaker.temperature))


def unit_of(game: Game) -> float:
    """Return the mean amount by which a move changes the evaluation in random games. If this amount is 0, or more than
    a tenth of the range of payoffs, return a tenth of the range."""
    changes = [
        abs(new - old)
        for before, after in sample_moves(game, SAMPLE, LONGEST_GAME)
        for new, old in zip(estimates(game, after), estimates(game, before), strict=True)
    ]
    mean, most = math.fsum(changes) / len(changes) if changes else 0.0, (game.MAXSCORE - game.MINSCORE) / 10 or 1.0
    return min(mean, most) or most


def estimates(game: Game, state: Any) -> tuple[float, ...]:
    """Return the evaluation of a position as a tuple: one number, or one number for each player."""
    found = game.evaluate(state)
    return found if isinstance(found, tuple) else (float(found),)


def choose(
    game: Game, mover: int, moves: Sequence[MoveValue], temperature: float, generator: random.Random
) -> MoveValue:
    """Choose a move randomly. Moves with better values are more probable. At temperature 0, choose one of the best
    moves."""
    kept = remove_detours(game, mover, moves)
    worth = [value_for_player(mover, found.value) for found in kept]
    best = max(worth)
    if not temperature:
        return generator.choice([found for found, each in zip(kept, worth, strict=True) if each == best])
    losses = [(best - each) / temperature for each in worth]
    weights = [math.exp(-loss) if loss <= NEAR else 0.0 for loss in losses]
    return generator.choices(kept, weights)[0]


def remove_detours(game: Game, mover: int, moves: Sequence[MoveValue]) -> list[MoveValue]:
    """Remove all winning moves except the fastest, and all losing moves except the slowest. Keep all other moves."""
    won, lost = (game.MINSCORE, game.MAXSCORE) if mover == MIN else (game.MAXSCORE, game.MINSCORE)
    certain = [(found.value, found.distance) for found in moves if found.distance is not None]
    wanted: dict[Value, int | None] = {
        won: min((plies for value, plies in certain if value == won), default=None),
        lost: max((plies for value, plies in certain if value == lost), default=None),
    }
    return [found for found in moves if wanted.get(found.value) in (None, found.distance)]


# The player. --------------------------------------------------------------------------------------
OPENING_PLIES = 4  # the plies at the start in which even the best level chooses among almost equal moves
OPENING_TEMPERATURE = 0.05
# If a search counts visits, a move is chosen only if it has at least ENOUGH times as many visits as the most visited
# move.
ENOUGH = 0.25


class Computer(Player):
    """Searches with the default algorithm and the node limit of a level, and may choose randomly among good moves. To
    find these moves, it searches all moves to the same depth. If a move is too bad to be chosen, the search finds only
    a bound, not a value."""

    def __init__(
        self,
        algorithm: Algorithm,
        level: str | Level,
        seed: int | str = "",
        speed: str = "auto",
        evaluation_game: Game | None = None,
    ) -> None:
        """The computer uses the evaluation of `evaluation_game`, a game with the same rules."""
        self.level, self.seed = level if isinstance(level, Level) else level_of(level), check_seed(seed)
        self.specification = computer_text(str(level), seed)
        self.algorithm: Algorithm = algorithm
        self.needs_seed = seed == ""
        self.own_time = algorithm.time or None
        self.has_limit = self.level.nodes is not None or bool(algorithm.time)
        self.speed = speed
        self.thinking = AlgorithmPlayer(algorithm, speed, evaluation_game=evaluation_game)
        self.unit: tuple[Game, float] | None = None
        self.evaluation_game = evaluation_game

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        """Return the best move or a nearly equal move; the choice depends on the seed, the position and the ply."""
        nodes = [most for most in (self.level.nodes, turn.limits.nodes) if most is not None]
        limits = replace(turn.limits, nodes=min(nodes, default=None))
        turn = replace(turn, game=self.evaluation_game or turn.game, limits=limits)
        temperature = self.temperature(turn)
        if self.algorithm.values_moves:
            return self.choose_randomly(self.thinking.answer(turn, monitor), temperature, turn)
        limits = self.algorithm.limits(turn.game, self.thinking.limits(turn))
        if not temperature and self.algorithm.can_deepen:
            found = self.thinking.answer(turn, monitor)
            if found.best is not None:
                return found
            limits = Limits(depth=1, nodes=1)  # no time or nodes for a search: use the evaluation
        if limits.target is not None:  # separate searches of moves have no target time
            limits = replace(limits, time=limits.target, target=None)
        context: dict[str, Any] = {"speed": self.speed, "monitor": monitor, "past": turn.past}
        # The margin is above 0, so that all moves with the best value are found even if the temperature is 0.
        margin = NEAR * temperature or math.ulp(0.0)
        found = search_best_moves(turn.game, turn.state, self.algorithm, limits, 1, margin=margin, **context)
        chosen = choose(turn.game, turn.mover, found.moves, temperature, self.generator(turn))
        return replace(
            found,
            algorithm=self.specification,
            value=chosen.value,
            best=chosen.move,
            line=(chosen.move, *chosen.line),
            distance=chosen.distance,
            moves=(),
            stopped="",
            sees_the_end=found.sees_the_end or chosen.distance is not None,
        )

    def choose_randomly(self, found: SearchResult, temperature: float, turn: Turn) -> SearchResult:
        """Choose a random move from `found`, the result of a search that has valued each move."""
        most = max((each.visits for each in found.moves), default=0)
        known = [each for each in found.moves if each.visits >= ENOUGH * most]
        if not temperature or found.sees_the_end or not known:
            return found
        chosen = choose(turn.game, turn.mover, known, temperature, self.generator(turn))
        if chosen.move == found.best:
            return found
        return replace(found, value=chosen.value, best=chosen.move, line=(chosen.move,), distance=chosen.distance)

    def temperature(self, turn: Turn) -> float:
        """Return the temperature for the choice of a move, in the unit of the game's values."""
        units = max(self.level.temperature, OPENING_TEMPERATURE if len(turn.moves) < OPENING_PLIES else 0.0)
        if units and (self.unit is None or self.unit[0] is not turn.game):
            self.unit = turn.game, unit_of(turn.game)
        return units * self.unit[1] if units and self.unit is not None else 0.0

    def generator(self, turn: Turn) -> random.Random:
        """The random generator for a move."""
        seed = mix((turn.seed, turn.mover)) if self.needs_seed else self.seed
        return random.Random(f"{seed}:{len(turn.moves)}:{mix(turn.game.key(turn.state))}")

    def prepare(self, turn: Turn, monitor: Monitor | None = None) -> None:
        """Compile or load the code of the computer's searches."""
        self.thinking.prepare(turn, monitor)

    def ponders(self, game: Game) -> bool:
        """Whether the computer ponders: only a level without a node limit does."""
        return self.level.nodes is None and self.thinking.ponders(game)

    def ponder(self, turn: Turn) -> None:
        """Think on the opponent's time if the level has no node limit."""
        if self.ponders(turn.game):
            self.thinking.ponder(turn)

    def begin(self) -> None:
        """Forget the previous game."""
        self.thinking.begin()


def computer_text(level: str, seed: int | str = "") -> str:
    """The specification of a computer player, such as `computer(level=3)`, with the given level and seed."""
    name = level.strip().casefold()
    parameters: dict[str, int | str] = {"level": int(name) if name.isdecimal() else name}
    return format_specification(COMPUTER, parameters if seed == "" else {**parameters, "seed": seed})
