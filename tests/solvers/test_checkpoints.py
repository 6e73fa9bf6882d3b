"""An interrupted and resumed build of a database gives the same file.

The tests use games that do not number their positions.
"""

import errno
import os
import tracemalloc
from contextlib import suppress
from pathlib import Path

import pytest
from database_support import build_database

from gamesearch.cli import run
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.solvers.databases.building import build, verify
from gamesearch.solvers.databases.checkpoints import INTERVAL, Checkpoints
from gamesearch.solvers.databases.folders import BuiltLayer

GAMES = ("nim(heaps='2,4,5')", "go(size=2, superko=false)", "dotsandboxes(rows=1, columns=2)")
"""A game without repetition, a game with repetition, and a game in which points are won."""


class KilledError(Exception):
    """An exception in place of the sudden death of a process."""


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.solvers.databases.checkpoints.INTERVAL", 0.0)
    monkeypatch.setattr("gamesearch.solvers.databases.checkpoints.SHARE", float("inf"))
    for name in ("graphs.graph", "graphs.retrograde", "databases.checkpoints"):
        monkeypatch.setattr(f"gamesearch.solvers.{name}.AT_ONCE", {True: 20, False: 20})


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name not in (".checked", ".lock"))


def build_until_killed(stages: int, game: str, folder: Path, speed: str = "interpreted") -> list[str]:
    """Build a layer, but stop after at most `stages` stages; return the names of the stages."""
    told = list[str]()

    def listen(stage: str, done: int, of: int) -> None:
        if len(told) == stages:
            raise KilledError
        told.append(stage)

    for _ in build(load(game), "start", str(folder), speed=speed, listen=listen):
        pass
    return told


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("game", GAMES)
def test_a_build_killed_at_any_moment_resumes(game: str, tmp_path: Path) -> None:
    build_database(load(game), "start", tmp_path / "whole")
    stages = len(build_until_killed(10_000, game, tmp_path / "counted"))
    assert stages > 5
    for most in range(0, stages, 8):
        folder = tmp_path / str(most)
        with pytest.raises(KilledError):
            build_until_killed(most, game, folder)
        with suppress(KilledError):
            build_until_killed(most // 2, game, folder)  # resumed work is interrupted again
        again = build_until_killed(10_000, game, folder)
        assert ("finding positions again" in again) == (most > 0)
        assert names(folder) == ["start.layer"]
        assert (folder / "start.layer").read_bytes() == (tmp_path / "whole" / "start.layer").read_bytes()


@pytest.mark.usefixtures("often")
@pytest.mark.xdist_group("nim")
def test_each_speed_resumes_the_work_of_the_other(tmp_path: Path) -> None:
    build_database(load(GAMES[0]), "start", tmp_path / "whole")
    build_database(load(GAMES[0]), "start", tmp_path / "compiled", "compiled")
    assert (tmp_path / "whole" / "start.layer").read_bytes() == (tmp_path / "compiled" / "start.layer").read_bytes()
    for first, then in (("compiled", "interpreted"), ("interpreted", "compiled")):
        folder = tmp_path / first
        with pytest.raises(KilledError):
            build_until_killed(9, GAMES[0], folder / "parts", first)
        assert "finding positions again" in build_until_killed(10_000, GAMES[0], folder / "parts", then)
        assert (folder / "parts" / "start.layer").read_bytes() == (tmp_path / "whole" / "start.layer").read_bytes()
    (found,) = verify(load(GAMES[0]), "start", str(tmp_path / "whole"), speed="compiled")
    assert isinstance(found, BuiltLayer)


def test_ctrl_c_keeps_all_results(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C saves all work, even if the first checkpoint is not yet due."""
    monkeypatch.setattr("gamesearch.solvers.graphs.graph.AT_ONCE", {True: 20, False: 20})
    assert INTERVAL > 1
    arguments = ["database", GAMES[0], "start", "--to", str(tmp_path), "--speed", "interpreted"]

    def interrupt(self: Checkpoints) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Checkpoints, "is_due", interrupt)
        assert run(arguments) == 130
    assert "the same command" in capsys.readouterr().err
    assert names(tmp_path) == ["start.moves-0000.part"]
    assert run(arguments) == 0
    assert names(tmp_path) == ["start.layer"]
    capsys.readouterr()


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize(("name", "place"), [("start.moves-0001.part", 5000), ("start.values.part", -1)])
def test_a_damaged_checkpoint_is_ignored(name: str, place: int, tmp_path: Path) -> None:
    game = GAMES[1]
    build_database(load(game), "start", tmp_path / "whole")
    with pytest.raises(KilledError):
        build_until_killed(18, game, tmp_path)
    data = bytearray((tmp_path / name).read_bytes())
    data[min(place, len(data) - 1)] ^= 16
    (tmp_path / name).write_bytes(data)
    try:
        build_database(load(game), "start", tmp_path)
    except GamesearchError as error:  # the damage changed the game's name or the hash of its rules
        assert name in str(error)  # noqa: PT017
        return
    assert (tmp_path / "start.layer").read_bytes() == (tmp_path / "whole" / "start.layer").read_bytes()


@pytest.mark.usefixtures("often")
def test_checkpoints_of_other_games_are_refused(tmp_path: Path) -> None:
    with pytest.raises(KilledError):
        build_until_killed(4, GAMES[0], tmp_path)
    before = names(tmp_path)
    for other in ("nim(heaps='2,4,6')", GAMES[1]):
        with pytest.raises(GamesearchError, match=r"start.moves-0000.part is for nim\(.*name another folder"):
            build_database(load(other), "start", tmp_path)
    assert names(tmp_path) == before


@pytest.mark.usefixtures("often")
def test_a_full_disk_loses_no_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    written = iter(range(2))
    write = os.fsync

    def full(handle: int) -> None:
        if next(written, None) is None:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(GamesearchError, match="no space left on device; everything up to the last checkpoint"):
            build_database(load(GAMES[0]), "start", tmp_path)
    assert names(tmp_path) == ["start.moves-0000.part"]
    build_database(load(GAMES[0]), "start", tmp_path / "whole")
    build_database(load(GAMES[0]), "start", tmp_path)
    assert (tmp_path / "start.layer").read_bytes() == (tmp_path / "whole" / "start.layer").read_bytes()


def test_memory_is_bounded(tmp_path: Path) -> None:
    """All arrays together never exceed the given memory; an error names the memory with which the build can resume."""
    tracemalloc.start()
    try:
        build_database(load("nim(heaps='4,5,6')"), "start", tmp_path / "small", memory=3)
        assert tracemalloc.get_traced_memory()[1] < 4 << 20
    finally:
        tracemalloc.stop()
    with pytest.raises(GamesearchError, match=r"positions need at least \d+ MB, but the limit is 1 MB: raise it with"):
        build_database(load("nim(heaps='7,9,11,13')"), "start", tmp_path / "large", memory=1)
    assert names(tmp_path / "large") == ["start.moves-0000.part"]
