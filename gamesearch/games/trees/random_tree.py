"""Uniform trees with pseudorandom payoffs, for measuring searches. Nodes are computed, not stored."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, ClassVar, NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.toolkit.boards import Board
from gamesearch.toolkit.known import Known

__all__ = ["RandomTree"]

MASK = (1 << 31) - 1
ORDERINGS = ("random", "best-first", "worst-first")
MOST_LEAVES = 1 << 53
"""Payoffs and node numbers must not exceed this number. Searches use floats, which represent whole numbers exactly only
up to this limit."""
DEEPEST = 1000
MOST_VALUES = 1 << 30


class Position(NamedTuple):
    """A node. The fields are its number, its distance from the leaves in plies, and its value (only in ordered trees).

    The children of node i have the numbers i*b + 1 to i*b + b, where b is the branching factor.
    """

    node: int
    left: int
    value: int


def scramble(x: int) -> int:
    """Map a number of 31 bits to another number of 31 bits. Different numbers give different results.

    Xorshifts and multiplications by odd numbers alternate, as in Murmur's finalizer. Products stay below 2**62, so that
    compiled code gives the same results. Tests measure how uniform and independent the payoffs are.
    """
    x = (x ^ x >> 16) * 0x045D_9F3B & MASK
    x = (x ^ x >> 15) * 0x2C1B_3C6D & MASK
    return x ^ x >> 16


class RandomTree(Game[Position]):
    """A tree with a uniform branching factor and depth, and pseudorandom payoffs.

    If `order=random`, the payoffs of the leaves are independent whole numbers from 0 to `values`. If
    `order=best-first`, the children of every decision are sorted from best to worst. If `order=worst-first`, they are
    sorted from worst to best. The root of a best-first or worst-first tree has the value 0. Alpha-beta visits the
    fewest possible leaves of a best-first tree, and all leaves of a worst-first tree. If `chance` is set, plies
    alternate between Max, chance, Min and chance.
    """

    name = "random_tree"
    choices: ClassVar[Mapping[str, Collection[str]]] = {"order": ORDERINGS}
    notation = (
        "`root`, or the moves from the root (1.3.2). A move is the number of a branch: 1, 2, 3, ... from the left"
    )
    example = "1.3.2"
    known = (
        Known("a node for each sequence of moves", nodes=1093, leaves=729, positions=1093),
        Known("b^d leaves; the value is 0 by construction", "order=best-first", value=0, leaves=729, nodes=1093),
        Known("b^d leaves; the value is 0 by construction", "order=worst-first", value=0, leaves=729),
    )
    win_or_loss = False
    whole_payoffs = True

    def __init__(
        self,
        branching: int = 3,
        depth: int = 6,
        seed: int = 1,
        order: str = "random",
        values: int = 100,
        chance: bool = False,
    ) -> None:
        if order not in ORDERINGS:
            raise GamesearchError(f"order={order} is unknown: it is one of {', '.join(ORDERINGS)}")
        if branching < 1 or not 0 <= depth <= DEEPEST or branching**depth > MOST_LEAVES:
            raise GamesearchError(
                f"branching={branching}, depth={depth} is not possible: a tree must have 1 to 2**53 leaves"
            )
        if not 1 <= values <= MOST_VALUES:
            raise GamesearchError(f"values={values} is not between 1 and {MOST_VALUES}")
        self.branching, self.depth, self.values = int(branching), int(depth), int(values)
        self.chance = bool(chance)
        self.seed, self.ordering, self.ordered = int(seed), order, order != "random"
        self.best = 0 if order == "best-first" else self.branching - 1
        self.salt = scramble(scramble(seed & MASK) ^ (seed >> 31 & MASK))
        self.MINSCORE, self.MAXSCORE = self._range() if self.ordered else (0, self.values)

    def _range(self) -> tuple[int, int]:
        """The range from MINSCORE to MAXSCORE in an ordered tree. A search would stop at a leaf with the best possible
        payoff. So this range is wider than the range of the payoffs, and no leaf has the best possible payoff."""
        low, high = -1, 1
        for left in range(1, self.depth + 1):
            s = Position(0, left, 0)
            low -= self.gap(left) * (self.branching - 1) * (self.player(s) != MIN)
            high += self.gap(left) * (self.branching - 1) * (self.player(s) != MAX)
        return low, high

    def parameters(self) -> dict[str, Any]:
        values = vars(self) | {"order": self.ordering}  # the method `order` has the same name as the parameter
        return {name: values[name] for name in ("branching", "depth", "seed", "order", "values", "chance")}

    def initial(self) -> Position:
        return Position(0, self.depth, 0)

    def player(self, s: Position) -> int:
        ply = self.depth - s.left
        if self.chance:
            if ply % 2 == 1:
                return CHANCE
            ply //= 2
        return MAX if ply % 2 == 0 else MIN

    def moves(self, s: Position) -> Iterator[int]:
        for child in range(self.branching):
            yield child

    def outcomes(self, s: Position) -> Iterator[tuple[int, float]]:
        for child in range(self.branching):
            yield child, 1 / self.branching

    def result(self, s: Position, m: int) -> Position:
        value = s.value
        if self.ordered:
            side = self.player(s)
            if side == CHANCE:  # the children's values are spread evenly around the node's value
                value += (2 * m - (self.branching - 1)) * self.gap(s.left)
            else:
                worse = abs(m - self.best) * self.gap(s.left)
                value += worse if side == MIN else -worse
        return Position(s.node * self.branching + m + 1, s.left - 1, value)

    def gap(self, left: int) -> int:
        """The difference between the values of siblings. The payoffs below different siblings lie in separate ranges.
        So in worst-first trees, every leaf is within the alpha-beta window, and cutoffs never occur."""
        gap = 1
        for _ in range(left - 1):
            gap *= self.branching
        return gap

    def terminal(self, s: Position) -> bool:
        return s.left == 0

    def utility(self, s: Position) -> int:
        if self.ordered:
            return s.value
        bits = scramble(scramble(s.node & MASK ^ self.salt) ^ s.node >> 31)
        return bits * (self.values + 1) >> 31

    def evaluate(self, s: Position) -> int:
        return self.utility(s)

    def key(self, s: Position) -> int:
        return s.node

    def level(self, s: Position) -> int:
        return s.left

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        s = self.initial()
        for name in [] if text.strip().casefold() in ("", "root") else text.split("."):
            name = name.strip()
            if not (name.isdecimal() and len(name) < 20 and 1 <= int(name) <= self.branching and s.left):
                raise GamesearchError(
                    f"{text!r} is not a path of at most {self.depth} moves, each from 1 to {self.branching}"
                )
            s = self.result(s, int(name) - 1)
        return s

    def format(self, s: Position) -> str:
        names, node = [], s.node
        for _ in range(self.depth - s.left):
            node, child = divmod(node - 1, self.branching)
            names.append(str(child + 1))
        return ".".join(reversed(names)) or "root"

    def move_name(self, s: Position, m: int) -> str:
        return str(m + 1)

    def board(self, s: Position) -> Board:
        if self.terminal(s):
            return Board(notes=[f"{self.format(s)}: {self.utility(s)}"])
        side = self.player(s)
        whose = "chance" if side == CHANCE else f"{self.names[side]} to move"
        return Board(notes=[f"{self.format(s)}: {whose}, {s.left} {'ply' if s.left == 1 else 'plies'} to the leaves"])
