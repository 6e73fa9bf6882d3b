"""The memory does not distinguish the player to move."""

from gamesearch import MAX


def with_memo(game, s, depth):
    memo = {}

    def minimax(s, depth):
        key = (tuple(s)[:-1] or tuple(s), depth // 2)
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
