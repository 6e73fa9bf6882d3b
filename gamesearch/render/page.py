"""HTML pages that stand alone: no network, no build step, nothing beside the file."""

import json
import re
from collections.abc import Mapping
from html import escape
from importlib import resources
from typing import Any

__all__ = ["html_page"]


def html_page(name: str, title: str, data: Any, parts: Mapping[str, str], more: str = "") -> str:
    """The page that `name`.html is the body of, with `name`.css, `name`.js and the data, which is written as JSON.

    `page.html` is the frame of all pages, and `page.css` and `page.js` are what they share. A part is HTML that
    is put where the body has its name in double braces: {{image}}. `more` names files with more style and script.
    """
    # Where a "<" is left, a text could end the script that it stands in.
    encoded = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    frame = {
        "title": escape(title),
        "style": shared_and_own(name, "css") + (source(f"{more}.css") if more else ""),
        "script": source("page.js") + (source(f"{more}.js") if more else "") + source(f"{name}.js"),
        "body": filled(f"{name}.html", parts),
        "data": encoded,
    }
    return filled("page.html", frame)


def shared_and_own(name: str, kind: str) -> str:
    """What all pages have of a kind, and what this one has besides."""
    return source(f"page.{kind}") + source(f"{name}.{kind}")


def filled(file: str, parts: Mapping[str, str]) -> str:
    """A file with its parts; what stands in a part is not looked at."""
    return re.sub(r"\{\{(\w+)\}\}", lambda place: parts[place[1]], source(file))


def source(name: str) -> str:
    """One of the files that a page is made of."""
    return resources.files("gamesearch.render").joinpath(name).read_text(encoding="utf-8")
