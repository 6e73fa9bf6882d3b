"""Questions about a proof on a graph: what a node costs, and by which rule its moves are followed."""

from collections.abc import Sequence

from gamesearch.trace.question import numbers
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.standing import STUCK
from gamesearch.trace.stepping import Stepper

__all__ = ["backed_up_cost", "choice_reason", "costs_of", "rule"]


def costs_of(stepper: Stepper, children: Sequence[RecordedNode]) -> list[float]:
    """The costs of moves by now; none where one of them is stuck, which tells of the way and not of the move."""
    values = [stepper.known(child.number).value for child in children]
    return [] if [STUCK] in values else [cost for value in values for cost in numbers(value)]


def backed_up_cost(costs: Sequence[float], is_attackers: bool) -> float:
    """The cost that follows for a node from those of its moves."""
    least, greatest = min(costs), max(costs)
    if is_attackers:
        return least + 1 if least else 0
    return greatest + sum(cost > 0 for cost in costs)


def rule(side: str, is_attackers: bool) -> str:
    """How a node's cost follows."""
    if is_attackers:
        return f"0 if a move costs nothing, else one more than the least cost of {side}'s moves."
    return f"the greatest cost of {side}'s moves, and one more for each that does not cost 0."


def choice_reason(side: str, costs: Sequence[float], place: int, is_attackers: bool) -> str:
    """Why the move at a place is followed; empty where others do not count, as they lead back to the way."""
    if not costs or costs.index((min if is_attackers else max)(costs)) != place:
        return ""
    most, does = ("least", "attacks") if is_attackers else ("greatest", "defends")
    return f"it has the {most} cost, as {side} {does}, and is the first of equal ones."
