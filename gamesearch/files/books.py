"""Opening books: what is known of the values of early positions, in files of numbers, so that to read one runs nothing.

A book holds bounds on the values of positions, each by a hash of its key, and one for all that mirroring or turning the
board makes of it. What is played from a book is the move after which the player to move is sure of the most, if that is
no less than what it was sure of before: so moves need not be kept, and who follows a book never falls below what the
book says of the position.
"""

import contextlib
import hashlib
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from gamesearch.errors import GamesearchError, not_written, refuse, system_reason
from gamesearch.files.fingerprint import fingerprint_of_rules
from gamesearch.files.locks import HeldError, locked
from gamesearch.files.whole import read_regular, whole_file
from gamesearch.game import MAX, Game
from gamesearch.optional import symmetries_of
from gamesearch.toolkit.bits import mix

__all__ = ["SHIPPED", "SUFFIX", "Book", "Bounds", "has_shipped_book", "only_writer", "read_book", "write_book"]

SHIPPED = "shipped"
"""The name of the book that comes with gamesearch."""
SUFFIX = ".json"
VERSION = 1
LARGEST = 50_000_000
"""No book is larger (bytes)."""
HASH_BITS = (1 << 64) - 1


class Bounds(NamedTuple):
    """Bounds on the value of a position for Max; infinite if nothing is known."""

    lower: float = -math.inf
    upper: float = math.inf

    def narrowed(self, other: "Bounds") -> "Bounds":
        """The intersection of both bounds."""
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))

    def floor(self, player: int) -> float:
        """The value that a player is sure of; greater is better for that player."""
        return self.lower if player == MAX else -self.upper


class Book:
    """Bounds on the values of positions of a game."""

    def __init__(self, game: Game[Any]) -> None:
        self.game = game
        self.positions: dict[str, Bounds] = {}

    def hashed(self, s: Any) -> str:
        """The identity of a position and all its symmetries: 16 hexadecimal digits."""
        least = min(mix(self.game.key(each)) & HASH_BITS for each in symmetries_of(self.game, s))
        return f"{least:016x}"

    def bounds(self, s: Any) -> Bounds:
        """What is known of a position: by the rules where the game is over, else by the book and the game's own bounds.

        A position without a legal move is a draw.
        """
        if self.game.terminal(s):
            value = self.game.utility(s)
            assert not isinstance(value, tuple)
            return Bounds(value, value)
        if not self.game.steps(s):
            return Bounds(self.game.draw_value(), self.game.draw_value())
        found = self.positions.get(self.hashed(s), Bounds())
        return found.narrowed(Bounds(*map(float, self.game.bounds(s))))

    def note(self, s: Any, found: Bounds) -> None:
        """Add bounds on the value of a position to the known ones."""
        place = self.hashed(s)
        self.positions[place] = found.narrowed(self.positions.get(place, Bounds()))

    def sure(self, s: Any, player: int) -> float | None:
        """The value that a player is sure of by the book; None if the game's own bounds say as much."""
        if self.game.terminal(s) or self.hashed(s) not in self.positions:
            return None
        floor = self.bounds(s).floor(player)
        return floor if floor > Bounds(*map(float, self.game.bounds(s))).floor(player) else None

    def moves(self, s: Any) -> list[int]:
        """The best of the moves that keep what the player to move is sure of; none where the book knows no such move.

        None either where the game's own bounds say as much as the book: any search knows these.
        """
        player = self.game.player(s)
        sure = self.sure(s, player)
        if sure is None:
            return []
        floors = {m: self.bounds(self.game.result(s, m)).floor(player) for m in self.game.steps(s)}
        best = max(floors.values())
        return [m for m, floor in floors.items() if floor == best] if best >= sure else []


def shipped_path(game: Game[Any]) -> Path:
    """The path of the book of a game, if one comes with gamesearch."""
    return Path(__file__).parents[1] / "books" / f"{Path(type(game).name).stem}{SUFFIX}"


def has_shipped_book(game: Game[Any]) -> bool:
    """Whether a book for this game, with its parameters and the usual start, comes with gamesearch.

    Only the beginning of the file is read.
    """
    try:
        with shipped_path(game).open(encoding="utf-8") as file:
            header = json.loads(file.readline().rstrip().rstrip(",") + "}")
    except (OSError, ValueError):
        return False
    return bool(header.get("rules") == rules_of(game))


def rules_of(game: Game[Any]) -> dict[str, Any]:
    """What a book must be made for, to be used in a game: the name, the parameters of the rules, and the start.

    What only decides how positions are estimated changes no value: such parameters are left out.
    """
    parameters = {name: value for name, value in game.parameters().items() if name not in game.tunable}
    return {
        "game": Path(type(game).name).stem,
        "parameters": json.loads(json.dumps(parameters)),
        "start": f"{mix(game.key(game.initial())) & HASH_BITS:016x}",
    }


def checksum(positions: dict[str, Any]) -> str:
    """A hash of all that a book holds."""
    return hashlib.blake2b(json.dumps(positions, sort_keys=True).encode(), digest_size=16).hexdigest()


def packed(found: Bounds) -> float | list[float | None]:
    """Bounds in the format of the file: one number if they are equal; else both, with null for an infinite one."""
    is_exact = found.lower == found.upper
    return plain(found.lower) if is_exact else [None if math.isinf(bound) else plain(bound) for bound in found]


def plain(bound: float) -> float:
    """A number as short as it can be written."""
    return int(bound) if bound == int(bound) else bound


def unpacked(found: Any) -> Bounds:
    """The bounds that the file has; ValueError for all else."""
    lower, upper = found if isinstance(found, list) else (found, found)
    if not {type(lower), type(upper)} <= {int, float, type(None)}:
        raise ValueError(found)
    bounds = Bounds(-math.inf if lower is None else lower, math.inf if upper is None else upper)
    if not bounds.lower <= bounds.upper:
        raise ValueError(found)
    return bounds


def write_book(path: Path, book: Book) -> None:
    """Write a book; raises GamesearchError and leaves the old file if there is no room."""
    positions = {place: packed(found) for place, found in sorted(book.positions.items())}
    header = {"gamesearch book": VERSION, "rules": rules_of(book.game), "checksum": checksum(positions)}
    header["fingerprint"] = fingerprint_of_rules(book.game, book.game.initial())
    lines = ",\n".join(f'"{place}": {json.dumps(found)}' for place, found in positions.items())
    try:
        with whole_file(path) as file:
            file.write("\n".join([json.dumps(header)[:-1] + ",", '"positions": {', lines, "}}", ""]).encode())
    except OSError as error:
        raise not_written(path, error, "what was found before is safe" if path.exists() else "") from None


@contextlib.contextmanager
def only_writer(path: Path) -> Iterator[None]:
    """Keep other processes from writing a book, by a file beside it, from before it is read until all is written."""
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(locked(path.with_name(f".{path.name}.lock")))
        except HeldError:
            raise GamesearchError(f"another process makes {path}: wait for it, or name another file") from None
        except OSError as error:
            raise not_written(path, error) from None
        yield


def read_book(name: str, game: Game[Any]) -> Book:
    """The book in a file, or the one that comes with gamesearch for `shipped`.

    Raises GamesearchError where it is of another game or version, or damaged.
    """
    name = name.strip()
    path = shipped_path(game) if name == SHIPPED else Path(name).expanduser()
    if not path.is_file():
        missing = f"no book of {game.name} comes with gamesearch" if name == SHIPPED else f"there is no file {name}"
        raise GamesearchError(f"{missing}: gamesearch book {game.name} --to FILE makes one")
    data = read_data(name, path)
    if data["rules"] != rules_of(game):
        raise GamesearchError(f"{name} is a book of {described(data['rules'])}, not of this game: name another file")
    if data.get("fingerprint") not in (None, fingerprint_of_rules(game, game.initial())):
        raise GamesearchError(f"{name} was made by other rules of {game.name}: make it again")
    book = Book(game)
    book.positions = data["positions"]
    return book


def read_data(name: str, path: Path) -> dict[str, Any]:
    """All that is in a book, checked to be whole and of this version."""
    damaged = GamesearchError(f"{name} is no whole book: it is damaged, or its end is missing; remove it")
    try:
        content = read_regular(path, LARGEST)
    except OSError as error:
        raise GamesearchError(f"{name} cannot be read: {system_reason(error)}") from None
    try:
        data = json.loads(content.decode())
    except (ValueError, RecursionError):
        raise damaged from None
    version = data.get("gamesearch book") if isinstance(data, dict) else None
    refuse(
        (version is None, f"{name} is no book: gamesearch book GAME --to FILE makes one"),
        (version != VERSION, f"{name} is a book of version {version}, and version {VERSION} is read: make it anew"),
    )
    try:
        if checksum(data["positions"]) != data["checksum"]:
            raise damaged
        data["positions"] = {place: unpacked(found) for place, found in data["positions"].items()}
        described(data["rules"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise damaged from None
    return dict(data)


def described(rules: dict[str, Any]) -> str:
    """The game that a book is of, for people."""
    inside = ", ".join(f"{key}={value}" for key, value in rules["parameters"].items())
    return f"{rules['game']}({inside})" if inside else str(rules["game"])
