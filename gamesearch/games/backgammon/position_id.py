"""Position IDs, by which programs tell each other positions of backgammon."""

import base64

from gamesearch.errors import GamesearchError
from gamesearch.games.backgammon.position import BAR, MEN, OFF, count

__all__ = ["read_id", "write_id"]


def write_id(mine: int, theirs: int) -> str:
    """The Position ID of a position, `mine` being the men of the side to move.

    For points 1 to 24 and the bar, a one for each man and then a zero; the lowest bit first. GNU
    Backgammon writes the men first of the side that is *not* to move, whatever its manual says.
    """
    bits, length = 0, 0
    for board in (theirs, mine):
        for place in range(1, BAR + 1):
            men = count(board, place)
            bits |= ((1 << men) - 1) << length
            length += men + 1
    return base64.b64encode(bits.to_bytes(10, "little")).decode().rstrip("=")


def read_id(text: str) -> tuple[int, int]:
    """The men of the side to move, and the other's, that a Position ID means."""
    bits = int.from_bytes(base64.b64decode(text + "=="), "little")
    boards = []
    for _ in range(2):
        board = 0
        for place in range(1, BAR + 1):
            men = 0
            while bits & 1:
                men, bits = men + 1, bits >> 1
            bits >>= 1
            board += min(men, MEN + 1) << 5 * place  # room for a man too many
        numbers = [board >> 5 * place & 31 for place in range(BAR + 1)]
        if sum(numbers) > MEN:
            raise GamesearchError(f"in {text!r}, a side has {sum(numbers)} men: there are {MEN}")
        numbers[OFF] = MEN - sum(numbers)
        boards.append(sum(men << 4 * place for place, men in enumerate(numbers)))
    theirs, mine = boards
    if bits:
        raise GamesearchError(f"{text!r} goes on after the men of both sides")
    for point in range(1, BAR):
        if count(mine, point) and count(theirs, BAR - point):
            raise GamesearchError(f"in {text!r}, both sides have men on the mover's {point} point")
    return mine, theirs
