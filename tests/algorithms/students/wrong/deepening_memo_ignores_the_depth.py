"""Values stored at a shallow depth are used for deeper searches."""

from gamesearch import MAX


def iterative_deepening(game, s, depth):
    memo = {}

    def minimax(s, depth):
        if game.terminal(s):
            return game.utility(s)
        if depth == 0:
            return game.evaluate(s)
        if s not in memo:
            best = max if game.player(s) == MAX else min
            memo[s] = best(minimax(game.result(s, move), depth - 1) for move in game.moves(s))
        return memo[s]

    for limit in range(1, min(depth, 12) + 1):
        value = minimax(s, limit)
    return value
