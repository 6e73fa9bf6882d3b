"""Alpha-beta with large numbers in place of infinities."""

from gamesearch import MAX

INFINITY = 10**9


def value(game, s, depth, alpha, beta):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = -INFINITY
        for move in game.moves(s):
            best = max(best, value(game, game.result(s, move), depth - 1, alpha, beta))
            alpha = max(alpha, best)
            if alpha >= beta:
                break
        return best
    best = INFINITY
    for move in game.moves(s):
        best = min(best, value(game, game.result(s, move), depth - 1, alpha, beta))
        beta = min(beta, best)
        if beta <= alpha:
            break
    return best


def alphabeta(game, s, depth):
    return value(game, s, depth, -INFINITY, INFINITY)
