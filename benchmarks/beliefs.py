"""Compare best-first search and beliefs with alpha-beta: `python -m benchmarks.beliefs --games 40`.

All algorithms play with the same number of nodes, and then with the same time. On random trees, the benchmark prints
how much the chosen moves lose. In games, it prints the share of points, and the time relative to alpha-beta. On a busy
machine, the relative time can differ from 1 even if both players have the same time limit, because a search needs some
time to start and to stop.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search, searcher
from gamesearch.game import MAX, MIN, Game
from gamesearch.games.trees.random_tree import scramble
from gamesearch.play.matches.elo import Pairs
from gamesearch.play.players.loading import suggested_order
from gamesearch.registry import load

__all__ = ["main"]

OPPONENT = "alphabeta(deepen=true, table=true, memory=16)"
"""The algorithms that are compared. In games, the algorithms use the order of moves that the game suggests."""
ALGORITHMS = ("bestfirst(memory=64)", "beliefs(memory=64)", "beliefs(leaves=playouts, memory=64)")
GAMES = ("othello", "kalah", "connect4")
OPENING = 4
"""The number of random plies at the start of each pair of games."""
LIMITS = {"2,000 nodes": Limits(nodes=2_000), "50 ms": Limits(time=0.05)}
TREE_LIMITS = {"100 nodes": Limits(nodes=100), "1,000 nodes": Limits(nodes=1_000), "5 ms": Limits(time=0.005)}
MASK = (1 << 31) - 1
CERTAINTY = 1.96


class Place(NamedTuple):
    """A node: its hash, the number of plies below it, and the sum of the edges on the path to it."""

    node: int
    left: int
    total: int


class IncrementalTree(Game[Place]):
    """A tree with a random number on each edge. The payoff of a leaf is the sum of the edges on its path, so partial
    sums are estimates.

    R. E. Korf and D. M. Chickering measured best-first minimax on trees of this kind.
    """

    win_or_loss = False
    MOST = 10

    def __init__(self, branching: int = 4, depth: int = 9) -> None:
        self.branching, self.depth = branching, depth
        self.MINSCORE, self.MAXSCORE = -self.MOST * depth, self.MOST * depth

    def initial(self) -> Place:
        return Place(1, self.depth, 0)

    def player(self, s: Place) -> int:
        return MAX if (self.depth - s.left) % 2 == 0 else MIN

    def moves(self, s: Place) -> Iterator[int]:  # noqa: ARG002
        for m in range(self.branching):
            yield m

    def result(self, s: Place, m: int) -> Place:
        node = scramble(s.node + (m + 1) * 0x3C6E_F372 & MASK)
        return Place(node, s.left - 1, s.total + scramble(node ^ 0x1234_567) % (2 * self.MOST + 1) - self.MOST)

    def terminal(self, s: Place) -> bool:
        return s.left == 0

    def utility(self, s: Place) -> int:
        return s.total

    def evaluate(self, s: Place) -> int:
        return s.total

    def key(self, s: Place) -> int:
        return s.node * 1000 + s.total


def losses(game: Game, algorithm: str, limits: Limits, roots: Sequence[Any], values: Sequence[Any]) -> str:
    """How much the moves of an algorithm lose on average, and how often it chooses a best move."""
    lost = []
    with searcher(game, algorithm) as kept:
        kept.search(roots[0], Limits(nodes=10))  # to be compiled
        for root, after in zip(roots, values, strict=True):
            lost.append(max(after) - after[kept.search(root, limits).best or 0])
    mean = sum(lost) / len(lost)
    error = math.sqrt(sum((each - mean) ** 2 for each in lost) / len(lost) / len(lost))
    return f"{mean:5.2f} +- {CERTAINTY * error:4.2f} ({sum(each == 0 for each in lost) / len(lost):4.0%} best)"


def measure_trees(count: int) -> None:
    """Measure random trees: print a row for each algorithm, with a column for each limit."""
    game = IncrementalTree()
    roots = [Place(scramble(seed + 1), game.depth, 0) for seed in range(count)]
    values = [
        [search(game, game.result(root, m), "alphabeta(depth=full)").value for m in game.moves(root)] for root in roots
    ]
    print(f"{count} random trees, branching {game.branching}, depth {game.depth}: average loss of the chosen move")
    print(f"  {'':44}" + "".join(f"{name:>30}" for name in TREE_LIMITS))
    for algorithm in (OPPONENT, *ALGORITHMS):
        cells = [losses(game, algorithm, limits, roots, values) for limits in TREE_LIMITS.values()]
        print(f"  {algorithm:44}" + "".join(f"{cell:>30}" for cell in cells), flush=True)


class Match:
    """Games of an algorithm against alpha-beta. The algorithm plays both sides of each opening."""

    def __init__(self, game: Game, algorithm: str, limits: Limits, games: int) -> None:
        self.game, self.limits = game, limits
        self.seconds = {algorithm: 0.0, opponent(game): 0.0}
        self.pairs = Pairs.of(self.pair(opening(game, seed)) for seed in range(games // 2))

    def pair(self, start: Sequence[Any]) -> float:
        """The points of the algorithm in two games."""
        ours, theirs = self.seconds
        first, second = self.payoff(start, (ours, theirs)), -self.payoff(start, (theirs, ours))
        return sum(1.0 if won > 0 else 0.5 if won == 0 else 0.0 for won in (first, second))

    def payoff(self, start: Sequence[Any], sides: tuple[str, str]) -> float:
        """The payoff of a game for Max; `start` ends with the position to play from."""
        game, past = self.game, list(start)
        with searcher(game, sides[MAX]) as one, searcher(game, sides[MIN]) as other:
            while not game.terminal(past[-1]):
                side = game.player(past[-1])
                found = (one, other)[side].search(past[-1], self.limits, past=past[:-1])
                self.seconds[sides[side]] += found.statistics.seconds
                move = found.best if found.best is not None else game.steps(past[-1], past[:-1])[0]
                past.append(game.result(past[-1], move))
        return float(game.utility(past[-1]))

    def __str__(self) -> str:
        ours, theirs = self.seconds.values()
        return f"{self.pairs.share:4.0%} +- {CERTAINTY * self.pairs.error:3.0%} ({ours / theirs:.1f} x)"


def opening(game: Game, seed: int) -> list[Any]:
    """The positions of a random opening, from the initial position on."""
    drawing, past = random.Random(seed), [game.initial()]
    while len(past) <= OPENING:
        past.append(game.result(past[-1], drawing.choice(game.steps(past[-1], past[:-1]))))
    return past


def opponent(game: Game) -> str:
    """Alpha-beta with the settings that `play` uses in a game."""
    return f"{OPPONENT.removesuffix(')')}, order={suggested_order(game)})"


def measure_games(names: Sequence[str], games: int) -> None:
    """Measure games: print a row for each game and algorithm, with a column for each limit."""
    print(f"share of points against alphabeta in {games} games of each two")
    print(f"  {'':46}" + "".join(f"{name:>24}" for name in LIMITS))
    for name in names:
        game = load(name)
        print(f"  {name}: {opponent(game)}")
        for algorithm in (*ALGORITHMS, opponent(game)):
            search(game, game.initial(), algorithm, limits=Limits(nodes=100))  # to be compiled
        for algorithm in ALGORITHMS:
            cells = [str(Match(game, algorithm, limits, games)) for limits in LIMITS.values()]
            print(f"  {name:10}{algorithm:36}" + "".join(f"{cell:>24}" for cell in cells), flush=True)


def main() -> None:
    """Print all results."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("names", nargs="*", metavar="GAME", help=f"by default {', '.join(GAMES)}")
    options.add_argument("--games", type=int, default=40, metavar="N", help="games per pair (an even number, or 0)")
    options.add_argument("--trees", type=int, default=200, metavar="N", help="the number of random trees; 0 for none")
    chosen = options.parse_args()
    if chosen.trees:
        measure_trees(chosen.trees)
    if chosen.games:
        measure_games(chosen.names or GAMES, chosen.games)


if __name__ == "__main__":
    main()
