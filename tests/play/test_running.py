"""Running a series of games: the order of the games, their results, and worker processes that die."""

import importlib.util
import json
import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import BrokenExecutor, Future
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from inline_workers import InlineWorkers

from gamesearch.errors import GamesearchError
from gamesearch.learn.training import process_pool
from gamesearch.play.matches.elo import Sprt
from gamesearch.play.matches.game_task import CRASH, HANG, TIME, GameRecord, GameTask, Opening, Terms
from gamesearch.play.matches.ratings import encounters_of, rate
from gamesearch.play.matches.referee import Referee
from gamesearch.play.matches.running import LocalWorkers, MatchRun, cluster
from gamesearch.play.matches.series import Journal, Series, differences, read_journal, usual_path
from gamesearch.play.matches.standings import standings_of
from gamesearch.play.players.loading import load_player
from gamesearch.registry import load

TERMS = Terms(nodes=20, speed="interpreted")
SERIES = Series("tictactoe", ("alphabeta", "random", "random"), plies=1, seed=3, terms=TERMS)
AB = Series("tictactoe", ("a", "b"))


# The order of the games. --------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("gauntlet", [False, True])
def test_any_two_players_play_pairs_with_the_same_openings(players: int, gauntlet: bool) -> None:
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


def test_standings_count_the_played_games() -> None:
    records = [
        replace(
            GameRecord(0, ("a", "b"), winner=0, opening=("1", "1"), moves=("1",) * 5, rolls=3),
            asked=(3, 2),
            nodes=(30, 20),
            seconds=(1.0, 0.5),
        ),
        GameRecord(1, ("b", "a"), winner=None, moves=("1",) * 9),
        GameRecord(2, ("a", "b")).with_failure_of(1, CRASH, "x"),
        GameRecord(3, ("b", "a")).with_failure_of(1, TIME, "x"),
        GameRecord(4, ("a", "b")).with_failure_of(0, HANG, "x"),
    ]
    standings = standings_of(AB, records)
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
    assert one.payoffs.values == (0.5, -2.0, -0.5)
    assert one.payoffs.mean == pytest.approx(-2 / 3)
    assert one.payoffs.half_interval == pytest.approx(1.96 * statistics.stdev([0.5, -2.0, -0.5]) / 3**0.5, rel=1e-3)
    assert other.payoffs.values == (-0.5, 2.0, 0.5)
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
    with Journal(tmp_path / "journal", AB) as journal:
        first, second = InlineWorkers(), InlineWorkers()
        MatchRun(AB, journal, 4).play(first)
        run = MatchRun(AB, journal, 10)
        run.play(second)
        assert (sorted(first.played), sorted(second.played)) == ([0, 1, 2, 3], [4, 5, 6, 7, 8, 9])
        assert run.is_finished
        assert run.standings.players[0].points == 10
        assert len(MatchRun(AB, journal, 6).counting_games) == 6


def test_a_match_ends_when_sprt_has_decided(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal", AB) as journal:
        run = MatchRun(AB, journal, 10_000, Sprt(0, 50))
        run.play(InlineWorkers())
        assert run.decided is not None
        assert 10 < run.decided < 100
        assert run.decision is not None
        assert run.decision.is_accepted is True
        assert run.decision.sprt.verdict(run.standings.players[0].pairs) is True
        assert len(run.counting_games) == 2 * run.decided <= len(journal.records) <= 2 * run.decided + 4
        again = MatchRun(AB, journal, 10_000, Sprt(0, 50))
        assert (again.decided, again.is_finished) == (run.decided, True)


class WorkersWithoutPlayer(InlineWorkers):
    """Workers in which one of the two players can start only in the games with the given numbers."""

    def __init__(self, *present: int) -> None:
        super().__init__()
        self.present = present

    def result(self, asked: GameTask) -> GameRecord:
        record = super().result(asked)
        return (
            record
            if asked.number in self.present
            else record.with_failure_of(0, CRASH, "cannot be started: no such file")
        )


def test_a_player_that_never_starts_stops_the_match(tmp_path: Path) -> None:
    with Journal(tmp_path / "never", AB) as journal:
        with pytest.raises(GamesearchError, match="a lost 5 games in a row, because it could not be started: no"):
            MatchRun(AB, journal, 100).play(WorkersWithoutPlayer())
        assert len(journal.records) < 12
    with Journal(tmp_path / "now and then", AB) as journal:
        MatchRun(AB, journal, 24).play(WorkersWithoutPlayer(6, 7, 14, 15, 22))
        assert len(journal.records) == 24


def test_workers_that_always_die_stop_the_match(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal", AB) as journal:
        run = MatchRun(AB, journal, 6)
        with pytest.raises(GamesearchError, match="workers died in the same game"):
            run.play(DyingWorkers())
        assert run.lost_workers == 5


def lines_of(path: Path) -> list[GameRecord]:
    """Return the games of a journal in their order, without the measured times."""
    with Journal(path, SERIES) as journal:
        return [replace(record, seconds=(0, 0)) for _, record in sorted(journal.records.items())]


def play_games(path: Path, count: int, games: int = 12) -> list[GameRecord]:
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
    return play_games(tmp_path_factory.mktemp("alone") / "journal", 1)


def test_results_do_not_depend_on_the_number_of_workers(alone: list[GameRecord], tmp_path: Path) -> None:
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
        assert killed
        assert run.lost_workers <= 1  # 0 if the worker was idle, because all its games had ended
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
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        monkeypatch.setenv("GAMESEARCH_NUMBER", str(number))
        with process_pool(1) as pool:
            assert pool.submit(os.getcwd).result(60) == str(folder)
            assert pool.submit(os.getenv, "GAMESEARCH_NUMBER").result(60) == str(number)


def test_the_processes_of_a_killed_match_end(tmp_path: Path) -> None:
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
        time.sleep(0.1)
        assert journal.stat().st_size == size


# The journal. -------------------------------------------------------------------------------------
JOURNALED = Series("tictactoe", ("random", "minimax"))


def record(number: int) -> GameRecord:
    return GameRecord(number, ("random", "minimax"), moves=("1", "2"), winner=number % 2)


def begin_journal(path: Path, games: int) -> bytes:
    with Journal(path, JOURNALED) as journal:
        for number in range(games):
            journal.append(record(number))
    return path.read_bytes()


def test_a_journal_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    begin_journal(path, 3)
    with Journal(path, JOURNALED) as journal:
        assert journal.records == {number: record(number) for number in range(3)}
        journal.append(record(7))
        with pytest.raises(GamesearchError, match="game 8 is in"):
            journal.append(record(7))
    assert [each.number for each in read_journal(path.read_bytes(), path)] == [0, 1, 2, 7]


def test_a_journal_that_was_cut_off_continues(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    whole = begin_journal(path, 2)
    ends = [number for number, byte in enumerate(whole, 1) if byte == ord("\n")]
    lengths = {*range(0, len(whole), 23), *(end + more for end in ends for more in (-2, -1, 0))}
    for length in sorted(lengths):
        path.write_bytes(whole[:length])
        games = max(0, sum(end <= length for end in ends) - 1)
        assert len(read_journal(path.read_bytes(), path) if length >= ends[0] else []) == games
        with Journal(path, JOURNALED) as journal:
            assert len(journal.records) == games
            for number in range(games, 2):
                journal.append(record(number))
        assert path.read_bytes() == whole


@given(st.binary(max_size=60))
def test_other_files_are_not_written(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "file"
        if json.dumps(JOURNALED.header()).encode().startswith(data):  # this text is the beginning of a journal
            return
        path.write_bytes(data)
        with pytest.raises(GamesearchError, match="not the journal of a match"):
            Journal(path, JOURNALED)
        assert path.read_bytes() == data


@pytest.mark.parametrize(
    ("other", "different"),
    [
        (Series("tictactoe", ("random", "maxn")), "players is"),
        (Series("connect4", ("random", "minimax"), seed=1), "--seed and game are"),
        (Series("tictactoe", ("random", "minimax"), terms=Terms(nodes=5)), "--nodes is"),
    ],
)
def test_the_journal_of_another_match_is_refused(other: Series, different: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    before = begin_journal(path, 1)
    with pytest.raises(GamesearchError, match=f"whose {different} different"):
        Journal(path, other)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b"{}\n", "line 3 .* is not a recorded game; delete the line"),
        (b"what\n", "line 3 of .* cannot be read"),
        (record(0).text().encode() + b"\n", "line 3 of .* repeats game 1"),
    ],
)
def test_damaged_lines_are_named(line: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    path.write_bytes(begin_journal(path, 1) + line)
    before = path.read_bytes()
    with pytest.raises(GamesearchError, match=said):
        Journal(path, JOURNALED)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"winner": 0', '"winner": 2'),
        ('"number": 2', '"number": -1'),
        ('"rolls": 0', '"rolls": true'),
        ('"nodes": [0, 0]', '"nodes": [0, 0, 0]'),
        ('"seconds": [0.0, 0.0]', '"seconds": [-1, 0]'),
        ('"moves": ["1", "2"]', '"moves": ["1", 2]'),
    ],
)
def test_each_field_of_a_record_has_its_type(old: str, new: str) -> None:
    text = record(2).text()
    assert GameRecord.read(text) == record(2)
    with pytest.raises(GamesearchError, match=f"the field {old.split(chr(34))[1]} is invalid"):
        GameRecord.read(text.replace(old, new))


def test_two_processes_do_not_write_one_journal(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    with Journal(path, JOURNALED), pytest.raises(GamesearchError, match="another process is playing this match"):
        Journal(path, JOURNALED)
    with Journal(path, JOURNALED) as journal:
        assert journal.records == {}


def test_a_full_disk_damages_nothing(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    with Journal(path, JOURNALED) as journal:
        journal.append(record(0))
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (journal.size + 100, limits[1]))  # within the next line
            with pytest.raises(GamesearchError, match=r"cannot be written.*the earlier games in it are safe"):
                journal.append(record(1))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)
            signal.signal(signal.SIGXFSZ, handler)
        assert list(journal.records) == [0]
        journal.append(record(2))
    assert [each.number for each in read_journal(path.read_bytes(), path)] == [0, 2]


@pytest.mark.parametrize("form", ["{}(depth=2)", "alphabeta(depth=2), connect4(weights={})"])
def test_an_edited_file_is_another_player(form: str, tmp_path: Path) -> None:
    mine = tmp_path / ("weights.json" if "weights" in form else "mine.py")
    mine.write_text("one")
    series = Series("connect4", (form.format(mine), "random"))
    before = series.header(), series.name
    assert before == (series.header(), series.name)
    mine.write_text("two")
    assert series.name != before[1]
    assert differences(before[0], series.header()) == ["files"]
    assert "files" not in Series("connect4", ("random", "random")).header()


def test_the_name_of_a_journal_depends_on_its_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    path = usual_path(JOURNALED)
    assert path.parent.is_dir()
    assert path.name.startswith("tictactoe-")
    assert usual_path(Series("tictactoe", ("random", "minimax"))) == path
    assert usual_path(Series("tictactoe", ("random", "minimax"), seed=1)) != path
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    with pytest.raises(GamesearchError, match="cannot be created"):
        usual_path(JOURNALED)


def test_older_journals_are_read(tmp_path: Path) -> None:
    path = tmp_path / "journal.jsonl"
    lines = [json.loads(line) for line in begin_journal(path, 2).splitlines()]
    for each in lines[1:]:
        del each["rolls"], each["payoff"]
        each["by_lot"] = each.pop("has_chance")
    found = read_journal("".join(json.dumps(each) + "\n" for each in lines).encode(), path)
    assert [(each.rolls, each.payoff) for each in found] == [(0, None)] * 2


# Repeated games. ----------------------------------------------------------------------------------


def pair(number: int, moves: str, winner: int | None = 0, has_chance: bool = False) -> list[GameRecord]:
    """Return the two games of a pair: player a wins when it moves first, and draws when it moves second."""
    one = GameRecord(2 * number, ("a", "b"), moves=tuple(moves), winner=winner, has_chance=has_chance)
    return [one, GameRecord(2 * number + 1, ("b", "a"), moves=tuple(moves), winner=None, has_chance=has_chance)]


def test_repeated_pairs_count_only_in_the_score() -> None:
    records = [*pair(0, "153"), *pair(1, "159"), *pair(2, "153"), *pair(3, "153"), *pair(4, "153", None)]
    standings = standings_of(AB, records)
    first = standings.players[0]
    assert (standings.pairs, standings.repeated) == (5, 2)
    assert (first.wins, first.draws) == (4, 6)
    assert first.pairs.counts == (0, 0, 1, 2, 0)


def test_ratings_take_the_error_from_distinct_pairs() -> None:
    once = [*pair(0, "153"), *pair(1, "159", 1)]
    often = [*once, *(each for number in range(2, 40) for each in pair(number, "153"))]
    rated_once, rated_often = rate(encounters_of(once)), rate(encounters_of(often))
    assert [(each.name, each.elo, each.error) for each in rated_often.players] == [
        (each.name, each.elo, each.error) for each in rated_once.players
    ]
    assert rated_often.table["a", "b"] == (0.5 + 39 * 1.5, 80)


class RepeatingWorkers(InlineWorkers):
    """Workers that play the same moves in every game."""

    def result(self, asked: GameTask) -> GameRecord:
        return GameRecord(asked.number, asked.labels, winner=asked.labels.index("a"))


def test_a_sequential_test_ends_if_only_repeated_games_are_played(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal", AB) as journal:
        run = MatchRun(AB, journal, 10_000, Sprt(0, 50))
        run.play(RepeatingWorkers())
        assert run.decision is not None
        assert (run.decision.is_accepted, run.decision.is_exhausted) == (None, True)
        assert run.decision.pairs.number == 1
        assert run.is_finished
        assert len(journal.records) < 200


@pytest.mark.parametrize(
    ("game", "players", "has_chance"),
    [
        ("tictactoe", ("alphabeta(depth=1)", "minimax(depth=1)"), False),
        ("tictactoe", ("random(seed=3)", "alphabeta(depth=1)"), False),
        ("tictactoe", ("alphabeta(depth=1)", "random"), True),
        ("pig(target=3)", ("expectiminimax(depth=1)", "expectiminimax(depth=1)"), True),
    ],
)
def test_a_record_says_whether_chance_decided_anything(game: str, players: tuple[str, str], has_chance: bool) -> None:
    rules, terms = load(game), Terms(depth=1, speed="interpreted")
    sides = [load_player(text, rules, speed="interpreted") for text in players]
    task = GameTask(0, game, players, ("a", "b"), Opening(), 1, terms)
    record = Referee(rules, task, sides, lambda *_: None).play()
    assert record.has_chance == has_chance
