"""Compare decisions about the doubling cube with those of GNU Backgammon (Debian: gnubg) at 0-ply.

`python -m benchmarks.backgammon_cube` asks GNU Backgammon about positions of self-play before a roll, for money and in
matches. gamesearch computes its decisions from the win probabilities that GNU Backgammon prints, so evaluations make
no difference. Both programs use Woolsey's match equity table. For money, positions with a cube above 4 are left out,
because the greatest value of gamesearch's cube is 64.
"""

import argparse
import base64
import random
import re
import subprocess
from pathlib import Path
from typing import Any

import gamesearch
from gamesearch.commands.solving.analyze.sections import best_action
from gamesearch.game import CHANCE, MAX
from gamesearch.games.chance.backgammon.cube import OFFERED, TO_DOUBLE
from gamesearch.games.chance.backgammon.equities import CENTERED
from gamesearch.games.chance.backgammon.position import write_id
from gamesearch.play.engines.external import BEGINNING, OPTIONS
from gamesearch.play.engines.process import command_line

__all__ = ["main"]

GAMES = ("backgammon(cube=true)", "backgammon(match=5)", "backgammon(match=9)")
TABLES = (Path("/usr/share/gnubg/met/woolsey.xml"), Path("/usr/local/share/gnubg/met/woolsey.xml"))
SETTINGS = (
    *BEGINNING,
    "set beavers 0",
    *(f"set met {path}" for path in TABLES if path.exists()),
    *(f"set output {what}" for what in ("matchpc on", "mwc on", "digits 4")),
    "set evaluation cubedecision evaluation plies 0",
    "set cube use on",
)
CHANCES = re.compile(r"^ +(\d\.\d+) (\d\.\d+) (\d\.\d+) - \d\.\d+ (\d\.\d+) (\d\.\d+)", re.MULTILINE)
EQUITY = re.compile(
    r"^\d\. (No|Double, take|Redouble, take|Double, pass|Redouble, pass)[^\d+-]*([+-]?\d+\.\d+)", re.MULTILINE
)
RANDOM, DOUBLED, DROPPED, TAKEN = 0.15, 0.15, 0.2, 0.1
"""The share of moves that are random, of offers to double, of doubles that are dropped, and of positions that are
used."""
MOST_CUBE_FOR_MONEY = 4


def positions_before_rolls(game: Any, count: int) -> list[Any]:
    """Positions in which the side to move may double, from self-play with some random moves and decisions."""
    source, s, found = random.Random("benchmark cube"), game.initial(), list[Any]()
    while len(found) < count:
        if game.terminal(s):
            s = game.initial()
        if s.roll == TO_DOUBLE and (game.match or s.cube <= MOST_CUBE_FOR_MONEY) and source.random() < TAKEN:
            found.append(s)
        s = game.result(s, choose(game, s, source))
    return found


def choose(game: Any, s: Any, source: random.Random) -> Any:
    """Choose a roll, a random decision about the cube, or a move (usually the best move at one ply)."""
    steps = game.steps(s)
    if game.player(s) == CHANCE:
        rolls = list(game.outcomes(s))
        return source.choices([roll for roll, _ in rolls], [share for _, share in rolls])[0]
    if s.roll in (TO_DOUBLE, OFFERED):
        return int(source.random() < (DOUBLED if s.roll == TO_DOUBLE else DROPPED))
    if source.random() < RANDOM:
        return source.choice(steps)
    sign, after = 1 if s.turn == MAX else -1, {m: game.result(s, m) for m in steps}
    return max(steps, key=lambda m: sign * (game.utility if game.terminal(after[m]) else game.evaluate)(after[m]))


def match_id(game: Any, s: Any) -> str:
    """The Match ID of a position before a roll (GNU Backgammon Manual)."""
    owner, on_roll = 3 if s.owner == CENTERED else int(s.owner == MAX), int(s.turn == MAX)
    bits = s.cube.bit_length() - 1 | owner << 4 | on_roll << 6 | s.crawford << 7 | 1 << 8 | on_roll << 11
    bits |= game.match << 21 | s.black << 36 | s.white << 51
    return base64.b64encode(bits.to_bytes(9, "little")).decode()


def answers_of_gnubg(game: Any, positions: list[Any]) -> list[str]:
    """The text of GNU Backgammon's cube analysis of each position."""
    lines = [*SETTINGS, f"new match {game.match}" if game.match else "new session"]
    for s in positions:
        identity = write_id(s.mine, s.theirs)
        lines += [f"set matchid {match_id(game, s)}", f"set board {identity}", "set jacoby off", "hint"]
    command = [*command_line("gnubg"), *OPTIONS]
    said = subprocess.run(command, input="\n".join(lines) + "\n", text=True, capture_output=True, check=True).stdout
    parts = said.split("Cube analysis")[1:]
    if len(parts) != len(positions):
        raise SystemExit(f"GNU Backgammon answered {len(parts)} of {len(positions)} positions")
    return parts


def compare(game: Any, s: Any, text: str) -> tuple[str, str, float]:
    """The decision of gamesearch, the decision of GNU Backgammon, and the greatest difference of their three values.

    In matches, values are the chances to win the match in percent. For money, values are points at a cube of 1.
    """
    chances = CHANCES.search(text)
    assert chances is not None
    win, gammon, backgammon, lost_gammon, lost_backgammon = map(float, chances.groups())
    rates = game.rates_of((1 - lost_backgammon, 1 - lost_gammon, win, gammon, backgammon))
    kept, taken = game.equity(s, rates, s.cube, s.owner), game.equity(s, rates, 2 * s.cube, 1 - s.turn)
    ours = [50 + 50 * each if game.match else each / s.cube for each in (kept, taken, game.worth(s, s.cube))]
    said = {name.split()[-1]: float(value) for name, value in EQUITY.findall(text)}
    theirs = [said[name] for name in ("No", "take", "pass")]
    difference = max(abs(one - other) for one, other in zip(ours, theirs, strict=True))
    return best_action(True, *ours), best_action(True, *theirs), difference


def main() -> None:
    """Print the number of equal decisions, each different decision, and the median and greatest difference of
    values."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--positions", type=int, default=150, help="positions of each game")
    asked = options.parse_args()
    for name in GAMES:
        game = gamesearch.load(name)
        positions = positions_before_rolls(game, asked.positions)
        found = [compare(game, s, text) for s, text in zip(positions, answers_of_gnubg(game, positions), strict=True)]
        equal, differences = sum(ours == theirs for ours, theirs, _ in found), sorted(each for *_, each in found)
        median = differences[len(found) // 2]
        print(
            f"{name}: {equal} of {len(found)} decisions are equal; values differ by {median:.4f} in the median, "
            f"by at most {differences[-1]:.4f}"
        )
        for s, (ours, theirs, difference) in zip(positions, found, strict=True):
            if ours != theirs:
                print(f"    {game.format(s)}: {ours}, gnubg {theirs}, {difference:.4f}")


if __name__ == "__main__":
    main()
