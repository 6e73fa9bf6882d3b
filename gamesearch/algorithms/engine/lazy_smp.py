"""Several threads that search one tree and share a transposition table.

Each thread searches the same root, and uses the table entries that other threads stored. Chess programs call this
method "lazy SMP": symmetric multiprocessing without dividing the work. The *main* thread returns the result; the
purpose of helper threads is to fill the table. Threads should search different moves first. So every second thread
changes the move order at each node: it swaps moves 2 and 3, moves 4 and 5, and so on. If there are more than two
threads, half of the threads begin one ply deeper. If a helper finishes before the main thread, the helper continues
with greater depths. Three other methods did not help with two threads. A thread swapped moves at the end or in the
middle of the move list, began one ply deeper, or deferred moves that the other thread was searching (ABDADA, J.-C.
Weill 1996).

During deepening, helpers start only after the main thread has visited some nodes, because starting a helper takes
longer than a shallow search.

Compiled kernels release the lock of Python's interpreter, so they run in parallel. Interpreted kernels hold this lock,
so they would only wait for each other. The contents of the table depend on timing, so a search by several threads is
not repeatable.

A node limit applies to the nodes of all threads together. When a run begins, each thread gets an equal share of the
remaining nodes. When a helper ends, the rest of its share goes to the main thread. If few nodes are left, only the main
thread searches. So under a node limit, several threads reach a smaller depth than one thread does. Under a time limit,
they reach a greater depth.
"""

import contextlib
import functools
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from gamesearch.algorithms.engine.execution import Arguments, Execution, Kernel
from gamesearch.algorithms.engine.thread_pool import start_thread
from gamesearch.algorithms.node.workspace import INTERRUPTED

__all__ = ["ADDED", "HelperThreads"]

LEAST_SHARE = 10_000
"""Helpers start only if each thread may visit at least this number of nodes. With fewer nodes, starting helpers takes
more time than the helpers save."""
LEAST_BEFORE = 10_000
"""The number of nodes that deepening visits before it starts helpers (measured in benchmarks/results.md)."""
ADDED = ("nodes", "leaves", "cutoffs", "table_hits")
"""The search adds these counts of each helper to its own counts. The count `truncated` is not added, because the
entries of the table already show whether a value depends on estimates."""


S = TypeVar("S", bound=Execution)


class HelperThreads(Generic[S]):
    """The helper threads of a search. Helper threads are started and stopped for each run of the main thread's kernel.

    `divides_nodes` says whether a node limit is divided among the threads. It is False if kernels count the nodes of
    all threads.
    """

    def __init__(self, main: Execution, helpers: Sequence[S], *, divides_nodes: bool = True) -> None:
        # A cycle of references would keep the table in memory until the next garbage collection.
        self.main: Execution = weakref.proxy(main)
        self.helpers, self.divides_nodes = helpers, divides_nodes
        self.is_deepening = False
        """Whether the run is one iteration of iterative deepening. Early iterations visit few nodes, so they need no
        helpers."""
        for number, each in enumerate(helpers, 1):
            each.workspace.path.write(swaps=number % 2)

    def __len__(self) -> int:
        return len(self.helpers)

    def share(self) -> int | None:
        """The number of nodes that each thread may visit. It is None if nodes are not limited, or if the threads count
        their nodes together. If few nodes are left, the result is 0, and only the main thread searches."""
        limit = self.main.limits.nodes
        if limit is None or not self.divides_nodes:
            return None
        share = (limit - self.main.own_nodes) // (len(self) + 1)
        return share if share >= LEAST_SHARE else 0

    @property
    def node_limit(self) -> int | None:
        """The number of nodes after which the main thread stops; None if nodes are not limited."""
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

        `main` returns the arguments of the main thread. `prepare` sets the node limit of a helper. A helper may search
        up to `plies` plies deeper than the main thread. `helping` takes this number of additional plies, and returns
        the arguments of the helper.
        """
        if not self.helpers:
            return self.main.execute(kernel, main)

        def work(helper: S, number: int) -> None:
            for deeper in range(min(plies, number // 2 % 2), plies + 1):
                helper.execute_here(kernel, functools.partial(helping, helper, deeper))
                if helper.stopped:
                    break

        return self.main.execute(kernel, main, lambda: self.run_helpers(prepare, work))

    @contextlib.contextmanager
    def run_helpers(self, prepare: Callable[[S, int | None], None], search: Callable[[S, int], None]) -> Iterator[None]:
        """A context manager that starts all helpers at its beginning, and stops all helpers at its end. If a helper
        raises an exception, the context manager raises it again."""
        share = self.share()
        if share == 0 or (self.is_deepening and self.main.own_nodes < LEAST_BEFORE):
            yield
            return
        errors: list[BaseException] = []
        handing_over = threading.Lock()

        def work(helper: S, number: int) -> None:
            try:
                search(helper, number)
            except BaseException as error:  # the main thread stops, and raises the error again
                errors.append(error)
                self.main.stop(INTERRUPTED)
            if share is not None:
                with handing_over:
                    self.main.workspace.allow(share - helper.own_nodes)

        for each in self.helpers:
            prepare(each, self.main.limits.nodes if share is None else share)
        threads: list[threading.Thread] = []
        self.main.helping = self.helpers
        try:
            for number, each in enumerate(self.helpers, 1):
                threads.append(start_thread(functools.partial(work, each, number)))
            yield
        finally:
            for each in self.helpers:
                each.stop(INTERRUPTED)
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
            helped = each.workspace.counts_handle
            sums = {name: counted.read(name) + helped.read(name) for name in ADDED}
            counted.write(**sums, deepest=max(counted.read("deepest"), helped.read("deepest")))
