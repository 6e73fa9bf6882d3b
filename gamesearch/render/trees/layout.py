"""The layout of a drawn tree: the horizontal position of each node.

The layout is compact, nodes do not overlap, and each parent is above the middle of its children. The algorithm is from
Reingold and Tilford, "Tidier drawings of trees" (1981). Every subtree is first laid out separately. Then it moves to
the left until the gap to the subtrees on its left has the least allowed width.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from operator import attrgetter

from gamesearch.render.trees.picture import PictureNode

__all__ = ["Extent", "tidy"]

Extent = tuple[float, float]
"""The distances from the middle of a node to its left and its right end."""


@dataclass(slots=True)
class Contour:
    """The outline of a subtree. It contains the left and the right end of each level, relative to the middle of the
    root."""

    left: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)

    def distance(self, other: "Contour") -> float:
        """Compute how far to the right another outline must be placed so that it just touches this outline."""
        return max((right - left for right, left in zip(self.right, other.left, strict=False)), default=0.0)

    def add(self, other: "Contour", shift: float) -> None:
        """Shift the outline `other` to the right by `shift`. Extend this outline so that it also contains `other`."""
        common = len(self.right)
        self.right[: len(other.right)] = [right + shift for right in other.right]
        self.left += [left + shift for left in other.left[common:]]


Children = Callable[[PictureNode], list[PictureNode]]


def tidy(
    nodes: list[PictureNode],
    extent: Callable[[PictureNode], Extent],
    gap: float,
    children: Children = attrgetter("children"),
) -> dict[str, float]:
    """The horizontal position of the middle of each node. The key is the name of the node. The left end of the drawing
    is 0. `nodes` must contain each parent before its children."""
    below_of = {node.name: children(node) for node in nodes}
    contours: dict[str, Contour] = {}
    shifts: dict[str, float] = {}
    for node in reversed(nodes):
        below = Contour()
        for child in below_of[node.name]:
            outline = contours.pop(child.name)
            shifts[child.name] = below.distance(outline) + gap if below.right else 0.0
            below.add(outline, shifts[child.name])
        ends = [shifts[child.name] for child in below_of[node.name]] or [0.0]
        middle = (ends[0] + ends[-1]) / 2
        for child in below_of[node.name]:
            shifts[child.name] -= middle
        left, right = extent(node)
        contours[node.name] = Contour(
            [-left, *(end - middle for end in below.left)], [right, *(end - middle for end in below.right)]
        )
    places = {nodes[0].name: -min(contours[nodes[0].name].left)}
    for node in nodes:
        for child in below_of[node.name]:
            places[child.name] = places[node.name] + shifts[child.name]
    return places
