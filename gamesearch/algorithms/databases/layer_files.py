"""The files of a database: a header that says what is in them, then a code for each number of one layer, packed.

A header is one line of JSON, filled up with blanks to HEADER_BYTES, so that the arrays after it can be mapped into
memory as they are: those of `packing.Packed`, and hashed keys, if there are any. Each begins at a multiple of eight
bytes. A file has its name only once it was written whole, read back and found right.

The folder has a note of each file that was read whole and found right, with the file's size, the time of its last
change, and a digest of the code of the rules. So a file is read whole only when it is opened for the first time, or has
changed since. Its fingerprint is compared only then, or if the code of the rules has changed.
"""

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gamesearch.algorithms.databases.packing import BLOCK, GROUP, PARTS, Packed
from gamesearch.errors import GamesearchError, not_written, system_reason
from gamesearch.files.whole import open_regular, read_regular, sync_folder, whole_file
from gamesearch.game import Game

__all__ = [
    "HEADER_BYTES",
    "SUFFIX",
    "Header",
    "Seen",
    "checksum",
    "layer_path",
    "read_header",
    "read_layer",
    "refuse_no_folder",
    "stamp_header",
    "write_layer",
]

LARGEST_NOTES = 100_000_000
"""The notes on checked files are never larger (bytes)."""
FORMAT = 5
"""The version of the format of files, and of the codes in them."""
UNCHECKED_FORMAT = 4
"""The format before: the same, but its `rules` are a hash of bytecode, which only one version of Python can compare."""
HEADER_BYTES = 4096
LARGEST_COUNT, LARGEST_LAYER = 1 << 62, 1 << 20
"""No header has greater numbers."""
SUFFIX = ".layer"
SEEN = ".checked"
"""The file of the notes."""


@dataclass(frozen=True)
class Header:
    """What a file says of itself."""

    game: str
    """The specification of the game, with its parameters."""
    rules: str
    """The fingerprint of the rules that it was made by."""
    layer: int
    name: str
    needs: tuple[int, ...]
    """The lower layers that its moves may lead to."""
    numbers: int
    positions: int
    won: int
    """By the side to move; for payoffs in points, how many positions in which more is still paid to it than not."""
    drawn: int
    lost: int
    longest: int
    """The greatest number of plies to a win."""
    keys: bool = False
    """Whether hashed keys follow the codes, of a game that does not number its positions."""
    codes: int = 0
    """How many codes differ."""
    planes: int = 0
    """How many words of planes they take."""
    checksum: str = ""
    """Of all that follows the header."""
    start: str = ""
    """The position from which all others are reached, if the game does not number them."""
    format: int = FORMAT

    @property
    def arrays(self) -> tuple[tuple[str, int], ...]:
        """The arrays that follow, each by the type of its numbers and how many there are."""
        blocks = -(-self.numbers // BLOCK)
        packed = ("<u2", self.codes), ("<i8", -(-blocks // GROUP)), ("<u2", blocks), ("<i8", self.planes)
        return (*packed, ("<i8", self.numbers)) if self.keys else packed

    @property
    def size(self) -> int:
        """The bytes of all that follows the header."""
        return sum(padded(int(kind[-1]) * count) for kind, count in self.arrays)


def padded(count: int) -> int:
    """So many bytes, and as many more as make it a multiple of eight."""
    return count + 7 & ~7


def checksum(whole: Any) -> str:
    """A hash of all that follows a header."""
    return hashlib.blake2b(whole, digest_size=16).hexdigest()


def refuse_no_folder(folder: Path, game: Game) -> None:
    """Raise GamesearchError where a database should be and no folder is."""
    if not folder.is_dir():
        what = f"{folder} is a file, and a database is a folder" if folder.exists() else f"there is no folder {folder}"
        raise GamesearchError(f"{what}: build it by gamesearch database {game.name}")


def layer_path(folder: Path, name: str) -> Path:
    """The file of a layer."""
    return folder / f"{name}{SUFFIX}"


def read_header(path: Path) -> Header:
    """The header of a file; raises GamesearchError for what is no file of a database, or not all of one."""
    try:
        with open_regular(path) as file:
            data = json.loads(file.read(HEADER_BYTES))
        version = data["format"]
        header = Header(**{**data, "needs": tuple(data["needs"])}) if version in (FORMAT, UNCHECKED_FORMAT) else None
        is_whole = header is not None and is_sound(header) and path.stat().st_size == HEADER_BYTES + header.size
    except OSError as error:
        raise GamesearchError(f"{path} cannot be read: {system_reason(error)}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise damaged(path) from None
    if header is None:
        raise GamesearchError(
            f"{path} has format {version}, and this version reads {FORMAT}: remove it, and build it anew"
        )
    if not is_whole:
        raise damaged(path)
    return header


def is_sound(header: Header) -> bool:
    """Whether each field of a header has its type, and each count is possible."""
    texts = (header.game, header.rules, header.name, header.checksum, header.start)
    counts = (
        header.numbers, header.positions, header.won, header.drawn, header.lost, header.longest, header.codes,
        header.planes,
    )  # fmt: skip
    layers = (header.layer, *header.needs)
    return (
        all(isinstance(each, str) for each in texts)
        and all(type(each) is int and 0 <= each <= LARGEST_COUNT for each in counts)
        and all(type(each) is int and 0 <= each <= LARGEST_LAYER for each in layers)
        and isinstance(header.keys, bool)
    )


def damaged(path: Path) -> GamesearchError:
    """What is said of a file that is not as it was written."""
    return GamesearchError(f"{path} is damaged: remove it, and build it anew by gamesearch database")


def content(path: Path, header: Header) -> Any:
    """All that follows the header, mapped into memory for reading."""
    import numpy as np

    try:
        return np.asarray(np.memmap(path, np.uint8, "r"))[HEADER_BYTES : HEADER_BYTES + header.size]
    except (OSError, ValueError):
        raise damaged(path) from None


def read_layer(path: Path, header: Header, is_checked: bool) -> tuple[Packed, Any]:
    """The codes of a file, and its keys or None, mapped into memory; compared with the checksum if `is_checked`."""
    whole = content(path, header)
    if is_checked and checksum(whole) != header.checksum:
        raise damaged(path)
    parts, place = [], 0
    for kind, count in header.arrays:
        size = int(kind[-1]) * count
        parts.append(whole[place : place + size].view(kind))
        place += padded(size)
    return Packed(*parts[:PARTS]), parts[PARTS] if header.keys else None


def line_of(header: Header) -> bytes:
    """A header as its file has it."""
    return json.dumps(asdict(header)).encode().ljust(HEADER_BYTES - 1) + b"\n"


def stamp_header(path: Path, header: Header) -> Header:
    """Write a header, in the present format, over the one of a file. Returns it."""
    header = replace(header, format=FORMAT)
    try:
        with path.open("r+b") as file:
            file.write(line_of(header))
    except OSError as error:
        raise not_written(path, error, "the file is as it was") from None
    return header


def write_layer(folder: Path, header: Header, codes: Packed, keys: Any = None) -> Header:
    """Write a file and read it back; it is on the disk when this returns. Returns the header with its checksum.

    Raises GamesearchError, and leaves nothing behind, where there is no room.
    """
    import numpy as np

    path = layer_path(folder, header.name)
    header = replace(header, codes=len(codes.codes), planes=len(codes.planes))
    arrays = [each.view(np.uint8) for each in (*codes, *(() if keys is None else (keys,)))]

    def check(written: Path) -> None:
        if checksum(content(written, read_header(written))) != header.checksum:
            raise damaged(path)

    try:
        with whole_file(path, check) as file:
            found = hashlib.blake2b(digest_size=16)
            file.seek(HEADER_BYTES)
            for each in arrays:
                for part in (each, bytes(padded(len(each)) - len(each))):
                    found.update(part)
                    file.write(part)
            header = replace(header, checksum=found.hexdigest())
            file.seek(0)
            file.write(line_of(header))
        sync_folder(folder)
    except OSError as error:
        raise not_written(path, error, "finished layers are safe") from None
    return header


class Seen:
    """The notes of a folder: which files were found right, as they are now."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / SEEN
        try:
            found = json.loads(read_regular(self.path, LARGEST_NOTES))
        except (OSError, ValueError, RecursionError):
            found = {}
        self.notes: dict[str, Any] = found if isinstance(found, dict) else {}
        self.is_changed = False

    def has(self, path: Path, code: str) -> tuple[bool, bool]:
        """Whether a file was found right and has not changed since; and by rules with this digest of their code."""
        stamp, note = self.stamp(path), self.notes.get(path.name)
        is_known = note == [*stamp, code]
        return is_known or (isinstance(note, list) and note[:2] == stamp), is_known

    def note(self, path: Path, code: str) -> None:
        """Note that a file was found right, by rules with this digest of their code."""
        self.notes[path.name] = [*self.stamp(path), code]
        self.is_changed = True

    def keep(self) -> None:
        """Write new notes, where the folder can be written; else the files are read whole the next time, too."""
        if self.is_changed:
            with contextlib.suppress(OSError):
                unfinished = self.path.with_name(f"{SEEN}.{os.getpid()}.unfinished")
                unfinished.write_text(json.dumps(self.notes))
                unfinished.replace(self.path)

    @staticmethod
    def stamp(path: Path) -> list[int]:
        """What changes with a file."""
        status = path.stat()
        return [status.st_size, status.st_mtime_ns]
