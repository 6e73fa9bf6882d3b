"""How a search that keeps its tree is told; best-first search as it stands, and others where they differ."""

from typing import Any

from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import Known, Stepper
from gamesearch.trace.words import capital, does

__all__ = ["Wording", "child_behind", "place_of", "shown_before"]


class Wording:
    """The parts of sentences that differ from one kind of search to another."""

    leaf = "at the end of the best line"
    """Which leaf is expanded."""
    why_expanded = "This leaf is the end of the best line"

    def begun(self, stepper: Stepper, event: dict[str, Any]) -> str:  # noqa: ARG002
        """A search of the root begins."""
        return (
            f"{stepper.recording.header['algorithm']} grows a tree from {place_of(stepper)}: "
            f"the leaf {self.leaf} is expanded, again and again."
        )

    def entered(self, stepper: Stepper, node: RecordedNode, turn: str, worth: str) -> str:  # noqa: ARG002
        """A move has led to a node that is new in the tree, of which is known who moves and what it is worth."""
        led = f"{node.move} leads to a new leaf: {turn}"
        if node.same is not None:
            led = f"{node.move} leads to the position of node {node.same}, and both count as one node: {turn}"
        return f"{led}; {worth}." if worth else f"{led}."

    def worth(self, event: dict[str, Any], node: RecordedNode) -> str:
        """What a node is worth at first."""
        if node.side == "end" and event["bound"] == "exact":
            return f"it pays {event['shown']}"
        if event["bound"] == "exact":
            return f"it is certain to be worth {event['shown']}"
        return f"the estimate is {event['shown']}"

    def followed(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Which move is followed, and why."""
        move, child = event["move"], child_behind(stepper, event, node)
        shown = "" if child is None else f", {child.shown}"
        most = {"Max": "the greatest value", "Min": "the least value"}.get(node.side, "the best value")
        return capital(f"{does(node.side, 'follows')} {move}: of its moves that are not certain it has {most}{shown}.")

    def revalued(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """What is below a node changes what it is worth."""
        takes = {"Max": "takes the greatest", "Min": "takes the least"}[node.side]
        return (
            f"This is worth {event['shown']} now, not {shown_before(stepper, node)}: "
            f"{node.side} {takes} of what its moves bring."
        )

    def so_far(self, root: Known) -> str:
        """What the root has after an expansion."""
        best_move = "" if root.best is None else f", by {root.best}"
        return f"is worth {'' if root.bound == 'exact' else 'about '}{root.shown}{best_move}"

    def preferred(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """Another move than before is the best."""
        return f"{event['move']} is the best of {node.side}'s moves now, worth {event['shown']}."


def place_of(stepper: Stepper) -> str:
    """The position that is searched, and its game."""
    header = stepper.recording.header
    return f"{header['position']} of {header['game']}"


def child_behind(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> Known | None:
    """What is known of the node behind the move of an event, if the tree has it."""
    found = next((each for each in stepper.children(node.number) if each.move == event["move"]), None)
    return None if found is None else stepper.known(found.number)


def shown_before(stepper: Stepper, node: RecordedNode) -> str:
    """What a node was worth before the present event."""
    return stepper.known(node.number, stepper.at - 1).shown
