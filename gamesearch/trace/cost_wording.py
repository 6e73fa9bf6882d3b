"""How a proof on a graph of positions is told: what the attacker lacks, and why."""

from collections.abc import Sequence
from typing import Any

from gamesearch.trace.proof_wording import ProofWording
from gamesearch.trace.question import numbers
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.standing import STUCK
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording import child_behind

__all__ = ["CostWording", "backed_up_cost"]


class CostWording(ProofWording):
    """A node has a cost in place of two numbers, and one side has to make progress."""

    why_expanded = "This node is the most promising one"
    leaves, kind_of_leaf = "the leaves, each with its cost", "most promising, "
    why_leaf = (
        "{line} leads there: whoever attacks follows the least cost and whoever defends the greatest, the first of "
        "equal ones."
    )
    kind, what = "cost", "What is its cost now?"

    def iteration(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """A question, who has to make progress, and what the other one needs for it not to."""
        attacker, defender = event["attacker"], "Min" if event["attacker"] == "Max" else "Max"
        aim = "to get it" if attacker == "Max" else "to prevent it"
        return (
            f"{super().iteration(stepper, event, node)} {attacker} attacks, and has to make progress {aim}; "
            f"{defender} defends, and may go in circles."
        )

    def numbers(self, value: list[Any]) -> str:
        """A cost in words."""
        (cost,) = value
        return STUCK if cost == STUCK else "cost infinite" if cost is None else f"cost {cost:,}"

    def worth(self, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """The cost of a node that is new."""
        (cost,) = event["value"]
        return self.numbers(event["value"]) + {0: ": the attacker wins", None: ": the attacker cannot win"}.get(
            cost, ""
        )

    def choose(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Which move is followed, and why."""
        most = "the least" if node.side == stepper.question.attacker else "the greatest"
        child = child_behind(stepper, event, node)
        cost = f", {child.value[0]}" if child is not None and isinstance(child.value, list) else ""
        return f"{node.side} follows {event['move']}: of its moves it has {most} cost{cost}."

    def is_proven(self, stepper: Stepper, value: list[Any]) -> bool | None:
        """The answer that a cost gives."""
        return None if value[0] not in (0, None) else (value[0] == 0) == (stepper.question.attacker == "Max")

    def most(self, stepper: Stepper, node: RecordedNode) -> str:
        """What the move is that is followed: the least of the attacker's, the greatest of the defender's."""
        return "least costly" if node.side == stepper.question.attacker else "most costly"

    def why(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Why the cost of a node is what it is."""
        (cost,), attacker, side = event["value"], stepper.question.attacker, node.side
        if cost == STUCK:
            return f"{'all that is open' if side == attacker else 'a move'} leads back to the way here"
        if cost is None:
            return (
                f"{attacker} wins by no move" if side == attacker else f"against one of {side}'s moves {attacker} fails"
            )
        if cost == 0:
            return f"one of {side}'s moves costs nothing" if side == attacker else f"all of {side}'s moves cost nothing"
        if side == attacker:
            return f"one more than the least cost of {side}'s moves"
        return f"the greatest cost of {side}'s moves, and one more for each that is not proven"

    def why_followed(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """By which rule; empty where others do not count, as they lead back to the way."""
        costs, is_attackers = costs_of(stepper, node), node.side == stepper.question.attacker
        followed = [child.move for child in stepper.children(node.number)].index(event["move"])
        if not costs or costs.index((min if is_attackers else max)(costs)) != followed:
            return ""
        most, does = ("least", "attacks") if is_attackers else ("greatest", "defends")
        return f"it has the {most} cost, as {node.side} {does}, and is the first of equal ones."

    def backed_up(self, stepper: Stepper, node: RecordedNode) -> tuple[float, ...]:
        """The cost that follows for a node from those of its moves, where these are known."""
        costs = costs_of(stepper, node)
        return (backed_up_cost(costs, node.side == stepper.question.attacker),) if costs else ()

    def rule(self, stepper: Stepper, node: RecordedNode) -> str:
        """How a node's cost follows."""
        if node.side == stepper.question.attacker:
            return f"0 if a move costs nothing, else one more than the least cost of {node.side}'s moves."
        return f"the greatest cost of {node.side}'s moves, and one more for each that does not cost 0."


def costs_of(stepper: Stepper, node: RecordedNode) -> list[float]:
    """The costs of a node's moves by now; none where one is stuck, which tells of the way and not of the move."""
    values = [stepper.known(child.number).value for child in stepper.children(node.number)]
    return [] if [STUCK] in values else [cost for value in values for cost in numbers(value)]


def backed_up_cost(costs: Sequence[float], is_attackers: bool) -> float:
    """The cost that follows for a node from those of its moves."""
    if not is_attackers:
        return max(costs) + sum(cost > 0 for cost in costs)
    return min(costs) + 1 if min(costs) else 0
