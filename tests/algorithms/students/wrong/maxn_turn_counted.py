"""The player to move is computed from the ply, as if the first player always moved at the root."""


def maxn(game, s, depth):
    return value(game, s, depth, 0)


def value(game, s, depth, turn):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    player = turn % game.players
    found = [value(game, game.result(s, move), depth - 1, turn + 1) for move in game.moves(s)]
    return max(found, key=lambda v: v[player])
