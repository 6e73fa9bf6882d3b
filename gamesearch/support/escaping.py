"""Escape text from files, engines and other programs. Each format that gamesearch writes has its own function.

A text may come from any source: a player's name in a PGN file, the id of a test position, the header of a trace, the
error of an engine. The returned string shows exactly the given text in the output format, and has no other effect.
Characters that cannot be seen (control characters, changes of the writing direction, halves of surrogate pairs) become
escape sequences such as `\\x1b` in every format.
"""

import json
import re
import unicodedata
from collections.abc import Mapping
from html import escape
from typing import Any

__all__ = [
    "dot_text", "escape_invisible", "json_text", "markdown_text", "mermaid_text", "pgn_text", "terminal_text",
    "tex_text", "visible_data", "xml_text",
]  # fmt: skip

JOINERS = "\u200c\u200d"
"""Zero-width characters that join or separate letters, and are part of ordinary words and emoji."""


def escape_invisible(text: str) -> str:
    r"""Convert a text to one line, and replace invisible characters by escapes.

    >>> escape_invisible("a\x1b[31m\nb")
    'a\\x1b[31m\\nb'
    """
    return text if text.isprintable() else "".join(map(visible_character, text))


def visible_character(character: str) -> str:
    """Return the character itself if it can be seen; otherwise its escape sequence."""
    if character.isprintable() or character in JOINERS or unicodedata.category(character) == "Zs":
        return character
    return repr(character)[1:-1]


def visible_data(data: Any) -> Any:
    """Replace the invisible characters in decoded JSON by escapes such as `\\x1b`. Texts and keys are changed."""
    if isinstance(data, str):
        return escape_invisible(data)
    if isinstance(data, list | tuple):
        return type(data)(map(visible_data, data))
    if isinstance(data, dict):
        return {escape_invisible(key): visible_data(each) for key, each in data.items()}
    return data


def terminal_text(text: str) -> str:
    """Escape all control characters of a text for a terminal, except line feeds."""
    return text if text.isprintable() else "\n".join(map(escape_invisible, text.split("\n")))


def json_text(data: Any, **style: Any) -> str:
    r"""Encode data as JSON, with escapes for invisible characters; `style` contains arguments of `json.dumps`.

    >>> json_text({"é": "\x9b31m"})
    '{"é": "\\u009b31m"}'
    """
    text = json.dumps(data, ensure_ascii=False, **style) if style else encode_json(data)
    if text.isprintable():
        return text
    return "".join(each if each == "\n" or visible_character(each) == each else json.dumps(each)[1:-1] for each in text)


encode_json = json.JSONEncoder(ensure_ascii=False).encode
"""Like `json.dumps`, but faster, because one encoder serves all calls."""


def xml_text(text: str) -> str:
    """Escape a text for HTML, SVG and HTML-like labels of DOT; the result is also valid inside quotation marks."""
    return escape(escape_invisible(text))


def dot_text(text: str) -> str:
    """Escape a text that will stand between the quotation marks of a DOT string."""
    return escape_invisible(text).replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")


def mermaid_text(text: str) -> str:
    """Escape a text for a Mermaid string in quotation marks. Special characters become character codes, such as
    `#59;`."""
    return "".join(
        each if each.isalnum() or each in " ,.:=()[]+−∞≤≥≈⁺/" else f"#{ord(each)};" for each in escape_invisible(text)
    )


def pgn_text(text: str) -> str:
    """Escape a text that will stand between the quotation marks of a PGN tag."""
    return escape_invisible(text).replace("\\", "\\\\").replace('"', '\\"')


def markdown_text(text: str) -> str:
    """Escape a text for a cell of a Markdown table."""
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", escape_invisible(text))


TEX: Mapping[str, str] = {character: f"\\{character}" for character in "&%#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "$": r"\symbol{36}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "[": "{[}",
    "]": "{]}",
    ",": "{,}",
}
"""The TeX commands for characters that have a special meaning in TeX or in options of TikZ."""
LAST_OF_TEX = "\u017f"
"""The last letter, by code, that the default fonts of TeX contain."""


def tex_text(text: str) -> str:
    """Escape a text for TeX. Letters that the default fonts of TeX do not contain become question marks."""
    return "".join(TEX.get(each, each if each <= LAST_OF_TEX else "?") for each in escape_invisible(text))
