"""Play a match: distribute the games to workers, write their records, and repeat games whose workers died.

Workers are processes on this machine or, with dask.distributed, on a cluster. A worker takes a task as text, and
returns a future for the record as text.
"""

import contextlib
import queue
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, Future, ThreadPoolExecutor, wait
from typing import Any, Protocol

from gamesearch.errors import GamesearchError
from gamesearch.play.matches.elo import Sprt
from gamesearch.play.matches.game_process import PROGRAM, GameProcess, play_text
from gamesearch.play.matches.game_task import NO_START, GameRecord
from gamesearch.play.matches.series import Journal, Series
from gamesearch.play.matches.standings import Decision, Standings, standings_of

__all__ = ["LocalWorkers", "MatchRun", "Workers", "cluster"]

MOST_STARTS = 5  # the match stops if a player fails to start this number of times in a row
MOST_TRIES = 5  # the match stops if this number of workers die while they play the same game
INTERVAL = 0.25  # seconds between two calls of `look`


class MatchRun:
    """Plays the games of a match. The match ends earlier if a sequential test decides it."""

    def __init__(self, series: Series, journal: Journal, games: int, sprt: Sprt | None = None) -> None:
        self.series, self.journal, self.games = series, journal, games
        self.decision = None if sprt is None else Decision(sprt, series.labels[0], len(series.openings))
        self.starts_failed: Counter[str] = Counter()  # for each player, the number of failed starts in a row
        self.lost_workers = 0  # the number of games that were repeated because a worker died

    @property
    def decided(self) -> int | None:
        """The number of pairs after which the test of the match ended. None if the test has not ended, or if the match
        has no test."""
        return None if self.decision is None else self.decision.follow(self.journal.records, self.games)

    @property
    def counting_games(self) -> list[GameRecord]:
        """The games that count, in the order of their numbers. If the test has ended, later games do not count."""
        decided = self.decided
        most = self.games if decided is None else min(self.games, 2 * decided)
        return [record for number, record in sorted(self.journal.records.items()) if number < most]

    @property
    def standings(self) -> Standings:
        """The standings, computed only from the `counting_games`."""
        return standings_of(self.series, self.counting_games)

    @property
    def missing(self) -> Iterator[int]:
        """Yield, in order, the numbers of the games that have not been played yet."""
        return (number for number in range(self.games) if number not in self.journal.records)

    @property
    def is_finished(self) -> bool:
        """Whether all games were played, or the test has ended."""
        return next(self.missing, None) is None or self.decided is not None

    def play(self, workers: "Workers", look: Callable[[], None] = lambda: None) -> None:
        """Play the missing games; `look` is called after each game, and a few times a second."""
        tries: Counter[int] = Counter()
        again: list[int] = []
        fresh, killed = self.missing, workers.lost
        playing: dict[Future[str], int] = {}
        try:
            while self.decided is None:
                self.submit_games(workers, again, fresh, playing)
                if not playing:
                    return
                done, _ = wait(playing, timeout=INTERVAL, return_when="FIRST_COMPLETED")
                lost = self.take_results(done, playing)
                self.lost_workers += bool(lost) + workers.lost - killed
                killed = workers.lost
                again[:] = sorted({*again, *lost})
                tries.update(lost)
                if tries and tries.most_common(1)[0][1] >= MOST_TRIES:
                    raise GamesearchError(f"{MOST_TRIES} workers died in the same game: the match is stopped")
                look()
        finally:
            for future in playing:
                future.cancel()

    def take_results(self, done: Iterable[Future[str]], playing: dict[Future[str], int]) -> list[int]:
        """Write the records of finished games. Returns the numbers of the games whose workers died."""
        lost = []
        for future in sorted(done, key=lambda each: playing[each]):
            number, record = playing.pop(future), read_result(future)
            if record is None:
                lost.append(number)
            else:
                self.journal.append(record)
                self.check_start(record)
        return lost

    def check_start(self, record: GameRecord) -> None:
        """Raise GamesearchError if a player could not be started in MOST_STARTS successive games."""
        absent = record.never_started
        if not absent:
            for name in record.players:
                self.starts_failed.pop(name, None)
            return
        self.starts_failed[absent] += 1
        if self.starts_failed[absent] >= MOST_STARTS:
            raise GamesearchError(
                f"{absent} lost {MOST_STARTS} games in a row, because it could not be started: "
                f"{record.details.removeprefix(NO_START).lstrip(': ')}; "
                "fix the problem, and start again with another --journal"
            )

    def submit_games(
        self, workers: "Workers", again: list[int], fresh: Iterator[int], playing: dict[Future[str], int]
    ) -> None:
        """Start games, two for each worker, so that no worker has to wait for its next game."""
        while len(playing) < 2 * workers.count:
            number = again.pop(0) if again else next(fresh, None)
            if number is None:
                return
            playing[workers.submit(self.series.task(number).text())] = number


def read_result(future: "Future[str]") -> GameRecord | None:
    """The record from a worker; None if the worker died, so that the game must be played again."""
    try:
        return GameRecord.read(future.result())
    except (BrokenExecutor, CancelledError, OSError):
        return None
    except Exception as error:
        if type(error).__module__.partition(".")[0] == "distributed":  # an error of dask, such as KilledWorker
            return None
        raise


# Workers. -----------------------------------------------------------------------------------------
class Workers(Protocol):
    """The interface of workers that play games."""

    @property
    def count(self) -> int:
        """The number of games that are played at the same time."""

    @property
    def lost(self) -> int:
        """The number of times that a game was played again because its process was killed."""

    def submit(self, task: str) -> "Future[str]":
        """Start a game. The result of the future is the record of the game as text."""

    def stop(self) -> None:
        """End the workers immediately, even during a game."""


class LocalWorkers:
    """Threads on this machine. Each thread runs a process that plays games (`GameProcess`)."""

    def __init__(self, count: int, program: Sequence[str] = PROGRAM) -> None:
        self.count = count
        self.processes = [GameProcess(program) for _ in range(count)]
        self.idle: queue.SimpleQueue[GameProcess] = queue.SimpleQueue()
        for process in self.processes:
            self.idle.put(process)
        self.threads = ThreadPoolExecutor(count)

    @property
    def lost(self) -> int:
        """The number of times that a game was played again because its process was killed."""
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
        """Kill the processes. This ends their games."""
        self.threads.shutdown(wait=False, cancel_futures=True)
        for process in self.processes:  # end all processes before waiting for any of them
            process.stop()
        for process in self.processes:
            process.end()
        self.threads.shutdown(wait=True)


class ClusterWorkers:
    """The workers of a cluster. If a worker dies, dask.distributed restarts it and gives its games to other workers."""

    lost = 0

    def __init__(self, client: Any) -> None:
        self.client = client
        # By default, dask makes equal calls only once, but two games with equal tasks must both be played.
        self.executor: Executor = client.get_executor(pure=False)

    @property
    def count(self) -> int:
        """The number of threads of all workers; it changes when workers join or leave the cluster."""
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
    """Connect to the cluster at an address, and yield its workers. The address `local` starts a cluster with `count`
    workers on this machine."""
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
