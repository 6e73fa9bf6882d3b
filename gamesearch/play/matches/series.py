"""The plan of a match, and its journal.

The number of a game determines its players, sides, opening and dice. The journal is a file with one line of JSON for
each finished game. Each line is written to the disk when its game ends. The first line of the journal identifies the
match. The process that writes the journal locks it. If a process was killed while it wrote a line, the next process
removes the unfinished line. Any other unreadable line is an error, because it means that the file was changed by hand.
"""

import hashlib
import json
import os
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gamesearch.errors import GamesearchError, system_reason, write_error
from gamesearch.files.whole import LockHeldError, lock, output_path, read_regular, refuse_protected, sync_folder
from gamesearch.play.files import state_folder
from gamesearch.play.matches.game_task import GameRecord, GameTask, Opening, Terms
from gamesearch.support.escaping import escape_invisible

__all__ = ["Journal", "Series", "differences", "game_of_journal", "labels_of", "read_journal", "usual_path"]

OWN_FILE = re.compile(r"[^\s(),='\"]+\.(?:py|json|npz)\b")
"""This pattern finds the name of a file that a user wrote: a file with code, or with the weights of an evaluation."""


@dataclass(frozen=True)
class Series:
    """The plan of a match, without the number of games. Two successive games are a pair: in the second game, the
    opponents exchange sides. A round contains one pair of games for every pair of opponents. All games of a round have
    the same opening and dice."""

    game: str
    players: tuple[str, ...]  # the specifications of the players; players may have equal specifications
    # The openings of successive rounds. If there are more rounds than openings, the openings are repeated. If the tuple
    # is empty, openings are random.
    openings: tuple[Opening, ...] = ()
    plies: int = 0  # the number of plies of a random opening
    seed: int = 0
    terms: Terms = field(default_factory=Terms)
    is_gauntlet: bool = False  # whether all games are between the first player and another player

    def __post_init__(self) -> None:
        if len(self.players) < 2:
            raise GamesearchError("a match needs at least two players; you may give the same player twice")

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the players (see `labels_of`)."""
        return labels_of(self.players)

    @property
    def opponents(self) -> list[tuple[int, int]]:
        """The pairs of players that play against each other, as indexes into `players`."""
        count = len(self.players)
        return [(a, b) for a in range(1 if self.is_gauntlet else count) for b in range(a + 1, count)]

    def task(self, number: int) -> GameTask:
        """Return the task of a game, given the number of the game."""
        pair, is_second = divmod(number, 2)
        round_, place = divmod(pair, len(self.opponents))
        sides = self.opponents[place]
        first, second = reversed(sides) if is_second else sides
        labels = self.labels
        return GameTask(
            number=number,
            game=self.game,
            players=(self.players[first], self.players[second]),
            labels=(labels[first], labels[second]),
            opening=self.opening(round_),
            seed=self.seed * 1_000_003 + round_,
            terms=self.terms,
        )

    def opening(self, round_: int) -> Opening:
        """The opening of a round."""
        if self.openings:
            return self.openings[round_ % len(self.openings)]
        return Opening(plies=self.plies, seed=self.seed * 1_000_003 + round_)

    def header(self) -> dict[str, Any]:
        """The first line of the journal, which identifies the match."""
        data = json.loads(json.dumps(asdict(self)))
        if not self.terms.without_dead:  # older journals do not have this field
            del data["terms"]["without_dead"]
        text = json.dumps(data.pop("openings"), ensure_ascii=False)
        digest = hashlib.sha256(text.encode()).hexdigest()[:16] if self.openings else ""
        found = {"journal": "gamesearch match", "version": 1, **data, "openings": len(self.openings), "digest": digest}
        files = digests((self.game, *self.players))
        return {**found, "files": files} if files else found

    @property
    def name(self) -> str:
        """A file name for the journal, derived from the header."""
        game = "".join(c if c.isalnum() else "-" for c in self.game.partition("(")[0].rpartition("/")[2])
        text = json.dumps(self.header(), sort_keys=True, ensure_ascii=False)
        return f"{game.strip('-') or 'match'}-{hashlib.sha256(text.encode()).hexdigest()[:12]}.jsonl"


def labels_of(players: Sequence[str]) -> tuple[str, ...]:
    """Return the names of players: their specifications. If specifications are equal, the second ends in `#2`, the
    third in `#3`, and so on."""
    before = [players[:place].count(player) for place, player in enumerate(players)]
    return tuple(f"{player} #{count + 1}" if count else player for player, count in zip(players, before, strict=True))


def digests(specifications: Sequence[str]) -> dict[str, str]:
    """Return the hash of each user's file that the specifications name. The keys are file names without folders. A
    player whose file has changed counts as another player."""
    paths = [Path(each) for text in specifications for each in OWN_FILE.findall(text)]
    return {path.name: hashlib.sha256(read_regular(path, LARGEST)).hexdigest()[:16] for path in paths if path.is_file()}


SAME_NAMES = ("openings", "plies", "seed", "time", "nodes", "depth", "clock", "resign", "draw", "speed")
OPTIONS = {name: f"--{name}" for name in SAME_NAMES} | {
    "digest": "--openings",
    "is_gauntlet": "--gauntlet",
    "increment": "--clock",
    "margin": "--time-margin",
    "patience": "--hang-timeout",
    "longest": "--max-plies",
    "without_dead": "--remove-dead",
}
"""The option that sets each field of a header. The fields `game`, `players` and `files` have no option."""


def differences(mine: dict[str, Any], other: dict[str, Any]) -> Sequence[str]:
    """The options that set the fields in which two headers differ, including the fields of their terms. A field without
    an option is named itself."""
    found = [name for name in mine.keys() | other.keys() if name != "terms" and mine.get(name) != other.get(name)]
    terms, others = mine.get("terms", {}), other.get("terms", {})
    if isinstance(others, dict):
        found += [name for name in terms.keys() | others.keys() if terms.get(name) != others.get(name)]
    return sorted({OPTIONS.get(name, name) for name in found})


# The journal. -------------------------------------------------------------------------------------
LARGEST = 1_000_000_000  # the size limit of the journal and of a user's file, in bytes


def usual_path(series: Series) -> Path:
    """The default path of the journal of a match; the folder is created if necessary."""
    return state_folder("matches", ": name a file with --journal") / series.name


class Journal(AbstractContextManager["Journal"]):
    """The journal of one match, open for writing; `records` contains the record of each finished game by its number."""

    def __init__(self, path: str | Path, series: Series) -> None:
        self.path = output_path(str(path))
        if self.path.exists() and not self.path.is_file():
            raise GamesearchError(f"{path} is not a file: name another file with --journal")
        refuse_protected(self.path)
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
        """Lock the file, remove an unfinished last line, and read the records. If the file has no complete line, write
        the header."""
        try:
            lock(self.file)
        except LockHeldError:
            raise GamesearchError(
                f"another process is playing this match and writes {self.path}: wait, or use --journal for another file"
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
            os.ftruncate(self.file, self.size)  # remove the written part, which works even on a full disk
            raise write_error(self.path, error, "the earlier games in it are safe") from None
        self.size += len(line)

    def __exit__(self, *_: object) -> None:
        """Close and unlock the file."""
        os.close(self.file)


def read_journal(text: bytes, name: str | Path) -> list[GameRecord]:
    """Read the games of a journal, even while a match writes it: an unfinished last line is ignored."""
    return parse(text[: text.rfind(b"\n") + 1], name)[1]


def game_of_journal(text: bytes, name: str | Path) -> str:
    """The specification of the game in a journal."""
    return str(parse(text[: text.find(b"\n") + 1], name)[0].get("game", ""))


def parse(text: bytes, name: str | Path) -> tuple[dict[str, Any], list[GameRecord]]:
    """Parse a journal whose unfinished last line was removed. Returns the header and the games."""
    lines, header = text.split(b"\n")[:-1], None
    with suppress(ValueError, IndexError, RecursionError):
        header = json.loads(lines[0])
    if not isinstance(header, dict) or header.get("journal") != "gamesearch match":
        raise GamesearchError(f"{name} is not the journal of a match: name another file with --journal")
    players = header.get("players")
    if not isinstance(players, list) or not all(isinstance(each, str) for each in players):
        raise GamesearchError(f"the first line of {name} does not name the players: it is damaged")
    known = labels_of([escape_invisible(each) for each in players])
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
