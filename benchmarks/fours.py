"""Gomoku on 15 by 15: positions from self-play that are won by fours alone, in five moves or more (nine plies).

`python -m benchmarks.fours --make` plays games and writes the positions into `benchmarks/fours.txt`; without it, proof
numbers and alpha-beta, which share no code but the rules, each find how soon the positions there are won.
"""

import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gamesearch
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.parts.result import Limits
from gamesearch.algorithms.parts.searcher import Searcher, search_with
from gamesearch.bits import low_bit_index
from gamesearch.games.gomoku.position import Position
from gamesearch.games.gomoku.rules import Gomoku
from gamesearch.solvers.mates import forced_win

__all__ = ["FILE", "Fours", "Win", "main", "read_wins"]

FILE = Path(__file__).with_name("fours.txt")
COUNT, FEWEST, MOST = 30, 5, 9
"""How many positions are wanted, and in how many moves they are won."""
PLAYER = "alphabeta(depth=2, table=true, order=game+killer+history)"
OPENING, LONGEST = 6, 70
"""How many moves are drawn by lot near the middle, and after how many plies a game is given up."""


class Fours(Gomoku):
    """Gomoku in which one side makes a four with each stone or ends the game undecided, and the other must stop it.

    Whoever wins as this side wins in gomoku, where to do anything else against a four loses at once.
    """

    def __init__(self, attacker: int = gamesearch.MAX) -> None:
        super().__init__()
        self.attacker = attacker

    def moves(self, s: Position) -> Iterator[int]:
        """The cells that win; else those that must be taken against a four, and the attacker's that make one."""
        cells = self.forced(s)
        while cells != 0:
            cell = cells & -cells
            cells ^= cell
            yield low_bit_index(cell)

    def forced(self, s: Position) -> int:
        """The cells of the moves."""
        mine, theirs = self.mine(s), self.theirs(s)
        winning, stopping = self.completing(mine, theirs, 1), self.completing(theirs, mine, 1)
        if winning != 0:
            return winning
        if s.turn != self.attacker:
            return stopping
        fours = self.completing(mine, theirs, 2)
        return fours & stopping if stopping != 0 else fours

    def terminal(self, s: Position) -> bool:
        """Whether gomoku is over, or there is no such move."""
        return super().terminal(s) or self.forced(s) == 0

    def bounds(self, s: Position) -> tuple[float, float]:  # noqa: ARG002
        """Nothing is certain, as open threes are no threats here."""
        return -1.0, 1.0


class Win(NamedTuple):
    """A position that is won by fours, and in how many moves of the winner."""

    position: str
    moves: int
    line: str


def read_wins() -> list[Win]:
    """The positions of the file."""
    rows = [line.split("\t") for line in FILE.read_text().splitlines() if not line.startswith("#")]
    return [Win(position, int(moves), line) for position, moves, line in rows]


def found_wins(count: int) -> Iterator[Win]:
    """Positions with such wins: the first of each game of self-play that has one."""
    game, attacks = gamesearch.load("gomoku"), [Fours(gamesearch.MAX), Fours(gamesearch.MIN)]
    algorithm, number = load_algorithm(PLAYER), 0
    while count:
        source, s = random.Random(number), game.initial()
        number += 1
        with Searcher(game, algorithm) as searcher:
            for ply in range(LONGEST):
                if game.terminal(s):
                    break
                attack = attacks[game.player(s)]
                if ply >= OPENING and not attack.terminal(s):
                    won = forced_win(attack, s, MOST)
                    if won.moves is not None:
                        if won.moves >= FEWEST:
                            count -= 1
                            yield Win(game.format(s), won.moves, " ".join(names(game, s, won.line)))
                        break
                near = [move for move in game.moves(s) if max(abs(move % 16 - 7), abs(move // 16 - 7)) < 4]
                s = game.result(s, source.choice(near) if ply < OPENING else searcher.search(s).best)


def names(game: Any, s: Any, line: tuple[int, ...]) -> Iterator[str]:
    """The names of the moves of a line."""
    for move in line:
        yield game.move_name(s, move)
        s = game.result(s, move)


def by_alphabeta(attack: Fours, s: Position, moves: int) -> tuple[bool, int]:
    """Whether alpha-beta finds a win in so many moves, and the nodes that it takes."""
    algorithm = load_algorithm("alphabeta(table=true, order=killer+history)")
    found = search_with(attack, s, algorithm, Limits(depth=2 * moves - 1))
    won = attack.MAXSCORE if attack.attacker == gamesearch.MAX else attack.MINSCORE
    return found.value == won, found.statistics.nodes


def main() -> None:
    """Print how soon each position is won by both searches, and what they take."""
    game, attacks = gamesearch.load("gomoku"), [Fours(gamesearch.MAX), Fours(gamesearch.MIN)]
    nodes, seconds = {"proof": 0, "alpha-beta": 0}, {"proof": 0.0, "alpha-beta": 0.0}
    differing, wins = 0, read_wins()
    for win in wins:
        s = game.parse(win.position)
        attack = attacks[game.player(s)]
        begun = time.perf_counter()
        proof = forced_win(attack, s, MOST)
        between = time.perf_counter()
        in_time, first = by_alphabeta(attack, s, win.moves)
        sooner, second = by_alphabeta(attack, s, win.moves - 1)
        differing += proof.moves != win.moves or not in_time or sooner
        nodes = {"proof": nodes["proof"] + proof.nodes, "alpha-beta": nodes["alpha-beta"] + first + second}
        seconds["proof"] += between - begun
        seconds["alpha-beta"] += time.perf_counter() - between
    lengths = sorted(win.moves for win in wins)
    print(f"{len(wins)} positions won by fours in {lengths[0]} to {lengths[-1]} moves; {differing} are found otherwise")
    for name, taken in nodes.items():
        print(f"  {name:10} {taken:>12,} nodes {seconds[name]:>8.2f} s, with what it takes to compile")


if __name__ == "__main__":
    if "--make" in sys.argv:
        heading = (
            "# Gomoku won by fours alone: position, moves of the winner, line; python -m benchmarks.fours --make\n"
        )
        FILE.write_text(heading + "".join("\t".join(map(str, win)) + "\n" for win in found_wins(COUNT)))
    main()
