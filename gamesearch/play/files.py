"""Files of games: nothing is overwritten that nobody named for it, and no file is left half written."""

import json
import re
from pathlib import Path
from typing import Any

import platformdirs

from gamesearch.errors import GamesearchError, system_reason
from gamesearch.game import Game
from gamesearch.whole_files import read_regular_text, whole_file

__all__ = [
    "free_path",
    "read_file",
    "read_text",
    "refuse_other_suffixes",
    "saved_game",
    "state_folder",
    "writable_path",
    "write_file",
]

LARGEST = 10_000_000
"""No file of one game is larger (bytes)."""


def file_path(name: str) -> Path:
    """The path that a typed name means; `~` is the home folder."""
    if not name.strip() or "\0" in name:
        raise GamesearchError("a file needs a name, such as game.json")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise GamesearchError(f"there is no home folder for {name}") from None


def writable_path(name: str, overwrite: bool = False) -> Path:
    """The path of a file that may be written; raises GamesearchError for one that may not."""
    path = file_path(name)
    if path.exists() and not path.is_file():
        raise GamesearchError(f"{name} is not a file: name another one")
    if path.exists() and not overwrite:
        raise GamesearchError(f"{name} exists already: name another file, or replace it with --force")
    if not path.absolute().parent.is_dir():
        raise GamesearchError(f"there is no folder {path.parent}: make it, or name another file")
    return path


def refuse_other_suffixes(name: str, game: Game[Any]) -> None:
    """Raise GamesearchError for a file whose name promises another format than the one that the game is saved in."""
    suffix = Path(name).suffix
    if suffix and suffix.casefold() != game.record_suffix:
        raise GamesearchError(
            f"{type(game).name.rpartition('/')[2]} is saved as {game.record_suffix} alone, not as {suffix}: "
            "name another file"
        )


def write_file(name: str, text: str, overwrite: bool = False) -> None:
    """Write a text to a file, as a whole or not at all."""
    path = writable_path(name, overwrite).resolve()  # a link goes on pointing to its file
    try:
        with whole_file(path) as file:
            file.write(text.encode())
    except (OSError, ValueError) as error:
        raise GamesearchError(f"{name} cannot be written: {system_reason(error)}") from None


def read_text(name: str, what: str, most: int) -> str:
    """The text of a file that should be `what`, and has at most so many bytes."""
    try:
        return read_regular_text(file_path(name), most, "utf-8-sig")
    except FileNotFoundError:
        raise GamesearchError(f"there is no file {name}") from None
    except IsADirectoryError:
        raise GamesearchError(f"{name} is a folder") from None
    except UnicodeDecodeError:
        raise GamesearchError(f"{name} is not {what}: it is not text") from None
    except OSError as error:
        raise GamesearchError(f"{name} cannot be read: {system_reason(error)}") from None


def read_file(name: str, game: Game[Any]) -> tuple[Any, list[int]]:
    """The start and the moves of a saved game."""
    text = read_text(name, "the file of one game", LARGEST)
    try:
        return game.read_record(text)
    except GamesearchError as error:
        raise GamesearchError(f"{name} cannot be loaded: {error}") from None


def saved_game(name: str) -> tuple[str, dict[str, str]] | None:
    """The game that a saved file is of, and its headers; None where there is no such file."""
    path = file_path(name)
    if path.suffix not in (".json", ".pgn") or not path.is_file() or path.stat().st_size > LARGEST:
        return None
    try:
        text = read_regular_text(path, LARGEST, "utf-8-sig", "replace")
    except OSError as error:
        raise GamesearchError(f"{name} cannot be read: {system_reason(error)}") from None
    if path.suffix == ".pgn":
        found = re.findall(r'^\[(\w+) "((?:[^"\\]|\\.)*)"\]', text, re.MULTILINE)
        headers = {key: re.sub(r"\\(.)", r"\1", value) for key, value in found}
        variant = re.sub("[^a-z0-9]", "", headers.get("Variant", "").casefold())
        return f"chess(variant={variant})" if variant not in ("", "standard", "chess") else "chess", headers
    try:
        record = json.loads(text)
        return str(record["game"]), {key: str(value) for key, value in record["headers"].items()}
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
        raise GamesearchError(f"{name} is not a game saved by gamesearch") from None


def state_folder(name: str, instead: str = "") -> Path:
    """A folder of the user for what is kept, made if need be; `instead` says what helps where that cannot be."""
    folder = platformdirs.user_state_path("gamesearch") / name
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GamesearchError(f"{folder} cannot be made: {system_reason(error)}{instead}") from None
    return folder


def free_path(folder: Path, stem: str, suffix: str) -> Path:
    """The path of a file that is not there yet; if need be, with a number behind its stem."""
    path, number = folder / f"{stem}{suffix}", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}{suffix}"
    return path
