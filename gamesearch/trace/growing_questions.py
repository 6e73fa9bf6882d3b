"""Questions about a search that keeps its tree: where does it go on, and what does that change on the way back?"""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.trace.question import Question, numbers
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.standing import STUCK, is_solved
from gamesearch.trace.stepping import Known, Stepper
from gamesearch.trace.wordings import WORDINGS
from gamesearch.trace.words import names_text, place_words, turn_at

__all__ = ["growing_questions"]

ASKED = 4_000
"""About so many events is asked: nobody reaches later ones."""
NAMED = 12
"""How many leaves or moves a question names at the most."""


def growing_questions(stepper: Stepper) -> Iterator[Question]:
    """All that can be asked about the beginning of a search that keeps its tree."""
    recording = stepper.recording
    events, words, done = recording.events[:ASKED], WORDINGS[recording.growth], 0
    for number, event in enumerate(events):
        match event["event"]:
            case "expanded":
                done = number
            case "expand" if done and words.asks_values:
                if all(each["event"] == "choose" for each in events[done + 1 : number]):
                    yield from leaf(stepper, done, event)
            case "choose" if recording.is_played_out:
                yield from greatest_bound(stepper, number, event)
            case "choose":
                yield from choice(stepper, number, event)
            case "count":
                yield from average(stepper, number, event)
            case "revalue" if words.asks_values:
                yield from value(stepper, number, event)
            case "chances":
                yield from most_probable(stepper, number, event)


def greatest_bound(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which move has the greatest upper confidence bound, if one alone has."""
    bounds = {name: bound for name, _, bound in event["bounds"]}
    greatest = bounds.get(event["move"], 0.0)
    if len(bounds) < 2 or sum(bound == greatest for bound in bounds.values()) > 1:
        return
    node = stepper.recording.nodes[event["node"]]
    children = {child.move: stepper.known(child.number, number - 1) for child in stepper.recording.children(node)}
    moves = [paid_words(name, visits, children.get(name)) for name, visits, _ in event["bounds"]]
    asked = f"{turn_at(node)}: {'; '.join(moves)}. Which move does the next playout follow?"
    shown = ", ".join(f"{name} {bound:g}" for name, bound in bounds.items())
    reason = f"it has the greatest upper confidence bound: {shown}."
    yield Question("choice", number - 1, asked, event["move"], (), reason, tuple(bounds))


def paid_words(name: str, visits: int, known: Known | None) -> str:
    """A move, how often it was played out, and what that paid."""
    paid = f", average {known.shown}" if known is not None and known.shown and visits else ""
    return f"{name}: {plural(visits, 'playout')}{paid}"


def average(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """What the average of the first node below the root is after a playout, or that of the root."""
    at = min(1, len(event["path"]) - 1)
    node = stepper.recording.nodes[event["path"][at]]
    before, after = stepper.known(node.number, number - 1), stepper.known(node.number, number)
    if not before.visits or after.bound != "estimate":
        return
    paid = event["values"][at]
    shown = f"({', '.join(f'{each:g}' for each in paid)})" if isinstance(paid, list) else f"{paid:g}"
    had = f"had {before.shown} on average of {plural(before.visits, 'playout')}"
    asked = f"{place_words(node)}, {had}. The next one pays {shown}: what is the average now?"
    reason = f"the payoffs of {plural(after.visits, 'playout')}, added up and divided by their number."
    yield Question("average", number - 1, asked, after.shown, numbers(after.value), reason)


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
