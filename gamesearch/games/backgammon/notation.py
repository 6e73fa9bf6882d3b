"""How backgammon's positions and rolls are written and drawn."""

import re
from collections.abc import Sequence

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games.backgammon.plays import find_play, play_name, steps_of
from gamesearch.games.backgammon.position import BAR, MEN, OFF, OPENING, BackgammonBoard, Position, count
from gamesearch.games.backgammon.position_id import read_id, read_match_id, write_id
from gamesearch.toolkit.boards import Board, Cell

__all__ = ["BackgammonNotation"]

ROLL = r"([1-6])[-/,\s]*([1-6])"
POSITION = re.compile(
    rf"(?:(?:opening|([a-z0-9+/]{{14}}))(?=[\s,]|$))?[\s,]*(max|min)?[\s,]*(?:{ROLL})?", re.IGNORECASE
)
WITH_MATCH = re.compile(
    r"(?:GNUBGID|Position ID:)?\s*([a-z0-9+/]{14})\s*(?::|Match ID\s*:)\s*([a-z0-9+/]{12})", re.IGNORECASE
)
"""A position and its match, as GNU Backgammon shows them."""
STACK = 5
"""How many men of a point are drawn; the last place says how many there are if there are more."""


class BackgammonNotation(BackgammonBoard):
    """Reads, writes and draws boards with dice, and plays by the steps of their men."""

    notation = (
        "opening, or GNU Backgammon's Position ID followed by max (White) or min (Black) for the side to move and "
        "its roll, if it has rolled (4HPwATDgc/ABMA max 31), or Position ID:Match ID; moves are such as 8/5 6/5, "
        "24/18/13*, bar/20, 6/off, 6/4(2) or pass"
    )
    names = ("White", "Black")
    numbers_rounds = True
    bottom_player = MAX
    example = "4HPwATDgc/ABMA max 31"

    # Positions. ----------------------------------------------------------------------------------
    def parse(self, text: str) -> Position:
        both = WITH_MATCH.fullmatch(text.strip())
        if both is not None:
            turn, roll = read_match_id(both[2])
            text = f"{both[1]} {'min' if turn == MIN else 'max'} {roll or ''}"
        match = POSITION.fullmatch(text.strip())
        if match is None:
            raise GamesearchError(
                f"{text!r} is not a Position ID of 14 letters, digits, + and /, or opening, then max or min, then the "
                "roll if it is thrown, such as 4HPwATDgc/ABMA max 31"
            )
        if text.strip().casefold() in ("", "opening"):
            return self.initial()
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
        if s.roll == OPENING:
            return "opening"
        roll = f" {s.roll}" if s.roll else ""
        return write_id(s.mine, s.theirs) + (" max" if s.turn == MAX else " min") + roll

    # Plays. --------------------------------------------------------------------------------------
    def move_name(self, s: Position, m: int) -> str:
        return play_name(steps_of(s, m)) if s.roll > 0 else str(m)

    def outcome_text(self, s: Position, m: int) -> str:
        if s.roll == OPENING:
            white, black = self.names
            return f"{white} rolls {m // 10}, {black} rolls {m % 10}: {white if m // 10 > m % 10 else black} begins"
        return f"{self.names[s.turn]} rolls {m // 10}-{m % 10}"

    def parse_move(self, s: Position, text: str) -> int:
        if s.roll == OPENING:
            return super().parse_move(s, "".join(character for character in text if character.isalnum()))
        if s.roll == 0:
            return read_roll(text)
        blots = {point for point in range(1, BAR) if count(s.theirs, BAR - point) == 1}
        return find_play(text, s.roll, {m: steps_of(s, m) for m in self.moves(s)}, blots)

    # The picture. --------------------------------------------------------------------------------
    def board(self, s: Position) -> Board:
        """The board with Max's home at the bottom right, both sides' pips, and whose turn it is.

        The points have the numbers of the player to move, as in the names of its moves.
        """
        boards = [s.mine, s.theirs] if s.turn == MAX else [s.theirs, s.mine]
        upper = [*range(13, 19), BAR, *range(19, 25), OFF]
        lower = [*range(12, 6, -1), BAR, *range(6, 0, -1), OFF]
        rows = [[stacked(boards, place, height, MIN) for place in upper] for height in range(STACK)]
        rows += [[Cell(" ") for _ in upper]]
        rows += [[stacked(boards, place, height, MAX) for place in lower] for height in reversed(range(STACK))]
        pips = [sum(place * count(board, place) for place in range(BAR + 1)) for board in boards]
        pip_count = f"pips: {self.names[MAX]} {pips[MAX]}, {self.names[MIN]} {pips[MIN]}"
        notes = [pip_count, self.turn_text(s)]
        below, above = labels(lower, s.turn), labels(upper, s.turn)
        return Board(rows, column_labels=below, top_labels=above, notes=notes)

    def turn_text(self, s: Position) -> str:
        """Which side has to play or to roll."""
        if self.terminal(s):
            return "game over"
        if s.roll == OPENING:
            return "each side rolls one die; the higher number begins"
        name = self.names[s.turn]
        return f"{name} to play {s.roll // 10}-{s.roll % 10}" if s.roll else f"{name} to roll"


def read_roll(text: str) -> int:
    """The larger number of a roll and the smaller one, such as 31."""
    match = re.fullmatch(ROLL, text.strip())
    if match is None:
        raise GamesearchError(f"{text.strip()!r} is not a roll: that is two numbers from 1 to 6, such as 31")
    smaller, larger = sorted(map(int, match.groups()))
    return 10 * larger + smaller


def labels(places: Sequence[int], player: int) -> list[str]:
    """The names of places, which Max counts, for a player."""
    names = {OFF: "off", BAR: "bar"}
    return [names.get(place, str(place if player == MAX else BAR - place)) for place in places]


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
