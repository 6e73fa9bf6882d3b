"""How backgammon's positions and rolls are written and drawn."""

import re
from collections.abc import Sequence

from gamesearch.boards import Board, Cell
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games.backgammon.plays import find_play, play_name, steps_of
from gamesearch.games.backgammon.position import BAR, MEN, OFF, BackgammonBoard, Position, count
from gamesearch.games.backgammon.position_id import read_id, write_id

__all__ = ["BackgammonNotation"]

ROLL = r"([1-6])[-/,\s]*([1-6])"
POSITION = re.compile(
    rf"(?:(?:opening|([a-z0-9+/]{{14}}))(?=[\s,]|$))?[\s,]*(max|min)?[\s,]*(?:{ROLL})?", re.IGNORECASE
)
STACK = 5
"""How many men of a point are drawn; the last place says how many there are if there are more."""


class BackgammonNotation(BackgammonBoard):
    """Reads, writes and draws boards with dice, and plays by the steps of their men."""

    notation = (
        "GNU Backgammon's Position ID, or opening, with max or min for whose turn it is and the roll where the "
        "dice lie (4HPwATDgc/ABMA max 31); moves are such as 8/5 6/5, 24/18/13*, bar/20, 6/off, 6/4(2) or pass"
    )
    names = ("White", "Black")
    numbers_rounds = True
    bottom_player = MAX
    example = "4HPwATDgc/ABMA max 31"

    # Positions. ----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        match = POSITION.fullmatch(text.strip())
        if match is None:
            raise GamesearchError(
                f"{text!r} is not a Position ID of 14 letters, digits, + and /, or opening, then max or min, then the "
                "roll if it is thrown, such as 4HPwATDgc/ABMA max 31"
            )
        mine, theirs = read_id(match[1]) if match[1] else (self.start, self.start)
        turn = MIN if (match[2] or "").casefold() == "min" else MAX
        s = Position(mine, theirs, turn, read_roll(match[3] + match[4]) if match[3] else 0)
        if s.mine & 15 == MEN:
            raise GamesearchError(f"in {text!r}, {self.names[s.turn]} has won and is to move: it is the other's turn")
        if self.terminal(s) and s.roll:
            raise GamesearchError(f"in {text!r}, {self.names[s.turn]} has a roll and the game is over")
        if all(self.made(board) & self.home == self.home and board >= self.bar for board in (s.mine, s.theirs)):
            raise GamesearchError(f"in {text!r}, both sides are on the bar and neither can enter")
        return s

    def format(self, s: Position) -> str:
        roll = f" {s.roll}" if s.roll else ""
        return write_id(s.mine, s.theirs) + (" max" if s.turn == MAX else " min") + roll

    # Plays. --------------------------------------------------------------------------------------
    def move_name(self, s: Position, m: int) -> str:
        return play_name(steps_of(s, m)) if s.roll else str(m)

    def parse_move(self, s: Position, text: str) -> int:
        if s.roll == 0:
            return read_roll(text)
        blots = {point for point in range(1, BAR) if count(s.theirs, BAR - point) == 1}
        return find_play(text, s.roll, {m: steps_of(s, m) for m in self.moves(s)}, blots)

    # The picture. --------------------------------------------------------------------------------
    def board(self, s: Position) -> Board:
        """The board with Max's home at the bottom right, both sides' pips, and whose turn it is."""
        boards = [s.mine, s.theirs] if s.turn == MAX else [s.theirs, s.mine]
        upper = [*range(13, 19), BAR, *range(19, 25), OFF]
        lower = [*range(12, 6, -1), BAR, *range(6, 0, -1), OFF]
        rows = [[stacked(boards, place, height, MIN) for place in upper] for height in range(STACK)]
        rows += [[Cell(" ") for _ in upper]]
        rows += [[stacked(boards, place, height, MAX) for place in lower] for height in reversed(range(STACK))]
        pips = [sum(place * count(board, place) for place in range(BAR + 1)) for board in boards]
        mover = f"{self.names[s.turn]} ({'XO'[s.turn]})"
        what = "game over" if self.terminal(s) else f"{mover} has {s.roll}" if s.roll else f"{mover} throws"
        pip_count = f"pips: {self.names[MAX]} (X) {pips[MAX]}, {self.names[MIN]} (O) {pips[MIN]}"
        return Board(rows, column_labels=labels(lower), top_labels=labels(upper), notes=[pip_count, what])


def read_roll(text: str) -> int:
    """The larger number of a roll and the smaller one, such as 31."""
    match = re.fullmatch(ROLL, text.strip())
    if match is None:
        raise GamesearchError(f"{text.strip()!r} is not a roll: that is two numbers from 1 to 6, such as 31")
    smaller, larger = sorted(map(int, match.groups()))
    return 10 * larger + smaller


def labels(places: Sequence[int]) -> list[str]:
    """The names of places."""
    return [{OFF: "off", BAR: "bar"}.get(place, str(place)) for place in places]


def stacked(boards: Sequence[int], place: int, height: int, half: int) -> Cell:
    """What is drawn so high above a point's edge; Max's men on the bar and off are drawn below, Min's above.

    What belongs to a point is faint, men or none, and every other point dark.
    """
    on_point, is_dark = place not in (OFF, BAR), place % 2 == 1
    for owner, mark in ((MAX, "X"), (MIN, "O")):
        own_place = BAR - place if on_point and owner == MIN else place
        men = count(boards[owner], own_place) if on_point or owner == half else 0
        if men > height:
            counted = str(men) if height == STACK - 1 and men > STACK else ""
            return Cell(counted or mark, owner=owner, faint=on_point, dark=is_dark, label=counted)
    return Cell("|" if place == BAR else " " if place == OFF else ".", faint=on_point, dark=is_dark)
