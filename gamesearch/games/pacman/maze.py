"""Pac-Man's mazes: those that have names, how others are read, and which cells touch."""

from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import read_regular_text
from gamesearch.specification import nearest

__all__ = ["LAYOUTS", "STILL", "Place", "checked_layout", "distances_between", "neighbours_of", "ways_from"]

LAYOUTS = {
    "alone": "#########/#P..#...#/#.#.#.#.#/#...#...#/#.#...#.#/#########",
    "chase": "#########/#P..#...#/#.#...#.#/#...#..R#/#########",
    "small": "#######/#P....#/#.#.#.#/#...B.#/#.#.#.#/#....R#/#######",
    "court": "#########/#R..#..B#/#.#...#.#/#...P...#/#.#...#.#/#B..#..R#/#########",
    "town": (
        "###################/#........#........#/#.##.###.#.###.##.#/#.##.#.......#.##.#/"
        "#......#RB_#......#/#.##.#.##_##.#.##.#/#....#...P...#....#/###################"
    ),
}
"""Mazes by name: `#` or `%` is a wall, `.` a dot, `P` Pac-Man, `R` and `B` ghosts, `_` or a blank nothing."""

LETTERS = "#%.PRB_ "
LARGEST_FILE = 10_000
MOST_CELLS = 126
MOST_GHOSTS = 6

STILL = 4
"""The heading of a ghost that has not moved yet."""
OFFSETS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""The next row and column to the north, east, south and west."""

Place: TypeAlias = tuple[int, int]
"""Row and column of a cell, counted from 0."""


# Layouts. ----------------------------------------------------------------------------------------
def read_layout(layout: str) -> list[str]:
    """The rows of a maze: one that has a name, one written out with `/` between its rows, or one in a file."""
    if layout in LAYOUTS:
        return LAYOUTS[layout].split("/")
    if "P" in layout and not set(layout) - set(LETTERS + "/"):
        return layout.split("/")
    try:
        rows = read_regular_text(Path(layout), LARGEST_FILE, "utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", "") or "it is not text"
        raise GamesearchError(
            f"there is no layout {layout!r} ({nearest(layout, LAYOUTS)}) nor such a file: {why}"
        ) from None
    while rows and not rows[-1].strip():
        rows.pop()
    return rows


def checked_layout(layout: str) -> tuple[str, ...]:
    """The rows of a maze in the letters `#.PRB_`, all of one length, or GamesearchError saying what is wrong."""
    rows = read_layout(layout)
    letters = "".join(rows)
    wrong = sorted(set(letters) - set(LETTERS))
    if wrong:
        raise GamesearchError(f"the layout {layout!r} has {wrong[0]!r}: it is made of # or %, ., P, R, B, _ and blanks")
    if letters.count("P") != 1 or "." not in letters:
        raise GamesearchError(f"the layout {layout!r} has {letters.count('P')} P and {letters.count('.')} dots")
    if letters.count("R") + letters.count("B") > MOST_GHOSTS:
        raise GamesearchError(f"the layout {layout!r} has more than {MOST_GHOSTS} ghosts")
    if len(letters) - letters.count("#") - letters.count("%") > MOST_CELLS:
        raise GamesearchError(f"the layout {layout!r} has more than {MOST_CELLS} cells that are no walls")
    width = max(map(len, rows))
    return tuple(row.ljust(width, "#").replace("%", "#").replace(" ", "_") for row in rows)


# Cells, numbered in the order of their places. ---------------------------------------------------
def neighbours_of(places: Sequence[Place]) -> np.ndarray:
    """The cell next to each in each direction, -1 for none."""
    number = {place: cell for cell, place in enumerate(places)}
    return np.array([[number.get((y + dy, x + dx), -1) for dy, dx in OFFSETS] for y, x in places])


def ways_from(neighbours: np.ndarray) -> np.ndarray:
    """The directions, as bits, to take from each cell with each heading: ahead, or any if there is an obstacle."""
    ways = np.zeros((len(neighbours), STILL + 1), np.int64)
    for cell, beside in enumerate(neighbours):
        is_open = sum(1 << direction for direction in range(STILL) if beside[direction] >= 0)
        ways[cell] = [1 << heading & is_open or is_open for heading in range(STILL + 1)]
    return ways


def distances_between(neighbours: np.ndarray) -> np.ndarray:
    """How many steps it is from each cell to each, found breadth-first from all at once; -1 where there is no way."""
    cells = np.arange(len(neighbours))
    is_beside = (neighbours[:, :, None] == cells).any(axis=1)
    distances, reached, steps = np.full(is_beside.shape, -1), np.eye(len(cells), dtype=bool), 0
    while reached.any():
        distances[reached] = steps
        reached = reached @ is_beside & (distances < 0)
        steps += 1
    return distances
