"""A part of a recorded search: what lies near the root of the tree that is shown."""

from collections import deque

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
        if event["number"] in shown if event["event"] == "iteration" else event["node"] in kept:
            # The number of a child that is left out is null, as with one that was not recorded.
            is_dangling = event.get("child") is not None and event["child"] not in kept
            part.take(event | {"child": None} if is_dangling else event)
    part.close(recording.end | {"recorded": len(kept), "left_out": recording.end["nodes"] - len(kept)})
    return part


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
