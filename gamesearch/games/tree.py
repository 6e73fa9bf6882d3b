"""A game tree that the user types, such as one from a lecture, and the notation for it."""

import math
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import read_text
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.toolkit.bits import replaced
from gamesearch.toolkit.boards import Board
from gamesearch.toolkit.known import Known

__all__ = ["MOST_PLAYERS", "Node", "Tree", "number_text", "read_file"]

LARGEST_FILE = 10_000_000
"""The greatest size of a file with a tree, in bytes."""

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
"""Matches a text that looks like the name of a file and not like a tree."""
JSON_OBJECT = re.compile(r'"(max|min|p[1-8]|chance|payoff)"\s*:\s*\[', re.IGNORECASE)
PLAYERS = {"chance": CHANCE, "max": MAX, "min": MIN} | {f"p{i + 1}": i for i in range(MOST_PLAYERS)}

Item = TypeVar("Item")


@dataclass
class Node:
    """A node of the typed tree."""

    children: list["Node"] = field(default_factory=list)
    payoff: tuple[float, ...] = ()
    """The payoff of a leaf: a number for Max, or one for each player; empty for a leaf `?` and for other nodes."""
    probabilities: tuple[float, ...] = ()
    mark: str = ""
    """`chance`, the name of the player, or empty."""
    estimate: tuple[float, ...] = ()
    """The estimate that a search uses if it stops at the node: for Max, or for each player; empty if there is none."""

    @property
    def is_unknown(self) -> bool:
        """Whether this is a leaf with an unknown payoff."""
        return not self.children and not self.payoff

    @property
    def player(self) -> int | None:
        """CHANCE for a chance node, the player whom the text names, or None."""
        return PLAYERS[self.mark] if self.mark else None

    def text(self) -> str:
        """The notation of the node and the tree below it."""
        if self.is_unknown:
            return UNKNOWN
        if not self.children:
            return payoff_text(self.payoff)
        inside = [child.text() for child in self.children]
        if self.mark == "chance":
            # In a chance node, a number before a colon is a probability, unless the branch already has a probability.
            if len(set(self.probabilities)) > 1 or any(child.estimate for child in self.children):
                inside = [f"{number_text(p)}: {t}" for p, t in zip(self.probabilities, inside, strict=True)]
            whole = "{" + ", ".join(inside) + "}"
        else:
            whole = f"{self.mark}[" + ",".join(inside) + "]"
        return f"{payoff_text(self.estimate)}:{whole}" if self.estimate else whole


def payoff_text(payoff: tuple[float, ...]) -> str:
    """The text of a payoff: one number for Max, or the numbers of all players in parentheses."""
    numbers = ",".join(map(number_text, payoff))
    return numbers if len(payoff) == 1 else f"({numbers})"


def number_text(x: float) -> str:
    """The shortest text of a number that is read as exactly this number."""
    if x.is_integer():
        return str(int(x))
    fraction = Fraction(x).limit_denominator(1000)
    return repr(x) if len(repr(x)) <= 6 or float(fraction) != x else str(fraction)


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
        """The next character that is not blank, without reading it; empty at the end."""
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
        """Read items with `read`, separated by commas, up to the closing bracket."""
        found = [read()]
        while self.take(","):
            found.append(read())
        self.expect(end)
        return found

    def number(self) -> float:
        self.next()
        match = NUMBER.match(self.text, self.at)
        if match is None:
            raise self.error("a number, [, {, ( or max[ belongs here")
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
            raise self.error(f"the tree has ended, and {self.next()} follows")
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
        """A leaf with this payoff; or, if a colon follows, the node after it with this payoff as its estimate."""
        if not self.take(":"):
            return Node(payoff=payoff)
        node = self.tree(depth)
        if not node.children or node.estimate:
            raise self.error("an estimate belongs before a node with branches")
        node.estimate = payoff
        return node

    def branch(self, below: Callable[[], Node]) -> tuple[float | None, Node]:
        """Read a branch of a chance node; returns its probability, or None if it has none, and its node."""
        self.next()
        probability = NUMBER.match(self.text, self.at)
        if probability is None or not self.text[probability.end() :].lstrip().startswith(":"):
            child = below()
            if self.next() == ":":
                raise self.error("a probability belongs before the colon")
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
            raise self.error("either all branches of a chance node have a probability or none")
        if min(given) <= 0:
            raise self.error(f"a probability is above 0, and {min(given):g} is not")
        if abs(math.fsum(given) - 1) > 1e-9:
            raise self.error(f"probabilities sum to 1, not to {math.fsum(given):g}")
        return Node([child for _, child in branches], probabilities=tuple(given), mark="chance")

    def object(self, below: Callable[[], Node]) -> Node:
        """Read the JSON form of a node: {"max": [...]}, {"chance": [[probability, tree], ...]} or {"payoff": [...]}."""
        match = JSON_OBJECT.match(self.text, self.at)
        if match is None:
            raise self.error('"max": [, "min": [, "p1": [, "chance": [ or "payoff": [ belongs here')
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


LETTERS = "abcdefghijklmnopqrstuvwxyz"
TWO_PLY = "[[3,12,8],[2,4,6],[14,5,2]]"
PATH = re.compile(r"[a-z](\s*\.\s*([a-z]|[0-9]+))*", re.IGNORECASE)
DRAWN_CHILDREN = 30
DRAWN_TEXT = 100


class Position(NamedTuple):
    """A position is the number of a node. Nodes are numbered level by level from the root, which has number 0."""

    node: int


class Tree(Game[Position]):
    """A tree that you type: [[3,12,8],[2,4,6],[14,5,2]]; Max is at the root, and the players take turns.

    `[...]` is a decision; `max[...]`, `min[...]` or `p1[...]` names its player. `{1/2: 3, 1/2: [1,2]}` is a chance
    node; without probabilities all branches are equally likely. A number is Max's payoff; `(3,1)` is a payoff for each
    of two players, `(1,2,6)` for each of three. `?` is a leaf whose payoff is not known: the board shows whether it is
    needed. `7:[3,12]` is a node with the estimate 7, which is used if the search stops at this node. The name of a file
    with such a tree is also accepted, as the position or as `file`. The tree can also be JSON: a chance node is then
    `{"chance": [[0.5, 3], [0.5, [1, 2]]]}`, and a leaf for three players is `{"payoff": [1, 2, 6]}`.
    """

    name = "tree"
    notation = (
        "the moves from the root (a.b; root), or a whole tree ([[3,12,8],[2,4,6]], {1/2: 3, 1/2: [1,2]}), "
        "or the name of a file with one; moves are the branches a, b, c, ... from the left"
    )
    example = "a.b"
    known = (
        Known("Russell & Norvig, figure 5.2", value=3, best=("a",), perft=(3, 9), nodes=13, leaves=9),
        Known("by hand", position="{1/2: 8, 1/3: 24, 1/6: -12}", value=10, method="expectiminimax"),
        Known("by hand", position="{1/2: 1, 1/3: 0, 1/6: 1/2}", value=7 / 12, method="expectiminimax"),
    )
    win_or_loss = False
    worth_compiling = False

    def __init__(self, text: str = TWO_PLY, file: str = "") -> None:
        nodes = [read_file(file) if file else read_source(str(text))]
        self.text = nodes[0].text()
        first, self._parents = [], [0]
        for i, node in enumerate(nodes):  # `nodes` grows during the loop
            first.append(len(nodes))
            nodes += node.children
            self._parents += [i] * len(node.children)
        self._nodes = nodes
        self._set_players()
        self.chance = any(node.player == CHANCE for node in nodes)
        self.first = np.array(first)
        self.counts = np.array([len(node.children) for node in nodes])
        self.sides = np.array(self._sides())
        self.probabilities = np.ones(len(nodes))
        for i, node in enumerate(nodes):
            if node.player == CHANCE:
                self.probabilities[first[i] : first[i] + len(node.children)] = node.probabilities
        self._set_payoffs()

    def _set_payoffs(self) -> None:
        given = [row for node in self._nodes if (row := self._row(node.payoff or node.estimate))]
        self._has_unknown = any(node.is_unknown for node in self._nodes)
        if not any(node.payoff for node in self._nodes):
            raise GamesearchError("a tree needs a leaf whose payoff is known")
        self.MINSCORE, self.MAXSCORE = min(map(min, given)), max(map(max, given))
        middle = ((self.MINSCORE + self.MAXSCORE) / 2,) * self.payoff_count
        payoffs = np.array([self._row(node.payoff) or middle for node in self._nodes])
        estimates = np.array([self._row(node.estimate) or middle for node in self._nodes])
        if self.payoff_count == 1:
            self.payoffs, self.estimates = payoffs[:, 0], estimates[:, 0]
        else:
            self.payoffs, self.estimates = payoffs, estimates
            self.middle = middle
            # A compiled method cannot return a number in some cases and a tuple in other cases.
            self.__class__ = TreeForMany

    def _row(self, payoff: tuple[float, ...]) -> tuple[float, ...]:
        """Convert a typed payoff to a payoff of the game: one number for Max, or one for each of several players."""
        return payoff[: self.payoff_count]

    def _set_players(self) -> None:
        """Count the players. If the two payoffs of every leaf have the same sum, the players are Max and Min."""
        lengths = {len(each) for node in self._nodes for each in (node.payoff, node.estimate) if each}
        self.players = max(2, *lengths, 0)
        if len(lengths) > 1 or self.players > MOST_PLAYERS:
            raise GamesearchError(
                f"the leaves of a tree have one number each, what Max gets, or 2 to {MOST_PLAYERS} numbers "
                "each, what each player gets"
            )
        if any(node.player is not None and node.player >= self.players for node in self._nodes):
            raise GamesearchError(f"a node of the tree belongs to a player beyond the {self.players} there are")
        sums = {round(sum(node.payoff), 9) for node in self._nodes if node.payoff}
        self.zero_sum = lengths != {2} or len(sums) <= 1
        if self.payoff_count > 1:
            self.names = tuple(f"P{i + 1}" for i in range(self.players))

    def _sides(self) -> list[int]:
        """The player to move at each node. After a decision it is the next player, unless the text names the player."""
        sides, due = [], [MAX]
        for i, node in enumerate(self._nodes):
            side = due[i] if node.player is None else node.player
            sides.append(side)
            due += [due[i] if side == CHANCE else (side + 1) % self.players] * len(node.children)
        return sides

    def initial(self) -> Position:
        return Position(0)

    def player(self, s: Position) -> int:
        return int(self.sides[s.node])

    def moves(self, s: Position) -> Iterator[int]:
        for child in range(int(self.counts[s.node])):
            yield child

    def outcomes(self, s: Position) -> Iterator[tuple[int, float]]:
        first = int(self.first[s.node])
        for child in range(int(self.counts[s.node])):
            yield child, float(self.probabilities[first + child])

    def result(self, s: Position, m: int) -> Position:
        return Position(int(self.first[s.node]) + m)

    def terminal(self, s: Position) -> bool:
        return int(self.counts[s.node]) == 0

    def utility(self, s: Position) -> Any:
        return float(self.payoffs[s.node])

    def evaluate(self, s: Position) -> Any:
        return float(self.estimates[s.node])

    def is_determined(self, s: Position) -> bool:
        if not self._has_unknown:
            return True
        if self.payoff_count > 1:
            return not any(self._nodes[node].is_unknown for node in self._below(s.node))
        low, high = self._limits(s.node)
        return low == high

    def key(self, s: Position) -> int:
        return s.node

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        s = self.initial()
        for name in [] if text.strip().casefold() in ("", "root") else text.split("."):
            try:
                s = self.result(s, self.parse_move(s, name))
            except GamesearchError:
                raise GamesearchError(f"{text!r} is not a path of moves from the root, such as a.b") from None
        return s

    def setup(self, text: str) -> tuple[Game, Position]:
        try:
            return self, self.parse(text)
        except GamesearchError:
            if PATH.fullmatch(text.strip()):
                raise
        tree = Tree(text)
        return tree, tree.initial()

    def format(self, s: Position) -> str:
        names, node = [], s.node
        while node > 0:
            parent = self._parents[node]
            names.append(self.move_name(Position(parent), node - int(self.first[parent])))
            node = parent
        return ".".join(reversed(names)) or "root"

    def move_name(self, s: Position, m: int) -> str:
        return LETTERS[m] if m < len(LETTERS) else str(m + 1)

    def board(self, s: Position) -> Board:
        node = self._nodes[s.node]
        whose = "chance" if node.player == CHANCE else f"{self.names[self.player(s)]} to move"
        notes = [f"{self.format(s)}: {whose if node.children else node.text()}"]
        for m, child in enumerate(node.children[:DRAWN_CHILDREN]):
            text, chance = child.text(), number_text(node.probabilities[m]) + ": " if node.probabilities else ""
            shown = text if len(text) <= DRAWN_TEXT else text[: DRAWN_TEXT - 3] + "..."
            notes.append(f"{self.move_name(s, m):>3}  {chance}{shown}")
        hidden = len(node.children) - DRAWN_CHILDREN
        notes += [f"... and {hidden} more"] if hidden > 0 else []
        return Board(notes=[*notes, *self._words_on_unknown(s.node)])

    # Unknown leaves. -----------------------------------------------------------------------------
    def _limits(self, node: int) -> tuple[float, float]:
        """The smallest and the greatest value that a node can have, depending on unknown leaves, for two players."""
        if self._nodes[node].is_unknown:
            return -math.inf, math.inf
        if not self.counts[node]:
            return float(self.payoffs[node]), float(self.payoffs[node])
        below = [self._limits(child) for child in self._children(node)]
        if self.sides[node] == CHANCE:
            shares = [float(self.probabilities[child]) for child in self._children(node)]
            low, high = (math.fsum(p * each[i] for p, each in zip(shares, below, strict=True)) for i in (0, 1))
            return low, high
        best = max if self.sides[node] == MAX else min
        return best(low for low, _ in below), best(high for _, high in below)

    def _children(self, node: int) -> range:
        return range(int(self.first[node]), int(self.first[node] + self.counts[node]))

    def _needed_leaves(self, node: int, alpha: float = -math.inf, beta: float = math.inf) -> Iterator[int]:
        """Yield the unknown leaves below a node whose payoffs can affect the node's value.

        A leaf can affect the value if its payoff can be between alpha (what Max gets elsewhere) and beta (what Min
        allows elsewhere), given the most favorable payoffs of all other unknown leaves.
        """
        if self._nodes[node].is_unknown and alpha < beta:
            yield node
        limits = {child: self._limits(child) for child in self._children(node)}
        for child in limits:
            others = [limits[each] for each in limits if each != child]
            if self.sides[node] == CHANCE:
                yield from self._needed_leaves(child)
            elif self.sides[node] == MAX:
                yield from self._needed_leaves(child, max([alpha, *(low for low, _ in others)]), beta)
            else:
                yield from self._needed_leaves(child, alpha, min([beta, *(high for _, high in others)]))

    def _words_on_unknown(self, node: int) -> list[str]:
        """Text that says whether unknown leaves below a node are needed for its value; empty if there are none."""
        unknown = [each for each in self._below(node) if self._nodes[each].is_unknown] if self._has_unknown else []
        if not unknown:
            return []
        if self.payoff_count > 1:
            return [f"? counts as {number_text(self.middle[0])} for each player"]
        low, high = self._limits(node)
        if low == high:
            return [f"? is not needed: the value is {number_text(low)}, whatever it pays"]
        needed = set(self._needed_leaves(node))
        names = [
            ", ".join(self.format(Position(each)) for each in unknown if (each in needed) == wanted)
            for wanted in (True, False)
        ]
        ends = (("at least", low), ("at most", high))
        said = " and ".join(f"{words} {number_text(end)}" for words, end in ends if math.isfinite(end))
        span = f"is {said}" if said else "can be anything"
        rest = f"; not needed: {names[1]}" if names[1] else ""
        count = number_text((self.MINSCORE + self.MAXSCORE) / 2)
        return [f"? is needed at {names[0]}: the value {span}; a search takes it for {count}{rest}"]

    def _below(self, node: int) -> Iterator[int]:
        yield node
        for child in self._children(node):
            yield from self._below(child)


class TreeForMany(Tree):
    """A tree for more than two players, or for two players whose payoffs have different sums at different leaves."""

    def utility(self, s: Position) -> Any:
        payoff = self.middle
        for i in range(self.players):
            payoff = replaced(payoff, i, float(self.payoffs[s.node, i]))
        return payoff

    def evaluate(self, s: Position) -> Any:
        estimate = self.middle
        for i in range(self.players):
            estimate = replaced(estimate, i, float(self.estimates[s.node, i]))
        return estimate
