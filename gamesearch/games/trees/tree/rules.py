"""A game tree that the user types, such as one from a lecture."""

import math
import re
from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.games.trees.tree.text import (
    MOST_PLAYERS,
    exact_number,
    number_text,
    payoff_text,
    probability_text,
    read_file,
    read_source,
)
from gamesearch.optional import UserTree
from gamesearch.toolkit.bits import replace_item
from gamesearch.toolkit.boards import Board
from gamesearch.toolkit.known import Known

__all__ = ["Tree"]

LETTERS = "abcdefghijklmnopqrstuvwxyz"
TWO_PLY = "[[3,12,8],[2,4,6],[14,5,2]]"
PATH = re.compile(r"[a-z](\s*\.\s*([a-z]|[0-9]+))*", re.IGNORECASE)
MARKED = "A value with a question mark may depend on an unknown leaf"
DRAWN_CHILDREN = 30
DRAWN_TEXT = 100


class Position(NamedTuple):
    """A position is the number of a node. Nodes are numbered level by level from the root, which has number 0."""

    node: int


class Tree(UserTree[Position]):
    """A tree that you type: [[3,12,8],[2,4,6],[14,5,2]]; Max is at the root, and the players take turns.

    `[...]` is a decision. `max[...]`, `min[...]` or `p1[...]` also names the player of the decision. `{1/2: 3, 1/2:
    [1,2]}` is a chance node. All branches are equally likely if the text contains no probabilities. A number is Max's
    payoff. `(3,1)` contains the payoffs of two players, and `(1,2,6)` contains the payoffs of three players. `?` is a
    leaf whose payoff is not known. The board shows whether the value of the tree depends on this leaf. `7:[3,12]` is a
    node with the estimate 7, which is used if the search stops at this node. The position or the parameter `file` can
    also be the name of a file with such a tree. The tree can also be JSON. In JSON, a chance node is `{"chance": [[0.5,
    3], [0.5, [1, 2]]]}`, and a leaf for three players is `{"payoff": [1, 2, 6]}`.
    """

    name = "tree"
    notation = (
        "`root`, or the moves from the root (a.b), or a whole tree ([[3,12,8],[2,4,6]], {1/2: 3, 1/2: [1,2]}), or "
        "the name of a file that contains a tree. A move is the letter of a branch: a, b, c, ... from the left"
    )
    example = "a.b"
    known = (
        Known("Russell & Norvig, figure 5.2", value=3, best=("a",), perft=(3, 9), nodes=13, leaves=9, positions=13),
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
        self.has_unknown = any(node.is_unknown for node in self._nodes)
        if not any(node.payoff for node in self._nodes):
            raise GamesearchError("all leaves of the tree are unknown: write a number for at least one leaf")
        self.MINSCORE, self.MAXSCORE = min(map(min, given)), max(map(max, given))
        middle = ((self.MINSCORE + self.MAXSCORE) / 2,) * self.payoff_count
        payoffs = np.array([self._row(node.payoff) or middle for node in self._nodes])
        estimates = np.array([self._row(node.estimate) or middle for node in self._nodes])
        if self.payoff_count == 1:
            self.payoffs, self.estimates = payoffs[:, 0], estimates[:, 0]
        else:
            self.payoffs, self.estimates = payoffs, estimates
            self.middle = middle
            # A compiled method cannot return a number for some trees and a tuple for others, so trees with tuples of
            # payoffs have their own class.
            self.__class__ = TreeForMany

    def _row(self, payoff: tuple[float, ...]) -> tuple[float, ...]:
        """Convert a typed payoff to a payoff of the game: one number for Max, or one number for each player."""
        return payoff[: self.payoff_count]

    def _set_players(self) -> None:
        """Count the players. If the sum of the two payoffs is the same at every leaf, the players are Max
        and Min."""
        lengths = {len(each) for node in self._nodes for each in (node.payoff, node.estimate) if each}
        self.players = max(2, *lengths, 0)
        if len(lengths) > 1 or self.players > MOST_PLAYERS:
            raise GamesearchError(
                f"each leaf of a tree must have one number, which is Max's payoff, or 2 to {MOST_PLAYERS} numbers, "
                "one for each player"
            )
        if any(node.player is not None and node.player >= self.players for node in self._nodes):
            raise GamesearchError(
                f"the tree has {self.players} players, but a node names a player with a greater number"
            )
        sums = {round(sum(node.payoff), 9) for node in self._nodes if node.payoff}
        self.zero_sum = lengths != {2} or len(sums) <= 1
        if self.payoff_count > 1:
            self.names = tuple(f"P{i + 1}" for i in range(self.players))

    def _sides(self) -> list[int]:
        """The player to move at each node. After a decision, it is the next player's turn, unless the text names a
        player."""
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

    def given_estimate(self, s: Position) -> str:
        estimate = self._nodes[s.node].estimate
        return payoff_text(estimate) if estimate else ""

    def is_determined(self, s: Position, searched: Game[Position] | None = None) -> bool:
        if not self.has_unknown:
            return True
        if self.payoff_count > 1 or searched not in (None, self):
            return not any(self._nodes[node].is_unknown for node in self._below(s.node))
        low, high = self._limits(s.node)
        return low == high

    def certain_moves(self, s: Position) -> list[int]:
        if not self.has_unknown or self.payoff_count > 1 or not self.is_determined(s):
            return list(self.moves(s))
        worst = 0 if self.sides[s.node] == MAX else 1  # the worst value of a move for the player to move
        value = self._limits(s.node)[worst]
        return [m for m, child in enumerate(self._children(s.node)) if self._limits(child)[worst] == value]

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
            text, chance = child.text(), probability_text(node.probabilities[m]) + ": " if node.probabilities else ""
            shown = text if len(text) <= DRAWN_TEXT else text[: DRAWN_TEXT - 3] + "..."
            notes.append(f"{self.move_name(s, m):>3}  {chance}{shown}")
        hidden = len(node.children) - DRAWN_CHILDREN
        notes += [f"... and {hidden} more"] if hidden > 0 else []
        return Board(notes=[*notes, *self._words_on_unknown(s.node)])

    # Unknown leaves. -----------------------------------------------------------------------------
    def _limits(self, node: int) -> tuple[Fraction | float, Fraction | float]:
        """The least and the greatest possible value of a node in a game for two players. They differ if the value
        depends on unknown leaves. They are fractions or infinite, because floats would round thirds."""
        if self._nodes[node].is_unknown:
            return -math.inf, math.inf
        if not self.counts[node]:
            return (exact_number(float(self.payoffs[node])),) * 2
        below = [self._limits(child) for child in self._children(node)]
        if self.sides[node] == CHANCE:
            shares = [exact_number(float(self.probabilities[child])) for child in self._children(node)]
            low, high = (sum(p * each[i] for p, each in zip(shares, below, strict=True)) for i in (0, 1))
            return low, high
        best = max if self.sides[node] == MAX else min
        return best(low for low, _ in below), best(high for _, high in below)

    def _children(self, node: int) -> range:
        return range(int(self.first[node]), int(self.first[node] + self.counts[node]))

    def _needed_leaves(
        self, node: int, alpha: Fraction | float = -math.inf, beta: Fraction | float = math.inf
    ) -> Iterator[int]:
        """Yield each unknown leaf below a node if the leaf's payoff can change the root's value. A change of the node's
        value matters only between `alpha` and `beta`."""
        if alpha >= beta:
            return
        if self._nodes[node].is_unknown:
            yield node
        limits = {child: self._limits(child) for child in self._children(node)}
        for child in limits:
            others = [limits[each] for each in limits if each != child]
            if self.sides[node] == CHANCE:
                shares = {each: exact_number(float(self.probabilities[each])) for each in limits}
                share = shares.pop(child)
                low, high = (sum(p * limits[each][i] for each, p in shares.items()) for i in (0, 1))
                yield from self._needed_leaves(child, (alpha - high) / share, (beta - low) / share)
            elif self.sides[node] == MAX:
                yield from self._needed_leaves(child, max([alpha, *(low for low, _ in others)]), beta)
            else:
                yield from self._needed_leaves(child, alpha, min([beta, *(high for _, high in others)]))

    def _words_on_unknown(self, node: int) -> list[str]:
        """Return lines of text that say whether the value of a node depends on unknown leaves below the node. The list
        is empty if no leaf is unknown."""
        unknown = [each for each in self._below(node) if self._nodes[each].is_unknown] if self.has_unknown else []
        if not unknown:
            return []
        if self.payoff_count > 1:
            return [f"a search assumes {number_text(self.middle[0])} for each player at the leaves marked ?. {MARKED}"]
        low, high = map(float, self._limits(node))
        if low == high:
            return [
                f"the {'leaf' if len(unknown) == 1 else 'leaves'} marked ? "
                f"{'does' if len(unknown) == 1 else 'do'} not matter: the value is always {number_text(low)}. {MARKED}"
            ]
        needed = set(self._needed_leaves(node))
        names = [
            ", ".join(self.format(Position(each)) for each in unknown if (each in needed) == wanted)
            for wanted in (True, False)
        ]
        ends = (("at least", low), ("at most", high))
        known = " and ".join(f"{words} {number_text(end)}" for words, end in ends if math.isfinite(end))
        span = f"is {known}" if known else "can be any number"
        rest = f", but not on {names[1]}" if names[1] else ""
        count = number_text((self.MINSCORE + self.MAXSCORE) / 2)
        leaves = "unknown leaf" if len(needed) == 1 else "unknown leaves"
        return [
            f"the value depends on the {leaves} {names[0]}{rest}. The value {span}. A search assumes {count} for each "
            f"unknown leaf. {MARKED}"
        ]

    def _below(self, node: int) -> Iterator[int]:
        yield node
        for child in self._children(node):
            yield from self._below(child)


class TreeForMany(Tree):
    """A tree for more than two players, or for two players whose payoffs have different sums at different leaves."""

    def utility(self, s: Position) -> Any:
        payoff = self.middle
        for i in range(self.players):
            payoff = replace_item(payoff, i, float(self.payoffs[s.node, i]))
        return payoff

    def evaluate(self, s: Position) -> Any:
        estimate = self.middle
        for i in range(self.players):
            estimate = replace_item(estimate, i, float(self.estimates[s.node, i]))
        return estimate
