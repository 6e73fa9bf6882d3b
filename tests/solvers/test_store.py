from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from test_impossible_outcomes import Coin

from gamesearch.algorithms.tree_search.node_store import find, new_store
from gamesearch.compiler import compiled, kernel, new_rows
from gamesearch.compiler.kernels import load_state, save_state
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.registry import load
from gamesearch.solvers.store import SOLVED, copy_solved, put, remove, value_from_store
from gamesearch.toolkit.bits import mix

PLACES = 16
keys = st.one_of(
    st.integers(-3, 3), st.integers(0, 20).map(lambda n: n * PLACES + 15), st.integers(-(2**63), 2**63 - 1)
)
actions = st.lists(st.tuples(st.booleans(), keys, st.integers(0, 99)), max_size=60)


@given(actions)
@example([(True, 0, 0), (True, 1 - 2**63, 0), (False, 0, 0)])  # near the smallest possible key
def test_a_store_is_a_dictionary(steps: list[tuple[bool, int, int]]) -> None:
    store, model = new_store(SOLVED, PLACES, False), dict[int, int]()
    for adds, key, number in steps:
        if adds and (len(model) < PLACES - 2 or key in model):
            put(store, key, number / 2, number)
            model[key] = number
        elif not adds:
            remove(store, key)
            model.pop(key, None)
        held = {int(entry.key): int(entry.distance) for entry in store if entry.filled}
        assert held == model
        for known, value in model.items():
            entry = store[find(store, known)]
            assert (entry.filled, entry.value, entry.distance) == (1, value / 2, value)
    larger = new_store(SOLVED, 4 * PLACES, False)
    assert copy_solved(store, larger) == len(model)
    assert {int(entry.key): int(entry.distance) for entry in larger if entry.filled} == model


@pytest.mark.parametrize("memory", [1.4, 1.6])
def test_a_growing_store_needs_space_for_the_old_and_the_new_array(
    monkeypatch: pytest.MonkeyPatch, memory: float
) -> None:
    from gamesearch.algorithms.tree_search import node_store

    monkeypatch.setattr(node_store, "physical_memory", lambda: memory * PLACES * 24)
    if memory > 1.5:
        assert len(new_store(SOLVED, PLACES, True)) == PLACES
    else:
        with pytest.raises(GamesearchError, match="more than 5 positions do not fit"):
            new_store(SOLVED, PLACES, True)


def test_a_store_is_the_same_compiled() -> None:
    rng = np.random.default_rng(1)
    stores = [new_store(SOLVED, PLACES, is_compiled) for is_compiled in (False, True)]
    functions = [(put, remove), (compiled(put), compiled(remove))]
    for key in rng.integers(-4, 40, 300).tolist():
        for store, (add, take) in zip(stores, functions, strict=True):
            if key % 3:
                take(store, key)
            elif np.count_nonzero(store["filled"]) < PLACES - 2:
                add(store, key, 0.5, 1)
    assert stores[0].tobytes() == stores[1].tobytes()


def value_by_definition(game: Game, s: Any, found: dict[Any, tuple[float, int]]) -> tuple[float, int]:
    """Return the value and the plies to the end; store both in `found` for s and all positions below."""
    if game.terminal(s):
        found[s] = float(game.utility(s)), 0
    elif game.player(s) == CHANCE:
        after = [(p, *value_by_definition(game, game.result(s, m), found)) for m, p in game.outcomes(s) if p > 0]
        found[s] = sum(p * value for p, value, _ in after), 1 + max(plies for *_, plies in after)
    else:
        side, even = 1 if game.player(s) == MAX else -1, game.draw_value()
        values = [value_by_definition(game, game.result(s, m), found) for m in game.moves(s)]
        best = side * max(side * value for value, _ in values)
        plies = [1 + plies for value, plies in values if value == best]
        found[s] = best, plies[0] if best == even else min(plies) if side * (best - even) > 0 else max(plies)
    return found[s]


@pytest.mark.parametrize(
    "game",
    [
        load("tree([{1/4: [3, -1, 2], 3/4: [0, {5, 1/2}]}, {min[4, 1], max[1, [0, [0, -7]]]}])"),
        load("random_tree(chance=true, branching=3, depth=4, values=9)"),
        Coin(),
    ],
    ids=str,
)
def test_values_follow_from_the_stored_values_of_the_children(game: Game) -> None:
    expected: dict[Any, tuple[float, int]] = {}
    value_by_definition(game, game.initial(), expected)
    store = new_store(SOLVED, 1 << 10, False)
    for s, (value, plies) in expected.items():
        put(store, mix(game.key(s)), value, plies)
    assert any(game.player(s) == CHANCE for s in expected if not game.terminal(s))
    for s, (value, plies) in expected.items():
        found, distance = value_from_store(game, s, store)
        assert found == pytest.approx(value)
        assert distance == plies


@kernel
def round_trip(rows: object, number: int, state: object) -> object:
    save_state(rows, number, state)
    return load_state(rows, number, state)


nested = st.tuples(
    st.integers(-(2**63), 2**63 - 1), st.booleans(), st.tuples(st.integers(-9, 9), st.tuples(st.integers(0, 3)))
)


@given(nested, st.integers(0, 7))
def test_states_are_kept_as_they_are_at_both_speeds(state: tuple[object, ...], number: int) -> None:
    assert round_trip(new_rows(state, 8, False), number, state) == state
    assert compiled(round_trip)(new_rows(state, 8, True), number, state) == state
