"""Packed codes are read correctly, a whole layer at a time and one by one, interpreted and compiled."""

from typing import Any

import numpy as np
import pytest

from gamesearch import compiler
from gamesearch.algorithms.databases.codes import NOT_THERE, PackedCodes, mapped_codes, pack, packed_code
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.compiler import kernel
from gamesearch.registry import load
from gamesearch.solvers.databases.folders import ignore_progress
from gamesearch.solvers.databases.workers import Workers


@kernel
def all_codes(layers: Any, layer: int, size: int, found: Any) -> int:
    """Read all codes of a layer, one by one."""
    for number in range(size):
        found[number] = packed_code(layers, layer, number)
    return packed_code(layers, layer, size) + packed_code(layers, layer, -1) + packed_code(layers, layer, 1 << 40)


def random_codes(size: int, kinds: int, kind: Any) -> Any:
    """Return random codes: mostly a few different codes, and some stretches in which all codes are equal."""
    source = np.random.default_rng(size + kinds)
    codes = (1 + kinds * source.random(size) ** 3).astype(kind)
    codes[size // 3 : size // 2] = 1
    return codes


@pytest.mark.parametrize(
    ("size", "kinds", "kind"),
    [
        (1, 1, np.uint8),
        (64, 200, np.uint8),
        (70_000, 7, np.uint8),
        (70_000, 300, np.uint16),
        (300_001, 60_000, np.uint16),
    ],
)
@pytest.mark.parametrize("is_compiled", [False, True])
@pytest.mark.xdist_group("packing")
def test_codes_are_read_back_as_they_were(size: int, kinds: int, kind: Any, is_compiled: bool) -> None:
    codes = random_codes(size, kinds, kind)
    kept = pack(codes)
    assert np.array_equal(kept.unpack(size), codes)
    size = min(size, 5_000) if not is_compiled else size
    layers, found = mapped_codes([None, kept], is_compiled), np.zeros(size, np.int64)
    code = compiler.prepare(all_codes, load("nim"), (layers, 1, size, found)) if is_compiled else all_codes
    assert code(layers, 1, size, found) == (NOT_THERE if size == len(codes) else packed_code(layers, 1, size))
    assert np.array_equal(found, codes[:size])


def test_threads_pack_the_same() -> None:
    codes = random_codes(600_000, 100, np.uint8)
    workers = Workers(Runner(load("nim"), "compiled"), 3, ignore_progress)
    for one, three in zip(pack(codes), pack(codes, 3, workers.run_jobs), strict=True):
        assert np.array_equal(one, three)


def test_the_rarest_code_of_a_block_decides_the_number_of_bits() -> None:
    """Each of eight different codes needs three bits; a block with only the most common code needs no bits."""
    codes = np.full(64 * 100, 9, np.uint8)
    codes[640:704] = np.arange(64) % 8 + 2
    kept = pack(codes)
    assert len(kept.planes) == 3
    assert kept.codes[0] == 9


def test_a_missing_place_has_no_code() -> None:
    """If a disk error damages a block, its codes are read without reading past the end of the block."""
    kept = pack(random_codes(1000, 30, np.uint8))
    blocks = np.full_like(kept.blocks, 0xFFFF)
    layers = mapped_codes([PackedCodes(kept.codes, kept.groups, blocks, kept.planes)], is_compiled=False)
    assert packed_code(layers, 0, 500) == NOT_THERE
