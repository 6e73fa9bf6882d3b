"""The sizes of games, measured or published: moves per position, plies per game, positions, and leaves of the tree."""

import math
import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import comb
from typing import Any

from gamesearch.game import CHANCE, FORBIDDEN, Game
from gamesearch.registry import load

__all__ = ["MEASURED", "MEASURED_GAMES", "Size", "measure_size", "size_of"]

ALLIS = "Allis 1994, Searching for Solutions in Games and Artificial Intelligence, ch. 6"
HERIK = (
    "positions and tree: van den Herik et al. 2002, Games solved: now and in the future, Artificial Intelligence 134"
)
SCHAEFFER = "Schaeffer et al. 2007, Science 317"
EDELKAMP = "positions: Edelkamp & Kissmann 2008"
WIKIPEDIA = "Wikipedia, Board game complexity, as of 2004"
LIST = "a public list of solved games"
"""Secondary sources of the numbers of positions and nodes. The published numbers were compared with these sources,
because the original publications were not available."""
MEASURED_GAMES = 20  # the number of random games that are played to measure a size
MEASURED = f"moves and plies: means of {MEASURED_GAMES} random games"
MOST_PLIES = 600
MOST_POSITIONS = 100_000
LONGEST = 3.0  # counting stops after MOST_POSITIONS positions or LONGEST seconds


@dataclass(frozen=True)
class Size:
    """The size of a game. `positions` and `tree` (the number of leaves or nodes) are exact numbers, powers of ten, or
    bounds."""

    branching: float | None = None
    plies: float | None = None
    positions: str = ""
    tree: str = ""
    source: str = ""


@dataclass(frozen=True)
class RandomGameMeans:
    """The mean number of moves and the mean length of random games."""

    games: int
    branching: float
    plies: float

    @property
    def tree(self) -> str:
        """The size of the game tree, written as a power of ten. The size is b^d if b is the mean branching factor and d
        is the mean number of plies."""
        digits = 0.0 if self.branching <= 1 else self.plies * math.log10(self.branching)
        return f"10^{digits:.0f}"


# Upper bounds of the number of positions. --------------------------------------------------------
def count_stones(cells: int) -> int:
    """The number of possible boards if players take turns placing stones. This is an upper bound on the number of
    positions."""
    return sum(comb(cells, stones) * comb(stones, stones // 2) for stones in range(cells + 1))


AGREES = "positions and tree agree with"
COUNTED = "positions and nodes of the tree: counted by gamesearch"
TESAURO = "Tesauro 1995, Temporal difference learning and TD-Gammon, CACM 38"
PUBLISHED = {
    "backgammon": Size(
        positions="10^20",
        tree="10^144",
        source=f"{TESAURO}; tree from {WIKIPEDIA}, which gives the same number of positions",
    ),
    "buildorder": Size(positions="240,568", tree="368,114", source=COUNTED),
    "checkers": Size(2.8, 70, "5*10^20", "10^31", f"{ALLIS}; positions: {SCHAEFFER}; {AGREES} {WIKIPEDIA}"),
    "chess": Size(35, 80, "10^46", "10^123", f"{ALLIS}; {HERIK}; {AGREES} {WIKIPEDIA}"),
    "connect4": Size(4, 36, "4,531,985,219,092", "10^21", f"{ALLIS}; {EDELKAMP}; tree agrees with {WIKIPEDIA}"),
    "dawson": Size(positions="65", tree="756", source=COUNTED),
    "draughts": Size(4, 90, "10^30", "10^54", f"{ALLIS}; {AGREES} {LIST}"),
    "go": Size(250, 150, "10^172", "10^360", f"{ALLIS}; on a 19x19 board; {AGREES} {WIKIPEDIA}"),
    "gomoku": Size(210, 30, "10^105", "10^70", f"{ALLIS}; {AGREES} {LIST}"),
    "hex": Size(
        positions="10^57", tree="10^98", source=f"{HERIK}; tree agrees with {LIST}, which gives 10^56 positions"
    ),
    "kalah": Size(positions="10^13", tree="10^18", source=f"{HERIK}; not compared with another source"),
    "kayles": Size(positions="222", tree="25,726", source=COUNTED),
    "morris": Size(10, 50, "10^10", "10^50", f"{ALLIS}; {AGREES} {WIKIPEDIA}"),
    "othello": Size(10, 58, "10^28", "10^58", f"{ALLIS}; {AGREES} {WIKIPEDIA}"),
    "pacman": Size(positions="2,192,403", tree="549,506,866", source=COUNTED),
}
"""The sizes of games by name: published sizes, and numbers of positions and nodes that gamesearch has counted."""
BOUNDS: Mapping[str, tuple[int, str]] = {
    "dotsandboxes": (2**24 * 10 * 2, "sets of lines, differences of boxes, and players to move"),
    "pig": (2 * 100 * 100 * 101 // 2, "scores, points of the turn, and players to move"),
    "ultimate": (3**81 * 10, "marks in 81 squares, and boards to play in"),
    "y": (count_stones(66), "boards on which players take turns placing stones"),
    "yavalath": (4**61, "stones of three players in 61 cells"),
}
"""Maps each game to an upper bound on the number of positions, and to a text that names the factors of this bound."""


def size_of(game: Game) -> Size:
    """The published or known size of a game. If there is none, count its positions, and measure moves and plies in
    random games. Published sizes, known counts and upper bounds are used only for games with default parameters."""
    size, name = Size(), type(game).name
    if game.parameters() == load(name).parameters():
        size = PUBLISHED.get(name, size)
        known = next(
            (each for each in type(game).known if each.positions and not (each.parameters or each.position)), None
        )
        if known is not None and not size.positions:
            tree = f"{known.nodes:,}" if known.nodes else ""
            size = replace(size, positions=f"{known.positions:,}", tree=tree, source=COUNTED)
        elif name in BOUNDS:
            count, what = BOUNDS[name]
            size = replace(
                size,
                positions=f"< 10^{math.ceil(math.log10(count))}",
                source=f"positions: upper bound, the product of the numbers of {what}",
            )
    if not size.positions:
        positions, how = count_positions(game)
        size = replace(size, positions=positions, source="; ".join(filter(None, (size.source, how))))
    sources = [size.source] if size.source else []
    if size.branching is None:
        means = measure_size(game, MEASURED_GAMES)
        size = replace(size, branching=means.branching, plies=means.plies, tree=size.tree or means.tree)
        sources.append(MEASURED)
    return replace(size, source="; ".join(sources))


def count_positions(game: Game, most: int = MOST_POSITIONS, seconds: float = LONGEST) -> tuple[str, str]:
    """Count the positions of a game; returns their number and a remark. If counting stops at a limit, the number is a
    lower bound.

    >>> count_positions(load("nim(1-2)"))
    ('8', 'positions: counted by gamesearch')
    """
    if game.repetition == FORBIDDEN:
        return "not counted", "positions: not counted, because the moves depend on earlier positions"
    begun, start = time.monotonic(), game.initial()
    found, waiting = {game.key(start)}, [start]
    while waiting:
        s = waiting.pop()
        if game.terminal(s):
            continue
        for move in game.steps(s):
            after = game.result(s, move)
            if (key := game.key(after)) not in found:
                found.add(key)
                waiting.append(after)
        if len(found) > most:
            return f"> {most:,}", f"positions: counting stopped at {most:,}"
        if time.monotonic() - begun > seconds:
            return f"> {len(found) - 1:,}", f"positions: counting stopped after {seconds:g} s"
    return f"{len(found):,}", "positions: counted by gamesearch"


def measure_size(game: Game, games: int) -> RandomGameMeans:
    """Play random games; measure the mean number of moves or outcomes of a position, and the mean length of a game. A
    game that does not end is stopped after 600 plies."""
    moves = positions = 0
    for number in range(games):
        source, past = random.Random(f"1 {number}"), list[Any]()  # always the same games
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
