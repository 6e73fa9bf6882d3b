"""The transposition table, which stores bounds on the values of searched positions.

An entry is valid for one depth. If a search to depth 4 used the result of a search to depth 6, the value would depend
on earlier searches. But a value that does not depend on estimates is the same at every greater depth, and its entry is
marked as valid for these depths. So a search returns the same value with and without a table, unless
`Options.practical` is set in a game with repetition. The values of a selective search are estimates, so such a search
may also use entries of greater depths (`Options.deeper`). Positions are identified by `bits.mix` of the game's key. For
positions that can repeat, see `gamesearch.algorithms.node.repetition`.

Two entries form a bucket of 64 bytes, which is a cache line, so that reading both entries costs no more than reading
one entry. The first entry keeps the position that was searched deepest. The second entry keeps the newest of all other
positions (D. M. Breuker, J. W. H. M. Uiterwijk and H. J. van den Herik 1994, "Replacement schemes for transposition
tables", ICCA Journal 17: the scheme TwoDeep). An entry of an earlier search counts as less deep than every new entry.

A table has its full size from the start. We also tested a table that starts small and grows. That table was slower: the
small size saved less time than it took to move the entries (see benchmarks/results.md).

If several threads use a table, one thread may read an entry while another thread writes it. The first thread may then
get a mixture of the old and the new entry. Therefore, the stored key is combined with a hash of the other fields (R.
Hyatt and T. Mann 2002, "A lock-less transposition table implementation for parallel search", ICGA Journal 25): the key
of a mixed entry does not match any position.
"""

import math
from typing import Any, ClassVar

from gamesearch.algorithms.node.records import Record, Rows, float_field, integer_field
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY, Options
from gamesearch.compiler import BorrowedArray, kernel
from gamesearch.errors import GamesearchError
from gamesearch.toolkit.bits import bits_of, mix

__all__ = ["Table", "physical_memory", "probe", "store", "stored_move"]


class Entry(Record):
    """An entry of the table. It has 32 bytes."""

    key = integer_field()
    lower = float_field()
    upper = float_field()
    move = integer_field(size=4)  # from `stored_move`
    depth = integer_field(size=2)  # depth + 1; negative if the bounds do not depend on an evaluation
    generation = integer_field(size=2)  # number of the search that stored the entry


TO_THE_END = (1 << 15) - 2
"""The depth that is stored for the root if the search goes to the end of the game. For a node at ply n, the stored
depth is TO_THE_END - n."""
LEAST_TO_THE_END = TO_THE_END - MAX_PLY
LAST_GENERATION = (1 << 15) - 1
MEGABYTE = 1 << 20
BUCKET = 2
"""The number of entries in a cache line."""
LINE_BYTES = 64


class Table:
    """The entries of a transposition table.

    Each search has a number, its generation. Entries of generation `oldest` and later generations are valid. Earlier
    entries are ignored. Allocating memory takes longer than a short search, so the memory of the last released table is
    kept for the next table of the same size.
    """

    pool: ClassVar[list[tuple[Any, int]]] = []

    def __init__(self, memory: int) -> None:
        length = 1 << (memory * MEGABYTE // 32).bit_length() - 1
        while Table.pool:
            self.entries, self.generation = Table.pool.pop()
            if len(self.entries) == length:
                break
        else:
            self.entries, self.generation = empty_entries(memory, length), 0
        self.forget()

    def forget(self) -> None:
        """Empty the table: begin a new generation, and make it the oldest valid generation."""
        self.begin_search()
        self.oldest = self.generation

    def begin_search(self) -> None:
        """Begin a new generation. Entries remain valid until the table is emptied, which happens after many thousand
        searches."""
        if self.generation == LAST_GENERATION:
            self.entries[:] = 0
            self.generation = 0
            self.oldest = 1
        self.generation += 1

    def release(self) -> None:
        """Return the entries to the pool. A released table must not be used any more."""
        Table.pool[:] = [(self.entries, self.generation)]

    def used_permille(self) -> int:
        """How many entries per thousand the current generation has filled. Only the first 1,000 entries are counted."""
        first = self.entries[:1000]
        return int(1000 * (first["generation"] == self.generation).sum() // len(first))

    def view(self, is_compiled: bool) -> Any:
        """The entries, in the form that interpreted or compiled kernels read."""
        return BorrowedArray(self.entries) if is_compiled else Rows(self.entries)


def empty_entries(memory: int, length: int) -> Any:
    """Allocate `length` entries. Raises GamesearchError if the memory is too small."""
    import numpy as np

    if memory * MEGABYTE > physical_memory():
        raise GamesearchError(f"a table of {memory} MB does not fit in this machine's memory: choose a smaller number")
    size = length * Entry.layout().itemsize
    try:
        room = np.zeros(size + LINE_BYTES, np.uint8)
    except MemoryError:
        raise GamesearchError(f"there is no room for a table of {memory} MB: choose a smaller number") from None
    first = -room.ctypes.data % LINE_BYTES  # the start of a cache line
    return room[first : first + size].view(Entry.layout())


def physical_memory() -> int:
    """The memory of this machine in bytes. If it is unknown, the result is greater than the size of any table."""
    import os

    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 1 << 62


@kernel
def bucket_of(table: Any, key: int) -> int:
    """A hashed key selects a bucket of the table. Return the index of the first entry in this bucket."""
    return key * BUCKET & (len(table) - 1)


@kernel
def stored_move(move: int) -> int:
    """Convert a move to the 31 bits that an entry stores; -1 means no move. If moves need more than 31 bits, different
    moves may get the same 31 bits."""
    return -1 if move < 0 else (move ^ move >> 31) & 0x7FFFFFFF


@kernel
def checksum(lower: float, upper: float, move: int, depth: int, generation: int) -> int:
    """A hash of the fields of an entry. Hyatt and Mann use the XOR of all words. The XOR is not enough for this table.
    In the entry of an exact value, both bounds are the same word. If both change in the same way, their XOR stays the
    same."""
    rest = move << 32 ^ generation << 16 ^ depth & 0xFFFF
    return mix(mix(rest) ^ bits_of(lower)) ^ bits_of(upper)


@kernel
def holds(entry: Any, key: int, options: Options) -> bool:
    """Whether an entry belongs to the position with this hashed key. If threads share the table, an entry may be a
    mixture of two entries, which belongs to no position."""
    stored_key = int(entry.key)
    if options.shared:
        stored_key ^= checksum(
            float(entry.lower), float(entry.upper), int(entry.move), int(entry.depth), int(entry.generation)
        )
    return stored_key == key


@kernel
def probe(table: Any, key: int, depth: int, options: Options) -> tuple[float, float, int, bool]:
    """Look up a hashed key. Returns a lower bound, an upper bound, a move, and whether the bounds hold only for this
    depth. If no entry is found, the bounds are infinite and the move is -1."""
    place = bucket_of(table, key)
    for i in range(place, place + BUCKET):
        entry = table[i]
        stored_key = entry.key
        if stored_key != key and not options.shared:
            continue
        # Read each field only once. Otherwise, another thread might change a value after it was checked and before it
        # is used.
        lower, upper, move, stored_depth = float(entry.lower), float(entry.upper), int(entry.move), int(entry.depth)
        generation = int(entry.generation)
        if options.shared and stored_key ^ checksum(lower, upper, move, stored_depth, generation) != key:
            continue
        if generation >= options.oldest:
            wanted, known = nominal(depth), abs(stored_depth) - 1
            both_to_the_end = min(wanted, known) >= LEAST_TO_THE_END
            if stored_depth > 0:
                if known == wanted or both_to_the_end or (options.deeper and known > wanted):
                    return lower, upper, move, True
            elif known <= wanted or both_to_the_end:
                return lower, upper, move, False
            return -math.inf, math.inf, move, False
    return -math.inf, math.inf, -1, False


@kernel
def nominal(depth: int) -> int:
    """The number that an entry stores for the depth of a search. For searches to the end of the game, this number is at
    least `LEAST_TO_THE_END`."""
    return max(LEAST_TO_THE_END, TO_THE_END - (FULL_DEPTH - depth)) if depth > FULL_DEPTH >> 1 else max(depth, 0)


@kernel
def store(
    table: Any, key: int, depth: int, proven: bool, lower: float, upper: float, move: int, options: Options
) -> None:
    """Store bounds on the value of a position. `key` is the hashed key of the position. If `proven` is True, the bounds
    do not depend on an evaluation.

    The new entry replaces an old entry of the same position. If the position has no old entry, the new entry replaces
    the first entry of the bucket. But a first entry that is deeper and of the same generation is kept, and the second
    entry is replaced. If `options.deeper` is set, a deeper entry of the same position and generation is kept. It is
    replaced only if the new bounds are proven and its own bounds are not. If `move` is -1, the stored move is kept.
    """
    place, stored_depth = bucket_of(table, key), nominal(depth) + 1
    deepest, newest = table[place], table[place + 1]
    is_known = holds(newest, key, options) and newest.generation >= options.oldest
    is_other = deepest.generation == options.generation and not holds(deepest, key, options)
    entry = newest if is_known or (is_other and abs(deepest.depth) > stored_depth) else deepest
    signed_depth, kept_move = -stored_depth if proven else stored_depth, stored_move(move)
    if options.deeper and entry.generation >= options.oldest and holds(entry, key, options):
        is_newer = entry.generation < options.generation or (proven and entry.depth > 0)
        if not is_newer and abs(entry.depth) > stored_depth:
            return
        if kept_move < 0:
            kept_move = int(entry.move)
    if options.shared:
        key ^= checksum(lower, upper, kept_move, signed_depth, options.generation)
    entry.key = key
    entry.lower = lower
    entry.upper = upper
    entry.depth = signed_depth
    entry.move = kept_move
    entry.generation = options.generation
