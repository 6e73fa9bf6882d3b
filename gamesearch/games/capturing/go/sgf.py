"""Reads properties of Go in SGF: the size of the board, komi, and points."""

from collections.abc import Iterable, Mapping

from gamesearch.errors import GamesearchError
from gamesearch.games._shared.game_files import Property

__all__ = ["komi_of", "point_of", "points_of", "size_of"]

USUAL_SIZE = 19
LETTERS = "abcdefghijklmnopqrs"
GO = "1"
"""The value of the property GM for Go."""


def size_of(headers: Mapping[str, str]) -> int:
    """The size of the board; raises GamesearchError if the game is not Go, or if the board is not square."""
    kind, size = headers.get("GM", GO), headers.get("SZ", f"{USUAL_SIZE}")
    if kind.strip() != GO:
        raise GamesearchError(f"GM[{kind}] is not Go, which is GM[{GO}]")
    sides = {side.strip() for side in size.split(":")}
    side = sides.pop()
    if sides or not (side.isascii() and side.isdecimal() and 2 <= int(side[:3]) <= USUAL_SIZE):
        raise GamesearchError(f"SZ[{size}] is not a square board of 2 to {USUAL_SIZE} rows")
    return int(side)


def komi_of(headers: Mapping[str, str]) -> float:
    """The komi; 0 if none is given."""
    text = headers.get("KM", "0").strip().replace(",", ".")
    try:
        return float(text)
    except ValueError:
        raise GamesearchError(f"KM[{text}] is not a number") from None


def point_of(text: str, size: int, width: int) -> int | None:
    """The point that two letters name: the first letter is the column, counted from the left, and the second is the
    row, counted from the top. None for a pass.

    >>> point_of("ab", 9, 10), point_of("", 9, 10)
    (70, None)
    """
    if text.strip() in ("", "tt"):
        return None
    column, row = (LETTERS[:size].find(letter) for letter in text.strip()) if len(text.strip()) == 2 else (-1, -1)
    if min(column, row) < 0:
        raise GamesearchError(f"[{text}] is not a point of this board")
    return (size - 1 - row) * width + column


def points_of(properties: Iterable[Property], name: str, size: int, width: int) -> set[int]:
    """All points that are listed in the values of a property. A value such as `aa:cc` lists all points of a
    rectangle."""
    found = set[int]()
    for text in (value for each in properties if each.name == name for value in each.values):
        first, _, last = text.partition(":")
        ends = [point_of(corner, size, width) for corner in (first, last or first)]
        if None in ends:
            raise GamesearchError(f"[{text}] is not a point of this board")
        (row, column), (other_row, other_column) = (divmod(end or 0, width) for end in ends)
        for each in range(min(row, other_row), max(row, other_row) + 1):
            found |= {each * width + i for i in range(min(column, other_column), max(column, other_column) + 1)}
    return found
