"""Check the commands of lessons: only some commands may run, without files or programs in their arguments."""

import re
import shlex
from collections.abc import Mapping

from gamesearch.errors import GamesearchError
from gamesearch.play.players.loading import ENGINES
from gamesearch.specification import SHIPPED_EVALUATIONS, files_named, near, runs_own_code, split_outside_brackets

__all__ = ["READING", "opens_files", "words_of"]

READING = (
    *("analyze", "solve", "perft", "graph", "compare", "horizon", "bench", "opponents"),
    *("games", "algorithms", "learn"),
)
"""The commands that a lesson may run."""
OPENING = re.compile(
    rf"\.py\b|\b({'|'.join(ENGINES)})\s*\(|\b(evaluation|database|file|layout|book|weights)\s*="
    rf"(?!\s*(learned|shipped|none|material|small|{'|'.join(SHIPPED_EVALUATIONS)})\b)|\.(json|pgn|pdn|sgf|ggf|epd|obf|trace)$",
    re.IGNORECASE,
)
"""The names and parameters in specifications that run code, start programs or open files."""


def words_of(line: str, file_options: Mapping[str, set[str]]) -> list[str]:
    """The arguments of a command line that begins with `gamesearch`; `file_options` are the options that name files.

    Raises GamesearchError if a lesson may not run the command.
    """
    try:
        words = shlex.split(line)
    except ValueError as error:
        raise GamesearchError(f"{line!r} cannot be read: {error}") from None
    if len(words) < 2 or words[0] != "gamesearch":
        raise GamesearchError(f"a lesson runs only commands of gamesearch, not {line!r}")
    name, arguments = words[1], words[2:]
    if name not in READING:
        guess = near(name, READING)
        hint = f"did you mean {guess[0]}?" if guess else f"put {line!r} into an exercise"
        raise GamesearchError(f"a lesson runs only {', '.join(READING)}: {hint}")
    for word in arguments:
        option, _, value = word.partition("=") if word.startswith("-") else ("", "", word)
        if option in file_options[name]:
            raise GamesearchError(f"a lesson does not write files: put {line!r} into an exercise")
        if word == "-" or opens_files(value):
            raise GamesearchError(f"a lesson opens no files and runs no programs: put {line!r} into an exercise")
    return words[1:]


def opens_files(text: str) -> bool:
    """Whether loading a specification or a list of specifications may open a file, or run a program or a user's
    code."""
    return bool(OPENING.search(text)) or any(runs_own_code(each) or files_named(each) for each in parts_of(text))


def parts_of(text: str) -> list[str]:
    """The specifications in a text, which is a single specification or a list of specifications."""
    try:
        return split_outside_brackets(text, ",")
    except GamesearchError:
        return [text]
