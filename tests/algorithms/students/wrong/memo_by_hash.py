"""The key of the memo is a hash modulo 100, so different positions have the same key."""

from gamesearch import MAX


def with_memo(game, s, depth):
    memo = {}

    def minimax(s, depth):
        key = hash((s, depth)) % 100
        if key not in memo:
            if game.terminal(s):
                memo[key] = game.utility(s)
            elif depth == 0:
                memo[key] = game.evaluate(s)
            else:
                best = max if game.player(s) == MAX else min
                memo[key] = best(minimax(game.result(s, move), depth - 1) for move in game.moves(s))
        return memo[key]

    return minimax(s, depth)
