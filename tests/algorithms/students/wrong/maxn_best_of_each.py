"""The best payoff of each player is taken from different moves."""


def maxn(game, s, depth):
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    values = [maxn(game, game.result(s, move), depth - 1) for move in game.moves(s)]
    player = game.player(s)
    best = max(values, key=lambda v: v[player])
    return tuple(max(each) if number != player else best[player] for number, each in enumerate(zip(*values)))
