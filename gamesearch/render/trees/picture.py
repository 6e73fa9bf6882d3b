"""The picture of a searched tree: its shapes, texts, cutoffs and omitted nodes. All exports draw this picture."""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from gamesearch.algorithms.engine.formatting import plural, probability_text, typeset
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.render.boards.colors import small_board
from gamesearch.render.boards.svg import unlabeled_size
from gamesearch.render.trees.tree import KINDS, SIGNS
from gamesearch.toolkit.boards import Board, changed_places
from gamesearch.toolkit.pictures import picture
from gamesearch.trace.events import PURPOSES, TABLE
from gamesearch.trace.labels import relabel_moves
from gamesearch.trace.pruned import add_pruned
from gamesearch.trace.ranges import NodeRanges
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.phrases import (
    game_and_position,
    method_words,
    names_text,
    statistics_sentence,
    value_sentence,
)

__all__ = [
    "BLANK_VALUE", "BLANK_WINDOW", "PLAIN", "SIDES", "Picture", "PictureNode", "Style", "TooLargeError", "apply_style",
    "picture_of",
]  # fmt: skip

BLANK_VALUE = "__"
BLANK_WINDOW = "[__, __]"
"""In a worksheet, these texts are the blanks for a value and for a window."""
SHAPES = {"Max": "max", "Min": "min", "chance": "chance"}
SIDES = {shape: side for side, shape in SHAPES.items()}
"""The side that each shape stands for."""
OPEN = {"unfinished": "not finished"}


@dataclass(frozen=True)
class Style:
    """The options of a picture of a tree: labels, intervals, boards."""

    moves: str = "names"
    """The labels of moves: `names`, `numbers` or `letters` (1, 2, 3 or a, b, c from the left), or `none`."""
    windows: str = "search"
    """The intervals that are written at nodes. `search`: alpha and beta when the search enters the node. `ranges`: the
    interval in which the value of the node lies. `none`: no intervals."""
    notes: bool = True
    """Whether notes at the nodes say how values were found: for example, that a value is an estimate."""
    headings: bool = True
    """Whether the picture has a title, the result, and a legend of the shapes."""
    boards: bool = False
    board_scale: float = 1.0
    """The size of the boards, relative to their usual size."""
    board_plies: int | None = None
    """The number of plies below the root that are drawn with boards; None for all."""
    pruned: bool = False
    """Whether pruned branches are drawn. If so, these branches are also searched, because the picture shows their
    values."""
    pruned_plies: int | None = None
    """If pruned branches are drawn, only this number of plies of each branch is drawn; None means all plies."""
    joins: bool = False
    """Whether the picture is a graph. A graph has one node for each position in a table of values. The node shows the
    notation of its position."""
    widest: int | None = None
    """The greatest width and height of the picture in pixels; None for the limit of the format."""
    game: Game | None = None
    """The game that was searched. Boards and pruned branches can be drawn only if the game is known."""


PLAIN = Style()


class TooLargeError(GamesearchError):
    """Raised if a tree is too large for a format."""


LONGEST_NOTATION = 30
"""If the notation of a position is longer than this, it is not written at the node."""
LONGEST_NAMES = 10
"""If the names of pruned moves have at most this total length, they are written between the boards. Otherwise, only the
number of pruned moves is written."""
CELLS = (26.0, 20.0, 15.0, 12.0)
"""The widths in pixels of a cell of a small board. A level with more boards has smaller cells (see CROWDS), and no
board is larger than the boards above it."""
CROWDS = (4, 12, 40)
NARROWEST, WIDEST_BOARD = 30.0, 190.0


@dataclass(slots=True)
class PictureNode:
    """A drawn node, or a mark. A mark stands for pruned moves, or for nodes that are left out. All texts are ASCII."""

    name: str
    shape: str
    """The shape: `max`, `min`, `chance`, `leaf`, or `player` (in a game for more than two players). Moves that are not
    drawn are represented by a mark with the shape `cut` or `hidden`."""
    edge: str = ""
    """The move that leads to the node. A mark shows the pruned moves, or the number of hidden nodes."""
    value: str = ""
    """The value as text. A sign such as <= shows that the value is only a bound."""
    window: str = ""
    note: str = ""
    """A note. It names the player to move if the node's shape does not show the player. If the moves of the node were
    not searched, the note says how the value was found."""
    is_best: bool = False
    """Whether the node is on the principal variation."""
    is_given: bool = False
    """Whether a worksheet must give the value. This is so if the nodes that determine the value are not drawn."""
    is_pruned: bool = False
    """Whether the node was pruned. Pruned branches are crossed out."""
    is_unseen: bool = False
    """Whether the search has not visited the node yet."""
    is_here: bool = False
    """Whether the search is at this node now. Always false if the picture does not show a moment of the search."""
    is_dropped: bool = False
    """Whether the value was dropped from the table of values. Always false if the picture does not show a moment of the
    search."""
    same: str = ""
    """The name of the first node with the same position, if the picture is a graph."""
    position: str = ""
    """The notation of the position; empty if the picture is not a graph, or if the notation is long."""
    board: Board | None = None
    size: tuple[float, float] = (0.0, 0.0)
    """The width and the height of the board in pixels."""
    room: tuple[float, float] = (0.0, 0.0)
    """The greatest width of the node's value during the search, and the greatest width of its other texts. These widths
    are set only in the layout of frames, so that nothing moves from one frame to the next."""
    children: list["PictureNode"] = field(default_factory=list)


@dataclass(frozen=True)
class Picture:
    """The drawing of a searched tree. If `is_blank` is true, it is a worksheet, in which students fill in the
    values."""

    title: str
    caption: str
    """The result of the search."""
    root: PictureNode
    is_blank: bool
    levels: tuple[str, ...] = ()
    """The side to move at each level, if the picture shows boards. If the nodes of a level have different sides to
    move, the text is empty."""
    legend: tuple[str, ...] = ()
    """Explanations of ranges and of crossed-out branches. They come after the explanations of the shapes."""
    has_headings: bool = True
    widest: int | None = None
    """The greatest width and height in pixels; None means the limit of the file format."""
    is_graph: bool = False
    """Whether each position is drawn as one node. If so, a node with the field `same` is not drawn as a node, but as an
    edge to the first node with the same position."""

    def nodes(self) -> Iterator[PictureNode]:
        """All nodes and marks, ordered from left to right. Each node comes before its children."""
        waiting = [self.root]
        while waiting:
            node = waiting.pop()
            yield node
            waiting += reversed(node.children)

    def edges(self) -> Iterator[tuple[PictureNode, PictureNode]]:
        """Pairs of a node and one of its children."""
        return ((node, child) for node in self.nodes() for child in node.children)

    @property
    def headings(self) -> list[str]:
        """The title and, unless this is a worksheet, the result."""
        return [self.title, "" if self.is_blank else self.caption] if self.has_headings else []

    def value(self, node: PictureNode) -> str:
        """The value that is written at a node. Mathematical signs replace ASCII characters."""
        return BLANK_VALUE if self.is_blank and node.value and not node.is_given else typeset(node.value)

    def window(self, node: PictureNode) -> str:
        """The window that is written at a node, with mathematical signs."""
        return BLANK_WINDOW if self.is_blank and node.window else typeset(node.window)

    def is_bold(self, node: PictureNode) -> bool:
        """Whether a node is drawn with thick lines as part of the principal variation."""
        return node.is_best and not self.is_blank


def picture_of(recording: Recording, blank: bool = False, style: Style = PLAIN, moment: int | None = None) -> Picture:
    """The picture of the tree in a recording. If `moment`, the index of an event, is given, the picture shows the tree
    after this event.

    If `moment` is given, the picture also contains the nodes that the search visits after this moment. For these nodes,
    `is_unseen` is true. Raises GamesearchError for a recording without a tree.
    """
    recording = apply_style(recording, style)
    root = recording.root
    if root is None:
        raise GamesearchError("this trace has no tree to draw: its algorithm visits no nodes")
    painter = NodePainter(recording, root, style, moment)
    drawn: dict[int, PictureNode] = {}
    for node in recording.below(root.number):
        drawn[node.number] = painter.picture_node(node)
        if node.number != root.number and node.parent is not None:
            drawn[node.parent].children.append(drawn[node.number])
    for number, mine in drawn.items():
        node = recording.nodes[number]
        mine.is_given = not mine.children
        if mine.children or not painter.boards:
            mine.children += painter.marks(node)
        else:
            mine.window = ""
    mark_best_line(recording, root, drawn, style, moment)
    size_boards(drawn[root.number], style.board_scale)
    visited = sum(not each.is_pruned for each in drawn.values())
    levels = "" if style.board_plies is None else f"; boards down to ply {style.board_plies}"
    return Picture(
        title(recording, root) + levels,
        caption(recording, visited) if moment is None or moment >= len(recording.events) else "",
        drawn[root.number],
        blank,
        painter.levels(drawn),
        painter.legend(drawn),
        style.headings,
        style.widest,
        style.joins,
    )


def apply_style(recording: Recording, style: Style) -> Recording:
    """Label the moves of a recording and, if the style shows pruned branches, add these branches. Returns the new
    recording."""
    if style.pruned and style.game is not None:
        recording = add_pruned(recording, style.game, style.pruned_plies)
    return relabel_moves(recording, style.moves)


class NodePainter:
    """Makes the pictures of nodes. They show a moment of the search or, if `moment` is None, its end."""

    def __init__(self, recording: Recording, root: RecordedNode, style: Style, moment: int | None) -> None:
        self.recording, self.root, self.style = recording, root, style
        self.ranges = NodeRanges(recording) if style.windows == "ranges" else None
        self.stepper = None if moment is None else Stepper(recording)
        if self.stepper is not None and moment is not None:
            self.stepper.go(moment)
        self.boards: dict[int, Board] = {}

    def picture_node(self, node: RecordedNode) -> PictureNode:
        """Make the picture of a node, without the subtree below it."""
        role = self.recording.role(node.side)  # sides can have other names than Max and Min
        is_leaf = node.kind in ("end", "estimate", "stuck")
        found = PictureNode(
            name=f"n{node.number}",
            shape="leaf" if is_leaf else SHAPES.get(role, "player"),
            edge=self.edge_text(node),
            value=value_with_sign(node.bound, node.shown) if node.kind != "unfinished" else "",
            window=self.window(node),
            note=self.note(node, node.kind, node.visits),
            is_pruned=node.is_pruned,
            board=self.board(node),
            same=f"n{node.same}" if self.style.joins and node.same in self.recording.nodes else "",
            position=node.position if self.style.joins and len(node.position) <= LONGEST_NOTATION else "",
        )
        return found if self.stepper is None else self.at_moment(found, node, self.stepper)

    def at_moment(self, found: PictureNode, node: RecordedNode, stepper: Stepper) -> PictureNode:
        """The picture of a node after the current event of a stepper. `found` is the picture of the node at the end of
        the search."""
        known = stepper.state_of(node.number)
        window = known.window_shown or known.interval_shown
        is_final = not self.recording.growth or (known.value, known.bound) == (node.value, node.bound)
        kind = node.kind if is_final else "searched"  # the note must not appear before the value
        return replace(
            found,
            value=value_with_sign(known.bound, known.shown),
            window=window if self.style.windows == "search" else found.window,
            note="" if node.last_event > stepper.at else self.note(node, kind, known.visits),
            is_unseen=known.state == "unseen",
            is_dropped=known.is_dropped,
            is_here=node is stepper.node and stepper.at < len(self.recording.events),
        )

    def note(self, node: RecordedNode, kind: str, visits: int) -> str:
        """The note at a node. `kind` says how the node's value was found; `visits` is the number of its playouts."""
        role, is_leaf = self.recording.role(node.side), node.kind in ("end", "estimate", "stuck")
        is_other = not is_leaf and (role not in SHAPES or role != node.side)
        given = value_with_sign("estimate", node.given) if kind != "estimate" else ""
        notes = (
            node.side if is_other else "",
            given,
            "" if self.style.boards and kind == "estimate" else KINDS.get(kind, OPEN.get(kind, "")),
            plural(visits, "playout") if visits else "",
            "transposition" if node.same is not None and kind != "table" else "",
            "probe" if node.is_probe else "",
            PURPOSES.get(node.purpose, ""),
        )
        return ", ".join(filter(None, notes)) if self.style.notes else given

    def edge_text(self, node: RecordedNode) -> str:
        """The move that leads to a node, or the outcome with its probability."""
        move = "" if self.style.moves == "none" else node.move or ""
        return move if node.chance is None else f"{move} ({probability_text(node.chance)})".strip()

    def window(self, node: RecordedNode) -> str:
        """The window or the range of a node, depending on the style."""
        if self.ranges is not None and not node.is_pruned:
            moment = math.inf if self.stepper is None else self.stepper.at
            return self.ranges.at(node.number, moment) if node.children or node.pruned else ""
        return (node.window_shown or node.interval_shown) if self.style.windows == "search" else ""

    def board(self, node: RecordedNode) -> Board | None:
        """The small board of a node; None if the node is drawn without a board."""
        game = self.style.game
        if not self.style.boards or game is None or not node.position:
            return None
        if self.style.board_plies is not None and node.ply - self.root.ply > self.style.board_plies:
            return None
        board = picture(game, game.parse(node.position))
        if not board.rows:
            return None
        board = self.boards[node.number] = small_board(board)
        before = None if node.parent is None else self.boards.get(node.parent)
        # A graph does not mark moves, because several moves may lead to a node.
        if before is None or node.parent is None or self.style.joins:
            return board
        mover = {"Max": MAX, "Min": MIN}.get(self.recording.role(self.recording.nodes[node.parent].side))
        return replace(board, marks=changed_places(before, board, mover) | board.marks)

    def marks(self, node: RecordedNode) -> list[PictureNode]:
        """Marks to the right of a node's children. Each mark stands for moves or nodes that are not drawn."""
        hidden = 0 if node.is_pruned else self.recording.hidden_nodes(node)
        is_short = self.style.boards or not self.style.notes
        drawn = {child.move for child in self.recording.children(node) if child.is_pruned}
        pruned = [name for name in node.pruned if name not in drawn]
        dots = PictureNode(f"h{node.number}", "hidden", edge="..." if is_short else f"... {plural(hidden, 'node')}")
        names = names_text(pruned)
        if self.style.boards and len(names) > LONGEST_NAMES:
            names = plural(len(pruned), "outcome" if node.side == "chance" else "move")
        stub = PictureNode(f"c{node.number}", "cut", edge="" if self.style.moves == "none" else names)
        if self.stepper is not None:
            state = self.stepper.state_of(node.number).state
            dots.is_unseen, stub.is_unseen = state not in ("done", "cut"), state != "cut"
        return [*([dots] if hidden > 0 else []), *([stub] if pruned else [])]

    def levels(self, drawn: dict[int, PictureNode]) -> tuple[str, ...]:
        """The side to move at each level; empty if the picture does not show boards."""
        if not self.boards:
            return ()
        sides: dict[int, set[str]] = {}
        for node in (self.recording.nodes[number] for number in drawn):
            sides.setdefault(node.ply - self.root.ply, set()).update({node.side} - {"end"})
        return tuple(self.level_name(each) for _, each in sorted(sides.items()))

    def level_name(self, sides: set[str]) -> str:
        """The name of the side that moves at a level, such as `Max (X)`. Empty if several sides move at this level."""
        if len(sides) != 1:
            return ""
        side, names = next(iter(sides)), self.recording.header["names"]
        is_role = side in ("Max", "Min") and side not in names and len(names) == 2
        return f"{side} ({names[side == 'Min']})" if is_role else side

    def legend(self, drawn: dict[int, PictureNode]) -> tuple[str, ...]:
        """Explanations of ranges and of crossed-out branches, if the picture has them."""
        return (
            *(["[a, b]: the value lies between a and b"] if self.ranges is not None and self.ranges.history else []),
            *(["crossed out: pruned, with its true value"] if any(each.is_pruned for each in drawn.values()) else []),
        )


def value_with_sign(bound: str, shown: str) -> str:
    """Put a sign such as <= before the text of a value if the value is only a bound."""
    return f"{SIGNS[bound]} {shown}" if shown not in ("", "?") and bound not in ("exact", "") else shown


def size_boards(root: PictureNode, scale: float) -> None:
    """Set the sizes of all boards. A level with many boards has small boards, and no board is larger than the boards
    above it."""
    level, cell = [root], math.inf
    while level:
        boards = [(each, each.board) for each in level if each.board is not None]
        cell = min(cell, CELLS[sum(len(boards) > most for most in CROWDS)])
        for node, board in boards:
            across, down = unlabeled_size(board)
            width = scale * min(max(cell * across, NARROWEST), WIDEST_BOARD)
            node.size = width, width * down / across
        level = [child for node in level for child in node.children]


def title(recording: Recording, root: RecordedNode) -> str:
    """The title of the picture: the algorithm, the game, the position, and the depth of the search or the question that
    it answers."""
    header, on = recording.header, ", ".join(filter(None, game_and_position(recording)))
    if recording.growth == TABLE:
        return f"{method_words(recording)} solves {on}"
    search = next(each for each in recording.iterations if each.root == root.number)
    how_deep = "" if search.depth is None else f", to depth {search.depth}"
    if search.goal_shown:
        numbers = f"costs of a proof by {search.attacker}" if search.attacker else "proof number, disproof number"
        how_deep = f": can Max get at least {search.goal_shown}? ({numbers})"
    return f"{header['algorithm']} searches {on}{how_deep}"


def caption(recording: Recording, drawn: int) -> str:
    """The result of the search, and the number of nodes that are drawn."""
    best, nodes = recording.end["best"], recording.end["nodes"]
    answer = f"value {value_sentence(recording.end)}" + (f", best {best}" if best is not None else "")
    if recording.growth:
        nodes = recording.end["recorded"] + recording.end["left_out"]
    left_out = "" if drawn == nodes else f", {drawn:,} of {nodes:,} nodes drawn"
    return f"{answer}; {statistics_sentence(recording)}{left_out}"


def mark_best_line(
    recording: Recording, root: RecordedNode, drawn: dict[int, PictureNode], style: Style, moment: int | None
) -> None:
    """Mark the drawn nodes of the principal variation. If the root has no value yet at the given moment, mark
    nothing."""
    node = root
    if moment is not None and moment < len(recording.events) and not -1 < root.last_event <= moment:
        return
    drawn[node.number].is_best = bool(recording.end["line"])
    for move in recording.end["line"]:
        # If a move was probed before it was searched, it has several nodes.
        chosen = [child for child in recording.children(node) if child.move == move and not child.is_probe]
        if not chosen:
            return
        node = chosen[-1]
        drawn[node.number].is_best = True
        if style.joins and node.same is not None:
            node = recording.nodes.get(node.same, node)
