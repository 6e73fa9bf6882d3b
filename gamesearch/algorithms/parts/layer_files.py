"""The files of a database: a header that says what is in them, then a code for each number of one layer.

A header is one line of JSON, filled up with blanks to HEADER_BYTES, so that the codes after it can be mapped into
memory as they are. A file has its name only once it was written whole, read back and found right.

What was read whole and found right is noted in the folder, with the file's size and the time of its last change. So a
file is read whole when it is opened for the first time, and again after any change; else only what is asked of it is.
"""

import hashlib
import json
import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from gamesearch.errors import GamesearchError, not_written, system_reason
from gamesearch.game import Game
from gamesearch.whole_files import sync_folder, whole_file

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
    "rules_digest",
    "write_layer",
]

FORMAT = 3
"""The version of the format of files, and of the codes in them."""
HEADER_BYTES = 4096
SUFFIX = ".layer"
SEEN = ".checked"
"""The file of the notes."""


@dataclass(frozen=True)
class Header:
    """What a file says of itself."""

    game: str
    """The specification of the game, with its parameters."""
    rules: str
    """The digest of the rules that it was made by."""
    layer: int
    name: str
    needs: tuple[int, ...]
    """The lower layers that its moves may lead to."""
    numbers: int
    bytes: int
    """Bytes of a code: 1 or 2."""
    positions: int
    won: int
    """By the side to move; for payoffs in points, how many positions in which more is still paid to it than not."""
    drawn: int
    lost: int
    longest: int
    """The greatest number of plies to a win."""
    checksum: str = ""
    """Of codes and keys."""
    keys: bool = False
    """Whether hashed keys follow the codes, of a game that does not number its positions."""
    format: int = FORMAT

    @property
    def size(self) -> int:
        """The bytes of all codes and keys."""
        return place_of_keys(self) + 8 * self.numbers if self.keys else self.numbers * self.bytes


def rules_digest(game: Game[Any]) -> str:
    """The digest of a game's rules and numbers: of all code that they use, in every process the same."""
    from gamesearch.compiler.identity import digest_of

    return digest_of(game)


def checksum(codes: Any, keys: Any = None) -> str:
    """A hash of codes, and of keys if there are any."""
    found = hashlib.blake2b(memoryview(codes).cast("B"), digest_size=16)
    if keys is not None:
        found.update(memoryview(keys).cast("B"))
    return found.hexdigest()


def refuse_no_folder(folder: Path, game: Game[Any]) -> None:
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
        with path.open("rb") as file:
            data = json.loads(file.read(HEADER_BYTES))
        header = Header(**{**data, "needs": tuple(data["needs"])})
        is_whole = path.stat().st_size == HEADER_BYTES + header.size
    except OSError as error:
        raise GamesearchError(f"{path} cannot be read: {system_reason(error)}") from None
    except (ValueError, TypeError, KeyError):
        raise damaged(path) from None
    if header.format != FORMAT:
        raise GamesearchError(f"{path} has format {header.format}, and this version reads {FORMAT}: build it anew")
    if not is_whole or header.bytes not in (1, 2):
        raise damaged(path)
    return header


def damaged(path: Path) -> GamesearchError:
    """What is said of a file that is not as it was written."""
    return GamesearchError(f"{path} is damaged: remove it, and build it anew by gamesearch database")


def read_layer(path: Path, header: Header, is_checked: bool) -> Any:
    """The codes of a file, mapped into memory for reading; with all of them compared with the checksum, or none."""
    import numpy as np

    kind = np.dtype(f"<u{header.bytes}")
    try:
        codes = np.memmap(path, kind, "r", HEADER_BYTES, (header.numbers,))
    except (OSError, ValueError):
        raise damaged(path) from None
    if is_checked and checksum(codes, read_keys(path, header) if header.keys else None) != header.checksum:
        raise damaged(path)
    return codes


def place_of_keys(header: Header) -> int:
    """Where the keys begin, behind the header."""
    return header.numbers * header.bytes + 7 & ~7


def read_keys(path: Path, header: Header) -> Any:
    """The keys of a file, mapped into memory for reading."""
    import numpy as np

    return np.memmap(path, "<i8", "r", HEADER_BYTES + place_of_keys(header), (header.numbers,))


def write_layer(folder: Path, header: Header, codes: Any, keys: Any = None) -> Header:
    """Write a file and read it back; it is on the disk when this returns. Returns the header with its checksum.

    Raises GamesearchError, and leaves nothing behind, where there is no room.
    """
    import numpy as np

    path = layer_path(folder, header.name)

    def check(written: Path) -> None:
        found = read_header(written)
        is_same = np.array_equal(read_layer(written, found, is_checked=False), codes)
        if not is_same or not (keys is None or np.array_equal(read_keys(written, found), keys)):
            raise damaged(path)

    try:
        with ThreadPoolExecutor(1) as beside, whole_file(path, check) as file:
            hashing = beside.submit(checksum, codes, keys)
            file.seek(HEADER_BYTES)
            file.write(memoryview(codes).cast("B"))
            if keys is not None:
                file.write(bytes(place_of_keys(header) - header.numbers * header.bytes))
                file.write(memoryview(keys).cast("B"))
            header = replace(header, checksum=hashing.result())
            file.seek(0)
            file.write(json.dumps(asdict(header)).encode().ljust(HEADER_BYTES - 1) + b"\n")
        sync_folder(folder)
    except OSError as error:
        raise not_written(path, error, "finished layers are safe") from None
    return header


class Seen:
    """The notes of a folder: which files were found right, as they are now."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / SEEN
        try:
            found = json.loads(self.path.read_bytes())
        except (OSError, ValueError):
            found = {}
        self.notes: dict[str, list[int]] = found if isinstance(found, dict) else {}
        self.is_changed = False

    def has(self, path: Path) -> bool:
        """Whether a file was found right and has not changed since."""
        return self.notes.get(path.name) == self.stamp(path)

    def note(self, path: Path) -> None:
        """Note that a file was found right."""
        self.notes[path.name] = self.stamp(path)
        self.is_changed = True

    def keep(self) -> None:
        """Write new notes, where the folder can be written; else the files are read whole the next time, too."""
        if not self.is_changed:
            return
        unfinished = self.path.with_name(f"{SEEN}.{os.getpid()}.unfinished")
        try:
            unfinished.write_text(json.dumps(self.notes))
            unfinished.replace(self.path)
        except OSError:
            return

    @staticmethod
    def stamp(path: Path) -> list[int]:
        """What changes with a file."""
        status = path.stat()
        return [status.st_size, status.st_mtime_ns]
