"""What solving gives back, and how it is read off values that are known."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from gamesearch.algorithms.engine.result import MoveValue
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.solvers.periods import GrundyTable
from gamesearch.solvers.store import prefers
from gamesearch.support.html_repr import HtmlRepr

__all__ = ["Chooser", "Lookup", "Solution", "solution_from"]

Lookup = Callable[[Any], tuple[float, int | None]]
"""What gives the value of a state, and how many plies the end is away, where that is told."""
Chooser = Callable[[Any], int]
"""What gives a best move of a state."""


@dataclass(frozen=True)
class Solution(HtmlRepr):
    """The exact answer for a position."""

    value: float
    """What the position is worth to Max when both sides play best."""
    distance: int | None
    """Plies to the end when the side that is ahead hurries and the other delays; None where the value is
    a draw, or the method does not tell."""
    best: tuple[int, ...]
    """All best moves; empty at the end of a game and where it is chance's turn."""
    method: str
    """What it was solved by; one of METHODS but `auto`, or `database`."""
    positions: int
    """How many positions were solved (for `search`: visited)."""
    kept: int
    """How many positions were held in memory at the most; 0 where that is not counted."""
    bytes: int
    """The memory that they took."""
    seconds: float
    speed: str
    moves: tuple[MoveValue, ...] = ()
    """The value and distance of each move."""
    note: str = ""
    """A sentence on how it came about, where there is more to say than the method."""
    grundy: dict[int, int] = field(default_factory=dict)
    """By size, the Grundy numbers of the games that an impartial game is the sum of."""
    grundy_table: GrundyTable | None = None
    """For an octal game, the Grundy numbers of all sizes, with the period that they prove."""
    searched: tuple[Any, Any] | None = field(default=None, compare=False, repr=False)
    """The game and the position that were solved."""
    choose: Chooser | None = field(default=None, compare=False, repr=False)
    """What gives a best move of any position that can be reached; None where the solution is not to be kept."""


def solution_from(
    runner: Runner,
    state: Any,
    method: str,
    lookup: Lookup,
    choose: Chooser | None = None,
    steps: Sequence[int] | None = None,
    **facts: Any,
) -> Solution:
    """The answer, when `lookup` gives value and distance of every state that one of the `steps`, all moves, leads to.

    Without a function that chooses moves, `lookup` must do so for all states that can be reached.
    """
    game = runner.game
    value, distance = lookup(state)
    tells = value != game.draw_value() and not game.chance
    moves: list[MoveValue] = []
    best: list[int] = []
    if not game.terminal(state):
        at_chance = game.player(state) == CHANCE
        for move in game.steps(state) if steps is None else steps:
            after, plies = lookup(game.result(state, move))
            known = None if plies is None or after == game.draw_value() or game.chance else plies + 1
            moves.append(MoveValue(move, after, known))
            if not at_chance and after == value and (not tells or plies is None or plies + 1 == distance):
                best.append(move)
    return Solution(
        value=value,
        distance=distance if tells else None,
        best=tuple(best),
        method=method,
        seconds=runner.seconds,
        speed=runner.speed,
        moves=tuple(moves),
        searched=(game, state),
        choose=choose or (lambda s: best_move(game, s, lookup)),
        **facts,
    )


def best_move(game: Game[Any], s: Any, lookup: Lookup) -> int:
    """The best of the moves of a state: where values are equal, by how far the end is."""
    maximizing, even = game.player(s) == MAX, game.draw_value()
    best, distance, chosen = -math.inf if maximizing else math.inf, 0, -1
    for move in game.steps(s):
        value, plies = lookup(game.result(s, move))
        if prefers(value, (plies or 0) + 1, best, distance, maximizing, even):
            best, distance, chosen = value, (plies or 0) + 1, move
    return chosen
