"""Where the games of a series are played: in processes of this machine, or of a cluster by dask.distributed.

Both take text and give text by the interface of `concurrent.futures`.
"""

import contextlib
import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from pathlib import Path
from typing import Any, Protocol

from gamesearch.errors import GamesearchError
from gamesearch.play.matches.game_process import allow_fork, kill_all, play_text
from gamesearch.support.interrupts import starting_processes

__all__ = ["LocalWorkers", "Workers", "cluster"]


NEEDED = ("gamesearch.play.matches.game_server", "gamesearch.compiler.types")
"""The modules that all processes need; the second imports Numba, which one process may do without."""


class Workers(Protocol):
    """Those who play games."""

    @property
    def count(self) -> int:
        """How many games they play at once."""

    @property
    def die_together(self) -> bool:
        """Whether one that dies takes the games of all with it, or its own alone."""

    def submit(self, task: str) -> "Future[str]":
        """Have a game played; the text of its record will come."""

    def renew(self) -> None:
        """Begin anew, after one of them died."""

    def stop(self) -> None:
        """End at once, whatever is being played."""


class LocalWorkers:
    """Processes of this machine, each with one for the players (`gamesearch.play.matches.game_server`)."""

    die_together = True

    def __init__(self, count: int, program: Sequence[str] = ()) -> None:
        self.count, self.program = count, tuple(program)
        self.pool = self.started()

    def started(self) -> ProcessPoolExecutor:
        """A pool of new processes.

        They are not copies of this one, which would hold its locks and files, but of a process that has imported what
        all of them need and done nothing else: importing takes longer than many games.
        """
        has_server = "forkserver" in multiprocessing.get_all_start_methods()
        context = multiprocessing.get_context("forkserver" if has_server else "spawn")
        context.set_forkserver_preload(list(NEEDED if self.count > 1 else NEEDED[:1]))
        here = dict(os.environ), str(Path.cwd())
        return ProcessPoolExecutor(self.count, context, initializer=prepare, initargs=here)

    def submit(self, task: str) -> "Future[str]":
        """Have a game played."""
        with starting_processes():  # the pool does so at the first game
            return self.pool.submit(play_text, task, self.program)

    def renew(self) -> None:
        """Replace the pool: one process that dies breaks all of it."""
        self.stop()
        self.pool = self.started()

    def stop(self) -> None:
        """Kill the processes; their games end as they do."""
        for process in list((self.pool._processes or {}).values()):
            with contextlib.suppress(OSError, ValueError):  # it has ended, or was never started
                process.kill()
        self.pool.shutdown(wait=True, cancel_futures=True)


def prepare(environment: dict[str, str], folder: str) -> None:
    """Take over the environment and the folder of the process that started this one.

    This process ends when that one ends, even if it is killed.
    """
    os.environ.clear()
    os.environ.update(environment)
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)  # for programs that it starts
    os.chdir(folder)
    allow_fork()
    parent = multiprocessing.parent_process()
    if parent is not None:

        def follow() -> None:
            parent.join()
            kill_all()
            os._exit(1)

        threading.Thread(target=follow, daemon=True).start()


class ClusterWorkers:
    """The workers of a cluster: dask.distributed starts those again that die, and gives their games to others."""

    die_together = False

    def __init__(self, client: Any) -> None:
        self.client = client
        # By default it takes equal calls for one call; games that begin alike are still two.
        self.executor: Executor = client.get_executor(pure=False)

    @property
    def count(self) -> int:
        """How many games they play at once, as many as they have threads; workers may come and go."""
        threads: dict[str, int] = self.client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, task: str) -> "Future[str]":
        """Have a game played."""
        return self.executor.submit(play_text, task)

    def renew(self) -> None:
        """Nothing to do: the scheduler does it."""

    def stop(self) -> None:
        """Take back what is not yet played."""
        self.executor.shutdown(wait=False)


@contextlib.contextmanager
def cluster(address: str, count: int) -> Iterator[ClusterWorkers]:
    """The workers of the cluster at an address; `local` starts one of so many workers on this machine."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise GamesearchError("a cluster needs dask.distributed: pip install 'gamesearch[cluster]'") from None
    with contextlib.ExitStack() as opened:
        if address == "local":
            address = opened.enter_context(
                LocalCluster(n_workers=count, threads_per_worker=1, processes=True, dashboard_address=None)
            )
        try:
            client = opened.enter_context(Client(address, timeout="10s"))
        except (OSError, ValueError) as error:
            raise GamesearchError(f"there is no cluster at {address}: {error}") from None
        yield ClusterWorkers(client)
