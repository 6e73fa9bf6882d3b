"""Yavalath for three players, compared with the rules on a grid of hexagons."""

import random

import pytest

from gamesearch.games.connecting.yavalath import Yavalath

Hex = tuple[int, int]
DIRECTIONS = ((0, 1), (1, 0), (1, -1))


class Slow:
    """A second implementation of the rules, on a dictionary from cube coordinates to players."""

    def __init__(self, side: int) -> None:
        reach = range(-side + 1, side)
        self.cells: list[Hex] = [(r, q) for r in reach for q in reach if abs(r + q) < side]
        self.stones: dict[Hex, int] = {}
        self.turn, self.out = 0, set[int]()
        self.winner: int | None = None

    def longest(self, cell: Hex, player: int) -> int:
        """Return the length of the longest row through a cell if the player placed a stone there."""
        best = 0
        for dr, dq in DIRECTIONS:
            length = 1
            for sign in (1, -1):
                r, q = cell[0] + sign * dr, cell[1] + sign * dq
                while self.stones.get((r, q)) == player:
                    length += 1
                    r, q = r + sign * dr, q + sign * dq
            best = max(best, length)
        return best

    def next_player(self) -> int:
        return next(p for p in ((self.turn + i) % 3 for i in (1, 2, 3)) if p not in self.out)

    def moves(self) -> list[Hex]:
        free = [cell for cell in self.cells if cell not in self.stones]
        threats = [cell for cell in free if self.longest(cell, self.next_player()) >= 4]
        if len(threats) != 1:
            return free
        return [cell for cell in free if cell in threats or self.longest(cell, self.turn) >= 4]

    def play(self, cell: Hex) -> None:
        length = self.longest(cell, self.turn)
        self.stones[cell] = self.turn
        if length >= 4:
            self.winner = self.turn
        elif length == 3:
            self.out.add(self.turn)
        self.turn = self.next_player()

    def payoffs(self) -> tuple[float, ...] | None:
        left = [p for p in range(3) if p not in self.out]
        if self.winner is not None:
            return tuple(float(p == self.winner) for p in range(3))
        if len(left) == 1 or len(self.stones) == len(self.cells):
            return tuple(1 / len(left) if p in left else 0.0 for p in range(3))
        return None


def cell_of(game: Yavalath, m: int) -> Hex:
    return m // game.width - game.side + 1, m % game.width - game.side + 1


@pytest.mark.parametrize("side", [2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(6))
def test_random_games_follow_the_rules(side: int, seed: int) -> None:
    game, slow, source = Yavalath(side), Slow(side), random.Random(seed)
    s = game.initial()
    while slow.payoffs() is None:
        assert not game.terminal(s)
        assert game.player(s) == slow.turn
        moves = list(game.moves(s))
        assert sorted(cell_of(game, m) for m in moves) == sorted(slow.moves())
        evaluation = game.evaluate(s)
        assert sum(evaluation) == pytest.approx(1)
        assert all((x == 0) == (player in slow.out) for player, x in enumerate(evaluation))
        m = source.choice(moves)
        if source.random() < 0.7:  # prefer moves that do not lose immediately, because they make longer games
            m = next((m for m in source.sample(moves, len(moves)) if slow.longest(cell_of(game, m), slow.turn) != 3), m)
        slow.play(cell_of(game, m))
        s = game.result(s, m)
        assert game.consistent(s)
    assert game.terminal(s)
    assert game.utility(s) == slow.payoffs()
