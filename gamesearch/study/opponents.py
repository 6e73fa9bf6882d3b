"""What it costs to be wrong about an opponent: Max assumes one, and plays against another.

"What if Min does not play optimally?" (Russell and Norvig, section 5.2). Against a Min who errs, minimax wins no less
than it promised, but a Max who knows how he errs may win more; and pays for it where Min errs less than assumed.
"""

import functools
import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch import api
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.node.fallible import Fallibility, parse_opponent
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN, NEVER, Game
from gamesearch.specification import format_specification, split_outside_brackets

__all__ = ["USUAL_OPPONENTS", "Opponent", "Payoffs", "measure_opponents", "parse_opponents"]

USUAL_OPPONENTS = "best, error=0.2, softmax(0.5), random"
CONFIDENCE = 1.96
"""So many standard errors on either side of a mean hold the true one in 95 % of all cases."""


LOOKED_AT = 1000


@dataclass(frozen=True)
class Opponent:
    """A Min who plays so well."""

    name: str
    opponent: str
    error: float

    @property
    def fallibility(self) -> Fallibility:
        """How he errs."""
        return parse_opponent(self.opponent, self.error)

    @property
    def assumption(self) -> str:
        """The specification of a Max who takes him for what he is."""
        given: dict[str, str | float] = {"opponent": self.opponent} if self.opponent != "best" else {}
        return format_specification("expectiminimax", given | ({"error": self.error} if self.error else {}))


@dataclass(frozen=True)
class Payoffs:
    """What Max got in some games."""

    mean: float
    margin: float
    """On either side of the mean, of a 95 % confidence interval."""


def parse_opponents(text: str) -> list[Opponent]:
    """The opponents of a list such as `best, error=0.2, softmax(0.5), softmax(1)+error=0.1, random`."""
    found = []
    for part in split_outside_brackets(text, ","):
        name = part.strip()
        opponent, error, said = "best", 0.0, set()
        for each in name.split("+"):
            key, equals, value = each.strip().partition("=")
            said.add(bool(equals))
            if not equals:
                opponent = key
            elif key.strip() != "error":
                raise GamesearchError(f"an opponent is such as {USUAL_OPPONENTS}: not {name!r}")
            else:
                try:
                    error = float(value)
                except ValueError:
                    raise GamesearchError(f"error is a probability, such as error=0.2: not {value!r}") from None
        if len(said) < len(name.split("+")):
            raise GamesearchError(f"an opponent plays in one way, and errs with one probability: not {name!r}")
        parse_opponent(opponent, error)
        found.append(Opponent(name, opponent, error))
    if not found:
        raise GamesearchError(f"there is no opponent to measure: such as {USUAL_OPPONENTS}")
    return found


def measure_opponents(
    game: Game[Any], state: Any, opponents: Sequence[Opponent], games: int, depth: int | None, seed: int, speed: str
) -> Iterator[list[Payoffs]]:
    """For each opponent that Max assumes, the payoffs of games against each that Min may be, in the same order.

    Games of one number have the same dice in each cell. Searches go to `depth`, or as deep as the game suggests.
    """
    if game.recurrence != NEVER:
        raise GamesearchError(f"positions of {game.name} recur, so that games need not end: choose one where none does")
    if game.payoff_count > 1 or not has_min(game, state):
        raise GamesearchError(f"{game.name} has no opponent who could err: it needs a Max and a Min")
    limits = Limits(depth)
    replies = worths(game, limits, speed)
    for assumed in opponents:
        maximizer = best_moves(game, assumed.assumption, limits, speed)
        row = []
        for actual in opponents:
            dice = [random.Random(f"{seed} {number}") for number in range(games)]
            row.append(summary([play(game, state, maximizer, replies, actual.fallibility, each) for each in dice]))
        yield row


def has_min(game: Game[Any], start: Any) -> bool:
    """Whether Min is to move in some position: the nearest are looked at, as many as LOOKED_AT."""
    found = [start]
    for state in found:
        if not game.terminal(state):
            if game.player(state) == MIN:
                return True
            if len(found) < LOOKED_AT:
                found += [game.result(state, move) for move in game.steps(state)]
    return False


def summary(payoffs: Sequence[float]) -> Payoffs:
    """Their mean, and how sure it is."""
    count = len(payoffs)
    mean = math.fsum(payoffs) / count
    spread = math.fsum((each - mean) ** 2 for each in payoffs) / max(count - 1, 1)
    return Payoffs(mean, CONFIDENCE * math.sqrt(spread / count))


def best_moves(game: Game[Any], algorithm: str, limits: Limits, speed: str) -> Callable[[Any], int]:
    """Max's best move against the opponent he assumes, as far as he knows; each position is searched once."""
    searcher = api.searcher(game, algorithm, speed=speed)

    @functools.cache
    def best(state: Any) -> int:
        move = searcher.search(state, limits).best
        assert move is not None
        return move

    return best


def worths(game: Game[Any], limits: Limits, speed: str) -> Callable[[Any], list[tuple[int, float]]]:
    """What the moves of Min are worth when both play best from there; each position is searched once."""

    @functools.cache
    def values(state: Any) -> list[tuple[int, float]]:
        found = api.search(game, state, "expectiminimax", limits=limits, speed=speed, moves=True)
        return [(each.move, float(each.value)) for each in found.moves]  # type: ignore[arg-type]

    return values


def drawn(values: list[tuple[int, float]], fallibility: Fallibility, generator: random.Random) -> int:
    """The move of a Min who errs so, of his moves with their values."""
    if generator.random() < fallibility.error:
        return generator.choice(values)[0]
    best = min(value for _, value in values)
    if not fallibility.temperature:
        return generator.choice([move for move, value in values if value == best])
    weights = [math.exp((best - value) / fallibility.temperature) for _, value in values]
    return generator.choices(values, weights)[0][0]


def play(
    game: Game[Any],
    state: Any,
    maximizer: Callable[[Any], int],
    replies: Callable[[Any], list[tuple[int, float]]],
    actual: Fallibility,
    generator: random.Random,
) -> float:
    """The payoff of one game to Max."""
    while not game.terminal(state):
        player = game.player(state)
        if player == CHANCE:
            outcomes = list(game.outcomes(state))
            move = generator.choices(outcomes, [probability for _, probability in outcomes])[0][0]
        elif player == MAX:
            move = maximizer(state)
        else:
            move = drawn(replies(state), actual, generator)
        state = game.result(state, move)
    return float(game.utility(state))
