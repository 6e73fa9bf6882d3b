"""If players fail in all possible ways and the match is killed and resumed, each game is recorded exactly once."""

import contextlib
import io
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import failing_games
import pytest
from failing_games import failing_series, fate

from gamesearch.algorithms.engine.result import Monitor, SearchResult, Statistics
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.matches import game_process
from gamesearch.play.matches.game_process import GameProcess, LoadedPlayers
from gamesearch.play.matches.game_task import CRASH, FAILURES, GameRecord, Terms
from gamesearch.play.matches.series import Series, read_journal
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Player, Turn

FULL = ["MATCH_AT_FULL_LENGTH=1 pytest tests/play/test_failing_series.py", "takes some minutes"]


def start(journal: Path, games: int, patience: float) -> "subprocess.Popen[bytes]":
    words = [sys.executable, failing_games.__file__, "play", str(journal), str(games), "2", str(patience)]
    return subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def lines(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def play_and_kill(journal: Path, games: int, kills: int, patience: float) -> dict[str, Any]:
    """Play a series to its end; its process is killed several times at random moments.

    Return the totals of the last process.
    """
    moments = random.Random(games)
    for number in range(1, kills + 1):
        playing = start(journal, games, patience)
        while lines(journal) <= games * number // (kills + 2) and playing.poll() is None:
            time.sleep(0.01)
        time.sleep(moments.random() / 10)
        playing.send_signal(signal.SIGKILL)
        assert playing.wait() == -signal.SIGKILL, playing.communicate()[1].decode()
        playing.communicate()
    last = start(journal, games, patience)
    output, errors = last.communicate()
    assert last.returncode == 0, errors.decode()
    totals: dict[str, Any] = json.loads(output)
    return totals


@pytest.mark.parametrize(
    ("games", "kills", "patience"),
    [
        (6, 1, 0.05),
        pytest.param(
            *(1000, 10, 0.55),
            marks=pytest.mark.skipif("MATCH_AT_FULL_LENGTH" not in os.environ, reason=": ".join(FULL)),
        ),
    ],
)
def test_every_game_occurs_once_and_the_table_is_correct(
    games: int, kills: int, patience: float, tmp_path: Path
) -> None:
    journal = tmp_path / "journal.jsonl"
    totals = play_and_kill(journal, games, kills, patience)
    records = read_journal(journal.read_bytes(), journal)
    assert sorted(record.number for record in records) == list(range(games))
    series, expected = failing_series(), Counter[str]()
    for record in records:
        task = series.task(record.number)
        side = task.labels.index("failing")
        kind = fate(task.player_seed, side)
        expected[kind] += 1
        assert (record.players, record.reason if record.reason in FAILURES else "") == (task.labels, kind)
        if kind:
            assert (record.winner, record.failed, len(record.moves)) == (1 - side, side, 1 - side)
        else:
            assert len(record.opening) + len(record.moves) >= 5
    failing, fair = totals["players"]
    assert {kind: count for kind, count in failing["failures"].items() if count} == {
        kind: count for kind, count in expected.items() if kind
    }
    assert failing["restarts"] == sum(expected.values()) - expected[""]
    assert failing["games"] == fair["games"] == totals["games"] == games
    assert (failing["wins"], failing["losses"]) == (fair["losses"], fair["wins"])
    assert failing["wins"] == sum(record.winner == record.players.index("failing") for record in records)
    assert sum(failing["pentanomial"]) == games // 2


# The process that plays the games. ----------------------------------------------------------------
FAILING = failing_games.failing_series(patience=0.0)


@contextlib.contextmanager
def end_at_exit(process: GameProcess) -> Iterator[GameProcess]:
    """A context manager that ends a process at the end of the `with` block."""
    try:
        yield process
    finally:
        process.end()


def test_no_player_loses_if_the_rules_fail(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("import gamesearch\nclass Broken(gamesearch.Game):\n    pass\n")
    task = replace(FAILING.task(0), game=str(broken))
    with end_at_exit(GameProcess()) as process, pytest.raises(GamesearchError, match="Broken"):
        process.play(task.text())
    failing = GameProcess((sys.executable, "-c", "raise SystemExit(3)"))
    with end_at_exit(failing) as process, pytest.raises(GamesearchError, match="a game cannot begin"):
        process.play(task.text())
    monkeypatch.setattr(game_process, "STARTING", 0.2)
    silent = GameProcess((sys.executable, "-I", "-S", "-c", "input()\ninput()"))
    with end_at_exit(silent) as process, pytest.raises(GamesearchError, match=r"too slow.*--plies 0"):
        process.play(task.text())


def test_a_player_that_cannot_be_loaded_loses() -> None:
    task = replace(FAILING.task(0), players=("nobody", "random"))
    output = io.StringIO()
    players = LoadedPlayers(load_player, output)
    players.play(task.text())
    os.close(players.watchdog)
    record = GameRecord.read(json.loads(output.getvalue().splitlines()[-1])["record"])
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


def test_equal_players_keep_their_own_objects_when_they_exchange_sides() -> None:
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
    os.close(tables.watchdog)
