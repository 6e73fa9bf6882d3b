"""Monte Carlo search: random playouts and UCT.

B. Brügmann 1993, "Monte Carlo Go"; L. Kocsis and C. Szepesvári 2006, "Bandit based Monte-Carlo planning", ECML-06.
"""

import math

from gamesearch import MAX

__all__ = ["flat_monte_carlo", "playout", "uct"]


def playout(game, s, source):
    """The payoff for Max at the end of a random game; `source` is a `random.Random`."""
    while not game.terminal(s):
        s = game.result(s, source.choice(list(game.moves(s))))
    return game.utility(s)


def flat_monte_carlo(game, s, playouts, source):
    """The move with the best mean payoff. Each move is tried in `playouts` random games that begin with this move."""
    means = {
        move: sum(playout(game, game.result(s, move), source) for _ in range(playouts)) / playouts
        for move in game.moves(s)
    }
    return max(means, key=means.get) if game.player(s) == MAX else min(means, key=means.get)


def uct(game, s, playouts, exploration, source):
    """The move that UCT visits most often (Russell and Norvig, 4th edition, figure 5.11, with the formula UCB1)."""
    visits, totals, children = {s: 0}, {s: 0.0}, {}

    def upper_bound(parent, child):
        mean = totals[child] / visits[child] * (1 if game.player(parent) == MAX else -1)
        return mean + exploration * math.sqrt(math.log(visits[parent]) / visits[child])

    for _ in range(playouts):
        path = [s]
        while path[-1] in children:  # selection
            parent = path[-1]
            new = [child for child in children[parent] if child not in visits]
            path.append(new[0] if new else max(children[parent], key=lambda child: upper_bound(path[-1], child)))
            if new:
                break
        leaf = path[-1]
        if not game.terminal(leaf):  # expansion
            children.setdefault(leaf, [game.result(leaf, move) for move in game.moves(leaf)])
        value = playout(game, leaf, source)  # simulation
        for state in path:  # back-propagation
            visits[state] = visits.get(state, 0) + 1
            totals[state] = totals.get(state, 0.0) + value
    return max(game.moves(s), key=lambda move: visits.get(game.result(s, move), 0))
