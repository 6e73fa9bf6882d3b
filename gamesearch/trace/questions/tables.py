"""Questions about searches that fill a table of values. A question is asked before or after an event."""

from collections.abc import Iterator
from itertools import islice
from typing import Any

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.trace.answers import NAMED, Question
from gamesearch.trace.questions.growing import new_value
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.growing_sentences import why_dropped
from gamesearch.trace.wording.phrases import place_words, short_notation, turn_at

__all__ = ["dropped_level", "entered_position", "size_of_level", "table_value"]


def entered_position(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask about memoization: which position is entered next, and whether it is searched."""
    recording, before = stepper.recording, number - 1
    if recording.header["algorithm"] != "memo" or event["parent"] is None:
        return
    child, parent = recording.nodes[event["node"]], recording.nodes[event["parent"]]
    if not short_notation(child):
        return
    if recording.events[before]["event"] == "expanded":  # otherwise, the next position is obvious
        yield from next_position(recording, child, parent, before)
    yield from is_searched(stepper, child, parent, before)


def next_position(recording: Recording, child: RecordedNode, parent: RecordedNode, before: int) -> Iterator[Question]:
    """Ask which position a search with memoization enters next, if the nodes on the path have several unsearched
    moves."""
    coming = [
        (node, [each for each in recording.children(node) if each.first_event > before])
        for node in recording.path(parent.number)
    ]
    choices = tuple(dict.fromkeys(short_notation(each) for _, nodes in coming for each in nodes))
    if not 2 <= len(choices) <= NAMED or not all(choices):
        return
    named = [
        f"{place_words(recording, node)}: {', '.join(f'{each.move} to {short_notation(each)}' for each in nodes)}"
        for node, nodes in coming
        if nodes
    ]
    yield Question(
        kind="position",
        before=before,
        text=f"Memoization searches depth first. These nodes on the path still have moves to search: "
        f"{'; '.join(named)}. Which position is entered next?",
        answer=short_notation(child),
        reason=f"{child.move} is the next move of the deepest node, {place_words(recording, parent)}.",
        moves=choices,
    )


def is_searched(stepper: Stepper, child: RecordedNode, parent: RecordedNode, before: int) -> Iterator[Question]:
    """Ask whether a position is searched or whether its value is taken from the table."""
    recording = stepper.recording
    values = (short_notation(each) for each in recording.nodes.values() if has_value(stepper, each, before))
    stored = sorted(islice(values, NAMED + 1))
    if not 0 < len(stored) <= NAMED or not all(stored):
        return
    first = None if child.same is None else recording.nodes.get(child.same)
    yield Question(
        kind="stored",
        before=before,
        text=f"The table has the values of {'; '.join(stored)}. {turn_at(recording, parent)}: {child.move} leads to "
        f"{short_notation(child)}. Is this position searched?",
        answer="yes" if first is None else "no",
        reason="it is reached for the first time."
        if first is None
        else f"it is the same position as {place_words(recording, first)}.",
    )


def has_value(stepper: Stepper, node: RecordedNode, moment: int) -> bool:
    """Whether the table contains the value of a position after event number `moment`. False for nodes that repeat a
    position."""
    return node.same is None and stepper.state_of(node.number, moment).bound == "exact"


def table_value(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask for a new value. If the solver works backward, also ask whether this value decides the value of an earlier
    position."""
    yield from new_value(stepper, number, event)
    recording = stepper.recording
    if recording.header["algorithm"] == "memo" or stepper.has_levels:
        return
    nodes = (event["node"], *event.get("same", ()))
    above = (recording.nodes[each].parent for each in nodes)
    for node in (recording.nodes[each] for each in dict.fromkeys(above) if each is not None):
        stepper.go(number)
        children = stepper.children(node.number)
        if not 2 <= len(children) <= NAMED or node.side not in ("Max", "Min") or has_value(stepper, node, number):
            continue
        states = {str(child.move): stepper.state_of(child.number) for child in children}
        known = {move: state for move, state in states.items() if state.bound == "exact"}
        unknown = [move for move in states if move not in known]
        goal = (stepper.recording.scale or (None, None))[node.side == "Max"]
        winning = next((move for move, state in known.items() if state.value == goal), None)
        moves = "; ".join(
            f"{move} is worth {state.shown}" if move in known else f"{move} has no value yet"
            for move, state in states.items()
        )
        yield Question(
            kind="decided",
            before=number,
            text=f"{turn_at(recording, node)}. Its moves: {moves}. Is its value decided?",
            answer="yes" if winning or not unknown else "no",
            reason=f"{winning} wins for {node.side}, so the other moves do not matter."
            if winning
            else f"{' or '.join(unknown)} may be better for {node.side} than the moves whose values are known."
            if unknown
            else f"all its moves have a value, and {node.side} takes the best of them.",
        )


def size_of_level(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask how many positions a level has."""
    count, names = event["count"], [short_notation(stepper.recording.nodes[each]) for each in event["path"]]
    reached = f"games reach {'; '.join(names)}" if names else "no game reaches any of them"
    unreached = f", but not {count - len(names):,} more" if count > len(names) and names else ""
    yield Question(
        kind="count",
        before=number - 1,
        text=f"Dynamic programming computes level {event['number']} next. How many positions does this level have? "
        "Count a position once for each player to move, even if no game reaches it.",
        answer=f"{count:,}",
        reason=f"{reached}{unreached}.",
        numbers=(float(count),),
    )


def dropped_level(_: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask which level can be dropped."""
    if "level" not in event:
        return
    levels = plural(event["reach"], "level")
    yield Question(
        kind="level",
        before=number - 1,
        text=f"Level {event['level'] + event['reach']} is complete, and a move goes down by at most {levels}. Which "
        "level can be dropped now?",
        answer=str(event["level"]),
        reason=why_dropped(event),
        numbers=(float(event["level"]),),
    )
