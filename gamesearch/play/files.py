"""Files of games. Existing files are replaced only on request, and an error leaves no half-written file."""

import itertools
import json
import os
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs

from gamesearch.errors import GamesearchError, system_reason
from gamesearch.files.records import RecordedGame, read_records, refuse_constant
from gamesearch.files.whole import Note, file_path, ignore_note, output_path, read_text, whole_file
from gamesearch.game import Game
from gamesearch.registry import game_class, load

if TYPE_CHECKING:
    from gamesearch.games._shared.game_files import FileGame

__all__ = [
    "RULES_TAGS", "free_path", "game_count", "is_record", "read_file", "read_games", "refuse_other_suffixes",
    "saved_game", "split_games", "state_folder", "state_path", "writable_path", "write_file",
]  # fmt: skip

LARGEST = 10_000_000  # the size limit of a file with one game, in bytes
USUAL_GAMES = {".json": "", ".pgn": "chess", ".pdn": "checkers", ".sgf": "go", ".ggf": "othello"}
"""For each suffix, the game that files with this suffix usually contain. The name is empty for JSON files, because they
contain the name of their game."""
RULES_TAGS = ("Variant", "GameType", "SZ", "KM")
"""The headers that determine the rules of a game."""


def writable_path(name: str, overwrite: bool = False) -> Path:
    """Return the path for a file name; raises GamesearchError if the file must not be overwritten, or cannot be
    written."""
    path = output_path(name)
    try:
        if path.exists() and not path.is_file():
            raise GamesearchError(f"{name} is not a file: name another file")
        if path.exists() and not overwrite:
            raise GamesearchError(f"{name} exists already: name another file, or replace it with --force")
        folder = path.resolve().parent
        if not folder.is_dir():
            missing = folder if path.is_symlink() else path.parent
            raise GamesearchError(f"there is no folder {missing}: create it, or name another file")
    except (OSError, RuntimeError) as error:  # RuntimeError: a loop of symbolic links
        raise GamesearchError(f"{name} cannot be written: {system_reason(error)}") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise GamesearchError(f"{name} cannot be written: you have no permission to create files in {folder}")
    return path


def refuse_other_suffixes(name: str, game: Game) -> None:
    """Raise GamesearchError if the suffix of a file name is not the suffix of the game's file format."""
    suffix = Path(name).suffix
    if suffix and suffix.casefold() != game.record_suffix:
        raise GamesearchError(
            f"{type(game).name.rpartition('/')[2]} can be saved only as {game.record_suffix}, not as {suffix}: "
            "name another file"
        )


def write_file(name: str, content: str | bytes, overwrite: bool = False) -> None:
    """Write a text or bytes to a file. If writing fails, no half-written file remains."""
    path = writable_path(name, overwrite)
    try:
        with whole_file(path) as file:
            file.write(content if isinstance(content, bytes) else content.encode())
    except (OSError, ValueError) as error:
        raise GamesearchError(f"{name} cannot be written: {system_reason(error)}") from None


def is_record(name: str) -> bool:
    """Whether the suffix of a file name shows that the file contains recorded games."""
    return file_path(name).suffix.casefold() in USUAL_GAMES


def split_games(text: str, suffix: str) -> "Iterator[FileGame]":
    """Yield the games in a PGN, PDN, SGF or GGF text, with headers and results; moves are not checked."""
    from gamesearch.games._shared.game_files import PDN_RESULTS, RESULTS, property_games, tagged_games

    if suffix in (".sgf", ".ggf"):
        return property_games(text)
    return tagged_games(text, PDN_RESULTS if suffix == ".pdn" else RESULTS)


def read_games(
    name: str, game: Game, most: int = LARGEST, note: Note = ignore_note, *, is_cut: bool = False, command: str = "play"
) -> Iterator[RecordedGame[Any]]:
    """Yield the games in a file. They follow the rules of `game`. Messages for the user go to `note`. If a game is
    invalid, raises GamesearchError, whose message names the file, the game, the line and the token. If `is_cut` is
    true, read only the beginning of a large file. If the file contains another game, the message names a command for
    this file."""
    text = read_text(name, "a file of games", most, note, is_cut=is_cut)
    try:
        yield from read_records(game, text)
    except GamesearchError as error:
        usual = USUAL_GAMES.get(file_path(name).suffix.casefold())
        reads_format = not usual or type(game).read_other_records is game_class(usual).read_other_records
        if not reads_format and not text.lstrip().startswith("{"):
            hint = f"open it with gamesearch {command} {shlex.quote(name)}"
            raise GamesearchError(f"{name} is a game of {usual}, not of {game.name}: {hint}") from None
        raise fault_in(name, error) from None


def read_file(name: str, game: Game, note: Note = ignore_note, command: str = "play") -> tuple[Any, list[int]]:
    """Return the initial state and the moves of the first game in a file; `note` reports that other games exist. If the
    file contains another game, the error message names a command for this file."""
    first = next(read_games(name, game, LARGEST, note, is_cut=is_cut(name), command=command), None)
    if first is None:
        raise GamesearchError(f"{name} has no games")
    count = game_count(name)
    if count > 1:
        players = " - ".join(first.headers[each] for each in game.names if each in first.headers)
        others = "the others are" if count > 2 or is_cut(name) else "the other is"
        found = "many" if is_cut(name) else str(count)
        note(f"{name} has {found} games: this is the first one{f', {players}' if players else ''}; {others} ignored")
    elif is_cut(name):
        raise fault_in(name, "its first game has no end")
    return first.start, list(first.moves)


def fault_in(name: str, problem: object) -> GamesearchError:
    """The error for a file with games that cannot be read."""
    part = f" in the first {LARGEST:,} bytes (the rest is not read)" if is_cut(name) else ""
    return GamesearchError(f"{name}: {problem}{part}")


def is_cut(name: str) -> bool:
    """Whether only the beginning of a file is read: the file is large, and may contain several games."""
    path = file_path(name)
    try:
        return path.suffix.casefold() != ".json" and path.stat().st_size > LARGEST
    except OSError:
        return False


def game_count(name: str) -> int:
    """The number of games in a file. A damaged game is counted, but the games after it are not. At most 2 games are
    counted in a large file."""
    suffix = file_path(name).suffix.casefold()
    if suffix not in USUAL_GAMES or suffix == ".json":
        return 1
    games = split_games(read_text(name, "a file of games", LARGEST, is_cut=is_cut(name)), suffix)
    count = 0
    try:
        for _ in itertools.islice(games, 2 if is_cut(name) else None):
            count += 1
    except GamesearchError:
        count += 1
    return count


def saved_game(name: str) -> tuple[str, dict[str, str]] | None:
    """Return the game and the headers of the first record in a file; None if it is not a game file."""
    path = file_path(name)
    suffix = path.suffix.casefold()
    if suffix not in USUAL_GAMES or not path.is_file():
        return None
    text = read_text(name, "a file of games", LARGEST, is_cut=is_cut(name))
    if suffix == ".json":
        try:
            record = json.loads(text, parse_constant=refuse_constant)
            return str(record["game"]), {key: str(value) for key, value in record["headers"].items()}
        except (ValueError, RecursionError, KeyError, TypeError, AttributeError):
            raise GamesearchError(f"{name} is not a game saved by gamesearch") from None
    try:
        first = next(split_games(text, suffix), None)
        if first is None:
            raise GamesearchError("it has no games")
        with first.at(first.line_of(*RULES_TAGS)):
            rules = game_class(USUAL_GAMES[suffix]).rules_of_headers(first.tags)
            load(rules)  # refuse unknown variants here, because the file is known
        return rules, first.tags
    except GamesearchError as error:
        raise fault_in(name, error) from None


def state_path(name: str) -> Path:
    """The path of a folder for the user's saved data (state); the folder need not exist."""
    return platformdirs.user_state_path("gamesearch") / name


def state_folder(name: str, instead: str = "") -> Path:
    """A folder for the user's saved data (state), created if necessary; `instead` is a hint for the error message."""
    folder = state_path(name)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise GamesearchError(f"{folder} cannot be created: {system_reason(error)}{instead}") from None
    return folder


def free_path(folder: Path, stem: str, suffix: str) -> Path:
    """Return a path at which no file exists. If necessary, a number is added after the stem of the file name."""
    path, number = folder / f"{stem}{suffix}", 1
    while path.exists():
        number += 1
        path = folder / f"{stem}-{number}{suffix}"
    return path
