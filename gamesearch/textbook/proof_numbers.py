"""Proof-number search, which proves whether Max can win.

L. V. Allis, M. van der Meulen and H. J. van den Herik 1994, "Proof-number search", Artificial Intelligence 66.
"""

import math

from gamesearch import MAX

__all__ = ["proof_number_search"]


def proof_number_search(game, s):
    """Whether Max can win from s. Each step of the search expands the most-proving leaf."""
    root = new_node(game, s)
    while root["proof"] > 0 and root["disproof"] > 0:
        path = [root]
        while path[-1]["children"]:
            here = path[-1]
            number = "proof" if here["is_or"] else "disproof"
            path.append(min(here["children"], key=lambda child: child[number]))
        leaf = path[-1]
        leaf["children"] = [new_node(game, game.result(leaf["state"], m)) for m in game.moves(leaf["state"])]
        for node in reversed(path):
            set_numbers(node)
    return root["proof"] == 0


def new_node(game, s):
    """A leaf. It is proven if Max has won, and disproven if the game has ended without a win for Max. If the game goes
    on, its proof number and its disproof number are 1."""
    is_over = game.terminal(s)
    is_won = is_over and game.utility(s) == game.MAXSCORE
    proof, disproof = (0, math.inf) if is_won else (math.inf, 0) if is_over else (1, 1)
    is_or = not is_over and game.player(s) == MAX
    return {"state": s, "is_or": is_or, "proof": proof, "disproof": disproof, "children": []}


def set_numbers(node):
    """Set the numbers of a node from its children. The proof number of an OR node is the minimum of its children's
    proof numbers, and its disproof number is the sum of their disproof numbers. For an AND node, proof numbers are
    added, and the minimum of the disproof numbers is taken."""
    one, every = ("proof", "disproof") if node["is_or"] else ("disproof", "proof")
    node[one] = min(child[one] for child in node["children"])
    node[every] = sum(child[every] for child in node["children"])
