"""Lines of squares on Othello's bitboards: what is reached over squares side by side, in all lines at once."""

__all__ = ["signed", "squares_down", "squares_up"]

LOW_BITS = (1 << 63) - 1
SIGN_BIT = -(1 << 63)


def signed(board: int) -> int:
    """The low 64 bits, the last of them as the sign: what compiled integers are by themselves."""
    return (board & LOW_BITS) + (board >> 63 & 1) * SIGN_BIT


def squares_up(start: int, through: int, step: int) -> int:
    """The squares of `through` reached from the start over these alone, each `step` bits up.

    A Kogge-Stone fill of six squares: as many as lie between the ends of the longest line. `through`
    is without the edge that lines end at, so that nothing is carried around it, nor into the sign.
    """
    found = through & (start << step)
    found |= through & (found << step)
    pairs = through & (through << step)
    found |= pairs & (found << 2 * step)
    found |= pairs & (found << 2 * step)
    return found


def squares_down(start: int, through: int, step: int) -> int:
    """The same, each `step` bits down."""
    found = through & (start >> step)
    found |= through & (found >> step)
    pairs = through & (through >> step)
    found |= pairs & (found >> 2 * step)
    found |= pairs & (found >> 2 * step)
    return found
