"""Text from files of other programs: its encoding."""

from collections.abc import Callable

from gamesearch.errors import GamesearchError

__all__ = ["Note", "decode_text", "ignore_note"]

Note = Callable[[str], object]
"""A function that shows a notice to the user."""
CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1a\x1b")
"""Bytes that no text file contains. Old DOS programs end a text with 1a; an escape sequence has 1b."""


def ignore_note(_: str) -> None:
    """Ignore a notice."""


def decode_text(data: bytes, name: str, what: str = "a text file", note: Note = ignore_note) -> str:
    """Decode UTF-8, with or without a byte order mark, or else Latin-1, which is reported by `note`.

    `name` and `what` describe the file in messages. Raises GamesearchError for binary data.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if CONTROLS & set(data):
            raise GamesearchError(f"{name} is not {what}: it is not text") from None
        note(f"{name} is not valid UTF-8: it was read as Latin-1")
        return data.decode("latin-1")
