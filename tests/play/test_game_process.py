"""The process that plays games for a match: the process is killed, hangs, or runs rules that fail."""

import contextlib
import io
import json
import os
import signal
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import failing_games
import pytest

from gamesearch.algorithms.engine.result import Monitor, SearchResult, Statistics
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.matches import game_process
from gamesearch.play.matches.game_process import GameProcess, LoadedPlayers
from gamesearch.play.matches.game_task import CRASH, GameRecord, Terms
from gamesearch.play.matches.series import Series
from gamesearch.play.players.player import Player, Turn

FAILING = failing_games.failing_series(patience=0.0)


@contextlib.contextmanager
def ended(process: GameProcess) -> Iterator[GameProcess]:
    """A context manager that ends a process at the end of the `with` block."""
    try:
        yield process
    finally:
        process.end()


def test_a_killed_process_replays_its_game_and_no_player_loses() -> None:
    text = replace(FAILING.task(1), players=("random", "random")).text()
    with ended(GameProcess(failing_games.PROGRAM)) as process:
        expected = process.play_text(text)
    with ended(GameProcess(failing_games.PROGRAM)) as process:
        assert process.play(text) is not None
        assert process.child is not None
        os.kill(process.child.process.pid, signal.SIGSTOP)  # so that the process is killed before its game ends
        threading.Timer(0.1, os.kill, (process.child.process.pid, signal.SIGKILL)).start()
        assert process.play(text) is None
        record = process.play(text)
        assert record is not None
        assert GameRecord.read(expected) == record


def test_rules_that_fail_are_no_players_fault(tmp_path: Path) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import gamesearch\nclass Broken(gamesearch.Game):\n    pass\n")
    task = replace(FAILING.task(0), game=str(broken))
    with ended(GameProcess()) as process, pytest.raises(GamesearchError, match="Broken"):
        process.play(task.text())
    failing = GameProcess((sys.executable, "-c", "raise SystemExit(3)"))
    with ended(failing) as process, pytest.raises(GamesearchError, match="a game cannot begin"):
        process.play(task.text())


def test_a_process_that_never_begins_is_no_players_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_process, "STARTING", 0.2)
    silent = GameProcess((sys.executable, "-I", "-S", "-c", "input()\ninput()"))
    with ended(silent) as process, pytest.raises(GamesearchError, match=r"is too slow.*--plies 0"):
        process.play(FAILING.task(0).text())


def test_a_player_that_cannot_be_loaded_loses() -> None:
    task = replace(FAILING.task(0), players=("nobody", "random"))
    with ended(GameProcess()) as process:
        record = process.play(task.text())
    assert record is not None
    assert (record.winner, record.reason, record.failed) == (1, CRASH, 0)
    assert "'nobody'" in record.details


# Inside the process. -------------------------------------------------------------------------------
class Learning(Player):
    """A player that plays the first legal move and, for each game, records its seed and its side."""

    specification = "learning"

    def __init__(self) -> None:
        self.games = list[tuple[int, int]]()

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        game = (turn.seed, turn.mover)
        self.games += [] if game in self.games else [game]
        return SearchResult("learning", None, "exact", turn.game.steps(turn.state)[0], (), Statistics())


def test_twins_that_learn_stay_themselves_when_sides_change() -> None:
    made = list[Learning]()

    def load(text: str, game: Game, seconds: float | None, speed: str) -> Player:
        made.append(Learning())
        return made[-1]

    series = Series("tictactoe", ("learning", "learning"), terms=Terms(margin=60, speed="interpreted"))
    output = io.StringIO()
    tables = LoadedPlayers(load, output)
    for number in range(4):
        tables.play(series.task(number).text())
    first, second = made
    assert [side for _, side in first.games] == [0, 1, 0, 1]
    assert [side for _, side in second.games] == [1, 0, 1, 0]
    records = [json.loads(line)["record"] for line in output.getvalue().splitlines() if '"asks"' not in line]
    assert [json.loads(record)["players"][0] for record in records] == ["learning", "learning #2"] * 2
    other = replace(series.task(4), terms=Terms(margin=59, speed="interpreted"))
    tables.play(other.text())
    assert len(made) == 4
    tables.watchdog.close()
