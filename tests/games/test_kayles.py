from functools import cache, reduce
from itertools import product
from operator import xor

import pytest
from support import playout

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games.counting.kayles import Kayles
from gamesearch.solvers.solving import solve

PUBLISHED = (
    0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6,
    4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7,
    4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7,
)  # fmt: skip
"""The Grundy numbers of rows with 0 to 35 pins, from OEIS A002186."""


def after(rows: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return the positions after all moves, by definition; a position is a tuple with the lengths of its rows."""
    found = []
    for i, row in enumerate(rows):
        others = rows[:i] + rows[i + 1 :]
        for number in (1, 2):
            for first in range(row - number + 1):
                found.append(lengths((*others, first, row - number - first)))
    return found


def lengths(rows: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted(row for row in rows if row))


@cache
def mover_wins(rows: tuple[int, ...]) -> bool:
    return not all(mover_wins(rest) for rest in after(rows))


@pytest.mark.parametrize("rows", ["7", "3-5", "11", "2-2-2-4", "0-3"])
def test_moves_follow_the_definition_in_random_play(rows: str) -> None:
    game = Kayles(rows)
    for seed in range(8):
        for s in playout(game, seed):
            standing = lengths(game.subgames(s))
            left = [lengths(game.subgames(game.result(s, m))) for m in game.moves(s)]
            assert sorted(left) == sorted(after(standing))
            assert game.terminal(s) == (not standing)
            assert game.consistent(s)
            assert all(game.player(game.result(s, m)) == 1 - game.player(s) for m in game.moves(s))


@pytest.mark.parametrize("rows", ["1", "2", "4", "1-4", "2-7", "3-6", "1-2-3", "1-4-8"])
def test_values_follow_the_definition(rows: str) -> None:
    game = Kayles(rows)
    s = game.initial()
    wins = mover_wins(lengths(game.subgames(s)))
    for method in ("memo", "retrograde", "grundy"):
        assert solve(game, s, method, speed="interpreted").value == (1 if wins else -1)


def test_grundy_numbers_are_as_published_and_decide_the_game() -> None:
    game = Kayles("20")
    assert tuple(game.grundy(size) for size in range(36)) == PUBLISHED
    for rows in product(range(6), repeat=3):
        assert mover_wins(lengths(rows)) == (reduce(xor, map(game.grundy, rows)) != 0)


def test_the_evaluation_is_the_nim_sum() -> None:
    game = Kayles("9")
    for seed in range(10):
        for s in playout(game, seed):
            if not game.terminal(s):
                wins = mover_wins(lengths(game.subgames(s))) == (game.player(s) == MAX)
                assert game.evaluate(s) == (0.5 if wins else -0.5)


def test_keys_ignore_the_places_of_rows() -> None:
    game = Kayles("14")
    keys: dict[tuple[tuple[int, ...], int], int] = {}
    for seed in range(60):
        for s in playout(game, seed):
            rows = (lengths(game.subgames(s)), game.player(s))
            assert keys.setdefault(rows, game.key(s)) == game.key(s)
    assert len(set(keys.values())) == len(keys) > 100
    assert max(keys.values()) < 1 << 63


def test_the_longest_compiled_row_has_a_key_that_fits() -> None:
    game = Kayles("60")
    assert game.key(game.parse("60 min")) < 1 << 63
    assert len({game.key(game.parse(text)) for text in ("60", "60 min", "59", "29-30", "30-29 min")}) == 5
    assert game.key(game.parse("29-30")) == game.key(game.parse("30-29"))


def test_pins_keep_their_numbers_when_others_fall() -> None:
    game = Kayles("7")
    s = game.result(game.initial(), game.parse_move(game.initial(), "3-4"))
    assert game.format(s) == "xx..xxx min"
    assert [game.move_name(s, m) for m in game.moves(s)] == ["1", "1-2", "2", "5", "5-6", "6", "6-7", "7"]
    for text in ("3", "2-3", "4-5", "8", "0", "5-7"):
        with pytest.raises(GamesearchError, match="not a legal move"):
            game.parse_move(s, text)


def test_setup_makes_a_game_that_is_large_enough() -> None:
    game, s = Kayles("7").setup("5-9 min")
    assert isinstance(game, Kayles)
    assert game.subgames(s) == (5, 9)
    assert game.player(s) == MIN
    assert game.parse(game.format(s)) == s
    same, _ = (kayles := Kayles("7")).setup("3-3")
    assert same is kayles


def test_long_rows_are_drawn_in_tens() -> None:
    board = Kayles("12-12").board(Kayles("12-12").initial())
    assert [len(row) for row in board.rows] == [10, 10, 10]
    assert [label.strip() for label in board.row_labels] == ["0+", "10+", "20+"]
    assert [cell.text for cell in board.rows[1][:5]] == ["|", "|", ".", "|", "|"]
