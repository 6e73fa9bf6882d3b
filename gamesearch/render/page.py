"""HTML pages that stand alone: no network, no build step, nothing beside the file."""

import json
import re
from collections.abc import Mapping
from importlib import resources
from typing import Any

__all__ = ["filled_page"]


def filled_page(name: str, data: Any, parts: Mapping[str, str]) -> str:
    """The page that `name`.html is, with `name`.css, `name`.js, the data as JSON, and HTML for `parts`.

    A part is put where the page has its name in double braces: {{style}}, {{script}}, {{data}}.
    """
    filled = {
        **parts,
        "style": page_part("page_colours.css") + page_part(f"{name}.css"),
        "script": page_part(f"{name}.js"),
        # Where a "<" is left, a text could end the script that it stands in.
        "data": json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c"),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda place: filled[place[1]], page_part(f"{name}.html"))


def page_part(name: str) -> str:
    """One of the files that a page is made of."""
    return resources.files("gamesearch.render").joinpath(name).read_text(encoding="utf-8")
