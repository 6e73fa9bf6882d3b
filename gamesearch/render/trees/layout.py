"""The layout of a drawn tree: the horizontal position of each node.

The layout is compact, no two nodes overlap, and each parent is above the middle of its children. The algorithm is from
Reingold and Tilford, "Tidier drawings of trees" (1981). Every subtree is laid out separately. Then each subtree is
moved as close to its left siblings as the gap between nodes of the same level allows.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

from gamesearch.render.trees.picture import PictureNode

__all__ = ["Extent", "tidy"]

Extent = tuple[float, float]
"""The extent of a node to the left and to the right of its middle."""


@dataclass(slots=True)
class Contour:
    """The outline of a subtree: its left and right end at each level, relative to the middle of its root."""

    left: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)

    def distance(self, other: "Contour") -> float:
        """The shift to the right that places another outline next to this one."""
        return max((right - left for right, left in zip(self.right, other.left, strict=False)), default=0.0)

    def add(self, other: "Contour", shift: float) -> None:
        """Extend this outline by another outline, which is shifted to the right by `shift`."""
        common = len(self.right)
        self.right[: len(other.right)] = [right + shift for right in other.right]
        self.left += [left + shift for left in other.left[common:]]


Children = Callable[[PictureNode], list[PictureNode]]


def own_children(node: PictureNode) -> list[PictureNode]:
    """The children of a node."""
    return node.children


def tidy(
    nodes: list[PictureNode],
    extent: Callable[[PictureNode], Extent],
    gap: float,
    children: Children = own_children,
) -> dict[str, float]:
    """For each node, by its name, the horizontal position of its middle. The drawing begins at 0. In `nodes`, parents
    are first."""
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
