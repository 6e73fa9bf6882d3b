"""Minimax in several forms.

S. Russell and P. Norvig 2021, *Artificial Intelligence: A Modern Approach*, 4th edition, sections 5.2 and 5.3.
"""

import math

from gamesearch import MAX

__all__ = [
    "memoized_minimax", "minimax", "minimax_until_won", "minimax_value", "negamax", "values_by_dynamic_programming",
]  # fmt: skip


def minimax_value(game, s):
    """The value of s for Max if both players play their best moves: Russell and Norvig, section 5.2, MINIMAX."""
    if game.terminal(s):
        return game.utility(s)
    if game.player(s) == MAX:
        return max(minimax_value(game, game.result(s, move)) for move in game.moves(s))
    return min(minimax_value(game, game.result(s, move)) for move in game.moves(s))


def minimax(game, s, depth):
    """Minimax to a depth, with evaluated leaves: Russell and Norvig, section 5.3, H-MINIMAX."""
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        return max(minimax(game, game.result(s, move), depth - 1) for move in game.moves(s))
    return min(minimax(game, game.result(s, move), depth - 1) for move in game.moves(s))


def minimax_until_won(game, s, depth):
    """Minimax that stops searching a node as soon as a move has the best possible payoff.

    R. E. Korf 1991, "Multi-player alpha-beta pruning", Artificial Intelligence 48: immediate pruning.
    """
    if game.terminal(s):
        return game.utility(s)
    if depth == 0:
        return game.evaluate(s)
    if game.player(s) == MAX:
        best = -math.inf
        for move in game.moves(s):
            best = max(best, minimax_until_won(game, game.result(s, move), depth - 1))
            if best >= game.MAXSCORE:
                break
        return best
    best = math.inf
    for move in game.moves(s):
        best = min(best, minimax_until_won(game, game.result(s, move), depth - 1))
        if best <= game.MINSCORE:
            break
    return best


def negamax(game, s, depth, color):
    """The value of s for the player to move: Max if color is 1, Min if color is -1. Players must alternate.

    D. E. Knuth and R. W. Moore 1975, "An analysis of alpha-beta pruning", Artificial Intelligence 6, procedure F.
    """
    if game.terminal(s):
        return color * game.utility(s)
    if depth == 0:
        return color * game.evaluate(s)
    return max(-negamax(game, game.result(s, move), depth - 1, -color) for move in game.moves(s))


def memoized_minimax(game, s, memory):
    """Minimax that searches each position once, for games in which no position can occur again.

    `memory` is an empty dictionary. D. Michie 1968, "Memo functions and machine learning", Nature 218.
    """
    if s not in memory:
        if game.terminal(s):
            memory[s] = game.utility(s)
        else:
            values = [memoized_minimax(game, game.result(s, move), memory) for move in game.moves(s)]
            memory[s] = max(values) if game.player(s) == MAX else min(values)
    return memory[s]


def values_by_dynamic_programming(game, s):
    """The values of s and of all positions that can follow it, computed backward from the terminal positions.

    The game must not allow a position to occur again. R. Bellman 1957, *Dynamic Programming*, chapter 3.
    """
    positions, values = positions_after(game, s), {}
    while len(values) < len(positions):
        for position in reversed(positions):
            if game.terminal(position):
                values[position] = game.utility(position)
                continue
            after = [values.get(game.result(position, move)) for move in game.moves(position)]
            if None not in after:
                values[position] = max(after) if game.player(position) == MAX else min(after)
    return values


def positions_after(game, s):
    """The position s and every position that can follow it, in the order of a breadth-first search."""
    positions = {s: None}
    queue = [s]
    for position in queue:  # the loop also visits positions that it appends
        for move in () if game.terminal(position) else game.moves(position):
            after = game.result(position, move)
            if after not in positions:
                positions[after] = None
                queue.append(after)
    return queue
