"""Starter files: pseudo-code of textbooks in Python, with a gap to fill, or with an error that is found in lectures.

Each is a file in `pseudocode/`, whose docstring says what the program is and how to check it.
"""

from importlib import resources

from gamesearch.errors import GamesearchError
from gamesearch.specification import nearest

__all__ = ["code_names", "code_summary", "code_text"]

SUFFIX = ".py.txt"


def code_names() -> tuple[str, ...]:
    """The names of the starter files."""
    names = (each.name for each in folder().iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


def code_text(name: str) -> str:
    """The text of a starter file. Raises GamesearchError if there is none with this name."""
    if name not in code_names():
        raise GamesearchError(f"unknown starter file {name!r}: {nearest(name, code_names())}")
    return folder().joinpath(name + SUFFIX).read_text(encoding="utf-8")


def code_summary(name: str) -> str:
    """The first line of the docstring of a starter file."""
    return code_text(name).split('"""')[1].strip().partition("\n")[0]


def folder() -> resources.abc.Traversable:
    """The folder of the starter files."""
    return resources.files(__name__.rpartition(".")[0]).joinpath("pseudocode")
