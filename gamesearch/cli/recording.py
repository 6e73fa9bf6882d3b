"""Record a search or a proof: its tree for a drawing, and its events in a file or on standard output."""

import contextlib
import io
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.algorithms.engine.result import Observer, SearchResult
from gamesearch.cli.messages import say
from gamesearch.errors import GamesearchError, system_reason
from gamesearch.files.whole import whole_file
from gamesearch.game import Game
from gamesearch.play.files import writable_path

if TYPE_CHECKING:
    from gamesearch.trace.recorder import RecordableSearch, Recorder, TreeRecorder
    from gamesearch.trace.recording import Recording

__all__ = ["Recorders", "RecordingOptions"]


@dataclass(frozen=True)
class RecordingOptions:
    """Options for recording a search: its tree near the root (--tree), or its events (--trace)."""

    tree: bool
    plies: int
    width: int
    trace: str | None
    trace_nodes: int
    trace_plies: int | None = None
    boards: bool = False
    pruned: bool = False
    windows: str = "search"

    @property
    def records_search(self) -> bool:
        """Whether --tree or --trace requires a recording of the search."""
        return bool(self.tree or self.trace)

    def refuse_recording_compiled(self, speed: str) -> None:
        """Raise GamesearchError if the options ask for a recording of a compiled search, which is not possible."""
        if speed == "compiled" and self.records_search:
            what, flag = ("a tree", "--tree") if self.tree else ("a trace", "--trace")
            why = f"{what} can be recorded only if the search runs interpreted"
            raise GamesearchError(f"{why}: leave out {flag} or --speed compiled")

    def check_trace_file(self, *, overwrite: bool) -> None:
        """Raise GamesearchError if the file of the trace must not be overwritten, or cannot be written."""
        if self.trace and self.trace != "-":
            writable_path(self.trace, overwrite=overwrite)

    @property
    def prints_trace(self) -> bool:
        """Whether the trace is printed to standard output, instead of the answer."""
        return self.trace == "-"

    @contextlib.contextmanager
    def trace_file(self, *, overwrite: bool) -> Iterator[IO[bytes] | None]:
        """A context manager that yields the file for --trace, or None if --trace is not given. The trace is first
        written to a temporary file. When the trace is complete, this file is renamed, or copied to standard output."""
        trace = self.trace
        if not trace:
            yield None
        elif self.prints_trace:
            with tempfile.TemporaryFile() as waiting:
                yield waiting
                waiting.seek(0)
                with io.TextIOWrapper(waiting, encoding="utf-8", newline="\n") as text:
                    shutil.copyfileobj(text, sys.stdout)
        else:
            path = writable_path(trace, overwrite=overwrite)
            try:  # check again at the end, because another process may have written the file in the meantime
                with whole_file(path, lambda _: writable_path(trace, overwrite=overwrite)) as file:
                    yield file
            except OSError as error:
                raise GamesearchError(f"{trace} cannot be written: {system_reason(error)}") from None

    def say_recorded(self, end: Mapping[str, Any]) -> None:
        """Report how many nodes the trace contains; `end` is the last line of the trace."""
        limit = f"--trace-nodes {self.trace_nodes}" if self.trace_plies is None else f"--trace-plies {self.trace_plies}"
        how = f" ({limit})" if end["left_out"] else ""
        say(f"{self.trace}: {plural(end['recorded'], 'node')} recorded, {end['left_out']:,} left out{how}")


class Recorders(contextlib.ExitStack):
    """The recorders for --tree and for --trace. If an option is not given, its recorder is None."""

    def __init__(
        self,
        options: RecordingOptions,
        game: Game,
        state: Any,
        searched: "RecordableSearch",
        *,
        overwrite: bool = False,
    ) -> None:
        super().__init__()
        self.options = options
        self.tree: TreeRecorder | None = None
        self.whole: Recorder | None = None
        self.observer: Observer | None = None
        if options.records_search:
            self.begin(game, state, searched, overwrite)

    def begin(self, game: Game, state: Any, searched: "RecordableSearch", overwrite: bool) -> None:
        """Create the recorders that the options --tree and --trace need."""
        from gamesearch.trace import recorder
        from gamesearch.trace.recorder.log import EventStore

        options = self.options
        if options.tree:
            needs_positions = options.boards or options.pruned
            self.tree = recorder.TreeRecorder(game, state, searched, options.plies, options.width, needs_positions)
        file = self.enter_context(options.trace_file(overwrite=overwrite))
        if file is not None:
            store = EventStore(options.trace_nodes, file, options.trace_plies)
            self.whole = recorder.Recorder(game, state, searched, store=store)
        watching = [each for each in (self.tree, self.whole) if each is not None]
        self.observer = recorder.EventForwarder(*watching)

    def finish(self, result: SearchResult) -> "Recording | None":
        """Complete the trace, and return the recorded tree, or None if --tree was not given."""
        if self.whole is not None:
            self.options.say_recorded(self.whole.finish(result).end)
        return self.tree.finish(result) if self.tree is not None else None
