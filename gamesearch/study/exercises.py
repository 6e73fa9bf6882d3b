"""Small positions on which one algorithm is compared with another: trees typed in, random trees, the ends of games."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch.game import CHANCE, Game
from gamesearch.registry import load
from gamesearch.study.random_moves import after_random_moves

__all__ = ["Exercise", "exercises", "exercises_of"]

TREES = (
    "[[3,12,8],[2,4,6],[14,5,2]]",
    "[[5,6],[7,4],[3,9]]",
    "min[[3,5],[6,9],[1,2]]",
    "[[1,1],[1,1]]",
    "[[0,-1],[-2,0],[0,0]]",
    "[4,[7,2],9,[8,6]]",
    "[[[[1,2],[3,4]],[[8,9],[7,6]]],[[[5,4],[3,2]],[[1,0],[9,8]]]]",
    "[[[5,[2,8]],[[6,1],7]],[[[3,9],4],[[2,2],[8,1]]],[[[7,7],[6,5]],3]]",
    "[[[[6]]]]",
    "[[[3],[9,[1,7]]],[[4,[8,[2,5]]]]]",
)
"""Trees with deep cutoffs, equal values, negative ones, leaves at every depth, and Min to move first."""
CHANCE_TREES = ("{[3,5],[2,8]}", "[{[1,9],[4,2]},{[6,3],[5,5]}]", "[{1/4: [7,1], 3/4: [2,6]},[3,9]]")
RANDOM_TREES = (
    "random_tree(branching=2, depth=5, values=100, seed={})",
    "random_tree(branching=3, depth=4, values=3, seed={})",
    "random_tree(branching=4, depth=3, values=20, seed={})",
    "random_tree(branching=3, depth=4, values=1, seed={})",
)
SEEDS = 4
"""How many random trees of each kind there are."""
GAMES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("tictactoe", (2, 4, 0)),
    ("nim(heaps=1-2-3)", (0,)),
    ("connect4(rows=4, columns=4)", (1, 3, 4)),
)
"""Games with the depths that positions of them are searched to; 0 stands for the end of the game."""
CHANCE_GAMES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("random_tree(branching=2, depth=5, chance=true)", (2, 5)),
    ("pig", (2, 3)),
)
TREE_DEPTHS = (0, 2, 3)
POSITIONS = 4
"""How many positions of a game are taken, the start and others from random games."""
FEW_LEFT = 6
"""How many plies before their end random games are searched from: a search to the end is then interesting and short."""
MANY_GAMES = 10
"""Of so many random games the longest is taken."""
MOST_PLIES = 300
"""A random game is stopped after so many plies."""


@dataclass(frozen=True)
class Exercise:
    """A position, and how deep to search it."""

    group: str
    """What the user is told that it belongs to."""
    game: Game[Any]
    state: Any
    depth: int | None
    """None to search to the end of the game."""


def exercises(with_depths: bool, with_chance: bool, seed: int) -> Iterator[Exercise]:
    """The positions for an algorithm: to the end of the game, to some depths too, and with chance nodes."""
    for text in TREES:
        yield from in_tree("trees", text, with_depths)
    for text in RANDOM_TREES:
        for number in range(SEEDS):
            yield from in_tree("random trees", text.format(seed * SEEDS + number), with_depths)
    for name, depths in GAMES:
        yield from exercises_of(name, [depth for depth in depths if with_depths or depth == 0], seed)
    if with_chance:
        for text in CHANCE_TREES:
            yield from in_tree("trees with chance", text, with_depths)
        for name, depths in CHANCE_GAMES:
            yield from exercises_of(name, depths if with_depths else (), seed)


def in_tree(group: str, text: str, with_depths: bool) -> Iterator[Exercise]:
    """The root of a tree, to the end and to some depths."""
    game = load(text)
    for depth in TREE_DEPTHS if with_depths else (0,):
        yield Exercise(group, game, game.initial(), depth or None)


def exercises_of(name: str, depths: Sequence[int], seed: int) -> Iterator[Exercise]:
    """Positions of a game to some depths: for searches to the end, such as are near to it."""
    game, source = load(name), random.Random(seed)
    for depth in depths:
        for number in range(POSITIONS):
            state = after_random_moves(game, number, source)[1] if depth else late_state(game, source)
            yield Exercise(name, game, state, depth or None)


def late_state(game: Game[Any], source: random.Random) -> Any:
    """A state a few plies before the end of a long random game, so that a search to the end is short."""
    longest: list[Any] = []
    for _ in range(MANY_GAMES):
        path = [game.initial()]
        while not game.terminal(path[-1]) and len(path) < MOST_PLIES and (steps := game.steps(path[-1])):
            path.append(game.result(path[-1], source.choice(steps)))
        decisions = [s for s in path if not game.terminal(s) and game.player(s) != CHANCE]
        longest = max(longest, decisions, key=len)
    return longest[-min(len(longest), FEW_LEFT)]
