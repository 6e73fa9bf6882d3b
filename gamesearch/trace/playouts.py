"""Recording a search by playouts: where each went, what it paid, and how the tree has grown by it."""

from typing import Any

from gamesearch.algorithms.parts.formatting import data_number, value_text
from gamesearch.algorithms.parts.result import Value
from gamesearch.trace.writer import Writer

__all__ = ["PlayoutRecorder"]


class PlayoutRecorder(Writer):
    """The part of a Recorder that hears of playouts."""

    playouts = 0
    """How many there were."""
    _counted: tuple[tuple[int, Value], ...] = ()
    """The nodes of the path that the present payoff was added to so far, down to the last, and what counted there."""

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
            self._counted = (here.number, self.payoff(payoffs)), *self._counted
        if ply == 0:
            path = [number for number, _ in self._counted]
            values = [data_number(payoff) for _, payoff in self._counted]
            self._counted = ()
            self.playouts += 1
            self.take({"event": "count", "node": path[-1], "path": path, "values": values})
            for number in path[:-1]:
                self.note_best(number)

    def payoff(self, payoffs: Any) -> Value:
        """What a playout paid, in a game of so many players."""
        players = self.game.players
        return tuple(map(float, payoffs[:players])) if players > 2 else float(payoffs[0])
