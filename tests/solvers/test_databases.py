"""Values in databases are correct, and the folder of a database stays valid if a process is stopped."""

import contextlib
import errno
import json
import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from choices import choose, only_with_everything
from database_support import build_database, code_of, codes_of, positions_of, values_and_plies

from gamesearch.algorithms.databases.codes import WON, decode, pack
from gamesearch.algorithms.databases.layer_files import HEADER_BYTES, checksum, read_header, write_layer
from gamesearch.algorithms.node.database import Database
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.solvers.databases.building import build, verify
from gamesearch.solvers.databases.folders import BuiltLayer, WrongCode
from gamesearch.solvers.solving import solve

SMALL = "checkers(size=4)"


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of all positions of checkers on a 4x4 board with up to three pieces."""
    folder = tmp_path_factory.mktemp("checkers")
    build_database(load(SMALL), "3", folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return the contents of all files in a folder, except the file that records the time of the last check."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir()) if path.name != ".checked"}


# Values. -----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("specification", "layers"), [(SMALL, "3"), ("morris(men=3, rings=1)", "3-3"), *choose((), [("checkers", "2")])]
)
def test_values_agree_with_the_definition(specification: str, layers: str, tmp_path: Path) -> None:
    database = build_database(load(specification), layers, tmp_path)
    game, decided, found_codes = database.game, list[int](), list(positions_of(database))
    known = values_and_plies(game, [s for s, _ in found_codes])
    for s, code in found_codes:
        (value, plies), expected = decode(game, code, game.player(s)), known[game.key(s)]
        assert value == expected[0]
        if value != game.draw_value():
            assert plies == expected[1]
            decided.append(plies)
    assert sum(header.won + header.lost for header in database.headers.values()) == len(decided)
    assert max(decided) == max(header.longest for header in database.headers.values())
    positions = [header.positions for header in database.headers.values()]
    assert specification != "checkers" or positions == [120, 6_972]  # R. Lake, J. Schaeffer and P. Lu 1994
    found = verify(database.game, layers, str(tmp_path), speed="interpreted")
    assert all(isinstance(each, BuiltLayer) for each in found)


@pytest.mark.parametrize("name", ["LINKED", "LINK_BYTES"])
def test_sweeps_and_predecessors_find_the_same(
    name: str, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sweeps replace predecessors that do not fit into memory, before or after the predecessors were counted."""
    monkeypatch.setattr(f"gamesearch.solvers.databases.linked_layer.{name}", 1 << 40)
    build_database(load(SMALL), "3", tmp_path)
    assert contents(tmp_path) == contents(small)


@pytest.mark.xdist_group("checkers")
def test_compiled_threads_find_the_same(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocks contain few positions, so that each thread computes many blocks."""
    monkeypatch.setattr("gamesearch.solvers.databases.linked_layer.BLOCK", 7)
    for _ in build(load(SMALL), "3", str(tmp_path), speed="compiled", workers=3):
        pass
    assert contents(tmp_path) == contents(small)


@pytest.mark.parametrize(
    ("specification", "layers", "plies", "least"),
    [("kalah(pits=2, seeds=2)", "8", 99, 15), ("connect4(rows=3, columns=3, connect=3)", "9", 3, 30)],
)
def test_codes_contain_the_points_that_can_still_be_won(
    specification: str, layers: str, plies: int, least: int, tmp_path: Path
) -> None:
    """Near the start, a position's value is the sum of the points already won and the further points in its code."""
    database = build_database(load(specification), layers, tmp_path)
    game, level, seen = database.game, {load(specification).initial()}, set[Any]()
    while level and plies >= 0:
        seen |= level
        for s in level:
            value, _ = decode(game, code_of(database, s), game.player(s))
            assert value + database.certain_payoff(s) == solve(game, s, "memo", speed="interpreted").value
        after = {game.result(s, m) for s in level for m in game.moves(s)}
        level, plies = {s for s in after if not game.terminal(s)} - seen, plies - 1
    assert len(seen) > least


@only_with_everything
@pytest.mark.xdist_group("chess")
def test_endings_of_chess_take_as_long_as_is_known(tmp_path: Path) -> None:
    """The longest wins with four pieces are as long as in E. Nalimov's tables. A win in n moves takes 2n - 1 plies."""
    game, moves = load("chess"), {}
    for men in ("KRK", "KQK", "KBBK", "KBNK", "KQKR"):
        database = build_database(game, men, tmp_path, "compiled")
    for layer, header in database.headers.items():
        codes = codes_of(database, layer).astype(int)
        plies = codes[codes >= WON] - WON >> 1
        if len(plies):
            moves[header.name] = (1 + max(plies[plies % 2 == 1])) // 2
    assert moves == {"KRK": 16, "KQK": 10, "KBBK": 19, "KBNK": 33, "KQKR": 35}


def test_a_game_that_repeats_without_declaring_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = load(SMALL)
    monkeypatch.setattr(type(game), "repetition", 0)
    with pytest.raises(GamesearchError, match="declares `repetition = NEVER`"):
        build_database(game, "2", tmp_path)


@pytest.mark.parametrize(
    ("specification", "layers", "says"),
    [
        ("pig", "3", "chance nodes"),
        ("checkers", "10", "write the greatest number of pieces"),
        ("checkers", "1000000000000000", "has no layers '1000000000000000'"),  # too many layers for a list
        ("connect4(rows=4, columns=4)", "1000000000000000", "has no layers '1000000000000000'"),
    ],
)
def test_unsuitable_games_and_layers_are_refused(specification: str, layers: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(GamesearchError, match=says):
        build_database(load(specification), layers, tmp_path)


def test_a_layer_that_does_not_fit_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The build reports the error before it does any work."""
    game = load("checkers")
    monkeypatch.setattr(game, "layers_for", lambda _: [1, 8])
    with pytest.raises(GamesearchError, match=r"layer 8 has .* MB, but the limit is 1 MB: raise it with --memory"):
        next(build(game, "8", str(tmp_path), speed="interpreted", memory=1))
    assert not list(tmp_path.glob("*.layer"))


# Folders. ----------------------------------------------------------------------------------------
class StoppedError(Exception):
    """An exception in place of Ctrl-C."""


def test_a_build_stopped_anywhere_resumes(small: Path, tmp_path: Path) -> None:
    """The build is stopped a little later each time; in the end, the folder is the same as without interruptions."""
    (tmp_path / ".2.layer.unfinished").write_bytes(b"half a layer")  # as after the death of a process
    for most in range(0, 40, 2):
        left = iter(range(most))

        def listen(stage: str, done: int, of: int, left: Iterator[int] = left) -> None:
            if next(left, None) is None:
                raise StoppedError

        with contextlib.suppress(StoppedError):
            built_by = build(load(SMALL), "2", str(tmp_path), speed="interpreted", listen=listen)
            if len(list(built_by)) == 2:
                break
    assert most > 5
    assert contents(tmp_path).items() <= contents(small).items()


def test_a_full_disk_is_a_sentence_and_nothing_is_lost(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[BuiltLayer] = []
    write = os.fsync

    def full(handle: int) -> None:
        if done:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        write(handle)

    monkeypatch.setattr(os, "fsync", full)
    building = build(load(SMALL), "2", str(tmp_path), speed="interpreted")
    done.append(next(building))
    with pytest.raises(GamesearchError, match="no space left on device; finished layers are safe"):
        next(building)
    assert sorted(contents(tmp_path)) == ["1.layer"]
    monkeypatch.undo()
    build_database(load(SMALL), "2", tmp_path)
    assert contents(tmp_path).items() <= contents(small).items()


@pytest.mark.parametrize(("is_cut_off", "place"), [(False, 0), (False, HEADER_BYTES + 100), (True, 20), (True, -1)])
def test_a_damaged_or_truncated_file_is_refused(is_cut_off: bool, place: int, small: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(small, tmp_path / "copy")
    data = bytearray((folder / "2.layer").read_bytes())
    data[place] ^= 1
    (folder / "2.layer").write_bytes(data[:place] if is_cut_off else data)
    game = load(SMALL)
    for use in (
        lambda: build_database(game, "3", folder),
        lambda: Database(str(folder), game),
        lambda: verify_layers(game, folder),
    ):
        with pytest.raises(GamesearchError, match=r"2.layer (is damaged|is for|was made by)"):
            use()


def verify_layers(game: Any, folder: Path) -> list[BuiltLayer | WrongCode]:
    return list(verify(game, "3", str(folder), speed="interpreted"))


def test_a_file_is_read_whole_once_and_again_after_a_change(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, game = shutil.copytree(small, tmp_path / "copy"), load(SMALL)
    (folder / ".checked").write_text("no notes")
    read = list[str]()

    def noting(whole: Any) -> str:
        read.append(checksum(whole))
        return read[-1]

    monkeypatch.setattr("gamesearch.algorithms.databases.layer_files.checksum", noting)
    Database(str(folder), game)
    assert len(read) == 3
    Database(str(folder), game)
    assert len(read) == 3
    os.utime(folder / "2.layer")
    Database(str(folder), game)
    assert len(read) == 4


def test_a_wrong_value_is_found(small: Path, tmp_path: Path) -> None:
    """Verification finds a wrong value even if its checksum is correct, as in a file from a faulty program."""
    game, folder = load(SMALL), shutil.copytree(small, tmp_path / "copy")
    codes = codes_of(Database(str(folder), game), 2)
    codes[100] += 2
    write_layer(folder, read_header(folder / "2.layer"), pack(codes))
    first, wrong = verify_layers(game, folder)
    assert isinstance(first, BuiltLayer)
    assert isinstance(wrong, WrongCode)
    assert (wrong.header.name, wrong.number) == ("2", 100)


def test_folders_of_others_are_refused(small: Path, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for use, said in (
        (lambda: Database(str(small), load("checkers(size=6)")), "name another folder"),
        (lambda: build_database(load("checkers(size=6)"), "2", small), "name another folder"),
        (lambda: Database(str(small), load("nim")), "name another folder"),
        (lambda: Database(str(tmp_path), load(SMALL)), "has no layers"),
        (lambda: Database(str(tmp_path / "nothing"), load(SMALL)), "there is no folder"),
        (lambda: verify_layers(load(SMALL), tmp_path / "nothing"), "there is no folder"),
        (
            lambda: build_database(load(SMALL), "1", tmp_path / "file" / "inside"),
            "written .not a directory.: name another",
        ),
        (lambda: build_database(load(SMALL), "1", tmp_path / "file"), "written .file exists.: name another folder"),
    ):
        with pytest.raises(GamesearchError, match=said):
            use()
    folder = shutil.copytree(small, tmp_path / "older")
    old = json.dumps({"game": SMALL, "layer": 1, "bytes": 1, "format": 3}).encode().ljust(HEADER_BYTES)
    (folder / "1.layer").write_bytes(old + bytes(20))
    with pytest.raises(GamesearchError, match=r"1.layer has format 3, but this version of gamesearch reads format 5"):
        Database(str(folder), load(SMALL))


def test_other_rules_are_refused(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.algorithms.node.database.digest_of", lambda _: "0123456789abcdef")
    monkeypatch.setattr("gamesearch.algorithms.node.database.rules_of", lambda *_: "0123456789abcdef")
    with pytest.raises(GamesearchError, match="built with other rules of checkers: add --verify"):
        Database(str(small), load(SMALL))


def test_missing_layers_are_named(small: Path, tmp_path: Path) -> None:
    folder = shutil.copytree(small, tmp_path / "copy")
    (folder / "2.layer").unlink()
    with pytest.raises(GamesearchError, match="has layer 3, but not layer 2"):
        Database(str(folder), load(SMALL))
    with pytest.raises(GamesearchError, match="has no layer 2"):
        verify_layers(load(SMALL), folder)
    build_database(load(SMALL), "3", folder)
    assert contents(folder) == contents(small)


def test_two_processes_do_not_build_in_one_folder(tmp_path: Path) -> None:
    building = build(load(SMALL), "3", str(tmp_path), speed="interpreted")
    next(building)
    with pytest.raises(GamesearchError, match="another process is building in"):
        next(build(load(SMALL), "3", str(tmp_path), speed="interpreted"))
    for _ in building:
        pass
    build_database(load(SMALL), "2", tmp_path)
