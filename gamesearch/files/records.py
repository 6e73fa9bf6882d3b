"""Write whole games to files and read them back: the players, the initial position, and the moves."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Generic, Self, TypeVar

from gamesearch.errors import GamesearchError
from gamesearch.specification import describes
from gamesearch.support.escaping import json_text

__all__ = ["NOT_SAVED", "WINS", "RecordedGame", "SavedGame", "read_record", "read_records", "refuse_constant"]

State = TypeVar("State")
WINS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
"""Maps each result to the score of the first player. The first player is Max in files of gamesearch, and White in PGN
files."""
NOT_SAVED = "it is not a game saved by gamesearch"


@dataclass(frozen=True)
class RecordedGame(Generic[State]):
    """One game of a file: its initial state, moves, headers and result."""

    start: State
    moves: Sequence[int]
    headers: Mapping[str, str] = field(default_factory=dict)
    won: float | None = None
    """Max's score according to the file, from 0 (loss) to 1 (win); None if the file contains no result."""
    number: int = 1
    """The number of the game in the file, from 1."""


def refuse_constant(name: str) -> None:
    """Raise ValueError, because NaN and Infinity are not valid JSON. Python's parser accepts them by default."""
    raise ValueError(name)


@dataclass(frozen=True)
class SavedGame:
    """One game in a JSON file that gamesearch wrote: the specification of its rules, its initial position, and its
    moves."""

    game: str
    headers: Mapping[str, str]
    position: str
    moves: Sequence[str]

    def text(self) -> str:
        """The text of a file."""
        return json_text(asdict(self), indent=2) + "\n"

    @classmethod
    def read(cls, text: str) -> Self | None:
        """The game in the text of a file; None if the text is not a JSON object. Raises GamesearchError if gamesearch
        did not write the JSON object."""
        try:
            record = json.loads(text, parse_constant=refuse_constant)
        except (ValueError, RecursionError):
            return None
        if not isinstance(record, dict):
            return None
        game, headers, position, moves = (record.get(name) for name in ("game", "headers", "position", "moves"))
        if not isinstance(game, str) or not isinstance(position, str):
            raise GamesearchError(NOT_SAVED)
        if not isinstance(moves, list) or not all(isinstance(name, str) for name in moves):
            raise GamesearchError("it has no list of moves")
        headers = {str(key): str(value) for key, value in headers.items()} if isinstance(headers, dict) else {}
        return cls(game, headers, position, moves)

    def replay(self, game: Any) -> RecordedGame[Any]:
        """Replay this record by the rules of `game`; raises GamesearchError if the record breaks the rules."""
        if not describes(self.game, type(game).name, type(game), game.parameters() | game.tuned_attributes()):
            raise GamesearchError(f"it is a game of {self.game}, not of {game!r}")
        start = game.initial()
        if self.position != game.format(start):  # the usual start can be read without a `parse` method
            start = game.parse(self.position)
        s, past, moves = start, list[Any](), list[int]()
        for name in self.moves:
            steps = {} if game.has_ended(s) else {game.move_name(s, m): m for m in game.steps(s, past)}
            if name not in steps:
                raise GamesearchError(f"its move {len(moves) + 1}, {name!r}, is not legal in {game.format(s)}")
            moves.append(steps[name])
            past.append(s)
            s = game.result(s, moves[-1])
        return RecordedGame(start, moves, self.headers, WINS.get(self.headers.get("Result", "")))


def read_records(game: Any, text: str) -> Iterator[RecordedGame[Any]]:
    """Yield the games in the text of a file. The text is either a JSON object that gamesearch wrote, or text in another
    format.

    Raises GamesearchError if the text has no games, or if a game breaks the rules of `game`. The message names the
    faulty game and its line.
    """
    saved = SavedGame.read(text)
    yield from game.read_other_records(text) if saved is None else (saved.replay(game),)


def read_record(game: Any, text: str) -> tuple[Any, list[int]]:
    """The initial state and the moves of the first game in a text; raises GamesearchError if the text has none."""
    first = next(read_records(game, text), None)
    if first is None:
        raise GamesearchError("it contains no game")
    return first.start, list(first.moves)
