"""Count the nodes that Star1 and Star2 save in trees with chance nodes, and check that the values stay the same."""

import math

from gamesearch.api import search
from gamesearch.registry import load

SEARCHES = (
    ("pig", "57,42,11", 12),
    ("backgammon", "4HPwATDgc/ABMA max 31", 5),
    ("random_tree(branching=4, depth=8, chance=true)", "", 8),
    ("random_tree(branching=8, depth=5, chance=true)", "", 5),
    ("random_tree(branching=16, depth=4, chance=true)", "", 4),
)
"""Game, position and depth."""


def main() -> None:
    """Print the nodes of each kind of pruning, and the share that it saves."""
    print(f"{'game':48} {'depth':>5} {'no pruning':>12} {'star1':>12} {'saves':>6} {'star2':>12} {'saves':>6}")
    for text, position, depth in SEARCHES:
        game, state = load(text).setup(position)
        found = [
            search(game, state, f"expectiminimax(depth={depth}, order=game, pruning={pruning})")
            for pruning in ("none", "star1", "star2")
        ]
        assert all(math.isclose(each.value, found[0].value, abs_tol=1e-9) for each in found), text  # type: ignore[arg-type]
        all_nodes, star1, star2 = (each.statistics.nodes for each in found)
        saved = [f"{1 - nodes / all_nodes:.0%}" for nodes in (star1, star2)]
        print(f"{text:48} {depth:5} {all_nodes:12,} {star1:12,} {saved[0]:>6} {star2:12,} {saved[1]:>6}", flush=True)
    print("all values are the same")
