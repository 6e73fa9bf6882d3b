"""Questions about a search that expands leaves: which is expanded next, and what does that change above it?"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from gamesearch.trace.question import ASKED, Question, numbers
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.sentences import WORDINGS
from gamesearch.trace.standing import STUCK, is_solved
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.words import names_text, turn_at

__all__ = ["expansion_questions"]

NAMED = 12
"""How many leaves or moves a question names at the most."""


def expansion_questions(stepper: Stepper) -> Iterator[Question]:
    """All that can be asked about the beginning of a search that expands leaves."""
    events, words = stepper.recording.events[:ASKED], WORDINGS[stepper.recording.growth]
    done = 0
    for number, event in enumerate(events):
        kind = event["event"]
        if kind == "expanded":
            done = number
        elif kind == "expand" and done and words.asks_values:
            if all(each["event"] == "choose" for each in events[done + 1 : number]):
                yield from leaf(stepper, done, event)
        elif kind == "choose":
            yield from choice(stepper, number, event)
        elif kind == "revalue" and words.asks_values:
            yield from value(stepper, number, event)
        elif kind == "chances":
            yield from most_probable(stepper, number, event)


def leaf(stepper: Stepper, before: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which leaf is expanded next, where there are not too many to be named."""
    words, nodes = WORDINGS[stepper.recording.growth], stepper.recording.nodes
    stepper.go(before)
    leaves = list(islice((node for node in nodes.values() if is_leaf(stepper, node)), NAMED + 1))
    if not 2 <= len(leaves) <= NAMED:
        return
    named = [f"{each.number} ({line_to(stepper, each)}): {stepper.known(each.number).shown}" for each in leaves]
    attacker = stepper.question.attacker
    asked = (
        f"The root, {stepper.path[0].side} to move; {f'{attacker} attacks; ' if attacker else ''}{words.leaves}: "
        f"{'; '.join(named)}. Which leaf is {words.kind_of_leaf}expanded next?"
    )
    reason = words.why_leaf.format(line=line_to(stepper, nodes[event["node"]]))
    yield Question("leaf", before, asked, str(event["node"]), (), reason, tuple(str(each.number) for each in leaves))


def is_leaf(stepper: Stepper, node: RecordedNode) -> bool:
    """Whether a node of the present tree may be expanded: it has no children, and its value is open."""
    if node.first_event > stepper.at or node.same is not None or stepper.children(node.number):
        return False
    if stepper.recording.path(node.number)[0] is not stepper.path[0]:
        return False  # of the tree of another question
    known = stepper.known(node.number)
    return not is_solved(known.value) if isinstance(known.value, list) else known.bound != "exact"


def line_to(stepper: Stepper, node: RecordedNode) -> str:
    """The moves that lead to a node."""
    return " ".join(str(each.move) for each in stepper.recording.path(node.number)[1:]) or "the root"


def choice(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which move is followed."""
    node = stepper.recording.nodes[event["node"]]
    stepper.go(number - 1)
    children = stepper.children(node.number)
    if not 2 <= len(children) <= NAMED or event["move"] not in {child.move for child in children}:
        return
    moves = "; ".join(move_words(stepper, child) for child in children)
    asked = f"{turn_at(node)}: {moves}. Which move is followed to the next leaf?"
    if reason := WORDINGS[stepper.recording.growth].why_followed(stepper, event, node):
        options = tuple(str(child.move) for child in children)
        yield Question("choice", number - 1, asked, event["move"], (), reason, options)


def move_words(stepper: Stepper, child: RecordedNode) -> str:
    """A move, what it is worth, and how sure that is."""
    known = stepper.known(child.number)
    sure = "certain" if known.bound == "exact" else known.interval_shown
    return f"{child.move} {known.shown}" + (f" ({sure})" if sure and not isinstance(known.value, list) else "")


def value(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """What a node is worth, its numbers or its cost, now that those of its moves have changed."""
    node, words = stepper.recording.nodes[event["node"]], WORDINGS[stepper.recording.growth]
    stepper.go(number - 1)
    children = stepper.children(node.number)
    if not 2 <= len(children) <= NAMED or node.side not in ("Max", "Min") or event["value"] == [STUCK]:
        return
    found, attacker = words.backed_up(stepper, node), stepper.question.attacker
    if found != numbers(event["value"]):
        return  # some of its children are not written down
    had = f"had {stepper.known(node.number).shown}" + (f", and {attacker} attacks" if attacker else "")
    moves = "; ".join(move_words(stepper, child) for child in children)
    asked = f"{turn_at(node)}, {had}. Its moves: {moves}. {words.what}"
    shown = event["shown"].removeprefix("cost ")
    yield Question(words.kind, number - 1, asked, shown, found, words.rule(stepper, node))


def most_probable(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which move of the root is most probably the best, if one alone is."""
    shares, nodes = event["values"], [stepper.recording.nodes[each] for each in event["path"]]
    stepper.go(number - 1)
    greatest = max(shares)
    if not 2 <= len(nodes) <= NAMED or sum(greatest - share < 0.01 for share in shares) > 1:
        return
    moves = [move_words(stepper, child).partition(", best")[0].removesuffix(")") + ")" for child in nodes]
    root = stepper.recording.nodes[event["node"]]
    asked = f"{turn_at(root)}: {'; '.join(moves)}. Which move is most probably the best?"
    best = nodes[shares.index(greatest)]
    told = [f"{child.move} {100 * share:.0f} %" for child, share in zip(nodes, shares, strict=True)]
    reason = f"its probability is the greatest: {names_text(told)}."
    yield Question("choice", number - 1, asked, str(best.move), (), reason, tuple(str(each.move) for each in nodes))
