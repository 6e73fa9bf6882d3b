"""A part of a recorded search: what lies near the root of the tree that is shown."""

from collections import deque
from typing import Any

from gamesearch.trace.recording import Recording

__all__ = ["limited"]


def limited(
    recording: Recording, plies: int | None = None, width: int | None = None, nodes: int | None = None
) -> Recording:
    """The recording of the shown tree alone, down to `plies`, of each node's children the first `width`.

    Of what is then still too much, the `nodes` nearest the root are kept. The nodes that are left out stay
    in the counts of those above them.
    """
    kept = near_the_root(recording, plies, width, nodes)
    shown = {each.number for each in recording.iterations if each.root in kept}
    part = Recording(recording.header)
    for event in recording.events:
        if "path" in event:
            event = along(event, kept)
        if "same" in event and event["event"] == "revalue":
            event = where_kept(event, kept)
        if event["number"] in shown if event["event"] == "iteration" else event["node"] in kept:
            # The number of a child that is left out is null, as with one that was not recorded.
            is_dangling = event.get("child") is not None and event["child"] not in kept
            part.take(event | {"child": None} if is_dangling else event)
    for number in kept:
        part.nodes[number].nodes = recording.nodes[number].nodes
    nodes = recording.end["recorded"] + recording.end["left_out"]
    part.close(recording.end | {"recorded": len(kept), "left_out": nodes - len(kept)})
    return part


def along(event: dict[str, Any], kept: set[int]) -> dict[str, Any]:
    """An event of several nodes, such as that which counts a playout, for those that are kept."""
    places = [place for place, each in enumerate(event["path"]) if each in kept]
    part = {name: [event[name][place] for place in places] for name in ("path", "values") if name in event}
    node = event["node"] if event["node"] in kept or not places else part["path"][-1]
    return event | part | {"node": node}


def where_kept(event: dict[str, Any], kept: set[int]) -> dict[str, Any]:
    """The event that changes what a position is worth, for those of its nodes that are kept."""
    first, *others = [each for each in (event["node"], *event["same"]) if each in kept] or [event["node"]]
    return event | {"node": first, "same": others}


def near_the_root(recording: Recording, plies: int | None, width: int | None, nodes: int | None) -> set[int]:
    """The numbers of the nodes to keep."""
    kept: set[int] = set()
    waiting = deque([recording.root] if recording.root is not None else [])
    while waiting and (nodes is None or len(kept) < nodes):
        node = waiting.popleft()
        kept.add(node.number)
        if plies is None or node.ply < plies:
            waiting += recording.children(node, width)
    return kept
