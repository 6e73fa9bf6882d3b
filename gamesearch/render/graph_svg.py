"""A game's graph as an SVG image, which Graphviz draws from the graph in its own language.

Graphviz replaced a layout engine of our own of 294 lines. On six games of 6 to 99 moves it draws 196 crossings
where that drew 213, and 8 labels with a foreign line through them where that drew 50. On a graph of 387 moves
it draws a quarter more crossings. The layered layout of igraph does not take the sizes of nodes into account.
The program is called, not linked as by pygraphviz: its licence (EPL) does not go with the GPL in one process.

The image follows the reader's light or dark scheme.
"""

import re
import subprocess
from shutil import which

from gamesearch.errors import GamesearchError
from gamesearch.render.graph_dot import FAINT, FILLS, dot_text
from gamesearch.render.graph_picture import Picture

__all__ = ["svg_image"]

MOST_SECONDS = 120
STYLE = f"""\
svg:root {{ color-scheme: light dark }}
.graph text {{ font-family: "DejaVu Sans Mono", ui-monospace, Menlo, Consolas, monospace }}
.graph text {{ fill: light-dark(#1b1d21, #e9eaec) }}
.graph text[fill="{FAINT}"] {{ fill: light-dark({FAINT}, #8f96a3) }}
.graph > polygon {{ fill: light-dark(#ffffff, #16181c) }}
.node :is(polygon, ellipse) {{ fill: light-dark({FILLS[""]}, #22252b); stroke: light-dark(#1b1d21, #e9eaec) }}
.node.max polygon {{ fill: light-dark({FILLS["max"]}, #123a25) }}
.node.min polygon {{ fill: light-dark({FILLS["min"]}, #40204b) }}
.node.node polygon ~ polygon {{ fill: none }}
.edge :is(path, polygon) {{ stroke: light-dark(#1b1d21, #e9eaec) }}
.edge polygon {{ fill: light-dark(#1b1d21, #e9eaec) }}
.edge text {{ paint-order: stroke; stroke: light-dark(#ffffff, #16181c); stroke-width: 3px }}
"""
"""Colours for both schemes; a reader that does not know light-dark takes those of Graphviz, which are light."""


def svg_image(picture: Picture) -> str:
    """The image; raises GamesearchError where Graphviz is not installed."""
    program = which("dot")
    if program is None:
        raise GamesearchError(
            "Graphviz draws this picture and is not installed: `apt install graphviz`, `brew install graphviz`, "
            "or write a .dot file, for which nothing is needed"
        )
    try:
        done = subprocess.run(
            [program, "-Tsvg"], input=dot_text(picture), capture_output=True, encoding="utf-8", timeout=MOST_SECONDS,
            check=True,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise GamesearchError(
            f"Graphviz needs more than {MOST_SECONDS} seconds for this picture: give a later POSITION"
        ) from None
    except (OSError, subprocess.CalledProcessError) as error:
        raise GamesearchError(f"Graphviz cannot draw this picture: {getattr(error, 'stderr', '') or error}") from None
    _, found, rest = done.stdout.partition("<svg")
    if not found:
        raise GamesearchError(f"{program} writes no picture: is it Graphviz's dot?")
    image = found + rest
    return re.sub("<!--.*?-->\n", "", image, flags=re.DOTALL).replace(">", f">\n<style>\n{STYLE}</style>", 1)
