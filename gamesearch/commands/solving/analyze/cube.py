"""The decision about a doubling cube: the values of no double, of double and take, and of double and drop.

"No double" and "double and take" are searched separately with the same limits, so that both searches look equally far
ahead.
"""

from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.game import MAX, Game
from gamesearch.optional import WithCube
from gamesearch.render.value_words import amount

__all__ = ["CubeDecision", "cube_data", "cube_line", "decide_cube"]


@dataclass(frozen=True)
class CubeDecision:
    """The best decisions of both sides, and the values for Max of the three possible results."""

    no_double: float
    take: float
    drop: float
    action: str


def decide_cube(
    game: Game, state: Any, algorithm: Algorithm, limits: Limits, speed: str, monitor: Monitor
) -> CubeDecision | None:
    """Return the cube decision in a position; None if the player to move may not double, or if a search was stopped."""
    choices = game.cube_choices(state) if isinstance(game, WithCube) else None
    if choices is None:
        return None
    found = [search_with(game, each, algorithm, limits, speed=speed, monitor=monitor).value for each in choices[:2]]
    dropped = choices[2]
    drop = float(game.utility(dropped) if game.terminal(dropped) else game.evaluate(dropped))
    if None in found or monitor.interrupted:
        return None
    no_double, take = map(float, found)  # type: ignore[arg-type]
    return CubeDecision(no_double, take, drop, best_action(game.player(state) == MAX, no_double, take, drop))


def best_action(is_max: bool, no_double: float, take: float, drop: float) -> str:
    """Return the best decision of the side that may double, and the best reply of the other side, in words."""
    sign = 1 if is_max else -1
    reply = "take" if sign * take <= sign * drop else "drop"
    if min(sign * take, sign * drop) > sign * no_double:
        return f"double, {reply}"
    return "no double, take" if reply == "take" else "too good to double, drop"


def cube_line(game: Game, decision: CubeDecision) -> str:
    """Describe the decision and the three values in a line."""
    values = {"no double": decision.no_double, "take": decision.take, "drop": decision.drop}
    texts = (f"{name} {value_of_cube(game, value)}" for name, value in values.items())
    return f"cube: {decision.action} (for {game.player_name(MAX)}: {', '.join(texts)})"


def value_of_cube(game: Game, value: float) -> str:
    """Format a value with its unit, or as the chance to win the match."""
    chance = game.win_chance(value)
    return amount(game, value) if chance is None else f"{100 * chance:.1f} %"


def cube_data(decision: CubeDecision | None) -> dict[str, Any]:
    """Return the decision as JSON; an empty object if `decision` is None."""
    return {} if decision is None else {"cube": vars(decision)}
