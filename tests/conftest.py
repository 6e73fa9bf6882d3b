"""Fixtures for all tests, and the assignment of tests to workers."""

import gc
import os
import re
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import platformdirs
import pytest
from choices import EVERYTHING
from commands import Cli
from hypothesis import HealthCheck, settings
from terminal import Terminal

from gamesearch.game import Game
from gamesearch.registry import game_names

settings.register_profile("busy", max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("busy")  # the tests use all cores, so any single test may be slow
SELDOM = 100_000
"""The number of new objects after which garbage is collected; a high number makes the tests faster."""


def pytest_configure() -> None:
    """Enable the signals that tests send: a shell ignores some signals in background jobs, and nohup ignores SIGHUP."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGHUP, signal.SIGQUIT):
        if signal.getsignal(number) is signal.SIG_IGN:
            signal.signal(number, signal.SIG_DFL)
    gc.set_threshold(SELDOM)


def pytest_xdist_auto_num_workers() -> int:
    """Return the number of workers: one more than the cores, because some tests wait for a clock or another program."""
    return (os.cpu_count() or 1) + 1


FIRST = {
    "another version of Python", "tictactoe", "chess", "tests/cli/test_ending.py", "tests/tui/test_play_screen.py",
    "tests/torture/test_torture.py",
}  # fmt: skip
"""The slowest groups of tests, which start first; otherwise a worker might run them when all others have finished. So
pytest-xdist must not sort the groups by their number of tests (`--no-loadscope-reorder` in pyproject.toml)."""


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep all tests of a file, or all tests of a game, on one worker, unless they already have a group.

    Two workers that need the same kernel at the same time would both compile it. Each worker compiles the rules of a
    game only once, for all kernels. One worker would take too long for the conformance tests of all games, so the tests
    of each game are a group.
    """
    games, groups = set(game_names()), {}
    for item in items:
        marked = item.get_closest_marker("xdist_group")
        if marked is not None:
            groups[item] = marked.args[0]
            continue
        file, _, test = item.nodeid.partition("::")
        name = Path(file).stem.removeprefix("test_")
        if name == "conformance":
            name = re.split(r"\W", test.partition("[")[2])[0]
        groups[item] = name if name in games else file
        item.add_marker(pytest.mark.xdist_group(groups[item]))
    items.sort(key=lambda item: groups[item] not in FIRST)


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """A shell in a separate terminal, ready for input."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    opened = Terminal(tmp_path)
    try:
        opened.wait_for("shell$")
        yield opened
    finally:
        opened.close()


@pytest.fixture
def cli(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """An object that runs commands in this process as a shell would."""
    return Cli(capsys, monkeypatch)


@pytest.fixture
def empty_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An empty working folder, an empty folder for the user's state, and `gamesearch` on the path."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    monkeypatch.setattr(platformdirs, "user_state_path", lambda name: tmp_path / "state" / name)


@pytest.fixture
def interpreted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless everything is tested, run searches of speed `auto` interpreted, because compiling would take longer."""
    if not EVERYTHING:
        monkeypatch.setattr(Game, "worth_compiling", False)


@pytest.fixture
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Load the games of users without checking their rules, because learning loads a game many times."""
    monkeypatch.setattr("gamesearch.registry.check_rules", lambda game: None)
