"""Search with chance nodes: expectimax and expectiminimax.

D. Michie 1966, "Game-playing and game-learning automata"; Russell and Norvig, 4th edition, section 5.5.
"""

from gamesearch import CHANCE, MAX

__all__ = ["expectimax", "expectiminimax"]


def expectiminimax(game, s, depth):
    """Search s to a depth. The result is the expected value for Max if both players play their best moves.

    Russell and Norvig, section 5.5.1, EXPECTIMINIMAX.
    """
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == CHANCE:
        return sum(p * expectiminimax(game, game.result(s, outcome), depth - 1) for outcome, p in game.outcomes(s))
    if game.player(s) == MAX:
        return max(expectiminimax(game, game.result(s, move), depth - 1) for move in game.moves(s))
    return min(expectiminimax(game, game.result(s, move), depth - 1) for move in game.moves(s))


def expectimax(game, s, depth):
    """Search s to a depth. The result is the expected value for Max if the opponent makes random moves.

    Berkeley's CS 188, "Expectimax". The value of an opponent's node is the mean of the values of its children.
    """
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        return max(expectimax(game, game.result(s, move), depth - 1) for move in game.moves(s))
    if game.player(s) == CHANCE:
        return sum(p * expectimax(game, game.result(s, outcome), depth - 1) for outcome, p in game.outcomes(s))
    values = [expectimax(game, game.result(s, move), depth - 1) for move in game.moves(s)]
    return sum(values) / len(values)
