"""A trace read from its file, where each event is a line of JSON."""

import contextlib
import json
from pathlib import Path
from types import NoneType
from typing import Any

from gamesearch.errors import GamesearchError, system_reason
from gamesearch.trace.events import EVENTS, FORMAT, VERSION
from gamesearch.trace.recording import Recording
from gamesearch.whole_files import read_regular_text

__all__ = ["load_recording", "read_recording"]

LARGEST = 4_000_000_000
"""No trace is larger (bytes)."""

HEADER_FACTS = {"game", "position", "player", "algorithm", "players", "names"}
END_FACTS = {
    "nodes", "leaves", "cutoffs", "table_hits", "recorded", "left_out", "value", "shown", "bound", "best", "line",
}  # fmt: skip
"""What the first line and the last must say."""
TYPES_OF_FACTS: dict[str, tuple[type, ...]] = {
    "node": (int,),
    "ply": (int,),
    "value": (int, float, list, NoneType),
    "window": (list, NoneType),
    "board": (list,),
    "pruned": (list,),
    "shown": (str,),
    "window_shown": (str,),
    "nodes": (int,),
    "path": (list,),
    "values": (list,),
    "bounds": (list,),
    "moves": (list,),
    "line": (list,),
    "least": (int, float),
    "greatest": (int, float),
    "deviation": (int, float),
    "error": (int, float),
    "same": (int, list),
    "number": (int,),
}
"""Of what type the facts of an event are, where it has them."""


def load_recording(path: str) -> Recording:
    """Read a trace from a file; raises GamesearchError where it is none, or not whole."""
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
    """The trace that a text is; raises GamesearchError where it is none, or not whole."""
    lines = text.splitlines()
    header = parsed(lines[0], 1, name) if lines else {}
    if header.get("event") != "search" or header.get("format") != FORMAT:
        raise GamesearchError(f"{name} is not a trace of gamesearch: write one with analyze --trace FILE")
    version = header.get("version")
    if not isinstance(version, int):
        raise GamesearchError(f"{name} is not a trace of gamesearch: its version is no number")
    if version > VERSION:
        raise GamesearchError(
            f"{name} is a trace of version {version}, and this gamesearch reads up to {VERSION}: update it"
        )
    events = [parsed(line, number, name) for number, line in enumerate(lines[1:], 2)]
    if not events or events[-1].get("event") != "end":
        raise GamesearchError(f"{name} is cut off: its last line is not the end of the search")
    for number, line, facts in ((1, header, HEADER_FACTS), (len(lines), events[-1], END_FACTS)):
        if not facts <= line.keys():
            raise GamesearchError(f"{name} is broken at line {number}")
    recording = Recording(header)
    for number, event in enumerate(events[:-1], 2):
        try:
            check_types(event)
            recording.take(event)
        except (KeyError, TypeError, ValueError, IndexError, AttributeError):
            raise GamesearchError(f"{name} is broken at line {number}") from None
    recording.close(events[-1])
    return recording


def parsed(line: str, number: int, name: str) -> dict[str, Any]:
    """A line as what it says."""
    event = None
    with contextlib.suppress(ValueError, RecursionError):
        event = json.loads(line)
    if not isinstance(event, dict) or event.get("event") not in EVENTS:
        what = (
            f"is not a trace of gamesearch: line {number} is no event" if number == 1 else f"is broken at line {number}"
        )
        raise GamesearchError(f"{name} {what}")
    return event


def check_types(event: dict[str, Any]) -> None:
    """Raise TypeError where a fact of an event is of another type than it must be."""
    for name, types in TYPES_OF_FACTS.items():
        if name in event and not isinstance(event[name], types):
            raise TypeError(f"{name} is not of its type")
