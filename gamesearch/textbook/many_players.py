"""Search for three or more players: max^n and paranoid. A utility is a tuple with the payoff of each player.

N. R. Sturtevant and R. E. Korf 2000, "On pruning techniques for multi-player games", AAAI-00.
"""

import math

from gamesearch import CHANCE

__all__ = ["maxn", "paranoid"]


def maxn(game, s, depth):
    """Search s to a depth. The result contains the payoffs of all players if each player maximizes their own payoff.

    If several moves lead to the greatest payoff for the player to move, the player makes the first of these moves.

    C. A. Luckhardt and K. B. Irani 1986, "An algorithmic solution of n-person games", AAAI-86.
    """
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == CHANCE:
        mean = zero_payoffs(game, s)
        for outcome, p in game.outcomes(s):
            mean = add_weighted(mean, p, maxn(game, game.result(s, outcome), depth - 1))
        return mean
    player = game.player(s)
    return max((maxn(game, game.result(s, move), depth - 1) for move in game.moves(s)), key=lambda v: v[player])


def zero_payoffs(game, s):  # noqa: ARG001
    """A tuple with payoff 0 for each player."""
    return (0.0,) * game.players


def add_weighted(payoffs, weight, more):
    """Add `weight` times `more` to `payoffs`, separately for each player."""
    return tuple(payoff + weight * other for payoff, other in zip(payoffs, more, strict=True))


def paranoid(game, s, depth, alpha, beta, me):
    """Alpha-beta search to a depth. Player `me` maximizes their own payoff, and all other players minimize it.

    Sturtevant and Korf 2000, section 2.2.
    """
    if game.terminal(s):
        return game.utility(s)[me]
    if depth == 0:
        return game.evaluate(s)[me]
    if game.player(s) == me:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, paranoid(game, game.result(s, move), depth - 1, alpha, beta, me))
            alpha = max(alpha, best)
            if best >= beta:
                break
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, paranoid(game, game.result(s, move), depth - 1, alpha, beta, me))
        beta = min(beta, best)
        if best <= alpha:
            break
    return best
