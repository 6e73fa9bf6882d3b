"""A small tree as in textbooks: the root is at the top, and each node is above the middle of its children.

If the terminal is too narrow, the tree is an indented list. A leaf shows its move and its value; other nodes show their
move and the player to move. The values of inner nodes are left out, so that readers can compute them.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import Measurement
from rich.text import Text
from rich.tree import Tree

from gamesearch.algorithms.engine.formatting import probability_text
from gamesearch.render.trees.tree import SIGNS, side_style
from gamesearch.trace.recording import RecordedNode, Recording

__all__ = ["TopDownTree"]

GAP = 3
"""The number of columns between two leaves."""
LINES, ASCII_LINES = "┌┬┐─┼┴│", "+++-++|"
"""The characters of the line between two levels, in this order: first child, middle child, last child, horizontal line,
parent, parent above a child, only child."""


@dataclass
class Place:
    """A node of the drawing: its label, its children, and its columns."""

    label: Text
    children: Sequence["Place"] = ()
    start: int = 0
    """The first column of the label."""
    middle: int = field(default=0)


class TopDownTree:
    """Draws the tree of a recording from the top down."""

    def __init__(self, recording: Recording, root: RecordedNode) -> None:
        self.recording = recording
        self.root = self.place(root, is_root=True)
        self.width = self.set_columns(self.root, 0)

    def place(self, node: RecordedNode, is_root: bool = False) -> Place:
        """Create the Place of a node, which contains the Places of the nodes below it. The columns are set later, by
        `set_columns()`."""
        children = self.recording.children(node)
        label = Text()
        if not is_root and node.move is not None:
            label.append(node.move if node.chance is None else probability_text(node.chance), "dim")
            label.append(" ")
        if children:
            label.append(node.side, side_style(node.side))
            label.append(f" {SIGNS['estimate']} {node.given}" if node.given else "")
        else:
            label.append(f"{'' if node.bound == 'exact' else SIGNS[node.bound] + ' '}{node.shown}", "bold")
        return Place(label, [self.place(child) for child in children])

    def set_columns(self, place: Place, start: int) -> int:
        """Set the columns of a node and its descendants, beginning at column `start`; return the next free column."""
        free = start
        for child in place.children:
            free = self.set_columns(child, free) + GAP
        free -= GAP if place.children else 0
        needed = len(place.label)
        if place.children:
            middle = (place.children[0].middle + place.children[-1].middle) // 2
            near = (child.middle for child in place.children if abs(child.middle - middle) <= 1)
            place.middle = next(near, middle)
        else:
            place.middle = start + needed // 2
        place.start = max(start, place.middle - needed // 2)
        return max(free, place.start + needed)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(self.width, self.width)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.width > options.max_width:
            yield indent_tree(self.root)
            return
        signs = ASCII_LINES if options.ascii_only else LINES
        level = [self.root]
        while level:
            yield line_of([(place.start, place.label) for place in level])
            parents = [place for place in level if place.children]
            if parents:
                yield line_of([branches(place, signs) for place in parents])
            level = [child for place in level for child in place.children]


def indent_tree(place: Place, above: Tree | None = None) -> Tree:
    """The tree as an indented list, for narrow terminals."""
    label = place.label
    tree = above.add(label) if above is not None else Tree(label, guide_style="dim", highlight=False)
    for child in place.children:
        indent_tree(child, tree)
    return tree


def line_of(parts: Sequence[tuple[int, Text]]) -> Text:
    """Join texts to a line in which each text begins at its column."""
    line = Text(no_wrap=True, overflow="crop")
    for start, text in parts:
        line.append(" " * (start - len(line)))
        line.append_text(text)
    return line


def branches(place: Place, signs: str) -> tuple[int, Text]:
    """The line of characters between a node and its children, and the column in which this line begins."""
    first, middle, last, level, below, parent, only = tuple(signs)
    columns = [child.middle for child in place.children]
    drawn = dict.fromkeys(columns, middle) | {columns[0]: first, columns[-1]: last}
    if place.middle not in drawn:
        drawn[place.middle] = parent
    elif len(columns) == 1:
        drawn[place.middle] = only
    elif drawn[place.middle] == middle:
        drawn[place.middle] = below
    text = "".join(drawn.get(column, level) for column in range(columns[0], columns[-1] + 1))
    return columns[0], Text(text, style="dim")
