"""Questions about a search that expands leaves: which is expanded next, and what does that change above it?"""

import math
from collections.abc import Iterator
from itertools import islice
from typing import Any

from gamesearch.trace.cost_questions import backed_up_cost, choice_reason, costs_of, rule
from gamesearch.trace.proof_wording import question_of
from gamesearch.trace.purposes import BELIEFS, COSTS, EXPANSIONS, PROOF
from gamesearch.trace.question import Question, numbers
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.standing import STUCK, is_solved
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.words import names_text

__all__ = ["expansion_questions"]

ASKED = 4_000
"""About so many events is asked: nobody reaches later ones."""
NAMED = 12
"""How many leaves or moves a question names at the most."""
TAKES = {"Max": "takes the greatest", "Min": "takes the least"}


def expansion_questions(stepper: Stepper) -> Iterator[Question]:
    """All that can be asked about the beginning of a search that expands leaves."""
    growth, events = stepper.recording.growth, stepper.recording.events[:ASKED]
    done = 0
    for number, event in enumerate(events):
        if event["event"] == "expanded":
            done = number
        elif event["event"] == "expand" and done and growth != BELIEFS:
            if all(each["event"] == "choose" for each in events[done + 1 : number]):
                yield from leaf(stepper, done, event)
        elif event["event"] == "choose":
            yield from choice(stepper, number, event)
        elif event["event"] == "revalue" and growth != BELIEFS:
            yield from value(stepper, number, event)
        elif event["event"] == "chances":
            yield from most_probable(stepper, number, event)


def leaf(stepper: Stepper, before: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which leaf is expanded next, where there are not too many to be named."""
    growth = stepper.recording.growth
    stepper.go(before)
    found = (node for node in stepper.recording.nodes.values() if is_leaf(stepper, node))
    leaves = list(islice(found, NAMED + 1))
    if not 2 <= len(leaves) <= NAMED:
        return
    named = [f"{each.number} ({line_to(stepper, each)}): {stepper.known(each.number).shown}" for each in leaves]
    what = {
        PROOF: "the leaves, each with its proof number and its disproof number",
        COSTS: f"{question_of(stepper).attacker} attacks; the leaves, each with its cost",
    }.get(growth, "the leaves")
    kind = {PROOF: "most proving, ", COSTS: "most promising, "}.get(growth, "")
    asked = f"{opening(stepper)} {what}: {'; '.join(named)}. Which leaf is {kind}expanded next?"
    line = line_to(stepper, stepper.recording.nodes[event["node"]])
    reason = f"the best line, {line}, ends there."
    if growth == PROOF:
        reason = (
            f"{line} leads there: Max follows the least proof number and Min the least disproof number, the first of "
            "equal ones."
        )
    elif growth == COSTS:
        reason = (
            f"{line} leads there: whoever attacks follows the least cost and whoever defends the greatest, the first "
            "of equal ones."
        )
    yield Question("leaf", before, asked, str(event["node"]), (), reason, tuple(str(each.number) for each in leaves))


def opening(stepper: Stepper) -> str:
    """Whose turn it is at the root."""
    root = stepper.recording.path(stepper.node.number)[0]
    return f"The root, {root.side} to move;"


def is_leaf(stepper: Stepper, node: RecordedNode) -> bool:
    """Whether a node of the present tree may be expanded: it has no children, and its value is open."""
    if node.first_event > stepper.at or node.same is not None or stepper.children(node.number):
        return False
    if stepper.recording.path(node.number)[0].number != stepper.recording.path(stepper.node.number)[0].number:
        return False  # of the tree of another question
    known = stepper.known(node.number)
    return not is_solved(known.value) if isinstance(known.value, list) else known.bound != "exact"


def line_to(stepper: Stepper, node: RecordedNode) -> str:
    """The moves that lead to a node."""
    return " ".join(str(each.move) for each in stepper.recording.path(node.number)[1:]) or "the root"


def choice(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which move is followed."""
    growth, node = stepper.recording.growth, stepper.recording.nodes[event["node"]]
    stepper.go(number - 1)
    children = stepper.children(node.number)
    if not 2 <= len(children) <= NAMED or event["move"] not in {child.move for child in children}:
        return
    moves = [move_words(stepper, child) for child in children]
    asked = f"{place(node)}: {'; '.join(moves)}. Which move is followed to the next leaf?"
    if growth == EXPANSIONS:
        worst = "greatest" if node.side == "Max" else "least"
        reason = f"of what is not certain it has the {worst} value, and is the first of equal ones."
    elif growth == PROOF:
        which = "proof number" if node.side == "Max" else "disproof number"
        reason = f"it has the least {which}, and is the first of equal ones."
    elif growth == COSTS:
        costs, place_followed = costs_of(stepper, children), [child.move for child in children].index(event["move"])
        reason = choice_reason(node.side, costs, place_followed, node.side == question_of(stepper).attacker)
        if not reason:
            return
    else:
        shown = names_text([f"{name} {bound:g}" for name, _, bound in event["bounds"]])
        gains = "is expected to gain most" if node.parent is None and node.side != "chance" else "matters most"
        if len(event["bounds"]) < 2:
            return
        reason = f"knowing it {gains}: {shown}."
    yield Question("choice", number - 1, asked, event["move"], (), reason, tuple(str(each.move) for each in children))


def move_words(stepper: Stepper, child: RecordedNode) -> str:
    """A move, what it is worth, and how sure that is."""
    known = stepper.known(child.number)
    if isinstance(known.value, list):
        return f"{child.move} {known.shown}"
    sure = "certain" if known.bound == "exact" else known.interval_shown
    return f"{child.move} {known.shown}" + (f" ({sure})" if sure else "")


def value(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """What a node is worth, its numbers or its cost, now that those of its moves have changed."""
    node, growth = stepper.recording.nodes[event["node"]], stepper.recording.growth
    stepper.go(number - 1)
    children = stepper.children(node.number)
    if not 2 <= len(children) <= NAMED or node.side not in TAKES or event["value"] == [STUCK]:
        return
    below = [numbers(stepper.known(child.number).value) for child in children] if growth != COSTS else []
    if growth == COSTS:
        costs, is_attackers = costs_of(stepper, children), node.side == question_of(stepper).attacker
        found: tuple[float, ...] = (backed_up_cost(costs, is_attackers),) if costs else ()
        kind, what, reason = "cost", "What is its cost now?", rule(node.side, is_attackers)
    elif growth == PROOF:
        found = backed_up(node.side, below)
        one, all_of_them = ("proof", "disproof") if node.side == "Max" else ("disproof", "proof")
        reason = f"the least {one} number of its moves, and the sum of their {all_of_them} numbers."
        kind, what = "numbers", "What are its proof number and its disproof number now?"
    else:
        found = backed_up(node.side, below)
        kind, what, reason = (
            "value",
            "What is it worth now?",
            f"{node.side} {TAKES[node.side]} of what its moves bring.",
        )
    if found != numbers(event["value"]):
        return  # some of its children are not written down
    moves = "; ".join(move_words(stepper, child) for child in children)
    who = f", and {question_of(stepper).attacker} attacks" if growth == COSTS else ""
    asked = f"{place(node)}, had {stepper.known(node.number).shown}{who}. Its moves: {moves}. {what}"
    shown = event["shown"].removeprefix("cost ")
    yield Question(kind, number - 1, asked, shown, found, reason)


def backed_up(side: str, below: list[tuple[float, ...]]) -> tuple[float, ...]:
    """What follows for a node from the values of its children, or from their proof and disproof numbers."""
    choose = max if side == "Max" else min
    if len(below[0]) == 1:
        return (choose(each for (each,) in below),)
    proofs, disproofs = zip(*below, strict=True)
    return (min(proofs), math.fsum(disproofs)) if side == "Max" else (math.fsum(proofs), min(disproofs))


def most_probable(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which move of the root is most probably the best, if one alone is."""
    shares, nodes = event["values"], [stepper.recording.nodes[each] for each in event["path"]]
    stepper.go(number - 1)
    greatest = max(shares)
    if not 2 <= len(nodes) <= NAMED or sum(greatest - share < 0.01 for share in shares) > 1:
        return
    moves = [move_words(stepper, child).partition(", best")[0].removesuffix(")") + ")" for child in nodes]
    root = stepper.recording.nodes[event["node"]]
    asked = f"{place(root)}: {'; '.join(moves)}. Which move is most probably the best?"
    best = nodes[shares.index(greatest)]
    reason = (
        "its probability is the greatest: "
        + names_text([f"{child.move} {100 * share:.0f} %" for child, share in zip(nodes, shares, strict=True)])
        + "."
    )
    yield Question("choice", number - 1, asked, str(best.move), (), reason, tuple(str(each.move) for each in nodes))


def place(node: RecordedNode) -> str:
    """A node, the move that leads to it, and whose turn it is."""
    where = "the root" if node.parent is None else f"after {node.move}"
    turn = "chance decides" if node.side == "chance" else f"{node.side} to move"
    return f"Node {node.number}, {where}, {turn}"
