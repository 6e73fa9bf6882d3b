"""A game tree typed in by hand, as lectures draw them."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from gamesearch.bits import replaced
from gamesearch.boards import Board
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.games.tree.notation import MOST_PLAYERS, number_text, read_file, read_source
from gamesearch.known import Known

__all__ = ["Tree"]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
TWO_PLY = "[[3,12,8],[2,4,6],[14,5,2]]"
PATH = re.compile(r"[a-z](\s*\.\s*([a-z]|[0-9]+))*", re.IGNORECASE)
DRAWN_CHILDREN = 30
DRAWN_TEXT = 100


class Position(NamedTuple):
    """The number of a node; nodes are numbered level by level, the root 0."""

    node: int


class Tree(Game[Position]):
    """A tree typed in by hand: [[3,12,8],[2,4,6],[14,5,2]], Max at the root and the sides in turn.

    `[...]` is a decision, `max[...]`, `min[...]` or `p1[...]` one that names its player, and
    `{1/2: 3, 1/2: [1,2]}` a chance node (without probabilities all branches are equally likely).
    A number is what Max gets; `(1,2,6)` is what each of three players gets. A file in the same
    notation is given by `file` or by its name. JSON is read, too: there a chance node is
    `{"chance": [[0.5, 3], [0.5, [1, 2]]]}`, and a leaf for three players `{"payoff": [1, 2, 6]}`.
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
        for i, node in enumerate(nodes):  # which grows meanwhile
            first.append(len(nodes))
            nodes += node.children
            self._parents += [i] * len(node.children)
        self._nodes = nodes
        self.players = self._count_players()
        self.chance = any(node.player == CHANCE for node in nodes)
        if self.players > 2:
            self.names = tuple(f"P{i + 1}" for i in range(self.players))
        self.first = np.array(first)
        self.counts = np.array([len(node.children) for node in nodes])
        self.sides = np.array(self._sides())
        self.probabilities = np.ones(len(nodes))
        for i, node in enumerate(nodes):
            if node.player == CHANCE:
                self.probabilities[first[i] : first[i] + len(node.children)] = node.probabilities
        self._set_payoffs()

    def _set_payoffs(self) -> None:
        leaves = [node.payoff for node in self._nodes if node.payoff]
        self.MINSCORE, self.MAXSCORE = min(map(min, leaves)), max(map(max, leaves))
        middle = (self.MINSCORE + self.MAXSCORE) / 2
        if self.players == 2:
            self.payoffs = np.array([sum(node.payoff) for node in self._nodes], np.float64)
            self.middle: Any = middle
        else:
            self.payoffs = np.array([node.payoff or (0.0,) * self.players for node in self._nodes])
            self.middle = (middle,) * self.players
            # Compiled, one method cannot give a number here and a tuple there.
            self.__class__ = TreeForMany

    def _count_players(self) -> int:
        lengths = {len(node.payoff) for node in self._nodes if node.payoff}
        players = 2 if lengths == {1} else max(lengths)
        if len(lengths) > 1 or lengths == {2} or players > MOST_PLAYERS:
            raise GamesearchError(
                f"the leaves of a tree have one number each, what Max gets, or 3 to {MOST_PLAYERS} numbers "
                "each, what each player gets"
            )
        if any(node.player is not None and node.player >= players for node in self._nodes):
            raise GamesearchError(f"a node of the tree belongs to a player beyond the {players} there are")
        return players

    def _sides(self) -> list[int]:
        """Whose turn it is at each node: after a decision the next player's, unless one is named."""
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
        return self.middle

    def key(self, s: Position) -> int:
        return s.node

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        s = self.initial()
        for name in [] if text.strip().casefold() in ("", "root") else text.split("."):
            try:
                s = self.result(s, self.parse_move(s, name))
            except GamesearchError:
                raise GamesearchError(f"{text!r} is no path of moves from the root, such as a.b") from None
        return s

    def setup(self, text: str) -> tuple[Game[Any], Position]:
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
        return Board(notes=notes if hidden <= 0 else [*notes, f"... and {hidden} more"])


class TreeForMany(Tree):
    """A tree for more than two players."""

    def utility(self, s: Position) -> Any:
        payoff = self.middle
        for i in range(self.players):
            payoff = replaced(payoff, i, float(self.payoffs[s.node, i]))
        return payoff
