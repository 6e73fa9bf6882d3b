"""Games derived from another game: the moves are shuffled, Min moves at random, a player chooses the dice, or one
player plays against all others together."""

import random
from collections.abc import Iterator
from typing import Any

from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.notation import player_name
from gamesearch.optional import Shortcuts, StochasticGame, bounds_hold_estimates, estimate_sees_chance
from gamesearch.toolkit.bits import mix
from gamesearch.toolkit.boards import Board

__all__ = ["COALITION", "ChosenDice", "CoalitionGame", "RandomOpponent", "Reduction", "ShuffledGame"]

COALITION = "the others"
FACTS = (
    "name", "chance", "win_or_loss", "repetition", "MINSCORE", "MAXSCORE",
    "interpreted_because", "suggested_depth", "has_order", "has_move_kinds",
)  # fmt: skip


class DerivedGame(Game):
    """A game with the states, moves and notation of another game. Subclasses change some of its rules."""

    def __init__(self, game: Game, *more_facts: str) -> None:
        self.game = game
        for fact in (*FACTS, *more_facts):
            setattr(self, fact, getattr(game, fact))

    def initial(self) -> Any:
        return self.game.initial()

    def player(self, s: Any) -> int:
        return self.game.player(s)

    def moves(self, s: Any) -> Iterator[int]:
        return self.game.moves(s)

    def result(self, s: Any, m: int) -> Any:
        return self.game.result(s, m)

    def outcomes(self, s: Any) -> Iterator[tuple[int, float]]:
        return self.game.outcomes(s)

    def moves_at_random(self, s: Any) -> bool:
        return self.game.moves_at_random(s)

    def terminal(self, s: Any) -> bool:
        return self.game.terminal(s)

    def utility(self, s: Any) -> Any:
        return self.game.utility(s)

    def evaluate(self, s: Any) -> Any:
        return self.game.evaluate(s)

    def draw_value(self) -> float:
        return self.game.draw_value()

    def order(self, s: Any, m: int) -> float:
        return self.game.order(s, m)

    def kind_of_move(self, s: Any, m: int) -> int:
        return self.game.kind_of_move(s, m)

    def key(self, s: Any) -> Any:
        return self.game.key(s)

    def arrangement(self, s: Any) -> Any:
        return self.game.arrangement(s)

    def progress(self, s: Any) -> int:
        return self.game.progress(s)

    def format(self, s: Any) -> str:
        return self.game.format(s)

    def move_name(self, s: Any, m: int) -> str:
        return self.game.move_name(s, m)

    def board(self, s: Any) -> Board:
        return self.game.board(s)


class ShuffledGame(DerivedGame, StochasticGame[Any], Shortcuts[Any]):
    """A derived game in which the moves of each position are in random order. The order depends only on position and
    seed."""

    def __init__(self, game: Game, seed: int) -> None:
        super().__init__(game, "players", "zero_sum", "names")
        self.bounds_hold_estimates, self.estimate_sees_chance = bounds_hold_estimates(game), estimate_sees_chance(game)
        self.looks_ahead = isinstance(game, Shortcuts) and game.looks_ahead
        self.seed = seed
        self.interpreted_because = "each order of the moves would have to be compiled separately"

    def moves(self, s: Any) -> Iterator[int]:
        moves = list(self.game.moves(s))
        random.Random(mix((self.seed, mix(self.game.key(s))))).shuffle(moves)
        return iter(moves)

    def bounds(self, s: Any) -> tuple[float, float]:
        return self.game.bounds(s)

    def skips_table(self, s: Any) -> bool:
        return isinstance(self.game, Shortcuts) and self.game.skips_table(s)

    def is_needed(self, s: Any, m: int) -> bool:
        return not isinstance(self.game, Shortcuts) or self.game.is_needed(s, m)


class Reduction(DerivedGame):
    """A derived game that an algorithm searches instead of the original game. The values of the derived game are
    numbers, even if the values of the original game are tuples."""


class RandomOpponent(Reduction):
    """A derived game in which Min plays randomly. All moves of Min have the same probability."""

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.chance, self.win_or_loss = True, False

    def player(self, s: Any) -> int:
        player = self.game.player(s)
        return CHANCE if player == MIN else player

    def moves_at_random(self, s: Any) -> bool:
        return self.game.player(s) == MIN

    def outcomes(self, s: Any) -> Iterator[tuple[int, float]]:
        if self.moves_at_random(s):
            count = 0
            for _ in self.game.moves(s):
                count += 1
            for move in self.game.moves(s):
                yield move, 1.0 / count
        else:
            for outcome, probability in self.game.outcomes(s):
                yield outcome, probability


class ChosenDice(Reduction):
    """A derived game without chance: one player, Max or Min, chooses all outcomes."""

    def __init__(self, game: Game, chooser: int) -> None:
        super().__init__(game)
        self.chance, self.chooser = False, chooser

    def player(self, s: Any) -> int:
        player = self.game.player(s)
        return self.chooser if player == CHANCE else player

    def moves(self, s: Any) -> Iterator[int]:
        if self.game.player(s) == CHANCE:
            for outcome, probability in self.game.outcomes(s):
                if probability > 0.0:
                    yield outcome
        else:
            for move in self.game.moves(s):
                yield move


class CoalitionGame(Reduction):
    """A game of several players reduced to two: one player is Max, and all others together are Min."""

    def __init__(self, game: Game, one: int) -> None:
        super().__init__(game)
        self.one = one
        self.names = (player_name(game, one), COALITION)

    def player(self, s: Any) -> int:
        player = self.game.player(s)
        if player == CHANCE:
            return CHANCE
        return MAX if player == self.one else MIN

    def utility(self, s: Any) -> float:
        return float(self.game.utility(s)[self.one])

    def evaluate(self, s: Any) -> float:
        return float(self.game.evaluate(s)[self.one])
