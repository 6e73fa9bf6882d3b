"""The process that games are played in, as seen from outside: killed, silent, with rules that fail."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import failing_games
import pytest

from gamesearch.errors import GamesearchError
from gamesearch.play.matches import game_process
from gamesearch.play.matches.game_process import GameProcess
from gamesearch.play.matches.game_task import CRASH, GameRecord

FAILING = failing_games.failing_series(patience=0.0)


@contextlib.contextmanager
def ended(process: GameProcess) -> Iterator[GameProcess]:
    """A process that is ended in the end."""
    try:
        yield process
    finally:
        process.end()


def test_a_process_that_is_killed_plays_again_and_nobody_is_to_blame() -> None:
    text = replace(FAILING.task(1), players=("random", "random")).text()
    with ended(GameProcess(failing_games.PROGRAM)) as process:
        expected = process.play_text(text)
    with ended(GameProcess(failing_games.PROGRAM)) as process:
        assert process.play(text) is not None
        assert process.child is not None
        os.kill(process.child.pid, signal.SIGSTOP)  # so that it is killed in the middle
        threading.Timer(0.1, os.kill, (process.child.pid, signal.SIGKILL)).start()
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
    with ended(failing) as process, pytest.raises(GamesearchError, match="cannot even begin"):
        process.play(task.text())


def test_a_process_that_never_begins_is_no_players_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_process, "STARTING", 0.2)
    silent = GameProcess((sys.executable, "-I", "-S", "-c", "input()\ninput()"))
    with ended(silent) as process, pytest.raises(GamesearchError, match=r"takes too long.*--plies 0"):
        process.play(FAILING.task(0).text())


def test_a_player_that_cannot_be_loaded_loses() -> None:
    task = replace(FAILING.task(0), players=("nobody", "random"))
    with ended(GameProcess()) as process:
        record = process.play(task.text())
    assert record is not None
    assert (record.winner, record.reason, record.failed) == (1, CRASH, 0)
    assert "there is no player 'nobody'" in record.details


PATIENCE = 9
"""Seconds after which one that hangs is killed as a part of the match."""


def test_when_the_match_is_killed_its_processes_end(tmp_path: Path) -> None:
    words = [sys.executable, failing_games.__file__, "play", str(tmp_path / "journal"), "1000", "1", str(PATIENCE)]
    playing = subprocess.Popen(words, stdout=subprocess.PIPE)
    while not (tmp_path / "journal").exists() or (tmp_path / "journal").read_bytes().count(b"\n") < 2:
        assert playing.poll() is None
        time.sleep(0.02)
    playing.kill()
    output, _ = playing.communicate(timeout=PATIENCE - 3)  # the pipe is closed when the last of them has ended
    assert output == b""
