import math
import random

import pytest

from gamesearch.api import search
from gamesearch.game import Game
from gamesearch.games.trees.tree.rules import Position, Tree
from gamesearch.textbook.many_players import paranoid


def random_tree(source: random.Random, depth: int) -> str:
    if depth == 0 or source.random() < 0.15:
        return "(" + ",".join(str(source.randrange(9)) for _ in range(3)) + ")"
    inside = ",".join(random_tree(source, depth - 1) for _ in range(source.randint(1, 3)))
    return source.choice(["", "", f"p{source.randint(1, 3)}"]) + f"[{inside}]"


def against_all(game: Game[Position], s: Position, one: int) -> float:
    """Return the payoff of player `one` if all others play against that player."""
    value: float = paranoid(game, s, 100, -math.inf, math.inf, one)
    return value


@pytest.mark.parametrize("seed", range(30))
def test_it_finds_the_value_against_a_coalition(seed: int) -> None:
    source = random.Random(seed)
    game = Tree(f"[{random_tree(source, 5)},{random_tree(source, 5)},[(1,2,3)]]")
    start = game.initial()
    for algorithm in ("paranoid", "paranoid(table=true, memory=1, order=killer, deepen=true)"):
        result = search(game, start, algorithm, speed="interpreted", moves=True)
        assert result.value == against_all(game, start, game.player(start))
        assert max(each.value for each in result.moves if isinstance(each.value, float)) == result.value
        for each in result.moves:
            assert each.value == against_all(game, game.result(start, each.move), game.player(start))
