"""Questions about searches that keep their tree. A question is asked before an event."""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.trace.answers import NAMED, Question
from gamesearch.trace.node_values import STUCK, is_solved, numbers
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import NodeState, Stepper
from gamesearch.trace.wording.growing_sentences import SENTENCES_OF
from gamesearch.trace.wording.phrases import capital, names_text, place_words, turn_at

__all__ = ["average", "choice", "greatest_bound", "leaf", "most_probable", "move_words", "new_value"]

LINE = 76
"""The greatest number of columns for the items in a line of a list."""


def greatest_bound(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask which move has the greatest upper confidence bound, unless several moves have it."""
    bounds = {name: bound for name, _, bound in event["bounds"]}
    if len(bounds) < 2 or list(bounds.values()).count(bounds.get(event["move"], 0.0)) > 1:
        return
    node = stepper.recording.nodes[event["node"]]
    children = {child.move: stepper.state_of(child.number, number - 1) for child in stepper.recording.children(node)}
    moves = [playout_words(name, visits, children.get(name)) for name, visits, _ in event["bounds"]]
    shown = ", ".join(f"{name} {bound:g}" for name, bound in bounds.items())
    visits_of = {name: visits for name, visits, _ in event["bounds"]}
    yield Question(
        kind="choice",
        before=number - 1,
        text=f"{turn_at(stepper.recording, node)}:\n\n{in_columns(moves)}\n\n{formula(stepper, node, number)}"
        "Which move does the next playout follow?",
        answer=event["move"],
        reason=f"it has the greatest upper confidence bound: {shown}."
        if visits_of[event["move"]]
        else "it is not tried yet, so it is tried first.",
        moves=tuple(bounds),
    )


def in_columns(items: Sequence[str]) -> str:
    """A list in columns, as a code block in Markdown. Each item ends with a semicolon or a period, so the list stays
    readable if its lines are joined into one."""
    cells = [*(f"{item};" for item in items[:-1]), f"{items[-1]}."]
    width = max(map(len, cells)) + 2
    fitting = max(1, LINE // width)
    rows = (cells[first : first + fitting] for first in range(0, len(cells), fitting))
    return "\n".join("    " + "".join(cell.ljust(width) for cell in row).rstrip() for row in rows)


def formula(stepper: Stepper, node: RecordedNode, number: int) -> str:
    """The formula of a node's upper confidence bound before event `number`; empty if the algorithm is not `mcts`."""
    algorithm = str(stepper.recording.header["algorithm"])
    if not algorithm.startswith("mcts"):
        return ""
    found = re.search(r"\bexploration=([\d.]+)", algorithm)
    visits = stepper.state_of(node.number, number - 1).visits
    least, greatest = stepper.payoffs_before[number]
    reason = "; the average counts as 0.5, because all payoffs so far are equal" if least == greatest else ""
    return (
        f"The bound is {scaled_average(least, greatest, node.side == 'Min')} + C * sqrt(ln({visits}) / playouts of the "
        f"move), with C = {found[1] if found else '1'}{reason}. "
    )


def scaled_average(least: float, greatest: float, is_min: bool) -> str:
    """A formula that scales the average, so that 0 is the worst payoff so far and 1 is the best, from a player's point
    of view."""
    if least == greatest:
        return "0.5"
    shift = f" {'+' if least < 0 else '-'} {abs(least):g}" if least else ""
    difference = f"{greatest:g} - average" if is_min else f"average{shift}"
    if greatest - least == 1:
        return difference
    return f"{difference if difference == 'average' else f'({difference})'} / {greatest - least:g}"


def playout_words(name: str, visits: int, known: NodeState | None) -> str:
    """Words for a move: its name, the number of its playouts, and their average value."""
    if not visits:
        return f"{name}: not tried yet"
    paid = f", average {known.shown}" if known is not None and known.shown else ""
    return f"{name}: {plural(visits, 'playout')}{paid}"


def average(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask for the new average of a node after a playout. The node is the second node on the path of the playout. If the
    path contains only the root, the node is the root."""
    at = min(1, len(event["path"]) - 1)
    node = stepper.recording.nodes[event["path"][at]]
    before, after = stepper.state_of(node.number, number - 1), stepper.state_of(node.number, number)
    if not before.visits or after.bound != "estimate":
        return
    paid = event["values"][at]
    shown = f"({', '.join(f'{each:g}' for each in paid)})" if isinstance(paid, list) else f"{paid:g}"
    old, new = (f"({each})" if each[:1] in "+-" else each for each in (before.shown, shown))
    total = "" if isinstance(paid, list) else f": ({before.visits} * {old} + {new}) / {after.visits} = {after.shown}"
    had = f"averages {before.shown} over {plural(before.visits, 'playout')}"
    yield Question(
        kind="average",
        before=number - 1,
        text=f"{capital(place_words(stepper.recording, node))} {had}. "
        f"The payoff of the next playout is {shown}. What is the average now?",
        answer=after.shown,
        numbers=numbers(after.value),
        reason=f"the sum of the payoffs of {plural(after.visits, 'playout')}, divided by their number{total}.",
    )


def leaf(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask which leaf is expanded next. The question is asked directly after an expansion, if there are few leaves."""
    words, nodes, events = SENTENCES_OF[stepper.recording.growth], stepper.recording.nodes, stepper.recording.events
    before = next(at for at in range(number - 1, -1, -1) if events[at]["event"] != "choose")
    if events[before]["event"] != "expanded":
        return
    stepper.go(before)
    leaves = list(islice((node for node in nodes.values() if is_leaf(stepper, node)), NAMED + 1))
    if not 2 <= len(leaves) <= NAMED:
        return
    named = [f"{each.number} ({line_to(stepper, each)}): {stepper.state_of(each.number).shown}" for each in leaves]
    attacks = f"{stepper.question.attacker} attacks; " if stepper.question.attacker else ""
    yield Question(
        kind="leaf",
        before=before,
        text=f"{turn_at(stepper.recording, stepper.path[0])}; {attacks}{words.leaves}: {'; '.join(named)}. "
        f"Which leaf is {words.kind_of_leaf}expanded next?",
        answer=str(event["node"]),
        reason=words.why_leaf.format(line=line_to(stepper, nodes[event["node"]])),
        moves=tuple(str(each.number) for each in leaves),
    )


def is_leaf(stepper: Stepper, node: RecordedNode) -> bool:
    """Whether a node of the current tree can be expanded: it has no children, and its value is neither proven nor
    exact."""
    if (
        node.first_event > stepper.at
        or node.same is not None
        or stepper.children(node.number)
        or stepper.recording.path(node.number)[0] is not stepper.path[0]  # the node belongs to the tree of another goal
    ):
        return False
    known = stepper.state_of(node.number)
    return not is_solved(known.value) if isinstance(known.value, list) else known.bound != "exact"


def line_to(stepper: Stepper, node: RecordedNode) -> str:
    """The moves that lead to a node."""
    return " ".join(str(each.move) for each in stepper.recording.path(node.number)[1:]) or "the root"


def choice(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask which move the search follows from a node of the tree."""
    node = stepper.recording.nodes[event["node"]]
    stepper.go(number - 1)
    children = stepper.children(node.number)
    if not 2 <= len(children) <= NAMED or event["move"] not in {child.move for child in children}:
        return
    if reason := SENTENCES_OF[stepper.recording.growth].reason_for_choice(stepper, event, node):
        moves = "; ".join(move_words(stepper, child) for child in children)
        yield Question(
            kind="choice",
            before=number - 1,
            text=f"{turn_at(stepper.recording, node)}: {moves}. Which move is followed to the next leaf?",
            answer=event["move"],
            reason=reason,
            moves=tuple(str(child.move) for child in children),
        )


def move_words(stepper: Stepper, child: RecordedNode) -> str:
    """Words for a move: its name, its value, and how certain the value is."""
    known = stepper.state_of(child.number)
    sure = "certain" if known.bound == "exact" else known.interval_shown
    return f"{child.move} {known.shown}" + (f" ({sure})" if sure and not isinstance(known.value, list) else "")


def new_value(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask for the new value of a node (in proofs, its proof and disproof numbers or its cost) after its children have
    changed."""
    node, words = stepper.recording.nodes[event["node"]], SENTENCES_OF[stepper.recording.growth]
    stepper.go(number - 1)
    children = stepper.children(node.number)
    if not 2 <= len(children) <= NAMED or node.side not in ("Max", "Min") or event["value"] == [STUCK]:
        return
    found, attacker = words.back_up(stepper, node), stepper.question.attacker
    if found != numbers(event["value"]):
        return  # some children of the node are not recorded
    were = "numbers were" if words.kind == "numbers" else f"{words.kind} was"
    before = stepper.state_of(node.number)
    had = f"Its {were} {before.shown.removeprefix('cost ')}" if before.value is not None else "It has no value yet"
    had += f"; {attacker} attacks" if attacker else ""
    moves = "; ".join(move_words(stepper, child) for child in children)
    yield Question(
        kind=words.kind,
        before=number - 1,
        text=f"{turn_at(stepper.recording, node)}. {had}. Its moves: {moves}. {words.what}",
        answer=event["shown"].removeprefix("cost "),
        numbers=found,
        reason=words.rule(stepper, node),
    )


def most_probable(stepper: Stepper, number: int, event: dict[str, Any]) -> Iterator[Question]:
    """Ask which move of the root is most probably the best, unless several moves have about the same probability."""
    shares, nodes = event["values"], [stepper.recording.nodes[each] for each in event["path"]]
    stepper.go(number - 1)
    greatest = max(shares)
    if not 2 <= len(nodes) <= NAMED or sum(greatest - share < 0.01 for share in shares) > 1:
        return
    moves = [move_words(stepper, child).partition(", best")[0].removesuffix(")") + ")" for child in nodes]
    chances = [f"{child.move} {100 * share:.0f} %" for child, share in zip(nodes, shares, strict=True)]
    yield Question(
        kind="choice",
        before=number - 1,
        text=f"{turn_at(stepper.recording, stepper.recording.nodes[event['node']])}: {'; '.join(moves)}. "
        "Which move is most probably the best?",
        answer=str(nodes[shares.index(greatest)].move),
        reason=f"its probability is the greatest: {names_text(chances)}.",
        moves=tuple(str(each.move) for each in nodes),
    )
