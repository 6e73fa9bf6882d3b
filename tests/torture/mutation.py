"""Random damage to the bytes of a file or a line, as editors, disks, programs and attackers may cause it."""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any

__all__ = ["HOSTILE", "mutate"]

HOSTILE = (
    "\x1b[31m\x1b]0;title\x07", "\x9b2J", "\r", "\n", "\t", "\0", "\x7f", "\u202e", "\u2028", "\ud800", "\ufeff",
    "\U000e0001", "\\input{/etc/passwd}", "\\write18{id}", "^^M", "$x$", "%", "</script><script>", "<b>&\"'", "]]>",
    "[/red]", "[bold]", "--> x; end", "`id`", "$(id)", "{0.__class__}", "%s%n", "__import__('os').system('id')",
    "/dev/zero", "../../x", "~x", "trap.py", "./trap.py(x=1)", "nan", "NaN", "-Infinity", "1e999", "-0", "9" * 400,
    "1" + "0" * 5000, "-1", "0x10", "1_000", "[" * 3000, "{" * 3000, "(" * 3000, "true", "null", "", " ", '"', "'",
    "\\", ",", ";", ":", "=", "#", "éß♕", "𝟙", "٣", "²", "max", "Max", "chance", "end", "exact", "stuck", "playouts",
    "proof",
)  # fmt: skip
"""Texts that have a special meaning in some format, or that are hard to parse as numbers."""
VALUES: Sequence[Any] = (
    None, True, False, 0, 1, -1, 2, 7, 10**9, 10**30, -(10**30), 0.5, -0.0, 1e308, float("nan"), float("inf"), "", "x",
    "0", [], [None], [1, 2], [1, "x"], [[]], {}, {"node": 0}, {"event": "end"}, "Max", "end", "chance",
)  # fmt: skip
"""Values that replace a value in JSON."""


def mutate(data: bytes, others: Sequence[bytes], source: random.Random) -> bytes:
    """Return the bytes with one to four random changes; `others` are files of the same kind, which supply parts."""
    for _ in range(source.choice((1, 1, 1, 2, 2, 4))):
        data = source.choice(DAMAGES)(data, others, source)
    return data


# In bytes. ----------------------------------------------------------------------------------------
def flip(data: bytes, _: Sequence[bytes], source: random.Random) -> bytes:
    """Change some bytes."""
    found = bytearray(data)
    for _each in range(source.choice((1, 1, 3, 20)) if found else 0):
        found[source.randrange(len(found))] = source.randrange(256)
    return bytes(found)


def cut(data: bytes, _: Sequence[bytes], source: random.Random) -> bytes:
    """Remove a part of the data, such as the end."""
    first, last = sorted(source.randrange(len(data) + 1) for _ in range(2))
    return source.choice((data[:first], data[last:], data[:first] + data[last:], data[:first] + data[first + 1 :]))


def repeat(data: bytes, _: Sequence[bytes], source: random.Random) -> bytes:
    """Repeat a part several times."""
    first = source.randrange(len(data) + 1)
    part = data[first : first + source.choice((1, 5, 50, 500))]
    return data[:first] + part * source.choice((2, 3, 200)) + data[first + len(part) :]


def splice(data: bytes, others: Sequence[bytes], source: random.Random) -> bytes:
    """Replace the rest of the data by the rest of another file."""
    other = source.choice(others)
    return data[: source.randrange(len(data) + 1)] + other[source.randrange(len(other) + 1) :]


def insert(data: bytes, _: Sequence[bytes], source: random.Random) -> bytes:
    """Insert a hostile text anywhere."""
    text, at = hostile(source), source.randrange(len(data) + 1)
    return data[:at] + text + data[at + source.choice((0, 0, 1, len(text))) :]


def replace_word(data: bytes, others: Sequence[bytes], source: random.Random) -> bytes:
    """Replace a word by a hostile text or by a word of another file."""
    words = data.split(b" ")
    words[source.randrange(len(words))] = source.choice(
        (hostile(source), source.choice(source.choice(others).split(b" ")))
    )
    return b" ".join(words)


def move_lines(data: bytes, _: Sequence[bytes], source: random.Random) -> bytes:
    """Remove, duplicate or move a line."""
    lines = data.split(b"\n")
    line = lines.pop(source.randrange(len(lines)))
    for _each in range(source.choice((0, 1, 2))):
        lines.insert(source.randrange(len(lines) + 1), line)
    return b"\n".join(lines)


def hostile(source: random.Random) -> bytes:
    """Return a hostile text in one of several encodings."""
    text = source.choice(HOSTILE)
    encoding = source.choice(("utf-8", "utf-8", "utf-8", "utf-16", "latin-1"))
    return text.encode(encoding, errors="surrogatepass" if encoding == "utf-8" else "replace")


# In JSON. -----------------------------------------------------------------------------------------
def change_json(data: bytes, _: Sequence[bytes], source: random.Random) -> bytes:
    """Change one value in a JSON document, or in a line of JSON."""
    lines = data.split(b"\n")
    for at in (None, source.randrange(len(lines)), source.randrange(len(lines))):
        try:
            found = with_change(json.loads(data if at is None else lines[at]), source)
            changed = json.dumps(found, ensure_ascii=source.random() < 0.5).encode(errors="surrogatepass")
        except (ValueError, OverflowError, RecursionError):  # not JSON, or too large for Python
            continue
        if at is None:
            return changed
        return b"\n".join([*lines[:at], changed, *lines[at + 1 :]])
    return data


def with_change(found: Any, source: random.Random) -> Any:
    """Return a JSON value in which one value has been changed."""
    if isinstance(found, dict) and found and source.random() < 0.9:
        key = source.choice(list(found))
        if source.random() < 0.1:
            return {name: value for name, value in found.items() if name != key}
        if source.random() < 0.1:
            return found | {source.choice(HOSTILE): found[key]}
        if source.random() < 0.15:
            return found | {key: source.choice(list(found.values()))}
        return found | {key: with_change(found[key], source)}
    if isinstance(found, list) and found and source.random() < 0.8:
        at = source.randrange(len(found))
        if source.random() < 0.2:
            return found[:at] + found[at + 1 :]
        if source.random() < 0.2:
            return [*found[:at], source.choice(found), *found[at:]]
        return [*found[:at], with_change(found[at], source), *found[at + 1 :]]
    if isinstance(found, str) and source.random() < 0.6:
        at = source.randrange(len(found) + 1)
        return found[:at] + source.choice(HOSTILE) + found[at:]
    if type(found) in (int, float) and source.random() < 0.5:
        return source.choice((found + 1, found - 1, -found, found / 2, 1000 * found, str(found)))
    return source.choice(VALUES)


DAMAGES: Sequence[Callable[[bytes, Sequence[bytes], random.Random], bytes]] = (
    flip, cut, repeat, splice, insert, replace_word, replace_word, move_lines, change_json, change_json, change_json,
)  # fmt: skip
