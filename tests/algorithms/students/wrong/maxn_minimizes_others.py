"""The others minimize the payoff of the first player."""


def maxn(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    player = game.player(s)
    best = max if player == 0 else min
    return best((maxn(game, game.result(s, move), depth - 1) for move in game.moves(s)), key=lambda v: v[player * 0])
