"""Recording a search by playouts: where each went, what it paid, and how the tree has grown by it."""

from typing import Any

from gamesearch.algorithms.parts.formatting import data_number, value_text, window_text
from gamesearch.algorithms.parts.result import Observer, Value
from gamesearch.game import Game
from gamesearch.trace.path import PathNode
from gamesearch.trace.recording import Recording

__all__ = ["PlayoutRecorder", "scale_facts"]


def scale_facts(game: Game[Any]) -> dict[str, Any]:
    """What a reader has to know of payoffs to average them: their extremes, and whether they are written with signs."""
    return {"least": data_number(game.MINSCORE), "greatest": data_number(game.MAXSCORE), "signed": game.win_or_loss}


class PlayoutRecorder(Observer):
    """The half of a Recorder that hears of playouts. It calls the other half for what all searches have."""

    game: Game[Any]
    recording: Recording
    nodes: int
    _path: list[PathNode]

    def __init__(self) -> None:
        self.playouts = 0
        """How many there were."""
        self._numbers: dict[int, int | None] = {}
        """The recorded number of each node of the search's tree; None where it is not written down."""
        self._weighed: list[tuple[int, int, float]] = []
        """The moves that were weighed for the present choice, each with its playouts and its bound."""
        self._counted: list[tuple[int, Value]] = []
        """The nodes of the path that the present payoff was added to, from the last on, and what counted there."""

    # What the other half does. -------------------------------------------------------------------
    def is_wanted(self, ply: int) -> bool:
        """Whether the node that is entered next is recorded."""
        raise NotImplementedError

    def take(self, event: dict[str, Any]) -> None:
        """Add an event to the recording."""
        raise NotImplementedError

    def take_pending(self) -> None:
        """Add what happened besides."""
        raise NotImplementedError

    def begin_iteration(self) -> None:
        """Note that the root is searched."""
        raise NotImplementedError

    def entered(self, here: PathNode, parent: PathNode | None, ply: int) -> dict[str, Any]:
        """What there is to know of a node beforehand."""
        raise NotImplementedError

    # What the search tells. ----------------------------------------------------------------------
    def reaches(self, state: Any, ply: int, number: int) -> None:
        """The next playout is at a node of the tree."""
        if number not in self._numbers and ply == 0:
            self.begin_iteration()
        del self._path[ply:]
        parent = self._path[-1] if self._path else None
        here = PathNode(state, self._numbers.get(number), None, None)
        if not self.game.terminal(state):
            here.note_side(self.game)
        if number not in self._numbers:
            if self.is_wanted(ply) and (parent is None or parent.number is not None):
                here.number = self.nodes
                self.take(self.entered(here, parent, ply))
            self._numbers[number] = here.number
            self.nodes += 1
        self._path.append(here)

    def weighs(self, move: int, visits: int, bound: float) -> None:
        """A move has so many playouts, and this upper confidence bound."""
        self._weighed.append((move, visits, bound))

    def follows(self, ply: int, move: int) -> None:
        """The playout follows a move of the node at this ply."""
        self.take_pending()
        here, weighed = self._path[ply], self._weighed
        here.move, self._weighed = move, []
        if here.number is not None:
            name = self.game.move_name
            bounds = [[name(here.state, each), visits, round(bound, 4)] for each, visits, bound in weighed]
            self.take({"event": "choose", "node": here.number, "move": name(here.state, move), "bounds": bounds})

    def plays_out(self, ply: int, is_known: bool, playing: Any) -> None:
        """From the node at this ply the game was played out, or what it pays is known."""
        recorded = [at for at, each in enumerate(self._path) if each.number is not None]
        here = self._path[recorded[-1]]
        tree = [each.move for each in self._path[recorded[-1] : ply]]
        moves, state = [], here.state
        for move in [*tree, *playing.moves[ply : playing.length]]:
            moves.append(self.game.move_name(state, move))
            state = self.game.result(state, move)
        payoff = self.payoff(playing.payoffs)
        facts = {"value": data_number(payoff), "shown": value_text(payoff, signed=self.game.win_or_loss)}
        self.take({"event": "playout", "node": here.number, "moves": moves, "known": is_known, **facts})

    def proves(self, ply: int, lower: float, upper: float, plies: int) -> None:
        """The value of the node at this ply is proven to lie between bounds."""
        here, game = self._path[ply], self.game
        if here.number is None:
            return
        shown = value_text(lower, signed=game.win_or_loss)
        if lower < upper:
            shown = window_text(game, lower, upper)
        elif game.win_or_loss and lower in (game.MINSCORE, game.MAXSCORE):
            shown += f" in {ply + plies}"
        bounds = {"lower": data_number(lower), "upper": data_number(upper), "shown": shown}
        self.take({"event": "proven", "node": here.number, **bounds})

    def counts(self, ply: int, payoffs: Any) -> None:
        """What the playout pays is added to the node at this ply; the root is the last."""
        here = self._path[ply]
        if here.number is not None:
            self._counted.append((here.number, self.payoff(payoffs)))
        if ply == 0:
            path = [number for number, _ in reversed(self._counted)]
            values = [data_number(payoff) for _, payoff in reversed(self._counted)]
            self._counted.clear()
            self.playouts += 1
            self.take({"event": "count", "node": path[-1], "path": path, "values": values})
            for number in path[:-1]:
                self.note_best(number)

    def payoff(self, payoffs: Any) -> Value:
        """What a playout paid, in a game of so many players."""
        players = self.game.players
        return tuple(map(float, payoffs[:players])) if players > 2 else float(payoffs[0])

    def note_best(self, number: int) -> None:
        """Note where another move of a node than before was played out most often.

        What is reached by transposition is a child of the node that reached it first.
        """
        recording = self.recording
        node = recording.nodes[number]
        if not node.children:
            return
        best = max(recording.children(node), key=lambda child: child.visits)
        if best.number != node.best_child and node.side != "chance":
            assert recording.scale is not None
            value, shown = recording.scale.average(best.tallies[-1])
            facts = {"value": value, "shown": shown, "window": None, "window_shown": ""}
            self.take({"event": "best", "node": number, "child": best.number, "move": best.move, **facts})
