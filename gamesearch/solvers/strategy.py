"""Strategies from solutions: moves that guarantee the value against every reply, for the winner or for both sides."""

from collections import deque
from dataclasses import replace
from typing import Any

from gamesearch.algorithms.engine.result import Monitor
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import MAX, MIN
from gamesearch.registry import specification_of
from gamesearch.solvers.solution import Solution
from gamesearch.solvers.verification import (
    MOST_POSITIONS,
    Claim,
    Verdict,
    read_moves,
    refuse_unfit,
    strategy_text,
    verify,
)

__all__ = ["MOST_LINES", "strategy_of"]

MOST_LINES = 100_000  # the greatest number of moves in a strategy file; the file then has about 10 MB
ERROR = 1e-9
"""The error that a strategy file states for an expected payoff, because iterated values are not exact."""


def strategy_of(solution: Solution, monitor: Monitor | None = None) -> tuple[str, Verdict]:
    """The text of a strategy file for a solution by `solve(..., keep=True)`, and the result of its verification. Raises
    GamesearchError if the strategy is too large or does not prove its claim."""
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
    """The positions in which a side must move while it follows the solution, with the moves of the solution; the
    positions nearest to the start come first."""
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
                f"a strategy for {game.name} has more than {reached} from here: give a later POSITION"
            )
        if monitor is not None and monitor.interrupted:
            raise Interrupted(f"the strategy was interrupted after {len(seen):,} positions")
    return found
