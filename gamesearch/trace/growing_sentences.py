"""Each event of a search that keeps its tree as one sentence, which says why it happened."""

from collections.abc import Callable
from typing import Any

from gamesearch.algorithms.parts.formatting import plural, probability_text, share_text, value_text
from gamesearch.trace import cost_sentences
from gamesearch.trace.cost_sentences import cost_words, question_of
from gamesearch.trace.purposes import BELIEFS, COSTS, EXPANSIONS, PLAYOUTS, PROOF, PROOFS
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.words import capital, does, names_text, turn_words

__all__ = ["GROWING_SENTENCES", "begun", "best", "entered", "step_sentence"]

Sentence = Callable[[Stepper, dict[str, Any], RecordedNode], str]
NEEDS = {
    "Max": "the least proof number of Max's moves, and the sum of their disproof numbers",
    "Min": "the sum of the proof numbers of Min's moves, and the least of their disproof numbers",
}
"""Why the numbers of a node are what they are."""


def begun(stepper: Stepper, event: dict[str, Any]) -> str:
    """A search of the root begins."""
    header = stepper.recording.header
    place = f"{header['position']} of {header['game']}"
    if event["purpose"] == PLAYOUTS:
        return f"{header['algorithm']} plays {place} out, again and again."
    if event["purpose"] in PROOFS:
        asks = f"{header['algorithm']} asks of {place}" if event["number"] == 0 else "Next it asks"
        asks += f": does Max get at least {event['goal_shown']}, whatever Min does?"
        return asks if event["purpose"] == PROOF else f"{asks} {cost_sentences.attacks(event)}"
    leaf = "at the end of the best line" if event["purpose"] == EXPANSIONS else "that is most worth knowing"
    return f"{header['algorithm']} grows a tree from {place}: the leaf {leaf} is expanded, again and again."


def entered(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """A node is new in the tree."""
    growth, turn = stepper.recording.growth, turn_words(node.side)
    worth = "" if "value" not in event else worth_words(growth, event, node)
    if node.parent is None:
        return f"At the root {turn}" + (f"; {worth}." if worth else ".")
    if node.chance is not None:
        led = f"The outcome {node.move} has probability {probability_text(node.chance)}: {turn}"
    elif growth == PLAYOUTS:
        led = capital(f"{does(stepper.recording.nodes[node.parent].side, 'tries')} {node.move}: {turn}")
        return f"{led}. A node for this is new in the tree."
    else:
        led = f"{node.move} leads to a new leaf: {turn}"
    if node.same is not None:
        led = f"{node.move} leads to the position of node {node.same}, and both count as one node: {turn}"
    return f"{led}; {worth}." if worth else f"{led}."


def worth_words(growth: str, event: dict[str, Any], node: RecordedNode) -> str:
    """What a node is worth at first."""
    if growth in PROOFS:
        return first_numbers_words(event["value"])
    if node.side == "end" and event["bound"] == "exact":
        return f"it pays {event['shown']}"
    if event["bound"] == "exact":
        return f"it is certain to be worth {event['shown']}"
    if event.get("deviation") is not None:
        return f"it is believed to be worth {belief_words(event)}"
    return f"the estimate is {event['shown']}"


def belief_words(event: dict[str, Any]) -> str:
    """What is believed of a node."""
    deviation = event.get("deviation")
    off = "" if deviation is None else f", with a deviation of {value_text(round(deviation, 2))}"
    return f"{event['shown']}{off}"


def numbers_words(value: Any) -> str:
    """Proof and disproof number in words, or a cost."""
    if len(value) == 1:
        return cost_words(value)
    proof, disproof = ("infinite" if each is None else f"{each:,}" for each in value)
    return f"proof number {proof}, disproof number {disproof}"


def first_numbers_words(value: Any) -> str:
    """The same of a node that is new; where one number is 0, nothing below it is looked at."""
    if len(value) == 1:
        solved = {0: ": the attacker wins", None: ": the attacker cannot win"}.get(value[0], "")
    else:
        solved = ": it is proven" if value[0] == 0 else ": it is disproven" if value[1] == 0 else ""
    return numbers_words(value) + solved


def solved_words(stepper: Stepper, value: Any) -> str:
    """What numbers say where one of them is 0; else empty."""
    if len(value) == 1:
        return cost_sentences.solved_words(stepper, value)
    goal = question_of(stepper).goal_shown
    if value[0] == 0:
        return f" This is proven: Max gets at least {goal}."
    return f" This is disproven: Max does not get {goal}." if value[1] == 0 else ""


def choose(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """A move is followed."""
    growth = stepper.recording.growth
    if growth == PLAYOUTS:
        return choose_to_play(event, node)
    move, bounds = event["move"], {name: bound for name, _, bound in event["bounds"]}
    if growth == BELIEFS:
        others = [f"{name} {bound:g}" for name, bound in bounds.items() if name != move]
        beside = f" ({names_text(others)})" if others else ""
        if node.parent is None and node.side != "chance":
            return f"{move} is most worth knowing: that is expected to gain {bounds.get(move, 0.0):g}{beside}."
        return f"{move} matters most here: its value may change that of this node by {bounds.get(move, 0.0):g}{beside}."
    child = next((each for each in stepper.children(node.number) if each.move == move), None)
    if growth == COSTS:
        return cost_sentences.choice_words(stepper, node, move, child)
    shown = "" if child is None else f", {stepper.known(child.number).shown}"
    most = {"Max": "the greatest value", "Min": "the least value"}.get(node.side, "the best value")
    if growth == PROOF:
        which = "proof" if node.side == "Max" else "disproof"
        known = None if child is None else stepper.known(child.number).value
        number = f", {known[node.side != 'Max']:,}" if isinstance(known, list) else ""
        return f"{node.side} follows {move}: of its moves it has the least {which} number{number}."
    return capital(f"{does(node.side, 'follows')} {move}: of its moves that are not certain it has {most}{shown}.")


def choose_to_play(event: dict[str, Any], node: RecordedNode) -> str:
    """A playout follows a move."""
    move, bounds = event["move"], {name: (visits, bound) for name, visits, bound in event["bounds"]}
    if node.side == "chance":
        return f"Chance draws {move}."
    if move not in bounds:
        return capital(f"{does(node.side, 'plays')} {move} out: of those in the race, it has the fewest playouts.")
    follows, (visits, bound) = f"{does(node.side, 'follows')} {move}", bounds[move]
    if not visits:
        return capital(f"{follows}, which was not played out yet: that counts {bound:g}.")
    others = [f"{name} {other:g}" for name, (_, other) in bounds.items() if name != move]
    beside = f" ({names_text(others)})" if others else ""
    return capital(f"{follows}: of its moves it has the greatest upper confidence bound, {bound:g}{beside}.")


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
    why = {
        EXPANSIONS: "This leaf is the end of the best line",
        BELIEFS: "This leaf is the one that matters most",
        PROOF: "This node is the most proving one",
        COSTS: "This node is the most promising one",
    }[stepper.recording.growth]
    return f"{why}: it is expanded, and gets all its children."


def revalue(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """What is below a node changes what it is worth."""
    growth, before = stepper.recording.growth, stepper.known(node.number, stepper.at - 1)
    if growth in PROOFS:
        numbers = capital(numbers_words(event["value"]))
        if growth == COSTS:
            why = cost_sentences.revalue_words(stepper, node, event["value"])
        else:
            why = NEEDS[node.side] if node.children and node.side in NEEDS else "a second search has looked below it"
        return f"{numbers}, after {before.shown}: {why}.{solved_words(stepper, event['value'])}"
    if growth == EXPANSIONS:
        takes = {"Max": "takes the greatest", "Min": "takes the least"}[node.side]
        return f"This is worth {event['shown']} now, not {before.shown}: {node.side} {takes} of what its moves bring."
    if node.parent is None:
        why = "the mean of its outcomes" if node.side == "chance" else "so much the best move brings by its mean"
        return f"The root is worth {event['shown']} now, not {before.shown}: {why}."
    why = {"Max": "the greatest of its moves' values", "Min": "the least of its moves' values"}.get(
        node.side, "the sum of its outcomes' values, weighed by their probabilities"
    )
    return f"This is believed to be worth {belief_words(event)} now, after {before.shown}: {why}."


def rescale(_: Stepper, event: dict[str, Any], __: RecordedNode) -> str:
    """All beliefs are written anew."""
    error = value_text(round(event["error"], 4))
    changed = plural(len(event["path"]), "belief")
    if not event["error"]:
        return f"The scale of values is laid anew: {changed} written anew."
    return f"Estimates are taken to be off by {error}, a standard deviation: {changed} written anew."


def chances(stepper: Stepper, event: dict[str, Any], _: RecordedNode) -> str:
    """How probably each move of the root is the best."""
    nodes = stepper.recording.nodes
    pairs = sorted(zip(event["values"], event["path"], strict=True), key=lambda pair: -pair[0])
    shares = [f"{nodes[number].move} {share_text(share)}" for share, number in pairs]
    return f"How probably each move is the best: {names_text(shares)}."


def expanded(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """An expansion is done."""
    root, so_far = stepper.known(node.number), plural(event["number"], "expansion")
    if stepper.recording.growth in PROOFS:
        return f"After {so_far} the root has {numbers_words(root.value)}."
    best_move = "" if root.best is None else f", by {root.best}"
    about = "" if root.bound == "exact" else "about "
    return f"After {so_far} the root is worth {about}{root.shown}{best_move}."


def step_sentence(stepper: Stepper, shares: dict[str, Any] | None) -> str:
    """All of an expansion, whose last event is the present one; `shares` is the last event that told of chances."""
    leaf = " ".join(stepper.event["line"]) or "the root"
    said = f"Expanded: {leaf}. {expanded(stepper, stepper.event, stepper.node)}"
    return said if shares is None else f"{said} {chances(stepper, shares, stepper.node)}"


def best(stepper: Stepper, event: dict[str, Any], node: RecordedNode) -> str:
    """Another move than before is the best."""
    growth = stepper.recording.growth
    if growth == PLAYOUTS:
        visits = stepper.known(event["child"]).visits
        return f"{event['move']} has the most playouts of {node.side}'s moves now, {visits:,}."
    if growth in PROOFS:
        which = "most proving" if growth == PROOF else cost_sentences.kind_of_best(stepper, node)
        return f"{event['move']} is the {which} of {node.side}'s moves now, {event['shown']}."
    return f"{event['move']} is the best of {node.side}'s moves now, worth {event['shown']}."


GROWING_SENTENCES: dict[str, Sentence] = {
    "choose": choose,
    "playout": playout,
    "proven": proven,
    "count": counted,
    "expand": expand,
    "revalue": revalue,
    "rescale": rescale,
    "settle": cost_sentences.settle,
    "chances": chances,
    "expanded": expanded,
}
