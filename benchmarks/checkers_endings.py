"""Count how often players keep the value of 200 solved endings of checkers with two or three pieces.

The positions are random, but always the same. Each position has two or three pieces on legal squares. Each piece is a
king with probability 1/2, both sides have at least one piece, and either side is to move. In each position, some legal
move gives away a win or a draw. A move is right if it keeps the value.
"""

import random
from collections.abc import Iterator

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search, solve
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.games._shared.draughts_board import Position
from gamesearch.registry import load

POSITIONS, SEED, NODES = 200, 1, 10_000
MOST_PIECES = 3
SQUARES = 32
ALPHABETA = "alphabeta(table=true, order=game+killer+history, bounds=true, endgame=true, deepen=true, paths=practical)"


def endings(game: Game[Position]) -> Iterator[Position]:
    """An endless sequence of random positions. Every position has at least two moves."""
    source, seen = random.Random(SEED), set[str]()
    while True:
        pieces = source.randint(2, MOST_PIECES)
        squares = source.sample(range(1, SQUARES + 1), pieces)
        sides = [source.choice("WB") for _ in squares]
        names = [("K" if source.random() < 0.5 else "") + str(square) for square in squares]
        white, black = (
            ",".join(name for name, side in zip(names, sides, strict=True) if side == colour) for colour in "WB"
        )
        text = f"{source.choice('WB')}:W{white}:B{black}"
        if not white or not black or text in seen:
            continue
        seen.add(text)
        try:
            s = game.parse(text)
        except GamesearchError:  # a man on the last row
            continue
        if not game.terminal(s) and len(game.steps(s)) > 1:
            yield s


def suite(game: Game[Position]) -> list[tuple[Position, frozenset[int]]]:
    """The positions in which some move is wrong, each with the set of its right moves."""
    found: list[tuple[Position, frozenset[int]]] = []
    for s in endings(game):
        solution = solve(game, s)
        right = frozenset(each.move for each in solution.moves if each.value == solution.value)
        if len(right) < len(solution.moves):
            found.append((s, right))
        if len(found) == POSITIONS:
            return found
    return found


def main() -> None:
    """Print for each player the number of endings in which it chooses a right move."""
    game = load("checkers")
    positions = suite(game)
    players = {"pvs": "pvs(paths=practical)", "alpha-beta": ALPHABETA}
    for name, algorithm in zip(players, map(load_algorithm, players.values()), strict=True):
        right = sum(search(game, s, algorithm, limits=Limits(nodes=NODES)).best in moves for s, moves in positions)
        print(f"checkers, {POSITIONS} endings, {NODES:,} nodes: {right} played right by {name}", flush=True)
