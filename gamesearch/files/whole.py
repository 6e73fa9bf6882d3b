"""Read and write whole files, decode text, and lock files.

Reading never waits for data. If writing is interrupted, the old file remains. Locks prevent two processes from writing
the same file. The library filelock is not used, because it cannot lock a file that is already open.
"""

import contextlib
import errno
import glob
import json
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Any

from gamesearch.errors import GamesearchError, refuse, system_reason, write_error

fcntl: Any = None
with contextlib.suppress(ImportError):  # a module of POSIX systems; files are not locked on other systems
    import fcntl

__all__ = [
    "LockHeldError", "Note", "decode_text", "file_path", "ignore_note", "is_protected", "lock", "lock_new_file",
    "lock_output", "open_regular", "output_path", "read_json", "read_regular", "read_text", "refuse_protected",
    "remove_unfinished", "sync_folder", "whole_file",
]  # fmt: skip

BUFFER = 1 << 20
UNFINISHED: set[Path] = set()  # the files that this process is writing and has not completed


def open_regular(path: Path) -> IO[bytes]:
    """Open a regular file for reading. Raises OSError for folders, devices and pipes. Reading a device may never end,
    and opening a named pipe may block."""
    refuse_irregular(path, path.stat())  # check before opening, because opening can change a device
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    file = os.fdopen(handle, "rb")
    try:
        refuse_irregular(path, os.fstat(handle))
    except OSError:
        file.close()
        raise
    return file


def refuse_irregular(path: Path, status: os.stat_result) -> None:
    """Raise OSError unless a file is a regular file."""
    if stat.S_ISDIR(status.st_mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not stat.S_ISREG(status.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file", str(path))


def read_regular(path: Path, most: int) -> bytes:
    """Read a regular file of at most `most` bytes; raises OSError for any other file."""
    parts, left = list[bytes](), most + 1
    with open_regular(path) as file:
        while left and (part := file.read(min(left, BUFFER))):
            parts.append(part)
            left -= len(part)
    if not left:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return b"".join(parts)


def read_beginning(path: Path, most: int) -> bytes:
    """Read a regular file. If it has more than `most` bytes, read only the first `most` bytes, without the incomplete
    line at their end."""
    with open_regular(path) as file:
        data = file.read(most)
        return data[: data.rfind(b"\n") + 1] if file.read(1) else data


@contextlib.contextmanager
def whole_file(path: Path, check: Callable[[Path], object] = lambda _: None) -> Iterator[IO[bytes]]:
    """Write a new version of a file. When the new version is completely on the disk, it replaces the old version.

    The new version first has a temporary name. `check` is called with the temporary path before the new version
    replaces the old version. If `check` or anything else raises an exception, the old file remains. The new version
    keeps the mode of the old version. If the path is a symbolic link, the link remains, and its target is replaced. The
    function begins by removing the unfinished versions of processes that were killed. Raises OSError if writing fails.
    """
    path = target_of(path)
    remove_leftovers(path)
    unfinished = path.with_name(f".{path.name}.{os.getpid()}.unfinished")
    UNFINISHED.add(unfinished)
    try:
        with unfinished.open("wb") as file:
            if os.name == "posix" and path.exists():  # before anything is written, because the file may be private
                unfinished.chmod(stat.S_IMODE(path.stat().st_mode))
            yield file
            file.flush()
            os.fsync(file.fileno())
        check(unfinished)
        unfinished.replace(path)
    finally:
        with contextlib.suppress(OSError):  # the file was renamed, or could not be created
            unfinished.unlink()
        UNFINISHED.discard(unfinished)


def target_of(path: Path) -> Path:
    """The path without symbolic links; raises OSError for a loop of links."""
    target = Path(os.path.realpath(path))
    if target.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path))
    return target


def is_protected(path: Path) -> bool:
    """Whether a file exists but is write-protected by its mode. The administrator could still write the file."""
    try:
        return not path.stat().st_mode & (stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH)
    except OSError:
        return False


def refuse_protected(path: Path) -> None:
    """Raise GamesearchError if a file that a command would extend is write-protected."""
    if is_protected(path):
        raise GamesearchError(f"{path} is write-protected: allow writing with chmod u+w, or name another file")


def remove_unfinished() -> None:
    """Remove the unfinished files of this process when the process ends."""
    for unfinished in tuple(UNFINISHED):
        with contextlib.suppress(OSError):
            unfinished.unlink()


def remove_leftovers(path: Path) -> None:
    """If a process ended while it wrote a file, remove the unfinished version (only on POSIX systems)."""
    if os.name != "posix":  # on other systems, os.kill would end the process
        return
    for leftover in path.parent.glob(f".{glob.escape(path.name)}.*.unfinished"):
        process = leftover.name.removesuffix(".unfinished").rpartition(".")[2]
        with contextlib.suppress(OSError, OverflowError, ValueError):
            try:
                os.kill(int(process), 0)
            except ProcessLookupError:
                leftover.unlink()


def sync_folder(folder: Path) -> None:
    """Flush a folder to disk, so that the names of new files survive a power failure (only on POSIX systems)."""
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


Note = Callable[[str], object]
CONTROLS = frozenset(range(32)) - frozenset(b"\t\n\v\f\r\x1a\x1b")
"""The bytes that do not occur in text. The bytes 1a and 1b are allowed, because they occur in DOS texts
and escape sequences."""


def ignore_note(_: str) -> None:
    """Ignore a notice."""


def decode_text(data: bytes, name: str, what: str = "a text file", note: Note | None = ignore_note) -> str:
    """Decode a text as UTF-8. If a text is not valid UTF-8, decode it as Latin-1 and report this by `note`.

    If `note` is None, only UTF-8 is accepted. `name` and `what` describe the file in messages. Raises GamesearchError
    for binary data.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if note is None or CONTROLS & set(data):
            raise GamesearchError(f"{name} is not {what}: it is not text{why_not_text(data)}") from None
        note(f"{name} is not valid UTF-8: it was read as Latin-1")
        return data.decode("latin-1")


def why_not_text(data: bytes) -> str:
    """Explain why bytes are not valid UTF-8, and what the user can do. Empty if the reason is unknown."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return " in UTF-8, but in UTF-16: save it as UTF-8"
    is_packed = data.startswith((b"\x1f\x8b", b"PK\3\4", b"BZh", b"\xfd7zXZ", b"\x28\xb5\x2f\xfd"))
    if is_packed:
        return ", because it is compressed: unpack it"
    return "" if CONTROLS & set(data) else " in UTF-8: save it as UTF-8"


def file_path(name: str) -> Path:
    """Return the path for a file name that the user typed; `~` means the home folder."""
    if not name.strip() or "\0" in name:
        raise GamesearchError("a file needs a name, such as game.json")
    try:
        return Path(name).expanduser()
    except RuntimeError:
        raise GamesearchError(f"cannot find the home folder for {name}") from None


def output_path(name: str) -> Path:
    """Return the path of an output file that the user named. The name `-` is refused, because it usually means standard
    output."""
    if name == "-":
        raise GamesearchError("- is not a file: name a file (only --trace can write to standard output)")
    return file_path(name)


def read_text(name: str | Path, what: str, most: int, note: Note | None = ignore_note, *, is_cut: bool = False) -> str:
    """Read a text file of at most `most` bytes; all line ends become newline characters. If `is_cut` is true, read only
    the beginning of a larger file.

    `what` describes the expected content, such as `a text file`; error messages contain this description. `note` is
    called with a message if the file is not valid UTF-8. Raises GamesearchError if the file cannot be read; the message
    contains the reason.
    """
    path = file_path(name) if isinstance(name, str) else name
    try:
        text = decode_text((read_beginning if is_cut else read_regular)(path, most), str(name), what, note)
    except FileNotFoundError:
        raise GamesearchError(f"there is no file {name}") from None
    except IsADirectoryError:
        raise GamesearchError(f"{name} is a folder, not a file") from None
    except OSError as error:
        raise GamesearchError(f"{name} cannot be read: {system_reason(error)}") from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def read_json(name: str, path: Path, most: int, kind: str, version: int, remedy: str) -> dict[str, Any]:
    """Read a JSON file that gamesearch has written. The file may have at most `most` bytes. Its field `gamesearch KIND`
    contains the version.

    `remedy` says how to make such a file. Raises GamesearchError if the file cannot be read, is damaged, or
    is of a different kind or version.
    """
    try:
        data = json.loads(read_regular(path, most).decode())
    except OSError as error:
        raise GamesearchError(f"{name} cannot be read: {system_reason(error)}") from None
    except (ValueError, RecursionError):
        raise GamesearchError(f"{name} is damaged or incomplete: {remedy}") from None
    found = data.pop(f"gamesearch {kind}", None) if isinstance(data, dict) else None
    refuse(
        (found is None, f"{name} is not a {kind} file of gamesearch: {remedy}"),
        (
            found != version,
            f"{name} has version {found}, but this gamesearch reads only version {version}: {remedy}",
        ),
    )
    return dict(data)


# Locks. -------------------------------------------------------------------------------------------
NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""The error numbers that the system reports if a file system has no locks. Some network file systems have none."""


class LockHeldError(Exception):
    """Another process holds the lock."""


def lock(handle: int, waits: bool = False) -> None:
    """Lock an open file until it is closed or the process ends. If another process holds the lock, wait if `waits` is
    true; otherwise, raise LockHeldError. Do nothing if the file system has no locks."""
    if fcntl is None:
        return
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
    except (BlockingIOError, PermissionError):
        raise LockHeldError from None
    except OSError as error:
        if error.errno not in NO_LOCKS:
            raise


@contextlib.contextmanager
def lock_new_file(path: Path, waits: bool = False) -> Iterator[None]:
    """Create and lock the file at `path`, and remove it at the end of the `with` statement.

    If another process holds the lock, wait if `waits` is true; otherwise, raise LockHeldError. Raises OSError if the
    file cannot be created.
    """
    while True:
        with path.open("ab") as file:
            lock(file.fileno(), waits)
            if not is_at(file.fileno(), path):  # the previous holder of the lock removed the file after we opened it
                continue
            try:
                yield
            finally:
                with contextlib.suppress(OSError):  # Windows cannot remove open files
                    path.unlink()
            return


@contextlib.contextmanager
def lock_output(path: Path, doing: str) -> Iterator[None]:
    """Lock a file that a command will write. The lock is another file in the same folder; if the path is a symbolic
    link, it is in the folder of the target. If another process holds the lock, the error says what that process is
    doing with the file. `doing` is the verb, such as "building"."""
    with contextlib.ExitStack() as held:
        try:
            target = target_of(path)
            held.enter_context(lock_new_file(target.with_name(f".{target.name}.lock")))
        except LockHeldError:
            raise GamesearchError(f"another process is {doing} {path}: wait, or name another file") from None
        except OSError as error:
            raise write_error(path, error) from None
        yield


def is_at(handle: int, path: Path) -> bool:
    """Whether an open file is still the file at this path."""
    try:
        return fcntl is None or os.path.samestat(os.fstat(handle), path.stat())
    except OSError:
        return False
