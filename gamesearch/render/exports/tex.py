"""A searched tree in LaTeX, drawn by the package `forest` (TikZ): for handouts."""

from gamesearch.render.trees.picture import Picture, PictureNode, TooLargeError, picture_of
from gamesearch.support.escaping import tex_formula, tex_text
from gamesearch.trace.recording import Recording

__all__ = ["export"]

MOST_NODES = 300
"""TeX sets nothing wider than 16,384 points (5.8 m), which is about as many leaves side by side."""
PREAMBLE = r"""\documentclass[border=6pt]{standalone}
\usepackage{forest}
\newcommand{\shape}[1]{{\Large$#1$}}
\newcommand{\maxnode}[1]{\phantom{\,#1}\shape{\bigtriangleup}\,#1}
\newcommand{\minnode}[1]{\phantom{\,#1}\shape{\bigtriangledown}\,#1}
\newcommand{\chancenode}[1]{\phantom{\,#1}\shape{\bigcirc}\,#1}
\newcommand{\playernode}[1]{\fbox{\,}\,#1}
\newcommand{\leafnode}[1]{\fbox{#1}}
\newcommand{\remark}[1]{{\scriptsize #1}}
\forestset{
  search tree/.style={for tree={
    align=center, font=\small, inner sep=1.5pt, s sep=3mm, l sep=8mm, parent anchor=south, child anchor=north}},
  branch/.style={edge label={node[midway, fill=white, inner sep=1pt, font=\small]{#1}}},
  cut branch/.style={edge={dashed}, edge label={node[midway, font=\small\bfseries]{/\kern-2pt/}}},
  hidden branch/.style={edge={dotted}},
  best branch/.style={font=\small\bfseries\boldmath, edge={line width=1.4pt}},
}
"""


def export(recording: Recording, blank: bool = False) -> str:
    """The tree as a whole document; raises TooLargeError if it is too large for TeX."""
    picture = picture_of(recording, blank)
    count = sum(1 for _ in picture.nodes())
    if count > MOST_NODES:
        raise TooLargeError(f"this tree has {count:,} nodes, and TeX sets about {MOST_NODES}: draw less of it")
    lines = [
        *(f"% {tex_text(text)}" for text in picture.headings if text),
        PREAMBLE + r"\begin{document}",
        r"\begin{forest} search tree",
        *tree(picture, picture.root, ""),
        r"\end{forest}",
        r"\end{document}",
    ]
    return "\n".join(lines) + "\n"


def tree(picture: Picture, node: PictureNode, indent: str) -> list[str]:
    """A node in its brackets, with all below it."""
    opening = f"{indent}[{','.join(options(picture, node))}"
    if not node.children:
        return [opening + "]"]
    below = [line for child in node.children for line in tree(picture, child, indent + "  ")]
    return [opening, *below, f"{indent}]"]


def options(picture: Picture, node: PictureNode) -> list[str]:
    """The text and the style of a node."""
    if node.shape in ("cut", "hidden"):
        return [f"{{\\remark{{{tex_text(node.edge)}}}}}", f"{node.shape} branch"]
    above = [text for text in (tex_formula(picture.window(node)), tex_text(node.note)) if text]
    lines = [*(f"\\remark{{{text}}}" for text in above), f"\\{node.shape}node{{{tex_formula(picture.value(node))}}}"]
    found = ["{" + r"\\".join(lines) + "}"]
    if node.edge:
        found.append(f"branch={{{tex_text(node.edge)}}}")
    return [*found, "best branch"] if picture.is_bold(node) else found
