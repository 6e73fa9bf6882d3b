"""A search, or a proof, that is seen: its tree as a drawing, its events as a file or on standard output."""

from dataclasses import dataclass
from typing import Any

import click

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.algorithms.parts.result import SearchResult
from gamesearch.cli.messages import say
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.files import writable_path, write_file
from gamesearch.trace.observers import observe_together
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.recording import Recording
from gamesearch.trace.tree_recorder import TreeRecorder
from gamesearch.trace.writer import Watched

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

    def write_trace(self, recording: Recording | None, *, overwrite: bool) -> bool:
        """Write the trace, if there is one, and say how much of the search it is; whether it is all that is printed."""
        if recording is None or not self.trace:
            return False
        recorded, left_out = recording.end["recorded"], recording.end["left_out"]
        how = f" (--trace-nodes {self.trace_nodes})" if left_out else ""
        say(f"{self.trace}: {plural(recorded, 'node')} recorded, {left_out:,} left out{how}")
        if self.trace != "-":
            write_file(self.trace, recording.text, overwrite=overwrite)
            return False
        click.echo(recording.text, nl=False)
        return True


class Recorders:
    """What records the tree to draw, and the whole search to write down; None for what is not to be seen."""

    def __init__(self, seen: Seen, game: Game[Any], state: Any, asked: Watched) -> None:
        self.tree = TreeRecorder(game, state, asked, seen.plies, seen.width) if seen.tree else None
        self.whole = Recorder(game, state, asked, seen.trace_nodes) if seen.trace else None
        watching = [each for each in (self.tree, self.whole) if each is not None]
        self.observer = observe_together(*watching) if watching else None

    def finish(self, result: SearchResult) -> tuple[Recording | None, Recording | None]:
        """The recorded tree, and the recorded search."""
        tree = self.tree.finish(result) if self.tree is not None else None
        return tree, self.whole.finish(result) if self.whole is not None else None
