"""Draw a searched tree, or the graph of a table of values, as a Mermaid flowchart. Boards are written as text."""

import re
from dataclasses import replace

from gamesearch.render.boards.board import board_lines
from gamesearch.render.trees.picture import PLAIN, SIDES, Picture, PictureNode, Style, TooLargeError, picture_of
from gamesearch.support.escaping import escape_invisible, mermaid_text
from gamesearch.trace.events import TABLE
from gamesearch.trace.recording import Recording

__all__ = ["export"]

MOST_EDGES, MOST_CHARACTERS = 500, 50_000
"""The default limits of Mermaid. A page can change these limits with `maxEdges` and `maxTextSize`."""
SHAPES = {
    "max": ("[/", "\\]"),
    "min": ("[\\", "/]"),
    "chance": ("((", "))"),
    "leaf": ("[", "]"),
    "player": ("(", ")"),
    "cut": ("{{", "}}"),
    "hidden": (">", "]"),
}
"""The brackets of Mermaid's shapes. Max and Min are trapezoids, because all versions of Mermaid can draw them."""
SPACE = "\u00a0"
"""A space that Mermaid keeps."""
CLASSES = {"board": "font-family:monospace", "pruned": "opacity:0.4"}
"""The styles of nodes with boards and of pruned nodes."""


def export(recording: Recording, blank: bool = False, style: Style = PLAIN) -> str:
    """The tree as a flowchart. Raises TooLargeError if the flowchart exceeds the limits of Mermaid."""
    picture = picture_of(recording, blank, replace(style, joins=recording.growth == TABLE))
    nodes = [node for node in picture.nodes() if not node.same]
    members = {
        "board": [node.name for node in nodes if node.board is not None],
        "pruned": [node.name for node in nodes if node.is_pruned],
    }
    lines = [
        *(["---", f"title: {yaml_string(picture.title)}", "---"] if picture.has_headings else []),
        "flowchart TD",
        *(f"  {box(picture, node)}" for node in nodes),
        *(f"  {node.name} {edge(picture, node, child)} {child.same or child.name}" for node, child in picture.edges()),
        *(f"  classDef {name} {CLASSES[name]}" for name, names in members.items() if names),
        *(f"  class {','.join(names)} {name}" for name, names in members.items() if names),
    ]
    text, edges = "\n".join(lines) + "\n", sum(1 for _ in picture.edges())
    if edges > MOST_EDGES or len(text) > MOST_CHARACTERS:
        raise TooLargeError(
            f"this tree has {edges:,} edges and {len(text):,} characters, but Mermaid draws at most {MOST_EDGES} edges "
            f"and {MOST_CHARACTERS:,} characters: draw a smaller part"
        )
    return text


def box(picture: Picture, node: PictureNode) -> str:
    """The text of a node, in brackets that select the shape of the node. A node with a board is a rectangle with the
    name of the side to move."""
    left, right = SHAPES["leaf" if node.board is not None else node.shape]
    if node.shape in ("cut", "hidden"):
        return f"{node.name}{left}{quote(node.edge)}{right}"
    board = [] if node.board is None else [SIDES.get(node.shape, ""), *board_lines(node.board)]
    position, note = ("" if board else node.position, "") if picture.is_graph else ("", node.note)
    texts = (position, *board, picture.value(node), picture.window(node), note)
    return f"{node.name}{left}{quote(*filter(None, texts), keeps_spaces=bool(board))}{right}"


def edge(picture: Picture, node: PictureNode, child: PictureNode) -> str:
    """The edge to a node."""
    if child.shape == "cut":
        return '-. "cut" .-'
    if child.shape == "hidden":
        return "-.-"
    if child.is_pruned:
        return f"-.-|{quote(child.edge if node.is_pruned else f'cut {child.edge}'.strip())}|"
    stroke = "=" if picture.is_bold(child) else "-"
    return f"{2 * stroke}{'>' if picture.is_graph else stroke}|{quote(child.edge)}|"


def yaml_string(text: str) -> str:
    """A text as a YAML string, for the title of the flowchart. Characters with a meaning in markup are written as
    codes."""
    plain = re.compile(r"[-\w ,.:=()/\[\]]|[^\x00-\x7f]")
    return '"' + "".join(each if plain.match(each) else f"\\u{ord(each):04x}" for each in escape_invisible(text)) + '"'


def quote(*lines: str, keeps_spaces: bool = False) -> str:
    """Join lines of text into one Mermaid string."""
    text = "<br>".join(map(mermaid_text, lines))
    return f'"{text.replace(" ", SPACE) if keeps_spaces else text}"'
