"""A widget for the board. The board is as large as possible. The user chooses cells with a cursor or with clicks."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text
from textual.app import RenderResult
from textual.events import Click
from textual.message import Message
from textual.widget import Widget

from gamesearch.render.boards.board import board_drawing
from gamesearch.render.boards.canvas import Drawing
from gamesearch.render.boards.ink import Ink
from gamesearch.toolkit.boards import CHOSEN, CURSOR, TARGET, Board, Place

__all__ = ["BoardPane", "next_place"]

GROWTH = 8  # the number of columns by which notes may become longer during a game
DIRECTIONS = {"left": (0, -1), "right": (0, 1), "up": (-1, 0), "down": (1, 0)}


class BoardPane(Widget):
    """A widget that shows a board and sends a message when a cell is clicked."""

    @dataclass
    class CellClicked(Message):
        """A cell was clicked."""

        place: Place

    def __init__(self, console: Console, only_ascii: bool) -> None:
        super().__init__(id="board")
        self.console, self.only_ascii = console, only_ascii
        self.board = Board()
        self.cursor: Place | None = None
        self.chosen: Collection[Place] = ()
        self.targets: Collection[Place] = ()
        self.open: Collection[Place] = ()  # all cells that can be chosen now, even outside the board
        self.is_flipped = False
        self.has_notes = False  # whether the notes of the board are drawn below it
        self.cuts_notes = False  # whether some notes do not fit below the board
        self.drawing = Drawing([], {})
        self.origin = (0, 0)  # the column and line of the pane in which the drawing begins; may be negative

    def show(
        self, board: Board, chosen: Collection[Place], targets: Collection[Place], pointable: Collection[Place]
    ) -> None:
        """Show a board with marks on chosen cells, and on cells that may be chosen next."""
        self.board, self.chosen, self.targets, self.open = board, chosen, targets, pointable
        if self.cursor is not None and self.cursor not in self.reachable:
            self.cursor = None
        self.refresh()

    @property
    def reachable(self) -> set[Place]:
        """The cells to which the cursor can move."""
        return {*self.board.places(), *self.open} if self.board.rows else set()

    def flip(self, place: Place) -> Place:
        """Convert a cell to the place at which it is drawn, or a place to the cell that is drawn there. The cell and
        the place differ only if the board is flipped."""
        if not self.is_flipped:
            return place
        return len(self.board.rows) - 1 - place[0], max(map(len, self.board.rows)) - 1 - place[1]

    def move_cursor(self, direction: str) -> None:
        """Move the cursor in a direction. If the board has no cursor yet, put it on a cell that can be chosen."""
        if not self.reachable:
            return
        if self.cursor is None:
            first = sorted(self.chosen or self.open) or sorted(self.reachable)
            self.cursor = first[len(first) // 2]
        else:
            shifts = self.board.flip().shifts if self.is_flipped else self.board.shifts
            seen = {self.flip(place) for place in self.reachable}
            self.cursor = self.flip(next_place(seen, shifts, self.flip(self.cursor), direction))
        self.refresh()

    def next_open(self, step: int) -> None:
        """Move the cursor to the next cell that can be chosen, or to the previous one if `step` is -1."""
        places = sorted(self.targets or self.open)
        if places:
            after = [place for place in places if self.cursor is None or place > self.cursor]
            before = [place for place in places if self.cursor is not None and place < self.cursor]
            self.cursor = (after or places)[0] if step > 0 else (before or places)[-1]
            self.refresh()

    def width_of(self, board: Board, room: tuple[int, int]) -> int:
        """Return the width of the drawing of a board. `room` is the number of available columns and lines. A board of
        notes always fits, because long notes are wrapped."""
        if not board.rows:
            return min(room[0], max(map(cell_len, board.notes), default=0) + GROWTH)
        return board_drawing(board, Ink(board, self.console), room, self.only_ascii).width

    def render(self) -> RenderResult:
        """Draw the board in the middle of the pane, and perhaps its notes below it. If the board is too large, draw the
        part around the cursor."""
        width, height = self.size
        board, ink = self.marked_board(), Ink(self.board, self.console)
        notes = [line for note in board.notes for line in Text(note).wrap(self.console, max(1, width - 2))]
        if board.rows:
            notes = [Text(" ") + line for line in notes] if self.has_notes else []
            self.drawing = board_drawing(board, ink, (width, height - len(notes)), self.only_ascii)
        else:
            self.drawing, notes = Drawing(notes, {}), []
        drawn = len(self.drawing.lines)
        needed = max(drawn, min(drawn + len(notes), height))
        self.cuts_notes = needed < drawn + len(notes)
        box = None if self.cursor is None else self.drawing.boxes.get(self.flip(self.cursor))
        middle = (0, 0) if box is None else (box[0] + box[2] // 2, box[1] + box[3] // 2)
        self.origin = (beginning(width, self.drawing.width, middle[0]), beginning(height, needed, middle[1]))
        left, top = self.origin
        first = max(0, -left)
        lines = [Text(" " * left) + line[first : first + width] for line in self.drawing.lines]
        return Text("\n").join([*[Text()] * top, *lines, *notes][max(0, -top) :][:height])

    def marked_board(self) -> Board:
        """Return the board with the marks of all chosen and possible cells. A flipped board is turned by 180
        degrees."""
        marks = dict.fromkeys(self.targets, TARGET) | dict.fromkeys(self.chosen, CHOSEN)
        if self.cursor is not None:
            marks[self.cursor] = CURSOR
        board = replace(self.board, marks=self.board.marks | marks)
        return board.flip() if self.is_flipped else board

    def on_click(self, event: Click) -> None:
        """Send a CellClicked message with the clicked cell."""
        place = self.drawing.place_at(event.x - self.origin[0], event.y - self.origin[1])
        if place is not None:
            self.cursor = None
            self.post_message(self.CellClicked(self.flip(place)))


def beginning(room: int, size: int, wanted: int) -> int:
    """Return the offset that centers a drawing. If the drawing is larger than `room`, return an offset that makes the
    coordinate `wanted` visible."""
    if size <= room:
        return (room - size) // 2
    return -max(0, min(wanted - room // 2, size - room))


def next_place(places: Collection[Place], shifts: Sequence[int], at: Place, direction: str) -> Place:
    """Return the next cell of `places` from `at` in a direction. If there is none, return `at`."""

    def across(place: Place) -> int:
        return 2 * place[1] + (shifts[place[0]] if shifts else 0)

    down, right = DIRECTIONS[direction]
    if right:
        beside = [place for place in places if place[0] == at[0] and (place[1] - at[1]) * right > 0]
        return min(beside, key=lambda place: abs(place[1] - at[1]), default=at)
    beyond = [place for place in places if (place[0] - at[0]) * down > 0]
    return min(beyond, key=lambda place: (abs(place[0] - at[0]), abs(across(place) - across(at))), default=at)
