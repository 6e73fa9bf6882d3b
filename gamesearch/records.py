"""Writing whole games to files and reading them back: the players, the first position, and the moves."""

import inspect
import json
from collections.abc import Hashable, Mapping, Sequence
from typing import ClassVar, TypeVar

from gamesearch.errors import GamesearchError
from gamesearch.escaping import json_text
from gamesearch.notation import Notation
from gamesearch.parameterized import Parameterized
from gamesearch.specification import format_specification, format_value, parse_specification

__all__ = ["Records"]

State = TypeVar("State", bound=Hashable)


class Records(Parameterized, Notation[State]):
    """Writing and reading whole games: a base class of Game. A game with its own file format replaces both methods."""

    record_suffix: ClassVar[str] = ".json"
    """The suffix of files with whole games."""

    def __repr__(self) -> str:
        """The game with its parameters, as it may be typed."""
        return format_specification(type(self).name or type(self).__name__, self.parameters() | self.tuned())

    def record(self, start: State, moves: Sequence[int], headers: Mapping[str, str]) -> str:
        """A whole game as the text of a file; `headers` name the players and anything else worth noting."""
        record = {
            "game": repr(self),
            "headers": dict(headers),
            "position": self.format(start),
            "moves": self.line_names(start, moves),
        }
        return json_text(record, indent=2) + "\n"

    def read_record(self, text: str) -> tuple[State, list[int]]:
        """The first state and the moves of a recorded game; raises GamesearchError if the text is not one."""
        try:
            record = json.loads(text)
        except (ValueError, RecursionError):
            raise GamesearchError("it is not a game saved by gamesearch") from None
        if not isinstance(record, dict) or not all(isinstance(record.get(key), str) for key in ("game", "position")):
            raise GamesearchError("it is not a game saved by gamesearch")
        names = record.get("moves")
        if not isinstance(names, list) or not all(isinstance(name, str) for name in names):
            raise GamesearchError("it has no list of moves")
        if not self._is_own(record["game"]):
            raise GamesearchError(f"it is a game of {record['game']}, not of {self!r}")
        start = self.initial()
        if record["position"] != self.format(start):  # a game without its own `parse` can load these
            start = self.parse(record["position"])
        s, past, moves = start, list[State](), list[int]()
        for name in names:
            steps = {} if self.terminal(s) else {self.move_name(s, m): m for m in self.steps(s, past)}
            if name not in steps:
                raise GamesearchError(f"its move {len(moves) + 1}, {name!r}, is not legal in {self.format(s)}")
            moves.append(steps[name])
            past.append(s)
            s = self.result(s, moves[-1])
        return start, moves

    def _is_own(self, text: str) -> bool:
        """Whether a specification stands for this game, in whatever folder; missing parameters have their defaults."""
        given = self.parameters() | self.tuned()
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
