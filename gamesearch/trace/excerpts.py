"""Small parts of a recorded tree: the nodes near the root, or the nodes around the current node."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from gamesearch.trace.events import PROOFS
from gamesearch.trace.node_values import is_solved
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper

__all__ = ["Row", "fold_tree", "limit_recording"]


def limit_recording(
    recording: Recording, plies: int | None = None, width: int | None = None, nodes: int | None = None
) -> Recording:
    """Copy a part of a recording: `plies` plies of the last tree, and the first `width` children of each node.

    At most `nodes` nodes are kept: the nodes nearest to the root. Each kept node still contains the number of nodes
    that the search visited below it.
    """
    kept: set[int] = set()
    waiting = deque([recording.root] if recording.root is not None else [])
    while waiting and (nodes is None or len(kept) < nodes):
        node = waiting.popleft()
        kept.add(node.number)
        if plies is None or node.ply < plies:
            waiting += recording.children(node, width)
    shown = {each.number for each in recording.iterations if each.root in kept}
    part = Recording(recording.header)
    for event in recording.events:
        if "path" in event:
            event = reduce_path(event, kept)
        if "same" in event and event["event"] == "revalue":
            first, *others = [each for each in (event["node"], *event["same"]) if each in kept] or [event["node"]]
            event = event | {"node": first, "same": others}
        if event["number"] in shown if event["event"] == "iteration" else event["node"] in kept:
            # A child that is left out has the number null, like a child that was not recorded.
            is_dangling = event.get("child") is not None and event["child"] not in kept
            part.take(event | {"child": None} if is_dangling else event)
    for number in kept:
        part.nodes[number].nodes = recording.nodes[number].nodes
    visited = recording.end["recorded"] + recording.end["left_out"]
    part.close(recording.end | {"recorded": len(kept), "left_out": visited - len(kept)})
    return part


def reduce_path(event: dict[str, Any], kept: set[int]) -> dict[str, Any]:
    """Shorten an event about several nodes, such as the count of a playout: keep only the nodes in `kept`."""
    places = [place for place, each in enumerate(event["path"]) if each in kept]
    part = {name: [event[name][place] for place in places] for name in ("path", "values") if name in event}
    node = event["node"] if event["node"] in kept or not places else part["path"][-1]
    return event | part | {"node": node}


@dataclass(frozen=True)
class Row:
    """A line of the drawn tree: a node, or the number of children that are not drawn."""

    number: int | None
    """The number of the node; None if the line stands for children that are not drawn."""
    hidden: int
    """The number of nodes below the node if none of them is drawn, otherwise 0. If the line stands for children that
    are not drawn, this is the number of these children."""
    lasts: tuple[bool, ...]
    """Whether a node is drawn as the last child of its parent, for each node on the path to this line."""


def fold_tree(stepper: Stepper, height: int, plies: int = 100) -> list[Row]:
    """Choose the nodes to draw in `height` lines: first the path, then the proof of the current node, then the nodes
    nearest to the current node.

    If the path has more than `height` or `plies` nodes, only its end is drawn.
    """
    path = [node.number for node in stepper.path][-min(height, plies) :]
    drawn = list(draw_rows(stepper, path[0], visible := set(path)))
    for number in chain(nodes_of_proof(stepper), nodes_outward(stepper, path[0])):
        tried = list(draw_rows(stepper, path[0], visible | {number}))
        if len(tried) > height:
            break
        visible.add(number)
        drawn = tried
    here = next(place for place, row in enumerate(drawn) if row.number == path[-1])
    first = max(0, min(here - height // 2, len(drawn) - height))
    return drawn[first : first + height]


def nodes_of_proof(stepper: Stepper) -> Iterator[int]:
    """Yield the nodes that prove or disprove the current node. The best child of a node comes before the other
    children. If the current node is neither proven nor disproven, yields only the current node. Yields nothing for
    searches that are not proofs."""
    if stepper.recording.growth not in PROOFS:
        return
    waiting = deque([stepper.node.number])
    while waiting:
        number = waiting.popleft()
        yield number
        known = stepper.state_of(number)
        if not is_solved(known.value):
            continue
        alike = [
            child.number for child in stepper.children(number) if stepper.state_of(child.number).value == known.value
        ]
        waiting += sorted(alike, key=lambda each: each != known.best_child)


def nodes_outward(stepper: Stepper, top: int) -> Iterator[int]:
    """Yield the nodes below `top` that the search has entered so far. Nodes that are near the current node come
    first."""
    waiting, seen = deque([stepper.node.number]), {stepper.node.number}
    while waiting:
        number = waiting.popleft()
        yield number
        parent = None if number == top else stepper.recording.nodes[number].parent
        children = [child.number for child in stepper.children(number)]
        beside = [*reversed(children), *([] if parent is None else [parent])]
        waiting += [each for each in beside if each not in seen]
        seen.update(beside)


def draw_rows(stepper: Stepper, number: int, visible: set[int], lasts: tuple[bool, ...] = ()) -> Iterator[Row]:
    """The lines of a node and of the visible nodes below it."""
    children = stepper.children(number)
    shown = [child.number for child in children if child.number in visible]
    yield Row(number, 0 if shown else sum(child.nodes for child in children), lasts)
    left_out = len(children) - len(shown) if shown else 0
    if left_out:
        yield Row(None, left_out, (*lasts, False))
    for child in shown:
        yield from draw_rows(stepper, child, visible, (*lasts, child == shown[-1]))
