"""How a search that keeps its tree is told, and asked about: best-first search as it stands, others where they differ.

A method with the name of an event in `TOLD` gives its sentence, which says why it happened.
"""

from typing import Any

from gamesearch.algorithms.engine.formatting import plural, probability_text, share_text, value_text
from gamesearch.trace.question import numbers
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import Known, Stepper
from gamesearch.trace.words import capital, does, names_text, turn_words

__all__ = ["TOLD", "Wording", "child_behind", "place_of", "shown_before"]

TOLD = (
    "iteration", "enter", "choose", "playout", "count", "proven", "expand", "revalue", "rescale", "settle", "chances",
    "expanded", "best",
)  # fmt: skip
"""The events that wordings have sentences for; methods and attributes of other names help them, or ask questions."""


class Wording:
    """The sentences of a search that keeps its tree, and what differs in questions about one kind of it and another."""

    leaf = "at the end of the best line"
    """Which leaf is expanded."""
    why_expanded = "This leaf is the end of the best line"

    # Sentences. ----------------------------------------------------------------------------------
    def iteration(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """A search of the root begins."""
        return (
            f"{stepper.algorithm} grows a tree from {place_of(stepper)}: "
            f"the leaf {self.leaf} is expanded, again and again."
        )

    def enter(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """A node is new in the tree."""
        turn = turn_words(node.side)
        if node.parent is None:
            led = f"At the root {turn}"
        elif node.chance is not None and node.same is None:
            led = f"The outcome {node.move} has probability {probability_text(node.chance)}: {turn}"
        else:
            led = self.led(stepper, node, turn)
        return f"{led}; {self.worth(event, node)}." if "value" in event else f"{led}."

    def led(self, stepper: Stepper, node: RecordedNode, turn: str) -> str:  # noqa: ARG002
        """A move has led to a node that is new in the tree, where somebody moves."""
        if node.same is not None:
            return f"{node.move} leads to the position of node {node.same}, and both count as one node: {turn}"
        return f"{node.move} leads to a new leaf: {turn}"

    def worth(self, event: dict[str, Any], node: RecordedNode) -> str:
        """What a node is worth at first."""
        if node.side == "end" and event["bound"] == "exact":
            return f"it pays {event['shown']}"
        if event["bound"] == "exact":
            return f"it is certain to be worth {event['shown']}"
        return f"the estimate is {event['shown']}"

    def choose(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """Which move is followed, and why."""
        move, child = event["move"], child_behind(stepper, event, node)
        shown = "" if child is None else f", {child.shown}"
        most = {"Max": "the greatest value", "Min": "the least value"}.get(node.side, "the best value")
        return capital(f"{does(node.side, 'follows')} {move}: of its moves that are not certain it has {most}{shown}.")

    def playout(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """A game is played out."""
        if event["known"]:
            over = "The game is over" if node.side == "end" else "What this pays is known"
            return f"{over}: {event['shown']}."
        moves = f", {names_text(event['moves'])}" if event["moves"] else ""
        return f"The game is played out at random{moves}: it pays {event['shown']}."

    def count(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """The payoff of a playout is added to all nodes of its path."""
        root = stepper.known(event["path"][0])
        nodes = plural(len(event["path"]), "node")
        has = f"is worth {root.shown} after" if root.bound == "exact" else f"has {root.shown} on average of"
        return f"The payoff is added to {nodes}: the root {has} {plural(root.visits, 'playout')}."

    def proven(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """The tree proves a value, or bounds of it."""
        what = "of the outcomes" if node.side == "chance" else f"of {node.side}'s moves"
        proves = "this node is worth" if event["lower"] == event["upper"] else "the value lies in"
        return f"What is known {what} proves that {proves} {event['shown']}."

    def expand(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """A leaf gets its children."""
        if node.parent is None:
            return "The root is expanded: it gets all its children."
        return f"{self.why_expanded}: it is expanded, and gets all its children."

    def revalue(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """What is below a node changes what it is worth."""
        return f"This is worth {event['shown']} now, not {shown_before(stepper, node)}: {self.rule(stepper, node)}"

    def rescale(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """All beliefs are written anew."""
        changed = plural(len(event["path"]), "belief")
        if not event["error"]:
            return f"The scale of values is laid anew: {changed} written anew."
        error = value_text(round(event["error"], 4))
        return f"Estimates are taken to be off by {error}, a standard deviation: {changed} written anew."

    def settle(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """All costs are found anew."""
        attacker, failed = stepper.question.attacker, sum(cost is None for (cost,) in event["values"])
        changed = f"All costs are found anew, from the least on: {plural(len(event['path']), 'node')} changed."
        if not failed:
            return changed
        what = "one has none" if failed == 1 else f"{failed:,} have none"
        return f"{changed} Of them {what}, so {attacker} never wins there: whoever defends stays among such positions."

    def chances(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """How probably each move of the root is the best."""
        pairs = sorted(zip(event["values"], event["path"], strict=True), key=lambda pair: -pair[0])
        shares = [f"{stepper.recording.nodes[number].move} {share_text(share)}" for share, number in pairs]
        return f"How probably each move is the best: {names_text(shares)}."

    def expanded(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
        """An expansion is done."""
        return f"After {plural(event['number'], 'expansion')} the root {self.so_far(stepper.known(node.number))}."

    def so_far(self, root: Known) -> str:
        """What the root has after an expansion."""
        best_move = "" if root.best is None else f", by {root.best}"
        return f"is worth {'' if root.bound == 'exact' else 'about '}{root.shown}{best_move}"

    def best(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """Another move than before is the best."""
        return f"{event['move']} is the best of {node.side}'s moves now, worth {event['shown']}."

    # Questions. ----------------------------------------------------------------------------------
    leaves, kind_of_leaf = "the leaves", ""
    """What is shown of the leaves, and what the one is that is expanded next."""
    why_leaf = "the best line, {line}, ends there."
    kind, what = "value", "What is it worth now?"
    """The kind of question about what a node is worth, and the question."""

    def why_followed(self, stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:  # noqa: ARG002
        """Why one of several moves is followed; empty where that does not follow from what is known."""
        most = "greatest" if node.side == "Max" else "least"
        return f"of what is not certain it has the {most} value, and is the first of equal ones."

    def backed_up(self, stepper: Stepper, node: RecordedNode) -> tuple[float, ...]:
        """What follows for a node from what its children are worth."""
        choose = max if node.side == "Max" else min
        return choose(numbers(stepper.known(child.number).value) for child in stepper.children(node.number))

    def rule(self, stepper: Stepper, node: RecordedNode) -> str:  # noqa: ARG002
        """How that follows."""
        takes = {"Max": "takes the greatest", "Min": "takes the least"}[node.side]
        return f"{node.side} {takes} of what its moves bring."


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
