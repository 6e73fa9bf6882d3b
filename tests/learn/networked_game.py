"""Tic-tac-toe with inputs for a neural network: the smallest game for which a network can be learned."""

from collections.abc import Iterator

from gamesearch.game import MAX
from gamesearch.games.connecting.tictactoe import Position, TicTacToe
from gamesearch.optional import NetworkGame

__all__ = ["NetworkedGame"]


class NetworkedGame(TicTacToe, NetworkGame[Position]):
    """Tic-tac-toe, which a network sees from both sides."""

    input_count = 18
    views = 2

    def other_view(self, s: Position) -> Position:
        """The position with exchanged marks, so that `inputs` begins with the marks of the opponent in s."""
        return Position(s.noughts, s.crosses)

    def inputs(self, s: Position) -> Iterator[tuple[int, float]]:
        """Yield one input for each mark: first the marks of the side to move, then the marks of the opponent."""
        mine, theirs = (s.crosses, s.noughts) if self.player(s) == MAX else (s.noughts, s.crosses)
        for square in range(9):
            if mine >> square & 1:
                yield square, 1.0
            if theirs >> square & 1:
                yield 9 + square, 1.0
