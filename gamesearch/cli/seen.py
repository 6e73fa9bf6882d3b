"""A search, or a proof, that is seen: its tree as a drawing, its events as a file or on standard output."""

import contextlib
import io
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.cli.messages import say
from gamesearch.errors import GamesearchError, system_reason
from gamesearch.files.whole import whole_file
from gamesearch.game import Game
from gamesearch.play.files import writable_path
from gamesearch.trace.recorder import EventForwarder, Recorder, TreeRecorder, Watched
from gamesearch.trace.recording import Recording

__all__ = ["Recorders", "Seen"]


@dataclass(frozen=True)
class Seen:
    """What is to be seen of a search: its tree near the root, its trace in a file, or nothing."""

    tree: bool
    plies: int
    width: int
    trace: str | None
    trace_nodes: int

    @property
    def records_search(self) -> bool:
        """Whether the search is recorded, for its tree or its trace."""
        return bool(self.tree or self.trace)

    def refuse_recording_compiled(self, speed: str) -> None:
        """Raise GamesearchError where a search that is to be recorded is to run compiled."""
        if speed == "compiled" and self.records_search:
            what, flag = (
                ("a tree can only be watched", "--tree") if self.tree else ("a trace is only written", "--trace")
            )
            raise GamesearchError(f"{what} interpreted: leave out {flag} or --speed compiled")

    def check_trace_file(self, *, overwrite: bool) -> None:
        """Raise GamesearchError where the file of the trace may not be written."""
        if self.trace and self.trace != "-":
            writable_path(self.trace, overwrite=overwrite)

    @property
    def prints_trace(self) -> bool:
        """Whether the trace is printed instead of an answer."""
        return self.trace == "-"

    @contextlib.contextmanager
    def trace_file(self, *, overwrite: bool) -> Iterator[IO[bytes] | None]:
        """The file that the trace is written to during the search, if there is one; it gets its name at the end.

        A trace for standard output is kept in a temporary file until the search ends.
        """
        if not self.trace:
            yield None
        elif self.prints_trace:
            with tempfile.TemporaryFile() as waiting:
                yield waiting
                waiting.seek(0)
                with io.TextIOWrapper(waiting, encoding="utf-8", newline="\n") as text:
                    shutil.copyfileobj(text, sys.stdout)
        else:
            try:
                with whole_file(writable_path(self.trace, overwrite=overwrite).resolve()) as file:
                    yield file
            except OSError as error:
                raise GamesearchError(f"{self.trace} cannot be written: {system_reason(error)}") from None

    def say_recorded(self, end: Mapping[str, Any]) -> None:
        """Say how much of the search the trace is, by its last line."""
        how = f" (--trace-nodes {self.trace_nodes})" if end["left_out"] else ""
        say(f"{self.trace}: {plural(end['recorded'], 'node')} recorded, {end['left_out']:,} left out{how}")


class Recorders(contextlib.ExitStack):
    """The recorders of a search: of the tree to draw, and of the trace in a file; None for each that is not needed."""

    def __init__(self, seen: Seen, game: Game[Any], state: Any, asked: Watched, *, overwrite: bool = False) -> None:
        super().__init__()
        self.seen = seen
        self.tree = TreeRecorder(game, state, asked, seen.plies, seen.width) if seen.tree else None
        file = self.enter_context(seen.trace_file(overwrite=overwrite))
        self.whole = Recorder(game, state, asked, seen.trace_nodes, file) if file is not None else None
        watching = [each for each in (self.tree, self.whole) if each is not None]
        self.observer = EventForwarder(*watching) if watching else None

    def finish(self, result: SearchResult) -> Recording | None:
        """The recorded tree; the trace is complete."""
        if self.whole is not None:
            self.seen.say_recorded(self.whole.finish(result).end)
        return self.tree.finish(result) if self.tree is not None else None
