"""The sizes of games, measured or published: moves per position, plies per game, positions, and the game tree."""

import math
import random
from dataclasses import dataclass
from typing import Any

from gamesearch.game import CHANCE, Game
from gamesearch.registry import game_names, load

__all__ = ["RandomGameMeans", "Size", "measure_size", "published_sizes"]

ALLIS = "Allis 1994, Searching for Solutions in Games and Artificial Intelligence, ch. 6"
HERIK = "van den Herik et al. 2002, Games solved: now and in the future, Artificial Intelligence 134"
MOST_PLIES = 600


@dataclass(frozen=True)
class Size:
    """The published size of a game; numbers of positions and of nodes are exact numbers or powers of ten."""

    branching: float | None = None
    plies: float | None = None
    positions: str = ""
    tree: str = ""
    source: str = ""


@dataclass(frozen=True)
class RandomGameMeans:
    """The means over random games."""

    games: int
    branching: float
    plies: float

    @property
    def tree(self) -> str:
        """The number of leaves of a uniform tree with these means, as a power of ten."""
        digits = 0.0 if self.branching <= 1 else self.plies * math.log10(self.branching)
        return f"10^{digits:.0f}"


PUBLISHED = {
    "backgammon": Size(positions="10^20", source="Tesauro 1995, Temporal difference learning and TD-Gammon, CACM 38"),
    "checkers": Size(2.8, 70, "5*10^20", "10^31", f"{ALLIS}; positions: Schaeffer et al. 2007, Science 317"),
    "chess": Size(35, 80, "10^46", "10^123", ALLIS),
    "connect4": Size(4, 36, "4,531,985,219,092", "10^21", f"{ALLIS}; positions: Edelkamp & Kissmann 2008"),
    "draughts": Size(4, 90, "10^30", "10^54", ALLIS),
    "go": Size(250, 150, "10^172", "10^360", f"{ALLIS}, on 19 by 19"),
    "gomoku": Size(210, 30, "10^105", "10^70", f"{ALLIS}, on 15 by 15"),
    "hex": Size(None, None, "10^57", "10^98", f"{HERIK}, on 11 by 11"),
    "kalah": Size(None, None, "10^13", "10^18", f"{HERIK}, for 6 pits and 4 seeds"),
    "morris": Size(10, 50, "10^10", "10^50", ALLIS),
    "othello": Size(10, 58, "10^28", "10^58", ALLIS),
}
"""The published sizes of games by name."""


def published_sizes() -> dict[str, Size]:
    """The sizes of all games that are published or known exactly, by name."""
    found = {}
    for name in game_names():
        size = PUBLISHED.get(name)
        exact = next((each for each in type(load(name)).known if each.positions and not each.parameters), None)
        if size is None and exact is not None and not exact.position:
            tree = f"{exact.nodes:,}" if exact.nodes else ""
            size = Size(positions=f"{exact.positions:,}", tree=tree, source=exact.source)
        if size is not None:
            found[name] = size
    return found


def measure_size(game: Game, games: int, seed: int = 1) -> RandomGameMeans:
    """Measure random games: the mean number of moves or outcomes of a position, and the mean length of a game.

    Each game is stopped after 600 plies at the latest.
    """
    moves = positions = 0
    for number in range(games):
        source, past = random.Random(f"{seed} {number}"), list[Any]()
        s = game.initial()
        while len(past) < MOST_PLIES and not game.terminal(s) and (steps := game.steps(s, past)):
            moves, positions = moves + len(steps), positions + 1
            if game.player(s) == CHANCE:
                odds = dict(game.outcomes(s))
                chosen = source.choices(steps, [odds[step] for step in steps])[0]
            else:
                chosen = source.choice(steps)
            past.append(s)
            s = game.result(s, chosen)
    return RandomGameMeans(games, moves / max(1, positions), positions / games)
