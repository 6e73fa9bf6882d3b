"""The FFO's endgames 40 to 44 of Othello, 20 to 24 empty squares, solved with all moves: positions and time.

Beyond the first, each takes minutes to hours: `python -m benchmarks.ffo --last 42` goes on to #42.
"""

import argparse
from pathlib import Path

from gamesearch.api import solve
from gamesearch.game import MAX
from gamesearch.registry import load
from gamesearch.study.suite_files import read_suite

__all__ = ["main"]

SUITE = Path(__file__).parents[2] / "shared" / "data" / "othello_fforum-40-59.obf"
FIRST, LAST = 40, 44


def main() -> None:
    """Print a row for each endgame."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--last", type=int, default=FIRST, metavar="N", help=f"of {FIRST} to {LAST} ({FIRST})")
    chosen, _ = options.parse_known_args()
    if not SUITE.is_file():
        print("the FFO's endgames are not here")
        return
    game = load("othello")
    for number, problem in enumerate(read_suite(str(SUITE))[: min(chosen.last, LAST) - FIRST + 1], FIRST):
        state = game.parse(problem.position)
        found = solve(game, state, "search")
        sign = 1 if game.player(state) == MAX else -1
        values = {game.move_name(state, each.move): sign * each.value for each in found.moves}
        wrong = [name for name, value in problem.values.items() if values[name] != value]
        verdict = f"BUT OTHER VALUES ARE PUBLISHED OF {' '.join(wrong)}" if wrong else "all moves as published"
        best = " ".join(sorted(game.move_name(state, move) for move in found.best))
        print(
            f"FFO #{number}, {problem.position.count('-')} empty: {best} {sign * found.value:+g}, {verdict}; "
            f"{found.positions:,} nodes for all moves, {found.seconds:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
