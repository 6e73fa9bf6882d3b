"""The transposition table: bounds on the values of positions already searched.

An entry holds for one depth. A search to depth 4 must not be answered from one to depth 6, or its
value would depend on what else was searched before; but where no evaluation entered a value, the same
is found at every greater depth, and the entry says so. A search with a table thus returns what it
returns without one. Positions are told apart by `bits.mix` of the game's key. Where they can recur,
see `gamesearch.algorithms.parts.recurrence`.
"""

import math
from typing import Any, ClassVar

from gamesearch.algorithms.parts.workspace import FULL_DEPTH, record_layout
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError

__all__ = ["Table", "physical_memory", "probe", "short", "store"]

FIELDS: tuple[tuple[str, str, tuple[int, ...]], ...] = (
    ("key", "i8", ()),
    ("lower", "f8", ()),
    ("upper", "f8", ()),
    ("move", "i4", ()),  # in short
    ("depth", "i2", ()),  # plus 1; negative where no evaluation entered
    ("generation", "i2", ()),  # of the search that stored it: the entries of others do not count
)
"""32 bytes an entry."""
TO_THE_END = (1 << 15) - 2
"""The depth of entries of a search to the end of the game."""
LAST_GENERATION = (1 << 15) - 1
MEGABYTE = 1 << 20


class Table:
    """The entries, and the generation of the search that has them now.

    Fresh memory costs more than a short search, so the entries of the last table given back are lent
    again; a new generation forgets what is in them.
    """

    idle: ClassVar[list[tuple[Any, int]]] = []

    def __init__(self, memory: int) -> None:
        if memory < 1:
            raise GamesearchError(f"memory is at least 1 MB, not {memory}")
        length = 1 << (memory * MEGABYTE // 32).bit_length() - 1
        while Table.idle:
            self.entries, self.generation = Table.idle.pop()
            if len(self.entries) == length:
                break
        else:
            self.entries, self.generation = empty_entries(memory, length), 0
        self.forget()

    def forget(self) -> None:
        """Begin a new generation, for which the table is empty."""
        if self.generation == LAST_GENERATION:
            self.entries[:] = 0
            self.generation = 0
        self.generation += 1

    def give_back(self) -> None:
        """Let the next search have the entries; this one may not touch them any more."""
        Table.idle[:] = [(self.entries, self.generation)]

    def view(self, is_compiled: bool) -> Any:
        """The entries as kernels take them at either speed."""
        import numpy as np

        return self.entries if is_compiled else self.entries.view(np.recarray)


def empty_entries(memory: int, length: int) -> Any:
    """So many entries; raises GamesearchError where memory is too small."""
    import numpy as np

    if memory * MEGABYTE > physical_memory():
        raise GamesearchError(f"a table of {memory} MB is larger than this machine's memory: lower memory=")
    try:
        return np.zeros(length, record_layout(FIELDS))
    except MemoryError:
        raise GamesearchError(f"there is no room for a table of {memory} MB: lower memory=") from None


def physical_memory() -> int:
    """The bytes of this machine's memory, or more than any table where that is not known."""
    import os

    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, OSError, ValueError):
        return 1 << 62


@kernel
def slot_of(table: Any, key: int) -> int:
    """Where a hashed key belongs."""
    return key & (len(table) - 1)


@kernel
def short(move: int) -> int:
    """A move in 31 bits, which two moves of a game with compound moves may share; -1 for none."""
    return -1 if move < 0 else (move ^ move >> 31) & 0x7FFFFFFF


@kernel
def probe(table: Any, key: int, depth: int, workspace: Any) -> tuple[float, float, int]:
    """Lower and upper bound and best move, in short, for a hashed key; infinite bounds and -1 where unknown."""
    entry = table[slot_of(table, key)]
    if entry.key != key or entry.generation != workspace.generation:
        return -math.inf, math.inf, -1
    if entry.depth > 0:
        if entry.depth != nominal(depth) + 1:
            return -math.inf, math.inf, int(entry.move)
        workspace.truncated += 1  # whoever uses this value depends on the depth, too
    elif -entry.depth > nominal(depth) + 1:
        return -math.inf, math.inf, int(entry.move)
    return float(entry.lower), float(entry.upper), int(entry.move)


@kernel
def nominal(depth: int) -> int:
    """The depth; the same number at every ply of a search to the end."""
    return TO_THE_END if depth > FULL_DEPTH >> 1 else max(depth, 0)


@kernel
def store(
    table: Any, key: int, depth: int, proven: bool, lower: float, upper: float, move: int, workspace: Any
) -> None:
    """Replace the entry of a hashed key; `proven` where no evaluation entered the bounds."""
    entry = table[slot_of(table, key)]
    entry.key = key
    entry.lower = lower
    entry.upper = upper
    entry.depth = -(nominal(depth) + 1) if proven else nominal(depth) + 1
    entry.move = short(move)
    entry.generation = workspace.generation
