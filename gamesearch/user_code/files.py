"""Import the user's Python files as modules with unique names. Errors name the line in the file."""

import ast
import builtins
import contextlib
import hashlib
import inspect
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import FrameType, FunctionType, ModuleType
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import read_text

__all__ = [
    "LARGEST", "definitions_in", "error_sentence", "exit_sentence", "frame_in_file", "message_of", "module_from_file",
    "place_of", "refuse_exits", "source_of",
]  # fmt: skip

NAMES = "gamesearch_file_"
"""The prefix of a module's name if the module is imported from a user's file."""
LARGEST = 10_000_000
"""The size limit of a Python file in bytes."""
MOVED = {
    "bits": "toolkit.bits",
    "boards": "toolkit.boards",
    "known": "toolkit.known",
    "questions": "optional",
    "vectors": "toolkit.vectors",
    "algorithms.parts": "algorithms.engine",
}
"""Renamed modules of gamesearch. Each name in version 0.1 is mapped to the new name."""


def source_of(path: Path) -> str:
    """The text of a Python file; raises GamesearchError if it cannot be read."""
    return read_text(path, "a Python file", LARGEST, note=None)


def module_from_file(
    path: Path, tree: ast.Module | None = None, names: Mapping[str, Any] | None = None, purpose: str = ""
) -> ModuleType:
    """Import a file as a module with a unique name, so that its compiled code can be cached.

    `tree` is a changed syntax tree, which runs instead of the file's text. `names` are global names that the code
    needs, with their values. The module's name depends on the path and on `purpose`.
    """
    source = source_of(path)
    name = f"{NAMES}{hashlib.sha256(str(path.resolve()).encode()).hexdigest()[:12]}_{path.stem}{purpose}"
    module = ModuleType(name)
    module.__file__ = str(path)
    # Python's `exit` and `quit` close standard input, which gamesearch still reads.
    vars(module)["__builtins__"] = {**vars(builtins), "print": print_aside, "exit": sys.exit, "quit": sys.exit}
    vars(module).update(names or {})
    before = sys.modules.get(name)
    sys.modules[name] = module
    try:
        exec(compile(tree or source, str(path), "exec"), vars(module))
    except (Exception, SystemExit) as error:
        sys.modules.pop(name)
        if before is not None:
            sys.modules[name] = before
        if isinstance(error, SystemExit):
            raise GamesearchError(
                f"{path} ends the program when it is loaded: put its main code under if __name__ == '__main__'"
            ) from error
        missing = (error.name or "").removeprefix("gamesearch.") if isinstance(error, ModuleNotFoundError) else ""
        hint = f": import gamesearch.{MOVED[missing]} instead" if missing in MOVED else ""
        raise GamesearchError(f"{path} cannot be loaded: {type(error).__name__}: {error}{hint}") from error
    return module


def print_aside(*values: Any, **options: Any) -> None:
    """Print to standard error, because standard output is for results. Replaces `print` in the user's files."""
    print(*values, **{"file": sys.stderr, **options})


def definitions_in(module: ModuleType) -> dict[str, Any]:
    """The public functions and classes that a module itself defines, by name. They have the same order as in the
    file."""
    return {
        name: value
        for name, value in vars(module).items()
        if getattr(value, "__module__", None) == module.__name__ and callable(value) and not name.startswith("_")
    }


def place_of(function: Any) -> str:
    """The file and line of a function, such as `mine.py, line 3`."""
    code = inspect.unwrap(function).__code__ if isinstance(function, FunctionType) else None
    return "" if code is None else f"{Path(code.co_filename).name}, line {code.co_firstlineno}"


def frame_in_file(error: BaseException) -> tuple[FrameType, int] | None:
    """The innermost frame of a user's file in the traceback of an error, and its line; None if the error comes from
    other code."""
    frames = traceback.walk_tb(error.__traceback__)
    own = [each for each in frames if str(each[0].f_globals.get("__name__")).startswith(NAMES)]
    return own[-1] if own else None


def exit_sentence(error: SystemExit) -> str:
    """A sentence that names the line at which a user's file ends the program; empty if other code ends it."""
    found = frame_in_file(error)
    if found is None:
        return ""
    frame, line = found
    return f"{Path(frame.f_code.co_filename).name}, line {line}, ends the program: remove exit() or sys.exit()"


@contextlib.contextmanager
def refuse_exits() -> Iterator[None]:
    """A context in which GamesearchError is raised if a user's file ends the program, for example with `exit()`."""
    try:
        yield
    except SystemExit as error:
        sentence = exit_sentence(error)
        if not sentence:
            raise
        raise GamesearchError(sentence) from error


def error_sentence(error: BaseException, path: Path) -> str:
    """A sentence about an error in the code of a file. The sentence contains the line number."""
    lines = [each.lineno for each in traceback.extract_tb(error.__traceback__) if each.filename == str(path)]
    place = f"{path.name}, line {lines[-1]}" if lines else path.name
    return f"{type(error).__name__} in {place}{message_of(error)}"


def message_of(error: BaseException) -> str:
    """The message of an error, after a colon. If a generator, such as the moves of a game, was used as a list, the
    message suggests `list`."""
    text = " ".join(str(error).split())
    is_generator = isinstance(error, TypeError) and re.search("'(generator|list_iterator)'.* (no len|not subscr)", text)
    return (f": {text}" if text else "") + (
        "; write list(game.moves(s)) to count or index moves" if is_generator else ""
    )
