"""Where the nodes of a tree stand: compact, no two overlapping, each parent above the middle of its children.

After Reingold and Tilford, "Tidier drawings of trees" (1981): every subtree is laid out by itself, then
pushed against its elder siblings until their contours, level by level, leave a gap.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from gamesearch.render.tree_picture import PictureNode

__all__ = ["tidy"]

Extent = tuple[float, float]
"""How far a node reaches to the left and to the right of its middle."""


@dataclass(slots=True)
class Contour:
    """The outline of a subtree, seen from the middle of its root: its left and right end at each level."""

    left: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)

    def distance(self, other: "Contour") -> float:
        """How far to the right another outline must stand so that the two just touch."""
        return max((right - left for right, left in zip(self.right, other.left, strict=False)), default=0.0)

    def add(self, other: "Contour", shift: float) -> None:
        """Take in another outline, which stands to the right by `shift`."""
        common = len(self.right)
        self.right[: len(other.right)] = [right + shift for right in other.right]
        self.left += [left + shift for left in other.left[common:]]


def tidy(nodes: list[PictureNode], extent: Callable[[PictureNode], Extent], gap: float) -> dict[str, float]:
    """The middle of each node by its name, from 0 on; `nodes` has each before its children."""
    contours: dict[str, Contour] = {}
    shifts: dict[str, float] = {}
    for node in reversed(nodes):
        below = Contour()
        for child in node.children:
            outline = contours.pop(child.name)
            shifts[child.name] = below.distance(outline) + gap if below.right else 0.0
            below.add(outline, shifts[child.name])
        middle = (shifts[node.children[0].name] + shifts[node.children[-1].name]) / 2 if node.children else 0.0
        for child in node.children:
            shifts[child.name] -= middle
        left, right = extent(node)
        contours[node.name] = Contour(
            [-left, *(end - middle for end in below.left)], [right, *(end - middle for end in below.right)]
        )
    places = {nodes[0].name: -min(contours[nodes[0].name].left)}
    for node in nodes:
        for child in node.children:
            places[child.name] = places[node.name] + shifts[child.name]
    return places
