"""Dots and Boxes: players draw lines between dots. Completing a box gives a point and another turn."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.notation import play_moves
from gamesearch.optional import Shortcuts
from gamesearch.toolkit.bits import popcount
from gamesearch.toolkit.boards import Board, Cell, Palette
from gamesearch.toolkit.known import Known

__all__ = ["DotsAndBoxes"]

LETTERS = "abcdefghijklmnopqrstu"
MOST_LINES = 62
"""The greatest number of lines that fits a signed 64-bit integer. (No board has exactly 63 lines.)"""
OWNERS = "AB"
DOT = "([a-z])([0-9]{1,2})"
LINE = re.compile(rf"{DOT}-?{DOT}")


class Position(NamedTuple):
    """A position. `lines` has a bit for each line. Lines are numbered row by row; horizontal lines come before the
    vertical lines below them:

        +  0 +  1 +  2 +
        3    4    5    6
        +  7 +  8 +  9 +
       10   11   12   13
        + 14 + 15 + 16 +
       17   18   19   20
        + 21 + 22 + 23 +

    A box has the same number n as its upper side. Its left side has the number n + `columns`, its right side has n +
    `columns` + 1, and its lower side has n + 2 `columns` + 1. `max_boxes` and `min_boxes` are the boxes that each
    player owns.
    """

    lines: int
    max_boxes: int
    min_boxes: int
    turn: int


class DotsAndBoxes(Shortcuts[Position]):
    """Draw lines between dots; the player who draws the fourth side of a box owns it and moves again.

    The rules follow Berlekamp, *The Dots-and-Boxes Game* (2000), chapter 1: a line may complete two boxes, taking a box
    is never compulsory, and the game ends when all lines are drawn. The payoff is the number of A's boxes minus the
    number of B's. `rows` and `columns` count boxes. Barker and Korf 2012, "Solving Dots-And-Boxes", describes how to
    search the game.
    """

    unit = "boxes"
    palette = Palette("crossings", board="#f3efe4", line="#3c3a36", sides=("#1f63c7", "#c7372f"))

    notation = (
        "the lines drawn so far (a1-b1 b1-b2), or the rows of the board from the top, joined by '/', then A or B "
        "for the player to move. The characters of a row: - is a horizontal line, | is a vertical line, A or B is the "
        "owner of a box, and . means no line or no owner. A move is the two dots of a line (a1-b1), with letters "
        "from the left and numbers from below"
    )
    example = "--./..|...|/-.-/|A|.|../--./......|/--- A"
    names = ("A", "B")
    turns_alternate = False
    win_or_loss = False
    whole_payoffs = True
    looks_ahead = True
    suggested_order = "game+history"  # killer moves would add nodes (benchmarks/results.md)
    # The weights were fitted by least squares to solved positions of 3x3 boxes. A box that can be taken counts less
    # than an owned box.
    weights = (1.0, 0.95, 0.9)
    feature_names = ("boxes ahead", "boxes to take now", "an odd number of safe lines")
    known = (
        Known("counted by hand", "rows=1, columns=1", perft=(4, 12, 24, 24), value=-1, nodes=65, positions=16),
        Known("solved by brute force over the sets of lines", "rows=2, columns=2", value=2),
        Known("David Wilson, wilson.engr.wisc.edu/boxes", value=-3, method="alphabeta"),
    )  # fmt: skip

    def __init__(self, rows: int = 3, columns: int = 3) -> None:
        lines = 2 * rows * columns + rows + columns
        if rows < 1 or columns < 1 or lines > MOST_LINES:
            raise GamesearchError(
                f"rows={rows}, columns={columns} is not possible: `rows` and `columns` must be at least 1, and the "
                f"board can have at most {MOST_LINES} lines, for example 5 rows of 5 boxes"
            )
        self.rows, self.columns = rows, columns
        self.below = 2 * columns + 1
        self.lines = lines
        self.full = (1 << lines) - 1
        self.boxes = sum(((1 << columns) - 1) << row * self.below for row in range(rows))
        self.MAXSCORE, self.MINSCORE = rows * columns, -rows * columns
        if lines > 12:
            self.suggested_depth = 8

    def initial(self) -> Position:
        return Position(0, 0, 0, MAX)

    def player(self, s: Position) -> int:
        return s.turn

    def moves(self, s: Position) -> Iterator[int]:
        for line in range(self.lines):
            if not s.lines >> line & 1:
                yield line

    def result(self, s: Position, m: int) -> Position:
        lines = s.lines | 1 << m
        completed = self.complete(lines) ^ (s.max_boxes | s.min_boxes)
        if completed == 0:
            return Position(lines, s.max_boxes, s.min_boxes, 1 - s.turn)
        if s.turn == MAX:
            return Position(lines, s.max_boxes | completed, s.min_boxes, MAX)
        return Position(lines, s.max_boxes, s.min_boxes | completed, MIN)

    def complete(self, lines: int) -> int:
        """The boxes whose four sides are all drawn."""
        return self.boxes & lines & lines >> self.columns & lines >> self.columns + 1 & lines >> self.below

    def terminal(self, s: Position) -> bool:
        return s.lines == self.full

    def utility(self, s: Position) -> int:
        return self.lead(s)

    def lead(self, s: Position) -> int:
        """The number of Max's boxes minus the number of Min's."""
        return popcount(s.max_boxes) - popcount(s.min_boxes)

    def key(self, s: Position) -> tuple[int, int]:
        # Only the picture depends on which player owns which box.
        return s.lines, self.lead(s) << 1 | s.turn

    def bounds(self, s: Position) -> tuple[float, float]:
        # The player to move can certainly take the boxes of `all_taken` now. Either player may get the other free
        # boxes.
        rest = popcount(self.boxes ^ self.complete(self.all_taken(s.lines)))
        lead, left = self.lead(s), popcount(self.boxes ^ s.max_boxes ^ s.min_boxes)
        if s.turn == MAX:
            return lead + left - 2 * rest, lead + left
        return lead - left, lead - left + 2 * rest

    def is_needed(self, s: Position, m: int) -> bool:
        # Barker and Korf: take a box immediately if the line that completes it does not become the third side of
        # another box. This rule never loses a box. All positions were checked on boards of 1 by 7 boxes and of at most
        # 3 by 3 boxes.
        free = self.free_lines(s.lines)
        return free == 0 or 1 << m == free & -free

    def free_lines(self, lines: int) -> int:
        """The lines that complete a box and do not become the third side of another box."""
        return self.sides_around(self.sides(lines, 3)) & ~lines & ~self.sides_around(self.sides(lines, 2))

    def skips_table(self, s: Position) -> bool:
        return self.free_lines(s.lines) != 0  # only one move is searched, so looking up the position after it is enough

    def all_taken(self, lines: int) -> int:
        """One player completes all boxes with three sides, and repeats this until no box has exactly three sides.
        Returns the lines after these moves."""
        to_take = self.sides(lines, 3)
        while to_take != 0:
            lines |= self.sides_around(to_take)
            to_take = self.sides(lines, 3)
        return lines

    def sides(self, lines: int, number: int) -> int:
        """The boxes with exactly `number` drawn sides; `number` must be two or three."""
        upper, left, right, lower = lines, lines >> self.columns, lines >> self.columns + 1, lines >> self.below
        odd = upper ^ left ^ right ^ lower
        pairs = (upper & left) | (right & lower) | ((upper | left) & (right | lower))
        if number == 3:
            return self.boxes & odd & pairs
        return self.boxes & ~odd & pairs & ~(upper & left & right & lower)

    def sides_around(self, boxes: int) -> int:
        """All sides of the given boxes."""
        return boxes | boxes << self.columns | boxes << self.columns + 1 | boxes << self.below

    def order(self, s: Position, m: int) -> float:
        """Prefer moves that complete boxes. Moves that give a box its third side come last."""
        line = 1 << m
        if line & self.sides_around(self.sides(s.lines, 3)):
            return 2.0
        return 0.0 if line & self.sides_around(self.sides(s.lines, 2)) else 1.0

    def features(self, s: Position) -> tuple[float, ...]:
        """The first feature is Max's lead in boxes. The second is the number of boxes that the mover can take. The
        third says whether an odd number of safe lines remains after the mover has taken these boxes. A safe line does
        not become the third side of a box. The player who draws the last safe line forces the opponent to open the
        first chain of boxes."""
        side = 1.0 if s.turn == MAX else -1.0
        lines = self.all_taken(s.lines)
        taken, rest = self.complete(lines), self.boxes ^ self.complete(lines)
        safe = self.full & ~lines & ~self.sides_around(self.sides(lines, 2))
        last_safe = 0.0
        if rest != 0:
            last_safe = 1.0 if popcount(safe) & 1 else -1.0
        return float(self.lead(s)), side * popcount(taken ^ s.max_boxes ^ s.min_boxes), side * last_safe

    def consistent(self, s: Position) -> bool:
        return (
            s.max_boxes & s.min_boxes == 0
            and s.max_boxes | s.min_boxes == self.complete(s.lines)
            and s.lines & ~self.full == 0
        )

    # Notation. -----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        return self.parse_board(text) if "/" in text or "|" in text else play_moves(self, self.initial(), text)[-1]

    def parse_board(self, text: str) -> Position:
        """Parse a position that is written as a drawing of the board."""
        drawing, _, turn = text.strip().upper().partition(" ")
        rows = drawing.split("/")
        widths = [self.below if row % 2 else self.columns for row in range(2 * self.rows + 1)]
        if [len(row) for row in rows] != widths:
            raise GamesearchError(f"{text!r} is not {len(widths)} rows of {self.columns}, {self.below}, ... characters")
        lines = max_boxes = min_boxes = 0
        for number, row in enumerate(rows):
            first = number // 2 * self.below
            drawn, marks = (row[::2], "|.") if number % 2 else (row, "-.")
            boxes = row[1::2] if number % 2 else ""
            wrong = set(drawn) - set(marks) or set(boxes) - {*OWNERS, "."}
            if wrong:
                raise GamesearchError(f"in {text!r}, row {number + 1}, {row!r}, must not contain {min(wrong)!r}")
            lines |= sum(1 << first + number % 2 * self.columns + i for i, mark in enumerate(drawn) if mark != ".")
            max_boxes |= sum(1 << first + i for i, mark in enumerate(boxes) if mark == OWNERS[MAX])
            min_boxes |= sum(1 << first + i for i, mark in enumerate(boxes) if mark == OWNERS[MIN])
        return self.with_turn(text, Position(lines, max_boxes, min_boxes, MAX), turn.strip())

    def with_turn(self, text: str, s: Position, turn: str) -> Position:
        """A copy of s in which `turn` names the player to move. If `turn` is empty, the numbers of lines and boxes
        decide who moves. Raises GamesearchError if lines, boxes and `turn` do not fit together."""
        if not self.consistent(s):
            raise GamesearchError(
                f"in {text!r}, each box with four sides must have an owner, and no other box may have an owner"
            )
        if turn not in ("", *OWNERS):
            raise GamesearchError(f"{text!r} ends in {turn!r}, but must end in A or B, the player to move")
        # A line that completes no box passes the turn. So the numbers of lines and boxes decide whose turn it is,
        # unless one of the lines completed two boxes.
        boxes = popcount(s.max_boxes | s.min_boxes)
        likely = (popcount(s.lines) - boxes) & 1
        if turn and turn != OWNERS[likely] and boxes < 2:
            raise GamesearchError(f"in {text!r}, the counts of lines and boxes show that it is {OWNERS[likely]}'s turn")
        return s._replace(turn=OWNERS.index(turn) if turn else likely)

    def format(self, s: Position) -> str:
        rows = []
        for number in range(2 * self.rows + 1):
            first = number // 2 * self.below
            if number % 2 == 0:
                rows.append("".join("-" if s.lines >> first + i & 1 else "." for i in range(self.columns)))
            else:
                marks = ["|" if s.lines >> first + self.columns + i & 1 else "." for i in range(self.columns + 1)]
                owners = [self.owner(s, first + i) or "." for i in range(self.columns)]
                rows.append("".join(mark + owner for mark, owner in zip(marks, [*owners, ""], strict=True)))
        return "/".join(rows) + " " + OWNERS[s.turn]

    def owner(self, s: Position, box: int) -> str:
        """The owner of a box: A, B or neither."""
        return OWNERS[MAX] if s.max_boxes >> box & 1 else OWNERS[MIN] if s.min_boxes >> box & 1 else ""

    def move_name(self, s: Position, m: int) -> str:
        row, place = divmod(m, self.below)
        if place < self.columns:
            return f"{self.dot(row, place)}-{self.dot(row, place + 1)}"
        return f"{self.dot(row + 1, place - self.columns)}-{self.dot(row, place - self.columns)}"

    def dot(self, row: int, column: int) -> str:
        """The name of a dot. Rows are counted from the top."""
        return f"{LETTERS[column]}{self.rows + 1 - row}"

    def parse_move(self, s: Position, text: str) -> int:
        match = LINE.fullmatch("".join(text.split()).casefold())
        if match is None:
            raise GamesearchError(f"{text.strip()!r} is not a line between two dots, such as a1-b1")
        (left, lower), (right, upper) = sorted([(match[1], int(match[2])), (match[3], int(match[4]))])
        name = f"{left}{lower}-{right}{upper}"
        for m in range(self.lines):
            if self.move_name(s, m) == name:
                if s.lines >> m & 1:
                    raise GamesearchError(f"the line {name} has already been drawn")
                return m
        last = self.dot(0, self.columns)
        raise GamesearchError(f"{name} is not a line between two adjacent dots from a1 to {last}")

    def board(self, s: Position) -> Board:
        """The board. It has a cell for each dot, each box and each line. Lines that are not drawn also have cells."""
        known = {"+": Cell("+", "●")} | {mark: Cell(mark, owner=i, tint=i) for i, mark in enumerate(OWNERS)}
        rows, lines = [], []
        for row, line in enumerate(self.format(s).split()[0].split("/")):
            marks = line if row % 2 else f"+{'+'.join(line)}+"
            rows.append([known.get(mark, Cell(mark.replace(".", " "), absent=True)) for mark in marks])
            lines += [((row, i - 1), (row, i + 1)) for i, mark in enumerate(marks) if mark == "-"]
            lines += [((row - 1, i), (row + 1, i)) for i, mark in enumerate(marks) if mark == "|"]
        score = f"A {popcount(s.max_boxes)}, B {popcount(s.min_boxes)}"
        return Board(
            rows=rows,
            row_labels=["" if row % 2 else str(self.rows + 1 - row // 2) for row in range(len(rows))],
            column_labels=["" if i % 2 else LETTERS[i // 2] for i in range(2 * self.columns + 1)],
            notes=[score if self.terminal(s) else f"{score}; {OWNERS[s.turn]} to move"],
            lines=lines,
        )
