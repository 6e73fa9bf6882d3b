"""Starter files: the pseudocode of textbooks as Python, with a gap to fill or a typical error."""

from gamesearch.errors import GamesearchError
from gamesearch.lessons.lesson import shipped_folder
from gamesearch.specification import nearest

__all__ = ["code_names", "code_summary", "code_text"]

SUFFIX = ".py.txt"
"""The suffix of starter files. The docstring of a starter file says what the program is and how to check it."""


def code_names() -> tuple[str, ...]:
    """The names of the starter files."""
    names = (each.name for each in shipped_folder("pseudocode").iterdir())
    return tuple(sorted(name.removesuffix(SUFFIX) for name in names if name.endswith(SUFFIX)))


def code_text(name: str) -> str:
    """The text of a starter file. Raises GamesearchError if no starter file has this name."""
    if name not in code_names():
        raise GamesearchError(f"unknown starter file {name!r}: {nearest(name, code_names())}")
    return shipped_folder("pseudocode").joinpath(name + SUFFIX).read_text(encoding="utf-8")


def code_summary(name: str) -> str:
    """The first line of the docstring of a starter file."""
    return code_text(name).split('"""')[1].strip().partition("\n")[0]
