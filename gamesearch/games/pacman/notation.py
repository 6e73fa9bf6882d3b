"""How Pac-Man's positions and moves are written and drawn, for `gamesearch.games.pacman.rules`."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from gamesearch.bits import Wide128
from gamesearch.boards import Board, Cell
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games.pacman.position import PACMAN, STILL, Position, ghost_cell, ghost_heading, with_ghost

if TYPE_CHECKING:
    from gamesearch.games.pacman.rules import Pacman

__all__ = ["DIRECTIONS", "drawn", "find_move", "position_text", "read_position"]

DIRECTIONS = ("north", "east", "south", "west")
ALSO = ("up", "right", "down", "left")
HEADINGS = "nesw-"
GHOST = re.compile(r"([RB])([0-9]{1,3})\.([0-9]{1,3})([nesw-])(\*?)", re.IGNORECASE)
NUMBER = re.compile(r"-?[0-9]{1,9}")


# Positions. --------------------------------------------------------------------------------------
def read_position(game: "Pacman", text: str) -> Position:
    """The position of rows, ghosts, steps left and score."""
    words = text.split()
    if len(words) != game.ghost_count + 3 or not all(NUMBER.fullmatch(word) for word in words[-2:]):
        such = game.format(game.initial())
        raise GamesearchError(f"{text!r} is not rows, {game.ghost_count} ghosts, steps left and score, such as {such}")
    pacman, dots = read_rows(game, words[0])
    ghosts, turn = read_ghosts(game, words[1:-2])
    return Position(pacman, ghosts, Wide128(dots), int(words[-2]), int(words[-1]), turn)


def read_rows(game: "Pacman", text: str) -> tuple[int, int]:
    """Where Pac-Man is, and the dots."""
    rows = text.replace("%", "#").split("/")
    walls = [re.sub(r"[^#]", "_", row) for row in game.maze]
    if [re.sub(r"[.P_]", "_", row) for row in rows] != walls:
        raise GamesearchError(f"{text!r} is not the maze of the layout {game.layout}: {'/'.join(walls)}")
    marks = [rows[y][x] for y, x in game.places]
    if marks.count("P") != 1:
        raise GamesearchError(f"{text!r} has {marks.count('P')} P: there is one Pac-Man")
    dots = sum(1 << cell for cell, mark in enumerate(marks) if mark == ".")
    if dots & ~game.all_dots:
        raise GamesearchError(f"{text!r} has a dot where the layout {game.layout} has none")
    return marks.index("P"), dots


def read_ghosts(game: "Pacman", words: Sequence[str]) -> tuple[int, int]:
    """The ghosts, and whose turn it is."""
    ghosts, turn = 0, PACMAN
    for i, (word, mark) in enumerate(zip(words, game.ghost_marks, strict=True)):
        match = GHOST.fullmatch(word)
        if match is None or match[1].upper() != mark:
            raise GamesearchError(f"{word!r} is not ghost {i + 1}, such as {mark}2.6w (row 2, column 6, to the west)")
        place, heading = (int(match[2]) - 1, int(match[3]) - 1), HEADINGS.index(match[4].casefold())
        if place not in game.places:
            raise GamesearchError(f"the ghost {word} is in a wall")
        cell = game.places.index(place)
        if heading == STILL and cell != ghost_cell(game.dens, i):
            raise GamesearchError(f"the ghost {word} is not where it began: it has a heading")
        if heading != STILL and game.neighbours[cell, (heading + 2) % STILL] < 0:
            raise GamesearchError(f"the ghost {word} comes out of a wall")
        if match[5] and turn != PACMAN:
            raise GamesearchError("it is the turn of two ghosts, which have a *")
        turn = i + 1 if match[5] else turn
        ghosts = with_ghost(ghosts, i, cell, heading)
    return ghosts, turn


def position_text(game: "Pacman", s: Position) -> str:
    """Rows, ghosts, steps left and score."""
    grid = [list(re.sub(r"[^#]", "_", row)) for row in game.maze]
    for cell, (y, x) in enumerate(game.places):
        grid[y][x] = "P" if cell == s.pacman else "." if s.dots >> cell & 1 else "_"
    ghosts = [ghost_text(game, s, i) for i in range(game.ghost_count)]
    return " ".join(["/".join(map("".join, grid)), *ghosts, str(s.left), str(s.score)])


def ghost_text(game: "Pacman", s: Position, i: int) -> str:
    """A ghost's row, column and heading, and a star if it is its turn."""
    y, x = game.places[ghost_cell(s.ghosts, i)]
    heading = HEADINGS[ghost_heading(s.ghosts, i)]
    return f"{game.ghost_marks[i]}{y + 1}.{x + 1}{heading}" + "*" * (s.turn == i + 1)


# Moves. ------------------------------------------------------------------------------------------
def find_move(text: str, moves: Sequence[int]) -> int:
    """The legal move whose name, in either way of speaking, begins so."""
    wanted = text.strip().casefold()
    for m in moves:
        if wanted and (DIRECTIONS[m].startswith(wanted) or ALSO[m].startswith(wanted)):
            return m
    names = ", ".join(DIRECTIONS[m] for m in moves)
    raise GamesearchError(f"{text.strip()!r} is not a move here: there is {names}")


# The picture. ------------------------------------------------------------------------------------
def drawn(game: "Pacman", s: Position) -> Board:
    """The maze, and where the ghosts are going."""
    rows = [[Cell("#", faint=True) if mark == "#" else Cell(" ") for mark in row] for row in game.maze]
    notes = [f"score {s.score}, {s.left} steps left"]
    for cell, (y, x) in enumerate(game.places):
        if cell == s.pacman:
            rows[y][x] = Cell("P", owner=MAX)
        elif s.dots >> cell & 1:
            rows[y][x] = Cell(".", "·")
    for i, mark in enumerate(game.ghost_marks):
        y, x = game.places[ghost_cell(s.ghosts, i)]
        rows[y][x] = Cell(mark, owner=MIN if mark == "R" else MIN + 1, marked=s.turn == i + 1)
        heading = (*DIRECTIONS, "nowhere yet")[ghost_heading(s.ghosts, i)]
        notes.append(f"{mark} in row {y + 1}, column {x + 1} goes {heading}")
    if game.caught(s):
        notes.append("a ghost has caught Pac-Man")
    labels = [str(number) for number in range(1, max(len(rows), len(rows[0])) + 1)]
    return Board(rows, labels[: len(rows)], labels[: len(rows[0])], notes)
