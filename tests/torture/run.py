"""Run comparisons at length: `make torture`, or `python -m torture.run` in the folder of the tests.

Prints each kind of failure with lines that reproduce it (`--reproduce '...'`), and at the end how much was compared.
The exit code is 1 if something failed.
"""

import argparse
import multiprocessing
import os
import queue
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from torture.combinations import accepted
from torture.comparison import Comparison, compare
from torture.games import FAMILIES
from torture.sample import cases

__all__ = ["Report", "main"]

SHOWN = 3
"""The most failures to print of each kind."""
KEPT = {"MALLOC_MMAP_THRESHOLD_": "1000000000", "MALLOC_TRIM_THRESHOLD_": "1000000000"}
"""Settings that keep freed memory, because returning it to the system is slow (benchmarks/results.md)."""
EVERY = 10.0
"""Seconds between two lines of progress."""


@dataclass
class Report:
    """The number of comparisons, and the failures."""

    searches: int = 0
    comparisons: int = 0
    compiled: int = 0
    positions: int = 0
    combinations: set[str] = field(default_factory=set)
    in_families: set[tuple[str, str, int]] = field(default_factory=set)
    failures: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    lines: list[tuple[tuple[str, str, str], str]] = field(default_factory=list)

    def add(self, family: str, comparison: Comparison) -> None:
        """Make a comparison and record its result."""
        searches, complaints = compare(comparison)
        self.searches += searches
        self.comparisons += 1
        self.compiled += comparison.compiled
        self.combinations.add(comparison.algorithm)
        self.in_families.add((family, comparison.algorithm, comparison.depth))
        for what, detail in complaints:
            kind = what, family, comparison.algorithm.partition("(")[0]
            self.failures[kind] += 1
            if self.failures[kind] <= SHOWN:
                self.lines.append((kind, f"{what}: {detail}\n    {comparison}"))

    def take(self, other: "Report") -> list[str]:
        """Add another report, and return its new lines up to the limit for each kind."""
        before = Counter(self.failures)
        self.searches += other.searches
        self.comparisons += other.comparisons
        self.compiled += other.compiled
        self.positions += other.positions
        self.combinations |= other.combinations
        self.in_families |= other.in_families
        self.failures += other.failures
        shown: list[str] = []
        for kind, line in other.lines:
            before[kind] += 1
            if before[kind] <= SHOWN:
                shown.append(line)
        return shown

    def summary(self) -> str:
        """Return the last lines of a run."""
        lines = [f"{count:9,} failures: {', '.join(kind)}" for kind, count in sorted(self.failures.items())]
        return "\n".join(
            [
                *lines,
                f"{self.searches:,} searches compared, {self.compiled:,} of them at both speeds, "
                f"in {self.comparisons:,} comparisons on {self.positions:,} positions "
                f"of {len(FAMILIES)} families of games",
                f"{len(self.combinations):,} of {len(accepted()):,} combinations of options, "
                f"{len(self.in_families):,} with family and depth",
                f"{self.failures.total():,} failures of {len(self.failures)} kinds",
            ]
        )


def work(number: int, workers: int, seed: int, enough: Any, reports: Any) -> None:
    """Make the comparisons of every `workers`-th family until `enough` is set; report each second."""
    told, report, parent = time.monotonic(), Report(), multiprocessing.parent_process()
    for family, comparisons in cases(seed, tuple(FAMILIES)[number::workers]):
        report.positions += 1
        for comparison in comparisons:
            report.add(family, comparison)
            if enough.is_set() or time.monotonic() > told + 1:
                reports.put(report)
                told, report = time.monotonic(), Report()
            if enough.is_set() or (parent is not None and not parent.is_alive()):
                return


def torture(seconds: float, count: int, seed: int, workers: int) -> Report:
    """Compare in several processes until the time is up or `count` searches are compared."""
    os.environ.update(KEPT)
    context = multiprocessing.get_context("spawn")
    enough, reports = context.Event(), context.Queue()
    processes = [
        context.Process(target=work, args=(number, workers, seed, enough, reports), daemon=True)
        for number in range(workers)
    ]
    for process in processes:
        process.start()
    whole, began = Report(), time.monotonic()
    told = began
    while any(process.is_alive() for process in processes) or not reports.empty():
        with suppress(queue.Empty):
            for line in whole.take(reports.get(timeout=0.2)):
                print(line, flush=True)
        now = time.monotonic()
        if whole.searches >= count or now > began + seconds:
            enough.set()
        if now > told + EVERY:
            told = now
            print(
                f"{now - began:6.0f} s  {whole.searches:,} searches, {len(whole.combinations):,} combinations, "
                f"{whole.failures.total():,} failures",
                file=sys.stderr,
                flush=True,
            )
    if any(process.exitcode for process in processes):
        raise SystemExit("a worker ended with an error, see above")
    return whole


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
    """Parse the command line and run."""
    parser = argparse.ArgumentParser(prog="python -m torture.run", description=__doc__)
    parser.add_argument("--seconds", type=float, default=1500.0, help="how long (1500)")
    parser.add_argument("--count", type=int, default=1 << 60, help="end sooner, at so many searches")
    parser.add_argument("--seed", type=int, default=1, help="another seed draws other positions (1)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes (one a core)")
    parser.add_argument("--reproduce", metavar="COMPARISON", help="make one comparison that a failure printed")
    options = parser.parse_args()
    if options.reproduce:
        return reproduce(options.reproduce)
    report = torture(options.seconds, options.count, options.seed, options.workers)
    print(report.summary())
    return 1 if report.failures else 0


if __name__ == "__main__":
    sys.exit(main())
