"""The memory does not distinguish how deep a position was searched."""

from gamesearch import MAX


def with_memo(game, s, depth):
    memo = {}

    def minimax(s, depth):
        if s not in memo:
            if game.terminal(s):
                memo[s] = game.utility(s)
            elif depth == 0:
                memo[s] = game.evaluate(s)
            else:
                best = max if game.player(s) == MAX else min
                memo[s] = best(minimax(game.result(s, move), depth - 1) for move in game.moves(s))
        return memo[s]

    return minimax(s, depth)
