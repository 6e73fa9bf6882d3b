"""How a proof on a graph of positions is told: what the attacker lacks, and why."""

from typing import Any

from gamesearch.trace.proof_wording import ProofWording, question_of
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.standing import STUCK
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording import child_behind

__all__ = ["CostWording"]


class CostWording(ProofWording):
    """A node has a cost in place of two numbers, and one side has to make progress."""

    why_expanded = "This node is the most promising one"

    def begun(self, stepper: Stepper, event: dict[str, Any]) -> str:
        """A question, who has to make progress, and what the other one needs for it not to."""
        attacker, defender = event["attacker"], "Min" if event["attacker"] == "Max" else "Max"
        aim = "to get it" if attacker == "Max" else "to prevent it"
        return (
            f"{super().begun(stepper, event)} {attacker} attacks, and has to make progress {aim}; "
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

    def followed(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Which move is followed, and why."""
        most = "the least" if node.side == question_of(stepper).attacker else "the greatest"
        child = child_behind(stepper, event, node)
        cost = f", {child.value[0]}" if child is not None and isinstance(child.value, list) else ""
        return f"{node.side} follows {event['move']}: of its moves it has {most} cost{cost}."

    def is_proven(self, stepper: Stepper, value: list[Any]) -> bool | None:
        """The answer that a cost gives."""
        return None if value[0] not in (0, None) else (value[0] == 0) == (question_of(stepper).attacker == "Max")

    def most(self, stepper: Stepper, node: RecordedNode) -> str:
        """What the move is that is followed: the least of the attacker's, the greatest of the defender's."""
        return "least costly" if node.side == question_of(stepper).attacker else "most costly"

    def why(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Why the cost of a node is what it is."""
        (cost,), attacker, side = event["value"], question_of(stepper).attacker, node.side
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
