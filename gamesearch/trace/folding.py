"""Which nodes of a tree are drawn where there is little room: the path, and what is near its end."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from gamesearch.trace.purposes import PROOFS
from gamesearch.trace.standing import is_solved
from gamesearch.trace.stepping import Stepper

__all__ = ["Row", "folded"]


@dataclass(frozen=True)
class Row:
    """A line of the tree: a node, or how many of its parent's children are not drawn."""

    number: int | None
    """None where children are left out."""
    hidden: int
    """How many nodes the line stands for besides its own; children, where it is no node."""
    lasts: tuple[bool, ...]
    """From below the first line down to this one: whether each node is its parent's last."""


def folded(stepper: Stepper, height: int, plies: int = 100) -> list[Row]:
    """The lines of the tree that fit a height: as many nodes as can be, the nearest first; of a proof, what proves.

    Where the path has more nodes than lines, or than so many plies, it is drawn from a later node on.
    """
    path = [node.number for node in stepper.path][-min(height, plies) :]
    drawn = list(rows(stepper, path[0], visible := set(path)))
    for number in chain(proving(stepper), outward(stepper, path[0])):
        tried = list(rows(stepper, path[0], visible | {number}))
        if len(tried) > height:
            break
        visible.add(number)
        drawn = tried
    here = next(place for place, row in enumerate(drawn) if row.number == path[-1])
    first = max(0, min(here - height // 2, len(drawn) - height))
    return drawn[first : first + height]


def proving(stepper: Stepper) -> Iterator[int]:
    """What settles the present node, if a proof has: below each node those settled alike, its best first."""
    if stepper.recording.growth not in PROOFS:
        return
    waiting = deque([stepper.node.number])
    while waiting:
        number = waiting.popleft()
        yield number
        known = stepper.known(number)
        if not is_solved(known.value):
            continue
        alike = [child.number for child in stepper.children(number) if stepper.known(child.number).value == known.value]
        waiting += sorted(alike, key=lambda each: each != known.best_child)


def outward(stepper: Stepper, top: int) -> Iterator[int]:
    """All nodes from `top` on down that were entered so far, by their distance from the present one."""
    waiting, seen = deque([stepper.node.number]), {stepper.node.number}
    while waiting:
        number = waiting.popleft()
        yield number
        parent = None if number == top else stepper.recording.nodes[number].parent
        children = [child.number for child in stepper.children(number)]
        beside = [*reversed(children), *([] if parent is None else [parent])]
        waiting += [each for each in beside if each not in seen]
        seen.update(beside)


def rows(stepper: Stepper, number: int, visible: set[int], lasts: tuple[bool, ...] = ()) -> Iterator[Row]:
    """The lines of a node and of what is visible below it."""
    children = stepper.children(number)
    shown = [child.number for child in children if child.number in visible]
    yield Row(number, 0 if shown else sum(child.nodes for child in children), lasts)
    left_out = len(children) - len(shown) if shown else 0
    if left_out:
        yield Row(None, left_out, (*lasts, False))
    for child in shown:
        yield from rows(stepper, child, visible, (*lasts, child == shown[-1]))
