"""Gomoku on 15x15: positions from self-play in which a series of fours wins in at least five moves (nine plies).

`python -m benchmarks.fours --make` plays games and writes such positions into `benchmarks/fours.txt`. Without `--make`,
proof-number search and alpha-beta each find the number of moves to the win. Both search the game `Fours`, in which
the attacker must make fours. `proof(attack=forcing)` proves the win in gomoku itself, against all replies.
"""

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gamesearch
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher, search_with
from gamesearch.games.connecting.gomoku import Gomoku, Position
from gamesearch.solvers.proof.mates import forced_win
from gamesearch.solvers.solving import solve
from gamesearch.toolkit.bits import low_bit_index

__all__ = ["FILE", "Fours", "Win", "main", "read_wins"]

FILE = Path(__file__).with_name("fours.txt")
COUNT, FEWEST, MOST = 30, 5, 9
"""The number of positions in the file, and the least number of moves to a win."""
PLAYER = "alphabeta(depth=1)"
FINDER = "alphabeta(deepen=true, table=true, memory=4, order=killer+history)"
NODES = 20_000
"""The node limit for a position of self-play."""
OPENING, LONGEST = 6, 70
"""The number of random moves near the middle of the board, and the greatest number of plies of a game."""


class Fours(Gomoku):
    """Gomoku in which Max must make a four with each stone, and Min must stop it. Without such a move, the game ends
    undecided.

    If Max wins this game, Max also wins in gomoku, because every other reply to a four loses immediately.
    """

    def moves(self, s: Position) -> Iterator[int]:
        """Yield the winning cells. If no cell wins, yield the cells that Min must occupy, or the cells that make a four
        for Max."""
        cells = self.forced_cells(s)
        while cells != 0:
            cell = cells & -cells
            cells ^= cell
            yield low_bit_index(cell)

    def forced_cells(self, s: Position) -> int:
        """The cells of the moves."""
        mine, theirs = self.own_stones(s), self.other_stones(s)
        winning, stopping = self.completing_cells(mine, theirs, 1), self.completing_cells(theirs, mine, 1)
        if winning != 0:
            return winning
        if s.turn != gamesearch.MAX:
            return stopping
        fours = self.completing_cells(mine, theirs, 2)
        return fours & stopping if stopping != 0 else fours

    def terminal(self, s: Position) -> bool:
        """Whether the game of gomoku is over, or the player to move cannot make or stop a four."""
        return super().terminal(s) or self.forced_cells(s) == 0

    def bounds(self, s: Position) -> tuple[float, float]:  # noqa: ARG002
        """The widest bounds. Gomoku proves narrower bounds from open threes, which do not count here."""
        return -1.0, 1.0


class Win(NamedTuple):
    """A position that is won by fours, and the number of moves that the winner needs."""

    position: str
    moves: int
    line: str


def read_wins() -> list[Win]:
    """The positions in `fours.txt`."""
    rows = [line.split("\t") for line in FILE.read_text().splitlines() if not line.startswith("#")]
    return [Win(position, int(moves), line) for position, moves, line in rows]


def find_wins(count: int) -> Iterator[Win]:
    """Positions that are won by fours, at most one per game. Alpha-beta finds the wins, and proof numbers confirm
    them."""
    game, number = gamesearch.load("gomoku"), 0
    finder = Searcher(Fours(), load_algorithm(FINDER))
    while count:
        s = position_won_by_fours(game, number, finder)
        number += 1
        if s is None:
            continue
        won = forced_win(finder.game, as_max(s), MOST)
        if won.moves is not None and won.moves >= FEWEST:
            count -= 1
            yield Win(game.format(s), won.moves, " ".join(names(game, s, won.line)))


def position_won_by_fours(game: Any, number: int, finder: Searcher) -> Position | None:
    """The first position of a game that is won by fours, but not too soon; None if the game has no such position."""
    source, s = random.Random(number), game.initial()
    with Searcher(game, load_algorithm(PLAYER)) as searcher:
        for ply in range(LONGEST):
            if game.terminal(s):
                return None
            if ply >= OPENING and not finder.game.terminal(as_max(s)):
                found = finder.search(as_max(s), Limits(depth=2 * MOST - 1, nodes=NODES))
                if found.value == 1 and (found.distance or 0) >= 2 * FEWEST - 1:
                    return s  # type: ignore[no-any-return]
            near = [move for move in game.moves(s) if max(abs(move % 16 - 7), abs(move // 16 - 7)) < 4]
            s = game.result(s, source.choice(near) if ply < OPENING else searcher.search(s).best)
    return None


def as_max(s: Position) -> Position:
    """The same position with Max to move: if Min is to move, the sides are exchanged."""
    return s if s.turn == gamesearch.MAX else Position(s.noughts, s.crosses, s.min_pairs, s.max_pairs, gamesearch.MAX)


def names(game: Any, s: Any, line: tuple[int, ...]) -> Iterator[str]:
    """The names of the moves in a line of play."""
    for move in line:
        yield game.move_name(s, move)
        s = game.result(s, move)


def by_alphabeta(attack: Fours, s: Position, moves: int) -> tuple[bool, int]:
    """Whether alpha-beta finds a win within a number of moves, and the nodes that it takes."""
    algorithm = load_algorithm(FINDER)
    found = search_with(attack, s, algorithm, Limits(depth=2 * moves - 1))
    return found.value == 1, found.statistics.nodes


def main() -> None:
    """Print how many positions the searches solve differently, and the nodes and seconds of each search."""
    game, attack = gamesearch.load("gomoku"), Fours()
    searches = ("proof", "alpha-beta", "forcing")
    nodes, seconds = dict.fromkeys(searches, 0), dict.fromkeys(searches, 0.0)
    differing, wins = 0, read_wins()
    for win in wins:
        s = as_max(game.parse(win.position))
        begun = time.perf_counter()
        proof = forced_win(attack, s, MOST)
        between = time.perf_counter()
        in_time, first = by_alphabeta(attack, s, win.moves)
        sooner, second = by_alphabeta(attack, s, win.moves - 1)
        after = time.perf_counter()
        forcing = solve(game, game.parse(win.position), "proof(attack=forcing)")
        differing += proof.moves != win.moves or not in_time or sooner or abs(forcing.value) != 1
        for name, taken, spent in zip(
            searches,
            (proof.nodes, first + second, forcing.positions),
            (between - begun, after - between, time.perf_counter() - after),
            strict=True,
        ):
            nodes[name] += taken
            seconds[name] += spent
    lengths = sorted(win.moves for win in wins)
    print(f"{len(wins)} positions won by fours in {lengths[0]} to {lengths[-1]} moves; {differing} different results")
    for name, taken in nodes.items():
        print(f"  {name:10} {taken:>12,} nodes {seconds[name]:>8.2f} s, including compilation")


def make() -> None:
    """Write the file of positions."""
    with FILE.open("w") as file:
        file.write(
            "# Positions of gomoku that are won by fours; written by benchmarks.fours --make. "
            "Each line: position, number of moves of the winner, line of play\n"
        )
        for win in find_wins(COUNT):
            print(*win, sep="\t", file=file, flush=True)


if __name__ == "__main__":
    from benchmarks import fours  # each run would compile the rules of a class in `__main__` again

    if "--make" in sys.argv:
        fours.make()
    fours.main()
