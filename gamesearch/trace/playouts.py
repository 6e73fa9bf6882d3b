"""Recording a search by playouts: where each went, what it paid, and how the tree has grown by it."""

from typing import Any

from gamesearch.algorithms.parts.formatting import data_number, value_text
from gamesearch.algorithms.parts.result import Value
from gamesearch.trace.growing import GrowingRecorder

__all__ = ["PlayoutRecorder"]


class PlayoutRecorder(GrowingRecorder):
    """The part of a Recorder that hears of playouts."""

    def __init__(self) -> None:
        super().__init__()
        self.playouts = 0
        """How many there were."""
        self._counted: list[tuple[int, Value]] = []
        """The nodes of the path that the present payoff was added to, from the last on, and what counted there."""

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
                self.note_most_played(number)

    def payoff(self, payoffs: Any) -> Value:
        """What a playout paid, in a game of so many players."""
        players = self.game.players
        return tuple(map(float, payoffs[:players])) if players > 2 else float(payoffs[0])

    def note_most_played(self, number: int) -> None:
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
            average = recording.scale.standing(best.tallies[-1], is_end=False)
            facts = {"value": average.value, "shown": average.shown, "window": None, "window_shown": ""}
            self.take({"event": "best", "node": number, "child": best.number, "move": best.move, **facts})
