"""Read arguments and standard input: games, positions, traces, lines, and names of output files."""

import itertools
import re
import shlex
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import click

from gamesearch.cli.messages import say
from gamesearch.errors import GamesearchError
from gamesearch.files.misplaced import refuse_file_as_position
from gamesearch.game import Game
from gamesearch.parameterized import parameters_of
from gamesearch.play.files import read_file, saved_game, writable_path, write_file
from gamesearch.registry import load, load_beginning, specification_of
from gamesearch.specification import file_named, files_named, runs_own_code

if TYPE_CHECKING:
    from gamesearch.trace.recording import Recording

__all__ = [
    "ask_before_loading", "decode_line", "format_of", "game_of_trace", "input_lines", "is_saved", "line_of_input",
    "position_text", "protocol_lines", "read_history", "read_position", "read_trace", "read_unfinished",
    "write_picture",
]  # fmt: skip


# Lines. -------------------------------------------------------------------------------------------
LARGEST = 1_000_000_000  # the greatest size of the whole input, in characters
LONGEST = 100_000_000  # the greatest length of a line of input, in characters or bytes


def all_input(what: str) -> str:
    """Return all of standard input; raises GamesearchError if it is not text. `what` describes the expected content."""
    try:
        text = sys.stdin.read(LARGEST + 1) if sys.stdin is not None else ""
    except UnicodeDecodeError:
        raise GamesearchError(f"standard input is not {what}: it is not text") from None
    if len(text) > LARGEST:
        raise GamesearchError(f"standard input is not {what}: it has more than {LARGEST:,} characters")
    return text


def line_of_input() -> str:
    """Return the next line of standard input with its line break; an empty string after the last line."""
    line = sys.stdin.readline(LONGEST + 1) if sys.stdin is not None else ""
    refuse_long(line)
    return line


def refuse_long(line: str | bytes) -> None:
    """Raise GamesearchError for a line that is too long."""
    if len(line) > LONGEST:
        raise GamesearchError(f"standard input has a line of more than {LONGEST:,} characters")


def protocol_lines(how: str) -> Iterator[str]:
    """Yield the lines that another program sends; if a person types them, print the explanation `how` first."""
    if sys.stdin is not None:
        if sys.stdin.isatty():
            say(how)
        yield from iter(line_of_input, "")


def input_lines() -> Iterator[tuple[int, bytes]]:
    """Yield the number and bytes of each non-blank line of standard input. If no line has text, raise
    GamesearchError."""
    number, has_lines = 0, False
    while line := sys.stdin.buffer.readline(LONGEST + 1) if sys.stdin is not None else b"":
        refuse_long(line)
        number += 1
        if line.strip():
            has_lines = True
            yield number, line
    if not has_lines:
        raise GamesearchError("standard input is empty: it should contain a position on each line")


def decode_line(line: bytes) -> str:
    """A line as text."""
    try:
        return line.decode().strip()
    except UnicodeDecodeError:
        raise GamesearchError("the line is not text") from None


# Positions. ---------------------------------------------------------------------------------------
def read_position(game: str, position: str) -> tuple[Game, Any]:
    """Parse the arguments GAME and POSITION; if POSITION is '-', read the position from standard input."""
    return read_history(game, position)[:2]


def read_history(game: str, position: str) -> tuple[Game, Any, list[Any]]:
    """Return the game and the state that GAME and POSITION describe, and the earlier states. POSITION can be a file of
    recorded games. Without POSITION, GAME can be such a file. The last position of its first game is used."""
    if is_saved(game):
        if position:
            raise GamesearchError(
                f"{game} is a saved game, which has its own position: leave out {shlex.quote(position)}"
            )
        name, _ = saved_game(game) or ("", {})
        ask_before_loading("rules", game, name)
        return last_position(load(name), game)
    if is_saved(position):
        return last_position(load(game), position)
    text, rules = position_text(position), load_beginning(game, f"{game} {position}")
    try:
        played, state = rules.setup(text)
    except GamesearchError:
        if "file" not in parameters_of(type(rules)):  # a tree reads its file itself, and reports faults of this file
            saved_game(position)  # raises its own error if the file of a saved game is damaged
            refuse_file_as_position(position)
        refuse_algorithm(text)
        raise
    return played, state, played.positions_before(text)


def ask_before_loading(what: str, file: str, text: str) -> None:
    """Ask whether a saved game may run code or open other files; raises GamesearchError unless the user agrees."""
    from gamesearch.play.players.loading import ENGINES

    runs = text.partition("(")[0].strip() in ENGINES or runs_own_code(text)
    opened = files_named(text)
    if not runs and not opened:
        return
    does, named = ("run", text) if runs else ("open", opened[0])
    would = f"the {what} in {file} would {does} {named}"
    danger = ". Code can read, change and delete your files" if runs else ""
    question = f"{would}{danger}.\ny: {does} it and continue; n: end this command now. {does.capitalize()} it?"
    if sys.stdin is not None and sys.stdin.isatty() and click.confirm(question, err=True):
        return
    raise GamesearchError(f"{would}: to allow this, name the {what} in the command")


def refuse_algorithm(position: str) -> None:
    """Raise GamesearchError if a position begins with an algorithm and the command has an option for algorithms."""
    from gamesearch.algorithms.catalog import all_algorithms

    context = click.get_current_context(silent=True)
    parameters = context.command.params if context is not None else []
    option = next((each.opts[-1] for each in parameters if "-a" in each.opts or each.name == "min_player"), None)
    name = re.split(r"[ ,(]", position)[0]
    if option is not None and name in all_algorithms():
        raise GamesearchError(f"{name} is an algorithm, not a position: write {option} {shlex.quote(position)}")


def is_saved(name: str) -> bool:
    """Whether the file with this name contains recorded games rather than, for example, a tree. Raises GamesearchError
    if another program's game file contains no games, or games of an unknown variant."""
    try:
        return bool(name) and saved_game(name) is not None
    except GamesearchError:
        if PurePath(name).suffix.casefold() != ".json":
            raise
        return False


def last_position(game: Game, file: str) -> tuple[Game, Any, list[Any]]:
    """Return the game, the last state of the first game in a file, and the states before the last state."""
    context = click.get_current_context(silent=True)
    start, moves = read_file(file, game, say, (context and context.info_name) or "play")
    states = list(itertools.accumulate(moves, game.result, initial=start))
    return game, states[-1], states[:-1]


def position_text(position: str) -> str:
    """Return the text of a position. If the argument is '-', read the text from standard input."""
    if position != "-":
        return position
    text = all_input("a position").strip()
    if not text:
        raise GamesearchError("standard input is empty: it should contain a position")
    return text


def read_trace(path: str) -> "Recording":
    """Return the trace that a file contains. If `path` is '-', read the trace from standard input."""
    from gamesearch.trace.reading import load_recording, read_recording

    if path != "-":
        return load_recording(path)
    return read_recording(all_input("a trace of gamesearch"), "standard input")


def game_of_trace(recording: "Recording", given: str = "") -> Game:
    """Return the game of a trace. If the game runs or opens a file, the user must allow this by naming the game in
    `given`. Raises GamesearchError if this name is missing, or if `given` names another game."""
    name = str(recording.header["game"])
    is_in_file = runs_own_code(name) or files_named(name)
    if is_in_file and not given:
        option = f"--game {shlex.quote(name)}"
        raise GamesearchError(f"the game of this trace is in a file: if you trust the file, add {option}")
    game = load(given or name)
    if given and without_folder(specification_of(game)) != without_folder(name):
        hint = f"write --game {shlex.quote(name)}" if is_in_file else "leave out --game"
        raise GamesearchError(f"this is a trace of {name}, not of {specification_of(game)}: {hint}")
    return game


def without_folder(name: str) -> str:
    """Return the specification of a game. If the game is in a user's file, leave out the folder of the file."""
    file = file_named(name)
    return name if file is None else name.replace(file, PurePath(file).name, 1)


def format_of(path: str | None, formats: Iterable[str], overwrite: bool) -> str:
    """Return the suffix of a file to write; empty if `path` is None. Raises GamesearchError if the file must not be
    overwritten, or cannot be written."""
    if path is None:
        return ""
    suffix = PurePath(path).suffix.casefold()
    *most, last = formats
    if suffix not in (*most, last):
        known = f"{', '.join(most)} or {last}" if most else last
        raise GamesearchError(f"the format of {path!r} is unknown: the name should end in {known}")
    writable_path(path, overwrite=overwrite)
    return suffix


def write_picture(path: str | None, svg: Callable[[], str], what: str, overwrite: bool) -> None:
    """Write a picture to a file and report it; `what` describes the picture. Do nothing if `path` is None."""
    if path is not None:
        write_file(path, svg(), overwrite=overwrite)
        say(f"wrote {what} to {path}")


def read_unfinished(game: str, position: str, purpose: str) -> tuple[Game, Any]:
    """Parse the arguments GAME and POSITION; raises GamesearchError if the game is over."""
    played, state = read_position(game, position)
    if played.terminal(state):
        file = next(filter(is_saved, (position, game)), None)
        where = f"in {played.format(state)!r}" if file is None else f"at the end of {file}"
        raise GamesearchError(f"the game is over {where}: there is nothing to {purpose}")
    return played, state
