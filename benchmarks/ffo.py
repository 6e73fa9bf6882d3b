"""Solve the FFO's Othello endings 40 to 44, with 20 to 24 empty squares, and print nodes and time.

Endings after #40 take minutes to hours each. `python -m benchmarks.ffo --last 42` continues to #42.
"""

import argparse

from benchmarks.measuring import problems_of
from gamesearch.api import solve
from gamesearch.game import MAX
from gamesearch.registry import load

__all__ = ["main"]

FIRST, LAST = 40, 44


def main() -> None:
    """Print a row for each ending."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--last", type=int, default=FIRST, metavar="N", help=f"of {FIRST} to {LAST} ({FIRST})")
    chosen, _ = options.parse_known_args()
    game = load("othello")
    problems = problems_of("othello_fforum-40-59.obf", "the FFO's endgames")
    for number, problem in enumerate(problems[: min(chosen.last, LAST) - FIRST + 1], FIRST):
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
