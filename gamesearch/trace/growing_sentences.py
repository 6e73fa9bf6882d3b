"""Each event of a search that keeps its tree as one sentence, which says why it happened."""

from collections.abc import Callable, Mapping
from typing import Any

from gamesearch.algorithms.parts.formatting import plural, probability_text, share_text, value_text
from gamesearch.trace.belief_wording import BeliefWording
from gamesearch.trace.cost_wording import CostWording
from gamesearch.trace.playout_wording import PlayoutWording
from gamesearch.trace.proof_wording import ProofWording, question_of
from gamesearch.trace.purposes import BELIEFS, COSTS, EXPANSIONS, PLAYOUTS, PROOF
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording import Wording
from gamesearch.trace.words import names_text, turn_words

__all__ = ["GROWING_SENTENCES", "WORDINGS", "best", "entered", "step_sentence"]

Sentence = Callable[[Stepper, dict[str, Any], RecordedNode], str]
WORDINGS: Mapping[str, Wording] = {
    PLAYOUTS: PlayoutWording(),
    EXPANSIONS: Wording(),
    BELIEFS: BeliefWording(),
    PROOF: ProofWording(),
    COSTS: CostWording(),
}


def wording(stepper: Stepper) -> Wording:
    """How the search of a recording is told."""
    return WORDINGS[stepper.recording.growth]


def entered(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """A node is new in the tree."""
    turn, words = turn_words(node.side), wording(stepper)
    worth = "" if "value" not in event else words.worth(event, node)
    if node.parent is None:
        led = f"At the root {turn}"
    elif node.chance is not None and node.same is None:
        led = f"The outcome {node.move} has probability {probability_text(node.chance)}: {turn}"
    else:
        return words.entered(stepper, node, turn, worth)
    return f"{led}; {worth}." if worth else f"{led}."


def choose(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """A move is followed."""
    return wording(stepper).followed(stepper, event, node)


def playout(_: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """A game is played out."""
    if event["known"]:
        over = "The game is over" if node.side == "end" else "What this pays is known"
        return f"{over}: {event['shown']}."
    moves = f", {names_text(event['moves'])}" if event["moves"] else ""
    return f"The game is played out at random{moves}: it pays {event['shown']}."


def counted(stepper: Stepper, event: dict[str, Any], _: RecordedNode) -> str:
    """The payoff of a playout is added to all nodes of its path."""
    root = stepper.known(event["path"][0])
    nodes = plural(len(event["path"]), "node")
    has = f"is worth {root.shown} after" if root.bound == "exact" else f"has {root.shown} on average of"
    return f"The payoff is added to {nodes}: the root {has} {plural(root.visits, 'playout')}."


def proven(_: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """The tree proves a value, or bounds of it."""
    what = "of the outcomes" if node.side == "chance" else f"of {node.side}'s moves"
    if event["lower"] == event["upper"]:
        return f"What is known {what} proves that this node is worth {event['shown']}."
    return f"What is known {what} proves that the value lies in {event['shown']}."


def expand(stepper: Stepper, _: dict[str, Any], node: RecordedNode) -> str:
    """A leaf gets its children."""
    if node.parent is None:
        return "The root is expanded: it gets all its children."
    return f"{wording(stepper).why_expanded}: it is expanded, and gets all its children."


def revalue(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """What is below a node changes what it is worth."""
    return wording(stepper).revalued(stepper, event, node)


def rescale(_: Stepper, event: dict[str, Any], __: RecordedNode) -> str:
    """All beliefs are written anew."""
    error = value_text(round(event["error"], 4))
    changed = plural(len(event["path"]), "belief")
    if not event["error"]:
        return f"The scale of values is laid anew: {changed} written anew."
    return f"Estimates are taken to be off by {error}, a standard deviation: {changed} written anew."


def settle(stepper: Stepper, event: dict[str, Any], _: RecordedNode) -> str:
    """All costs are found anew."""
    attacker, failed = question_of(stepper).attacker, sum(cost is None for (cost,) in event["values"])
    changed = f"All costs are found anew, from the least on: {plural(len(event['path']), 'node')} changed."
    if not failed:
        return changed
    what = "one has none" if failed == 1 else f"{failed:,} have none"
    return f"{changed} Of them {what}, so {attacker} never wins there: whoever defends stays among such positions."


def chances(stepper: Stepper, event: dict[str, Any], _: RecordedNode) -> str:
    """How probably each move of the root is the best."""
    nodes = stepper.recording.nodes
    pairs = sorted(zip(event["values"], event["path"], strict=True), key=lambda pair: -pair[0])
    shares = [f"{nodes[number].move} {share_text(share)}" for share, number in pairs]
    return f"How probably each move is the best: {names_text(shares)}."


def expanded(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """An expansion is done."""
    has = wording(stepper).so_far(stepper.known(node.number))
    return f"After {plural(event['number'], 'expansion')} the root {has}."


def step_sentence(stepper: Stepper, shares: dict[str, Any] | None) -> str:
    """All of an expansion, whose last event is the present one; `shares` is the last event that told of chances."""
    leaf = " ".join(stepper.event["line"]) or "the root"
    said = f"Expanded: {leaf}. {expanded(stepper, stepper.event, stepper.node)}"
    return said if shares is None else f"{said} {chances(stepper, shares, stepper.node)}"


def best(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """Another move than before is the best."""
    return wording(stepper).preferred(stepper, event, node)


GROWING_SENTENCES: dict[str, Sentence] = {
    "choose": choose,
    "playout": playout,
    "proven": proven,
    "count": counted,
    "expand": expand,
    "revalue": revalue,
    "rescale": rescale,
    "settle": settle,
    "chances": chances,
    "expanded": expanded,
}
