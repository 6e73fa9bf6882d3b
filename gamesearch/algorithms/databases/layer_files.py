"""The files of a database. Each file contains a header and the packed codes of all positions of one layer.

A header is one line of JSON, padded with spaces to HEADER_BYTES. The arrays of `codes.PackedCodes` and, in some games,
hashed keys follow the header. Each array begins at a multiple of eight bytes, so that it can be memory-mapped. A file
gets its final name only after it has been completely written, read back and verified.

The folder contains notes on verified files: the size and modification time of each file, and a digest of the code of
the rules. The checksum of a file is verified again only if the file has changed. If the file or the code of the rules
has changed, the fingerprint in the file is compared with the rules again.
"""

import contextlib
import hashlib
import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gamesearch.algorithms.databases.codes import BLOCK, GROUP, PARTS, PackedCodes
from gamesearch.errors import GamesearchError, system_reason, write_error
from gamesearch.files.whole import open_regular, read_regular, sync_folder, whole_file
from gamesearch.game import Game

__all__ = [
    "HEADER_BYTES", "SUFFIX", "Header", "VerifiedFiles", "checksum", "layer_path", "read_header", "read_layer",
    "refuse_no_folder", "stamp_header", "write_layer",
]  # fmt: skip

LARGEST_NOTES = 100_000_000
"""The greatest size in bytes of the notes on verified files."""
FORMAT = 5
"""The version of the file format, including the meaning of codes."""
UNCHECKED_FORMAT = 4
"""The previous format, whose field `rules` depended on the version of Python."""
HEADER_BYTES = 4096
LARGEST_COUNT, LARGEST_LAYER = 1 << 62, 1 << 20
"""The greatest count and the greatest layer number that a header may contain."""
SUFFIX = ".layer"
SEEN = ".checked"
"""The name of the file that contains notes about verified files."""


@dataclass(frozen=True)
class Header:
    """The header of a file."""

    game: str
    """The specification of the game, with its parameters."""
    rules: str
    """The fingerprint (a hash) of the rules that were solved."""
    layer: int
    name: str
    needs: tuple[int, ...]
    """The lower layers to which moves from this layer may lead."""
    numbers: int
    positions: int
    won: int
    """The number of positions that the side to move wins. If payoffs are points, to win means to gain points in the
    rest of the game."""
    drawn: int
    lost: int
    longest: int
    """The greatest number of plies to a win."""
    keys: bool = False
    """Whether hashed keys are stored after the codes. Games that do not number their positions need keys."""
    codes: int = 0
    """The number of different codes."""
    planes: int = 0
    """The number of 64-bit words in all bit planes together."""
    checksum: str = ""
    """The checksum of everything after the header."""
    start: str = ""
    """All other positions were reached from this position. Empty if the game numbers its positions."""
    format: int = FORMAT

    @property
    def arrays(self) -> tuple[tuple[str, int], ...]:
        """The arrays after the header, each with its type and length."""
        blocks = -(-self.numbers // BLOCK)
        packed = ("<u2", self.codes), ("<i8", -(-blocks // GROUP)), ("<u2", blocks), ("<i8", self.planes)
        return (*packed, ("<i8", self.numbers)) if self.keys else packed

    @property
    def size(self) -> int:
        """The number of bytes after the header."""
        return sum(pad(int(kind[-1]) * count) for kind, count in self.arrays)


def pad(count: int) -> int:
    """Round a number of bytes up to a multiple of eight."""
    return count + 7 & ~7


def checksum(whole: Any) -> str:
    """A hash of everything after a header."""
    return hashlib.blake2b(whole, digest_size=16).hexdigest()


def refuse_no_folder(folder: Path, game: Game) -> None:
    """Raise GamesearchError if the folder of a database does not exist."""
    if not folder.is_dir():
        what = f"{folder} is a file, but a database is a folder" if folder.exists() else f"there is no folder {folder}"
        raise GamesearchError(f"{what}: build it with `gamesearch database {game.name}`")
    if not os.access(folder, os.R_OK | os.X_OK):
        raise GamesearchError(f"{folder} cannot be read: you have no permission to list its files")


def layer_path(folder: Path, name: str) -> Path:
    """The file of a layer."""
    return folder / f"{name}{SUFFIX}"


def read_header(path: Path) -> Header:
    """Read the header of a file. Raises GamesearchError if the file is not a complete file of a database."""
    try:
        with open_regular(path) as file:
            data = json.loads(file.read(HEADER_BYTES))
        version = data["format"]
        header = Header(**{**data, "needs": tuple(data["needs"])}) if version in (FORMAT, UNCHECKED_FORMAT) else None
        is_whole = header is not None and is_sound(header) and path.stat().st_size == HEADER_BYTES + header.size
    except OSError as error:
        raise GamesearchError(f"{path} cannot be read: {system_reason(error)}") from None
    except (ValueError, TypeError, KeyError, RecursionError):
        raise damaged_error(path) from None
    if header is None:
        raise GamesearchError(
            f"{path} has format {version}, but this version of gamesearch reads format {FORMAT}: remove it, "
            f"and build it again"
        )
    if not is_whole:
        raise damaged_error(path)
    return header


def is_sound(header: Header) -> bool:
    """Whether all fields of a header have the right types, and all counts are possible."""
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


def damaged_error(path: Path) -> GamesearchError:
    """The error message for a damaged file."""
    return GamesearchError(f"{path} is damaged: remove it, and build it again with `gamesearch database`")


def content(path: Path, header: Header) -> Any:
    """Map the bytes after the header into memory, for reading only."""
    import numpy as np

    try:
        return np.asarray(np.memmap(path, np.uint8, "r"))[HEADER_BYTES : HEADER_BYTES + header.size]
    except (OSError, ValueError):
        raise damaged_error(path) from None


def read_layer(path: Path, header: Header, is_checked: bool) -> tuple[PackedCodes, Any]:
    """Map the codes and the keys of a file into memory. The keys are None if the file has none. If `is_checked` is
    true, the checksum of the file is verified first."""
    whole = content(path, header)
    if is_checked and checksum(whole) != header.checksum:
        raise damaged_error(path)
    parts, place = [], 0
    for kind, count in header.arrays:
        size = int(kind[-1]) * count
        parts.append(whole[place : place + size].view(kind))
        place += pad(size)
    return PackedCodes(*parts[:PARTS]), parts[PARTS] if header.keys else None


def line_of(header: Header) -> bytes:
    """The bytes of a header in a file."""
    return json.dumps(asdict(header)).encode().ljust(HEADER_BYTES - 1) + b"\n"


def stamp_header(path: Path, header: Header) -> Header:
    """Overwrite the header of a file with a header in the current format. Returns the new header."""
    header = replace(header, format=FORMAT)
    try:
        with path.open("r+b") as file:
            file.write(line_of(header))
    except OSError as error:
        raise write_error(path, error, "the file is unchanged") from None
    return header


def write_layer(folder: Path, header: Header, codes: PackedCodes, keys: Any = None) -> Header:
    """Write a file to disk and read it back. Returns the header with the checksum. If the disk is full, the incomplete
    file is removed and GamesearchError is raised."""
    import numpy as np

    path = layer_path(folder, header.name)
    header = replace(header, codes=len(codes.codes), planes=len(codes.planes))
    arrays = [each.view(np.uint8) for each in (*codes, *(() if keys is None else (keys,)))]

    def check(written: Path) -> None:
        if checksum(content(written, read_header(written))) != header.checksum:
            raise damaged_error(path)

    try:
        with whole_file(path, check) as file:
            found = hashlib.blake2b(digest_size=16)
            file.seek(HEADER_BYTES)
            for each in arrays:
                for part in (each, bytes(pad(len(each)) - len(each))):
                    found.update(part)
                    file.write(part)
            header = replace(header, checksum=found.hexdigest())
            file.seek(0)
            file.write(line_of(header))
        sync_folder(folder)
    except OSError as error:
        raise write_error(path, error, "finished layers are safe") from None
    return header


class VerifiedFiles:
    """Notes about the verified files in a folder."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / SEEN
        try:
            found = json.loads(read_regular(self.path, LARGEST_NOTES))
        except (OSError, ValueError, RecursionError):
            found = {}
        self.notes: dict[str, Any] = found if isinstance(found, dict) else {}
        self.is_changed = False

    def has(self, path: Path, code: str) -> tuple[bool, bool]:
        """Whether the file is unchanged since it was verified, and whether the digest `code` is also unchanged."""
        stamp, note = self.stamp(path), self.notes.get(path.name)
        is_known = note == [*stamp, code]
        return is_known or (isinstance(note, list) and note[:2] == stamp), is_known

    def note(self, path: Path, code: str) -> None:
        """Record that a file was verified against the rules whose code has the digest `code`."""
        self.notes[path.name] = [*self.stamp(path), code]
        self.is_changed = True

    def keep(self) -> None:
        """Write the notes if the folder is writable; otherwise the files are verified again next time."""
        if self.is_changed:
            with contextlib.suppress(OSError), whole_file(self.path) as file:
                file.write(json.dumps(self.notes).encode())

    @staticmethod
    def stamp(path: Path) -> list[int]:
        """The size and the modification time of a file. They show whether the file has changed."""
        status = path.stat()
        return [status.st_size, status.st_mtime_ns]
