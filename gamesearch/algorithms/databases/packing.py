"""Codes of a layer in as few bits as they need, so that each can be read where it stands, without its neighbours.

Codes are ranked by how often they come: 0 is the most common. Numbers are cut into blocks of 64, and a block is kept as
planes: bit i of word k is bit k of the rank of its number i. A block has no more planes than its rarest code needs, and
none where all its codes are the most common one. So a code takes one look at where the block is, and one at each plane,
all of which lie side by side. (Frames of their own width: M. Zukowski, S. Heman, N. Nes and P. Boncz 2006,
"Super-scalar RAM-CPU cache compression", ICDE.)

    codes     by rank, two bytes each
    groups    for each 64 blocks, at which word of the planes these begin, eight bytes
    blocks    for each block, two bytes: 32 times how many words after that of its group, plus how many planes
    planes    words of eight bytes
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import mapped, mapped_at, mapped_length

__all__ = ["BLOCK", "GROUP", "PARTS", "Packed", "is_packed", "mapped_codes", "packed", "packed_code"]

PARTS = 4
CODES, GROUPS, BLOCKS, PLANES = range(PARTS)
"""The places of the arrays of a layer, from PARTS times its own."""
BLOCK = GROUP = 64
"""How many numbers a block has, and how many blocks a group."""
CHUNK = 1 << 18
"""So many numbers are packed at a time; whole groups of blocks."""
NOT_THERE = 0
"""What is read for a number that a layer does not have; no code of one that it has."""

Together = Callable[[str, int, Sequence[Iterator[int]]], None]
"""Does some jobs, which yield how many numbers they have done, such as `Pieces.together`."""


class Packed(NamedTuple):
    """The codes of a layer, packed; the arrays may be mapped from a file."""

    codes: Any
    groups: Any
    blocks: Any
    planes: Any

    def unpacked(self, size: int) -> Any:
        """So many codes, as an array."""
        import numpy as np

        found = np.empty(size, self.codes.dtype if self.codes.max(initial=0) >= 1 << 8 else np.uint8)
        for start in range(0, size, CHUNK):
            blocks = self.blocks[start // BLOCK : (start + CHUNK) // BLOCK].astype(np.int64)
            groups = self.groups[start // BLOCK // GROUP : (start + CHUNK) // BLOCK // GROUP]
            starts = np.repeat(groups, GROUP)[: len(blocks)] + (blocks >> 5)
            ranks = np.zeros((len(blocks), BLOCK), np.uint16)
            for plane in range(int((blocks & 31).max(initial=0))):
                rows = np.flatnonzero(blocks & 31 > plane)
                words = self.planes[starts[rows] + plane].view(np.uint8).reshape(-1, 8)
                ranks[rows] |= np.unpackbits(words, axis=1, bitorder="little").astype(np.uint16) << plane
            part = found[start : start + CHUNK]
            part[:] = self.codes[ranks.ravel()[: len(part)]]
        return found


def one_after_another(_stage: str, _size: int, jobs: Sequence[Iterator[int]]) -> None:
    """Do some jobs in this thread."""
    for job in jobs:
        for _ in job:
            pass


def packed(codes: Any, workers: int = 1, together: Together = one_after_another) -> Packed:
    """An array of codes, packed by some threads; what is behind the last one, within its block, is NOT_THERE."""
    import numpy as np

    starts = range(0, len(codes), CHUNK)
    counts = np.zeros((workers, 1 << 8 * codes.itemsize), np.int64)
    parts: list[Any] = [None] * len(starts)
    counts[0, NOT_THERE] = -len(codes) % BLOCK

    def counting(place: int) -> Iterator[int]:
        for start in starts[place::workers]:
            found = np.bincount(codes[start : start + CHUNK])
            counts[place, : len(found)] += found
            yield 0

    together("packing", len(codes), [counting(place) for place in range(workers)])
    often = counts.sum(axis=0)
    by_rank = np.flatnonzero(often)
    by_rank = by_rank[np.argsort(-often[by_rank], kind="stable")]
    ranks = np.zeros(len(often), np.uint8 if len(by_rank) <= 1 << 8 else np.uint16)
    ranks[by_rank] = np.arange(len(by_rank))

    def packing(place: int) -> Iterator[int]:
        for start in starts[place::workers]:
            part = codes[start : start + CHUNK]
            parts[start // CHUNK] = planes_of(ranks.take(np.pad(part, (0, -len(part) % BLOCK))).reshape(-1, BLOCK))
            yield len(part)

    together("packing", len(codes), [packing(place) for place in range(workers)])
    widths = np.concatenate([np.zeros(0, np.int64), *(widths for widths, _ in parts)])
    ends = np.cumsum(widths)
    groups = (ends - widths)[::GROUP]
    blocks = (ends - widths - np.repeat(groups, GROUP)[: len(ends)]) << 5 | widths
    planes = np.empty(int(widths.sum()), "<i8")
    place = 0
    for number, (_, words) in enumerate(parts):
        planes[place : place + len(words)] = words
        place += len(words)
        parts[number] = None  # so that memory has them once
    return Packed(by_rank.astype("<u2"), groups.astype("<i8"), blocks.astype("<u2"), planes)


def planes_of(ranks: Any) -> tuple[Any, Any]:
    """How many planes each row of 64 ranks has, and all planes, one row after another."""
    import numpy as np

    widths = np.frexp(np.bitwise_or.reduce(ranks, axis=1).astype(np.float32))[1].astype(np.int64)
    most = int(widths.max(initial=0))
    words = np.empty((len(ranks), most), "<i8")
    for plane in range(most):
        words[:, plane] = np.packbits(ranks & 1 << plane, bitorder="little").view("<i8")
    return widths, words[np.arange(most) < widths[:, None]]


def mapped_codes(layers: Sequence[Packed | None], is_compiled: bool) -> Any:
    """The form of some layers, or None, that kernels of one speed take; the caller keeps the arrays alive."""
    return mapped([part for layer in layers for part in layer or [None] * PARTS], is_compiled)


@kernel
def is_packed(layers: Any, layer: int) -> bool:
    """Whether a layer is there."""
    return layer >= 0 and mapped_length(layers, PARTS * layer + BLOCKS) > 0


@kernel
def packed_code(layers: Any, layer: int, number: int) -> int:
    """The code of a number of a layer that is there; NOT_THERE for a number that it does not have."""
    first = PARTS * layer
    if not 0 <= number >> 6 < mapped_length(layers, first + BLOCKS):
        return NOT_THERE
    block = mapped_at(layers, first + BLOCKS, number >> 6)
    place = mapped_at(layers, first + GROUPS, number >> 12) + (block >> 5)
    if place + (block & 31) > mapped_length(layers, first + PLANES):  # on a disk that fails
        return NOT_THERE
    rank = 0
    for plane in range(block & 31):
        rank |= (mapped_at(layers, first + PLANES, place + plane) >> (number & 63) & 1) << plane
    return mapped_at(layers, first + CODES, rank) if rank < mapped_length(layers, first + CODES) else NOT_THERE
