"""What arguments mean: a game with a position, a trace, a file to write."""

import contextlib
import itertools
from collections.abc import Callable, Iterable
from pathlib import PurePath
from typing import Any

from gamesearch.cli.input_lines import all_input
from gamesearch.cli.messages import say
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.files import read_file, saved_game, writable_path, write_file
from gamesearch.registry import load
from gamesearch.trace.reading import load_recording, read_recording
from gamesearch.trace.recording import Recording

__all__ = [
    "format_of",
    "is_saved",
    "position_text",
    "read_history",
    "read_position",
    "read_trace",
    "read_unfinished",
    "write_picture",
]


def read_position(game: str, position: str) -> tuple[Game[Any], Any]:
    """The game and the state that two arguments mean; '-' reads the position from standard input."""
    return read_history(game, position)[:2]


def read_history(game: str, position: str) -> tuple[Game[Any], Any, list[Any]]:
    """The game and the state that two arguments mean, and the states before it if the position contains moves.

    For the position, and if it is not of gamesearch's own format also for the game, a file of recorded games may be
    named: it means the last position of its first game.
    """
    if not position and PurePath(game).suffix.casefold() != ".json" and saved_game(game) is not None:
        named = saved_game(game) or ("", {})
        return last_position(load(named[0]), game)
    if is_saved(position):
        return last_position(load(game), position)
    text = position_text(position)
    played, state = load(game).setup(text)
    return played, state, played.positions_before(text)


def is_saved(name: str) -> bool:
    """Whether a file with this name contains recorded games; it may also contain a tree, for example."""
    with contextlib.suppress(GamesearchError):
        return bool(name) and saved_game(name) is not None
    return False


def last_position(game: Game[Any], file: str) -> tuple[Game[Any], Any, list[Any]]:
    """The game, the last state of the first game in a file, and the states before it."""
    start, moves = read_file(file, game, say)
    states = list(itertools.accumulate(moves, game.result, initial=start))
    return game, states[-1], states[:-1]


def position_text(position: str) -> str:
    """The text of a position argument; for '-', what standard input holds."""
    if position != "-":
        return position
    text = all_input("a position").strip()
    if not text:
        raise GamesearchError("standard input is empty: it should hold a position")
    return text


def read_trace(path: str) -> Recording:
    """The trace in a file; '-' reads it from standard input."""
    if path != "-":
        return load_recording(path)
    return read_recording(all_input("a trace of gamesearch"), "standard input")


def format_of(path: str | None, formats: Iterable[str], overwrite: bool) -> str:
    """The suffix, in small letters, of a file that may be written in one of some formats; empty where none is named.

    Raises GamesearchError where it has none of their suffixes, or may not be written.
    """
    if path is None:
        return ""
    suffix = PurePath(path).suffix.casefold()
    *most, last = formats
    if suffix not in (*most, last):
        known = f"{', '.join(most)} or {last}" if most else last
        raise GamesearchError(f"{path!r} names no format: it should end in {known}")
    writable_path(path, overwrite=overwrite)
    return suffix


def write_picture(path: str | None, svg: Callable[[], str], what: str, overwrite: bool) -> None:
    """Write a picture, such as `the chart`, where a file is named for it, and say so."""
    if path is not None:
        write_file(path, svg(), overwrite=overwrite)
        say(f"{what} is in {path}")


def read_unfinished(game: str, position: str, purpose: str) -> tuple[Game[Any], Any]:
    """The game and the state of two arguments; raises GamesearchError where the game is over."""
    played, state = read_position(game, position)
    if played.terminal(state):
        raise GamesearchError(f"the game is over in {played.format(state)!r}: there is nothing to {purpose}")
    return played, state
