"""Trees that are too large for a format: how much of them fits."""

from collections.abc import Callable

from gamesearch.errors import GamesearchError
from gamesearch.trace.excerpts import limited
from gamesearch.trace.recording import Recording

__all__ = ["TooLargeError", "exported"]

Export = Callable[[Recording, bool], str]


class TooLargeError(GamesearchError):
    """A tree is larger than a format can hold."""


def exported(write: Export, recording: Recording, blank: bool, fits: bool) -> tuple[str, Recording, str]:
    """The tree in a format, what was drawn of it, and by which limit; with `fits`, as much as there is room for.

    Whole plies are drawn if at least one fits besides the root, else the nodes that are nearest to it. Raises
    TooLargeError, with the limits that would fit, where it is too large and need not fit.
    """
    try:
        return write(recording, blank), recording, ""
    except TooLargeError as error:
        plies = most_that_fits(write, recording, blank, "plies", max(node.ply for node in recording.nodes.values()))
        nodes = most_that_fits(write, recording, blank, "nodes", len(recording.nodes))
        if not nodes:  # not even the root
            raise
        if not fits:
            ways = [*([f"--plies {plies}"] if plies else []), f"--nodes {nodes}"]
            raise TooLargeError(f"{error}: {' or '.join(ways)} fits, and --fit takes it") from None
    limit, most = ("plies", plies) if plies else ("nodes", nodes)
    part = limited(recording, **{limit: most})
    return write(part, blank), part, f"--{limit} {most}"


def most_that_fits(write: Export, recording: Recording, blank: bool, limit: str, most: int) -> int:
    """The greatest number of plies, or of nodes, that a format holds; 0 for none. More nodes never take less room."""
    low, high = 0, most
    while low < high:
        middle = (low + high + 1) // 2
        try:
            write(limited(recording, **{limit: middle}), blank)
            low = middle
        except TooLargeError:
            high = middle - 1
    return low
