"""Files of saved games, and the parsing of typed lines."""

import errno
import json
import math
from pathlib import Path
from typing import Any

import pytest
from match_support import match_of, play_moves

from gamesearch.errors import GamesearchError
from gamesearch.files.records import read_record
from gamesearch.play.files import read_file, writable_path, write_file
from gamesearch.play.sessions.commands import Line, read_line
from gamesearch.registry import load

# Files. ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "nim"}, "a game of nim, not of tictactoe"),
        ({"game": 3}, "not a game saved"),
        ({"position": "nowhere"}, "nine squares"),
        ({"moves": ["5", "5"]}, "move 2, '5', is not legal"),
        ({"moves": "5"}, "no list of moves"),
        ({"headers": {"Date": math.nan}}, "not a game saved"),
    ],
)
def test_foreign_records(change: dict[str, Any], sentence: str) -> None:
    match = match_of("tictactoe", "human", "human")
    record = json.loads(match.record()) | change
    with pytest.raises(GamesearchError, match=sentence):
        read_record(match.game, json.dumps(record))


def test_files_are_written_whole_and_never_over_others(tmp_path: Path) -> None:
    match = play_moves(match_of("tictactoe", "human", "human"), "5 1")
    name = str(tmp_path / "a game.json")
    write_file(name, match.record())
    assert read_file(name, match.game) == (match.start, match.moves)
    with pytest.raises(GamesearchError, match="exists already"):
        write_file(name, "other")
    write_file(name, "other", overwrite=True)
    assert Path(name).read_text() == "other"
    assert [path.name for path in tmp_path.iterdir()] == ["a game.json"]


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("", "needs a name"),
        ("nowhere/x.json", "no folder"),
        (".", "not a file"),
        ("a\0b", "needs a name"),
        ("link.json", "no folder .*/missing: create it"),
        ("loop.json", "cannot be written"),
    ],
)
def test_files_that_cannot_be_written(
    name: str, sentence: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("link.json").symlink_to("missing/link.json")
    Path("loop.json").symlink_to("loop.json")
    with pytest.raises(GamesearchError, match=sentence):
        write_file(name, "text", overwrite=True)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    game = load("tictactoe")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00\x80")
    (tmp_path / "other").write_text("{}")
    for name, sentence in (("missing", "no file"), ("binary", "not text"), ("other", "not a game"), (".", "folder")):
        with pytest.raises(GamesearchError, match=sentence):
            read_file(str(tmp_path / name), game)


def test_records_from_before_a_game_had_more_parameters_are_read() -> None:
    game = load("checkers")
    record = game.record(game.initial(), [], {})
    assert "no_progress" in record
    for text in ("checkers(size=8)", "checkers", "checkers(no_progress=0)"):
        assert read_record(game, json.dumps(json.loads(record) | {"game": text}))[1] == []
    for text in ("checkers(size=6)", "checkers(no_progress=40)", "draughts(size=8)", "checkers(", "checkers(9)"):
        with pytest.raises(GamesearchError, match="not of checkers"):
            read_record(game, json.dumps(json.loads(record) | {"game": text}))


# Typed lines. ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("e4", Line(move=12 | 28 << 6)),
        ("1. e4", Line(move=12 | 28 << 6)),
        ("e2 to e4", Line(move=12 | 28 << 6)),
        ("ng1-f3!?", Line(move=6 | 21 << 6)),
        ("?", Line(command="help")),
        ("q", Line(command="quit")),
        ("save! 'my game.pgn'", Line(command="save!", argument="my game.pgn")),
        ("load", Line(command="load")),
    ],
)
def test_lines(text: str, line: Line) -> None:
    game = load("chess")
    assert read_line(game, game.initial(), text) == line


def test_a_prefix_of_only_one_move_means_this_move() -> None:
    game = load("pig")
    s = game.parse("0,0,5")
    assert read_line(game, s, "HO") == Line(move=game.parse_move(s, "hold"))
    with pytest.raises(GamesearchError, match="not a legal move"):
        read_line(load("chess"), load("chess").initial(), "N")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("rool", "did you mean roll"),
        ("xyzzy", "'moves' lists the legal moves"),
        ("x" * 100_000, "not a legal move"),
        ("\x1b[2J", "not a legal move"),
        ("undo 3", "did you mean undo"),
    ],
)
def test_unreadable_lines_are_refused(text: str, sentence: str) -> None:
    game = load("pig")
    with pytest.raises(GamesearchError, match=sentence) as caught:
        read_line(game, game.parse("0,0,5"), text)
    assert len(str(caught.value)) < 200
    assert str(caught.value).isprintable()


def test_a_file_in_a_folder_without_permission_is_refused_before_it_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(path: Path) -> bool:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    with monkeypatch.context() as patch:
        patch.setattr("os.access", lambda path, mode: False)
        with pytest.raises(GamesearchError, match="you have no permission to create files in"):
            writable_path(str(tmp_path / "game.json"))
    monkeypatch.setattr(Path, "exists", refuse)
    with pytest.raises(GamesearchError, match="cannot be written: permission denied"):
        writable_path(str(tmp_path / "game.json"))
