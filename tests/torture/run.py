"""Make many comparisons: `make torture`, or `python -m torture.run` in the folder of the tests.

The program prints each kind of failure with lines that reproduce it (`--reproduce '...'`), and then the number of
comparisons. The exit code is 1 if a comparison failed.
"""

import argparse
import itertools
import multiprocessing
import os
import sys
import time
from collections import Counter
from dataclasses import dataclass, field

from torture.combinations import accepted_options
from torture.comparison import Comparison, compare
from torture.games import FAMILIES
from torture.sample import comparisons

__all__ = ["Report", "main"]

SHOWN = 3
"""The greatest number of failures of each kind that are printed."""
KEPT = {"MALLOC_MMAP_THRESHOLD_": "1000000000", "MALLOC_TRIM_THRESHOLD_": "1000000000"}
"""Environment variables that let a process keep freed memory, because returning memory to the system is slow."""


EVERY = 10.0
"""Seconds between two reports of progress."""


@dataclass
class Report:
    """The number of searches, the comparisons made, and the failures with the lines that reproduce them."""

    searches: int = 0
    made: list[tuple[str, Comparison]] = field(default_factory=list)
    failures: list[tuple[tuple[str, str, str], str]] = field(default_factory=list)


def compare_case(case: tuple[int, str, int]) -> Report:
    """Make all comparisons of a case. A case is a seed, a family of positions and a number."""
    report, family = Report(), case[1]
    for comparison in comparisons(*case):
        searches, complaints = compare(comparison)
        report.searches += searches
        report.made.append((family, comparison))
        for what, detail in complaints:
            kind = what, family, comparison.algorithm.partition("(")[0]
            report.failures.append((kind, f"{what}: {detail}\n    {comparison}"))
    return report


def torture(seconds: float, count: int, seed: int, workers: int) -> int:
    """Make comparisons in several processes until the time is up or `count` searches are made; return the exit code."""
    os.environ.update(KEPT)
    began, searches, made, compiled, positions = time.monotonic(), 0, 0, 0, 0
    combinations, in_families = set[str](), set[tuple[str, str, int]]()
    failures = Counter[tuple[str, str, str]]()
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        told = 0.0
        for report in itertools.chain.from_iterable(
            pool.imap_unordered(compare_case, [(seed, family, number) for family in FAMILIES])
            for number in itertools.count()
        ):
            searches += report.searches
            made += len(report.made)
            positions += bool(report.made)
            compiled += sum(each.compiled for _, each in report.made)
            combinations |= {each.algorithm for _, each in report.made}
            in_families |= {(family, each.algorithm, each.depth) for family, each in report.made}
            for kind, line in report.failures:
                failures[kind] += 1
                if failures[kind] <= SHOWN:
                    print(line, flush=True)
            now = time.monotonic() - began
            if now > told + EVERY:
                told = now
                print(
                    f"{now:6.0f} s  {searches:,} searches, {failures.total():,} failures", file=sys.stderr, flush=True
                )
            if searches >= count or now > seconds:
                break
    for kind, number_of_failures in sorted(failures.items()):
        print(f"{number_of_failures:9,} failures: {', '.join(kind)}")
    print(
        f"{searches:,} searches compared, {compiled:,} of them at both speeds, in {made:,} comparisons on "
        f"{positions:,} positions of {len(FAMILIES)} families of games\n"
        f"{len(combinations):,} of {len(accepted_options()):,} combinations of options, "
        f"{len(in_families):,} with family and depth\n"
        f"{failures.total():,} failures of {len(failures)} kinds"
    )
    return 1 if failures else 0


def reproduce(text: str) -> int:
    """Make one comparison and print its result."""
    comparison = Comparison.parse(text)
    _, complaints = compare(comparison)
    print(comparison)
    for what, detail in complaints:
        print(f"{what}: {detail}")
    print("failed" if complaints else "nothing is wrong")
    return 1 if complaints else 0


def main() -> int:
    """Parse the command line, and make the requested comparisons."""
    parser = argparse.ArgumentParser(prog="python -m torture.run", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1500.0, help="how long (1500)")
    parser.add_argument("--count", type=int, default=1 << 60, help="end sooner, after this number of searches")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other positions (1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (one a core)")
    parser.add_argument("--reproduce", metavar="COMPARISON", help="make one comparison that a failure printed")
    options = parser.parse_args()
    if options.reproduce:
        return reproduce(options.reproduce)
    return torture(options.seconds, options.count, options.seed, options.workers)


if __name__ == "__main__":
    sys.exit(main())
