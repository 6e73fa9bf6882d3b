"""Unfinished games are saved after every change; each game has its own file, which is removed when the game ends."""

import json
import shutil
from pathlib import Path

import platformdirs
import pytest

from gamesearch.play.files import read_file
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.play.sessions.autosave import unfinished_games
from gamesearch.play.sessions.commands import Line
from gamesearch.play.sessions.session import Session, Settings
from gamesearch.registry import load


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(platformdirs, "user_state_path", lambda name: tmp_path / name)
    return tmp_path / "gamesearch" / "games"


def session(moves: str = "", file: str | None = None, name: str = "tictactoe", **settings: object) -> Session:
    """Return a session at a terminal, as `play` makes it, after some moves."""
    game = load(name)
    players = [load_player("human", game), load_player("random(seed=3)", game)]
    match = Match(game, game.initial(), players, seed=5)
    if file is not None:
        match.begin(*read_file(file, game))
    found = Session(match, Settings(name, file=file, **settings))  # type: ignore[arg-type]
    found.keeps = True
    if file is not None:
        found.continue_loaded()
    play(found, moves)
    return found


def play(played: Session, moves: str) -> None:
    for move in moves.split():
        played.match.play(played.match.game.parse_move(played.match.state, move))
        assert played.keep() == ""


def moves_in(folder: Path) -> list[list[str]]:
    return sorted(json.loads(path.read_text())["moves"] for path in folder.glob("*.json"))


def test_every_change_is_on_the_disk(folder: Path) -> None:
    played = session("5")
    assert moves_in(folder) == [["5"]]
    play(played, "1")
    assert moves_in(folder) == [["5", "1"]]
    played.undo()
    played.keep()
    assert moves_in(folder) == [], "a game without a move is not saved"
    played.redo()
    played.keep()
    assert moves_in(folder) == [["5", "1"]]
    played.swap()
    played.keep()
    (file,) = folder.glob("*.json")
    assert json.loads(file.read_text())["headers"]["X"] == "random(seed=3)"
    assert not list(folder.glob("*.unfinished"))


@pytest.mark.parametrize("end", ["1 5 2 6 3", "resign"])
def test_a_finished_game_is_not_offered_until_its_end_is_taken_back(folder: Path, end: str) -> None:
    played = session("" if end != "resign" else "5 1")
    if end == "resign":
        played.resign()
        played.keep()
    else:
        play(played, end)
    assert list(folder.iterdir()) == []
    played.undo()
    played.keep()
    assert len(moves_in(folder)) == 1
    played.autosave.release()
    assert len(list(unfinished_games())) == 1


def test_two_games_at_the_same_time_have_two_files(folder: Path) -> None:
    first, second = session("5"), session("1")
    assert moves_in(folder) == [["1"], ["5"]]
    assert list(unfinished_games()) == [], "games that are being played are not offered"
    first.autosave.release()
    (offered,) = unfinished_games()
    third = session("2", file=str(offered))
    assert moves_in(folder) == [["1"], ["5", "2"]], "a continued game stays in its file"
    fourth = session("9", file=str(offered))
    assert moves_in(folder) == [["1"], ["5", "2"], ["5", "2", "9"]], "a game that another process plays gets a new file"
    for each in (second, third, fourth):
        each.autosave.release()
    assert len(list(unfinished_games())) == 3
    assert len(list(folder.iterdir())) == 3, "no lock is left"


def test_leftovers_of_a_killed_process_are_removed(folder: Path) -> None:
    session("5").autosave.release()
    played = session("1")
    for name in (".a.json.lock", ".a.json.123.unfinished", f".{played.autosave.path.name}.9.unfinished"):  # type: ignore[union-attr]
        (folder / name).write_text("")
    assert len(list(unfinished_games())) == 1
    assert not list(folder.glob(".a.json*"))
    assert len(list(folder.glob("*.unfinished"))) == 1, "the game being played keeps its files"
    assert len(list(folder.glob("*.lock"))) == 1


def test_other_games_are_kept_when_a_new_one_begins_or_one_is_loaded(folder: Path, tmp_path: Path) -> None:
    played = session("5 1")
    played.obey(Line(command="save", argument=str(tmp_path / "mine.json")))
    assert "saved to" in played.begin_new_game()
    play(played, "9")
    played.check(Line(command="load", argument=str(tmp_path / "mine.json")))
    assert moves_in(folder) == [["5", "1"], ["9"]]
    played.load(str(tmp_path / "mine.json"))
    play(played, "2")
    assert moves_in(folder) == [["5", "1", "2"], ["9"]]


def test_a_removed_folder_is_created_again(folder: Path) -> None:
    played = session("5 1")
    shutil.rmtree(folder.parent)
    play(played, "2")
    assert moves_in(folder) == [["5", "1", "2"]]
    assert list(unfinished_games()) == [], "the game in progress is locked again"
    shutil.rmtree(folder)
    assert played.try_to_save().file == str(*folder.glob("*.json"))
    played.autosave.release()
    assert [json.loads(path.read_text())["moves"] for path in unfinished_games()] == [["5", "1", "2"]]


def test_a_folder_that_cannot_be_written_is_reported_once(tmp_path: Path) -> None:
    (tmp_path / "gamesearch").write_text("in the way")
    played = session()
    played.match.play(4)
    assert "this game is not saved: " in played.keep()
    assert played.keep() == ""
    assert "cannot be created" in played.save_unfinished(keep=True).notes[0]
    assert list(unfinished_games()) == []
