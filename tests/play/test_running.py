"""Running a series of games: the order of the games, their results, and worker processes that die."""

import importlib.util
import os
import signal
import statistics
import subprocess
import sys
import time
from collections import Counter
from concurrent.futures import BrokenExecutor, Future
from dataclasses import replace
from pathlib import Path

import pytest
from inline_workers import InlineWorkers

from gamesearch.errors import GamesearchError
from gamesearch.learn.training import process_pool
from gamesearch.play.matches.elo import Sprt
from gamesearch.play.matches.game_task import CRASH, HANG, TIME, GameRecord, GameTask, Opening, Terms
from gamesearch.play.matches.running import LocalWorkers, MatchRun, cluster
from gamesearch.play.matches.series import Journal, Series
from gamesearch.play.matches.standings import standings_of

TERMS = Terms(nodes=20, speed="interpreted")
SERIES = Series("tictactoe", ("alphabeta", "random", "random"), plies=1, seed=3, terms=TERMS)


# The order of the games. --------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 5])
@pytest.mark.parametrize("gauntlet", [False, True])
def test_each_two_play_pairs_on_the_same_openings(players: int, gauntlet: bool) -> None:
    names = tuple("abcdefg"[:players])
    openings = tuple(Opening(moves=(move,)) for move in "123")
    series = Series("tictactoe", names, openings, is_gauntlet=gauntlet)
    count = len(series.opponents)
    assert count == (players - 1 if gauntlet else players * (players - 1) // 2)
    tasks = [series.task(number) for number in range(2 * count * 4)]
    for first, second in zip(tasks[::2], tasks[1::2], strict=True):
        assert first.players == first.labels == tuple(reversed(second.players))
        assert replace(first, number=0) == replace(second, number=0, players=first.players, labels=first.labels)
    met = Counter(frozenset(task.players) for task in tasks)
    assert set(met.values()) == {8}
    assert len(met) == count
    for round_ in range(4):
        of_round = tasks[2 * count * round_ : 2 * count * (round_ + 1)]
        assert {task.opening for task in of_round} == {openings[round_ % 3]}
        assert len({task.seed for task in of_round}) == 1
    assert all(GameTask.read(task.text()) == task for task in tasks)


def test_players_of_one_name_are_two() -> None:
    assert SERIES.labels == ("alphabeta", "random", "random #2")
    assert len({SERIES.task(number).seed for number in range(0, 60, 6)}) == 10
    with pytest.raises(GamesearchError, match="at least two players"):
        Series("tictactoe", ("random",))


def test_standings_count_the_played_games() -> None:
    series = Series("tictactoe", ("a", "b"))
    records = [
        GameRecord(
            0,
            ("a", "b"),
            winner=0,
            opening=("1", "1"),
            moves=("1",) * 5,
            rolls=3,
            asked=(3, 2),
            nodes=(30, 20),
            seconds=(1.0, 0.5),
        ),
        GameRecord(1, ("b", "a"), winner=None, moves=("1",) * 9),
        GameRecord(2, ("a", "b")).lost_by(1, CRASH, "x"),
        GameRecord(3, ("b", "a")).lost_by(1, TIME, "x"),
        GameRecord(4, ("a", "b")).lost_by(0, HANG, "x"),
    ]
    standings = standings_of(series, records)
    one, other = standings.players
    assert (one.wins, one.draws, one.losses, one.points) == (2, 1, 2, 2.5)
    assert (other.wins, other.draws, other.losses, other.points) == (2, 1, 2, 2.5)
    assert one.pairs.counts == (0, 0, 1, 1, 0)
    assert other.pairs.counts == one.pairs.counts[::-1]
    assert (one.failures, one.restarts, other.restarts) == ({TIME: 1, HANG: 1}, 1, 1)
    assert (one.moves, one.nodes, one.seconds) == (3, 30, 1.0)
    assert (standings.games, standings.pairs, standings.draws, standings.failures) == (5, 2, 1, 3)
    assert standings.plies_a_game == (2 + 5 - 3 + 9) / 5, "plies of the opening count, outcomes of chance do not"


def test_payoffs_are_averaged_by_pairs() -> None:
    series = Series("backgammon", ("a", "b"))
    paid = [(2.0, 1.0), (-3.0, 1.0), (1.0, 2.0)]  # values for Max, in both games of a pair
    records = [
        GameRecord(2 * pair + half, ("a", "b") if half == 0 else ("b", "a"), payoff=payoff, has_chance=True)
        for pair, both in enumerate(paid)
        for half, payoff in enumerate(both)
    ]
    ended_otherwise = [
        GameRecord(6, ("a", "b"), payoff=3.0, has_chance=True),
        GameRecord(7, ("b", "a"), has_chance=True),
    ]
    one, other = standings_of(series, records + ended_otherwise).players
    assert one.payoffs.pairs == (0.5, -2.0, -0.5)
    assert one.payoffs.mean == pytest.approx(-2 / 3)
    assert one.payoffs.half_interval == pytest.approx(1.96 * statistics.stdev([0.5, -2.0, -0.5]) / 3**0.5, rel=1e-3)
    assert other.payoffs.pairs == (-0.5, 2.0, 0.5)
    assert standings_of(series, records[:2]).players[0].payoffs.half_interval is None


# Playing. -----------------------------------------------------------------------------------------
class DyingWorkers(InlineWorkers):
    """Workers that die in four of every five games."""

    def submit(self, task: str) -> "Future[str]":
        if (len(self.played) + 1) % 5 == 0:
            return super().submit(task)
        self.played.append(-1)
        future: Future[str] = Future()
        future.set_exception(BrokenExecutor("dead"))
        return future


def test_finished_games_are_not_played_again(tmp_path: Path) -> None:
    series = Series("tictactoe", ("a", "b"))
    with Journal(tmp_path / "journal", series) as journal:
        first, second = InlineWorkers(), InlineWorkers()
        MatchRun(series, journal, 4).play(first)
        run = MatchRun(series, journal, 10)
        run.play(second)
        assert (sorted(first.played), sorted(second.played)) == ([0, 1, 2, 3], [4, 5, 6, 7, 8, 9])
        assert run.is_finished
        assert run.standings.players[0].points == 10
        assert len(MatchRun(series, journal, 6).counting_games) == 6


def test_a_test_ends_a_match(tmp_path: Path) -> None:
    series = Series("tictactoe", ("a", "b"))
    with Journal(tmp_path / "journal", series) as journal:
        run = MatchRun(series, journal, 10_000, Sprt(0, 50))
        run.play(InlineWorkers())
        assert run.decided is not None
        assert 10 < run.decided < 100
        assert run.decision is not None
        assert run.decision.is_accepted is True
        assert run.decision.sprt.verdict(run.standings.players[0].pairs) is True
        assert len(run.counting_games) == 2 * run.decided <= len(journal.records) <= 2 * run.decided + 4
        again = MatchRun(series, journal, 10_000, Sprt(0, 50))
        assert (again.decided, again.is_finished) == (run.decided, True)


class ClusterWorkers(InlineWorkers):
    """Three workers of a cluster: one dies in game 0, and the others do not finish before its death is noticed."""

    count = 3

    def __init__(self) -> None:
        super().__init__()
        self.waiting: list[tuple[Future[str], GameTask]] = []

    def submit(self, task: str) -> "Future[str]":
        asked, future = GameTask.read(task), Future[str]()
        is_first = not self.played
        self.played.append(asked.number)
        if is_first:
            future.set_exception(BrokenExecutor("dead"))
        else:
            self.waiting.append((future, asked))
        return future

    def answer(self) -> None:
        """End all submitted games."""
        for future, asked in self.waiting:
            future.set_result(self.result(asked).text())
        self.waiting.clear()


def test_if_a_worker_dies_only_its_game_is_played_again(tmp_path: Path) -> None:
    series = Series("tictactoe", ("a", "b"))
    with Journal(tmp_path / "journal", series) as journal:
        workers = ClusterWorkers()
        run = MatchRun(series, journal, 6)
        run.play(workers, workers.answer)
        assert Counter(workers.played) == {0: 2, 1: 1, 2: 1, 3: 1, 4: 1, 5: 1}
        assert sorted(journal.records) == list(range(6))
        assert run.lost_workers == 1


class WorkersWithoutPlayer(InlineWorkers):
    """Workers in which one of the two players can start only in the games with the given numbers."""

    def __init__(self, *present: int) -> None:
        super().__init__()
        self.present = present

    def result(self, asked: GameTask) -> GameRecord:
        record = super().result(asked)
        return record if asked.number in self.present else record.lost_by(0, CRASH, "cannot be started: no such file")


def test_a_player_that_never_starts_stops_the_match(tmp_path: Path) -> None:
    series = Series("tictactoe", ("a", "b"))
    with Journal(tmp_path / "never", series) as journal:
        with pytest.raises(GamesearchError, match="a could not be started 5 times in a row"):
            MatchRun(series, journal, 100).play(WorkersWithoutPlayer())
        assert len(journal.records) < 12
    with Journal(tmp_path / "now and then", series) as journal:
        MatchRun(series, journal, 24).play(WorkersWithoutPlayer(6, 7, 14, 15, 22))
        assert len(journal.records) == 24


def test_workers_that_always_die_stop_the_match(tmp_path: Path) -> None:
    series = Series("tictactoe", ("a", "b"))
    with Journal(tmp_path / "journal", series) as journal:
        run = MatchRun(series, journal, 6)
        with pytest.raises(GamesearchError, match="workers died in the same game"):
            run.play(DyingWorkers())
        assert run.lost_workers == 5


def lines_of(path: Path) -> list[GameRecord]:
    """Return the games of a journal in their order, without the measured times."""
    with Journal(path, SERIES) as journal:
        return [replace(record, seconds=(0, 0)) for _, record in sorted(journal.records.items())]


def played(path: Path, count: int, games: int = 12) -> list[GameRecord]:
    with Journal(path, SERIES) as journal:
        workers = LocalWorkers(count)
        try:
            MatchRun(SERIES, journal, games).play(workers)
        finally:
            workers.stop()
    return lines_of(path)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> list[GameRecord]:
    """The games of a series that was played by a single worker."""
    return played(tmp_path_factory.mktemp("alone") / "journal", 1)


def test_results_do_not_depend_on_how_many_work(alone: list[GameRecord], tmp_path: Path) -> None:
    """The results depend neither on the number of workers nor on whether a worker is killed."""
    path = tmp_path / "journal"
    with Journal(path, SERIES) as journal:
        workers = LocalWorkers(2)
        run = MatchRun(SERIES, journal, 12)
        killed: list[int] = []

        def kill() -> None:
            if journal.records and not killed:
                child = workers.processes[0].child
                if child is not None and child.process.poll() is None:
                    killed.append(child.process.pid)
                    os.kill(killed[0], signal.SIGSTOP)  # the worker must be killed before its game ends
                    os.kill(killed[0], signal.SIGKILL)

        try:
            run.play(workers, kill)
        finally:
            workers.stop()
        assert run.lost_workers == 1
    assert lines_of(path) == alone
    assert [record.number for record in alone] == list(range(12))


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None, reason="dask.distributed is not installed")
def test_on_a_cluster_a_worker_that_dies_costs_no_game(alone: list[GameRecord], tmp_path: Path) -> None:
    path = tmp_path / "journal"
    with Journal(path, SERIES) as journal, cluster("local", 2) as workers:
        run = MatchRun(SERIES, journal, 12)
        killed: list[int] = []

        def kill() -> None:
            if journal.records and not killed:
                killed.extend(workers.client.run(os.getpid).values())
                os.kill(killed[0], signal.SIGKILL)

        run.play(workers, kill)
        workers.stop()
        assert killed
    assert lines_of(path) == alone


@pytest.mark.skipif(importlib.util.find_spec("distributed") is not None, reason="dask.distributed is installed")
def test_without_dask_the_extra_is_named() -> None:
    with pytest.raises(GamesearchError, match=r"pip install 'gamesearch\[cluster\]'"), cluster("local", 1):
        pass


def test_workers_take_over_folder_and_environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers use the current folder and environment, although they are forked from a process that started earlier."""
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        monkeypatch.setenv("GAMESEARCH_NUMBER", str(number))
        with process_pool(1) as pool:
            assert pool.submit(os.getcwd).result(60) == str(folder)
            assert pool.submit(os.getenv, "GAMESEARCH_NUMBER").result(60) == str(number)


def test_when_a_match_is_killed_the_copies_end(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    words = ("match", "tictactoe", "random", "minimax(depth=2)", "--games", "1000000", "--workers", "2")
    with subprocess.Popen(
        [sys.executable, "-m", "gamesearch", *words, "--journal", str(journal), "--speed", "interpreted"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as playing:
        while not journal.exists() or journal.read_bytes().count(b"\n") < 3:
            assert playing.poll() is None, playing.stderr and playing.stderr.read()
            time.sleep(0.02)
        playing.kill()
        playing.communicate(timeout=60)  # each pipe closes when all processes that have it open have ended
        size = journal.stat().st_size
        time.sleep(0.2)
        assert journal.stat().st_size == size
