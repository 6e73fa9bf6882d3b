"""The memo is a global variable, which is not emptied before the next search."""

from gamesearch import MAX

memo = {}


def minimax(game, s, depth):
    if (s, depth) not in memo:
        if game.terminal(s):
            memo[s, depth] = game.utility(s)
        elif depth == 0:
            memo[s, depth] = game.evaluate(s)
        else:
            best = max if game.player(s) == MAX else min
            memo[s, depth] = best(minimax(game, game.result(s, move), depth - 1) for move in game.moves(s))
    return memo[s, depth]
