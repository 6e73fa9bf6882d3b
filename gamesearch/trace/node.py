"""A node of a searched tree, and what is certain of its value.

What a search returns for a node is not always its value: where something was cut off, it is a bound.
Which it is follows from the window (see the contract of `alphabeta`), and often more follows from the
children: of Russell and Norvig's figure 5.2, node D is searched to its last move and worth exactly 2,
while C is left after its first and only known to be worth at most 2. A trace tells them apart.
"""

import math
from dataclasses import dataclass, field
from typing import Any

from gamesearch.algorithms.parts.reductions import InLeague
from gamesearch.algorithms.parts.result import Value
from gamesearch.game import CHANCE, MAX, Game

__all__ = ["Frame", "Node", "best_child", "certain", "include", "meaning", "side_name"]

EVERYTHING = (-math.inf, math.inf)
ROUNDING = 1e-9


@dataclass(slots=True)
class Node:
    """A node as it was visited."""

    state: Any
    ply: int
    alpha: float | None
    beta: float | None
    """The window on entering; None for an algorithm without windows."""
    move: int | None = None
    """The move or outcome that led here; None at the root."""
    probability: float | None = None
    """Of the outcome that led here."""
    side: int | None = None
    """Whose turn it is; None where the game is over."""
    kind: str = "searched"
    """How the value was found: `searched`, or, of a node whose moves were not: `end` of the game,
    `estimate`, `table`, `bounds` of the game, `recurrence`, `stuck` where recurrence forbids every move."""
    value: Value = 0.0
    """What the search returned."""
    bound: str = "exact"
    """`exact`, or what the value is a bound from: `lower`, `upper`."""
    nodes: int = 1
    """Nodes visited from here on down, itself included."""
    children: list["Node"] = field(default_factory=list)
    """Those visited that were kept, in their order; a probe and a search are two."""
    visited: int = 0
    """How many children were visited."""
    number: int = 0
    """Which of its parent's visited children this is, from 0."""
    is_cut: bool = False
    """Whether a cutoff ended it."""
    pruned: tuple[int, ...] = ()
    """The moves that were not searched, because of the cutoff or as this is a probe; they may have been probed."""
    is_probe: bool = False
    """Whether only its first move was wanted (Ballard's Star2)."""
    is_unfinished: bool = False
    """Whether the search was stopped below."""


class Frame:
    """A node on the path from the root, while it is searched."""

    __slots__ = (
        "alpha", "beta", "children", "cut", "known", "lower", "move", "node", "nodes", "odds",
        "probe", "searched", "side", "state", "upper",
    )  # fmt: skip

    def __init__(self, state: Any, alpha: float | None, beta: float | None, node: Node | None) -> None:
        self.state, self.alpha, self.beta, self.node = state, alpha, beta, node
        self.nodes, self.children = 1, 0
        self.side: int | None = None
        self.move = -1
        self.searched: list[int] = []
        self.known: tuple[float, float] | None = None
        self.lower, self.upper = EVERYTHING
        self.odds: dict[int, tuple[float, float, float]] = {}
        self.cut = self.probe = False


def certain(frame: Frame, value: float, is_clipped: bool) -> tuple[float, float]:
    """Between which values the true value of a node lies, from its children and its window."""
    alpha, beta = -math.inf if frame.alpha is None else frame.alpha, math.inf if frame.beta is None else frame.beta
    if frame.known is not None:
        return frame.known
    if not frame.children:
        return (value if value > alpha or not is_clipped else -math.inf), (
            value if value < beta or not is_clipped else math.inf
        )
    lower, upper = frame.lower, frame.upper
    if frame.side == CHANCE:
        lower = sum(p * least for p, least, _ in frame.odds.values())
        upper = sum(p * most for p, _, most in frame.odds.values())
    elif frame.cut or frame.probe:  # the moves that are left can only be better for the mover
        lower, upper = (lower, math.inf) if frame.side == MAX else (-math.inf, upper)
    if frame.probe:
        return lower, upper
    if value > alpha:
        lower = max(lower, value)
    if value < beta:
        upper = min(upper, value)
    return lower, upper


def meaning(frame: Frame, value: float, lower: float, upper: float) -> str:
    """Whether the value of a node is exact, or from where it is a bound."""
    if abs(upper - lower) <= ROUNDING * (1 + abs(value)) and abs(value - lower) <= ROUNDING * (1 + abs(value)):
        return "exact"
    if frame.probe:
        return "lower" if frame.side == MAX else "upper"
    if frame.beta is not None and value >= frame.beta:
        return "lower"
    if frame.alpha is not None and value <= frame.alpha:
        return "upper"
    return "exact"


def include(frame: Frame, lower: float, upper: float) -> None:
    """Take what is certain of a child into what is certain of its parent."""
    frame.children += 1
    if frame.side == CHANCE:
        p, least, most = frame.odds[frame.move]
        frame.odds[frame.move] = p, max(least, lower), min(most, upper)
    elif frame.children == 1:
        frame.lower, frame.upper = lower, upper
    elif frame.side == MAX:
        frame.lower, frame.upper = max(frame.lower, lower), max(frame.upper, upper)
    else:
        frame.lower, frame.upper = min(frame.lower, lower), min(frame.upper, upper)


def best_child(node: Node) -> Node:
    """The visited child whose value the node took; the first, at a chance node."""
    side = node.side or 0
    if side == CHANCE:
        return node.children[0]

    def worth(child: Node) -> float:
        if isinstance(child.value, tuple):
            return child.value[side]
        return child.value if side == MAX else -child.value

    return max(node.children, key=worth)


def side_name(game: Game[Any], side: int | None) -> str:
    """Whose turn it is: Max, Min, chance, or the name of one of more players; `end` where the game is over.

    The one whom the others are in league against goes by his name, too, and so do they.
    """
    if side is None:
        return "end"
    has_role = game.players == 2 and side != CHANCE and not isinstance(game, InLeague)
    return ("Max", "Min")[side] if has_role else game.player_name(side)
