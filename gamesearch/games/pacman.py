"""Pac-Man: eat the dots of a maze before time runs out, and keep away from the ghosts."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gamesearch.bits import Wide128, low_bit_index, popcount
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN, Board, Cell, Game, Known
from gamesearch.specification import nearest

__all__ = ["Pacman"]

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
MOST_ROUNDS = 1000
MOST_PENALTY = 10_000

DOT, STEP, LOSS = 10, 1, 500
"""What a dot brings, and what a step and a game lost to a ghost cost, as in Berkeley's projects."""

DIRECTIONS = ("north", "east", "south", "west")
ALSO = ("up", "right", "down", "left")
OFFSETS = ((-1, 0), (0, 1), (1, 0), (0, -1))
STILL = 4
"""The heading of a ghost that has not moved yet."""
HEADINGS = "nesw-"

PACMAN = 0
FAR = 1 << 20
GHOST_BITS, CELL_BITS = 10, 7
GHOST = re.compile(r"([RB])([0-9]{1,3})\.([0-9]{1,3})([nesw-])(\*?)", re.IGNORECASE)
NUMBER = re.compile(r"-?[0-9]{1,9}")


class Position(NamedTuple):
    """Where all are, the dots that are left, the steps that are left, the score so far, and whose turn it is.

    The cells that are no walls are numbered row by row; bit i of `dots` is cell i. Ghosts are numbered
    in the same order, and each has 10 bits, the first of them the lowest:

        heading of ghost 1 (3) | cell of ghost 1 (7) | heading of ghost 0 (3) | cell of ghost 0 (7)

    `turn` is 0 for Pac-Man and i + 1 for ghost i.
    """

    pacman: int
    ghosts: int
    dots: Wide128
    left: int
    score: int
    turn: int


def ghost_cell(ghosts: int, i: int) -> int:
    """The cell of ghost i."""
    return ghosts >> GHOST_BITS * i & (1 << CELL_BITS) - 1


def ghost_heading(ghosts: int, i: int) -> int:
    """The direction in which ghost i moved last, or STILL."""
    return ghosts >> GHOST_BITS * i + CELL_BITS & 7


def with_ghost(ghosts: int, i: int, cell: int, heading: int) -> int:
    """The ghosts with ghost i put elsewhere."""
    others = ghosts & ~((1 << GHOST_BITS) - 1 << GHOST_BITS * i)
    return others | (heading << CELL_BITS | cell) << GHOST_BITS * i


def read_layout(layout: str) -> list[str]:
    """The rows of a maze: one that has a name, one written out with `/` between its rows, or one in a file."""
    if layout in LAYOUTS:
        return LAYOUTS[layout].split("/")
    if "P" in layout and not set(layout) - set(LETTERS + "/"):
        return layout.split("/")
    try:
        with Path(layout).open("rb") as file:
            content = file.read(LARGEST_FILE + 1)
        rows = content.decode("utf-8-sig").splitlines()
    except (OSError, ValueError) as error:
        why = getattr(error, "strerror", "") or "it is not text"
        raise GamesearchError(
            f"there is no layout {layout!r} ({nearest(layout, LAYOUTS)}) nor such a file: {why}"
        ) from None
    if len(content) > LARGEST_FILE:
        raise GamesearchError(f"the layout {layout!r} is a file of more than {LARGEST_FILE:,} bytes")
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


class Pacman(Game[Position]):
    """Eat dots while ghosts attack or stray: +10 for a dot, -1 for a step, payoff is the score.

    Pac-Man (Max) always moves. Then each ghost moves, in the order of the layout: on in its direction
    until an obstacle, that is a wall or the border; there, and at its first move, it takes any open
    direction, back included. Where it has the choice, a red ghost R is Min, and a blue one B is
    chance, all directions equally likely. Ghosts pass through each other. Being on one cell costs
    500 and ends the game or, with a `penalty`, costs that, and the ghost starts again where it began.
    The game also ends with the last dot, and after `rounds` steps. `layout` is alone, small, chase,
    court, town, a text file, or rows joined by "/". The scores are those of DeNero and Klein's
    Pac-Man projects (Berkeley, 2010); the mazes are not.
    """

    notation = (
        "rows from the top (# wall, . dot, P Pac-Man, _ nothing), each ghost's row, column and heading (R2.6w; "
        "- before it moves; * if it is its turn), steps left and score; moves are north, east, south and west"
    )
    example = "#######/#_P...#/#.#.#.#/#..._.#/#.#.#.#/#...._#/####### B4.5-* R6.6- 15 9"
    names = ("Pac-Man", "ghosts")
    win_or_loss = False
    known = (
        Known("by hand: two dots in two steps", "layout=P.., rounds=2", value=18, best=("east",)),
        Known("by hand: the second step is the last", "layout=P..R, rounds=2", value=8, perft=(1, 1, 2)),
        Known("by hand: the second dot, and caught", "layout=P..R, rounds=3", value=-482),
        Known("by hand: the second dot, at a price", "layout=P..R, rounds=3, penalty=20", value=-2),
        Known("by hand: the ghost comes, or goes", "layout=P.B., rounds=2", value=-241.5, perft=(1, 2, 2)),
    )
    feature_names = ("score", "steps to the nearest dot", "nearness of the ghosts")

    def __init__(self, layout: str = "small", rounds: int = 16, penalty: int = 0) -> None:
        if not 1 <= rounds <= MOST_ROUNDS:
            raise GamesearchError(f"rounds={rounds} is not between 1 and {MOST_ROUNDS}")
        if not 0 <= penalty <= MOST_PENALTY:
            raise GamesearchError(f"penalty={penalty} is not between 1 and {MOST_PENALTY}, nor 0 to end the game")
        self.layout, self.rounds, self.penalty = layout, int(rounds), int(penalty)
        self._rows = checked_layout(layout)
        self._places = [(y, x) for y, row in enumerate(self._rows) for x, mark in enumerate(row) if mark != "#"]
        marks = "".join(self._rows).replace("#", "")
        self._ghost_marks = "".join(mark for mark in marks if mark in "RB")
        self.ghost_count = len(self._ghost_marks)
        self.reds = sum(1 << i for i, mark in enumerate(self._ghost_marks) if mark == "R")
        self.chance = "B" in marks
        self.home = marks.index("P")
        self.all_dots = sum(1 << cell for cell, mark in enumerate(marks) if mark == ".")
        self.dens = 0
        for i, cell in enumerate(cell for cell, mark in enumerate(marks) if mark in "RB"):
            self.dens = with_ghost(self.dens, i, cell, STILL)
        self.neighbours = self._neighbours()
        self.ways = self._ways()
        self.distances = self._distances()
        self.loss = LOSS if self.ghost_count and not self.penalty else 0
        self.dearest_step = STEP + 2 * self.ghost_count * self.penalty
        self.MINSCORE = -self.dearest_step * self.rounds - self.loss
        self.MAXSCORE = (DOT - STEP) * min(self.all_dots.bit_count(), self.rounds)
        # Set by hand: a step to a dot costs nearly a step, and a ghost next to Pac-Man a part of what it takes.
        self.weights = (1.0, -0.9, -0.06 * (self.penalty or LOSS))
        self.suggested_depth = (self.ghost_count + 1) * (12, 9, 6, 4, 3, 3, 3)[self.ghost_count]

    def _neighbours(self) -> np.ndarray:
        """The cell next to each in each direction, -1 for none."""
        number = {place: cell for cell, place in enumerate(self._places)}
        return np.array([[number.get((y + dy, x + dx), -1) for dy, dx in OFFSETS] for y, x in self._places])

    def _ways(self) -> np.ndarray:
        """The directions, as bits, to take from each cell with each heading: ahead, or any if there is an obstacle."""
        ways = np.zeros((len(self._places), STILL + 1), np.int64)
        for cell, neighbours in enumerate(self.neighbours):
            is_open = sum(1 << direction for direction in range(STILL) if neighbours[direction] >= 0)
            ways[cell] = [1 << heading & is_open or is_open for heading in range(STILL + 1)]
        return ways

    def _distances(self) -> np.ndarray:
        """How many steps it is from each cell to each, found breadth-first."""
        cells = len(self._places)
        distances = np.full((cells, cells), -1)
        for start in range(cells):
            distances[start, start] = 0
            waiting = [start]
            for cell in waiting:  # which grows meanwhile
                for after in self.neighbours[cell]:
                    if after >= 0 and distances[start, after] < 0:
                        distances[start, after] = distances[start, cell] + 1
                        waiting.append(after)
        if cells and distances.min() < 0:
            y, x = self._places[int(distances[self.home].argmin())]
            raise GamesearchError(f"in the layout {self.layout!r}, Pac-Man cannot reach row {y + 1}, column {x + 1}")
        return distances

    def initial(self) -> Position:
        return Position(self.home, self.dens, Wide128(self.all_dots), self.rounds, 0, PACMAN)

    def player(self, s: Position) -> int:
        if s.turn == PACMAN:
            return MAX
        return MIN if self.reds >> s.turn - 1 & 1 else CHANCE

    def open_ways(self, s: Position) -> int:
        """The directions, as bits, that whoever's turn it is may take."""
        if s.turn == PACMAN:
            return int(self.ways[s.pacman, STILL])
        return int(self.ways[ghost_cell(s.ghosts, s.turn - 1), ghost_heading(s.ghosts, s.turn - 1)])

    def moves(self, s: Position) -> Iterator[int]:
        ways = self.open_ways(s)
        while ways != 0:
            yield low_bit_index(ways)
            ways &= ways - 1

    def outcomes(self, s: Position) -> Iterator[tuple[int, float]]:
        ways = self.open_ways(s)
        probability = 1 / popcount(ways)
        while ways != 0:
            yield low_bit_index(ways), probability
            ways &= ways - 1

    def result(self, s: Position, m: int) -> Position:
        turn = (s.turn + 1) % (self.ghost_count + 1)
        if s.turn != PACMAN:
            i = s.turn - 1
            cell = int(self.neighbours[ghost_cell(s.ghosts, i), m])
            return self.met(Position(s.pacman, with_ghost(s.ghosts, i, cell, m), s.dots, s.left, s.score, turn), i)
        cell = int(self.neighbours[s.pacman, m])
        dot = s.dots & Wide128(1) << cell
        score = s.score - STEP + (DOT if dot != 0 else 0)
        after = Position(cell, s.ghosts, s.dots ^ dot, s.left - 1, score, turn)
        for i in range(self.ghost_count):
            after = self.met(after, i)
        return after

    def met(self, s: Position, i: int) -> Position:
        """What follows at once if ghost i and Pac-Man are on one cell, where that does not end the game."""
        if self.penalty == 0 or ghost_cell(s.ghosts, i) != s.pacman:
            return s
        ghosts = with_ghost(s.ghosts, i, ghost_cell(self.dens, i), STILL)
        return Position(s.pacman, ghosts, s.dots, s.left, s.score - self.penalty, s.turn)

    def caught(self, s: Position) -> bool:
        """Whether a ghost has ended the game."""
        if self.penalty == 0:
            for i in range(self.ghost_count):
                if ghost_cell(s.ghosts, i) == s.pacman:
                    return True
        return False

    def terminal(self, s: Position) -> bool:
        return s.dots == 0 or s.left == 0 or self.caught(s)

    def utility(self, s: Position) -> int:
        return s.score - LOSS if self.caught(s) else s.score

    # What search asks to do better. --------------------------------------------------------------
    def steps_to_dots(self, cell: int, dots: int) -> tuple[int, int]:
        """How many steps it is to the nearest of the dots and to the farthest."""
        near, far = FAR, 0
        rest = dots
        while rest != 0:
            distance = int(self.distances[cell, low_bit_index(rest)])
            near, far = min(near, distance), max(far, distance)
            rest &= rest - 1
        return near, far

    def bounds(self, s: Position) -> tuple[float, float]:
        # The k-th dot is not eaten before step near + k - 1, nor all before step far. If they are not
        # all eaten, and Pac-Man is not caught, all steps that are left are paid for.
        near, far = self.steps_to_dots(s.pacman, s.dots)
        dots = popcount(s.dots)
        gain = DOT * max(0, min(dots - 1, s.left - near + 1)) - STEP * s.left
        needed = max(near + dots - 1, far)
        if needed <= s.left:
            gain = max(gain, DOT * dots - STEP * needed)
        if self.loss > 0:
            gain = max(gain, (DOT - STEP) * min(dots, s.left) - self.loss)
        return s.score - self.dearest_step * s.left - self.loss, s.score + gain

    def order(self, s: Position, m: int) -> float:
        if s.turn != PACMAN:
            cell = int(self.neighbours[ghost_cell(s.ghosts, s.turn - 1), m])
            return -float(self.distances[s.pacman, cell])
        return -float(self.steps_to_dots(int(self.neighbours[s.pacman, m]), s.dots)[0])

    def features(self, s: Position) -> tuple[float, ...]:
        """The score, the steps to the nearest dot, and how near the ghosts are: 1 / distance, added up."""
        danger = 0.0
        for i in range(self.ghost_count):
            danger += 1 / max(1, int(self.distances[s.pacman, ghost_cell(s.ghosts, i)]))
        return float(s.score), float(min(s.left, self.steps_to_dots(s.pacman, s.dots)[0])), danger

    def consistent(self, s: Position) -> bool:
        return (s.dots & self.all_dots) == s.dots and (s.dots >> s.pacman & 1) == 0 and 0 <= s.left <= self.rounds

    # Notation and picture. -----------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        words = text.split()
        if len(words) != self.ghost_count + 3 or not all(NUMBER.fullmatch(word) for word in words[-2:]):
            such = self.format(self.initial())
            raise GamesearchError(
                f"{text!r} is not rows, {self.ghost_count} ghosts, steps left and score, such as {such}"
            )
        pacman, dots = self._read_rows(words[0])
        ghosts, turn = self._read_ghosts(words[1:-2])
        s = Position(pacman, ghosts, Wide128(dots), int(words[-2]), int(words[-1]), turn)
        self._check_score(s)
        return s

    def _read_rows(self, text: str) -> tuple[int, int]:
        """Where Pac-Man is, and the dots."""
        rows = text.replace("%", "#").split("/")
        walls = [re.sub(r"[^#]", "_", row) for row in self._rows]
        if [re.sub(r"[.P_]", "_", row) for row in rows] != walls:
            raise GamesearchError(f"{text!r} is not the maze of the layout {self.layout}: {'/'.join(walls)}")
        marks = [rows[y][x] for y, x in self._places]
        if marks.count("P") != 1:
            raise GamesearchError(f"{text!r} has {marks.count('P')} P: there is one Pac-Man")
        dots = sum(1 << cell for cell, mark in enumerate(marks) if mark == ".")
        if dots & ~self.all_dots:
            raise GamesearchError(f"{text!r} has a dot where the layout {self.layout} has none")
        return marks.index("P"), dots

    def _read_ghosts(self, words: list[str]) -> tuple[int, int]:
        """The ghosts, and whose turn it is."""
        ghosts, turn = 0, PACMAN
        for i, (word, mark) in enumerate(zip(words, self._ghost_marks, strict=True)):
            match = GHOST.fullmatch(word)
            if match is None or match[1].upper() != mark:
                raise GamesearchError(
                    f"{word!r} is not ghost {i + 1}, such as {mark}2.6w (row 2, column 6, to the west)"
                )
            place, heading = (int(match[2]) - 1, int(match[3]) - 1), HEADINGS.index(match[4].casefold())
            if place not in self._places:
                raise GamesearchError(f"the ghost {word} is in a wall")
            cell = self._places.index(place)
            if heading == STILL and cell != ghost_cell(self.dens, i):
                raise GamesearchError(f"the ghost {word} is not where it began: it has a heading")
            if heading != STILL and self.neighbours[cell, (heading + 2) % STILL] < 0:
                raise GamesearchError(f"the ghost {word} comes out of a wall")
            if match[5] and turn != PACMAN:
                raise GamesearchError("it is the turn of two ghosts, which have a *")
            turn = i + 1 if match[5] else turn
            ghosts = with_ghost(ghosts, i, cell, heading)
        return ghosts, turn

    def _check_score(self, s: Position) -> None:
        """Refuse steps and scores that no game has."""
        taken = self.rounds - s.left
        eaten = (self.all_dots & ~s.dots).bit_count()
        if not max(eaten, min(s.turn, 1)) <= taken <= self.rounds:
            raise GamesearchError(f"{s.left} of {self.rounds} steps cannot be left when {eaten} dots are eaten")
        paid = DOT * eaten - STEP * taken - s.score
        times = paid // self.penalty if self.penalty else 0
        if paid != times * self.penalty or not 0 <= times <= 2 * self.ghost_count * taken:
            raise GamesearchError(f"the score is not {s.score} after {taken} steps and {eaten} dots")

    def format(self, s: Position) -> str:
        grid = [list(re.sub(r"[^#]", "_", row)) for row in self._rows]
        for cell, (y, x) in enumerate(self._places):
            grid[y][x] = "P" if cell == s.pacman else "." if s.dots >> cell & 1 else "_"
        ghosts = [self._ghost_text(s, i) for i in range(self.ghost_count)]
        return " ".join(["/".join(map("".join, grid)), *ghosts, str(s.left), str(s.score)])

    def _ghost_text(self, s: Position, i: int) -> str:
        y, x = self._places[ghost_cell(s.ghosts, i)]
        heading = HEADINGS[ghost_heading(s.ghosts, i)]
        return f"{self._ghost_marks[i]}{y + 1}.{x + 1}{heading}" + "*" * (s.turn == i + 1)

    def move_name(self, s: Position, m: int) -> str:
        return DIRECTIONS[m]

    def parse_move(self, s: Position, text: str) -> int:
        wanted = text.strip().casefold()
        for m in self.moves(s):
            if wanted and (DIRECTIONS[m].startswith(wanted) or ALSO[m].startswith(wanted)):
                return m
        names = ", ".join(DIRECTIONS[m] for m in self.moves(s))
        raise GamesearchError(f"{text.strip()!r} is not a move here: there is {names}")

    def board(self, s: Position) -> Board:
        rows = [[Cell("#", faint=True) if mark == "#" else Cell(" ") for mark in row] for row in self._rows]
        notes = [f"score {s.score}, {s.left} steps left"]
        for cell, (y, x) in enumerate(self._places):
            if cell == s.pacman:
                rows[y][x] = Cell("P", owner=MAX)
            elif s.dots >> cell & 1:
                rows[y][x] = Cell(".", "·")
        for i, mark in enumerate(self._ghost_marks):
            y, x = self._places[ghost_cell(s.ghosts, i)]
            rows[y][x] = Cell(mark, owner=MIN if mark == "R" else MIN + 1, marked=s.turn == i + 1)
            heading = (*DIRECTIONS, "nowhere yet")[ghost_heading(s.ghosts, i)]
            notes.append(f"{mark} in row {y + 1}, column {x + 1} goes {heading}")
        if self.caught(s):
            notes.append("a ghost has caught Pac-Man")
        labels = [str(number) for number in range(1, max(len(rows), len(rows[0])) + 1)]
        return Board(rows, labels[: len(rows)], labels[: len(rows[0])], notes)
