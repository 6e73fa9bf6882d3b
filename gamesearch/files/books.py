"""Opening books: files with known bounds on the values of early positions. Reading a book is safe: it never runs code.

A book is a dictionary from the hash of a position's key to bounds on the value of the position. Positions that differ
only by rotating or reflecting the board share an entry. The book for Connect Four stores complete layers instead: each
layer is an array with one byte per position, indexed by the number of the position (`optional.py::NumberedGame`). Books
contain no moves. The computer plays the move after which the book guarantees the best value. But if the book guarantees
a better value for the current position itself, the computer does not use the book. So a player who follows the book
gets at least the guaranteed value.
"""

import base64
import hashlib
import json
import lzma
import math
from pathlib import Path
from typing import Any, NamedTuple

from gamesearch.errors import GamesearchError, write_error
from gamesearch.files.fingerprint import fingerprint_of_rules
from gamesearch.files.whole import read_json, whole_file
from gamesearch.game import MAX, Game
from gamesearch.optional import NumberedGame, symmetries_of
from gamesearch.toolkit.bits import mix

__all__ = ["SHIPPED", "SUFFIX", "ZERO", "Book", "Bounds", "has_shipped_book", "read_book", "write_book"]

SHIPPED = "shipped"  # the name of the book that comes with gamesearch
SUFFIX = ".json"
VERSION = 1
LARGEST = 50_000_000
HASH_BITS = (1 << 64) - 1


class Bounds(NamedTuple):
    """Bounds on the value that a position has for Max. An unknown bound is infinite."""

    lower: float = -math.inf
    upper: float = math.inf

    def narrow(self, other: "Bounds") -> "Bounds":
        """Combine two pairs of bounds on the same value: take the greater lower bound and the smaller upper bound."""
        return Bounds(max(self.lower, other.lower), min(self.upper, other.upper))

    def floor(self, player: int) -> float:
        """Return the value that the bounds guarantee to a player, from this player's point of view."""
        return self.lower if player == MAX else -self.upper


ZERO = 128
"""The code of the value 0 in a layer. A value v has the code ZERO + v."""
SIGNS = {1: Bounds(upper=-1.0), 2: Bounds(0.0, 0.0), 3: Bounds(lower=1.0)}
"""The codes of positions with a known result and an unknown distance to the end. Code 1 means that Min wins, 2 means a
draw, and 3 means that Max wins."""


class Book:
    """An opening book, which contains bounds on the values of positions."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.positions: dict[str, Bounds] = {}
        self.layers: dict[int, bytes] = {}
        """The complete layers. Each layer contains a code for each position; the index of the code is the number of the
        position."""

    def hash_of(self, s: Any) -> str:
        """Return the hash of a position as 16 hexadecimal digits; symmetric positions have the same hash."""
        least = min(mix(self.game.key(each)) & HASH_BITS for each in symmetries_of(self.game, s))
        return f"{least:016x}"

    def bounds(self, s: Any) -> Bounds:
        """Return the known bounds on the value of a position; at the end of a game, both bounds are the payoff.

        An unfinished game without a legal move is a draw. If the book lacks the position's layer but contains a later
        layer, the moves are searched. The bounds then come from the positions after the moves.
        """
        if self.game.terminal(s):
            value = self.game.utility(s)
            assert not isinstance(value, tuple)
            return Bounds(value, value)
        if not self.game.steps(s):
            return Bounds(self.game.draw_value(), self.game.draw_value())
        known = Bounds(*map(float, self.game.bounds(s)))
        if known.lower == known.upper or not self.contains(s):
            return known
        if not isinstance(self.game, NumberedGame) or not self.layers:
            return known.narrow(self.positions[self.hash_of(s)])
        layer = self.layers.get(self.game.layer(s))
        if layer is not None:
            code = layer[min(map(self.game.rank, symmetries_of(self.game, s)))]
            return known.narrow(SIGNS.get(code) or Bounds(code - ZERO, code - ZERO))
        best = max if self.game.player(s) == MAX else min
        after = [self.bounds(self.game.result(s, m)) for m in self.game.steps(s)]
        return known.narrow(Bounds(best(each.lower for each in after), best(each.upper for each in after)))

    def contains(self, s: Any) -> bool:
        """Whether the book has an entry for a position, or contains a layer from which bounds on its value follow."""
        if isinstance(self.game, NumberedGame) and self.layers:
            return self.game.layer(s) >= min(self.layers)
        return self.hash_of(s) in self.positions

    def note(self, s: Any, found: Bounds) -> None:
        """Combine new bounds on the value of a position with the known bounds."""
        place = self.hash_of(s)
        self.positions[place] = found.narrow(self.positions.get(place, Bounds()))

    def guaranteed_value(self, s: Any, player: int) -> float | None:
        """Return the value that the book guarantees to a player: the player can get at least this value. The result is
        None if the book does not contain the position, or if the game's own bounds already guarantee this value."""
        if self.game.terminal(s) or not self.contains(s):
            return None
        floor = self.bounds(s).floor(player)
        return floor if floor > Bounds(*map(float, self.game.bounds(s))).floor(player) else None

    def moves(self, s: Any) -> list[int]:
        """Return the moves that lead to the best guaranteed value. This value must be at least the guaranteed value of
        the position.

        The list is empty if no move guarantees this value. The list is also empty if the game's own bounds guarantee
        the same value, because every search uses the game's bounds anyway.
        """
        player = self.game.player(s)
        sure = self.guaranteed_value(s, player)
        if sure is None:
            return []
        floors = {m: self.bounds(self.game.result(s, m)).floor(player) for m in self.game.steps(s)}
        best = max(floors.values())
        if self.layers:
            sure = min(sure, 1.0)  # in the next layer, the book may contain a win without its distance
        return [m for m, floor in floors.items() if floor == best] if best >= sure else []


def shipped_path(game: Game) -> Path:
    """Return the path at which gamesearch would keep its own book of a game; the file need not exist."""
    return Path(__file__).parents[1] / "books" / f"{Path(type(game).name).stem}{SUFFIX}"


def has_shipped_book(game: Game) -> bool:
    """Whether gamesearch comes with a book for this game. The book must have the same parameters and initial state.
    Only the first line of the book is read."""
    try:
        with shipped_path(game).open(encoding="utf-8") as file:
            header = json.loads(file.readline().rstrip().rstrip(",") + "}")
    except (OSError, ValueError):
        return False
    return bool(header.get("rules") == rules_of(game))


def rules_of(game: Game) -> dict[str, Any]:
    """Return the data in which a book must agree with its game: the game's name, the parameters of its rules, and its
    initial state. Parameters that affect only the evaluation are omitted, because they do not change exact values."""
    parameters = {name: value for name, value in game.parameters().items() if name not in game.tunable}
    return {
        "game": Path(type(game).name).stem,
        "parameters": json.loads(json.dumps(parameters)),
        "start": f"{mix(game.key(game.initial())) & HASH_BITS:016x}",
    }


def checksum(positions: dict[str, Any]) -> str:
    """Hash the positions of a book together with their bounds."""
    return hashlib.blake2b(json.dumps(positions, sort_keys=True).encode(), digest_size=16).hexdigest()


def pack_bounds(found: Bounds) -> float | list[float | None]:
    """Encode bounds for JSON. If both bounds are equal, they become one number. Otherwise, they become a list, in which
    None means infinity."""
    if found.lower == found.upper:
        return shortest_number(found.lower)
    return [None if math.isinf(bound) else shortest_number(bound) for bound in found]


def shortest_number(bound: float) -> float:
    """Return a whole number as an int, because JSON then writes 1 instead of 1.0."""
    return int(bound) if bound == int(bound) else bound


def pack_layer(codes: bytes) -> str:
    """Compress the codes of a layer, and encode them as text for JSON."""
    filters = [{"id": lzma.FILTER_LZMA2, "preset": 9 | lzma.PRESET_EXTREME, "lc": 0, "lp": 0, "pb": 0}]
    return base64.b85encode(lzma.compress(codes, filters=filters)).decode()


def unpack_layer(packed: str, size: int) -> bytes:
    """Decode the codes of a layer with `size` positions; raises ValueError if the text is invalid."""
    try:
        codes = lzma.LZMADecompressor().decompress(base64.b85decode(packed), size + 1)
    except lzma.LZMAError:
        raise ValueError(packed) from None
    if len(codes) != size:
        raise ValueError(packed)
    return codes


def unpack_bounds(found: Any) -> Bounds:
    """Decode the bounds that `pack_bounds` encoded; raises ValueError if they are invalid."""
    lower, upper = found if isinstance(found, list) else (found, found)
    if not {type(lower), type(upper)} <= {int, float, type(None)}:
        raise ValueError(found)
    bounds = Bounds(-math.inf if lower is None else lower, math.inf if upper is None else upper)
    if not bounds.lower <= bounds.upper:
        raise ValueError(found)
    return bounds


def write_book(path: Path, book: Book) -> None:
    """Write a book; raises GamesearchError and keeps the old file if the disk is full."""
    positions = {place: pack_bounds(found) for place, found in sorted(book.positions.items())}
    header = {"gamesearch book": VERSION, "rules": rules_of(book.game), "checksum": checksum(positions)}
    header["fingerprint"] = fingerprint_of_rules(book.game, book.game.initial())
    layers = json.dumps({str(layer): pack_layer(codes) for layer, codes in book.layers.items()})
    lines = ",\n".join(f'"{place}": {json.dumps(found)}' for place, found in positions.items())
    parts = [json.dumps(header)[:-1] + ",", f'"layers": {layers},', '"positions": {', lines, "}}", ""]
    try:
        with whole_file(path) as file:
            file.write("\n".join(parts).encode())
    except OSError as error:
        raise write_error(path, error, "the old book is unchanged" if path.exists() else "") from None


def read_book(name: str, game: Game) -> Book:
    """Read a book from the file `name`. The name `shipped` means the book that comes with gamesearch. Raises
    GamesearchError if the book belongs to another game or version, or if it is damaged."""
    name = name.strip()
    path = shipped_path(game) if name == SHIPPED else Path(name).expanduser()
    if not path.is_file():
        missing = f"no book of {game.name} comes with gamesearch" if name == SHIPPED else f"there is no file {name}"
        raise GamesearchError(f"{missing}: build one with `gamesearch book {game.name} --to FILE`")
    damaged = GamesearchError(f"{name} is damaged or incomplete: remove it")
    data = read_json(name, path, LARGEST, "book", VERSION, f"build one with `gamesearch book {game.name} --to FILE`")
    try:
        if checksum(data["positions"]) != data["checksum"]:
            raise damaged
        positions = {place: unpack_bounds(found) for place, found in data["positions"].items()}
        written_for = describe_game(data["rules"])
    except (KeyError, TypeError, ValueError, AttributeError):
        raise damaged from None
    if data["rules"] != rules_of(game):
        raise GamesearchError(f"{name} is a book of {written_for}: choose a book of {game!r}")
    if data.get("fingerprint") not in (None, fingerprint_of_rules(game, game.initial())):
        raise GamesearchError(f"{name} was built with other rules of {game.name}: build it again")
    book = Book(game)
    book.positions = positions
    try:
        if isinstance(game, NumberedGame):
            layers = {int(layer): packed for layer, packed in data.get("layers", {}).items()}
            book.layers = {layer: unpack_layer(packed, game.layer_size(layer)) for layer, packed in layers.items()}
    except (AttributeError, TypeError, ValueError):
        raise damaged from None
    return book


def describe_game(rules: dict[str, Any]) -> str:
    """Return the specification of a book's game, such as connect4(width=7)."""
    inside = ", ".join(f"{key}={value}" for key, value in rules["parameters"].items())
    return f"{rules['game']}({inside})" if inside else str(rules["game"])
