"""Codes of database entries. A code is a small integer for a position: its value, and the number of plies to the end.

A code takes one byte if possible, otherwise two bytes. Codes are from the point of view of the side to move, so that a
position and the same position with exchanged sides can share one entry. If payoffs are win, loss and draw, a code
contains the plies to the end. If payoffs are points, a code contains the open payoff: the part of the payoff that is
not yet certain.

    0                   undecided: while a layer is being solved, or if the position is in no layer
    1                   no position has this number
    2                   a draw
    4 + 2 * plies       the side to move wins in this many plies
    5 + 2 * plies       the other side wins in this many plies

If payoffs are points, codes from 2 on have another meaning. Such a code is 2 + (the open payoff for the side to move) +
(the greatest possible open payoff). The open payoff can be negative, but this sum is at least 2.

The codes of a layer are packed into as few bits as they need, but each code can be read without the codes before it.
Codes are ranked by frequency; rank 0 is the most common code. The position numbers are divided into blocks of 64
numbers. A block is stored as bit planes: bit i of word k is bit k of the rank of position i in the block. The greatest
rank in a block determines how many planes the block needs. If all codes of a block have rank 0, the block has no plane.
To read a code, a search looks up its block and each plane of the block. The planes of a block are adjacent in memory.
The idea of blocks with different widths is from M. Zukowski, S. Heman, N. Nes and P. Boncz 2006, "Super-scalar RAM-CPU
cache compression", ICDE.

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
from gamesearch.game import MAX, Game
from gamesearch.toolkit.bits import mix

__all__ = [
    "BLOCK", "DRAWN", "GROUP", "NO_POSITION", "PARTS", "UNDECIDED", "WON", "Layers", "PackedCodes", "certain_payoff",
    "code_in_layers", "code_seen_by", "decode", "encode", "greatest_open_payoff", "is_packed", "mapped_codes", "pack",
    "packed_code", "plies_of",
]  # fmt: skip

PARTS = 4
CODES, GROUPS, BLOCKS, PLANES = range(PARTS)
"""The list of all arrays has four arrays for each layer. The first array of layer n has index PARTS * n. Each of the
four constants is the offset of an array from this index."""
BLOCK = GROUP = 64
"""The number of positions in a block, and also the number of blocks in a group."""
CHUNK = 1 << 18
"""The number of codes that are packed in one step. It is a multiple of the number of positions in a group."""
NOT_THERE = 0
"""The code that a lookup returns for a position number outside of a layer. No position of a layer has this code."""

RunJobs = Callable[[str, int, Sequence[Iterator[int]]], None]
"""A function that runs jobs (see `Workers.run_jobs`). A job is an iterator. After each step, it yields the size of this
step."""


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


def run_in_order(_stage: str, _size: int, jobs: Sequence[Iterator[int]]) -> None:
    """Run jobs in this thread, one after another."""
    for job in jobs:
        for _ in job:
            pass


def pack(codes: Any, workers: int = 1, run_jobs: RunJobs = run_in_order) -> PackedCodes:
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
    """Convert rows of 64 ranks to bit planes. Returns the number of planes of each row, and the planes."""
    import numpy as np

    widths = np.frexp(np.bitwise_or.reduce(ranks, axis=1).astype(np.float32))[1].astype(np.int64)
    most = int(widths.max(initial=0))
    words = np.empty((len(ranks), most), "<i8")
    for plane in range(most):
        words[:, plane] = np.packbits(ranks & 1 << plane, bitorder="little").view("<i8")
    return widths, words[np.arange(most) < widths[:, None]]


def mapped_codes(layers: Sequence[PackedCodes | None], is_compiled: bool) -> Any:
    """Convert layers to the form that interpreted or compiled kernels expect. A missing layer is None. The caller must
    keep the arrays alive."""
    return map_arrays([part for layer in layers for part in layer or [None] * PARTS], is_compiled)


@kernel
def is_packed(layers: Any, layer: int) -> bool:
    """Whether `layers` contains a layer with this number."""
    return layer >= 0 and mapped_length(layers, PARTS * layer + BLOCKS) > 0


@kernel
def packed_code(layers: Any, layer: int, number: int) -> int:
    """The code of the position with this number in an existing layer; NOT_THERE for a number outside of the layer."""
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


UNDECIDED, NO_POSITION, DRAWN = range(3)
WON = 4
"""The code of a win in 0 plies. The code of a loss in 0 plies is WON + 1. Each ply adds 2 to a code."""


class Layers(NamedTuple):
    """The solved layers of a database, in the form that kernels read. Layer n has index n."""

    codes: Any
    """Packed codes, from `mapped_codes`; None for a game that does not number its positions."""
    keyed: Any = None
    """Packed codes for a game that does not number its positions."""
    keys: Any = None
    """The hashed keys of the positions in each layer of `keyed`, in ascending order."""
    folds: Any = None
    """If `folds` is 1, symmetric positions share one entry, and the smallest of their keys finds it. Otherwise, `folds`
    is None."""


@kernel
def greatest_open_payoff(game: Game) -> float:
    """Return the greatest possible absolute value of an open payoff (the part of a payoff that is not yet certain)."""
    return float(max(game.MAXSCORE, -game.MINSCORE))


@kernel
def encode(game: Game, value: float, plies: int, player: int) -> int:
    """The code of a value for the side to move. If payoffs are points, `value` is the part of the payoff that is not
    yet certain. The caller must make sure that the code fits into two bytes."""
    if not game.win_or_loss:
        return DRAWN + int(greatest_open_payoff(game) + (value if player == MAX else -value))
    if value != game.MAXSCORE and value != game.MINSCORE:
        return DRAWN
    return WON + 2 * plies + (0 if (value == game.MAXSCORE) == (player == MAX) else 1)


@kernel
def decode(game: Game, code: int, player: int) -> tuple[float, int]:
    """Decode the code of a decided position. Returns its value and the plies to the end of the game."""
    if not game.win_or_loss:
        paid = code - DRAWN - greatest_open_payoff(game)
        return paid if player == MAX else -paid, 0
    if code < WON:
        return float(game.draw_value()), 0
    return float(game.MAXSCORE if (code & 1 == 0) == (player == MAX) else game.MINSCORE), code - WON >> 1


@kernel
def code_seen_by(code: int, is_same: bool) -> int:
    """Convert a code of win, loss or draw to the point of view of the other side. If `is_same` is true, return it
    unchanged."""
    return code if is_same or code < WON else code ^ 1


@kernel
def plies_of(code: int) -> int:
    """The plies to the end of a win or loss; -1 for other codes. The payoffs must be win, loss and draw."""
    return code - WON >> 1 if code >= WON else -1


@kernel
def code_in_layers(game: Any, s: Any, layers: Layers) -> int:
    """The code of a position that is not terminal; UNDECIDED if no layer of the database contains the position."""
    if layers.keys is not None:
        return code_of_key(key_in_layers(game, s, layers), layers)
    if layers.codes is not None:
        layer = game.layer(s)
        if is_packed(layers.codes, layer):
            return packed_code(layers.codes, layer, game.rank(s))
    return UNDECIDED


@kernel
def key_in_layers(game: Any, s: Any, layers: Layers) -> int:
    """The hashed key of a position. If `layers.folds` is given, the function hashes the keys of all symmetric
    positions, takes the least hash, and hashes it again."""
    if layers.folds is None:
        return int(mix(game.key(s)))
    least = mix(game.key(s))
    for each in game.symmetries(s):
        least = min(least, mix(game.key(each)))
    return int(mix(least))


@kernel
def code_of_key(key: int, layers: Layers) -> int:
    """The code of the position with a hashed key; UNDECIDED if no layer contains the key."""
    place = 0
    while mapped_length(layers.keys, place) > 0:
        low, high = 0, mapped_length(layers.keys, place)
        while low < high:
            middle = low + high >> 1
            if mapped_at(layers.keys, place, middle) < key:
                low = middle + 1
            else:
                high = middle
        if low < mapped_length(layers.keys, place) and mapped_at(layers.keys, place, low) == key:
            return packed_code(layers.keyed, place, low)
        place += 1
    return UNDECIDED


@kernel
def certain_payoff(game: Any, s: Any, layers: Layers) -> float:
    """The part of the payoff that is already certain. The codes of numbered positions do not contain it."""
    if layers.codes is not None:
        return float(game.certain_payoff(s))
    return 0.0
