"""Questions about a search that keeps its tree: where does it go on, and what does that change on the way back?"""

from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from typing import Any

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.trace.purposes import BELIEFS, COSTS, EXPANSIONS, PLAYOUTS, PROOF
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
    askers = ASKERS[stepper.recording.growth]
    for number, event in enumerate(stepper.recording.events[:ASKED]):
        if event["event"] in askers:
            yield from askers[event["event"]](stepper, number, event)


def greatest_bound(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which move has the greatest upper confidence bound, if one alone has."""
    bounds = {name: bound for name, _, bound in event["bounds"]}
    if len(bounds) < 2 or list(bounds.values()).count(bounds.get(event["move"], 0.0)) > 1:
        return
    node = stepper.recording.nodes[event["node"]]
    children = {child.move: stepper.known(child.number, number - 1) for child in stepper.recording.children(node)}
    moves = "; ".join(paid_words(name, visits, children.get(name)) for name, visits, _ in event["bounds"])
    shown = ", ".join(f"{name} {bound:g}" for name, bound in bounds.items())
    yield Question(
        kind="choice",
        before=number - 1,
        text=f"{turn_at(node)}: {moves}. Which move does the next playout follow?",
        answer=event["move"],
        reason=f"it has the greatest upper confidence bound: {shown}.",
        moves=tuple(bounds),
    )


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
    yield Question(
        kind="average",
        before=number - 1,
        text=f"{place_words(node)}, {had}. The next one pays {shown}: what is the average now?",
        answer=after.shown,
        numbers=numbers(after.value),
        reason=f"the payoffs of {plural(after.visits, 'playout')}, added up and divided by their number.",
    )


def leaf(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which leaf is expanded next, where there are not too many to be named, and nothing was told since the last."""
    words, nodes, events = WORDINGS[stepper.recording.growth], stepper.recording.nodes, stepper.recording.events
    before = next(at for at in range(number - 1, -1, -1) if events[at]["event"] != "choose")
    if events[before]["event"] != "expanded":
        return
    stepper.go(before)
    leaves = list(islice((node for node in nodes.values() if is_leaf(stepper, node)), NAMED + 1))
    if not 2 <= len(leaves) <= NAMED:
        return
    named = [f"{each.number} ({line_to(stepper, each)}): {stepper.known(each.number).shown}" for each in leaves]
    attacks = f"{stepper.question.attacker} attacks; " if stepper.question.attacker else ""
    yield Question(
        kind="leaf",
        before=before,
        text=f"The root, {stepper.path[0].side} to move; {attacks}{words.leaves}: {'; '.join(named)}. "
        f"Which leaf is {words.kind_of_leaf}expanded next?",
        answer=str(event["node"]),
        reason=words.why_leaf.format(line=line_to(stepper, nodes[event["node"]])),
        moves=tuple(str(each.number) for each in leaves),
    )


def is_leaf(stepper: Stepper, node: RecordedNode) -> bool:
    """Whether a node of the present tree may be expanded: it has no children, and its value is open."""
    if (
        node.first_event > stepper.at
        or node.same is not None
        or stepper.children(node.number)
        or stepper.recording.path(node.number)[0] is not stepper.path[0]  # of the tree of another question
    ):
        return False
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
    if reason := WORDINGS[stepper.recording.growth].why_followed(stepper, event, node):
        moves = "; ".join(move_words(stepper, child) for child in children)
        yield Question(
            kind="choice",
            before=number - 1,
            text=f"{turn_at(node)}: {moves}. Which move is followed to the next leaf?",
            answer=event["move"],
            reason=reason,
            moves=tuple(str(child.move) for child in children),
        )


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
    yield Question(
        kind=words.kind,
        before=number - 1,
        text=f"{turn_at(node)}, {had}. Its moves: {moves}. {words.what}",
        answer=event["shown"].removeprefix("cost "),
        numbers=found,
        reason=words.rule(stepper, node),
    )


def most_probable(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which move of the root is most probably the best, if one alone is."""
    shares, nodes = event["values"], [stepper.recording.nodes[each] for each in event["path"]]
    stepper.go(number - 1)
    greatest = max(shares)
    if not 2 <= len(nodes) <= NAMED or sum(greatest - share < 0.01 for share in shares) > 1:
        return
    moves = [move_words(stepper, child).partition(", best")[0].removesuffix(")") + ")" for child in nodes]
    told = [f"{child.move} {100 * share:.0f} %" for child, share in zip(nodes, shares, strict=True)]
    yield Question(
        kind="choice",
        before=number - 1,
        text=f"{turn_at(stepper.recording.nodes[event['node']])}: {'; '.join(moves)}. "
        "Which move is most probably the best?",
        answer=str(nodes[shares.index(greatest)].move),
        reason=f"its probability is the greatest: {names_text(told)}.",
        moves=tuple(str(each.move) for each in nodes),
    )


Asker = Callable[[Stepper, int, dict[str, Any]], Iterator[Question]]
OF_EXPANSIONS: Mapping[str, Asker] = {"expand": leaf, "choose": choice, "revalue": value}
ASKERS: Mapping[str, Mapping[str, Asker]] = {
    PLAYOUTS: {"choose": greatest_bound, "count": average},
    BELIEFS: {"choose": choice, "chances": most_probable},
    **dict.fromkeys((EXPANSIONS, PROOF, COSTS), OF_EXPANSIONS),
}
"""What is asked at which events, by what the tree grows by."""
