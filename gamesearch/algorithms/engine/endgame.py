"""When a search to the end of the game can be afforded.

Deepening searches every depth up to the last, each with estimates, which differ more than payoffs do. Near the end, one
search of all that is left takes fewer nodes: of the positions FFO #1 to #19 of Othello (14 to 16 empty squares),
2.5 million together instead of 4.9. A game played at random tells how many it may take: alpha-beta visits at least
about the square root of b1 * b2 * ... leaves of a tree with b1, b2, ... moves at its plies (Knuth and Moore 1975), and
what is met on random paths tells the size of a tree (D. E. Knuth 1975, "Estimating the efficiency of backtrack
programs", Mathematics of Computation 29).

Where the attempt fails, its nodes are lost but for the moves that it leaves in the table. With a limit of a million
nodes, 20 random positions a game of Othello, Connect Four, Kalah and ultimate tic-tac-toe took 45.8 million with it and
45.9 without, and the unfinished came as deep; trees of random payoffs, whose end is as hard as the rest, took 3 % more.
"""

import functools
import math
from contextlib import AbstractContextManager
from typing import Any

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.game import NEVER, Game
from gamesearch.toolkit.bits import mix

__all__ = ["Endgame", "least_nodes"]

PLAYOUTS = 8
MOST_NODES = 1e9
"""Where a playout tells more, the end is too far."""
MOST_PLIES = 256
"""Where a playout is longer, too."""
NODES_ALLOWED = 8
"""How many times that number of nodes a search to the end is allowed; Othello takes 2 to 10 times as many. Its random
positions with 10 to 20 empty squares, 20 of them, took 30.7 million nodes with 16, 28.5 with 8, 30.3 without any."""
NODES_BEFORE = 1 / 4
"""Deepening first spends this part of that number: it finds quick wins, such as those of Connect Four, in 15 nodes
instead of 30,000, and good moves to begin with."""
SHARE = 1 / 4
"""The greatest part of what is left of the time or nodes that the attempt may cost."""


class Endgame:
    """Decides when deepening tries to search to the end: at most once in a search."""

    def __init__(self, runner: Runner, state: Any) -> None:
        self.runner, self.state, self.was_tried = runner, state, False

    @functools.cached_property
    def least(self) -> float:
        """About the least number of nodes that it takes."""
        return least_nodes(self.runner.game, self.state)

    def is_due(self) -> bool:
        """Whether it is time for the attempt, and it can be afforded."""
        is_time = not self.was_tried and self.runner.counts.nodes >= NODES_BEFORE * self.least
        return is_time and NODES_ALLOWED * self.least <= SHARE * self.runner.nodes_left

    def attempt(self) -> AbstractContextManager[None]:
        """Search to the end within the nodes allowed for it; there is no second attempt."""
        self.was_tried = True
        return self.runner.execution.at_most(round(NODES_ALLOWED * self.least))


def least_nodes(game: Game[Any], state: Any) -> float:
    """About the least number of nodes of a search to the end; infinite where the end is far, or nothing forces it.

    It is the mean, over some playouts, of the square root of the product of the numbers of moves.
    """
    if game.recurrence != NEVER:
        return math.inf
    total = 0.0
    for playout in range(PLAYOUTS):
        found = moves_to_choose_from(game, state, mix(playout))
        if found > MOST_NODES:
            return math.inf
        total += math.log(found)
    return math.exp(total / PLAYOUTS)


def moves_to_choose_from(game: Game[Any], state: Any, random: int) -> float:
    """The square root of the product of the numbers of moves in a game played at random, which is given up when it is
    greater than MOST_NODES.
    """
    found = 1.0
    for _ in range(MOST_PLIES):
        moves = [] if game.terminal(state) else game.steps(state)
        if not moves or found > MOST_NODES:
            return found
        found *= math.sqrt(len(moves))
        random = mix(random)
        state = game.result(state, moves[(random >> 1) % len(moves)])
    return math.inf
