"""Pack the codes of a layer into as few bits as they need, with random access.

Codes are ranked by frequency; rank 0 is the most common code. The numbers of positions are divided into blocks of 64. A
block is stored as bit planes: bit i of word k is bit k of the rank of position i in the block. The greatest rank in a
block determines how many planes the block needs. If all codes of a block have rank 0, the block has no plane. A code is
read by one lookup of the block and one lookup of each plane. The planes of a block are adjacent in memory. (Blocks with
different widths: M. Zukowski, S. Heman, N. Nes and P. Boncz 2006, "Super-scalar RAM-CPU cache compression", ICDE.)

    codes     by rank, two bytes each
    groups    for each group of 64 blocks, the index of the group's first word in `planes`, in eight bytes
    blocks    for each block, 32 * offset + number of planes, in two bytes; the offset of a block is the number of words
              in `planes` between the start of its group and the start of the block
    planes    words of eight bytes
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from gamesearch.compiler import kernel
from gamesearch.compiler.kernels import map_arrays, mapped_at, mapped_length

__all__ = ["BLOCK", "GROUP", "PARTS", "PackedCodes", "is_packed", "mapped_codes", "pack", "packed_code"]

PARTS = 4
CODES, GROUPS, BLOCKS, PLANES = range(PARTS)
"""The offsets of the arrays of a layer. The arrays of layer n start at index PARTS * n."""
BLOCK = GROUP = 64
"""The number of positions in a block, and also the number of blocks in a group."""
CHUNK = 1 << 18
"""The number of codes that are packed in one step, a multiple of the number of positions in a group."""
NOT_THERE = 0
"""The code that is returned for a position number outside of a layer. No position of a layer has this code."""

RunJobs = Callable[[str, int, Sequence[Iterator[int]]], None]
"""A function that runs jobs, such as `Workers.run_jobs`. A job yields the size of each step when the step is
finished."""


class PackedCodes(NamedTuple):
    """The packed codes of a layer. The arrays may be mapped from a file."""

    codes: Any
    groups: Any
    blocks: Any
    planes: Any

    def unpack(self, size: int) -> Any:
        """The first `size` codes as an array."""
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
    """Run jobs in this thread, one after another."""
    for job in jobs:
        for _ in job:
            pass


def pack(codes: Any, workers: int = 1, run_jobs: RunJobs = one_after_another) -> PackedCodes:
    """Pack an array of codes in several threads. The last block is filled up with NOT_THERE."""
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

    run_jobs("packing", len(codes), [counting(place) for place in range(workers)])
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

    run_jobs("packing", len(codes), [packing(place) for place in range(workers)])
    widths = np.concatenate([np.zeros(0, np.int64), *(widths for widths, _ in parts)])
    ends = np.cumsum(widths)
    groups = (ends - widths)[::GROUP]
    blocks = (ends - widths - np.repeat(groups, GROUP)[: len(ends)]) << 5 | widths
    planes = np.empty(int(widths.sum()), "<i8")
    place = 0
    for number, (_, words) in enumerate(parts):
        planes[place : place + len(words)] = words
        place += len(words)
        parts[number] = None  # do not keep two copies in memory
    return PackedCodes(by_rank.astype("<u2"), groups.astype("<i8"), blocks.astype("<u2"), planes)


def planes_of(ranks: Any) -> tuple[Any, Any]:
    """Convert rows of 64 ranks to bit planes. Returns the number of planes of each row, and the planes of all rows in
    sequence."""
    import numpy as np

    widths = np.frexp(np.bitwise_or.reduce(ranks, axis=1).astype(np.float32))[1].astype(np.int64)
    most = int(widths.max(initial=0))
    words = np.empty((len(ranks), most), "<i8")
    for plane in range(most):
        words[:, plane] = np.packbits(ranks & 1 << plane, bitorder="little").view("<i8")
    return widths, words[np.arange(most) < widths[:, None]]


def mapped_codes(layers: Sequence[PackedCodes | None], is_compiled: bool) -> Any:
    """Convert layers to the form that interpreted or compiled kernels expect. A missing layer is None.

    The caller must keep the arrays alive.
    """
    return map_arrays([part for layer in layers for part in layer or [None] * PARTS], is_compiled)


@kernel
def is_packed(layers: Any, layer: int) -> bool:
    """Whether `layers` contains a layer with this number."""
    return layer >= 0 and mapped_length(layers, PARTS * layer + BLOCKS) > 0


@kernel
def packed_code(layers: Any, layer: int, number: int) -> int:
    """The code of the position with a number in an existing layer; NOT_THERE for a number outside of the layer."""
    first = PARTS * layer
    if not 0 <= number >> 6 < mapped_length(layers, first + BLOCKS):
        return NOT_THERE
    block = mapped_at(layers, first + BLOCKS, number >> 6)
    place = mapped_at(layers, first + GROUPS, number >> 12) + (block >> 5)
    if place + (block & 31) > mapped_length(layers, first + PLANES):  # the file may be damaged
        return NOT_THERE
    rank = 0
    for plane in range(block & 31):
        rank |= (mapped_at(layers, first + PLANES, place + plane) >> (number & 63) & 1) << plane
    return mapped_at(layers, first + CODES, rank) if rank < mapped_length(layers, first + CODES) else NOT_THERE
