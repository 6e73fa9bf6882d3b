"""Proof numbers and disproof numbers. The proof number of a position is the least number of positions that must be
proven to prove it. The disproof number is the least number of positions that must be disproven to disprove it.

L. V. Allis, M. van der Meulen and H. J. van den Herik 1994, "Proof-number search", Artificial Intelligence 66. A search
proves or disproves that Max can get at least a certain payoff. If positions can repeat, such a proof could go in a
circle, so `gamesearch.solvers.proof.graph` uses other numbers.
"""

from typing import Any

from gamesearch.algorithms.engine.result import NEVER_PROVEN
from gamesearch.algorithms.node.records import Record, float_field, integer_field
from gamesearch.compiler import kernel
from gamesearch.game import Game

__all__ = ["NEVER_PROVEN", "Question", "add_numbers", "numbers_by_rules"]

LARGEST = NEVER_PROVEN - 1
"""The greatest sum of proof numbers. Sums can grow large, because the numbers of a position that is reached by several
paths are added several times."""


class Question(Record):
    """The question whether Max can get `goal` or more, with the limits and memory of its search."""

    goal = float_field()
    node_limit = integer_field()  # the node limit of the search; 0 for no limit
    salt = integer_field()  # combined with the hashed keys, because one table contains the positions of all goals
    is_odd = integer_field()  # whether a payoff was found that is neither win, draw nor loss
    proofs = integer_field(1 << 16)  # the proof numbers of the moves in `path.moves`, for all nodes on the path
    disproofs = integer_field(1 << 16)


@kernel
def numbers_by_rules(game: Game, s: Any, question: Question) -> tuple[int, int]:
    """The two numbers of a position before its search, from the rules or the bounds of the game."""
    if game.terminal(s):
        payoff = float(game.utility(s))
        if game.win_or_loss and payoff != game.MAXSCORE and payoff != game.MINSCORE and payoff != game.draw_value():
            question.is_odd = 1
        return (0, NEVER_PROVEN) if payoff >= question.goal else (NEVER_PROVEN, 0)
    least, greatest = game.bounds(s)
    if least >= question.goal:
        return 0, NEVER_PROVEN
    if greatest < question.goal:
        return NEVER_PROVEN, 0
    return 1, 1


@kernel
def add_numbers(total: int, number: int) -> int:
    """The sum of two proof numbers, or of two disproof numbers."""
    return NEVER_PROVEN if total == NEVER_PROVEN or number == NEVER_PROVEN else min(LARGEST, total + number)
