"""Files of test positions with their answers: EPD of chess, OBF of Othello, and scores of Connect Four.

EPD is specified in S. J. Edwards's PGN standard of 1994, section 16.2; OBF is what Othello programs exchange, a board
with the value of each move for the player to move; the scores are those of P. Pons's benchmark of Connect Four, which
count how many stones a win comes before the last.
"""

import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from gamesearch.errors import GamesearchError, system_reason
from gamesearch.files.encodings import Note, decode_text, ignore_note
from gamesearch.files.whole import read_regular
from gamesearch.game import Game
from gamesearch.games.chess.boards import split_epd
from gamesearch.registry import load

__all__ = ["FORMATS", "Problem", "loaded", "read_suite"]

Number = TypeVar("Number", int, float)
PASSES = ("pa", "ps", "pass")
"""The ways to write a pass of Othello."""

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
    """The number of moves to a mate by the player to move; 0 if he is mated, negative if he will be mated."""
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


Report = Callable[[int, str], object]
"""A function that is called with the number of an unreadable line, and what is wrong with it."""


def read_suite(path: str, game: str = "", report: Report | None = None, note: Note = ignore_note) -> list[Problem]:
    """The problems in a file, whose suffix says how it is written; `game` replaces the usual one.

    Unreadable lines are reported and left out; without `report`, the first one raises GamesearchError, with its number.
    Raises GamesearchError for a file without problems. `note` shows notices.
    """
    suffix = Path(path).suffix.casefold()
    if suffix not in FORMATS:
        raise GamesearchError(f"{path} should end in {', '.join(FORMATS)}: positions of chess, Othello, Connect Four")
    try:
        text = decode_text(read_regular(Path(path), LARGEST), path, "a test suite", note)
    except OSError as error:
        raise GamesearchError(f"{path} cannot be read: {system_reason(error)}") from None
    read, usual = FORMATS[suffix]
    found, problem = [], ""
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith(("#", "%")):
            continue
        try:
            each = read(line.strip(), f"{number}", game or usual)
            check_problem(each)
        except GamesearchError as error:
            problem = problem or f"line {number} of {path} cannot be read: {error}"
            if report is None:
                raise GamesearchError(problem) from None
            report(number, str(error))
        else:
            found.append(each)
    if not found:
        raise GamesearchError(problem or f"{path} has no positions")
    return found


@functools.lru_cache(maxsize=4)
def loaded(game: str) -> Game[Any]:
    """A game, which all problems of a process share."""
    return load(game)


def check_problem(problem: Problem) -> None:
    """Raise GamesearchError if the position or one of the moves is not legal, or if `dm 0` is not a mate."""
    game, state = loaded(problem.game).setup(problem.position)
    if problem.mate == 0 and not game.terminal(state):
        move = game.move_name(state, game.steps(state)[0])
        raise GamesearchError(f"dm 0 means that the player to move is mated, but {move} is legal")
    for name in (*problem.best, *problem.avoid):
        game.parse_move(state, name)


def read_epd(line: str, number: str, game: str) -> Problem:
    """A position of chess with its operations `bm`, `am`, `dm` and `id`."""
    fields, operations = split_epd(line)
    if len(fields) < 4:
        raise GamesearchError("EPD has four fields and operations, such as bm Qg6;")
    if not operations.keys() & {"bm", "am", "dm"}:
        raise GamesearchError("it has none of bm, am and dm")
    moves = {name: tuple(operations[name].replace(",", " ").split()) for name in ("bm", "am") if name in operations}
    for name in moves:
        if not moves[name]:
            raise GamesearchError(f"its operation {name} has no move")
    return Problem(
        name=operations.get("id", number),
        game=game,
        position=" ".join([*fields, "0", "1"] if len(fields) == 4 else fields),
        best=moves.get("bm", ()),
        avoid=moves.get("am", ()),
        mate=number_in(operations["dm"], int, "dm is a number of moves") if "dm" in operations else None,
    )


def read_obf(line: str, number: str, game: str) -> Problem:
    """A board of Othello and whose turn it is, then moves with their values; % begins a comment."""
    board, *rest = (part.strip() for part in line.partition("%")[0].split(";"))
    values = {}
    for part in rest:
        if part:
            move, colon, value = part.partition(":")
            if not colon:
                raise GamesearchError(f"{part!r} is not a move with its value, such as G8:+18")
            name = move.strip().casefold()
            values["pass" if name in PASSES else name] = number_in(value, float, f"{part!r} has no value such as +18")
    if not values:
        raise GamesearchError("it has no move with its value, such as G8:+18;")
    best = tuple(move for move, value in values.items() if value == max(values.values()))
    return Problem(number, game, board, best=best, values=values)


def read_scores(line: str, number: str, game: str) -> Problem:
    """The columns played so far in Connect Four, and the score."""
    words = line.split()
    if len(words) != 2:
        raise GamesearchError("it should have columns and a score, such as 4453 7")
    return Problem(number, game, words[0], score=number_in(words[1], int, f"{words[1]!r} is not a score such as 7"))


def number_in(text: str, kind: Callable[[str], Number], problem: str) -> Number:
    """The number that a text stands for; raises GamesearchError with the problem if there is none."""
    try:
        return kind(text)
    except ValueError:
        raise GamesearchError(problem) from None


FORMATS: dict[str, tuple[Callable[[str, str, str], Problem], str]] = {
    ".epd": (read_epd, "chess"),
    ".obf": (read_obf, "othello"),
    ".txt": (read_scores, "connect4"),
}
"""How the lines of a file are read, by its suffix, and the usual game."""
