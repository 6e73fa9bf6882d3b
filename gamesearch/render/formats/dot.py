"""Write graphs in DOT, the language of Graphviz, and let Graphviz draw them. Graphs of positions and searched trees use
this module.

Graphviz is used because its drawings have few crossings and few lines through labels; the layered layout of igraph
ignores the sizes of nodes. Graphviz runs as a separate program. pygraphviz would link Graphviz into this process, but
its license (EPL) is not compatible with the GPL in one process.
"""

import re
import subprocess
from collections.abc import Iterable, Sequence
from shutil import which

from gamesearch.errors import GamesearchError
from gamesearch.support.escaping import dot_text, xml_text

__all__ = [
    "arrow", "can_draw", "digraph", "draw_svg", "image_size", "markup", "node", "outline", "quick_layout", "quote",
    "table",
]  # fmt: skip

MOST_SECONDS = 120
SHAPES = {"max": "house", "min": "invhouse", "chance": "ellipse", "end": "box"}
CHARACTER, LINE, PADDING = 0.12, 0.2, 0.16
"""The width of a character, the height of a line, and the space around a text, in inches."""
MANY = 600
QUICK = {"nslimit": "2", "nslimit1": "2", "mclimit": "0.3"}
"""Attributes that make Graphviz faster. They are used if the graph has more than MANY moves."""
BODY = 0.6
"""The height of a house (a node shape) without its roof, divided by its total height."""


def digraph(name: str, statements: Iterable[str]) -> str:
    """A complete directed graph with the given statements."""
    return "\n".join([f"digraph {name} {{", *(f"  {statement}" for statement in statements), "}", ""])


def node(name: str, **attributes: str) -> str:
    """The statement for a node. If `name` is `graph`, `node` or `edge`, the statement sets defaults for later
    statements.

    Attributes are not escaped, so texts must come from `quote` or `markup`. Empty attributes are left out.

    >>> node("n1", shape="box", label=quote("a", "b"), style="")
    'n1 [shape=box label="a\\\\nb"]'
    """
    return f"{name} [{' '.join(f'{key}={value}' for key, value in attributes.items() if value)}]"


def outline(shape: str, columns: int, rows: int) -> dict[str, str]:
    """The attributes for a shape around a text with `columns` columns and `rows` rows. Graphviz itself would draw a
    house much wider than its text."""
    found = {"shape": SHAPES[shape]}
    if shape in ("max", "min"):
        width, height = CHARACTER * columns + PADDING, (LINE * rows + PADDING) / BODY
        found |= {"fixedsize": "true", "width": f"{width:.2f}", "height": f"{height:.2f}"}
        found["labelloc"] = "b" if shape == "max" else "t"
    return found | ({"peripheries": "2"} if shape == "end" else {})


def quick_layout(edges: int) -> dict[str, str]:
    """Attributes that make Graphviz faster for a graph with many edges; empty for other graphs."""
    return QUICK if edges > MANY else {}


def arrow(source: str, target: str, **attributes: str) -> str:
    """The statement for an edge."""
    return node(f"{source} -> {target}", **attributes)


def quote(*lines: str) -> str:
    """Join lines of text into one DOT string. Empty lines are left out."""
    return '"' + "\\n".join(dot_text(line) for line in lines if line) + '"'


def markup(text: str, *, bold: bool = False, color: str = "") -> str:
    """Text for an HTML-like label (a label between angle brackets). Spaces are kept.

    >>> markup("a < b", bold=True)
    '<b>a&#160;&lt;&#160;b</b>'
    """
    found = xml_text(text).replace(" ", "&#160;")
    if not found:
        return ""
    found = f"<b>{found}</b>" if bold else found
    return f'<font color="{color}">{found}</font>' if color else found


def table(above: str, board: Sequence[str], below: Iterable[str], size: tuple[float, float], border: int) -> str:
    """A label that shows a board in a frame, with the markup `above` and `below` it. If `board` has no lines, the frame
    is empty and has the given size in points."""
    lines = "".join(f'{markup(line)}<br align="left"/>' for line in board)
    text = f'<font face="DejaVu Sans Mono">{lines}</font>' if board else ""
    area = "" if board else f' fixedsize="true" width="{size[0]:.0f}" height="{size[1]:.0f}"'
    above, *texts = (f"<td>{each}</td>" if each else "" for each in (above, *below))
    cells = (above, f'<td border="{border}"{area}>{text}</td>', *texts)
    inside = "".join(f"<tr>{cell}</tr>" for cell in cells if cell)
    return f'<table border="0" cellborder="0" cellspacing="0" cellpadding="2">{inside}</table>'


def can_draw() -> bool:
    """Whether Graphviz is installed."""
    return which("dot") is not None


def draw_svg(dot: str) -> str:
    """The SVG image that Graphviz draws from DOT text. Raises GamesearchError if Graphviz is not installed."""
    program = which("dot")
    if program is None:
        raise GamesearchError(
            "this picture needs Graphviz, which is not installed: `apt install graphviz`, `brew install graphviz`, "
            "or write a .dot file, which does not need Graphviz"
        )
    try:
        done = subprocess.run(
            [program, "-Tsvg"], input=dot, capture_output=True, encoding="utf-8", timeout=MOST_SECONDS, check=True
        )
    except subprocess.TimeoutExpired:
        raise GamesearchError(
            f"Graphviz needs more than {MOST_SECONDS} seconds for this picture: draw fewer positions"
        ) from None
    except (OSError, subprocess.CalledProcessError) as error:
        raise GamesearchError(f"Graphviz cannot draw this picture: {getattr(error, 'stderr', '') or error}") from None
    _, found, rest = done.stdout.partition("<svg")
    if not found:
        raise GamesearchError(f"{program} writes no picture: is it Graphviz's dot?")
    return re.sub("<!--.*?-->\n", "", found + rest, flags=re.DOTALL)


def image_size(image: str) -> tuple[float, float]:
    """The width and the height of an image from `draw_svg`, in the units of the image."""
    found = re.search(r'viewBox="\S+ \S+ (\S+) (\S+)"', image)
    return (float(found[1]), float(found[2])) if found else (0.0, 0.0)
