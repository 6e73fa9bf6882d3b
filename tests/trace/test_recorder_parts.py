"""The parts of a recorder in isolation: forwarding of events, stores, and the observer of depth-first searches."""

from typing import Any

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Observer
from gamesearch.registry import load
from gamesearch.trace.recorder import EventForwarder
from gamesearch.trace.recorder.depth_first import DepthFirstRecorder
from gamesearch.trace.recorder.log import EventLog, EventStore, NearRoot


class Moves(Observer):
    """An observer that records moves and ignores all other events."""

    def __init__(self) -> None:
        self.seen: list[int] = []

    def move(self, ply: int, move: int) -> None:
        """Record a move."""
        self.seen.append(move)


def search_two_moves(store: EventStore) -> EventLog:
    """Report a search of a tree with two moves to an observer, as an algorithm does; the second move is the best."""
    game = load("[3, 5]")
    root, algorithm = game.initial(), load_algorithm("alphabeta")
    log = EventLog(game, root, algorithm, store)
    recorder = DepthFirstRecorder(log, narrows=True, clips=False)
    infinity = float("inf")
    recorder.enter(root, 0, -infinity, infinity)
    for move, alpha in zip(game.moves(root), (-infinity, 3.0), strict=True):
        recorder.move(0, move)
        child = game.result(root, move)
        recorder.enter(child, 1, alpha, infinity)
        recorder.leave(1, game.utility(child))
    recorder.leave(0, 5.0)
    log.add_pending()
    return log


def test_an_event_goes_to_every_observer_that_defines_it() -> None:
    one, other = Moves(), Moves()
    both = EventForwarder(EventForwarder(one), Observer(), other)
    both.move(0, 7)
    both.recurrence(0)
    assert (one.seen, other.seen) == ([7], [7])


def test_an_event_of_one_observer_is_not_wrapped() -> None:
    moves = Moves()
    assert EventForwarder(Observer(), moves).move == moves.move


def test_the_first_nodes_are_recorded_with_their_boards() -> None:
    log = search_two_moves(EventStore(most=2))
    assert log.visited == 3
    assert list(log.recording.nodes) == [0, 1]
    root = log.recording.nodes[0]
    assert (root.value, root.bound, root.nodes) == (5, "exact", 3)
    assert [event["event"] for event in log.recording.events] == [
        "iteration", "enter", "enter", "leave", "best", "best", "leave"
    ]  # fmt: skip


def test_near_the_root_the_best_child_replaces_the_last_one() -> None:
    log = search_two_moves(NearRoot(plies=1, width=1))
    recording = log.recording
    assert recording.events == []
    assert [(node.number, node.value) for node in recording.nodes.values()] == [(0, 5), (2, 5)]


def test_equal_positions_are_drawn_once() -> None:
    game = load("tictactoe")
    log = EventLog(game, game.initial(), load_algorithm("alphabeta"), EventStore(most=10))
    first: dict[str, Any] = log.picture(game.initial())
    assert log.picture(game.initial()) is first
    assert first["position"] == ".../.../..."
