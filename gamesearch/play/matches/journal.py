"""The journal of a match: a file with one line of JSON for each finished game, written to the disk immediately.

The first line identifies the match. The process that writes it locks the file. If it was killed in the middle of a
line, the next process removes this line; every other unreadable line is an error, because the file was changed.
"""

import json
import os
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

from gamesearch.errors import GamesearchError, not_written, system_reason
from gamesearch.files.locks import HeldError, lock
from gamesearch.files.whole import file_path, read_regular, sync_folder
from gamesearch.play.files import state_folder
from gamesearch.play.matches.game_task import GameRecord
from gamesearch.play.matches.series import Series, differences, labels_of
from gamesearch.support.escaping import visible

__all__ = ["Journal", "game_of_journal", "read_journal", "usual_path"]

LARGEST = 1_000_000_000
"""The size limit of a journal (bytes)."""


def usual_path(series: Series) -> Path:
    """The default path of the journal of a match; the folder is created if necessary."""
    return state_folder("matches", ": name a file with --journal") / series.name


class Journal(AbstractContextManager["Journal"]):
    """The journal of one match, open for writing; `records` has the records of its games by number."""

    def __init__(self, path: str | Path, series: Series) -> None:
        self.path = file_path(str(path))
        if self.path.exists() and not self.path.is_file():
            raise GamesearchError(f"{path} is not a file: name another one with --journal")
        try:
            self.file = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise GamesearchError(f"{path} cannot be written: {system_reason(error)}") from None
        try:
            self.records = self.prepare(series.header())
        except BaseException:
            os.close(self.file)
            raise

    def prepare(self, header: dict[str, Any]) -> dict[int, GameRecord]:
        """Lock the file, remove an unfinished last line, and read the records; or begin a new file."""
        try:
            lock(self.file)
        except HeldError:
            raise GamesearchError(
                f"another process is playing this match and writes {self.path}: wait for it, or name another --journal"
            ) from None
        data = read_regular(self.path, LARGEST)
        whole = data[: data.rfind(b"\n") + 1]
        self.size = len(whole)
        if not whole and data and not json.dumps(header, ensure_ascii=False).encode().startswith(data):
            raise GamesearchError(f"{self.path} is not the journal of a match: name another file with --journal")
        if not whole:
            os.ftruncate(self.file, 0)
            self.write(header)
            sync_folder(self.path.absolute().parent)
            return {}
        found, records = parse(whole, self.path)
        if different := differences(header, found):
            raise GamesearchError(
                f"{self.path} is the journal of another match, whose {' and '.join(different)} "
                f"{'is' if len(different) == 1 else 'are'} different: name another file with --journal"
            )
        os.ftruncate(self.file, self.size)
        return {record.number: record for record in records}

    def append(self, record: GameRecord) -> None:
        """Write the record of a finished game to the disk."""
        if record.number in self.records:
            raise GamesearchError(f"game {record.number + 1} is in {self.path} already")
        self.write(json.loads(record.text()))
        self.records[record.number] = record

    def write(self, data: dict[str, Any]) -> None:
        """Append a line as a whole, or not at all."""
        line = json.dumps(data, ensure_ascii=False).encode() + b"\n"
        rest = line
        try:
            while rest:
                rest = rest[os.write(self.file, rest) :]
            os.fsync(self.file)
        except OSError as error:
            os.ftruncate(self.file, self.size)  # this also works on a full disk
            raise not_written(self.path, error, "the games in it are safe") from None
        self.size += len(line)

    def __exit__(self, *_: object) -> None:
        """Close and unlock the file."""
        os.close(self.file)


def read_journal(text: bytes, name: str | Path) -> list[GameRecord]:
    """The games in a journal that may be in use; an unfinished last line is ignored."""
    return parse(text[: text.rfind(b"\n") + 1], name)[1]


def game_of_journal(text: bytes, name: str | Path) -> str:
    """The specification of the game in a journal."""
    return str(parse(text[: text.find(b"\n") + 1], name)[0].get("game", ""))


def parse(text: bytes, name: str | Path) -> tuple[dict[str, Any], list[GameRecord]]:
    """The header and the games of a journal without an unfinished line."""
    lines, header = text.split(b"\n")[:-1], None
    with suppress(ValueError, IndexError, RecursionError):
        header = json.loads(lines[0])
    if not isinstance(header, dict) or header.get("journal") != "gamesearch match":
        raise GamesearchError(f"{name} is not the journal of a match: name another file with --journal")
    players = header.get("players")
    if not isinstance(players, list) or not all(isinstance(each, str) for each in players):
        raise GamesearchError(f"the first line of {name} does not name the players: it is damaged")
    known = labels_of([visible(each) for each in players])
    records: dict[int, GameRecord] = {}
    for number, line in enumerate(lines[1:], 2):
        try:
            record = GameRecord.read(line)
            if strangers := [each for each in record.players if each not in known]:
                raise GamesearchError(f"{strangers[0]!r} does not play in this match")
        except (ValueError, TypeError, RecursionError) as error:
            raise GamesearchError(
                f"line {number} of {name} cannot be read: {error}; delete the line to continue"
            ) from None
        if record.number in records:
            raise GamesearchError(
                f"line {number} of {name} repeats game {record.number + 1}: delete the line to continue"
            )
        records[record.number] = record
    return header, list(records.values())
