"""A question about a search, and how its answer is read."""

import math
import re
from dataclasses import dataclass
from fractions import Fraction

from gamesearch.trace.standing import Number

__all__ = ["Question", "numbers", "parted"]

NAMED = 4
"""How many moves are named to somebody who answered with none."""
CLOSE = 0.006
"""Two decimals are enough of an answer."""
CHOICES = {
    "choice": "move of this node: answer with one",
    "leaf": "leaf of this tree: answer with the number of one",
}
"""What is to be chosen, by the kind of a question."""
YES_OR_NO = ("yes", "y", "no", "n")
NUMBER = re.compile(r"-?(inf|[0-9]+/0*[1-9][0-9]*|([0-9]+\.?[0-9]*|\.[0-9]+)(e-?[0-9]{1,3})?)(in[0-9]+)?")
"""A number without what does not matter about it, maybe with the plies to a win, as in 1in5."""


@dataclass(frozen=True)
class Question:
    """A question, and its answer."""

    kind: str
    """`value`, `window`, `searched` or `cut`: whether a child is searched, where it is and where it is not; of
    growing trees, `choice`, the move that is followed, `average`, a node's after a playout, `leaf`, the one that is
    expanded, `numbers`, for proof and disproof, or `cost`, of a proof on a graph."""
    before: int
    """The event after which it is asked."""
    text: str
    answer: str
    reason: str
    numbers: tuple[float, ...] = ()
    """The numbers that the answer is, where it is numbers."""
    moves: tuple[str, ...] = ()
    """The moves that may be the answer, where a move is asked for; the numbers of the leaves, where a leaf is."""

    def misread(self, given: str) -> str:
        """A sentence that says what kind of answer is asked for, where another kind is given; else empty."""
        text, count = given.strip(), len(self.numbers)
        if self.kind in ("searched", "cut"):
            return "" if text.lower() in YES_OR_NO else f"{text!r} is neither yes nor no: answer y or n"
        if self.kind in CHOICES:
            wanted = f"{CHOICES[self.kind]}, such as {', '.join(self.moves[:NAMED])}"
            return "" if text in self.moves else f"{text!r} is no {wanted}"
        parts = parted(text, count)
        if len(parts) == count and all(NUMBER.fullmatch(plain(part)) for part in parts):
            return ""
        if self.kind == "window":
            return f"{text!r} is no window: answer with both of its ends, such as [3, +inf]"
        if count > 1:
            return f"{text!r} is no value: answer with {count} numbers, such as ({', '.join('123456789'[:count])})"
        return f"{text!r} is no value: answer with a number, such as 3, -1 or 7/2"

    def accepts(self, given: str) -> bool:
        """Whether an answer is right."""
        if self.kind in ("searched", "cut"):
            return given.strip().lower() in (self.answer, self.answer[:1])
        if self.kind in CHOICES:
            return given.strip() == self.answer
        parts, wanted = ([plain(part) for part in parted(text, len(self.numbers))] for text in (given, self.answer))
        if len(wanted) != len(parts):  # a trace may show values in its own way
            wanted = [""] * len(parts)
        return len(parts) == len(self.numbers) and all(
            part == text or is_close(part, number)
            for part, text, number in zip(parts, wanted, self.numbers, strict=True)
        )


def numbers(value: Number) -> tuple[float, ...]:
    """A value as numbers: one, or one for each player; or a proof number and a disproof number."""
    if isinstance(value, list):
        return tuple(math.inf if each is None else float(each) for each in value)
    return () if value is None else (float(value),)


def parted(text: str, count: int) -> list[str]:
    """The numbers of an answer: between commas or, where there should be several, between blanks."""
    inside = text.strip().strip("[]()")
    if "," in inside:
        return inside.split(",")
    return inside.split() if count > 1 else [inside]


def plain(text: str) -> str:
    """A number without what does not matter about it."""
    text = text.lower().replace("−", "-").replace("∞", "inf")
    for idle in ("at least", "at most", "<=", ">=", "≤", "≥", "=", "+", " "):
        text = text.replace(idle, "")
    return text


def is_close(text: str, number: float) -> bool:
    """Whether a text is a number, as far as two decimals tell."""
    try:
        given = float(text) if "inf" in text else float(Fraction(text))
    except (ValueError, ZeroDivisionError, OverflowError):
        return False
    return given == number or abs(given - number) <= CLOSE
