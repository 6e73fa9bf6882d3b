import math
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from gamesearch.algorithms.node.table import Table, probe, store
from gamesearch.algorithms.node.workspace import FULL_DEPTH, Options
from gamesearch.toolkit.bits import mix

UNKNOWN = (-math.inf, math.inf)
depths = st.one_of(st.integers(1, 60), st.integers(FULL_DEPTH - 60, FULL_DEPTH))


def options_of(table: Table) -> Any:
    options: Any = Options()
    options.generation, options.oldest = table.generation, table.oldest
    return options


def rows_and_options() -> tuple[Any, Any]:
    table = Table(1)
    return table.view(False), options_of(table)


def probe_bounds(depth: int, proven: bool, asked: int) -> tuple[float, float]:
    """Store the bounds -1 to 2 at a depth; return the bounds that the table then returns for the depth `asked`."""
    table, options = rows_and_options()
    store(table, mix(7), depth, proven, -1.0, 2.0, 3, options)
    lower, upper, move, _ = probe(table, mix(7), asked, options)
    assert move == 3
    return lower, upper


@given(depths, depths, st.booleans())
def test_estimates_hold_for_their_depth_and_proven_values_for_greater_ones(
    depth: int, asked: int, proven: bool
) -> None:
    both_to_the_end = min(depth, asked) > FULL_DEPTH >> 1
    holds = depth == asked or both_to_the_end or (proven and depth < asked)
    assert probe_bounds(depth, proven, asked) == ((-1, 2) if holds else UNKNOWN)


def test_selective_searches_keep_deeper_results_and_moves() -> None:
    table, options = rows_and_options()
    store(table, mix(7), 6, False, 1.0, 1.0, 3, options)
    store(table, mix(7), 6, False, 2.0, 2.0, -1, options)
    assert probe(table, mix(7), 6, options) == (2, 2, -1, True)
    options.deeper = 1
    store(table, mix(7), 6, False, 1.0, 1.0, 3, options)
    store(table, mix(7), 6, False, 2.0, 2.0, -1, options)
    assert probe(table, mix(7), 6, options) == (2, 2, 3, True)
    store(table, mix(7), 5, False, 4.0, 4.0, 4, options)
    assert probe(table, mix(7), 5, options) == (2, 2, 3, True)
    store(table, mix(7), 5, True, 4.0, 4.0, 4, options)
    assert probe(table, mix(7), 5, options) == (4, 4, 4, False)
    options.generation += 1
    store(table, mix(7), 2, False, 0.0, 0.0, 5, options)
    assert probe(table, mix(7), 2, options) == (0, 0, 5, True)


def test_positions_in_the_same_place_of_the_table_are_distinguished() -> None:
    table, options = rows_and_options()
    store(table, 5, 4, True, 1.0, 1.0, 1, options)
    assert probe(table, 5 + len(table), 4, options) == (*UNKNOWN, -1, False)
    assert probe(table, 0, 4, options) == (*UNKNOWN, -1, False)


def test_generations_begin_again_when_their_numbers_run_out() -> None:
    table = Table(1)
    begun, options = table.generation, options_of(table)
    store(table.view(False), mix(7), 4, True, 1.0, 1.0, 3, options)
    for _ in range(1 << 15):
        table.forget()
        assert 0 < table.generation < 1 << 15
        if table.generation == begun:
            break
    assert probe(table.view(False), mix(7), 4, options) == (*UNKNOWN, -1, False)
    for _ in range(1 << 15):
        table.begin_search()
        assert 0 < table.oldest <= table.generation < 1 << 15


def test_a_bucket_keeps_the_deepest_and_the_newest() -> None:
    table, options = rows_and_options()
    keys = [5 + number * len(table) for number in range(4)]  # keys that belong to the same bucket

    def known_keys() -> list[int]:
        return [number for number, key in enumerate(keys) if probe(table, key, 3, options)[2] >= 0]

    store(table, keys[0], 6, False, 0.0, 0.0, 1, options)
    store(table, keys[1], 2, False, 0.0, 0.0, 1, options)
    assert known_keys() == [0, 1]
    store(table, keys[2], 3, False, 0.0, 0.0, 1, options)
    assert known_keys() == [0, 2]  # the newest entry replaces the entry that is not the deepest
    store(table, keys[3], 7, False, 0.0, 0.0, 1, options)
    assert known_keys() == [2, 3]
    store(table, keys[2], 9, False, 0.0, 0.0, 1, options)
    assert known_keys() == [2, 3]  # a new entry for a position replaces the entry of this position


def test_a_later_search_reads_and_replaces_entries_of_an_earlier_one() -> None:
    table = Table(1)
    rows, keys = table.view(False), [5 + number * len(table.entries) for number in range(3)]
    store(rows, keys[0], 9, False, 0.0, 0.0, 1, options_of(table))
    table.begin_search()
    later = options_of(table)
    assert probe(rows, keys[0], 9, later) == (0, 0, 1, True)
    store(rows, keys[1], 2, False, 0.0, 0.0, 1, later)
    store(rows, keys[2], 1, False, 0.0, 0.0, 1, later)
    assert [probe(rows, key, 9, later)[2] for key in keys] == [-1, 1, 1]


def test_searches_to_the_end_keep_entries_near_the_root() -> None:
    table, options = rows_and_options()
    for ply, key in ((4, 5), (9, 5 + len(table)), (7, 5 + 2 * len(table))):
        store(table, key, FULL_DEPTH - ply, True, 0.0, 0.0, 1, options)
    assert [probe(table, 5 + number * len(table), FULL_DEPTH, options)[2] for number in range(3)] == [1, -1, 1]


def test_each_bucket_is_one_line_of_the_processor_cache() -> None:
    for _ in range(5):
        entries = Table(1).entries
        assert entries.ctypes.data % 64 == 0
        assert entries.strides == (32,)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 20), st.booleans()), max_size=60))
def test_a_probe_finds_the_last_entry_of_the_position(stored: list[tuple[int, int, bool]]) -> None:
    table, options = rows_and_options()
    last: dict[int, tuple[int, int, bool]] = {}
    for move, (number, depth, proven) in enumerate(stored):
        store(table, number * len(table), depth, proven, float(move), float(move), move, options)
        last[number] = move, depth, proven
    for number, (move, depth, proven) in last.items():
        found = probe(table, number * len(table), depth, options)
        assert found in [(move, move, move, not proven), (*UNKNOWN, -1, False)]
