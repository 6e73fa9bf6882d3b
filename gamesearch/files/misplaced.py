"""Explain why a file cannot be used as a game or as a position."""

import contextlib
import re
import shlex
from pathlib import Path

from gamesearch.errors import GamesearchError, refuse, system_reason
from gamesearch.files.records import SavedGame
from gamesearch.files.whole import read_text

__all__ = ["refuse_file_as_game", "refuse_file_as_position", "refuse_packed"]

LARGEST = 10_000_000  # the greatest size of a file that is read for an explanation, in bytes
FILES = re.compile(r"\.(json|pgn|pdn|sgf|ggf|fen|epd|txt)", re.IGNORECASE)
PACKED = re.compile(r"\.(gz|bz2|xz|zst|zip|7z)", re.IGNORECASE)
WANTED = (
    "give the name of a game or a Python file (.py) that defines a game; play and analyze also read saved games "
    "(.json) and files such as game.pgn"
)


def refuse_file_as_game(text: str) -> None:
    """Raise GamesearchError if a text looks like a path but does not name a Python file."""
    path = Path(text)
    if not re.search(r"[/\\]|^\.+$|\.\w+$", text):
        return
    try:
        exists, is_file = path.exists(), path.is_file()
    except OSError as error:
        raise GamesearchError(f"{text} cannot be read: {system_reason(error)}") from None
    if not exists and "(" in text:
        return
    refuse(
        (not exists, f"neither a game nor a file has the name {text!r}: {WANTED}"),
        (path.is_dir(), f"{text} is a folder, not a game: {WANTED}"),
        (not is_file, f"{text} is a pipe or a device, not a game: {WANTED}"),
    )
    refuse_packed(path)
    suffix = path.suffix.casefold()
    if suffix == ".json":
        refuse_json(text)
    refuse(
        (suffix == ".txt", f"{text!r} is a file, not a game. If it contains a tree, write: tree {shlex.quote(text)}"),
        (suffix == ".fen", f"{text} is a file, not a game. If it contains a FEN, write: chess {contents_of(text)}"),
    )
    raise GamesearchError(f"{text} is not a game: {WANTED}")


def refuse_json(name: str) -> None:
    """Raise GamesearchError for a JSON file that was named instead of a game."""
    content, saved = read_text(name, "a saved game", LARGEST), None
    with contextlib.suppress(GamesearchError):
        saved = SavedGame.read(content)
    if saved is not None:
        raise GamesearchError(f"{name} is a saved game, which cannot be used here: name its game, {saved.game}")
    if content.strip() and '"game' not in content:
        raise GamesearchError(f"{name!r} is a file, not a game. If it contains a tree, write: tree {shlex.quote(name)}")
    raise GamesearchError(f"{name} is not a game saved by gamesearch")


def refuse_file_as_position(text: str) -> None:
    """Raise GamesearchError if a text that should be a position is the name of a file, or looks like one."""
    path = Path(text)
    try:
        is_file = path.exists() and not path.is_dir()
    except OSError:  # for example because the name is too long
        return
    if is_file:
        refuse_packed(path)
        raise GamesearchError(f"{text} is a file, not a position. If it contains one, write: {contents_of(text)}")
    if FILES.fullmatch(path.suffix):
        raise GamesearchError(f"there is no file {text}")


def refuse_packed(path: Path) -> None:
    """Raise GamesearchError if the suffix of a file shows that the file is compressed."""
    if PACKED.fullmatch(path.suffix):
        raise GamesearchError(f"{path} is compressed: unpack it, and name the unpacked file")


def contents_of(name: str) -> str:
    """The text that a shell replaces by the contents of a file."""
    return f'"$(cat {shlex.quote(name)})"'
