"""How Pac-Man's positions and moves are written and drawn."""

import re
from collections.abc import Sequence

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games.pacman.maze import STILL
from gamesearch.games.pacman.position import (
    ALL_POINTS,
    DOT,
    PACMAN,
    STEP,
    PacmanBoard,
    Position,
    ghost_cell,
    ghost_heading,
    with_ghost,
)
from gamesearch.toolkit.bits import Wide128
from gamesearch.toolkit.boards import Board, Cell

__all__ = ["DIRECTIONS", "PacmanNotation"]

DIRECTIONS = ("north", "east", "south", "west")
ALSO = ("up", "right", "down", "left")
HEADINGS = "nesw-"
GHOST = re.compile(r"([RB])([0-9]{1,3})\.([0-9]{1,3})([nesw-])(\*?)", re.IGNORECASE)
NUMBER = re.compile(r"-?[0-9]{1,9}")
CELLS = {"#": Cell("#", faint=True, dark=True), "_": Cell(" "), "P": Cell("P", owner=MAX), ".": Cell(".", "·")}
"""How the marks of a maze are drawn."""


class PacmanNotation(PacmanBoard):
    """Reads, writes and draws the maze with dots and ghosts, and moves by their directions."""

    notation = (
        "rows from the top (# wall, . dot, P Pac-Man, _ nothing), each ghost's row, column and heading (R2.6w; "
        "- before it moves; * if it is its turn), steps left and score; moves are north, east, south and west"
    )
    example = "#######/#_P...#/#.#.#.#/#..._.#/#.#.#.#/#...._#/####### B4.5-* R6.6- 15 9"
    names = ("Pac-Man", "ghosts")

    # Positions. ----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        words = text.split()
        if len(words) != self.ghost_count + 3 or not all(NUMBER.fullmatch(word) for word in words[-2:]):
            such = self.format(self.initial())
            raise GamesearchError(
                f"{text!r} is not rows, {self.ghost_count} ghosts, steps left and score, such as {such}"
            )
        pacman, dots = self.read_rows(words[0])
        ghosts, turn = self.read_ghosts(words[1:-2])
        s = Position(pacman, ghosts, Wide128(dots), int(words[-2]), int(words[-1]), turn)
        self.refuse_score(s)
        return s

    def refuse_score(self, s: Position) -> None:
        """Refuse steps and scores that no game has."""
        taken = self.rounds - s.left
        eaten = (self.all_dots & ~s.dots).bit_count()
        if not max(eaten, min(s.turn, 1)) <= taken <= self.rounds:
            raise GamesearchError(f"{s.left} of {self.rounds} steps cannot be left when {eaten} dots are eaten")
        paid = DOT * eaten - STEP * taken - s.score
        times = paid // self.price if self.price > 0 else 0
        is_paid = paid == times * self.price and 0 <= times <= 2 * self.ghost_count * taken
        if self.price == ALL_POINTS:  # what was lost was more than nothing, and of dots
            is_paid = paid == 0 or (self.ghost_count > 0 and 0 < paid <= (DOT - STEP) * eaten)
        if not is_paid:
            raise GamesearchError(f"the score is not {s.score} after {taken} steps and {eaten} dots")

    def read_rows(self, text: str) -> tuple[int, int]:
        """Where Pac-Man is, and the dots."""
        rows = text.replace("%", "#").split("/")
        walls = [re.sub(r"[^#]", "_", row) for row in self.maze]
        if [re.sub(r"[.P_]", "_", row) for row in rows] != walls:
            raise GamesearchError(f"{text!r} is not the maze of the layout {self.layout}: {'/'.join(walls)}")
        marks = [rows[y][x] for y, x in self.places]
        if marks.count("P") != 1:
            raise GamesearchError(f"{text!r} has {marks.count('P')} P: there is one Pac-Man")
        dots = sum(1 << cell for cell, mark in enumerate(marks) if mark == ".")
        if dots & ~self.all_dots:
            raise GamesearchError(f"{text!r} has a dot where the layout {self.layout} has none")
        return marks.index("P"), dots

    def read_ghosts(self, words: Sequence[str]) -> tuple[int, int]:
        """The ghosts, and whose turn it is."""
        ghosts, turn = 0, PACMAN
        for i, (word, mark) in enumerate(zip(words, self.ghost_marks, strict=True)):
            match = GHOST.fullmatch(word)
            if match is None or match[1].upper() != mark:
                raise GamesearchError(
                    f"{word!r} is not ghost {i + 1}, such as {mark}2.6w (row 2, column 6, to the west)"
                )
            place, heading = (int(match[2]) - 1, int(match[3]) - 1), HEADINGS.index(match[4].casefold())
            if place not in self.places:
                raise GamesearchError(f"the ghost {word} is in a wall")
            cell = self.places.index(place)
            if heading == STILL and cell != ghost_cell(self.dens, i):
                raise GamesearchError(f"the ghost {word} is not where it began: it has a heading")
            if heading != STILL and self.neighbours[cell, (heading + 2) % STILL] < 0:
                raise GamesearchError(f"the ghost {word} comes out of a wall")
            if match[5] and turn != PACMAN:
                raise GamesearchError("it is the turn of two ghosts, which have a *")
            turn = i + 1 if match[5] else turn
            ghosts = with_ghost(ghosts, i, cell, heading)
        return ghosts, turn

    def format(self, s: Position) -> str:
        grid = [list(re.sub(r"[^#]", "_", row)) for row in self.maze]
        for cell, (y, x) in enumerate(self.places):
            grid[y][x] = "P" if cell == s.pacman else "." if s.dots >> cell & 1 else "_"
        ghosts = [self.ghost_text(s, i) for i in range(self.ghost_count)]
        return " ".join(["/".join(map("".join, grid)), *ghosts, str(s.left), str(s.score)])

    def ghost_text(self, s: Position, i: int) -> str:
        """A ghost's row, column and heading, and a star if it is its turn."""
        y, x = self.places[ghost_cell(s.ghosts, i)]
        heading = HEADINGS[ghost_heading(s.ghosts, i)]
        return f"{self.ghost_marks[i]}{y + 1}.{x + 1}{heading}" + "*" * (s.turn == i + 1)

    # Moves. --------------------------------------------------------------------------------------
    def move_name(self, s: Position, m: int) -> str:
        return DIRECTIONS[m]

    def parse_move(self, s: Position, text: str) -> int:
        """The legal move whose name, in either way of speaking, begins so."""
        wanted = text.strip().casefold()
        moves = list(self.moves(s))
        for m in moves:
            if wanted and (DIRECTIONS[m].startswith(wanted) or ALSO[m].startswith(wanted)):
                return m
        names = ", ".join(DIRECTIONS[m] for m in moves)
        raise GamesearchError(f"{text.strip()!r} is not a move here: there is {names}")

    # The picture. --------------------------------------------------------------------------------
    def board(self, s: Position) -> Board:
        """The maze, and where the ghosts are going."""
        rows = [[CELLS[mark] for mark in row] for row in self.format(s).split()[0].split("/")]
        notes = [f"score {s.score}, {s.left} steps left"]
        for i, mark in enumerate(self.ghost_marks):
            y, x = self.places[ghost_cell(s.ghosts, i)]
            rows[y][x] = Cell(mark, owner=MIN if mark == "R" else MIN + 1, marked=s.turn == i + 1)
            heading = (*DIRECTIONS, "nowhere yet")[ghost_heading(s.ghosts, i)]
            notes.append(f"{mark} in row {y + 1}, column {x + 1} goes {heading}")
        if self.caught(s):
            notes.append("a ghost has caught Pac-Man")
        labels = [str(number) for number in range(1, max(len(rows), len(rows[0])) + 1)]
        return Board(rows, labels[: len(rows)], labels[: len(rows[0])], notes)
