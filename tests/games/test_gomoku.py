import random

import pytest

from gamesearch.compiler import why_interpreted
from gamesearch.game import MAX
from gamesearch.games.connecting.gomoku import Gomoku
from gamesearch.play.players.loading import default_algorithm
from gamesearch.registry import load

VARIANTS = [
    "gomoku(size=3, connect=3)",
    "gomoku(size=5, connect=4)",
    "gomoku(size=7)",
    "gomoku(size=9, exact=true)",
    "gomoku(size=6, connect=4, exact=true)",
    "gomoku(size=6, captures=true)",
    "gomoku(size=9, captures=true)",
    "gomoku",
    "gomoku(captures=true)",
    "gomoku(size=19, captures=true)",
]
AROUND = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]
Square = tuple[int, int]


class Stones:
    """A second implementation of the game, which stores stones by square (column, row) and follows lines square by
    square."""

    def __init__(self, game: Gomoku) -> None:
        self.game = game
        self.at: dict[Square, str] = {}
        self.turn = "X"
        self.pairs = {"X": 0, "O": 0}
        self.result = ""
        self.has_row = False

    def free(self) -> set[Square]:
        size = self.game.size
        return {(x, y) for x in range(size) for y in range(size) if (x, y) not in self.at}

    def play(self, square: Square) -> None:
        mover, other = self.turn, "XO"["XO".index(self.turn) - 1]
        self.at[square] = mover
        if self.game.captures:
            for dx, dy in AROUND:
                line = [(square[0] + i * dx, square[1] + i * dy) for i in (1, 2, 3)]
                if [self.at.get(each) for each in line] == [other, other, mover]:
                    del self.at[line[0]], self.at[line[1]]
                    self.pairs[mover] += 1
        lengths = [self.length(square, dx, dy) for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))]
        enough = [n == self.game.connect if self.game.exact else n >= self.game.connect for n in lengths]
        self.has_row = any(enough)
        if self.has_row or self.pairs[mover] >= 5:
            self.result = mover
        elif not self.free():
            self.result = "draw"
        self.turn = other

    def length(self, square: Square, dx: int, dy: int) -> int:
        """Return the number of stones in the row through a square in one direction and its opposite."""
        count = 1
        for sign in (1, -1):
            x, y = square[0] + sign * dx, square[1] + sign * dy
            while self.at.get((x, y)) == self.at[square]:
                count, x, y = count + 1, x + sign * dx, y + sign * dy
        return count

    def wins(self) -> set[Square]:
        """Return the free squares on which the side to move would complete a row."""
        return {square for square in self.free() if self.after(square).has_row}

    def after(self, square: Square) -> "Stones":
        copy = Stones(self.game)
        copy.at, copy.turn, copy.pairs = dict(self.at), self.turn, dict(self.pairs)
        copy.play(square)
        return copy


def square_of(game: Gomoku, m: int) -> Square:
    name = game.move_name(game.initial(), m)
    return ord(name[0]) - ord("a"), int(name[1:]) - 1


@pytest.mark.parametrize("text", VARIANTS)
def test_random_games_agree_with_the_second_implementation(text: str) -> None:
    game = load(text)
    assert isinstance(game, Gomoku)
    results = set()
    for seed in range(6 if game.size < 10 else 2):
        source, stones, s = random.Random(seed), Stones(game), game.initial()
        while not game.terminal(s):
            moves = {square_of(game, m): m for m in game.moves(s)}
            assert set(moves) == stones.free()
            assert stones.result == ""
            assert "XO"[game.player(s)] == stones.turn
            assert game.consistent(s)
            # Most moves are near other stones, so that many rows and captures occur, and also rows that are too long.
            square = source.choice(list(moves)[: 4 if source.random() < 0.7 else None])
            if game.exact and stones.after(square).has_row:
                square = source.choice(list(moves))
            s = game.result(s, moves[square])
            stones.play(square)
            assert {"X": s.max_pairs, "O": s.min_pairs} == stones.pairs
            drawn = game.format(s).split()[0].split("/")
            marks = {(x, y): drawn[game.size - 1 - y][x] for x in range(game.size) for y in range(game.size)}
            assert {square: mark for square, mark in marks.items() if mark != "."} == stones.at
        assert stones.result == {1: "X", -1: "O", 0: "draw"}[game.utility(s)]
        results.add(stones.result)
    assert results & {"X", "O"}


@pytest.mark.parametrize("text", VARIANTS[:7])
def test_bounds_and_first_moves_contain_immediate_wins(text: str) -> None:
    game = load(text)
    assert isinstance(game, Gomoku)
    found = 0
    for seed in range(4):
        source, stones, s = random.Random(seed), Stones(game), game.initial()
        while not game.terminal(s):
            side = 1 if game.player(s) == MAX else -1
            rows = stones.wins()
            moves = [square_of(game, m) for m in game.moves(s)]
            assert set(moves[: len(rows)]) == rows
            if rows:
                found += 1
                assert game.bounds(s) == (side, side)
            m = source.choice(list(game.moves(s))[2 if rows else 0 :][:6] or list(game.moves(s)))
            stones.play(square_of(game, m))
            s = game.result(s, m)
    assert found > 0


def test_large_boards_are_interpreted() -> None:
    assert why_interpreted(Gomoku()) is None
    assert "256 bits" in (why_interpreted(Gomoku(16)) or "")


def test_the_default_player_has_a_width_only_for_gomoku() -> None:
    assert "width=20" in default_algorithm(load("gomoku"))
    assert default_algorithm(load("gomoku(captures=true)")).startswith("alphabeta")
    assert default_algorithm(load("gomoku(size=3, connect=3)")).startswith("alphabeta")
