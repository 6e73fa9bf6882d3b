"""Nim, Kayles and Dawson's chess agree with their definitions, and with published Grundy numbers."""

from functools import cache, reduce
from itertools import product
from operator import xor

import pytest
from support import playout

from gamesearch.api import solve
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games._shared.octal import OctalGame
from gamesearch.games.counting.dawson import Dawson
from gamesearch.games.counting.kayles import Kayles
from gamesearch.games.counting.nim import Nim, Position

PUBLISHED: dict[type[Dawson | Kayles], tuple[int, ...]] = {
    Kayles: (
        0, 1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4, 1, 2, 7, 1, 4, 3, 2, 1, 4, 6, 7, 4, 1, 2, 8, 5, 4, 7, 2, 1, 8, 6, 7,
    ),
    Dawson: (
        0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 0, 5, 2, 2, 3, 3, 0, 1, 1, 3, 0, 2, 1, 1, 0, 4, 5, 2, 7, 4,
        0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4, 4, 5, 5, 2,
    ),
}  # fmt: skip
"""The Grundy numbers of rows with 0, 1, 2, ... pins, from OEIS A002186 and A002187."""


# Nim. --------------------------------------------------------------------------------------------
@cache
def nim_is_won(heaps: tuple[int, ...], misere: bool, max_take: int) -> bool:
    """Whether the player to move wins, found by definition, without methods of the game."""
    if not any(heaps):
        return misere
    return not all(
        nim_is_won((*heaps[:i], heap - number, *heaps[i + 1 :]), misere, max_take)
        for i, heap in enumerate(heaps)
        for number in range(1, min(heap, max_take or heap) + 1)
    )


@pytest.mark.parametrize("max_take", [0, 1, 3])
def test_grundy_values_decide_the_winner(max_take: int) -> None:
    game = Nim("5-5-5", max_take=max_take)
    assert game.impartial
    assert not Nim(misere=True).impartial
    for heaps in product(range(6), repeat=3):
        values = [game.grundy(size) for size in game.subgames(Position(heaps, MAX))]
        assert nim_is_won(heaps, False, max_take) == (reduce(xor, values) != 0)
        # If `max_take` limits the moves, Bouton's rule for misere play holds for Grundy numbers in place of heap sizes.
        tame = max(values) > 1
        assert nim_is_won(heaps, True, max_take) == ((reduce(xor, values) != 0) == tame)


@pytest.mark.parametrize("heaps", ["7", "2-3", "2-0-1-2"])
def test_levels_contain_all_positions(heaps: str) -> None:
    game = Nim(heaps)
    found = [s for level in range(sum(game.start) + 1) for s in game.states_of_level(level)]
    wanted = {Position(h, turn) for h in product(*(range(n + 1) for n in game.start)) for turn in (MAX, MIN)}
    assert len(found) == len(set(found))
    assert set(found) == wanted


def test_setup_makes_a_game_for_the_position() -> None:
    game, s = Nim("3-4-5", misere=True, max_take=4).setup("7,1 min")
    assert isinstance(game, Nim)
    assert game.heaps == "7-1"
    assert (game.start, game.misere, game.max_take, s) == ((7, 1), True, 4, Position((7, 1), MIN))
    with pytest.raises(GamesearchError, match="heaps 3,4,5"):
        Nim("3-4-5").parse("7,1")
    kayles = Kayles("7")
    larger, wide = kayles.setup("5-9 min")
    assert isinstance(larger, Kayles)
    assert (larger.subgames(wide), larger.player(wide)) == ((5, 9), MIN)
    assert kayles.setup("3-3")[0] is kayles


# Octal games. ------------------------------------------------------------------------------------
Rows = tuple[int, ...]


def lengths(rows: Rows) -> Rows:
    return tuple(sorted(row for row in rows if row))


@pytest.mark.parametrize("kind", [Kayles, Dawson])
def test_grundy_numbers_are_as_published_and_decide_the_game(kind: type[Kayles | Dawson]) -> None:
    game = kind("12")
    assert tuple(game.grundy(size) for size in range(len(PUBLISHED[kind]))) == PUBLISHED[kind]
    for *rows, turn in product(range(5), range(5), (MAX, MIN)):
        s = game.parse("-".join(map(str, rows)))._replace(turn=turn)
        value = solve(game, s, "memo", speed="interpreted").value
        assert (value == 1) == ((reduce(xor, map(game.grundy, rows)) != 0) == (turn == MAX))
        assert game.terminal(s) or game.evaluate(s) == value / 2


@pytest.mark.parametrize("kind", [Kayles, Dawson])
def test_rows_split_by_the_octal_code_and_keys_ignore_their_places(kind: type[Kayles | Dawson]) -> None:
    game: OctalGame = kind("14")
    keys: dict[tuple[Rows, int], int] = {}
    for seed in range(40):
        for s in playout(game, seed):
            key = game.key(s)
            assert keys.setdefault((lengths(game.subgames(s)), game.player(s)), key) == key < 1 << 63
            for m in game.moves(s):
                before, rest = game.subgames(s), game.subgames(game.result(s, m))
                assert game.octal_code[sum(before) - sum(rest)] >> len(rest) - len(before) + 1 & 1
    assert len(set(keys.values())) == len(keys) > 50


def test_the_longest_compiled_row_has_a_key_that_fits() -> None:
    game = Kayles("60")
    assert game.key(game.parse("60 min")) < 1 << 63
    assert len({game.key(game.parse(text)) for text in ("60", "60 min", "59", "29-30", "30-29 min")}) == 5
