"""Several threads that search one tree and share its table.

Each thread searches the same root and finds in the table what other threads stored ("lazy SMP" in chess programs:
symmetric multiprocessing without dividing the work). The *main* thread returns the result. Helper threads only fill the
table. So that threads search different moves first, every second thread exchanges the moves of a node in pairs, except
the first move. With more than two threads, half of them begin one ply deeper. A helper that finishes before the main
thread continues with greater depths. (Tried with two threads, without success: exchanging pairs from the last move or
the middle move on; beginning one ply deeper; deferring moves that another thread searches (ABDADA, J.-C. Weill 1996).)

During deepening, only the main thread searches until it has visited some nodes, because starting a helper takes longer
than a shallow search.

Compiled kernels release the interpreter's lock, so threads run in parallel. Interpreted kernels would only wait for
each other. The contents of the table depend on timing, so a search by several threads is not repeatable.

A node limit applies to the nodes of all threads together. When a run begins, each thread gets an equal share of the
remaining nodes. When a helper ends, the main thread gets its unused nodes. If few nodes are left, only the main thread
searches. With a node limit, several threads therefore search less deep than one thread; with a time limit, they search
deeper.
"""

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, Protocol, TypeVar

from gamesearch.algorithms.engine.execution import Arguments, Execution, Kernel
from gamesearch.algorithms.engine.thread_pool import start_thread
from gamesearch.algorithms.node.workspace import INTERRUPTED

__all__ = ["ADDED", "HelperThreads"]

LEAST_SHARE = 10_000
"""Only the main thread searches if fewer nodes remain for each thread, because starting helpers would take longer."""
LEAST_BEFORE = 10_000
"""Deepening uses no helpers until this number of nodes has been visited (measured in benchmarks/results.md)."""
ADDED = ("nodes", "leaves", "cutoffs", "table_hits")
"""The counts of helpers that are added to the counts of the search. `truncated` is not one of them: table entries,
including entries of helpers, show the main thread whether a value depends on an estimate."""


class KernelRunner(Protocol):
    """Any object that runs kernels with an Execution."""

    execution: Execution


S = TypeVar("S", bound=KernelRunner)


class HelperThreads(Generic[S]):
    """The helper threads of a search. A thread lives as long as one run of the main thread's kernel.

    If `divides_nodes` is False, the kernels themselves apply a node limit to the sum of all threads.
    """

    def __init__(self, main: Execution, helpers: Sequence[S], *, divides_nodes: bool = True) -> None:
        self.main, self.helpers, self.divides_nodes = main, helpers, divides_nodes
        self.is_deepening = False
        """Whether the current run is a depth of iterative deepening, in which each depth visits many times the nodes of
        the previous depth."""
        for number, each in enumerate(helpers, 1):
            each.execution.workspace.path.write(swaps=number % 2)

    def __len__(self) -> int:
        return len(self.helpers)

    def share(self) -> int | None:
        """The number of nodes that each thread may visit; None if there is no node limit to divide.

        If few nodes are left, the share is 0, and only the main thread searches.
        """
        limit = self.main.limits.nodes
        if limit is None or not self.divides_nodes:
            return None
        share = (limit - self.main.own_nodes) // (len(self) + 1)
        return share if share >= LEAST_SHARE else 0

    @property
    def node_limit(self) -> int | None:
        """The number of nodes after which the main thread stops; None without a limit."""
        share = self.share() if self.helpers else 0
        return self.main.own_nodes + share if share else self.main.limits.nodes

    def execute(
        self,
        kernel: Kernel,
        main: Arguments,
        prepare: Callable[[S, int | None], None],
        helping: Callable[[S, int], tuple[Any, ...]],
        plies: int,
    ) -> Any:
        """Run a kernel in all threads and return the value of the main thread.

        `main` returns the arguments of the main thread. `prepare` sets the node limit of a helper. `helping` returns
        the arguments of a helper that searches some plies deeper, at most `plies`.
        """
        if not self.helpers:
            return self.main.execute(kernel, main)

        def work(helper: S, number: int) -> None:
            for deeper in range(min(plies, number // 2 % 2), plies + 1):
                helper.execution.execute_here(kernel, functools.partial(helping, helper, deeper))
                if helper.execution.stopped:
                    break

        return self.main.execute(kernel, main, lambda: self.running(prepare, work))

    @contextlib.contextmanager
    def running(self, prepare: Callable[[S, int | None], None], search: Callable[[S, int], None]) -> Iterator[None]:
        """A context in which all helpers search. When it is left, the helpers are stopped.

        If a helper raises an exception, the context raises it again.
        """
        share = self.share()
        if share == 0 or (self.is_deepening and self.main.own_nodes < LEAST_BEFORE):
            yield
            return
        errors: list[BaseException] = []
        handing_over = threading.Lock()

        def work(helper: S, number: int) -> None:
            try:
                search(helper, number)
            except BaseException as error:  # raised again by the main thread, which stops
                errors.append(error)
                self.main.stop(INTERRUPTED)
            if share is not None:
                with handing_over:
                    self.main.workspace.allow(share - helper.execution.own_nodes)

        for each in self.helpers:
            prepare(each, self.main.limits.nodes if share is None else share)
        threads: list[threading.Thread] = []
        self.main.helping = [each.execution for each in self.helpers]
        try:
            for number, each in enumerate(self.helpers, 1):
                threads.append(start_thread(functools.partial(work, each, number)))
            yield
        finally:
            for each in self.helpers:
                each.execution.stop(INTERRUPTED)
            for thread in threads:
                thread.join()
            self.add_counts()
        if errors:
            raise errors[0]

    def add_counts(self) -> None:
        """Add the counts of the helpers to the counts of the search."""
        counted = self.main.workspace.counts_handle
        self.main.helping = ()
        for each in self.helpers:
            helped = each.execution.workspace.counts_handle
            sums = {name: counted.read(name) + helped.read(name) for name in ADDED}
            counted.write(**sums, deepest=max(counted.read("deepest"), helped.read("deepest")))
