"""The computer as a player at a level: `computer(level=3)`."""

import random
from dataclasses import replace

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.parameters import seed_checked
from gamesearch.algorithms.engine.result import Monitor, SearchResult, Statistics
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.algorithms.node.workspace import MAX_PLY
from gamesearch.algorithms.root.move_values import MoveSearch
from gamesearch.game import Game
from gamesearch.play.players.levels import Level, choose, level_of, unit_of
from gamesearch.play.players.player import COMPUTER, Player, Turn
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.specification import format_specification
from gamesearch.toolkit.bits import mix

__all__ = ["Computer", "computer_text"]

OPENING_PLIES = 4
"""In the first plies, even the best level chooses randomly between almost equal moves, so that games differ."""
OPENING_TEMPERATURE = 0.05
ENOUGH = 0.25
"""The value of a move counts if it has at least this share of the visits of the most visited move."""


class Computer(Player):
    """Searches by the default algorithm of a game within the nodes of its level, and may choose its move randomly.

    For a random choice, it spends its nodes on a separate search of each move, to the same depth; or on one search if
    that has values for all moves.
    """

    def __init__(
        self,
        algorithm: Algorithm,
        level: str | Level,
        seed: int | str = "",
        speed: str = "auto",
        seen: Game | None = None,
    ) -> None:
        """With `seen`, it uses the evaluation of that game, whose rules are the same."""
        self.level, self.seed = level if isinstance(level, Level) else level_of(level), seed_checked(seed)
        self.specification = computer_text(str(level), seed)
        self.algorithm: Algorithm = algorithm
        self.needs_seed = seed == ""
        self.own_time = algorithm.time or None
        self.has_limit = self.level.nodes is not None or bool(algorithm.time)
        self.speed = speed
        self.thinking = AlgorithmPlayer(algorithm, speed, evaluation_game=seen)
        self.unit: tuple[Game, float] | None = None
        self.evaluation_game = seen

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        """The best move, or a nearly equal one, chosen by the seed, the position and the ply."""
        nodes = [most for most in (self.level.nodes, turn.limits.nodes) if most is not None]
        limits = replace(turn.limits, nodes=min(nodes, default=None))
        turn = replace(turn, game=self.evaluation_game or turn.game, limits=limits)
        temperature = self.temperature(turn)
        if self.algorithm.values_moves:
            return self.choose_randomly(self.thinking.answer(turn, monitor), temperature, turn)
        if not temperature and self.algorithm.can_deepen:
            return self.thinking.answer(turn, monitor)
        limits = self.algorithm.limits(turn.game, self.thinking.limits(turn))
        if limits.target is not None:  # the moves are searched separately, so the end of a search is not known
            limits = replace(limits, time=limits.target, target=None)
        with Searcher(turn.game, self.algorithm, self.speed) as searcher:
            search = MoveSearch(
                turn.game, turn.state, self.algorithm, monitor=monitor, past=turn.past, searcher=searcher
            )
            valued, depth = search.within(limits.depth or MAX_PLY, limits)
        done = search.total
        chosen = choose(turn.game, turn.mover, [each.found for each in valued], temperature, self.generator(turn))
        return SearchResult(
            algorithm=self.specification,
            value=chosen.value,
            bound="exact",
            best=chosen.move,
            line=(chosen.move, *chosen.line),
            # Searches without a depth saw the end of the game; the move itself is one ply more.
            statistics=Statistics(
                nodes=done.nodes, depth=depth or done.depth + 1, seconds=done.seconds, speed=done.speed
            ),
            distance=chosen.distance,
            sees_the_end=next(each.is_final for each in valued if each.found is chosen),
        )

    def choose_randomly(self, found: SearchResult, temperature: float, turn: Turn) -> SearchResult:
        """The result of a search with values for all moves, possibly with another move, chosen randomly."""
        most = max((each.visits for each in found.moves), default=0)
        known = [each for each in found.moves if each.visits >= ENOUGH * most]
        if not temperature or found.sees_the_end or not known:
            return found
        chosen = choose(turn.game, turn.mover, known, temperature, self.generator(turn))
        if chosen.move == found.best:
            return found
        return replace(found, value=chosen.value, best=chosen.move, line=(chosen.move,), distance=chosen.distance)

    def temperature(self, turn: Turn) -> float:
        """The temperature of a move, in the unit of the game's values."""
        units = max(self.level.temperature, OPENING_TEMPERATURE if len(turn.moves) < OPENING_PLIES else 0.0)
        if units and (self.unit is None or self.unit[0] is not turn.game):
            self.unit = turn.game, unit_of(turn.game)
        return units * self.unit[1] if units and self.unit is not None else 0.0

    def generator(self, turn: Turn) -> random.Random:
        """The random generator for a move."""
        seed = mix((turn.seed, turn.mover)) if self.needs_seed else self.seed
        return random.Random(f"{seed}:{len(turn.moves)}:{mix(turn.game.key(turn.state))}")

    def prepare(self, turn: Turn, monitor: Monitor | None = None) -> None:
        """Compile or load the code of its searches."""
        self.thinking.prepare(turn, monitor)

    def begin(self) -> None:
        """Forget the previous game."""
        self.thinking.begin()


def computer_text(level: str, seed: int | str = "") -> str:
    """The specification of the computer at a level."""
    name = level.strip().casefold()
    parameters: dict[str, int | str] = {"level": int(name) if name.isdecimal() else name}
    return format_specification(COMPUTER, parameters if seed == "" else {**parameters, "seed": seed})
