"""Files of test positions with their answers: EPD of chess, OBF of Othello, and scores of Connect Four.

EPD is specified in S. J. Edwards's PGN standard of 1994, section 16.2; OBF is what Othello programs exchange, a board
with the value of each move for the player to move; the scores are those of P. Pons's benchmark of Connect Four, which
count how many stones a win comes before the last.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from gamesearch.errors import GamesearchError
from gamesearch.whole_files import read_regular_text

__all__ = ["FORMATS", "Problem", "read_suite"]

LARGEST = 100_000_000
"""No file of positions is larger (bytes)."""


@dataclass(frozen=True)
class Problem:
    """A position with what is known of it; plain text and numbers, so that another process can take it."""

    name: str
    game: str
    position: str
    best: tuple[str, ...] = ()
    """The best moves; empty where the file does not say."""
    avoid: tuple[str, ...] = ()
    """The moves to avoid."""
    mate: int | None = None
    """In how many moves of one's own the game can be won."""
    values: Mapping[str, float] = field(default_factory=dict)
    """The value of each move for the player to move."""
    score: int | None = None
    """Of Connect Four: positive if the player to move wins, the more the sooner."""

    @property
    def expected(self) -> str:
        """The answer as people read it."""
        parts = [
            " ".join(self.best),
            f"not {' '.join(self.avoid)}" if self.avoid else "",
            f"mate in {self.mate}" if self.mate is not None else "",
            f"score {self.score:+d}".replace("+0", "0") if self.score is not None else "",
        ]
        return ", ".join(part for part in parts if part)


def read_suite(path: str, game: str = "") -> list[Problem]:
    """The problems in a file, whose suffix says how it is written; `game` replaces the usual one.

    Raises GamesearchError where it cannot be read, with the line.
    """
    suffix = Path(path).suffix.casefold()
    if suffix not in FORMATS:
        raise GamesearchError(f"{path} should end in {', '.join(FORMATS)}: positions of chess, Othello, Connect Four")
    try:
        lines = read_regular_text(Path(path), LARGEST).splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise GamesearchError(f"{path} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    read, usual = FORMATS[suffix]
    found = []
    for number, line in enumerate(lines, 1):
        if line.strip() and not line.startswith(("#", "%")):
            try:
                found.append(read(line.strip(), f"{number}", game or usual))
            except ValueError as error:
                raise GamesearchError(f"line {number} of {path} cannot be read: {error}") from error
    if not found:
        raise GamesearchError(f"{path} has no positions")
    return found


def read_epd(line: str, number: str, game: str) -> Problem:
    """A position of chess with its operations `bm`, `am`, `dm` and `id`."""
    fields = line.split(maxsplit=4)
    if len(fields) < 5:
        raise ValueError("EPD has four fields and operations, such as bm Qg6;")
    operations = dict(operations_of(fields[4]))
    if not operations.keys() & {"bm", "am", "dm"}:
        raise ValueError("it has none of bm, am and dm")
    clocks = f"{operations.get('hmvc', '0')} {operations.get('fmvn', '1')}"
    return Problem(
        name=operations.get("id", number),
        game=game,
        position=f"{' '.join(fields[:4])} {clocks}",
        best=tuple(operations.get("bm", "").split()),
        avoid=tuple(operations.get("am", "").split()),
        mate=int(operations["dm"]) if "dm" in operations else None,
    )


def operations_of(text: str) -> Iterator[tuple[str, str]]:
    """The operations of EPD: a name, and what follows it up to a semicolon that is not in quotes."""
    for name, operand in re.findall(r"([A-Za-z]\w*)\s*((?:\"[^\"]*\"|[^;\"])*)(?:;|$)", text):
        yield name, operand.strip().strip('"')


def read_obf(line: str, number: str, game: str) -> Problem:
    """A board of Othello and whose turn it is, then moves with their values."""
    board, *rest = (part.strip() for part in line.split(";"))
    values = {}
    for part in rest:
        if part:
            move, colon, value = part.partition(":")
            if not colon:
                raise ValueError(f"{part!r} is no move with its value, such as G8:+18")
            values[move.strip().casefold()] = float(value)
    if not values:
        raise ValueError("it has no move with its value, such as G8:+18;")
    best = tuple(move for move, value in values.items() if value == max(values.values()))
    return Problem(number, game, board, best=best, values=values)


def read_scores(line: str, number: str, game: str) -> Problem:
    """The columns played so far in Connect Four, and the score."""
    moves, score = line.split()
    return Problem(number, game, moves, score=int(score))


FORMATS: dict[str, tuple[Callable[[str, str, str], Problem], str]] = {
    ".epd": (read_epd, "chess"),
    ".obf": (read_obf, "othello"),
    ".txt": (read_scores, "connect4"),
}
"""How the lines of a file are read, by its suffix, and the usual game."""
