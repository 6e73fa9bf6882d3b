"""HTML pages, each in a single file that needs no network, no build step and no other files.

The library Jinja2 is not used, because it would replace only the function `fill`.
"""

import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

from gamesearch.support.escaping import json_text, xml_text

__all__ = ["html_page"]


def html_page(layers: tuple[str, ...], title: str, data: Any, parts: Mapping[str, str]) -> str:
    """A page with its data as JSON, built from nested layers. All pages share the outermost layer.

    Each layer has a style, a script, and HTML in which {{image}} stands for the part `image`. The next layer is the
    part `body`, or several parts if it is divided by comments such as <!-- buttons -->.
    """
    layers = ("page", *layers)
    # A "<" in a text could end the script that contains the text.
    encoded = json_text(data, separators=(",", ":")).replace("<", "\\u003c")
    parts = {
        **parts,
        "title": xml_text(title),
        "style": "".join(source(f"{layer}.css") for layer in layers),
        "script": "".join(source(f"{layer}.js") for layer in layers),
        "data": encoded,
    }
    for layer in reversed(layers):
        parts |= {name: fill(text, parts) for name, text in split_layer(source(f"{layer}.html")).items()}
    return parts["body"]


def split_layer(layer: str) -> dict[str, str]:
    """The parts of a layer by their names; a layer that is not divided is one part."""
    whole, *named = re.split(r"<!-- (\w+) -->\n", layer)
    return dict(zip(named[::2], map(str.strip, named[1::2]), strict=True)) if named else {"body": whole}


def fill(text: str, parts: Mapping[str, str]) -> str:
    """Insert parts into a text; names in braces that are inside a part are not replaced."""
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], text)


def source(name: str) -> str:
    """The text of a file of a layer."""
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
