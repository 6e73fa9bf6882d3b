"""The equity that our backgammon moves lose, judged by GNU Backgammon (Debian: gnubg), in positions of self-play.

`python -m benchmarks.backgammon` prints the mean loss of equity per move for the hand-written and the learned
evaluation, at one ply and at the default depth of `play`. The equities are cubeless, by 0-ply. `--game
"backgammon(weights=F)"` measures other weights. The positions have at least two moves. They come from games that the
hand-written evaluation plays with itself at one ply, and are the same for all players.
"""

import argparse
import random
import re
import statistics
import subprocess
from collections.abc import Sequence
from typing import Any

import gamesearch
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.searcher import Searcher
from gamesearch.play.engines.gnubg import BEGINNING, OPTIONS
from gamesearch.play.engines.process import command_line

__all__ = ["main"]

TAKEN = 0.2
"""The share of the positions of a game that is used."""
HINT = re.compile(r"\s*\d+\.\s+\S+\s+0-ply\s+(.*?)\s+Eq\.:\s*([+-]?\d+\.\d+).*")
MOST_HINTS = 500


def positions_of_play(count: int) -> list[Any]:
    """Positions with a roll and a choice of moves, from self-play by the hand-written evaluation at one ply."""
    game, source, found = gamesearch.load("backgammon"), random.Random("benchmark backgammon"), list[Any]()
    with Searcher(game, load_algorithm("expectiminimax")) as searcher:
        s = game.initial()
        while len(found) < count:
            if game.terminal(s):
                s = game.initial()
            if s.roll == 0:
                rolls = list(game.outcomes(s))
                s = game.result(s, source.choices([roll for roll, _ in rolls], [share for _, share in rolls])[0])
            if len(game.steps(s)) > 1 and source.random() < TAKEN:
                found.append(s)
            s = game.result(s, choose_move(searcher, s, 1))
    return found


def choose_move(searcher: Searcher, s: Any, depth: int) -> int:
    """The best move of a search to a depth."""
    best = searcher.search(s, Limits(depth)).best
    assert best is not None
    return best


def equities(game: Any, positions: Sequence[Any]) -> list[dict[Any, float]]:
    """The equities of all moves of each position, computed by GNU Backgammon from the position after each move."""
    lines = [*BEGINNING, "set evaluation chequerplay evaluation plies 0", "new session", "set turn 0"]
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


def main() -> None:
    """Print the mean loss of each evaluation and depth, with its standard error."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--positions", type=int, default=200)
    options.add_argument("--game", action="append", help="default: by hand, and learned")
    options.add_argument("--depth", action="append", type=int, help="default: 1, and 3 as in play")
    asked = options.parse_args()
    positions = positions_of_play(asked.positions)
    judged = equities(gamesearch.load("backgammon"), positions)
    for name in asked.game or ("backgammon", "backgammon(weights=learned)"):
        game = gamesearch.load(name)
        for depth in asked.depth or (1, 3):
            with Searcher(game, load_algorithm("expectiminimax")) as searcher:
                losses = [
                    max(worth.values()) - worth[game.result(s, choose_move(searcher, s, depth))]
                    for s, worth in zip(positions, judged, strict=True)
                ]
            error = statistics.stdev(losses) / len(losses) ** 0.5
            print(f"{name}, depth {depth}: {statistics.mean(losses):.4f} a move, +- {error:.4f}", flush=True)


if __name__ == "__main__":
    main()
