"""Compare the dead stones of finished games of Go that random games find with those that GNU Go finds.

`python -m benchmarks.dead_stones` asks GNU Go (`final_status_list dead`) and `gamesearch.study.final_status` about each
position of `finished_go.txt`. The benchmark counts the chains and the scores on which both programs agree, and prints
the differences. With `--make N`, GNU Go plays N games against itself on 9x9, with some random moves, and the final
positions are printed.
"""

import argparse
import random
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gamesearch
from benchmarks.measuring import time_call
from gamesearch.optional import AreaScoring
from gamesearch.play.engines.gtp_player import dialect_of
from gamesearch.study.final_status import DEAD, final_status

__all__ = ["GnuGo", "main", "read_positions"]

FILE = Path(__file__).with_name("finished_go.txt")
PROGRAM = shutil.which("gnugo") or "/usr/games/gnugo"
OPTIONS = ("--mode", "gtp", "--chinese-rules", "--positional-superko")
OPENINGS = (0, 2, 4, 8)
"""The possible numbers of random moves at the start of a game. After the opening, one move in thirty is random."""


class GnuGo:
    """GNU Go as a process that answers line by line."""

    def __init__(self, *options: str) -> None:
        command = [PROGRAM, *OPTIONS, *options]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def ask(self, line: str) -> str:
        """The answer to a command on one line. If GNU Go refuses the command, the answer is `?` and the reason."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer: list[str] = []
        while not answer or answer[-1]:
            answer.append(self.process.stdout.readline().strip())
        return " ".join(answer).strip().removeprefix("=").strip()

    def dead(self, game: Any, s: Any) -> set[str]:
        """The points of all stones that GNU Go considers dead after both players have passed."""
        for line in (*dialect_of(game).setup(game, s), "play black pass", "play white pass"):
            self.ask(line)
        return set(self.ask("final_status_list dead").split())

    def close(self) -> None:
        """End the process."""
        self.process.communicate("quit\n")


def read_positions(text: str = "") -> list[tuple[AreaScoring[Any], Any]]:
    """The positions of `finished_go.txt` or of another text, each with its game."""
    lines = (text or FILE.read_text()).splitlines()
    found = [gamesearch.load("go").setup(line) for line in lines if line and not line.startswith("#")]
    return [(game, s) for game, s in found if isinstance(game, AreaScoring)]


def play_game(seed: int, size: int = 9) -> str:
    """The final position of a game that GNU Go plays against itself at level 1."""
    gnugo, lots, game = GnuGo("--level", "1", "--seed", str(seed)), random.Random(seed), gamesearch.load(f"go({size})")
    s, past, opening = game.initial(), list[Any](), lots.choice(OPENINGS)
    gnugo.ask(f"boardsize {size}")
    while not game.terminal(s):
        colour = ("black", "white")[game.player(s)]
        if len(past) < opening or lots.random() < 1 / 30:
            name = game.move_name(s, lots.choice(game.steps(s, past)))
            gnugo.ask(f"play {colour} {name}")
        else:
            name = gnugo.ask(f"genmove {colour}")
        past.append(s)
        s = game.result(s, game.parse_move(s, name))
    gnugo.close()
    return game.format(s)


def compare(positions: Sequence[tuple[AreaScoring[Any], Any]]) -> None:
    """Print the number of chains and of scores on which both programs agree, and the chains on which they differ."""
    gnugo = GnuGo()
    chains = dead = agreed = scores = games = 0
    seconds = 0.0
    for number, (game, s) in enumerate(positions, 1):
        theirs = gnugo.dead(game, s)
        status, took = time_call(lambda game=game, s=s: final_status(game, s))  # type: ignore[misc]
        games, seconds = games + status.games, seconds + took
        points = 0
        for group in status.groups:
            names = [game.move_name(s, point) for point in group.points]
            is_dead = names[0] in theirs
            points |= sum(1 << point for point in group.points) if is_dead else 0
            chains, dead = chains + 1, dead + is_dead
            agreed += is_dead == (group.status == DEAD)
            if is_dead != (group.status == DEAD):
                print(f"  position {number}: {' '.join(names)} lost in {group.lost:.0%}, GNU Go: {is_dead=}")
        scores += game.utility(game.without(s, points)) == status.utility_without
    gnugo.close()
    print(f"{agreed} of {chains} chains ({dead} of them dead for GNU Go), {scores} of {len(positions)} scores agree")
    random_games, time = games / len(positions), seconds / len(positions)
    print(f"{random_games:.0f} random games and {time:.1f} s per position, interpreted")


def main() -> None:
    """Compare dead stones, or print new positions (`--make`)."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--make", type=int, default=0, metavar="N")
    chosen = options.parse_args()
    if not Path(PROGRAM).exists():
        print("GNU Go is not installed")
        return
    for seed in range(chosen.make):
        print(play_game(seed), flush=True)
    if not chosen.make:
        compare(read_positions())


if __name__ == "__main__":
    main()
