"""Record everything that happens in a search while it runs (see `gamesearch.trace.events`).

A recorder consists of several observers. `depth_first` observes searches that enter and leave nodes; `growth` observes
searches that keep their tree. All observers add events to one `log`. The log passes the events to a store, which
decides which events are kept.
"""

from collections.abc import Callable
from typing import Any, Protocol

from gamesearch.algorithms.engine.formatting import data_number, value_text
from gamesearch.algorithms.engine.result import Observer, SearchResult
from gamesearch.game import Game
from gamesearch.notation import line_names
from gamesearch.trace.recorder.depth_first import DepthFirstRecorder
from gamesearch.trace.recorder.growth import ExpansionRecorder, GrowingTree, PlayoutRecorder
from gamesearch.trace.recorder.log import EventLog, EventStore, RootExcerpt
from gamesearch.trace.recording import Recording

__all__ = ["EventForwarder", "RecordableSearch", "Recorder", "TreeRecorder"]

EVENTS = tuple(name for name in vars(Observer) if not name.startswith("_"))
"""The names of the methods of an observer, one for each kind of event."""


class RecordableSearch(Protocol):
    """A search that can be recorded: an algorithm, or a proof-number search."""

    @property
    def specification(self) -> str:
        """The name of the algorithm with its parameters."""

    @property
    def clips_values(self) -> bool:
        """Whether a value outside of the window is returned as the nearest end of the window."""

    @property
    def narrows_windows(self) -> bool:
        """Whether a better move narrows the window for later moves."""

    def game_to_search(self, game: Game, state: Any) -> Game:
        """The game that the algorithm searches when it is asked to search `state`. Some algorithms search a modified
        version of `game`."""


class EventForwarder(Observer):
    """An observer that passes each event on to other observers, if they have a method for the event."""

    def __init__(self, *observers: Observer) -> None:
        for event in EVENTS:
            methods = [getattr(each, event) for each in observers]
            defined = [method for method in methods if getattr(method, "__func__", None) is not vars(Observer)[event]]
            if defined:
                setattr(self, event, defined[0] if len(defined) == 1 else call_each(defined))


def call_each(methods: list[Callable[..., None]]) -> Callable[..., None]:
    """Return a function that passes its arguments to each of `methods`."""

    def call(*facts: Any) -> None:
        for method in methods:
            method(*facts)

    return call


class Recorder(EventForwarder):
    """An observer that records every event of the first `most` nodes. Later nodes are only counted. By default, events
    are kept in memory; a `store` can write them to a file."""

    def __init__(
        self,
        game: Game,
        state: Any,
        algorithm: RecordableSearch,
        most: int = 10_000,
        store: EventStore | None = None,
    ) -> None:
        searched, store = algorithm.game_to_search(game, state), store or EventStore(most)
        self.log = EventLog(game, searched, state, algorithm.specification, store)
        tree = GrowingTree(self.log)
        self.playouts, self.expansions = PlayoutRecorder(tree), ExpansionRecorder(tree)
        depth_first = DepthFirstRecorder(self.log, algorithm.narrows_windows, algorithm.clips_values)
        super().__init__(self.log, depth_first, tree, self.playouts, self.expansions)

    def finish(self, result: SearchResult) -> Recording:
        """Complete the recording with the result of the search, and return it.

        If a search is stopped, the values of the nodes on the path are meaningless. Therefore this method drops all
        events after the last one in which the search entered a node. The numbers of visited nodes are kept. The nodes
        on the path stay unfinished.
        """
        log, recording = self.log, self.log.recording
        if result.stopped:
            for event in log.pending:
                if event["event"] == "leave" and event["node"] in recording.nodes:
                    recording.nodes[event["node"]].nodes = event["nodes"]
            log.pending.clear()
        log.add_pending()
        self.expansions.finish_expansion()
        names = line_names(log.game, log.root, result.line)
        statistics, recorded = result.statistics, recording.recorded
        playouts, expansions = self.playouts.playouts, self.expansions.expansions
        recording.close(
            {
                "event": "end",
                "nodes": statistics.nodes,
                **({"distance_nodes": statistics.distance_nodes} if statistics.distance_nodes else {}),
                "leaves": statistics.leaves,
                "cutoffs": statistics.cutoffs,
                "table_hits": statistics.table_hits,
                "recorded": recorded,
                "left_out": log.visited - recorded,
                "value": data_number(result.value),
                "shown": value_text(result.value, signed=log.game.win_or_loss) + result.mark,
                "bound": result.bound,
                "distance": result.distance,
                "best": names[0] if names else None,
                "line": names,
                "stopped": result.stopped,
                **({"playouts": playouts} if playouts else {}),
                **({"expansions": expansions} if expansions else {}),
            }
        )
        return recording


class TreeRecorder(Recorder):
    """An observer that records only the tree near the root, which is enough for a drawing.

    The observer keeps the first `plies` plies of the tree. It keeps the best child and the first `width` children of
    each node. If `boards` is true, it also keeps the positions.
    """

    def __init__(
        self,
        game: Game,
        state: Any,
        algorithm: RecordableSearch,
        plies: int = 3,
        width: int | None = 6,
        boards: bool = False,
    ) -> None:
        super().__init__(game, state, algorithm, store=RootExcerpt(plies, width, boards))
