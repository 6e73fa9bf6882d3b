"""Which of several moves is best for the player who makes them."""

from collections.abc import Collection, Iterable
from typing import Any

from gamesearch.algorithms.engine.result import MoveValue
from gamesearch.game import CHANCE, MAX, Game

__all__ = ["payee", "ranked"]


def payee(game: Game[Any], state: Any) -> int:
    """Whose payoff a value that is a single number is: Max's; of more than two players, that of who is to move.

    Where chance is, nobody is to move, and it is Max's again, the first player's.
    """
    player = game.player(state)
    return player if game.payoff_count > 1 and player != CHANCE else MAX


def ranked(
    game: Game[Any], state: Any, moves: Iterable[MoveValue], best: Collection[int | None] = ()
) -> list[MoveValue]:
    """Moves, best first for the player who makes them; wins by how soon, losses by how late; outcomes as they are."""
    moves = list(moves)
    if not moves or game.player(state) == CHANCE:
        return moves
    player = game.player(state)
    sign = -1 if player != payee(game, state) else 1

    def rank(found: MoveValue) -> tuple[float, float, bool]:
        worth = found.value[player] if isinstance(found.value, tuple) else sign * found.value
        is_won = worth > sign * game.draw_value()
        plies = float(found.distance or 0)
        return -worth, plies if is_won else -plies, found.move not in best

    return sorted(moves, key=rank)
