"""Measure the equity that gamesearch's moves in backgammon lose according to GNU Backgammon (Debian: gnubg).

`python -m benchmarks.backgammon` prints the mean loss of equity per move for the hand-written and the learned
evaluation, at one ply and at the default depth of `play`. GNU Backgammon computes cubeless equities at 0-ply. `--game
"backgammon(weights=F)"` measures other weights. The positions have at least two moves. All evaluations choose moves in
the same positions. The positions come from three sources: games that the hand-written evaluation plays with itself at
one ply, games of GNU Backgammon, and third moves of games after each pair of first rolls.
"""

import argparse
import random
import re
import statistics
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import gamesearch
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.game import CHANCE
from gamesearch.games.chance.backgammon.without_cube import ROLLS
from gamesearch.play.engines.external import BEGINNING, OPTIONS
from gamesearch.play.engines.process import command_line
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Turn

__all__ = ["main"]

TAKEN = 0.2
"""The share of the positions of a game that are used."""
HINT = re.compile(r"\s*\d+\.\s+\S+\s+0-ply\s+(.*?)\s+Eq\.:\s*([+-]?\d+\.\d+).*")
MOST_HINTS = 500


Choice = Callable[[Any], int]
"""A function that chooses a move in a position."""


def positions_of_play(count: int, choose: Choice) -> list[Any]:
    """Positions with a roll and at least two moves, from games in which `choose` chooses all moves."""
    game, source, found = gamesearch.load("backgammon"), random.Random("benchmark backgammon"), list[Any]()
    s = game.initial()
    while len(found) < count:
        if game.terminal(s):
            s = game.initial()
        s = throw(game, s, source)
        if len(game.steps(s)) > 1 and source.random() < TAKEN:
            found.append(s)
        s = game.result(s, choose(s))
    return found


def throw(game: Any, s: Any, source: random.Random) -> Any:
    """The position after the dice are thrown, or the given position if the dice are already thrown."""
    if game.player(s) != CHANCE:
        return s
    rolls = list(game.outcomes(s))
    return game.result(s, source.choices([roll for roll, _ in rolls], [share for _, share in rolls])[0])


def positions_of_openings(count: int, choose: Choice) -> list[Any]:
    """Positions before the third move of a game, equally spaced in the list of all combinations of the first three
    rolls."""
    game = gamesearch.load("backgammon")
    found = []
    for first in [roll for roll in ROLLS if roll % 11]:
        start = game.parse(f"max {first}")
        for second in ROLLS:
            reply = game.result(game.result(start, choose(start)), second)
            thirds = [game.result(game.result(reply, choose(reply)), third) for third in ROLLS]
            found += [s for s in thirds if len(game.steps(s)) > 1]
    return [found[len(found) * number // count] for number in range(count)]


@contextmanager
def gnubg() -> Iterator[Choice]:
    """GNU Backgammon at 0-ply as a function that chooses moves."""
    game = gamesearch.load("backgammon")
    with load_player("gnubg(plies=0)", game) as player:

        def choose(s: Any) -> int:
            best = player.answer(Turn(game, [s], [])).best
            assert best is not None
            return best

        yield choose


def positions_of_sources(count: int) -> dict[str, list[Any]]:
    """The names of the sources, each with `count` positions."""
    with Searcher(gamesearch.load("backgammon"), load_algorithm("expectiminimax")) as searcher, gnubg() as choose:
        return {
            "self-play": positions_of_play(count, lambda s: choose_move(searcher, s, 1)),
            "gnubg": positions_of_play(count, choose),
            "openings": positions_of_openings(count, choose),
        }


def choose_move(searcher: Searcher, s: Any, depth: int) -> int:
    """The best move of a search to a depth."""
    best = searcher.search(s, Limits(depth)).best
    assert best is not None
    return best


def equities(game: Any, positions: Sequence[Any], plies: int) -> list[dict[Any, float]]:
    """The equities of all moves of each position, computed by GNU Backgammon from the position after each move."""
    lines = [*BEGINNING, f"set evaluation chequerplay evaluation plies {plies}", "new session", "set turn 0"]
    for s in positions:
        lines += [f"set board {game.format(s).split()[0]}", f"set dice {s.roll // 10} {s.roll % 10}"]
        lines += [f"hint {MOST_HINTS}"]
    command = [*command_line("gnubg"), *OPTIONS]
    said = subprocess.run(command, input="\n".join(lines) + "\n", text=True, capture_output=True, check=True).stdout
    _, *parts = said.split("The dice have been set")
    if len(parts) != len(positions):
        raise SystemExit(f"GNU Backgammon answered {len(parts)} of {len(positions)} positions")
    found = []
    for s, part in zip(positions, parts, strict=True):
        hints = [match for match in map(HINT.fullmatch, part.splitlines()) if match]
        found.append({game.result(s, game.parse_move(s, each[1])): float(each[2]) for each in hints})
    return found


def losses_of(name: str, depth: int, positions: Sequence[Any], judged: Sequence[dict[Any, float]]) -> list[float]:
    """The equity that a search to a depth loses in each position."""
    game = gamesearch.load(name)
    with Searcher(game, load_algorithm("expectiminimax")) as searcher:
        return [
            max(worth.values()) - worth[game.result(s, choose_move(searcher, s, depth))]
            for s, worth in zip(positions, judged, strict=True)
        ]


def describe(name: str, losses: Sequence[float]) -> str:
    """The mean of the losses of equity, with its standard error."""
    return f"{name} {statistics.mean(losses):.4f} +- {statistics.stdev(losses) / len(losses) ** 0.5:.4f}"


def main() -> None:
    """Print the mean loss of each evaluation at each depth, for all sources together and for each source."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--positions", type=int, default=200, help="positions of each source")
    options.add_argument("--game", action="append", help="default: by hand, and learned")
    options.add_argument("--depth", action="append", type=int, help="default: 1, and 3 (the depth of play)")
    options.add_argument("--judge", type=int, default=0, help="the plies of GNU Backgammon as the judge")
    options.add_argument("--worst", type=int, default=0, help="also print the N greatest losses")
    asked = options.parse_args()
    sources = positions_of_sources(asked.positions)
    positions = [s for found in sources.values() for s in found]
    judged = equities(gamesearch.load("backgammon"), positions, asked.judge)
    for name in asked.game or ("backgammon", "backgammon(weights=learned)"):
        for depth in asked.depth or (1, 3):
            losses, count = losses_of(name, depth, positions, judged), asked.positions
            parts = [describe(each, losses[i * count :][:count]) for i, each in enumerate(sources)]
            print(f"{name}, depth {depth}: {describe('all', losses)}; {', '.join(parts)}", flush=True)
            for loss, s in sorted(zip(losses, positions, strict=True), reverse=True)[: asked.worst]:
                print(f"    {loss:.3f} in {gamesearch.load(name).format(s)}")


if __name__ == "__main__":
    main()
