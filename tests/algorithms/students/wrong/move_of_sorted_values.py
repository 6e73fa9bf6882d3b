"""The values are sorted, so the index of the best value does not belong to the best move."""

from gamesearch import MAX


def minimax(game, s, depth):
    if game.terminal(s):
        return game.utility(s), None
    if depth == 0:
        return game.evaluate(s), None
    moves = list(game.moves(s))
    values = sorted(minimax(game, game.result(s, move), depth - 1)[0] for move in moves)
    best = values[-1] if game.player(s) == MAX else values[0]
    return best, moves[values.index(best)]
