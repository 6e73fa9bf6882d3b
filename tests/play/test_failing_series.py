"""If players fail in all possible ways and the match is killed and resumed, each game is recorded exactly once."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import failing_games
import pytest
from failing_games import failing_series, fate

from gamesearch.play.matches.game_task import FAILURES
from gamesearch.play.matches.series import read_journal

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
        (24, 2, 0.05),
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
