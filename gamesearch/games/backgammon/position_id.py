"""Position IDs, by which programs tell each other positions of backgammon."""

import base64

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games.backgammon.position import BAR, MEN, count

__all__ = ["read_id", "read_match_id", "write_id"]

PLAYER_ON_ROLL, DICE = 6, 15
"""The bits of a Match ID for the player on roll and for the first die, which has three (GNU Backgammon Manual)."""


def write_id(mine: int, theirs: int) -> str:
    """The Position ID of a position, `mine` being the men of the side to move.

    For points 1 to 24 and the bar, a one for each man and then a zero; the lowest bit first. GNU
    Backgammon writes the men first of the side that is *not* to move, whatever its manual says.
    """
    bits = "".join("1" * count(board, place) + "0" for board in (theirs, mine) for place in range(1, BAR + 1))
    return base64.b64encode(int(bits[::-1], 2).to_bytes(10, "little")).decode().rstrip("=")


def read_id(text: str) -> tuple[int, int]:
    """The men of the side to move, and the other's, that a Position ID means."""
    bits = f"{int.from_bytes(base64.b64decode(text + '=='), 'little'):080b}"[::-1]
    men = [min(len(ones), MEN + 1) for ones in bits.split("0")]
    boards = []
    for numbers in (men[:BAR], men[BAR : 2 * BAR]):
        if sum(numbers) > MEN:
            raise GamesearchError(f"in {text!r}, a side has {sum(numbers)} men: there are {MEN}")
        off_and_on = (MEN - sum(numbers), *numbers)
        boards.append(sum(number << 4 * place for place, number in enumerate(off_and_on)))
    theirs, mine = boards
    if any(men[2 * BAR :]):
        raise GamesearchError(f"{text!r} goes on after the men of both sides")
    for point in range(1, BAR):
        if count(mine, point) and count(theirs, BAR - point):
            raise GamesearchError(f"in {text!r}, both sides have men on the mover's {point} point")
    return mine, theirs


def read_match_id(text: str) -> tuple[int, int]:
    """The player to move and the roll, from a Match ID of GNU Backgammon: a roll is 31, for example, or 0 before it.

    GNU Backgammon's player 1, at the bottom of its board, is Max. The cube and the score of the match are left out.

    >>> read_match_id("QYkqASAAIAAA")
    (0, 52)
    """
    bits = int.from_bytes(base64.b64decode(text), "little")
    turn = MIN if bits >> PLAYER_ON_ROLL & 1 == 0 else MAX
    dice = sorted((bits >> DICE & 7, bits >> DICE + 3 & 7))
    if max(dice) > 6:
        raise GamesearchError(f"{text!r} is not a Match ID: a die shows {max(dice)}")
    return turn, 10 * dice[1] + dice[0] if dice[0] else 0
