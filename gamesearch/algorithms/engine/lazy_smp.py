"""Several threads that search one tree and share its table.

Each searches the same root, and finds in the table what the others have stored ("lazy SMP", as chess programs call it:
symmetric multiprocessing without any division of the work). Beside the first thread, the *main* one, run helpers.
What the main thread finds counts, as if it were alone; helpers only fill the table. So that they do not all do the
same, every other thread exchanges the moves of a node in pairs, but for the first; of more than two threads, half begin
a ply deeper; and a helper that is done before the main thread goes on deeper. (Tried, with two threads: the moves from
the last on, which costs deep searches more than it gains; from the middle on; a ply deeper at once; putting off moves
that another thread searches, as ABDADA does (J.-C. Weill 1996), which `pvs` gains by in chess and loses by in Othello
and Connect Four: no better.)

While deepening has visited few nodes, the main thread searches alone: starting a helper takes longer than such a depth.

Compiled kernels run without the interpreter's lock, so threads run at the same time; interpreted ones would only wait
for each other. What a thread finds in the table depends on the moment, so a search by several threads does not repeat
itself node for node.

A limit on nodes is one on their sum: each thread may visit an equal share of what is left when a run begins, and what a
helper has not used when it ends, the main thread may. So the sum never exceeds the limit. Near it, the main thread
searches alone. As helpers' nodes count, the main thread comes less deep by the same limit than it would alone: to look
further in the same time, limit the time.
"""

import contextlib
import functools
import threading
from collections.abc import Callable, Iterator
from typing import Any, Self

from gamesearch.algorithms.engine.execution import AtSpeed, Execution
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.engine.thread_pool import start_thread
from gamesearch.algorithms.node.workspace import INTERRUPTED

__all__ = ["ADDED", "Team"]

LEAST_SHARE = 10_000
"""With fewer nodes left for each thread, the main thread searches alone: helpers would take longer to begin."""
LEAST_BEFORE = 10_000
"""With fewer nodes visited so far, deepening goes on alone. Without that, two threads took 0.69 of the time of one for
alpha-beta and 0.97 for `pvs` (`python -m benchmarks.threads`, at lower depths), with it 0.67 and 0.89, with 2,000 0.67
and 0.92."""
ADDED = ("nodes", "leaves", "cutoffs", "table_hits")
"""The counts of helpers that are added to those of the search. Whether an estimate entered its value, the main thread
knows by itself: the table says so of what helpers stored."""


class Team(Execution):
    """The part of a Runner that runs a kernel by several threads at once.

    A helper is a Runner, too, with the same table and with records of its own. Its thread lives as long as one run of
    the main thread's kernel.
    """

    threads: int
    is_deepening = False
    """Whether this run searches one of several depths, each of which visits some times the nodes of the one before."""
    is_helping = False
    """Whether the helpers' counts are still to be added."""

    def helper(self) -> Self:
        """A runner for a thread beside this one."""
        raise NotImplementedError

    def prepare(self, helper: Self, nodes: int | None) -> None:
        """Have a helper begin with what is asked of this runner, and visit at most so many nodes."""
        raise NotImplementedError

    @AtSpeed
    def helpers(self) -> list[Self]:
        """Those beside the main thread; none at interpreted speed."""
        helpers = [self.helper() for _ in range(self.threads - 1)] if self.speed == "compiled" else []
        for number, each in enumerate(helpers, 1):
            each.workspace.path.write(swaps=number % 2)
        return helpers

    @property
    def nodes_so_far(self) -> int:
        """How many nodes all threads have visited."""
        helping: list[Self] = self.helpers if self.is_helping else []
        return super().nodes_so_far + sum(each.nodes_so_far for each in helping)

    def share(self, limits: Limits) -> int | None:
        """How many of the nodes that are left each thread may visit, so that their sum keeps the limit; None without.

        0 where these are so few that the main thread had better search alone.
        """
        if limits.nodes is None:
            return None
        share = (limits.nodes - super().nodes_so_far) // (len(self.helpers) + 1)
        return share if share >= LEAST_SHARE else 0

    @property
    def node_limit(self) -> int | None:
        """The count of its own nodes at which the main thread stops; None without a limit."""
        share = self.share(self.limits) if self.helpers else 0
        return super().nodes_so_far + share if share else self.limits.nodes

    def execute_by_all(
        self, kernel: Callable[..., Any], arguments: Callable[[Self, int], tuple[Any, ...]], further: int
    ) -> Any:
        """Run a kernel by all threads; its value is that of the main thread.

        `arguments` makes what the kernel is given by a runner, with so many plies more than asked for. Helpers may
        search up to `further` plies more.
        """
        if not self.helpers:
            return self.execute(kernel, lambda: arguments(self, 0))

        def help_by(helper: Self, number: int) -> None:
            for deeper in range(min(further, number // 2 % 2), further + 1):
                helper.execute_here(kernel, functools.partial(arguments, helper, deeper))
                if helper.stopped:
                    break

        return self.execute(kernel, lambda: arguments(self, 0), lambda: self.helped(help_by))

    @contextlib.contextmanager
    def helped(self, help_by: Callable[[Self, int], None]) -> Iterator[None]:
        """Let all helpers search while the main thread does; afterwards none of them runs any more.

        What a helper raised is raised here.
        """
        share = self.share(self.limits)
        # Where the depths before, if any, visited so few nodes, the next one is done before helpers begin.
        if share == 0 or (self.is_deepening and self.nodes_so_far < LEAST_BEFORE):
            yield
            return
        errors: list[BaseException] = []
        handing_over = threading.Lock()

        def work(helper: Self, number: int) -> None:
            try:
                help_by(helper, number)
            except BaseException as error:  # raised again by the main thread, which stops
                errors.append(error)
                self.stop(INTERRUPTED)
            if share is not None:
                with handing_over:
                    self.workspace.allow(share - helper.nodes_so_far)

        for each in self.helpers:
            self.prepare(each, share)
        threads: list[threading.Thread] = []
        self.is_helping = True
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
        """Add what the helpers counted to the counts of the search."""
        counted = self.workspace.counted
        self.is_helping = False
        for each in self.helpers:
            helped = each.workspace.counted
            sums = {name: counted.read(name) + helped.read(name) for name in ADDED}
            counted.write(**sums, deepest=max(counted.read("deepest"), helped.read("deepest")))
