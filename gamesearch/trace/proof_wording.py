"""How a search by proof numbers is told."""

import math
from typing import Any

from gamesearch.trace.question import numbers
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import Known, Stepper
from gamesearch.trace.wording import Wording, child_behind, place_of, shown_before
from gamesearch.trace.words import capital

__all__ = ["ProofWording"]

NEEDS = {
    "Max": "the least proof number of Max's moves, and the sum of their disproof numbers",
    "Min": "the sum of the proof numbers of Min's moves, and the least of their disproof numbers",
}
"""Why the numbers of a node are what they are."""


def is_left_open(stepper: Stepper, number: int) -> bool:
    """Whether the question of a number has no answer before the present event, as far as the trace tells."""
    root = next((each.root for each in stepper.recording.iterations if each.number == number), None)
    value = None if root is None else stepper.known(root, stepper.at - 1).value
    return isinstance(value, list) and 0 not in value and None not in value


class ProofWording(Wording):
    """What a question lacks to its answer is counted, and no value."""

    why_expanded = "This node is the most proving one"
    leaves, kind_of_leaf = "the leaves, each with its proof number and its disproof number", "most proving, "
    why_leaf = (
        "{line} leads there: Max follows the least proof number and Min the least disproof number, the first of equal "
        "ones."
    )
    kind, what = "numbers", "What are its proof number and its disproof number now?"

    def iteration(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """A search of the root begins, by a question."""
        asks = "Next it asks"
        if event["number"] == 0:
            asks = f"{stepper.recording.header['algorithm']} asks of {place_of(stepper)}"
        elif is_left_open(stepper, event["number"] - 1):
            asks = "There is no more room for this question. Next it asks"
        return f"{asks}: does Max get at least {event['goal_shown']}, whatever Min does?"

    def numbers(self, value: list[Any]) -> str:
        """What is missing to an answer, in words."""
        proof, disproof = ("infinite" if each is None else f"{each:,}" for each in value)
        return f"proof number {proof}, disproof number {disproof}"

    def worth(self, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """The numbers of a node that is new; where one is 0, nothing below it is looked at."""
        proof, disproof = event["value"]
        solved = ": it is proven" if proof == 0 else ": it is disproven" if disproof == 0 else ""
        return self.numbers(event["value"]) + solved

    def choose(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Which move is followed, and why."""
        which, child = "proof" if node.side == "Max" else "disproof", child_behind(stepper, event, node)
        known = None if child is None else child.value
        number = f", {known[node.side != 'Max']:,}" if isinstance(known, list) else ""
        return f"{node.side} follows {event['move']}: of its moves it has the least {which} number{number}."

    def why(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """Why the numbers of a node are what they are now."""
        if node.children and node.side in NEEDS:
            return NEEDS[node.side]
        return "so it follows from what is below it, which is not written down"  # the second search of pn2, or left out

    def is_proven(self, stepper: Stepper, value: list[Any]) -> bool | None:  # noqa: ARG002
        """The answer that numbers give; None where they give none."""
        return True if value[0] == 0 else False if value[1] == 0 else None

    def revalue(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """What is below a node changes its numbers."""
        numbers, before = capital(self.numbers(event["value"])), shown_before(stepper, node)
        told = f"{numbers}, after {before}: {self.why(stepper, event, node)}."
        answer, goal = self.is_proven(stepper, event["value"]), stepper.question.goal_shown
        if answer is None:
            return told
        return f"{told} This is " + (
            f"proven: Max gets at least {goal}." if answer else f"disproven: Max does not get {goal}."
        )

    def so_far(self, root: Known) -> str:
        """What the root has after an expansion."""
        assert isinstance(root.value, list)
        return f"has {self.numbers(root.value)}"

    def most(self, stepper: Stepper, node: RecordedNode) -> str:  # noqa: ARG002
        """What the move is that is followed."""
        return "most proving"

    def best(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Another move than before is the best."""
        return f"{event['move']} is the {self.most(stepper, node)} of {node.side}'s moves now, {event['shown']}."

    def why_followed(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """Which number is the least."""
        which = "proof" if node.side == "Max" else "disproof"
        return f"it has the least {which} number, and is the first of equal ones."

    def backed_up(self, stepper: Stepper, node: RecordedNode) -> tuple[float, ...]:
        """The proof and the disproof number that follow for a node from those of its moves."""
        below = (numbers(stepper.known(child.number).value) for child in stepper.children(node.number))
        proofs, disproofs = zip(*below, strict=True)
        return (min(proofs), math.fsum(disproofs)) if node.side == "Max" else (math.fsum(proofs), min(disproofs))

    def rule(self, stepper: Stepper, node: RecordedNode) -> str:  # noqa: ARG002
        """How they follow."""
        one, other = ("proof", "disproof") if node.side == "Max" else ("disproof", "proof")
        return f"the least {one} number of its moves, and the sum of their {other} numbers."
