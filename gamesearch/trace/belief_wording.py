"""How a search with beliefs is told."""

from typing import Any

from gamesearch.algorithms.parts.formatting import value_text
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording import Wording, shown_before
from gamesearch.trace.words import beside, names_text

__all__ = ["BeliefWording"]


def worth_words(event: dict[str, Any]) -> str:
    """What a node is worth, and how far that may be off, where it is not certain."""
    deviation = event.get("deviation")
    off = "" if deviation is None else f", with a deviation of {value_text(round(deviation, 2))}"
    return f"{event['shown']}{off}"


class BeliefWording(Wording):
    """Leaves are expanded that are worth knowing."""

    leaf = "that is most worth knowing"
    why_expanded = "This leaf is the one that matters most"
    asks_values = False

    def worth(self, event: dict[str, Any], node: RecordedNode) -> str:
        """What a node is worth at first."""
        if event["bound"] == "exact" or event.get("deviation") is None:
            return super().worth(event, node)
        return f"it is believed to be worth {worth_words(event)}"

    def choose(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """Which move is followed, and why."""
        move, bounds = event["move"], {name: bound for name, _, bound in event["bounds"]}
        worth = f"{bounds.get(move, 0.0):g}{beside(bounds, move)}"
        if node.parent is None and node.side != "chance":
            return f"{move} is most worth knowing: that is expected to gain {worth}."
        return f"{move} matters most here: its value may change that of this node by {worth}."

    def revalue(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """What is below a node changes what it is worth."""
        before = shown_before(stepper, node)
        if node.parent is None:
            why = "the mean of its outcomes" if node.side == "chance" else "so much the best move brings by its mean"
            return f"The root is worth {event['shown']} now, not {before}: {why}."
        why = {"Max": "the greatest of its moves' values", "Min": "the least of its moves' values"}.get(
            node.side, "the sum of its outcomes' values, weighed by their probabilities"
        )
        return f"This is believed to be worth {worth_words(event)} now, after {before}: {why}."

    def why_followed(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """What knowing each move is worth, where there are several."""
        if len(event["bounds"]) < 2:
            return ""
        gains = "is expected to gain most" if node.parent is None and node.side != "chance" else "matters most"
        return f"knowing it {gains}: {names_text([f'{name} {bound:g}' for name, _, bound in event['bounds']])}."
