"""Helpers for the tests of engines: programs that misbehave, and players that use such programs."""

import os
import shlex
import shutil
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from gamesearch.game import Game
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Player, Turn

__all__ = ["FAKE", "after", "fake_command", "is_installed", "is_running", "load_fake", "need"]

FAKE = Path(__file__).with_name("fake_engine.py")


def fake_command(protocol: str, behaviour: str, log: Path) -> str:
    """Return the command that starts a fake engine without site-packages, which makes it start faster."""
    return shlex.join([sys.executable, "-I", "-S", str(FAKE), protocol, behaviour, str(log)])


def load_fake(protocol: str, behaviour: str, log: Path, game: Game, options: str = "time=0.1") -> Player:
    """Return a player that runs a fake engine."""
    return load_player(f"{protocol}(path='{fake_command(protocol, behaviour, log)}', {options})", game)


def after(game: Game, names: Sequence[str], **given: Any) -> Turn:
    """Return the turn of the side to move after the given moves from the initial position."""
    states, moves = [game.initial()], []
    for name in names:
        moves.append(next(m for m in game.steps(states[-1]) if game.move_name(states[-1], m) == name))
        states.append(game.result(states[-1], moves[-1]))
    return Turn(game, tuple(states), tuple(moves), **given)


def is_running(pid: int, seconds: float = 2.0) -> bool:
    """Whether a process is still running after some seconds in which it could end."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            os.kill(pid, 0)
            if Path(f"/proc/{pid}/stat").exists() and Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z":
                return False  # the process has ended, but its parent has not read the exit code
        except ProcessLookupError:
            return False
        time.sleep(0.02)
    return True


def is_installed(program: str) -> bool:
    """Whether a real engine is installed."""
    return shutil.which(program, path=os.environ.get("PATH", "") + ":/usr/games") is not None


def need(program: str) -> None:
    """Skip the test if a real engine is not installed."""
    if not is_installed(program):
        pytest.skip(f"{program} is not installed")
