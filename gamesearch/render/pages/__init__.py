"""HTML pages that stand alone: no network, no build step, nothing beside the file."""

import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

from gamesearch.support.escaping import json_text, xml_text

__all__ = ["html_page"]


def html_page(layers: tuple[str, ...], title: str, data: Any, parts: Mapping[str, str]) -> str:
    """A page of several layers, from what all pages share inwards, and its data, which is written as JSON.

    Of each layer there are a style and a script, and HTML that has the name of a part in double braces where that is
    put: {{image}}. A layer is itself the part `body`, or is divided into parts by comments: <!-- buttons -->.
    """
    layers = ("page", *layers)
    # Where a "<" is left, a text could end the script that it stands in.
    encoded = json_text(data, separators=(",", ":")).replace("<", "\\u003c")
    parts = {
        **parts,
        "title": xml_text(title),
        "style": "".join(source(f"{layer}.css") for layer in layers),
        "script": "".join(source(f"{layer}.js") for layer in layers),
        "data": encoded,
    }
    for layer in reversed(layers):
        parts |= {name: filled(text, parts) for name, text in divided(source(f"{layer}.html")).items()}
    return parts["body"]


def divided(layer: str) -> dict[str, str]:
    """The parts of a layer by their names; the whole is one where it is not divided."""
    whole, *named = re.split(r"<!-- (\w+) -->\n", layer)
    return dict(zip(named[::2], map(str.strip, named[1::2]), strict=True)) if named else {"body": whole}


def filled(text: str, parts: Mapping[str, str]) -> str:
    """A text with its parts; what stands in a part is not looked at."""
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], text)


def source(name: str) -> str:
    """One of the files that a page is made of."""
    return resources.files(__name__).joinpath(name).read_text(encoding="utf-8")
