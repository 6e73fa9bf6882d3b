"""Record a search that keeps its tree: new nodes of the tree, the paths to them, and playouts."""

from typing import Any

from gamesearch.algorithms.engine.formatting import data_number, value_text, window_text
from gamesearch.algorithms.engine.result import Observer, Value
from gamesearch.trace.events import PLAYOUTS
from gamesearch.trace.recorder.log import EventLog
from gamesearch.trace.recorder.path import PathNode
from gamesearch.trace.recording import RecordedNode

__all__ = ["GrowingTree", "PlayoutRecorder"]


class GrowingTree(Observer):
    """The recorded nodes of the tree that a search keeps, and the path from its root to the current node.

    This observer records events that occur in searches by playouts and by expansions: new nodes, followed moves, and
    proofs. If the tree grows by expansions, the event for a new node is added as soon as the value of the node is
    known.
    """

    def __init__(self, log: EventLog) -> None:
        self.log, self.game = log, log.game
        self.path: list[PathNode] = []
        self.numbers_on_path: list[int] = []
        """The numbers that the nodes on the path have in the search's tree."""
        self.weighed: list[tuple[int, int, float]] = []
        """The moves among which the search chooses next. Each move has its number of playouts, and its upper confidence
        bound or its value of computation."""
        self.forget()

    def forget(self) -> None:
        """Forget the current tree, because another tree begins."""
        self.numbers: dict[int, int | None] = {}
        """For each node of the search's tree, the number of the recorded node; None if the node is not recorded."""
        self.incomplete: set[int] = set()
        """The recorded nodes that have a child that is not recorded."""
        self.unvalued: dict[int, list[dict[str, Any]]] = {}
        """Events of new nodes whose value is not known yet, by the number of the node in the search's tree."""
        self.proof_plies: dict[int, int] = {}
        """The number of plies until the end of the game, for recorded nodes with a proven value."""
        self.log.waiting = 0

    def iteration(self, depth: int, purpose: str) -> None:  # noqa: ARG002
        """Record that another search begins, with another tree."""
        self.forget()

    def reaches(self, state: Any, ply: int, number: int) -> None:
        """Record that the search has reached a node of its tree."""
        if number not in self.numbers and ply == 0:
            self.path.clear()
            self.log.begin_iteration()
        del self.path[ply:], self.numbers_on_path[ply:]
        here = self.node(state)
        if number not in self.numbers:
            self.numbers[number] = self.add(here, self.path[-1] if self.path else None, ply, number)
        here.number = self.numbers[number]
        self.path.append(here)
        self.numbers_on_path.append(number)

    def node(self, state: Any) -> PathNode:
        """Create a path node for a state, with its side to move."""
        here = PathNode(state, None, None, None)
        if not self.game.terminal(state):
            here.note_side(self.game)
        return here

    def add(self, here: PathNode, parent: PathNode | None, ply: int, number: int, **facts: Any) -> int | None:
        """Record a new node if the store wants it; return its number in the recording, or None if it is not
        recorded."""
        log = self.log
        if log.wants(ply) and (parent is None or parent.number is not None):
            here.number = log.visited
            event = log.entry(here, parent, ply) | facts
            if log.iteration_purpose == PLAYOUTS:
                log.store.add(event)
            else:
                self.unvalued.setdefault(number, []).append(event)
                log.waiting += 1
        else:
            above = self.numbers_on_path[-1] if self.numbers_on_path else None
            log.store.leave_out(number, above, None if above is None else self.numbers.get(above))
        log.visited += 1
        return here.number

    def weighs(self, move: int, visits: int, bound: float) -> None:
        """Record one of the moves among which the search chooses next, with its number of playouts and its bound."""
        self.weighed.append((move, visits, bound))

    def follows(self, ply: int, move: int) -> None:
        """Record that the search follows a move of the node at this ply."""
        self.log.add_pending()
        here, weighed = self.path[ply], self.weighed
        here.move, self.weighed = move, []
        if here.number is not None:
            name = self.game.move_name
            bounds = [[name(here.state, each), visits, round(bound, 4)] for each, visits, bound in weighed]
            self.log.add("choose", node=here.number, move=name(here.state, move), bounds=bounds)

    def prune_move(self, ply: int, move: int, why: str) -> None:
        """Record that a move will get no further playouts."""
        if self.path:  # a search to a depth has no path in a growing tree
            here = self.path[ply]
            self.log.note(here, "left_out", move=self.game.move_name(here.state, move), why=why)

    def proves(self, ply: int, lower: float, upper: float, plies: int) -> None:
        """Record that the search has proven bounds on the value of the node at this ply."""
        here, game = self.path[ply], self.game
        if here.number is None:
            return
        shown = value_text(lower, signed=game.win_or_loss)
        if lower < upper:
            shown = window_text(game, lower, upper)
        else:
            self.proof_plies[here.number] = plies
            if game.win_or_loss and lower in (game.MINSCORE, game.MAXSCORE):
                shown += f" in {ply + plies}"
        self.log.add("proven", node=here.number, lower=data_number(lower), upper=data_number(upper), shown=shown)

    def comparable(self, number: int) -> list[RecordedNode]:
        """The children of a node from which the best child can be chosen. Empty at a chance node, or if a child is not
        recorded."""
        node = self.log.recording.nodes[number]
        if node.side == "chance" or number in self.incomplete:
            return []
        return self.log.recording.children(node)

    def add_best(self, number: int, best: RecordedNode) -> None:
        """Add an event if the best, most proving or most visited move of a node has changed.

        If several paths lead to a node, it counts as a child of the node from which it was first reached.
        """
        recording = self.log.recording
        if best.number == recording.nodes[number].best_child:
            return
        scale = recording.scale
        last = (
            best.value_history[-1]
            if scale is None or not best.playout_history
            else scale.average(best.playout_history[-1])
        )
        facts = {"child": best.number, "move": best.move, "value": last.value, "shown": last.shown}
        self.log.add("best", node=number, **facts, window=None, window_shown="")


class PlayoutRecorder(Observer):
    """Records the playouts of a growing tree."""

    def __init__(self, tree: GrowingTree) -> None:
        self.tree, self.log, self.game = tree, tree.log, tree.game
        self.playouts = 0
        self.counted: list[tuple[int, Value]] = []
        """The nodes to which the current payoff was added so far, from the last node to the root, each with the
        payoff."""

    def plays_out(self, ply: int, is_known: bool, playing: Any) -> None:
        """Record that a game was played out from the node at this ply, or that the payoff there is known."""
        path = self.tree.path
        last = max(at for at, each in enumerate(path) if each.number is not None)
        here, tree_moves = path[last], [each.move for each in path[last:ply]]
        moves = self.game.line_names(here.state, [*tree_moves, *playing.moves[ply : playing.length]])
        payoff = self.payoff(playing.payoffs)
        shown = value_text(payoff, signed=self.game.win_or_loss)
        self.log.add("playout", node=here.number, moves=moves, known=is_known, value=data_number(payoff), shown=shown)

    def counts(self, ply: int, payoffs: Any) -> None:
        """Record that the payoff of the playout is added to the node at this ply. The search reports the root last."""
        here = self.tree.path[ply]
        if here.number is not None:
            self.counted.append((here.number, self.payoff(payoffs)))
        if ply == 0:
            path = [number for number, _ in reversed(self.counted)]
            values = [data_number(payoff) for _, payoff in reversed(self.counted)]
            self.counted.clear()
            self.playouts += 1
            self.log.add("count", node=path[-1], path=path, values=values)
            for number in path[:-1]:
                if children := self.tree.comparable(number):
                    self.tree.add_best(number, max(children, key=lambda child: child.visits))

    def payoff(self, payoffs: Any) -> Value:
        """The payoff of a playout for Max, or for each player."""
        count = self.game.payoff_count
        return tuple(map(float, payoffs[:count])) if count > 1 else float(payoffs[0])
