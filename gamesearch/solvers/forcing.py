"""A game in which one side makes forcing moves alone: who wins so wins, whatever else could be played.

Only the attacker is held to captures and threats; the defender has all moves, so that a proof needs no trust in what a
game calls a threat. In gomoku such a win is one by fours (L. V. Allis, H. J. van den Herik and M. P. H. Huntjens 1996,
"Go-Moku solved by new search techniques", Computational Intelligence 12). Where there is none, nothing is known.
"""

from collections.abc import Iterator
from typing import Any

from gamesearch.game import CAPTURE, THREAT, Game
from gamesearch.toolkit.derived_games import Variation

__all__ = ["Forcing"]


class Forcing(Variation):
    """Another game, drawn where it is the attacker's turn and nothing is forcing; a win pays 1 and a loss -1."""

    def __init__(self, game: Game[Any], attacker: int) -> None:
        super().__init__(game)
        self.attacker, self.worth_compiling = attacker, game.worth_compiling
        self.MINSCORE, self.MAXSCORE, self.win_or_loss = -1.0, 1.0, True

    def moves(self, s: Any) -> Iterator[int]:
        """Yield the attacker's forcing moves, or all of the defender's."""
        everything = self.game.player(s) != self.attacker
        for move in self.game.moves(s):
            if everything or self.is_forcing(s, move):
                yield move

    def is_forcing(self, s: Any, m: int) -> bool:
        """Whether a move captures or threatens."""
        kind = self.game.kind_of_move(s, m)
        return kind == CAPTURE or kind == THREAT  # compiled, a tuple to look in takes longer

    def terminal(self, s: Any) -> bool:
        """Whether the game is over, or the attack is."""
        if self.game.terminal(s):
            return True
        if self.game.player(s) != self.attacker:
            return False
        for move in self.game.moves(s):
            if self.is_forcing(s, move):
                return False
        return True

    def utility(self, s: Any) -> float:
        """1 where Max has won, -1 where Min has, else 0."""
        if not self.game.terminal(s):
            return 0.0
        payoff, even = self.game.utility(s), self.game.draw_value()
        return 1.0 if payoff > even else -1.0 if payoff < even else 0.0

    def bounds(self, s: Any) -> tuple[float, float]:
        """What is certain of who wins the game itself."""
        least, greatest = self.game.bounds(s)
        even = self.game.draw_value()
        return (1.0 if least > even else -1.0), (-1.0 if greatest < even else 1.0)

    def draw_value(self) -> float:
        """0, as half of a win and a loss."""
        return 0.0
