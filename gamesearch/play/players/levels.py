"""How strong the computer plays: ten levels and a few words for them, the same in every game.

A level is a number of nodes and a temperature. Each level may visit twice as many nodes as the one below, so that what
it finds does not depend on the machine. A weak level draws its move by lot among those that its own search takes for
nearly as good as the best (Boltzmann's distribution, or softmax): the higher the temperature, the more often a worse
one. The temperature falls to 0 at the highest levels, which play the best move they find.

Temperatures are in units of a game: how much the evaluation changes with a move, on average. So they mean the same
where values are pawns, discs or chances.
"""

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.engine.result import MoveValue, Value
from gamesearch.errors import GamesearchError
from gamesearch.game import MIN, Game
from gamesearch.specification import nearest

__all__ = ["ELO_RANGE", "LEVELS", "USUAL_LEVEL", "WORDS", "Level", "choose", "level_of", "level_of_elo", "unit_of"]

NEAR = 4.0
"""A move that is worse than the best by more than so many temperatures is never drawn: it had less than 2 % to it."""
SAMPLE, LONGEST_GAME = 100, 50
"""How many random moves tell the unit of a game, and after how many of them another game begins."""


@dataclass(frozen=True)
class Level:
    """How strong the computer plays."""

    nodes: int | None
    """Positions visited for a move; None where time alone limits it."""
    temperature: float
    """In units of the game; at 0 the best move is played."""


LEVELS = {
    str(number): Level(100 << (number - 1), temperature)
    for number, temperature in enumerate((6.0, 4.5, 3.4, 2.5, 1.8, 0.8, 0.3, 0.1, 0.0, 0.0), 1)
}
"""The levels by their numbers."""
WORDS = {"easy": LEVELS["2"], "normal": LEVELS["5"], "hard": LEVELS["8"], "best": Level(None, 0.0)}
"""The levels that have a name; the best one thinks for as long as players have for a move."""
CHESS_ELO = (30, 110, 145, 190, 355, 900, 1190, 1340, 1690, 1710)
"""The strength of the ten levels in chess on the scale of Stockfish's UCI_Elo; measured in `benchmarks/results.md`."""
ELO_RANGE = CHESS_ELO[0], CHESS_ELO[-1]
USUAL_LEVEL = "normal"
"""The level of a computer that is given none."""


def level_of(name: str) -> Level:
    """The level that a number or a word stands for."""
    found = {**LEVELS, **WORDS}.get(name.strip().casefold())
    if found is None:
        near = nearest(name, WORDS)
        hint = near if near.startswith("did you mean") else "there are 1 to 10, and easy, normal, hard, best"
        raise GamesearchError(f"there is no level {name!r}: {hint}")
    return found


def level_of_elo(elo: float) -> Level:
    """The level of a strength in chess, between two of the ten levels if need be; `elo` is within ELO_RANGE."""
    above = next(number for number, strength in enumerate(CHESS_ELO) if elo <= strength)
    below = max(0, above - 1)
    weaker, stronger = (LEVELS[str(number + 1)] for number in (below, above))
    assert weaker.nodes is not None
    assert stronger.nodes is not None
    gap = CHESS_ELO[above] - CHESS_ELO[below]
    part = (elo - CHESS_ELO[below]) / gap if gap else 0.0
    nodes = weaker.nodes * (stronger.nodes / weaker.nodes) ** part
    return Level(round(nodes), weaker.temperature + part * (stronger.temperature - weaker.temperature))


def unit_of(game: Game[Any]) -> float:
    """By how much the evaluation of a game changes with a move, on average over random games, for any of its players.

    At most a tenth of what lies between the least and the greatest payoff, and so much where no position is estimated.
    """
    generator, changes, state, plies = random.Random(1), [], game.initial(), 0
    for _ in range(SAMPLE):
        if game.terminal(state) or plies == LONGEST_GAME:
            state, plies = game.initial(), 0
        steps = game.steps(state)
        if not steps:
            break
        after = game.result(state, generator.choice(steps))
        if not game.terminal(state) and not game.terminal(after):
            changes += [abs(new - old) for new, old in zip(estimates(game, after), estimates(game, state), strict=True)]
        state, plies = after, plies + 1
    mean, most = math.fsum(changes) / len(changes) if changes else 0.0, (game.MAXSCORE - game.MINSCORE) / 10 or 1.0
    return min(mean, most) or most


def estimates(game: Game[Any], state: Any) -> tuple[float, ...]:
    """The evaluation of a position, for each player where each has one of its own."""
    found = game.evaluate(state)
    return found if isinstance(found, tuple) else (float(found),)


def choose(
    game: Game[Any], mover: int, moves: Sequence[MoveValue], temperature: float, generator: random.Random
) -> MoveValue:
    """Draw a move by what the moves are worth to the player who has to move; with temperature 0, one of the best.

    The temperature is in units of the values themselves.
    """
    kept = without_detours(game, mover, moves)
    worth = [worth_to(mover, found.value) for found in kept]
    best = max(worth)
    if not temperature:
        return generator.choice([found for found, each in zip(kept, worth, strict=True) if each == best])
    losses = [(best - each) / temperature for each in worth]
    weights = [math.exp(-loss) if loss <= NEAR else 0.0 for loss in losses]
    return generator.choices(kept, weights)[0]


def worth_to(mover: int, value: Value) -> float:
    """What a value is worth to a player."""
    if isinstance(value, tuple):
        return value[mover]
    return -value if mover == MIN else value


def without_detours(game: Game[Any], mover: int, moves: Sequence[MoveValue]) -> list[MoveValue]:
    """The moves without certain wins that come later than others, and certain losses that come sooner."""
    won, lost = (game.MINSCORE, game.MAXSCORE) if mover == MIN else (game.MAXSCORE, game.MINSCORE)
    certain = [(found.value, found.distance) for found in moves if found.distance is not None]
    wanted: dict[Value, int | None] = {
        won: min((plies for value, plies in certain if value == won), default=None),
        lost: max((plies for value, plies in certain if value == lost), default=None),
    }
    return [found for found in moves if wanted.get(found.value) in (None, found.distance)]
