"""The memo is a default argument, so it is kept between searches, and its key does not include the depth."""

from gamesearch import MAX


def minimax(game, s, depth, memo={}):
    if s not in memo:
        if game.terminal(s):
            memo[s] = game.utility(s)
        elif depth == 0:
            memo[s] = game.evaluate(s)
        else:
            best = max if game.player(s) == MAX else min
            memo[s] = best(minimax(game, game.result(s, move), depth - 1, memo) for move in game.moves(s))
    return memo[s]
