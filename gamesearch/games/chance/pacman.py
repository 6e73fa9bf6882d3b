"""Pac-Man: eat the dots of a maze before time runs out, and keep away from the ghosts."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import read_text
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.games._shared.cells import members
from gamesearch.specification import nearest
from gamesearch.toolkit.bits import Wide128, low_bit_index, popcount
from gamesearch.toolkit.boards import Board, Cell, Palette
from gamesearch.toolkit.known import Known

__all__ = ["DIRECTIONS", "LAYOUTS", "Pacman"]

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
"""Mazes by name. `#` or `%` is a wall, `.` a dot, `P` Pac-Man, `R` and `B` ghosts, `_` or a space an empty cell."""

LETTERS = "#%.PRB_ "
LARGEST_FILE = 10_000
MOST_CELLS = 126
MOST_GHOSTS = 6

STILL = 4
"""The heading of a ghost that has not moved yet."""
OFFSETS = ((-1, 0), (0, 1), (1, 0), (0, -1))
"""A step to the north, east, south or west adds these numbers to the row and to the column."""

Place: TypeAlias = tuple[int, int]
"""The row and column of a cell, counted from 0."""


def read_layout(layout: str) -> list[str]:
    """The rows of a maze. `layout` is the name of the maze, the rows joined with `/`, or the name of a file."""
    if layout in LAYOUTS:
        return LAYOUTS[layout].split("/")
    if "P" in layout and not set(layout) - set(LETTERS + "/"):
        return layout.split("/")
    try:
        rows = read_text(layout, "a layout", LARGEST_FILE, note=None).splitlines()
    except GamesearchError as error:
        raise GamesearchError(f"unknown layout {layout!r} ({nearest(layout, LAYOUTS)}), and {error}") from None
    while rows and not rows[-1].strip():
        rows.pop()
    return rows


def parse_layout(layout: str) -> tuple[str, ...]:
    """Parse a maze into rows of equal length with the letters `#.PRB_`; raises GamesearchError if it is invalid."""
    rows = read_layout(layout)
    letters = "".join(rows)
    wrong = sorted(set(letters) - set(LETTERS))
    if wrong:
        raise GamesearchError(f"the layout {layout!r} contains {wrong[0]!r}: use only # or %, ., P, R, B, _ and blanks")
    if letters.count("P") != 1 or "." not in letters:
        found = f"{letters.count('P')} P and {letters.count('.')} dots"
        raise GamesearchError(f"the layout {layout!r} has {found}: it needs exactly one P and at least one dot")
    if letters.count("R") + letters.count("B") > MOST_GHOSTS:
        raise GamesearchError(f"the layout {layout!r} has more than {MOST_GHOSTS} ghosts")
    if len(letters) - letters.count("#") - letters.count("%") > MOST_CELLS:
        raise GamesearchError(f"the layout {layout!r} has more than {MOST_CELLS} cells without walls")
    width = max(map(len, rows))
    return tuple(row.ljust(width, "#").replace("%", "#").replace(" ", "_") for row in rows)


# Cells, numbered in the order of their places. ---------------------------------------------------
def ways_from(neighbors: np.ndarray) -> np.ndarray:
    """For each cell and heading, the directions (as bits) that a ghost may take. It goes ahead; if a wall is ahead, it
    takes any open direction."""
    ways = np.zeros((len(neighbors), STILL + 1), np.int64)
    for cell, beside in enumerate(neighbors):
        is_open = sum(1 << direction for direction in range(STILL) if beside[direction] >= 0)
        ways[cell] = [1 << heading & is_open or is_open for heading in range(STILL + 1)]
    return ways


def distances_between(neighbors: np.ndarray) -> np.ndarray:
    """The distance between every two cells, by breadth-first search; -1 if they are not connected."""
    cells = np.arange(len(neighbors))
    is_beside = (neighbors[:, :, None] == cells).any(axis=1)
    distances, reached, steps = np.full(is_beside.shape, -1), np.eye(len(cells), dtype=bool), 0
    while reached.any():
        distances[reached] = steps
        reached = reached @ is_beside & (distances < 0)
        steps += 1
    return distances


PACMAN = 0
"""The value of `turn` if it is Pac-Man's turn."""
GHOST_BITS, CELL_BITS = 10, 7
MOST_ROUNDS = 1000
MOST_PENALTY = 10_000
DOT, STEP, LOSS = 10, 1, 500
"""The points for a dot, and the costs of a step and of being caught, as in Berkeley's projects."""
ALL = "all"
"""The value of `penalty` with which a ghost takes all points."""
ALL_POINTS = -1
"""The value of `price` if penalty=all."""


class Position(NamedTuple):
    """The positions of Pac-Man and the ghosts, the remaining dots and steps, the score, and the agent to move.

    Cells without walls are numbered row by row. Bit i of `dots` is cell i. Ghosts are numbered in the order of their
    start cells. Each ghost has 10 bits, and ghost 0 has the lowest bits:

        heading of ghost 1 (3) | cell of ghost 1 (7) | heading of ghost 0 (3) | cell of ghost 0 (7)

    `turn` is PACMAN, or i + 1 for ghost i.
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
    """The direction of the last move of ghost i, or STILL."""
    return ghosts >> GHOST_BITS * i + CELL_BITS & 7


def with_ghost(ghosts: int, i: int, cell: int, heading: int) -> int:
    """A copy of `ghosts` in which ghost i has the given cell and heading."""
    others = ghosts & ~((1 << GHOST_BITS) - 1 << GHOST_BITS * i)
    return others | (heading << CELL_BITS | cell) << GHOST_BITS * i


DIRECTIONS = ("north", "east", "south", "west")
ALSO = ("up", "right", "down", "left")
HEADINGS = "nesw-"
GHOST = re.compile(r"([RB])([0-9]{1,3})\.([0-9]{1,3})([nesw-])(\*?)", re.IGNORECASE)
NUMBER = re.compile(r"-?[0-9]{1,9}")
CELLS = {"#": Cell("#", faint=True, dark=True), "_": Cell(" "), "P": Cell("P", owner=MAX), ".": Cell(".", "·")}
"""How each mark in the text of a maze is drawn."""
FAR = 1 << 20
SHARES = (0.0, 1.0, 1 / 2, 1 / 3, 1 / 4)
"""The probability of each open direction. The index is the number of open directions. A lookup is faster than a
division."""


class Pacman(Game[Position]):
    """Eat dots and avoid ghosts: +10 for a dot, -1 for a step; the payoff is the score.

    Pac-Man (Max) cannot stand still. After each move of Pac-Man, each ghost moves, in the order of the layout. A ghost
    keeps its direction until a wall or the border stops it. At a wall or the border, or when it moves for the first
    time, a ghost takes any open direction, including back. Min chooses this direction for a red ghost R. A blue ghost B
    takes a random direction. Ghosts pass through each other. A ghost that catches Pac-Man costs 500 points and ends the
    game. If `penalty` is a positive number, the ghost takes only that number of points. If `penalty` is `all`, the
    ghost takes the whole score. Then the ghost returns to its start. The game also ends when the last dot is eaten, and
    after `rounds` steps. `layout` is a name (alone, small, chase, court, town), a text file, or rows joined by "/". The
    points, but not the mazes, come from DeNero and Klein's Pac-Man projects (Berkeley, 2010).
    """

    choices: ClassVar[Mapping[str, Collection[Any]]] = {"layout": LAYOUTS, "penalty": (0, 20, ALL)}
    win_or_loss = False
    known = (
        Known("by hand: two dots in two steps", "layout=P.., rounds=2", value=18, best=("east",)),
        Known("by hand: the second step is the last", "layout=P..R, rounds=2", value=8, perft=(1, 1, 2)),
        Known("by hand: Pac-Man eats the second dot and is caught", "layout=P..R, rounds=3", value=-482),
        Known("by hand: the second dot, minus the penalty", "layout=P..R, rounds=3, penalty=20", value=-2),
        Known("by hand: two dots, and all points lost", "layout=P..R, rounds=3, penalty=all", value=0),
        Known("by hand: the ghost comes or goes at random", "layout=P.B., rounds=2", value=-241.5, perft=(1, 2, 2)),
    )
    feature_names = (
        "score", "steps to the nearest dot", "nearness of the ghosts", "dots left", "steps to the nearest ghost",
    )  # fmt: skip
    unit = "points"
    palette = Palette(board="#0b0b14", dark="#2436c7", sides=("#ffe135", "#ff4b4b", "#5fe3ff"))
    notation = (
        "a list of moves (east, east), or the rows from the top with # for a wall, . for a dot, P for Pac-Man and _ "
        "for an empty cell. Then write the row, column and heading of each ghost (R2.6w). The heading is - before the "
        "ghost's first move. Add * if the ghost is to move. Then write the number of steps left and the score. A move "
        "is `north`, `east`, `south` or `west`"
    )
    example = "#######/#_P...#/#.#.#.#/#..._.#/#.#.#.#/#...._#/####### B4.5-* R6.6- 15 9"
    names = ("Pac-Man", "ghosts")

    def __init__(self, layout: str = "small", rounds: int = 16, penalty: int | str = 0) -> None:
        if not 1 <= rounds <= MOST_ROUNDS:
            raise GamesearchError(f"rounds={rounds} is not between 1 and {MOST_ROUNDS}")
        if penalty != ALL and (isinstance(penalty, str) or not 0 <= penalty <= MOST_PENALTY):
            raise GamesearchError(f"penalty={penalty} is neither a number from 0 to {MOST_PENALTY} nor {ALL}")
        self.layout, self.rounds, self.penalty = layout, int(rounds), penalty
        self.price = ALL_POINTS if isinstance(penalty, str) else int(penalty)
        self.maze = parse_layout(layout)
        self.places = [(y, x) for y, row in enumerate(self.maze) for x, mark in enumerate(row) if mark != "#"]
        marks = "".join(self.maze).replace("#", "")
        self.ghost_marks = "".join(mark for mark in marks if mark in "RB")
        self.ghost_count = len(self.ghost_marks)
        self.reds = sum(1 << i for i, mark in enumerate(self.ghost_marks) if mark == "R")
        self.chance = "B" in marks
        self.home = marks.index("P")
        self.all_dots = sum(1 << cell for cell, mark in enumerate(marks) if mark == ".")
        dens = [cell for cell, mark in enumerate(marks) if mark in "RB"]
        self.dens = sum(with_ghost(0, i, cell, STILL) for i, cell in enumerate(dens))
        number = {place: cell for cell, place in enumerate(self.places)}
        self.neighbors = np.array([[number.get((y + dy, x + dx), -1) for dy, dx in OFFSETS] for y, x in self.places])
        """For each cell and direction, the adjacent cell; -1 if no cell is adjacent."""
        self.ways = ways_from(self.neighbors)
        self.distances = distances_between(self.neighbors)
        if self.distances.min() < 0:
            y, x = self.places[int(self.distances[self.home].argmin())]
            raise GamesearchError(f"in the layout {layout!r}, Pac-Man cannot reach row {y + 1}, column {x + 1}")
        self.loss = LOSS if self.ghost_count and not self.price else 0
        self.dearest_step = STEP + 2 * self.ghost_count * max(0, self.price)
        self.MINSCORE = -self.dearest_step * self.rounds - self.loss
        self.MAXSCORE = (DOT - STEP) * min(self.all_dots.bit_count(), self.rounds)
        # The weights were set by hand. A step towards a dot changes the estimate by almost the cost of a step. A ghost
        # next to Pac-Man lowers the estimate by a fraction of its penalty. The last two weights are 0; they exist so
        # that users can change them.
        all_points = DOT * self.all_dots.bit_count() / 2
        self.weights = (1.0, -0.9, -0.06 * ((all_points if self.price < 0 else self.price) or LOSS), 0.0, 0.0)
        self.suggested_depth = (self.ghost_count + 1) * (12, 9, 6, 4, 3, 3, 3)[self.ghost_count]

    # The rules. -----------------------------------------------------------------------------------
    def initial(self) -> Position:
        return Position(self.home, self.dens, Wide128(self.all_dots), self.rounds, 0, PACMAN)

    def player(self, s: Position) -> int:
        if s.turn == PACMAN:
            return MAX
        return MIN if self.reds >> s.turn - 1 & 1 else CHANCE

    def open_ways(self, s: Position) -> int:
        """The directions (as bits) that Pac-Man or the ghost to move may take."""
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
        probability = SHARES[popcount(ways)]
        while ways != 0:
            yield low_bit_index(ways), probability
            ways &= ways - 1

    def result(self, s: Position, m: int) -> Position:
        turn = (s.turn + 1) % (self.ghost_count + 1)
        if s.turn != PACMAN:
            i = s.turn - 1
            cell = int(self.neighbors[ghost_cell(s.ghosts, i), m])
            return self.meet(Position(s.pacman, with_ghost(s.ghosts, i, cell, m), s.dots, s.left, s.score, turn), i)
        cell = int(self.neighbors[s.pacman, m])
        dot = s.dots & Wide128(1) << cell
        score = s.score - STEP + (DOT if dot != 0 else 0)
        after = Position(cell, s.ghosts, s.dots ^ dot, s.left - 1, score, turn)
        for i in range(self.ghost_count):
            after = self.meet(after, i)
        return after

    def meet(self, s: Position, i: int) -> Position:
        """If ghost i has caught Pac-Man and a `penalty` is set, the ghost takes points and returns to its start.
        Returns the new position, or s if nothing changes."""
        if self.price == 0 or ghost_cell(s.ghosts, i) != s.pacman:
            return s
        ghosts = with_ghost(s.ghosts, i, ghost_cell(self.dens, i), STILL)
        score = min(s.score, 0) if self.price == ALL_POINTS else s.score - self.price
        return Position(s.pacman, ghosts, s.dots, s.left, score, s.turn)

    def terminal(self, s: Position) -> bool:
        return s.dots == 0 or s.left == 0 or self.is_caught(s)

    def utility(self, s: Position) -> int:
        return s.score - LOSS if self.is_caught(s) else s.score

    # For the search. ------------------------------------------------------------------------------
    def steps_to_dots(self, cell: int, dots: int) -> tuple[int, int]:
        """The numbers of steps to the nearest dot and to the farthest dot."""
        near, far = FAR, 0
        for dot in members(dots):
            distance = int(self.distances[cell, dot])
            near, far = min(near, distance), max(far, distance)
        return near, far

    def bounds(self, s: Position) -> tuple[float, float]:
        # The k-th dot cannot be eaten before step `near` + k - 1. The last dot cannot be eaten before step `far`. If
        # dots remain and Pac-Man is not caught, all remaining steps cost points.
        near, far = self.steps_to_dots(s.pacman, s.dots)
        dots = popcount(s.dots)
        gain = DOT * max(0, min(dots - 1, s.left - near + 1)) - STEP * s.left
        needed = max(near + dots - 1, far)
        if needed <= s.left:
            gain = max(gain, DOT * dots - STEP * needed)
        if self.loss > 0:
            gain = max(gain, (DOT - STEP) * min(dots, s.left) - self.loss)
        least = min(s.score, 0) if self.price == ALL_POINTS else s.score
        return least - self.dearest_step * s.left - self.loss, s.score + gain

    def order(self, s: Position, m: int) -> float:
        if s.turn != PACMAN:
            cell = int(self.neighbors[ghost_cell(s.ghosts, s.turn - 1), m])
            return -float(self.distances[s.pacman, cell])
        return -float(self.steps_to_dots(int(self.neighbors[s.pacman, m]), s.dots)[0])

    def features(self, s: Position) -> tuple[float, ...]:
        """The score, the steps to the nearest dot, the sum of 1 / distance over all ghosts, the number of dots, and the
        steps to the nearest ghost."""
        danger, nearest = 0.0, s.left
        for i in range(self.ghost_count):
            distance = int(self.distances[s.pacman, ghost_cell(s.ghosts, i)])
            danger += 1 / max(1, distance)
            nearest = min(nearest, distance)
        dot = min(s.left, self.steps_to_dots(s.pacman, s.dots)[0])
        return float(s.score), float(dot), danger, float(popcount(s.dots)), float(nearest)

    def consistent(self, s: Position) -> bool:
        return (s.dots & self.all_dots) == s.dots and (s.dots >> s.pacman & 1) == 0 and 0 <= s.left <= self.rounds

    def is_caught(self, s: Position) -> bool:
        """Whether a ghost has caught Pac-Man and so ended the game."""
        if self.price == 0:
            for i in range(self.ghost_count):
                if ghost_cell(s.ghosts, i) == s.pacman:
                    return True
        return False

    # Notation. ------------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        words = text.split()
        if len(words) != self.ghost_count + 3 or not all(NUMBER.fullmatch(word) for word in words[-2:]):
            such = self.format(self.initial())
            raise GamesearchError(
                f"{text!r} must contain the rows, the ghosts ({self.ghost_count}), the steps left and the score, "
                f"such as {such}"
            )
        pacman, dots = self.read_rows(words[0])
        ghosts, turn = self.read_ghosts(words[1:-2])
        s = Position(pacman, ghosts, Wide128(dots), int(words[-2]), int(words[-1]), turn)
        self.refuse_score(s)
        return s

    def refuse_score(self, s: Position) -> None:
        """Raise GamesearchError if no game can reach a position with this score and these remaining steps."""
        taken = self.rounds - s.left
        eaten = (self.all_dots & ~s.dots).bit_count()
        if not max(eaten, min(s.turn, 1)) <= taken <= self.rounds:
            who = "a ghost" if s.turn else "Pac-Man"
            raise GamesearchError(
                f"{s.left} of {self.rounds} steps cannot remain if {eaten} dots were eaten and {who} is to move"
            )
        paid = DOT * eaten - STEP * taken - s.score
        times = paid // self.price if self.price > 0 else 0
        is_paid = paid == times * self.price and 0 <= times <= 2 * self.ghost_count * taken
        if self.price == ALL_POINTS:  # the points that ghosts took came from dots
            is_paid = paid == 0 or (self.ghost_count > 0 and 0 < paid <= (DOT - STEP) * eaten)
        if not is_paid:
            raise GamesearchError(f"the score cannot be {s.score} after {taken} steps and {eaten} dots")

    def read_rows(self, text: str) -> tuple[int, int]:
        """Read the rows of the maze. Returns the cell of Pac-Man, and the dots."""
        rows = text.replace("%", "#").split("/")
        walls = [re.sub(r"[^#]", "_", row) for row in self.maze]
        if [re.sub(r"[.P_]", "_", row) for row in rows] != walls:
            raise GamesearchError(f"{text!r} does not have the maze of the layout {self.layout}: {'/'.join(walls)}")
        marks = [rows[y][x] for y, x in self.places]
        if marks.count("P") != 1:
            raise GamesearchError(f"{text!r} must contain one P (Pac-Man), not {marks.count('P')}")
        dots = sum(1 << cell for cell, mark in enumerate(marks) if mark == ".")
        if dots & ~self.all_dots:
            raise GamesearchError(f"{text!r} has a dot that the layout {self.layout} does not have")
        return marks.index("P"), dots

    def read_ghosts(self, words: Sequence[str]) -> tuple[int, int]:
        """Parse the texts of the ghosts; returns the number that encodes the ghosts, and the agent to move."""
        ghosts, turn = 0, PACMAN
        for i, (word, mark) in enumerate(zip(words, self.ghost_marks, strict=True)):
            match = GHOST.fullmatch(word)
            if match is None or match[1].upper() != mark:
                raise GamesearchError(
                    f"{word!r} does not describe ghost {i + 1}: write, for example, {mark}2.6w (row, column, direction)"
                )
            place, heading = (int(match[2]) - 1, int(match[3]) - 1), HEADINGS.index(match[4].casefold())
            if place not in self.places:
                raise GamesearchError(f"the ghost {word} is in a wall")
            cell = self.places.index(place)
            if heading == STILL and cell != ghost_cell(self.dens, i):
                raise GamesearchError(f"the ghost {word} has left its start, so it must have a heading")
            if heading != STILL and self.neighbors[cell, (heading + 2) % STILL] < 0:
                raise GamesearchError(f"the ghost {word} has an impossible heading: it would have come out of a wall")
            if match[5] and turn != PACMAN:
                raise GamesearchError("two ghosts are marked with *, but only one ghost can be to move")
            turn = i + 1 if match[5] else turn
            ghosts = with_ghost(ghosts, i, cell, heading)
        return ghosts, turn

    def format(self, s: Position) -> str:
        grid = [list(re.sub(r"[^#]", "_", row)) for row in self.maze]
        for cell, (y, x) in enumerate(self.places):
            grid[y][x] = "P" if cell == s.pacman else "." if s.dots >> cell & 1 else "_"
        ghosts = []
        for i, mark in enumerate(self.ghost_marks):
            y, x = self.places[ghost_cell(s.ghosts, i)]
            ghosts.append(f"{mark}{y + 1}.{x + 1}{HEADINGS[ghost_heading(s.ghosts, i)]}" + "*" * (s.turn == i + 1))
        return " ".join(["/".join(map("".join, grid)), *ghosts, str(s.left), str(s.score)])

    def move_name(self, s: Position, m: int) -> str:
        return DIRECTIONS[m]

    def parse_move(self, s: Position, text: str) -> int:
        """The legal move whose name (a direction or a cell) begins with the given text."""
        wanted = text.strip().casefold()
        moves = list(self.moves(s))
        for m in moves:
            if wanted and (DIRECTIONS[m].startswith(wanted) or ALSO[m].startswith(wanted)):
                return m
        names = ", ".join(DIRECTIONS[m] for m in moves)
        raise GamesearchError(f"{text.strip()!r} is not a move here: you can go {names}")

    def board(self, s: Position) -> Board:
        """The maze. Notes give the score, the number of steps that are left, and the headings of the ghosts."""
        rows = [[CELLS[mark] for mark in row] for row in self.format(s).split()[0].split("/")]
        notes = [f"score {s.score}, {s.left} steps left"]
        for i, mark in enumerate(self.ghost_marks):
            y, x = self.places[ghost_cell(s.ghosts, i)]
            rows[y][x] = Cell(mark, owner=MIN if mark == "R" else MIN + 1, marked=s.turn == i + 1)
            heading = (*DIRECTIONS, "nowhere yet")[ghost_heading(s.ghosts, i)]
            notes.append(f"{mark} in row {y + 1}, column {x + 1} goes {heading}")
        if self.is_caught(s):
            notes.append("a ghost has caught Pac-Man")
        labels = [str(number) for number in range(1, max(len(rows), len(rows[0])) + 1)]
        return Board(rows, labels[: len(rows)], labels[: len(rows[0])], notes)
