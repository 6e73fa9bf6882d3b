"""A proof by proof numbers that is seen: its tree and its trace, for `solve` and `watch`."""

from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.parts.result import Monitor
from gamesearch.game import Game
from gamesearch.play.files import writable_path
from gamesearch.solvers.watching import proof_to_watch, watch_proof
from gamesearch.trace.observers import observe_together
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.recording import Recording
from gamesearch.trace.tree_recorder import TreeRecorder

__all__ = ["Seen", "proof_recorded"]


@dataclass(frozen=True)
class Seen:
    """What is to be seen of a proof: its tree near the root, its trace in a file, or nothing."""

    tree: bool
    plies: int
    width: int
    trace: str | None
    trace_nodes: int

    def __bool__(self) -> bool:
        """Whether anything is."""
        return bool(self.tree or self.trace)

    def check(self, *, overwrite: bool) -> None:
        """Raise GamesearchError where the file may not be written."""
        if self.trace and self.trace != "-":
            writable_path(self.trace, overwrite=overwrite)

    def recorded(
        self, game: Game[Any], state: Any, method: str, monitor: Monitor
    ) -> tuple[Recording | None, Recording | None]:
        """The tree to draw, and the search to write down; None for what was not asked for."""
        asked = proof_to_watch(game, state, method)
        tree = TreeRecorder(game, state, asked, self.plies, self.width) if self.tree else None
        whole = Recorder(game, state, asked, self.trace_nodes) if self.trace else None
        watched = [each for each in (tree, whole) if each is not None]
        result = watch_proof(game, state, asked, observe_together(*watched), monitor=monitor)
        drawn = tree.finish(result) if tree is not None else None
        return drawn, whole.finish(result) if whole is not None else None


def proof_recorded(game: Game[Any], state: Any, method: str, most: int, monitor: Monitor) -> Recording:
    """A proof written down, as far as so many positions go."""
    asked = proof_to_watch(game, state, method)
    recorder = Recorder(game, state, asked, most)
    return recorder.finish(watch_proof(game, state, asked, recorder, monitor=monitor, nodes=most))
