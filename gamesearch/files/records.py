"""Write whole games to files and read them back: the players, the initial position, and the moves."""

import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Generic

from gamesearch.errors import GamesearchError
from gamesearch.notation import Notation, State
from gamesearch.parameterized import Parameterized
from gamesearch.specification import format_specification, format_value, parse_specification
from gamesearch.support.escaping import json_text

__all__ = ["WINS", "RecordedGame", "Records", "refuse_constant"]

WINS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
"""The score of the first player (Max in files of gamesearch, White in PGN files) for each result."""
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


class Records(Parameterized, Notation[State]):
    """A base class of Game that writes and reads whole games. Games with their own file format override `record` or
    `read_other_records`."""

    record_suffix: ClassVar[str] = ".json"

    def __repr__(self) -> str:
        """The specification of the game: its name with its parameters."""
        return format_specification(type(self).name or type(self).__name__, self.parameters() | self.tuned_attributes())

    def record(self, start: State, moves: Sequence[int], headers: Mapping[str, str]) -> str:
        """Return a whole game as the text of a file. `headers` contain the names of the players and other
        information."""
        record = {
            "game": repr(self),
            "headers": dict(headers),
            "position": self.format(start),
            "moves": self.line_names(start, moves),
        }
        return json_text(record, indent=2) + "\n"

    def read_record(self, text: str) -> tuple[State, list[int]]:
        """The initial state and the moves of the first game in a text; raises GamesearchError if the text has none."""
        game = next(self.read_records(text), None)
        if game is None:
            raise GamesearchError("it contains no game")
        return game.start, list(game.moves)

    def read_records(self, text: str) -> Iterator[RecordedGame[State]]:
        """Yield the games in the text of a file: a JSON object written by gamesearch, or another format.

        Raises GamesearchError if the text has no games, or if a game breaks the rules. The message names the game that
        breaks the rules, and its line.
        """
        try:
            record = json.loads(text, parse_constant=refuse_constant)
        except (ValueError, RecursionError):
            record = None
        if not isinstance(record, dict):
            yield from self.read_other_records(text)
            return
        if not all(isinstance(record.get(key), str) for key in ("game", "position")):
            raise GamesearchError(NOT_SAVED)
        names = record.get("moves")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise GamesearchError("it has no list of moves")
        if not self._is_own(record["game"]):
            raise GamesearchError(f"it is a game of {record['game']}, not of {self!r}")
        start = self.initial()
        if record["position"] != self.format(start):  # the usual start can be read without a `parse` method
            start = self.parse(record["position"])
        s, past, moves = start, list[State](), list[int]()
        for name in names:
            steps = {} if self.has_ended(s) else {self.move_name(s, m): m for m in self.steps(s, past)}
            if name not in steps:
                raise GamesearchError(f"its move {len(moves) + 1}, {name!r}, is not legal in {self.format(s)}")
            moves.append(steps[name])
            past.append(s)
            s = self.result(s, moves[-1])
        headers = record.get("headers")
        headers = {str(key): str(value) for key, value in headers.items()} if isinstance(headers, dict) else {}
        yield RecordedGame(start, moves, headers, WINS.get(headers.get("Result", "")))

    def read_other_records(self, text: str) -> Iterator[RecordedGame[State]]:  # noqa: ARG002
        """Yield the games of a text in another format, such as PGN. The default implementation accepts no other
        format."""
        raise GamesearchError(NOT_SAVED)

    @classmethod
    def rules_of_headers(cls, headers: Mapping[str, str]) -> str:  # noqa: ARG003
        """Return the specification of the game that the headers describe; by default, the name of this game."""
        return cls.name

    def has_ended(self, s: State) -> bool:
        """Whether a recorded game must end when it reaches a state. The default implementation returns whether the
        state is terminal.

        Chess, for example, returns False for draws that a player must claim, because the recorded game may continue
        after them.
        """
        return self.terminal(s)

    def _is_own(self, text: str) -> bool:
        """Whether a specification describes this game. If a folder comes before the name of the game, it is ignored.
        Missing parameters have their default values."""
        given = self.parameters() | self.tuned_attributes()
        head, bracket, inside = text.partition("(")
        try:
            written = parse_specification("game" + bracket + inside)
        except GamesearchError:
            return False
        usual = {name: each.default for name, each in inspect.signature(type(self)).parameters.items()}
        is_named = head.rpartition("/")[2].strip() == type(self).name.rpartition("/")[2] and not written.values
        return is_named and all(
            format_value(written.parameters.get(name, usual.get(name))) == format_value(value)
            for name, value in given.items()
        )
