"""The common parts of SVG images: the frame, texts and lines."""

from collections.abc import Iterable

from gamesearch.support.escaping import xml_text

__all__ = ["image", "in_page", "line", "text"]


def image(size: tuple[float, float], label: str, style: str, parts: Iterable[str], *, scales: bool = False) -> str:
    """A complete image with its label and style. If `scales` is true, the image fills the available space."""
    width, height = (f"{each:.0f}" for each in size)
    natural = "" if scales else f' width="{width}" height="{height}"'
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {width} {height}"{natural} '
        f'aria-label="{xml_text(label)}">',
        f"<title>{xml_text(label)}</title>",
        f"<style>\n{style}\n</style>",
        *parts,
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def in_page(svg: str, kind: str) -> str:
    """An image as an element of a web page. On this page, the style of the image affects only images of this `kind`."""
    scoped = svg.replace("<style>", f"<style>.{kind}-figure {{", 1).replace("</style>", "}</style>", 1)
    return f'<div class="figure {kind}-figure">{scoped[scoped.index("<svg") :]}</div>'


def text(x: float, y: float, words: str, kind: str = "", more: str = "") -> str:
    """A text with the CSS class `kind`. `more` contains further attributes."""
    of_class = f' class="{kind}"' if kind else ""
    return f'<text{of_class} x="{x:.1f}" y="{y:.1f}"{more}>{xml_text(words)}</text>'


def line(start: tuple[float, float], end: tuple[float, float], kind: str = "", more: str = "") -> str:
    """A line with the CSS class `kind`. `more` contains further attributes."""
    (x1, y1), (x2, y2) = start, end
    of_class = f' class="{kind}"' if kind else ""
    return f'<line{of_class} x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}"{more}/>'
