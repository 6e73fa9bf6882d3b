import random
from contextlib import suppress
from functools import cache, reduce
from itertools import product
from operator import xor
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesearch.algorithms.node.workspace import FULL_DEPTH, Workspace
from gamesearch.algorithms.weaving.program import woven_kernel
from gamesearch.compiler import kernel, run
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN
from gamesearch.games.nim import Nim, Position
from gamesearch.registry import load, specification_of
from gamesearch.textbook.minimax import minimax


def value_and_nodes(game: Nim, speed: str, depth: int = FULL_DEPTH) -> tuple[float, int]:
    workspace = Workspace(speed == "compiled")
    value, _ = run(woven_kernel(minimax), game, speed, game.initial(), depth, 0, workspace.options, workspace.run)
    return value, int(workspace.counts_handle.read("nodes"))


@cache
def mover_wins(heaps: tuple[int, ...], misere: bool, max_take: int) -> bool:
    """The definition, independent of the game's methods."""
    if not any(heaps):
        return misere
    return not all(
        mover_wins((*heaps[:i], heap - number, *heaps[i + 1 :]), misere, max_take)
        for i, heap in enumerate(heaps)
        for number in range(1, min(heap, max_take or heap) + 1)
    )


@pytest.mark.parametrize(
    ("game", "depth", "value", "nodes"),
    [
        (Nim("1-2-3"), FULL_DEPTH, -1, 447),
        (Nim("1-2-3", misere=True), FULL_DEPTH, -1, 447),
        (Nim("3-4-5"), 3, 0, 1 + 12 + 113 + 810),
        (Nim(9, misere=True, max_take=3), FULL_DEPTH, -1, 326),
    ],
)
def test_minimax_takes_the_nodes_counted_by_hand(game: Nim, depth: int, value: int, nodes: int) -> None:
    assert value_and_nodes(game, "interpreted", depth) == (value, nodes)
    if game.max_take:
        assert value_and_nodes(game, "compiled", depth) == (value, nodes)


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("heaps", ["0", "1", "4", "2-2", "1-3", "1-1-1", "2-1-2"])
@pytest.mark.parametrize("max_take", [0, 2])
def test_values_follow_the_definition(heaps: str, misere: bool, max_take: int) -> None:
    game = Nim(heaps, misere, max_take)
    wins = mover_wins(game.start, misere, max_take)
    assert value_and_nodes(game, "interpreted")[0] == (1 if wins else -1)


def test_every_known_value() -> None:
    for known in Nim.known:
        words = dict(word.split("=") for word in known.parameters.split(", ") if word)
        game = Nim(words.get("heaps", "3-4-5"), "misere" in words, int(words.get("max_take", 0)))
        _, s = game.setup(known.position)
        wins = mover_wins(s.heaps, game.misere, game.max_take)
        assert (1 if wins == (s.turn == MAX) else -1) == known.value
        for name in known.best:
            after = game.result(s, game.parse_move(s, name))
            assert not mover_wins(after.heaps, game.misere, game.max_take)


@pytest.mark.parametrize("max_take", [0, 1, 3])
def test_grundy_values_decide(max_take: int) -> None:
    game = Nim("5-5-5", max_take=max_take)
    assert game.impartial
    assert not Nim(misere=True).impartial
    for heaps in product(range(6), repeat=3):
        values = [game.grundy(size) for size in game.subgames(Position(heaps, MAX))]
        assert mover_wins(heaps, False, max_take) == (reduce(xor, values) != 0)
        # Bouton's misere rule also holds for the limited game, on the heaps' Grundy values.
        tame = max(values) > 1
        assert mover_wins(heaps, True, max_take) == ((reduce(xor, values) != 0) == tame)


def test_one_heap_take_three() -> None:
    for heap in range(40):
        assert mover_wins((heap,), False, 3) == (heap % 4 != 0)
        assert mover_wins((heap,), True, 3) == (heap % 4 != 1)


@pytest.mark.parametrize("heaps", ["7", "2-3", "1-2-3", "2-0-1-2"])
def test_levels_hold_all_positions_and_moves_descend(heaps: str) -> None:
    game = Nim(heaps)
    found = [s for level in range(sum(game.start) + 1) for s in game.states_of_level(level)]
    wanted = {Position(h, turn) for h in product(*(range(n + 1) for n in game.start)) for turn in (MAX, MIN)}
    assert len(found) == len(set(found))
    assert set(found) == wanted
    for s in found:
        assert all(game.level(game.result(s, m)) < game.level(s) for m in game.moves(s))


def test_compiled_levels_are_the_same() -> None:
    @kernel
    def count(game: Any, levels: int) -> int:
        found = 0
        for level in range(levels):
            for s in game.states_of_level(level):
                found += (level + 1) * (s.heaps[0] + 10 * s.turn + 1)
        return found

    for game in (Nim("2-3-1"), Nim(21)):
        levels = sum(game.start) + 1
        assert run(count, game, "compiled", levels) == (count(game, levels), "compiled")


@pytest.mark.parametrize("heaps", ["12", "3-4-5", "1-0-30"])
def test_notation_round_trips(heaps: str) -> None:
    game, source = Nim(heaps), random.Random(heaps)
    for _ in range(20):
        s = game.initial()
        while not game.terminal(s):
            assert game.parse(game.format(s)) == s
            assert game.setup(game.format(s)) == (game, s)
            assert str(s.heaps[0]) in game.board(s).notes[0]
            moves = list(game.moves(s))
            assert [game.parse_move(s, game.move_name(s, m)) for m in moves] == moves
            s = game.result(s, source.choice(moves))
        assert game.parse(game.format(s)) == s


def test_notation_is_forgiving() -> None:
    game = Nim("3-4-5")
    assert game.parse(" 3-4,5  MIN") == Position((3, 4, 5), MIN)
    assert game.format(Position((3, 4, 5), MIN)) == "3,4,5 min"
    assert game.move_name(game.initial(), game.parse_move(game.initial(), "B: 3")) == "b3"
    one = Nim(heaps=21, max_take=3)
    assert one.result(one.initial(), one.parse_move(one.initial(), "2")).heaps == (19,)
    with pytest.raises(GamesearchError, match="not a legal move"):
        one.parse_move(one.initial(), "4")


def test_setup_makes_a_game_for_the_position() -> None:
    game, s = Nim("3-4-5", misere=True, max_take=4).setup("7,1 min")
    assert isinstance(game, Nim)
    assert game.heaps == "7-1"
    assert (game.start, game.misere, game.max_take, s) == ((7, 1), True, 4, Position((7, 1), MIN))
    with pytest.raises(GamesearchError, match="heaps 3,4,5"):
        Nim("3-4-5").parse("7,1")


@pytest.mark.parametrize("text", ["", "-3", "3,-4", "three", "9999999", "1048576", "3.5", "3,,4", "-".join("1" * 27)])
def test_bad_heaps_are_refused(text: str) -> None:
    with pytest.raises(GamesearchError):
        Nim(text)


def test_bad_max_take_is_refused() -> None:
    with pytest.raises(GamesearchError, match="max_take=-1"):
        Nim(max_take=-1)


@settings(deadline=None)
@given(st.one_of(st.text(), st.from_regex(r"[0-9,\- ]{0,12}( min| max)?", fullmatch=True)))
def test_garbage_raises_only_our_error(text: str) -> None:
    game = Nim()
    for read in (game.parse, game.setup, lambda text: game.parse_move(game.initial(), text)):
        with suppress(GamesearchError):
            read(text)


@pytest.mark.parametrize("text", ["nim", "nim(21, true, 3)", "nim('7,1')"])
def test_the_specification_makes_the_game_again(text: str) -> None:
    game = load(text)
    again = load(specification_of(game))
    assert specification_of(again) == specification_of(game)
    assert again.initial() == game.initial()
