"""Chess endgames: the value of a won endgame, and a factor for endgames that are hard to win."""

from gamesearch.games.capturing.chess.evaluation import DARK_SQUARES, FILE_A, FILES, RANKS
from gamesearch.games.capturing.chess.position import Position
from gamesearch.toolkit.bits import BoardTable, high_bit_index, popcount

__all__ = ["mating_value", "steps", "winning_share"]

KNOWN_WIN = 10.0
"""The bonus, in pawns, for a side that can force mate against a bare king."""
FILE_H = FILE_A << 7
FROM_CENTER = BoardTable(ranks + files for ranks, files in zip(RANKS, FILES, strict=True))
"""For each square, its distance from the nearest of the four center squares, in steps along ranks and files."""


def steps(one: int, other: int) -> int:
    """The number of king moves between two squares."""
    return max(abs((one >> 3) - (other >> 3)), abs((one & 7) - (other & 7)))


def points(s: Position, own: int) -> int:
    """The sum of the usual values of a side's pieces, such as 3 for a knight."""
    bishops, rooks, queens = s.diagonal & ~s.straight & own, s.straight & ~s.diagonal & own, s.diagonal & s.straight
    minors = popcount(s.knights & own) + popcount(bishops)
    return popcount(s.pawns & own) + 3 * minors + 5 * popcount(rooks) + 9 * popcount(queens & own)


def winning_share(s: Position) -> float:
    """The factor by which the evaluation is multiplied. It is below 1 if the endgame is hard to win for the stronger
    side."""
    white, black = points(s, s.white), points(s, s.black)
    strong, weak = (s.white, s.black) if white >= black else (s.black, s.white)
    lead = abs(white - black)
    bishops, pieces = s.diagonal & ~s.straight, s.knights | s.diagonal | s.straight
    if lead == 0 and s.pawns == 0:
        return 0.25
    if lead > 0 and s.pawns & strong == 0:
        if s.straight & strong == 0 and max(white, black) <= 3:
            return 0.05  # only one knight or bishop
        if lead == 6 and pieces & strong & ~s.knights == 0 and s.pawns & weak == 0:
            return 0.05  # only two knights
        return 0.25 if lead <= 3 else 1.0
    if pieces == bishops and popcount(bishops & strong) == 1:
        if popcount(bishops & weak) == 1 and popcount(bishops & DARK_SQUARES) == 1:
            return 0.5  # bishops of opposite colors
        if lead > 0 and bishops & weak == 0 and is_wrong_bishop(s, strong, weak):
            return 0.05
    return 1.0


def is_wrong_bishop(s: Position, strong: int, weak: int) -> bool:
    """Whether the bishop is of the wrong color: all pawns are on one edge file, the enemy king guards the corner in
    front of the pawns, and the bishop cannot reach this corner."""
    pawns = s.pawns & strong
    if pawns & ~FILE_A != 0 and pawns & ~FILE_H != 0:
        return False
    corner = (56 if strong == s.white else 0) + (0 if pawns & FILE_A else 7)
    is_dark = DARK_SQUARES >> corner & 1 != 0
    has_dark = s.diagonal & strong & DARK_SQUARES != 0
    return is_dark != has_dark and steps(high_bit_index(s.kings & weak), corner) <= 1


def mating_value(s: Position) -> float:
    """The value for White of an endgame in which one side has a bare king and the other side can force mate. The value
    of other positions is 0."""
    if s.black & ~s.kings == 0:
        return value_against(s, s.white, s.black)
    if s.white & ~s.kings == 0:
        return -value_against(s, s.black, s.white)
    return 0.0


def value_against(s: Position, strong: int, weak: int) -> float:
    """The value for the side `strong` against a bare king; 0 if its pieces cannot force mate. The value grows as the
    kings approach each other, and as the bare king approaches a corner. If `strong` has only a bishop and a knight,
    only corners of the bishop's color count."""
    bishops = s.diagonal & ~s.straight & strong
    has_pair = bishops & DARK_SQUARES != 0 and bishops & ~DARK_SQUARES != 0
    has_both = bishops != 0 and s.knights & strong != 0
    if s.straight & strong == 0 and not has_pair and not has_both:
        return 0.0
    king, lone = high_bit_index(s.kings & strong), high_bit_index(s.kings & weak)
    value = KNOWN_WIN + points(s, strong) + 0.4 * (7 - steps(king, lone))
    if s.straight & strong != 0 or has_pair:
        return value + 0.2 * int(FROM_CENTER[lone])
    rank, file = lone >> 3, lone & 7
    if bishops & DARK_SQUARES == 0:
        file = 7 - file
    return value + 1.5 * abs(rank + file - 7)  # the distance from the diagonal between the wrong corners
