"""HTML pages, each in a single file that needs no network, no build step and no other files.

The template library Jinja2 is not used, because it would replace only the function `fill`.
"""

import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

from gamesearch.support.escaping import json_text, xml_text

__all__ = ["html_page"]


def html_page(layers: tuple[str, ...], title: str, data: Any, parts: Mapping[str, str]) -> str:
    """Return a page that contains its data as JSON. The page consists of nested layers. The outermost layer is the same
    for all pages.

    Each layer is a script (.js) and an HTML file, which begins with the style of the layer. A name in braces in the
    HTML, such as {{image}}, is replaced by the part with this name. Usually, the part `body` of a layer is the HTML of
    the next inner layer. Comments such as <!-- buttons --> can divide this HTML into several parts: this comment begins
    the part `buttons`.
    """
    layers = ("page", *layers)
    # A "<" in a text could end the script that contains the text.
    encoded = json_text(data, separators=(",", ":")).replace("<", "\\u003c")
    sources = [source(f"{layer}.html").removeprefix("<style>\n").partition("</style>\n") for layer in layers]
    parts = {
        **parts,
        "title": xml_text(title),
        "style": "".join(style for style, _, _ in sources),
        "script": "".join(source(f"{layer}.js") for layer in layers),
        "data": encoded,
    }
    for _, _, body in reversed(sources):
        parts |= {name: fill(text, parts) for name, text in split_layer(body).items()}
    return parts["body"]


def split_layer(layer: str) -> dict[str, str]:
    """Divide a layer into its parts; returns the text of each part by its name. A layer without names of parts has one
    part, `body`."""
    whole, *named = re.split(r"<!-- (\w+) -->\n", layer)
    return dict(zip(named[::2], map(str.strip, named[1::2]), strict=True)) if named else {"body": whole}


def fill(text: str, parts: Mapping[str, str]) -> str:
    """Replace each name in double braces by the part with this name. Names inside the parts are not replaced."""
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], text)


def source(name: str) -> str:
    """The text of a file in this folder."""
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
