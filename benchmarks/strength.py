"""Run the commands of `docs/reference/strength.md`: `make strength`, or `make strength ARGS=10` for 10 games each.

Opponents that are not installed are skipped.
"""

import importlib.util
import shlex
import shutil
import subprocess
import sys

GAMES = 100
MATCHES = {
    "Connect Four, BitBully": ("bitbully_databases", "-m benchmarks.book match {games}"),
    "Othello, GRhino depth 8": (
        "gtp-rhino",
        "-m gamesearch match othello "
        '"seeing(othello(weights=learned), alphabeta(depth=8, table=true, order=game+history))" '
        "'gtp(path=\"gtp-rhino --mid=8 --end=12 --win=14 --book=0\")' --games {games}",
    ),
    "Go 9x9, GNU Go level 10": (
        "gnugo",
        '-m gamesearch match go "mcts(playouts=5000, exploration=0, wins=1, rave=300, prior=20, temperature=0.5)" '
        "'gtp(path=\"gnugo --mode gtp --level 10 --chinese-rules --capture-all-dead --positional-superko\")' "
        "--games {games} --plies 0",
    ),
    "backgammon, GNU Backgammon": (
        "gnubg",
        '-m gamesearch match backgammon "seeing(backgammon(weights=learned), expectiminimax(depth=3))" '
        '"gnubg(plies=0)" --games {games}',
    ),
    **{
        f"chess, Stockfish at 2200, {seconds} s": (
            "stockfish",
            '-m gamesearch match chess \'seeing(game="chess(weights=learned)", '
            'algorithm="pvs(endgame=true, paths=practical)")\' '
            f"'uci(path=stockfish, elo=2200{limit})' --time {seconds} --games {{games}} --plies 4",
        )
        for seconds, limit in ((0.1, ""), (1, ", nodes=150000"))
    },
}
"""For each opponent, the program or module that it needs, and the command line after `python`."""


def main(games: int = GAMES) -> None:
    """Run each command whose opponent is installed."""
    for name, (opponent, arguments) in MATCHES.items():
        print(f"\n== {name} ==", flush=True)
        if not shutil.which(opponent) and importlib.util.find_spec(opponent) is None:
            print(f"skipped: {opponent} is not installed")
            continue
        subprocess.run([sys.executable, *shlex.split(arguments.format(games=games))], check=False)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
