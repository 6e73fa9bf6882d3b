"""Reading a trace from its file."""

import contextlib
import json
from pathlib import Path
from typing import Any

from gamesearch.errors import GamesearchError, system_reason
from gamesearch.files.whole import read_regular_text
from gamesearch.support.escaping import terminal_text, visible_data
from gamesearch.trace.checking import BrokenError, check_end, check_event, check_header
from gamesearch.trace.events import EVENTS, FORMAT, VERSION
from gamesearch.trace.recording import Recording

__all__ = ["load_recording", "read_recording"]

LARGEST = 4_000_000_000
"""Larger files are refused (bytes)."""


def load_recording(path: str) -> Recording:
    """Read a trace from a file; raises GamesearchError if it is not a trace, or not complete."""
    try:
        text = read_regular_text(Path(path), LARGEST)
    except FileNotFoundError:
        raise GamesearchError(f"there is no file {path}") from None
    except OSError as error:
        raise GamesearchError(f"{path} cannot be read: {system_reason(error)}") from None
    except UnicodeDecodeError:
        raise GamesearchError(f"{path} is not a trace of gamesearch: it is not text") from None
    return read_recording(text, path)


def read_recording(text: str, name: str = "the trace") -> Recording:
    """Parse the text of a trace; raises GamesearchError if it is not a trace, or not complete."""
    lines = text.rstrip("\n").split("\n")  # and not at other line breaks, which may be part of a text
    header = parse_line(lines[0], 1, name)
    if header["event"] != "search" or header.get("format") != FORMAT:
        raise GamesearchError(f"{name} is not a trace of gamesearch: write one with analyze --trace FILE")
    version = header.get("version")
    if type(version) is not int or version < 1:
        raise GamesearchError(f"{name} is not a trace of gamesearch: its version is not a positive integer")
    if version > VERSION:
        raise GamesearchError(
            f"{name} has trace version {version}, but this gamesearch reads only up to {VERSION}: update gamesearch"
        )
    end = parse_line(lines[-1], len(lines), name)
    if end["event"] != "end":
        raise GamesearchError(f"{name} is cut off: its last line is not the end of the search")
    recording = Recording(header)
    for number, line in enumerate(lines, 1):
        event = parse_line(line, number, name)
        try:
            if number == 1:
                check_header(event)
            elif number < len(lines):
                check_event(event, recording)
                recording.take(event)
            else:
                check_end(event)
                recording.close(event)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            why = f": {error}" if isinstance(error, BrokenError) else ""
            raise GamesearchError(f"{name} is broken at line {number}{why}") from None
    return recording


def parse_line(line: str, number: int, name: str) -> dict[str, Any]:
    """Parse a line; raises GamesearchError if it is not an event."""
    event = None
    with contextlib.suppress(ValueError, RecursionError):
        event = json.loads(line)
    if not isinstance(event, dict) or not isinstance(event.get("event"), str) or event["event"] not in EVENTS:
        what = (
            f"is not a trace of gamesearch: line {number} is not an event"
            if number == 1
            else f"is broken at line {number}"
        )
        raise GamesearchError(f"{name} {what}")
    return event if line.isprintable() and "\\" not in line else make_visible(event)


def make_visible(event: dict[str, Any]) -> dict[str, Any]:
    """An event in which each text is one line of visible characters; a position may have several lines."""
    found: dict[str, Any] = visible_data(event)
    return found | {"position": terminal_text(event["position"])} if isinstance(event.get("position"), str) else found
