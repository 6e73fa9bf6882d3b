"""Exercises: small positions on which two algorithms are compared. The positions are fixed trees, random trees, and
positions near the end of a game."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from gamesearch.game import CHANCE, Game
from gamesearch.registry import load
from gamesearch.toolkit.random_games import after_random_moves, random_game

__all__ = [
    "EXTRA_TURNS", "TREES", "Exercise", "clear_exercises", "exercises", "exercises_for_many",
    "exercises_of", "tree_exercises",
]  # fmt: skip


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
    "[[-3000003,-3000002],[-3000001,-3000004]]",
    "min[[3000001,3000004],[3000003,3000002]]",
    "[[[0.25,0.75],[0.5,1.5]],[[1.25,0.5],[0.75,0.25]]]",
    "[2:[4:[7,1],0.5:[2,3],9:[6,8]],5:[3:[0,9],8,7.5:[5,4]]]",
)
"""Trees with deep cutoffs, with equal, negative, large or fractional values, with estimates, with leaves at different
depths, or with Min at the root.
"""
CHANCE_TREES = (
    "{[3,5],[2,8]}",
    "[{[1,9],[4,2]},{[6,3],[5,5]}]",
    "[{1/4: [7,1], 3/4: [2,6]},[3,9]]",
    "[5,{1/4: [8,9], 3/4: [2,3]},{1/2: [9,7], 1/2: [1,9]}]",
    "min[{1/3: 2, 2/3: 8},{3/4: [1,3], 1/4: [20,12]}]",
    "min[-3,{1/4: 1, 3/4: -9},{1/5: 10, 4/5: -8}]",
    "[5,{[4,-20],[8,9]}]",
    "[{[9,8],[-20,4]},5]",
    "min[5,{[6,30],[2,1]}]",
    "min[{[1,2],[30,6]},5]",
    "[2,[3,{1/4: [[2,9],[1,-5]], 3/4: [[4,3],[7,6]]}],{2/3: [1,-9], 1/3: [7,8]}]",
    "[[6,{[7,30],[3,1]}],[7,{1/3: [8,40], 2/3: [1,5]}]]",
)
"""Trees with chance nodes at the root, below Max and below Min. A faulty search may use a bound as the value of an
outcome. This search computes a wrong mean in the last six trees, and chooses a bad move."""
TREES_FOR_MANY = (
    "[(1,2,6),(4,3,2),(3,5,1)]",
    "[[(1,2,6),(4,3,2)],[(6,1,3),(7,4,1)]]",
    "[[[(1,2,6),(4,3,2)],[(6,1,3),(7,4,1)]],[[(5,6,7),(2,5,8)],[(3,8,4),(8,7,5)]]]",
    "p2[p3[(1,2,6),(4,3,2)],p1[(6,1,3),p1[(7,4,1),(5,9,9)]]]",
    "[[(5,9,0),p1[(5,1,2),(6,2,1)]],[(5,1,3),(0,2,4)]]",
)
"""Trees for three players. No player chooses between two equal best payoffs, because max^n could then return several
values. In the last tree, paranoid search has two cutoffs at a payoff that equals an end of the window."""
CHANCE_TREES_FOR_MANY = (
    "{1/4: [(1,2,6),(4,3,2)], 3/4: [(6,1,3),(7,4,1)]}",
    "[{(1,2,6),(4,3,2)},{1/3: [(6,1,3),(7,4,1)], 2/3: [(2,8,4),(3,6,9)]},(3,5,1)]",
)
RANDOM_TREES = (
    "random_tree(branching=2, depth=5, values=100, seed={})",
    "random_tree(branching=3, depth=4, values=3, seed={})",
    "random_tree(branching=4, depth=3, values=20, seed={})",
    "random_tree(branching=3, depth=4, values=1, seed={})",
)
SEEDS = 4
GAMES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("tictactoe", (2, 4, 0)),
    ("nim(heaps=1-2-3)", (0,)),
    ("connect4(rows=4, columns=4)", (1, 3, 4)),
    ("kalah(pits=3, seeds=2)", (2, 0)),
)
"""Each game is paired with the depths to which its positions are searched. Depth 0 stands for a search to the end."""
CHANCE_GAMES: tuple[tuple[str, tuple[int, ...]], ...] = (
    ("random_tree(branching=2, depth=5, chance=true)", (2, 5)),
    ("pig", (2, 3)),
)
EXTRA_TURNS = ("kalah(pits=3, seeds=2)", "pig")
"""The games of GAMES and CHANCE_GAMES in which a player may move several times in a row."""
RANDOM_CHANCE_TREES = 8
TRANSPOSITIONS = (
    ".../.XX/O..", ".../XO./.X.", "..X/.O./X..", ".X./.../O.X", "XXO/.../.O.",
    ".O./.../OXX", ".O./..X/OX.", "X../X.O/O..", "O.X/.../.X.", ".X./..O/X..",
    ".../O.X/..X", ".XX/.../..O", ".X./XO./...", "..O/XX./...", ".X./X.O/O..",
)  # fmt: skip
"""Positions of tic-tac-toe for which alpha-beta finds a wrong value if it stores bounds as exact values. The positions
are chosen from 1,008 positions with five or six empty squares. Many variants of alpha-beta with this fault were tested:
fail-soft and fail-hard, four orders of moves, and tables with and without the depth in the key. Each variant fails for
at least three of the chosen positions."""
DEPTHS_MATTER = (("1,4", 4), ("3,3", 5), ("1,5 min", 4), ("3,3 min", 4))
"""Positions of Nim, each with a depth. A search to this depth finds a wrong value if it stores values without their
depth."""
CLEAR = {
    "": ("[3,12,8]", "min[3,12,8]", "[[5,1],[4,4]]", "min[[1,5],[2,2]]", "[[9,1],[7,6],[8,2]]",
         "min[[[5,1],[2,3]],[[0,4],[1,1]]]", "[[[6,1],[2,3]],[[9,8],[7,9]]]"),
    "tictactoe": ("XX./OO./...", "XX./OO./X..", "..X/.O./.XO", "OX./.O./X..", "XX./OOX/...", "XO./O.X/.X."),
    "nim": ("1,2", "1,2 min", "1,1,2", "1,1,2 min"),
}  # fmt: skip
"""Trees and positions of games, each with a single best move. The best move also has by far the best average payoff in
random games. Some trees have another best move if Min helps Max."""
TREE_DEPTHS = (0, 2, 3)
POSITIONS = 4  # the number of positions of each game: the start, and positions from random games
FEW_LEFT = 6
"""If a position of an exercise is searched to the end of the game, it comes from a random game, this number of
decisions before the end."""
MANY_GAMES = 10  # the number of random games from which the longest game is chosen
MOST_PLIES = 300


@dataclass(frozen=True)
class Exercise:
    """A position, and the depth to which it is searched."""

    group: str  # the name of the group of exercises, as shown to users
    game: Game
    state: Any
    depth: int | None  # the depth in plies; None to search to the end of the game


def exercises(
    seed: int, with_depths: bool, with_chance: bool = False, follows_turns: bool = False
) -> Iterator[Exercise]:
    """Yield exercises that are searched to the end of the game. If `with_depths` is true, also yield exercises that are
    searched to a given depth. If `with_chance` is true, also yield exercises with chance nodes.

    If `follows_turns` is true, games in which a player may move several times in a row are omitted.
    """
    for text in TREES:
        yield from tree_exercises("trees", text, with_depths)
    for text in RANDOM_TREES:
        for number in range(SEEDS):
            yield from tree_exercises("random trees", text.format(seed * SEEDS + number), with_depths)
    for name, depths in GAMES:
        if not (follows_turns and name in EXTRA_TURNS):
            yield from exercises_of(name, [depth for depth in depths if with_depths or depth == 0], seed)
    for position in TRANSPOSITIONS:
        yield Exercise("transpositions", *load("tictactoe").setup(position), None)
    for position, depth in DEPTHS_MATTER if with_depths else ():
        yield Exercise("transpositions", *load("nim").setup(position), depth)
    if with_chance:
        source = random.Random(seed)
        for text in (*CHANCE_TREES, *(chance_tree(source) for _ in range(RANDOM_CHANCE_TREES))):
            yield from tree_exercises("trees with chance", text, with_depths)
        for name, depths in CHANCE_GAMES:
            if not (follows_turns and name in EXTRA_TURNS):
                yield from exercises_of(name, depths if with_depths else (), seed)


def chance_tree(source: random.Random, plies: int = 5) -> str:
    """The text of a random tree in which a chance node follows every move."""
    if plies == 0:
        return str(source.randrange(-9, 30))
    below = [chance_tree(source, plies - 1) for _ in range(source.choice((2, 2, 3)))]
    if plies % 2:
        return f"[{','.join(below)}]"
    shares = [source.randrange(1, 5) for _ in below]
    return f"{{{','.join(f'{share}/{sum(shares)}: {text}' for share, text in zip(shares, below, strict=True))}}}"


def exercises_for_many(with_depths: bool, seed: int, with_chance: bool = False) -> Iterator[Exercise]:
    """Yield exercises on trees for three players. If `with_chance` is true, some of these trees have chance nodes."""
    source = random.Random(seed)
    for text in (*TREES_FOR_MANY, *(tree_for_many(source) for _ in range(SEEDS))):
        yield from tree_exercises("trees for three players", text, with_depths)
    for text in CHANCE_TREES_FOR_MANY if with_chance else ():
        yield from tree_exercises("chance trees for three players", text, with_depths)


def clear_exercises() -> Iterator[Exercise]:
    """Yield an exercise for each position in CLEAR. The exercises are for algorithms that compare average payoffs of
    random games."""
    for name, positions in CLEAR.items():
        for position in positions:
            game, state = load(name).setup(position) if name else load(position).setup("")
            yield Exercise(name or "trees", game, state, None)


def tree_for_many(source: random.Random) -> str:
    """The text of a random tree for three players, in which all payoffs of a player are different."""
    trees = [str(payoffs) for payoffs in zip(*(source.sample(range(50), 16) for _ in range(3)), strict=True)]
    while len(trees) > 1:
        trees = [f"[{','.join(trees[i : i + 2])}]" for i in range(0, len(trees), 2)]
    return trees[0]


def tree_exercises(group: str, text: str, with_depths: bool) -> Iterator[Exercise]:
    """Yield an exercise that searches a tree to its leaves. If `with_depths` is true, also yield depth-limited
    exercises."""
    game = load(text)
    for depth in TREE_DEPTHS if with_depths else (0,):
        yield Exercise(group, game, game.initial(), depth or None)


def exercises_of(name: str, depths: Sequence[int], seed: int) -> Iterator[Exercise]:
    """Yield exercises on positions of a game for each depth; depth 0 stands for positions near the end."""
    game, source = load(name), random.Random(seed)
    for depth in depths:
        for number in range(POSITIONS):
            state = after_random_moves(game, number, source)[1] if depth else late_state(game, source)
            yield Exercise(name, game, state, depth or None)


def late_state(game: Game, source: random.Random) -> Any:
    """A state a few plies before the end of a long random game. A search from this state to the end is short."""
    longest: list[Any] = []
    for _ in range(MANY_GAMES):
        played = islice(random_game(game, game.initial(), source), MOST_PLIES)
        longest = max(longest, [s for s, _ in played if game.player(s) != CHANCE], key=len)
    return longest[-min(len(longest), FEW_LEFT)]
