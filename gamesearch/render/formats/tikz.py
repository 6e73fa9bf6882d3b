"""SVG drawings as TikZ pictures, so that LaTeX documents have the same figures.

Only the elements that gamesearch and Graphviz write are translated: lines, rectangles, circles, ellipses, polygons,
paths of lines and curves, and texts. The elements may be in groups that are moved and scaled.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from gamesearch.render.trees.picture import BLANK_VALUE, BLANK_WINDOW
from gamesearch.support.escaping import tex_text

__all__ = ["LARGEST", "PIXEL", "PREAMBLE", "tex_with_signs", "tikz_document", "tikz_lines", "tikz_picture"]

PIXEL = 0.75
"""The size of a pixel in points of TeX."""
LARGEST = 21_000
"""The greatest width and height in pixels. Lengths in TeX are less than 16,384 points (5.8 m)."""
FONT = 14.0
"""The default size of texts in pixels."""
PREAMBLE = r"\usepackage{tikz}"
CLASSES: Mapping[str, tuple[str, ...]] = {
    "shape": ("draw", "fill=white", "line width=0.9pt"),
    "min": ("fill=black!12",),
    "edge": ("draw", "line width=0.9pt"),
    "frame": ("draw", "line width=0.7pt"),
    "hidden": ("dash pattern=on 1.5pt off 3pt",),
    "best": ("line width=2.4pt",),
    "here": ("draw=orange!90!black", "line width=2.4pt"),
    "pruned": ("opacity=0.4",),
    "dropped": ("opacity=0.4",),
}
"""The TikZ options for the CSS classes of trees."""
SMALL = 11.0
INVISIBLE = ("none", "transparent")
GREEK = {
    letter: unicodedata.name(letter).rpartition(" ")[2].replace("LAMDA", "LAMBDA").lower()
    for letter in "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ"
}
"""The names of the Greek letters that TeX has as mathematical symbols. The default text fonts of TeX lack these
letters."""
TEX_OF_SIGNS: Mapping[str, str] = {
    letter: f"$\\{name.capitalize() if letter.isupper() else name}$" for letter, name in GREEK.items()
} | {
    "≤": r"$\leq$", "≥": r"$\geq$", "≈": r"$\approx$", "−": "$-$", "∞": r"$\infty$", "⁺": r"$^+$", "…": r"\dots{}",
}  # fmt: skip
LONG_DASH = "-{-}"
"""Two hyphens that TeX does not join into a dash."""
BLANK = r"\rule{1.1em}{0.4pt}"
"""A blank line for an answer. The underscores of TeX are too short to write on."""
OF_OTHER_FONTS = "|<>\\_{}"
"""The characters that `tex_text()` writes as commands of TeX. The commands change the font, and therefore the widths of
the characters."""
LETTERS = str.maketrans("♔♕♖♗♘♙♚♛♜♝♞♟", "KQRBNP" * 2)
"""The letters that replace the symbols of chess pieces, which are missing in the default fonts of TeX."""


@dataclass(frozen=True)
class Place:
    """The position and the scale of a group of SVG elements, and the classes that its elements inherit."""

    x: float = 0.0
    y: float = 0.0
    scale: float = 1.0
    classes: tuple[str, ...] = ()

    def at(self, x: str | float, y: str | float) -> str:
        """Convert a point in the coordinates of the SVG group to the coordinates of TikZ."""
        return f"({self.x + self.scale * float(x):.1f},{self.y + self.scale * float(y):.1f})"

    def inside(self, group: Element) -> "Place":
        """Compute the place of `group`. `self` is the place of the element that contains `group`."""
        transform, classes = group.get("transform", ""), (*self.classes, *group.get("class", "").split())
        x, y, scale = self.x, self.y, self.scale
        if found := re.search(r"translate\(([-\d.]+)[ ,]+([-\d.]+)\)", transform):
            x, y = x + scale * float(found[1]), y + scale * float(found[2])
        if found := re.search(r"scale\(([\d.]+)\)", transform):
            scale *= float(found[1])
        return Place(x, y, scale, classes)


def tikz_picture(parts: Iterable[str], more: Iterable[str] = ()) -> list[str]:
    """Convert parts of an SVG image to the lines of a TikZ picture. `more` contains further lines of the picture."""
    return [
        f"\\begin{{tikzpicture}}[x={PIXEL}pt,y=-{PIXEL}pt,line cap=round,every node/.style={{inner sep=0pt}}]",
        *tikz_lines("".join(parts)),
        *more,
        r"\end{tikzpicture}",
    ]


def tikz_lines(parts: str) -> list[str]:
    """The lines of TikZ that draw parts of an SVG image."""
    return list(translate(ElementTree.fromstring(f"<g>{parts}</g>"), Place()))


def tikz_document(lines: Iterable[str], comments: Iterable[str] = ()) -> str:
    """A complete LaTeX document whose only page has the size of a TikZ picture. The document begins with `comments`.

    The document needs no package except TikZ and geometry, which are in every TeX distribution.
    """
    return "\n".join(
        [
            *(f"% {tex_text(text)}" for text in comments if text),
            r"\documentclass{article}",
            PREAMBLE,
            r"\usepackage{geometry}",
            r"\newsavebox{\drawing}",
            r"\sbox{\drawing}{%",
            *lines,
            "}",
            r"\geometry{papersize={\dimexpr\wd\drawing+12pt,\dimexpr\ht\drawing+\dp\drawing+12pt},margin=6pt}",
            r"\setlength{\topskip}{0pt}",
            r"\pagestyle{empty}",
            r"\begin{document}",
            r"\noindent\usebox{\drawing}",
            r"\end{document}",
            "",
        ]
    )


def translate(each: Element, place: Place) -> Iterator[str]:
    """Yield the lines for an SVG element and for the elements inside it."""
    kind = name_of(each)
    if kind in ("svg", "g", "a"):
        inner = place.inside(each)
        for child in each:
            yield from translate(child, inner)
        return
    classes = [*place.classes, *each.get("class", "").split()]
    if kind == "text":
        yield text(each, place, classes)
    elif path := shape(each, place):
        yield f"\\path[{','.join(look(each, place, classes))}] {path};"


def name_of(each: Element) -> str:
    """The name of an element without its namespace."""
    return each.tag.rpartition("}")[2]


def shape(each: Element, place: Place) -> str:
    """The path of a shape in TikZ. The path of a background is empty, because paper is white."""
    get = each.get
    match name_of(each):
        case "line":
            return f"{place.at(get('x1', 0), get('y1', 0))} -- {place.at(get('x2', 0), get('y2', 0))}"
        case "circle":
            return (
                f"{place.at(get('cx', 0), get('cy', 0))} circle[radius={PIXEL * place.scale * number(get('r')):.2f}pt]"
            )
        case "ellipse":
            radii = (f"{axis} radius={PIXEL * place.scale * number(get(f'r{axis}')):.2f}pt" for axis in "xy")
            return f"{place.at(get('cx', 0), get('cy', 0))} circle[{', '.join(radii)}]"
        case "rect" if get("width") != "100%":
            x, y = number(get("x")), number(get("y"))
            end = place.at(x + number(get("width")), y + number(get("height")))
            corners = f" [rounded corners={PIXEL * place.scale * number(get('rx')):.1f}pt]" if get("rx") else ""
            return f"{corners}{place.at(x, y)} rectangle {end}".strip()
        case "polygon":
            points = [point.split(",") for point in get("points", "").split()]
            return " -- ".join([*(place.at(x, y) for x, y in points), "cycle"])
        case "path":
            return path_of(get("d", ""), place)
    return ""


def path_of(commands: str, place: Place) -> str:
    """Convert the path of an SVG image to TikZ: lines (L), horizontal lines (H), curves (C) and the end of a closed
    path (Z)."""
    path, y = "", 0.0
    for command, numbers in re.findall(r"([MLHC])([-\d., ]+)", commands):
        found = [float(each) for each in re.findall(r"-?[\d.]+", numbers)]
        if command == "C":
            points = [place.at(*pair) for pair in zip(found[::2], found[1::2], strict=True)]
            for first, second, end in zip(points[::3], points[1::3], points[2::3], strict=True):
                path += f" .. controls {first} and {second} .. {end}"
            continue
        y = found[1] if command != "H" else y
        path += (" -- " if path else "") + place.at(found[0], y)
    return path + (" -- cycle" if "Z" in commands else "")


def look(each: Element, place: Place, classes: list[str]) -> list[str]:
    """The TikZ options of a shape: first the options from its classes, then the options from its attributes."""
    options = list(dict.fromkeys(option for name in classes for option in CLASSES.get(name, ())))
    fill, stroke = each.get("fill"), each.get("stroke")
    if fill and fill not in INVISIBLE:
        options.append(f"fill={color(fill)}")
    if stroke and stroke not in INVISIBLE:
        width = PIXEL * place.scale * number(each.get("stroke-width", "1"))
        options += [f"draw={color(stroke)}", f"line width={width:.2f}pt"]
        options += ["dashed"] if each.get("stroke-dasharray") else []
    return options


def text(each: Element, place: Place, classes: list[str]) -> str:
    """A TikZ node with a text. It has the size and the anchor of the SVG text."""
    size = number(each.get("font-size", str(SMALL if "small" in classes else FONT))) * place.scale
    if "piece" in classes:
        return piece(each, place, PIXEL * size)
    is_note = "note" in classes and "small" not in classes  # a note next to a board, not a note in a tree
    is_centered = is_note or not {"words", "label"}.isdisjoint(classes)
    is_start = is_note or "start" in (*classes, each.get("text-anchor"))
    anchor = " ".join([*(() if is_centered else ("base",)), *(("west",) if is_start else ())]) or "center"
    points = PIXEL * size * (1.0 if is_centered else 0.95)
    is_bold = "best" in classes or each.get("font-weight") == "bold"
    font = f"\\fontsize{{{points:.1f}}}{{{points:.1f}}}\\selectfont" + (r"\bfseries" if is_bold else "")
    options = [f"anchor={anchor}", f"font={font}"]
    if fill := each.get("fill"):
        options.append(f"text={color(fill)}")
    options += [option for name in classes if name in ("pruned", "dropped") for option in CLASSES[name]]
    words = tex_with_signs(each.text or "").replace("--", LONG_DASH)
    if each.text in (BLANK_VALUE, BLANK_WINDOW):
        words = words.replace(r"\_\_", BLANK)
    if "mono" in classes:
        signs = (f"\\symbol{{{ord(sign)}}}" if sign in OF_OTHER_FONTS else tex_text(sign) for sign in each.text or "")
        words = r"\ttfamily " + "".join(signs).replace(" ", "~")
    return f"\\node[{','.join(options)}] at {place.at(each.get('x', 0), each.get('y', 0))} {{{words}}};"


def tex_with_signs(line: str) -> str:
    """A text in TeX, in which signs such as ≤ become mathematical symbols."""
    return "".join(TEX_OF_SIGNS.get(sign) or tex_text(sign) for sign in line)


def piece(each: Element, place: Place, size: float) -> str:
    """A chess piece: its letter on a disc in the color of its side. `size` is the diameter in points."""
    ground, ink = color(each.get("fill", "white")), color(each.get("stroke", "black"))
    font = f"\\fontsize{{{0.7 * size:.1f}}}{{{0.7 * size:.1f}}}\\selectfont\\bfseries"
    disc = f"circle,minimum size={size:.1f}pt,fill={ground},draw={ink},line width={0.04 * size:.2f}pt"
    letter = tex_text((each.text or "").translate(LETTERS))
    return f"\\node[{disc},text={ink},font={font}] at {place.at(each.get('x', 0), each.get('y', 0))} {{{letter}}};"


def color(written: str) -> str:
    """A color #rrggbb or #rgb in the syntax of TikZ; names such as `black` stay the same."""
    if not written.startswith("#"):
        return written
    digits = written.removeprefix("#")
    digits = "".join(2 * digit for digit in digits) if len(digits) == 3 else digits
    red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
    return f"{{rgb,255:red,{red};green,{green};blue,{blue}}}"


def number(written: str | None) -> float:
    """The number in an attribute; 0 if the attribute is missing."""
    return float(written or 0)
