"""Reads and writes the trees that users type, and their JSON form."""

import functools
import math
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import read_text
from gamesearch.game import CHANCE, MAX, MIN

__all__ = ["MOST_PLAYERS", "Node", "exact_number", "number_text", "probability_text", "read_file", "read_source"]

LARGEST_FILE = 10_000_000
"""The largest tree file that gamesearch reads, in bytes."""

DEEPEST = 100
MOST_NODES = 20_000
MOST_PLAYERS = 8
GREATEST = 1e12
DECIMAL = r"(?:[0-9]{1,30}\.?[0-9]{0,30}|\.[0-9]{1,30})(?:e[-+]?[0-9]{1,3})?"
NUMBER = re.compile(rf"[-+]?(?:[0-9]{{1,30}}/[0-9]{{1,30}}|{DECIMAL})", re.IGNORECASE)
MARK = re.compile("max|min|p[1-8]", re.IGNORECASE)
UNKNOWN = "?"
"""The mark of a leaf with an unknown payoff."""
FILE = re.compile(r"[^][(){}]+\.[a-z]\w*", re.IGNORECASE)
"""Matches a text that looks like a file name rather than a tree."""
JSON_OBJECT = re.compile(r'"(max|min|p[1-8]|chance|payoff)"\s*:\s*\[', re.IGNORECASE)
PLAYERS = {"chance": CHANCE, "max": MAX, "min": MIN} | {f"p{i + 1}": i for i in range(MOST_PLAYERS)}

Item = TypeVar("Item")


@dataclass
class Node:
    """A node of the typed tree."""

    children: list["Node"] = field(default_factory=list)
    payoff: tuple[float, ...] = ()
    """The payoff of a leaf: one number for Max, or a number for each player. Empty if the node is not a leaf, or is a
    leaf with the unknown payoff `?`."""
    probabilities: tuple[float, ...] = ()
    mark: str = ""
    """`chance` for a chance node. For other nodes, the player's name, or empty if the text does not name the player."""
    estimate: tuple[float, ...] = ()
    """The estimate if a search stops here: one number for Max, or one number for each player. It is empty if the text
    has none."""

    @property
    def is_unknown(self) -> bool:
        """Whether this is a leaf with an unknown payoff."""
        return not self.children and not self.payoff

    @property
    def player(self) -> int | None:
        """CHANCE for a chance node; otherwise the player whom the text names, or None."""
        return PLAYERS[self.mark] if self.mark else None

    def text(self) -> str:
        """The notation of the node and the tree below it."""
        if self.is_unknown:
            return UNKNOWN
        if not self.children:
            return payoff_text(self.payoff)
        inside = [child.text() for child in self.children]
        if self.mark == "chance":
            # In a chance node, the first number before a colon is a probability. So if a child has an estimate, a
            # probability is written before the child, even if all probabilities are equal.
            if len(set(self.probabilities)) > 1 or any(child.estimate for child in self.children):
                inside = [f"{probability_text(p)}: {t}" for p, t in zip(self.probabilities, inside, strict=True)]
            whole = "{" + ", ".join(inside) + "}"
        else:
            whole = f"{self.mark}[" + ",".join(inside) + "]"
        return f"{payoff_text(self.estimate)}:{whole}" if self.estimate else whole


def payoff_text(payoff: tuple[float, ...]) -> str:
    """The text of a payoff: one number for Max, or the numbers of all players in parentheses."""
    numbers = ",".join(map(number_text, payoff))
    return numbers if len(payoff) == 1 else f"({numbers})"


def probability_text(p: float) -> str:
    """Write a probability as text. If a fraction with a small denominator equals `p` exactly, write this fraction.
    Otherwise, write a decimal number. Reading the text gives exactly the same number.

    >>> probability_text(0.5), probability_text(1 / 3), probability_text(0.123)
    ('1/2', '1/3', '0.123')
    """
    fraction = Fraction(p).limit_denominator(64)
    return str(fraction) if float(fraction) == p else number_text(p)


def number_text(x: float) -> str:
    """The shortest text that gives exactly this number when it is read."""
    if x.is_integer():
        return str(int(x))
    fraction = Fraction(x).limit_denominator(1000)
    return repr(x) if len(repr(x)) <= 6 or float(fraction) != x else str(fraction)


@functools.cache
def exact_number(x: float) -> Fraction:
    """Restore a fraction that the user typed, such as 1/3, from the nearest float."""
    return Fraction(number_text(x))


class Reader:
    """A recursive-descent parser for the notation of a tree and for its JSON form."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\N{MINUS SIGN}", "-")
        self.at = 0
        self.nodes = 0

    def error(self, message: str) -> GamesearchError:
        line, column = self.text.count("\n", 0, self.at) + 1, self.at - self.text.rfind("\n", 0, self.at)
        place = f"column {column}" + (f" of line {line}" if "\n" in self.text else "")
        return GamesearchError(f"the tree cannot be read at {place}: {message}")

    def next(self) -> str:
        """The next character that is not blank; empty at the end of the text. The character is not consumed."""
        while self.text[self.at : self.at + 1].isspace():
            self.at += 1
        return self.text[self.at : self.at + 1]

    def take(self, symbol: str) -> bool:
        found = self.next() == symbol
        self.at += found
        return found

    def expect(self, symbol: str) -> None:
        if not self.take(symbol):
            raise self.error(f"{symbol} is missing" + (f" before {self.next()}" if self.next() else ""))

    def items(self, read: Callable[[], Item], end: str) -> list[Item]:
        """Read items up to the closing bracket. Commas separate the items, and `read` reads one item."""
        found = [read()]
        while self.take(","):
            found.append(read())
        self.expect(end)
        return found

    def number(self) -> float:
        self.next()
        match = NUMBER.match(self.text, self.at)
        if match is None:
            raise self.error("write a number here, or one of [ { ( max[")
        try:
            value = float(Fraction(match[0]))
        except (ZeroDivisionError, OverflowError):
            value = math.inf
        if abs(value) > GREATEST:
            raise self.error(f"{match[0]} is not a number up to {GREATEST:g}")
        self.at = match.end()
        return value

    def whole(self) -> Node:
        root = self.tree(0)
        if self.next():
            raise self.error(f"the tree is complete, but {self.next()} follows")
        return root

    def tree(self, depth: int) -> Node:
        self.nodes += 1
        if depth > DEEPEST or self.nodes > MOST_NODES:
            raise self.error(f"too large; a tree has up to {DEEPEST} levels and {MOST_NODES} nodes")

        def below() -> Node:
            return self.tree(depth + 1)

        if self.take("["):
            return Node(self.items(below, "]"))
        if self.take(UNKNOWN):
            return Node()
        if self.take("("):
            return self.read_estimate(tuple(self.items(self.number, ")")), depth)
        if self.take("{"):
            if self.next() == '"':
                return self.object(below)
            return self.chance(self.items(lambda: self.branch(below), "}"))
        if mark := MARK.match(self.text, self.at):
            self.at = mark.end()
            self.expect("[")
            return Node(self.items(below, "]"), mark=mark[0].lower())
        return self.read_estimate((self.number(),), depth)

    def read_estimate(self, payoff: tuple[float, ...], depth: int) -> Node:
        """Finish reading a node whose payoff has just been read. If a colon follows, the payoff is the estimate of the
        node after the colon; otherwise, the node is a leaf with this payoff."""
        if not self.take(":"):
            return Node(payoff=payoff)
        node = self.tree(depth)
        if not node.children or node.estimate:
            raise self.error("an estimate must be followed by a colon and a node with branches, such as 3:[4,5]")
        node.estimate = payoff
        return node

    def branch(self, below: Callable[[], Node]) -> tuple[float | None, Node]:
        """Read a branch of a chance node. Returns the probability (None if the text gives none) and the child."""
        self.next()
        probability = NUMBER.match(self.text, self.at)
        if probability is None or not self.text[probability.end() :].lstrip().startswith(":"):
            child = below()
            if self.next() == ":":
                raise self.error("write a probability (a number) before the colon")
            return None, child
        found = self.number()
        self.expect(":")
        return found, below()

    def pair(self, below: Callable[[], Node]) -> tuple[float | None, Node]:
        """Read the JSON form of a branch of a chance node: [probability, tree]."""
        self.expect("[")
        probability = self.number()
        self.expect(",")
        child = below()
        self.expect("]")
        return probability, child

    def chance(self, branches: list[tuple[float | None, Node]]) -> Node:
        given = [probability for probability, _ in branches if probability is not None]
        given = given or [1 / len(branches)] * len(branches)
        if len(given) < len(branches):
            raise self.error("a chance node needs a probability at every branch, or at no branch")
        if min(given) <= 0:
            raise self.error(f"a probability must be above 0, but {min(given):g} is not")
        if abs(math.fsum(given) - 1) > 1e-9:
            raise self.error(f"the probabilities of a chance node must sum to 1, not to {math.fsum(given):g}")
        return Node([child for _, child in branches], probabilities=tuple(given), mark="chance")

    def object(self, below: Callable[[], Node]) -> Node:
        """Read the JSON form of a node: {"max": [...]}, {"chance": [[probability, tree], ...]} or {"payoff": [...]}."""
        match = JSON_OBJECT.match(self.text, self.at)
        if match is None:
            raise self.error('write "max", "min", "p1", "chance" or "payoff" here, followed by a colon and a list')
        self.at = match.end()
        if match[1].lower() == "payoff":
            node = Node(payoff=tuple(self.items(self.number, "]")))
        elif match[1].lower() == "chance":
            node = self.chance(self.items(lambda: self.pair(below), "]"))
        else:
            node = Node(self.items(below, "]"), mark=match[1].lower())
        self.expect("}")
        return node


def read_source(text: str) -> Node:
    """Read the tree in a text, or in the file that the text names."""
    is_file = FILE.fullmatch(text.strip()) is not None and NUMBER.fullmatch(text.strip()) is None
    with suppress(OSError, ValueError):  # most texts of trees are not valid file names
        is_file = is_file or Path(text).is_file()
    return read_file(text) if is_file else Reader(text).whole()


def read_file(name: str) -> Node:
    """Read the tree in a file."""
    return Reader(read_text(name.strip(), "a tree", LARGEST_FILE, note=None)).whole()
