"""Where the games of a match are played: in processes of this machine, or on a cluster by dask.distributed.

Both take a task as text and return a future with the record as text.
"""

import contextlib
import queue
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from typing import Any, Protocol

from gamesearch.errors import GamesearchError
from gamesearch.play.matches.game_process import PROGRAM, GameProcess, play_text

__all__ = ["LocalWorkers", "Workers", "cluster"]


class Workers(Protocol):
    """Workers that play games."""

    @property
    def count(self) -> int:
        """The number of games that are played at the same time."""

    @property
    def lost(self) -> int:
        """How often a game was played again because its process was killed."""

    def submit(self, task: str) -> "Future[str]":
        """Start a game; the future gets the text of its record."""

    def stop(self) -> None:
        """End immediately, whatever is being played."""


class LocalWorkers:
    """Threads that each have a process in which the games are played (`gamesearch.play.matches.game_server`)."""

    def __init__(self, count: int, program: Sequence[str] = PROGRAM) -> None:
        self.count = count
        self.processes = [GameProcess(program) for _ in range(count)]
        self.idle: queue.SimpleQueue[GameProcess] = queue.SimpleQueue()
        for process in self.processes:
            self.idle.put(process)
        self.threads = ThreadPoolExecutor(count)

    @property
    def lost(self) -> int:
        """How often a game was played again because its process was killed."""
        return sum(process.kills for process in self.processes)

    def submit(self, task: str) -> "Future[str]":
        """Start a game."""
        return self.threads.submit(self.play, task)

    def play(self, task: str) -> str:
        """Play a game in an idle process."""
        process = self.idle.get()
        try:
            return process.play_text(task)
        finally:
            self.idle.put(process)

    def stop(self) -> None:
        """Kill the processes, and with them their games."""
        self.threads.shutdown(wait=False, cancel_futures=True)
        for process in self.processes:  # all of them, before any is waited for
            process.stop()
        for process in self.processes:
            process.kill()
        self.threads.shutdown(wait=True)
        for process in self.processes:
            process.end()


class ClusterWorkers:
    """The workers of a cluster: dask.distributed restarts workers that die, and gives their games to others."""

    lost = 0

    def __init__(self, client: Any) -> None:
        self.client = client
        # By default equal calls are one call, but games that begin alike are still two games.
        self.executor: Executor = client.get_executor(pure=False)

    @property
    def count(self) -> int:
        """The number of threads of all workers; workers may come and go."""
        threads: dict[str, int] = self.client.nthreads()
        return max(1, sum(threads.values()))

    def submit(self, task: str) -> "Future[str]":
        """Start a game."""
        return self.executor.submit(play_text, task)

    def stop(self) -> None:
        """Cancel the games that have not begun."""
        self.executor.shutdown(wait=False)


@contextlib.contextmanager
def cluster(address: str, count: int) -> Iterator[ClusterWorkers]:
    """The workers of the cluster at an address; `local` starts a cluster with `count` workers on this machine."""
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
            raise GamesearchError(f"cannot connect to a cluster at {address}: {error}") from None
        yield ClusterWorkers(client)
