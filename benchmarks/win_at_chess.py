"""Count the problems from Win at Chess that `pvs` solves with and without quiescence search, evaluating only material.

The problems are numbers 1 to 150 of Fred Reinfeld's *Win at Chess* (1945). All searches are limited to the same number
of nodes: `python -m benchmarks win_at_chess`, or `python -m benchmarks.win_at_chess --nodes 5000`.
"""

import argparse

from benchmarks.measuring import problems_of
from gamesearch.algorithms.engine.result import Limits
from gamesearch.study.suites import answers

__all__ = ["main"]

NODES = 50_000


def main() -> None:
    """Print a row for each kind of quiescence."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--nodes", type=int, default=NODES, metavar="N", help=f"of each search ({NODES:,})")
    chosen, _ = options.parse_known_args()
    problems = problems_of("chess_wac_1-150.epd", "the problems of Win at Chess")
    for quiescence in ("true", "false") if problems else ():
        algorithm = f"pvs(paths=practical, quiescence={quiescence})"
        found = list(answers(problems, algorithm, Limits(nodes=chosen.nodes)))
        right, seconds = sum(each.is_right for each in found), sum(each.seconds for each in found)
        depth = sum(each.depth for each in found) / len(found)
        print(
            f"Win at Chess, {chosen.nodes:,} nodes, {algorithm}: {right} of {len(found)} right, {depth:.1f} plies deep "
            f"in the mean, {seconds:.1f} s",
            flush=True,
        )


if __name__ == "__main__":
    main()
