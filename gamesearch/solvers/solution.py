"""The solution of a position, functions that build a solution from solved positions, and functions that write its
strategy."""

import math
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from gamesearch.algorithms.engine.result import HtmlRepr, Monitor, MoveValue
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.registry import specification_of
from gamesearch.solvers.periods import GrundyTable
from gamesearch.solvers.store import counts_plies, prefers
from gamesearch.solvers.verification import (
    MOST_POSITIONS,
    Claim,
    Verdict,
    read_moves,
    refuse_unfit,
    strategy_text,
    verify,
)

__all__ = ["MOST_LINES", "Chooser", "Lookup", "Solution", "solution_from", "strategy_of"]

Lookup = Callable[[Any], tuple[float, int | None]]
"""A function that returns the value of a state and the number of plies to the end (None if plies are not counted)."""
Chooser = Callable[[Any], int]


@dataclass(frozen=True)
class Solution(HtmlRepr):
    """The exact answer for a position."""

    value: float
    """The value for Max if both sides play optimally."""
    distance: int | None
    """The plies to the end if the winner hurries and the loser delays; None for a draw, in games for points, or if the
    plies were not counted."""
    best: tuple[int, ...]
    """All best moves; empty if the position is a terminal node or a chance node."""
    method: str
    """The method that found the value: `database`, `book`, or one of METHODS except `auto`."""
    positions: int
    """The number of solved positions. For the method `search`, the number of visited positions."""
    kept: int
    """The greatest number of positions in memory at the same time; 0 if they were not counted."""
    bytes: int
    """The memory for the positions in bytes."""
    seconds: float
    speed: str
    moves: tuple[MoveValue, ...] = ()
    note: str = ""
    """A remark on how the position was solved; may be empty."""
    grundy: dict[int, int] = field(default_factory=dict)
    """The sizes of the subgames of an impartial game, each with its Grundy number."""
    grundy_table: GrundyTable | None = None
    """The Grundy numbers of an octal game, and their period. Together they determine the Grundy number of every
    size."""
    searched: tuple[Any, Any] | None = field(default=None, compare=False, repr=False)
    """The game and the position that were solved."""
    choose: Chooser | None = field(default=None, compare=False, repr=False)
    """A function that returns a best move of any reachable position. It is None if the solution is not kept in
    memory."""


def solution_from(
    runner: Runner,
    state: Any,
    method: str,
    lookup: Lookup,
    choose: Chooser | None = None,
    steps: Sequence[int] | None = None,
    **facts: Any,
) -> Solution:
    """Build a solution from a function `lookup`, which returns the value and distance of a solved state.

    The solution contains the values of the moves in `steps` (by default, all moves). `choose` finds the best moves of
    later positions. If `choose` is None, `lookup` finds these moves, so `lookup` must accept all reachable states.
    """
    game = runner.game
    value, distance = lookup(state)
    tells = counts_plies(game) and value != game.draw_value()
    moves: list[MoveValue] = []
    best: list[int] = []
    if not game.terminal(state):
        at_chance = game.player(state) == CHANCE
        for move in game.steps(state) if steps is None else steps:
            after, plies = lookup(game.result(state, move))
            is_decided = counts_plies(game) and after != game.draw_value()
            moves.append(MoveValue(move, after, plies + 1 if is_decided and plies is not None else None))
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


def best_move(game: Game, s: Any, lookup: Lookup) -> int:
    """The best move of a state; moves of equal value are compared by the distance to the end."""
    maximizing, even = game.player(s) == MAX, game.draw_value()
    best, distance, chosen = -math.inf if maximizing else math.inf, 0, -1
    for move in game.steps(s):
        value, plies = lookup(game.result(s, move))
        if prefers(value, (plies or 0) + 1, best, distance, maximizing, even):
            best, distance, chosen = value, (plies or 0) + 1, move
    return chosen


MOST_LINES = 100_000  # the greatest number of moves in a strategy file; the file then has about 10 MB
ERROR = 1e-9
"""The greatest error of an expected payoff, as a strategy file states it. Values that were found by iteration are not
exact."""


def strategy_of(solution: Solution, monitor: Monitor | None = None) -> tuple[str, Verdict]:
    """Verify the strategy of a solution that `solve(..., keep=True)` returned; returns the text of a strategy file, and
    the verdict. Raises GamesearchError if the strategy is too large or does not prove its claim."""
    assert solution.searched is not None
    game, state = solution.searched
    refuse_unfit(game)
    lines = list[tuple[str, str]]()
    for side, worst in ((MAX, game.MINSCORE), (MIN, game.MAXSCORE)):
        if solution.value != worst:
            lines += ((game.format(s), game.move_name(s, move)) for s, move in moves_of(solution, side, monitor))
    error = ERROR if game.chance else 0.0
    claim = Claim(specification_of(game), game.format(state), solution.value, error, None, len(lines))
    try:
        verdict = verify(game, state, claim, read_moves(strategy_text(claim, lines), "the strategy", game))
    except GamesearchError as error:
        raise GamesearchError(
            f"the strategy for {game.name} is not written, because it cannot be read back: {error}"
        ) from None
    if verdict.reason:
        raise GamesearchError(f"the strategy for {game.name} is not written, because it is wrong: {verdict.reason}")
    return strategy_text(replace(claim, plies=verdict.plies), lines), verdict


def moves_of(solution: Solution, side: int, monitor: Monitor | None) -> list[tuple[Any, int]]:
    """List the positions with `side` to move that can occur if `side` follows the solution. Each position is listed
    with the solution's move. The positions nearest to the start come first."""
    assert solution.searched is not None
    assert solution.choose is not None
    game, start = solution.searched
    found, waiting, seen = list[tuple[Any, int]](), deque([start]), {game.key(start)}
    while waiting:
        s = waiting.popleft()
        if game.terminal(s):
            continue
        moves = game.steps(s)
        if game.player(s) == side:
            moves = [solution.choose(s)]
            found.append((s, moves[0]))
        for after in (game.result(s, move) for move in moves):
            if game.key(after) not in seen:
                seen.add(game.key(after))
                waiting.append(after)
        if len(found) > MOST_LINES or len(seen) > MOST_POSITIONS:
            reached = f"{MOST_LINES:,} moves" if len(found) > MOST_LINES else f"{MOST_POSITIONS:,} positions"
            raise GamesearchError(
                f"a strategy for {game.name} from this position has more than {reached}: give a later POSITION"
            )
        if monitor is not None and monitor.interrupted:
            raise Interrupted(f"the strategy was interrupted after {len(seen):,} positions")
    return found
