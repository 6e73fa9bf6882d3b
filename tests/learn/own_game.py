"""A game of thirty lines with three features, as a user may write it to learn weights."""

from collections.abc import Iterator
from typing import NamedTuple

from gamesearch import MAX, Game
from gamesearch.toolkit.bits import popcount

CARDS = (3, 1, 4, 1, 5, 9, 2, 6)


class Table(NamedTuple):
    mine: int
    theirs: int
    turn: int


class Own_Game(Game[Table]):  # noqa: N801
    """The players take turns to take a card; the player whose cards have the greater sum wins."""

    feature_names = ("sum", "cards", "turn")
    weights = (0.0, 0.0, 0.0)

    def initial(self) -> Table:
        return Table(0, 0, MAX)

    def player(self, s: Table) -> int:
        return s.turn

    def moves(self, s: Table) -> Iterator[int]:
        for card in range(len(CARDS)):
            if not (s.mine | s.theirs) >> card & 1:
                yield card

    def result(self, s: Table, m: int) -> Table:
        return Table(s.mine | 1 << m, s.theirs, 1) if s.turn == MAX else Table(s.mine, s.theirs | 1 << m, MAX)

    def terminal(self, s: Table) -> bool:
        return (s.mine | s.theirs) == (1 << len(CARDS)) - 1

    def ahead(self, s: Table) -> int:
        total = 0
        for card in range(len(CARDS)):
            total += CARDS[card] * ((s.mine >> card & 1) - (s.theirs >> card & 1))
        return total

    def utility(self, s: Table) -> float:
        return 1.0 if self.ahead(s) > 0 else -1.0

    def features(self, s: Table) -> tuple[float, ...]:
        return float(self.ahead(s)), float(popcount(s.mine) - popcount(s.theirs)), 1.0 - 2.0 * s.turn
