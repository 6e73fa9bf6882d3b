"""Nodes of a recording as a page reads them: whatever is text is written once, and called by its number."""

import re
from collections.abc import Sequence
from itertools import chain, zip_longest
from typing import Any

from gamesearch.algorithms.engine.formatting import probability_text
from gamesearch.trace.phrases import BOUND_WORDS
from gamesearch.trace.recording import Recording

__all__ = ["Row", "Rows", "result_text", "with_signs"]

Row = list[Any]
EMPTY_WINDOW = "[ ____ , ____ ]"


class Rows:
    """The rows of nodes; whatever is text is its number in `texts`."""

    def __init__(self, recording: Recording, blank: bool) -> None:
        self.recording, self.blank = recording, blank
        self.texts: dict[str, int] = {}

    def text(self, text: str | None) -> int | None:
        """The number of a text."""
        return None if text is None else self.texts.setdefault(text, len(self.texts))

    def number_text(self, text: str) -> int | None:
        """The number of a value or window."""
        return self.text(with_signs(text))

    def enter(self, event: dict[str, Any]) -> Row:
        """Node, parent, move, side, probability, window, board and position (see `changes`).

        In a worksheet also the moves that were cut.
        """
        node = self.recording.nodes[event["node"]]
        parent = None if node.parent is None else self.recording.nodes[node.parent]
        window = EMPTY_WINDOW if self.blank and node.window_shown else node.window_shown
        row = [
            node.number,
            node.parent,
            self.text(node.move),
            self.text(node.side),
            None if node.chance is None else self.text(probability_text(node.chance)),
            self.number_text(window),
            self.changes(node.board, [] if parent is None else parent.board),
            self.changes(pieces(node.position), [] if parent is None else pieces(parent.position)),
        ]
        return [*row, [self.text(name) for name in node.pruned]] if self.blank else row

    def changes(self, lines: Sequence[str], before: Sequence[str]) -> list[int | None]:
        """How many lines there are, then place and text of each that is not as before."""
        pairs = enumerate(zip_longest(lines, before[: len(lines)]))
        changed = ((place, self.text(line)) for place, (line, old) in pairs if line != old)
        return [len(lines), *chain.from_iterable(changed)]


def with_signs(text: str) -> str:
    """A value or a window with the signs of mathematics."""
    return text.replace("inf", "∞").replace("-", "−")


def pieces(position: str) -> list[str]:
    """A position's text in pieces, of which a move leaves most as they are: rows, and eights of what has no rows.

    >>> pieces("XX./OO./..."), pieces("....XO..OX.... X")
    (['XX./', 'OO./', '...'], ['....XO..', 'OX.... X'])
    """
    return re.findall("[^/]{0,8}/|[^/]{1,8}", position)


def result_text(end: dict[str, Any]) -> str:
    """The value and the best move, as far as the search found them."""
    value = "unknown" if end["value"] is None else BOUND_WORDS[end["bound"]] + with_signs(end["shown"])
    best = "" if end["best"] is None else f", the best move {end['best']}"
    return f"the value is {value}{best}"
