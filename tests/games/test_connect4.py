"""The fields of a Connect Four state agree with a slow computation from the board."""

from typing import Any

import pytest
from support import playout

from gamesearch.games.connecting.connect4 import Connect4
from gamesearch.registry import load

SIZES = (
    "connect4",
    "connect4(rows=4, columns=5, connect=3)",
    "connect4(rows=3, columns=3, connect=2)",
    "connect4(rows=1, columns=9, connect=5)",
    "connect4(rows=9, columns=2, connect=9)",
    "connect4(rows=9, columns=9, connect=5)",
)


def lines(game: Connect4) -> list[set[tuple[int, int]]]:
    """Return all winning lines; each line is a set of (column, row) cells."""
    found = []
    for column in range(game.columns):
        for row in range(game.rows):
            for across, up in ((1, 0), (0, 1), (1, 1), (1, -1)):
                line = {(column + across * i, row + up * i) for i in range(game.connect)}
                if all(0 <= x < game.columns and 0 <= y < game.rows for x, y in line):
                    found.append(line)
    return found


def cells_of(game: Connect4, bits: int) -> set[tuple[int, int]]:
    return {divmod(bit, game.height) for bit in range(bits.bit_length()) if bits >> bit & 1}


def completing(game: Connect4, stones: set[tuple[int, int]], taken: set[tuple[int, int]]) -> set[tuple[int, int]]:
    """Return the empty cells that would complete a line of the given stones."""
    missing = [line - stones for line in lines(game)]
    return {cell for lacks in missing if len(lacks) == 1 for cell in lacks - taken}


def positions(text: str) -> list[tuple[Any, Any]]:
    game = load(text)
    return [(game, s) for seed in range(6) for s in playout(game, seed)]


@pytest.mark.parametrize("text", SIZES)
def test_threats_are_the_missing_cells_of_lines(text: str) -> None:
    for game, s in positions(text):
        mine, taken = cells_of(game, s.mine), cells_of(game, s.taken)
        theirs = taken - mine
        assert cells_of(game, s.threats & ~s.taken) == completing(game, mine, taken)
        assert cells_of(game, s.dangers & ~s.taken) == completing(game, theirs, taken)
        assert game.is_won(s) == any(line <= theirs for line in lines(game))
        assert game.terminal(s) == (game.is_won(s) or len(taken) == game.cells)


def test_no_stone_wins_after_a_safe_cell() -> None:
    for game, s in positions("connect4"):
        if game.terminal(s):
            continue
        after = {m: game.result(s, m) for m in game.moves(s)}
        if any(game.is_won(each) for each in after.values()):
            continue
        safe = {
            m
            for m, each in after.items()
            if game.terminal(each) or not any(game.is_won(game.result(each, reply)) for reply in game.moves(each))
        }
        assert {column for column, _ in cells_of(game, game.safe_cells(s))} == safe


def wins_in_three(game: Connect4, s: Any) -> bool:
    """Whether the player to move can win with two more stones, whatever the opponent plays after the first."""
    for m in game.moves(s):
        after = game.result(s, m)
        replies = [] if game.terminal(after) else [game.result(after, reply) for reply in game.moves(after)]
        if replies and all(
            not game.terminal(each) and any(game.is_won(game.result(each, last)) for last in game.moves(each))
            for each in replies
        ):
            return True
    return False


def test_bounds_prove_wins_that_are_three_plies_away() -> None:
    game, seen = Connect4(), 0
    for s in [s for seed in range(150) for s in playout(game, seed)]:
        score = game.score(s.stones + 3) * (-1 if s.stones & 1 else 1)
        if score and not game.terminal(s) and game.bounds(s) == (score, score):
            assert wins_in_three(game, s)
            seen += 1
    assert seen > 5


@pytest.mark.parametrize("size", ["rows=4, columns=4", "rows=3, columns=3"])
def test_a_win_pays_one_for_each_stone_that_the_winner_has_left(size: str) -> None:
    wins, game = set[int](), load(f"connect4({size}, connect=3)")
    assert isinstance(game, Connect4)
    for seed in range(20):
        s = playout(game, seed)[-1]
        if game.utility(s) != 0:
            first = s.stones & 1  # whether the winner, who made the last move, also began
            left = (game.cells + first) // 2 - (s.stones + first) // 2
            assert game.utility(s) == (left + 1 if first else -left - 1)
            wins.add(first)
    assert wins == {0, 1}
