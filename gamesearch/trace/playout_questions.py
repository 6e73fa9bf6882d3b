"""Questions about a search by playouts: which move does the next one follow, and what is the average after it?"""

from collections.abc import Iterator
from typing import Any

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.trace.question import ASKED, Question, numbers
from gamesearch.trace.stepping import Known, Stepper
from gamesearch.trace.words import place_words, turn_at

__all__ = ["playout_questions"]


def playout_questions(stepper: Stepper) -> Iterator[Question]:
    """All that can be asked about the beginning of a search by playouts."""
    for number, event in enumerate(stepper.recording.events[:ASKED]):
        if event["event"] == "choose" and number:
            yield from choice(stepper, number, event)
        elif event["event"] == "count":
            yield from average(stepper, number, event)


def choice(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Which move has the greatest upper confidence bound, if one alone has."""
    bounds = {name: bound for name, _, bound in event["bounds"]}
    greatest = bounds.get(event["move"], 0.0)
    if len(bounds) < 2 or sum(bound == greatest for bound in bounds.values()) > 1:
        return
    node = stepper.recording.nodes[event["node"]]
    children = {child.move: stepper.known(child.number, number - 1) for child in stepper.recording.children(node)}
    moves = [move_words(name, visits, children.get(name)) for name, visits, _ in event["bounds"]]
    asked = f"{turn_at(node)}: {'; '.join(moves)}. Which move does the next playout follow?"
    shown = ", ".join(f"{name} {bound:g}" for name, bound in bounds.items())
    reason = f"it has the greatest upper confidence bound: {shown}."
    yield Question("choice", number - 1, asked, event["move"], (), reason, tuple(bounds))


def move_words(name: str, visits: int, known: Known | None) -> str:
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
