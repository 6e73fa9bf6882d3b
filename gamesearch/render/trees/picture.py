"""The picture of a searched tree that all exports draw: shapes, texts, cutoffs and omitted nodes."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from gamesearch.algorithms.engine.formatting import plural, probability_text
from gamesearch.errors import GamesearchError
from gamesearch.render.trees.tree import KINDS, SIGNS
from gamesearch.trace.events import PURPOSES
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.phrases import names_text, statistics_sentence, value_sentence
from gamesearch.trace.recording import RecordedNode, Recording

__all__ = ["BLANK_VALUE", "BLANK_WINDOW", "Picture", "PictureNode", "TooLargeError", "exported", "picture_of"]

BLANK_VALUE = "__"
BLANK_WINDOW = "[__, __]"
"""The blanks of a worksheet for a value and a window."""
SHAPES = {"Max": "max", "Min": "min", "chance": "chance"}


@dataclass(slots=True)
class PictureNode:
    """A node, or a mark for moves that were cut or nodes that are left out; the texts are ASCII."""

    name: str
    shape: str
    """`max`, `min`, `chance`, `leaf`, `player` (of more than two), or the marks `cut` and `hidden`."""
    edge: str = ""
    """The move that led here, the moves that were cut, or how many nodes are hidden."""
    value: str = ""
    """The value, with the sign of its bound unless it is exact."""
    window: str = ""
    note: str = ""
    """The player, if the shape does not show it; and how the value was found, if not by a search."""
    is_best: bool = False
    """Whether it is on the best line."""
    is_given: bool = False
    """Whether a worksheet shows its value: the nodes below that would give it are not drawn."""
    children: list["PictureNode"] = field(default_factory=list)


@dataclass(frozen=True)
class Picture:
    """A searched tree to draw; `is_blank` for a worksheet."""

    title: str
    caption: str
    """The result of the search."""
    root: PictureNode
    is_blank: bool

    def nodes(self) -> Iterator[PictureNode]:
        """All nodes and marks, each before its children, from left to right."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def edges(self) -> Iterator[tuple[PictureNode, PictureNode]]:
        """Each node with each of its children."""
        return ((node, child) for node in self.nodes() for child in node.children)

    @property
    def headings(self) -> list[str]:
        """The title and, unless this is a worksheet, the result."""
        return [self.title, "" if self.is_blank else self.caption]

    def value(self, node: PictureNode) -> str:
        """The value that is written at a node."""
        return BLANK_VALUE if self.is_blank and node.value and not node.is_given else node.value

    def window(self, node: PictureNode) -> str:
        """The window that is written at a node."""
        return BLANK_WINDOW if self.is_blank and node.window else node.window

    def is_bold(self, node: PictureNode) -> bool:
        """Whether a node is drawn as part of the best line."""
        return node.is_best and not self.is_blank


def picture_of(recording: Recording, blank: bool) -> Picture:
    """The picture of the tree in a recording; raises GamesearchError if there is none."""
    root = recording.root
    if root is None:
        raise GamesearchError("there is no tree to draw: the algorithm of this trace visits no nodes")
    drawn: dict[int, PictureNode] = {}
    for node in recording.below(root.number):
        drawn[node.number] = picture_node(node, recording.role(node.side))
        if node.number != root.number and node.parent is not None:
            drawn[node.parent].children.append(drawn[node.number])
    for number, mine in drawn.items():
        node = recording.nodes[number]
        mine.is_given = not mine.children
        mine.children += marks(node, recording.hidden_nodes(node))
    mark_best_line(recording, root, drawn)
    return Picture(title(recording, root), caption(recording, len(drawn)), drawn[root.number], blank)


def title(recording: Recording, root: RecordedNode) -> str:
    """The game, the position and the depth."""
    header = recording.header
    search = next(each for each in recording.iterations if each.root == root.number)
    how_deep = "" if search.depth is None else f", to depth {search.depth}"
    if search.goal_shown:
        told = f"costs, as {search.attacker} attacks" if search.attacker else "proof number, disproof number"
        how_deep = f": can Max get at least {search.goal_shown}? ({told})"
    return f"{header['algorithm']} searches {header['game']}, {' '.join(header['position'].split())}{how_deep}"


def caption(recording: Recording, drawn: int) -> str:
    """The result, and how much of the tree is drawn."""
    best, nodes = recording.end["best"], recording.end["nodes"]
    answer = f"value {value_sentence(recording.end)}" + (f", best {best}" if best is not None else "")
    if recording.growth:
        nodes = recording.end["recorded"] + recording.end["left_out"]
    left_out = "" if drawn == nodes else f", {drawn:,} of {nodes:,} nodes drawn"
    return f"{answer}; {statistics_sentence(recording)}{left_out}"


def picture_node(node: RecordedNode, role: str) -> PictureNode:
    """The picture of a node without its subtree; `role` is Max or Min, also for sides with other names."""
    is_leaf = node.kind in ("end", "estimate", "stuck")
    shape = "leaf" if is_leaf else SHAPES.get(role, "player")
    sign = "" if node.bound == "exact" else f"{SIGNS[node.bound]} "
    is_other = not is_leaf and (shape == "player" or role != node.side)
    notes = (
        node.side if is_other else "",
        KINDS.get(node.kind, "not finished" if node.kind == "unfinished" else ""),
        plural(node.visits, "playout") if node.visits else "",
        "also reached by another path" if node.same is not None else "",
        "probe" if node.is_probe else "",
        PURPOSES.get(node.purpose, ""),
    )
    return PictureNode(
        name=f"n{node.number}",
        shape=shape,
        edge=(node.move or "") + (f" ({probability_text(node.chance)})" if node.chance is not None else ""),
        value=sign + node.shown if node.kind != "unfinished" else "",
        window=node.window_shown or node.interval_shown,
        note=", ".join(filter(None, notes)),
    )


def marks(node: RecordedNode, hidden: int) -> list[PictureNode]:
    """The marks to the right of the children of a node, for moves and nodes that are not drawn."""
    dots = PictureNode(f"h{node.number}", "hidden", edge=f"... {plural(hidden, 'node')}")
    stub = PictureNode(f"c{node.number}", "cut", edge=names_text(node.pruned))
    return [*([dots] if hidden else []), *([stub] if node.pruned else [])]


def mark_best_line(recording: Recording, root: RecordedNode, drawn: dict[int, PictureNode]) -> None:
    """Mark the root and the drawn nodes of the principal variation."""
    node = root
    drawn[node.number].is_best = bool(recording.end["line"])
    for move in recording.end["line"]:
        # A move may have been probed first, and searched then.
        chosen = [child for child in recording.children(node) if child.move == move and not child.is_probe]
        if not chosen:
            return
        node = chosen[-1]
        drawn[node.number].is_best = True


Export = Callable[[Recording, bool], str]


class TooLargeError(GamesearchError):
    """A tree is larger than a format can hold."""


def exported(write: Export, recording: Recording, blank: bool, fits: bool) -> tuple[str, Recording, str]:
    """The tree in a format, the part that was drawn, and the limit; with `fits`, the largest part that has room.

    Whole plies are drawn if at least one fits below the root, else the nodes that are nearest to the root. Raises
    TooLargeError, with limits that fit, if the tree is too large and `fits` is not set.
    """
    try:
        return write(recording, blank), recording, ""
    except TooLargeError as error:
        plies = most_that_fits(write, recording, blank, "plies", max(node.ply for node in recording.nodes.values()))
        nodes = most_that_fits(write, recording, blank, "nodes", len(recording.nodes))
        if not nodes:  # not even the root
            raise
        if not fits:
            ways = [*([f"--plies {plies}"] if plies else []), f"--nodes {nodes}"]
            raise TooLargeError(f"{error}: {' or '.join(ways)} fits, and --fit takes it") from None
    limit, most = ("plies", plies) if plies else ("nodes", nodes)
    part = limit_recording(recording, **{limit: most})
    return write(part, blank), part, f"--{limit} {most}"


def most_that_fits(write: Export, recording: Recording, blank: bool, limit: str, most: int) -> int:
    """The greatest number of plies, or of nodes, that a format holds; 0 for none. More nodes never take less room."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        try:
            write(limit_recording(recording, **{limit: middle}), blank)
            low = middle
        except TooLargeError:
            high = middle - 1
    return low
