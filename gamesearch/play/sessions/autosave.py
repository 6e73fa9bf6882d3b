"""Unfinished games: after every move, the game is saved in its own file. You can continue the game even if the program
was killed."""

import contextlib
import datetime
import glob
import itertools
from collections.abc import Iterator
from pathlib import Path

from gamesearch.errors import GamesearchError, write_error
from gamesearch.files.whole import LockHeldError, lock_new_file
from gamesearch.play.files import read_file, state_folder, write_file
from gamesearch.play.match import Match

__all__ = ["Autosave", "unfinished_games"]

COMPARED = 20  # the greatest number of unfinished games with which a loaded game is compared


class Autosave:
    """The file of the game in progress. The file is locked, so no other process writes to it or offers to continue this
    game."""

    def __init__(self) -> None:
        self.path: Path | None = None  # None before the first move, and for a loaded game that has not changed
        self.text = ""  # the record that was last saved or loaded
        self.lock = contextlib.ExitStack()

    def write(self, match: Match, text: str) -> None:
        """Save the record of a match if it has changed or its file was removed; raises GamesearchError if the file
        cannot be written."""
        if text == self.text and (self.path is None or self.path.exists()):
            return
        if self.path is None or not self.path.parent.exists():  # without the folder, the lock is lost, too
            self.lock.close()
            self.path = self.new_path(match)
        write_file(str(self.path), text, overwrite=True)
        self.text = text

    def load(self, match: Match, text: str) -> None:
        """Continue a loaded match. If the same unfinished game was saved before, its file is used again."""
        self.release()
        self.text = text
        pattern = f"{glob.escape(stem_of(match))}-*{match.game.record_suffix}"
        for path in itertools.islice(unfinished_games(pattern), COMPARED):
            with contextlib.suppress(GamesearchError):
                if read_file(str(path), match.game) == (match.start, match.moves) and self.claim(path):
                    self.path = path
                    return

    def remove(self) -> None:
        """Remove the file, because the game is finished."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)
        self.release()

    def release(self) -> None:
        """Keep the file as it is; the next game gets another file."""
        self.path, self.text = None, ""
        self.lock.close()

    def claim(self, path: Path) -> bool:
        """Lock a file; returns False if another process has locked it."""
        try:
            self.lock.enter_context(lock_new_file(lock_of(path)))
        except LockHeldError:
            return False
        except OSError as error:
            raise write_error(path, error) from None
        return True

    def new_path(self, match: Match) -> Path:
        """Choose and lock a new file in the user's state folder; returns its path."""
        folder, number = state_folder("games"), 1
        stem = f"{stem_of(match)}-{datetime.datetime.now():%Y%m%d-%H%M%S}"
        path = folder / f"{stem}{match.game.record_suffix}"
        while path.exists() or not self.claim(path):
            number += 1
            path = folder / f"{stem}-{number}{match.game.record_suffix}"
        return path


def unfinished_games(pattern: str = "[!.]*") -> Iterator[Path]:
    """Yield the files of unfinished games, the latest first, except games that a process is playing now. `pattern`
    selects file names."""
    try:
        folder = state_folder("games")
        remove_leftovers(folder)
        times = {path: path.stat().st_mtime for path in folder.glob(pattern)}
    except (GamesearchError, OSError):
        return
    for path in sorted(times, key=times.__getitem__, reverse=True):
        with contextlib.suppress(LockHeldError, OSError):
            with lock_new_file(lock_of(path)):
                is_there = path.is_file()
            if is_there:
                yield path


def remove_leftovers(folder: Path) -> None:
    """Remove lock files and half-written files that were left behind by killed processes."""
    for lock in folder.glob(".*.lock"):
        with contextlib.suppress(LockHeldError, OSError), lock_new_file(lock):
            for unfinished in folder.glob(f"{glob.escape(lock.stem)}.*.unfinished"):
                unfinished.unlink()


def stem_of(match: Match) -> str:
    """The name of the game. The names of the files in which the match is saved begin with it."""
    return Path(match.game.name).stem


def lock_of(path: Path) -> Path:
    """The path of the lock file for a file; both are in the same folder."""
    return path.with_name(f".{path.name}.lock")
