"""A searched tree as a Mermaid flowchart, which many web sites and wikis can draw."""

from gamesearch.algorithms.engine.formatting import typeset
from gamesearch.render.trees.picture import (
    PLAIN,
    Picture,
    PictureNode,
    Style,
    TooLargeError,
    picture_of,
    without_boards,
)
from gamesearch.support.escaping import mermaid_text
from gamesearch.trace.recording import Recording

__all__ = ["export"]

MOST_EDGES, MOST_CHARACTERS = 500, 50_000
"""The default limits of Mermaid. A page can change the limits by `maxEdges` and `maxTextSize`."""
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


def export(recording: Recording, blank: bool = False, style: Style = PLAIN) -> str:
    """The tree as a flowchart. Raises TooLargeError if the flowchart exceeds the limits of Mermaid."""
    picture = picture_of(recording, blank, without_boards(style))
    lines = [
        "---",
        f"title: {quote(picture.title)}",
        "---",
        "flowchart TD",
        *(f"  {box(picture, node)}" for node in picture.nodes()),
        *(f"  {node.name} {edge(picture, child)} {child.name}" for node, child in picture.edges()),
    ]
    text, edges = "\n".join(lines) + "\n", sum(1 for _ in picture.edges())
    if edges > MOST_EDGES or len(text) > MOST_CHARACTERS:
        raise TooLargeError(
            f"this tree has {edges:,} edges and {len(text):,} characters, but Mermaid draws at most {MOST_EDGES} edges "
            f"and {MOST_CHARACTERS:,} characters: draw less of it"
        )
    return text


def box(picture: Picture, node: PictureNode) -> str:
    """A node with the brackets of its shape."""
    left, right = SHAPES[node.shape]
    if node.shape in ("cut", "hidden"):
        return f"{node.name}{left}{quote(node.edge)}{right}"
    texts = (typeset(picture.value(node)), typeset(picture.window(node)), node.note)
    return f"{node.name}{left}{quote(*filter(None, texts))}{right}"


def edge(picture: Picture, child: PictureNode) -> str:
    """The edge to a node."""
    if child.shape == "cut":
        return '-. "cut" .-'
    if child.shape == "hidden":
        return "-.-"
    return f"{'===' if picture.is_bold(child) else '---'}|{quote(child.edge)}|"


def quote(*lines: str) -> str:
    """Some lines of text as one string of Mermaid."""
    return '"' + "<br>".join(map(mermaid_text, lines)) + '"'
