"""A node on the current path of a search. The node contains the bounds that have been proven for its value so far.

A search does not always return the value of a node: after a cutoff, it returns a bound. The window decides whether this
is a lower or an upper bound (see the contract of `alphabeta`). Often the bounds of the children prove more than the
returned value. In Russell and Norvig's figure 5.2, all moves of D are searched, so the value of D is exactly 2. After
the first move of C, the search leaves C, so it proves only that the value of C is at most 2.
"""

import math
from typing import Any

from gamesearch.algorithms.engine.result import Value
from gamesearch.game import CHANCE, MAX, Game

__all__ = ["PathNode"]

ROUNDING = 1e-9


class PathNode:
    """A node on the current path: its search has begun, but not ended."""

    __slots__ = (
        "alpha", "best", "best_move", "beta", "children", "is_cut", "is_probe", "kind", "known", "lower", "move",
        "nodes", "number", "odds", "purpose", "searched", "side", "state", "upper", "waiting", "window",
    )  # fmt: skip

    def __init__(self, state: Any, number: int | None, alpha: float | None, beta: float | None) -> None:
        self.state, self.number, self.alpha, self.beta = state, number, alpha, beta
        """`number` is None if the node is not recorded."""
        self.window = alpha, beta
        """The current window. It begins as (`alpha`, `beta`). The searched moves can narrow the window."""
        self.nodes, self.children = 1, 0
        self.side: int | None = None
        self.move = -1
        """The move that is being searched."""
        self.searched: list[int] = []
        """The moves that were searched, not counting probes."""
        self.best: Value | None = None
        self.best_move = -1
        self.kind = "searched"
        self.known: tuple[float, float] | None = None
        """Bounds on the value that were found without a search of the moves. None if no such bounds were found."""
        self.lower, self.upper = -math.inf, math.inf
        """Bounds on the value, from the children that have been searched so far."""
        self.odds: dict[int, tuple[float, float, float]] = {}
        """For each outcome of a chance node, its probability and the bounds of its value."""
        self.purpose = ""
        """Why a selective search searches this node."""
        self.waiting: tuple[PathNode, float, float, Value] | None = None
        """A finished child that may be searched again, and the bounds and the value of this child."""
        self.is_cut = self.is_probe = False
        """`is_cut`: whether a cutoff left out moves; `is_probe`: whether only the first move is searched (Star2)."""

    def note_side(self, game: Game) -> None:
        """Set the side to move and, at a chance node, the outcomes."""
        self.side = game.player(self.state)
        if self.side == CHANCE:
            least, most = float(game.MINSCORE), float(game.MAXSCORE)
            self.odds = {outcome: (p, least, most) for outcome, p in game.outcomes(self.state) if p > 0}

    def certain(self, value: float, is_clipped: bool) -> tuple[float, float]:
        """Compute bounds on the true value from the children, the window and the returned `value`."""
        alpha, beta = -math.inf if self.alpha is None else self.alpha, math.inf if self.beta is None else self.beta
        if self.known is not None:
            return self.known
        if not self.children:
            return (value if value > alpha or not is_clipped else -math.inf), (
                value if value < beta or not is_clipped else math.inf
            )
        lower, upper = self.lower, self.upper
        if self.side == CHANCE:
            lower = math.fsum(p * least for p, least, _ in self.odds.values())
            upper = math.fsum(p * most for p, _, most in self.odds.values())
        elif self.is_cut or self.is_probe:  # moves that were not searched can only be better for the side to move
            lower, upper = (lower, math.inf) if self.side == MAX else (-math.inf, upper)
        if self.is_probe:
            return lower, upper
        return max(lower, value) if value > alpha else lower, min(upper, value) if value < beta else upper

    def bound(self, value: float, lower: float, upper: float) -> str:
        """The kind of a returned value: `exact`, a `lower` bound or an `upper` bound."""
        rounding = ROUNDING * (1 + abs(value))
        if abs(upper - lower) <= rounding and abs(value - lower) <= rounding:
            return "exact"
        if self.is_probe:
            return "lower" if self.side == MAX else "upper"
        if self.beta is not None and value >= self.beta:
            return "lower"
        if self.alpha is not None and value <= self.alpha:
            return "upper"
        return "exact"

    def take_child(self, child: "PathNode", lower: float, upper: float) -> None:
        """A child is finished: use its bounds to update the bounds of this node."""
        self.nodes += child.nodes
        self.children += 1
        if not child.is_probe:
            self.searched.append(self.move)
        if self.side == CHANCE:
            p, least, most = self.odds[self.move]
            self.odds[self.move] = p, max(least, lower), min(most, upper)
        elif self.children == 1:
            self.lower, self.upper = lower, upper
        else:
            better = max if self.side == MAX else min
            self.lower, self.upper = better(self.lower, lower), better(self.upper, upper)

    def take_best(self, value: Value, narrows: bool) -> bool:
        """If the finished child is the best so far, store its value, narrow the window and return True; otherwise
        return False."""
        if self.side is None or self.side == CHANCE:
            return False
        if self.best is not None:
            new, old = (each[self.side] if isinstance(each, tuple) else each for each in (value, self.best))
            is_maximizing = isinstance(value, tuple) or self.side == MAX
            if not (new > old if is_maximizing else new < old):
                return False
        self.best, self.best_move = value, self.move
        low, high = self.window
        if narrows and not isinstance(value, tuple) and low is not None and high is not None:
            self.window = (max(low, value), high) if self.side == MAX else (low, min(high, value))
        return True
