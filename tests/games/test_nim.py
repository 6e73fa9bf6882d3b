from functools import cache, reduce
from itertools import product
from operator import xor

import pytest

from gamesearch.api import solve
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games.counting.nim import Nim, Position


@cache
def mover_wins(heaps: tuple[int, ...], misere: bool, max_take: int) -> bool:
    """Whether the player to move wins, found by definition, without methods of the game."""
    if not any(heaps):
        return misere
    return not all(
        mover_wins((*heaps[:i], heap - number, *heaps[i + 1 :]), misere, max_take)
        for i, heap in enumerate(heaps)
        for number in range(1, min(heap, max_take or heap) + 1)
    )


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("heaps", ["0", "1", "4", "2-2", "1-3", "1-1-1", "2-1-2"])
@pytest.mark.parametrize("max_take", [0, 2])
def test_values_follow_the_definition(heaps: str, misere: bool, max_take: int) -> None:
    game = Nim(heaps, misere, max_take)
    wins = mover_wins(game.start, misere, max_take)
    assert solve(game, game.initial(), "memo", speed="interpreted").value == (1 if wins else -1)


@pytest.mark.parametrize("max_take", [0, 1, 3])
def test_grundy_values_decide(max_take: int) -> None:
    game = Nim("5-5-5", max_take=max_take)
    assert game.impartial
    assert not Nim(misere=True).impartial
    for heaps in product(range(6), repeat=3):
        values = [game.grundy(size) for size in game.subgames(Position(heaps, MAX))]
        assert mover_wins(heaps, False, max_take) == (reduce(xor, values) != 0)
        # If `max_take` limits the moves, Bouton's rule for misere play holds for Grundy numbers in place of heap sizes.
        tame = max(values) > 1
        assert mover_wins(heaps, True, max_take) == ((reduce(xor, values) != 0) == tame)


@pytest.mark.parametrize("heaps", ["7", "2-3", "1-2-3", "2-0-1-2"])
def test_levels_contain_all_positions_and_moves_descend(heaps: str) -> None:
    game = Nim(heaps)
    found = [s for level in range(sum(game.start) + 1) for s in game.states_of_level(level)]
    wanted = {Position(h, turn) for h in product(*(range(n + 1) for n in game.start)) for turn in (MAX, MIN)}
    assert len(found) == len(set(found))
    assert set(found) == wanted
    for s in found:
        assert all(game.level(game.result(s, m)) < game.level(s) for m in game.moves(s))


def test_setup_makes_a_game_for_the_position() -> None:
    game, s = Nim("3-4-5", misere=True, max_take=4).setup("7,1 min")
    assert isinstance(game, Nim)
    assert game.heaps == "7-1"
    assert (game.start, game.misere, game.max_take, s) == ((7, 1), True, 4, Position((7, 1), MIN))
    with pytest.raises(GamesearchError, match="heaps 3,4,5"):
        Nim("3-4-5").parse("7,1")
