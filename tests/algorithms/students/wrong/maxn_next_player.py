"""Everybody maximizes the payoff of the next player."""


def maxn(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    player = game.player(s)
    return max(
        (maxn(game, game.result(s, move), depth - 1) for move in game.moves(s)),
        key=lambda v: v[(player + 1) % game.players],
    )
