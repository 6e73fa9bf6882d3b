"""Questions about depth-first searches. A question is asked after a child of a node is finished."""

import math
from collections.abc import Iterator
from itertools import pairwise

from gamesearch.algorithms.engine.formatting import probability_text
from gamesearch.toolkit.derived_games import COALITION
from gamesearch.trace.answers import NAMED, Question, is_number, split_numbers
from gamesearch.trace.node_values import numbers
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.phrases import BOUND_WORDS, best_values_words, does, turn_at, weighted_sum, window_words
from gamesearch.trace.wording.sentences import sentence

__all__ = ["depth_first_questions", "value"]


def depth_first_questions(stepper: Stepper) -> Iterator[Question]:
    """All questions about a depth-first search."""
    recording = stepper.recording
    prunes = any(event["event"] == "cutoff" for event in recording.events)
    narrows = len({node.window_shown for node in recording.nodes.values()}) > 1
    for node in recording.nodes.values():
        children = recording.children(node)
        if not children or node.is_probe or node.last_event < 0 or recording.hidden_nodes(node):
            continue
        if narrows:
            yield from windows(stepper, node, children)
        if prunes and node.side != "chance":
            yield from is_next_searched(stepper, node, children)
        if is_foreseeable(stepper, node, children):
            yield value(stepper, node, children)


def value(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> Question:
    """Ask for the value that a node backs up."""
    before = children[-1].last_event
    takes, its = does(node.side, "takes"), "their" if node.side == COALITION else "its"
    choice = {
        "Max": f"{takes} the greatest value of {its} moves",
        "Min": f"{takes} the least value of {its} moves",
        "chance": f"the values of the outcomes are weighted by their probabilities{weighted_sum(node, children)}",
    }.get(stepper.recording.role(node.side), f"{takes} the move with the greatest payoff for {node.side}")
    rest = ", and the moves that were cut could only make this value " if node.is_cut and node.bound != "exact" else ""
    return Question(
        kind="value",
        before=before,
        text=f"{situation(stepper, node, before)} Now the search leaves this node. Which value does it back up?",
        answer=BOUND_WORDS[node.bound] + node.shown,
        numbers=numbers(node.value),
        reason=choice + (rest and rest + {"lower": "greater", "upper": "smaller"}[node.bound]) + ".",
    )


def is_foreseeable(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> bool:
    """Whether the value of a node follows from the values of its children. A search with a transposition table or with
    clipped values may back up a different value."""
    if node.side != "chance":
        return node.value is not None and stepper.state_of(node.number, node.last_event - 1).value == node.value
    if node.is_cut or any(child.is_probe for child in children):
        return False
    shares = ([(child.chance or 0.0) * number for number in numbers(child.value)] for child in children)
    means = map(sum, zip(*shares, strict=True))
    return all(math.isclose(a, b, abs_tol=1e-9) for a, b in zip(means, numbers(node.value), strict=True))


def windows(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> Iterator[Question]:
    """Ask for the windows with which the children of a node are searched. The first child is left out."""
    for last, child in pairwise(children):
        window = stepper.state_of(node.number, child.first_event - 1).window
        if window is None or window != child.window or node.side == "chance":
            continue
        alpha, beta = window
        ends = split_numbers(child.window_shown, 2)
        if len(ends) != 2 or not all(map(is_number, ends)):  # a null window can have an end that cannot be typed
            continue
        sides = stepper.recording.sides
        best = ["none yet" if end is None else shown.strip() for end, shown in zip(window, ends, strict=True)]
        yield Question(
            kind="window",
            before=last.last_event,
            text=f"{situation(stepper, node, last.last_event)} With which window is its move {child.move} searched?",
            answer=child.window_shown,
            numbers=(-math.inf if alpha is None else alpha, math.inf if beta is None else beta),
            reason=best_values_words(best, sides),
        )


def is_next_searched(stepper: Stepper, node: RecordedNode, children: list[RecordedNode]) -> Iterator[Question]:
    """Ask whether the next child of a node will be searched."""
    for last, child in pairwise(children):
        window = stepper.state_of(node.number, child.first_event - 1).window_shown
        asked = f"{situation(stepper, node, last.last_event)} Will its move {child.move} be searched?"
        reason = f"{window_words(window)}: alpha is still less than beta."
        yield Question("searched", last.last_event, asked, "yes", reason)
    if node.is_cut and node.pruned:
        before = children[-1].last_event
        asked = f"{situation(stepper, node, before)} Will its move {node.pruned[0]} be searched?"
        stepper.go(node.last_event)
        while stepper.event["event"] != "cutoff":
            stepper.back()
        yield Question("cut", before, asked, "no", sentence(stepper))


def situation(stepper: Stepper, node: RecordedNode, before: int) -> str:
    """Describe a node after event number `before`: its window, and the values of its children."""
    stepper.go(before)
    children = stepper.children(node.number)
    worth = [f"{child.move}{odds(child)} is worth {BOUND_WORDS[child.bound]}{child.shown}" for child in children]
    if len(worth) > NAMED:
        worth = ["...", *worth[-NAMED:]]
    window = f" The search entered this node with {window_words(node.window_shown)}." if node.window_shown else ""
    noun = "outcome" if node.side == "chance" else "move"
    known = f" Its {noun} {worth[0]}." if len(worth) == 1 else f" Its {noun}s: {', '.join(worth)}." if worth else ""
    return f"{turn_at(stepper.recording, node)}.{window}{known}"


def odds(node: RecordedNode) -> str:
    """The probability of an outcome, in brackets; empty for a move."""
    return "" if node.chance is None else f" (probability {probability_text(node.chance)})"
