"""A store of numbered nodes and their edges, with an index that finds nodes by the hashed keys of positions.

The store, the records and the index can be used separately:

- The index is a hash table with open addressing and linear probing (Knuth, The Art of Computer Programming 3, section
  6.4, algorithm L). It never drops entries. Solvers use it to number all positions of a game, and searches use it to
  find transpositions.
- Nodes and edges are records in arrays. An algorithm declares the fields of the records
  (`gamesearch.algorithms.node.records`). The edges of a node are stored one after another from index `first`. Each edge
  contains the number of the node that it leads to.
- `NodeStore` keeps nodes, edges and an index within a number of megabytes. When another node becomes the root, all
  nodes that cannot be reached from it are dropped.
"""

from typing import Any, NamedTuple

from gamesearch.algorithms.node.records import Record, RecordHandle, Rows, integer_field
from gamesearch.algorithms.node.table import MEGABYTE, physical_memory
from gamesearch.compiler import BorrowedArray, kernel
from gamesearch.errors import GamesearchError

__all__ = [
    "FULL", "INDEX", "NOTHING", "Edge", "Node", "NodeStore", "Nodes", "copy_index", "enter_index", "find", "has_room",
    "new_node", "new_store",
]  # fmt: skip

INDEX = [("key", "i8"), ("number", "i4"), ("filled", "i4")]
"""The fields of an index entry, which takes 16 bytes. `filled` is 0 in an empty entry."""
FULL = 0.7
"""At most this fraction of an index is filled with entries. A fuller index would be slow."""
NOTHING = -1
"""Stands for a node that does not exist. If the count of a node's edges is NOTHING, the edges have not been created
yet."""
SHARE_OF_EDGES = 0.75
"""The fraction of the memory that is used for edges. The rest is for nodes."""


# The index. --------------------------------------------------------------------------------------
def new_store(layout: list[tuple[str, str]], places: int, is_compiled: bool) -> Any:
    """Make an empty index with `places` entries (a power of two). `layout` must contain the fields `key` and `filled`.

    The new index replaces an index of half the size. Raises GamesearchError if the memory is too small for both indexes
    together.
    """
    import numpy as np

    record = np.dtype(layout)
    positions = int(places * FULL)
    if (places + places // 2) * record.itemsize > physical_memory():
        raise GamesearchError(f"more than {positions // 2:,} positions do not fit into this machine's memory")
    try:
        store = np.zeros(places, record)
    except MemoryError:
        raise GamesearchError(f"more than {positions // 2:,} positions do not fit into the remaining memory") from None
    return store if is_compiled else store.view(np.recarray)


@kernel
def find(index: Any, key: int) -> int:
    """The place of a hashed key in the index. If the key is not in the index, the result is an empty place."""
    place = key & (len(index) - 1)
    while index[place].filled and index[place].key != key:
        place = (place + 1) & (len(index) - 1)
    return place


@kernel
def enter_index(index: Any, key: int, number: int) -> None:
    """Write a hashed key and its number into the index."""
    entry = index[find(index, key)]
    entry.key = key
    entry.number = number
    entry.filled = 1


@kernel
def copy_index(old: Any, new: Any) -> None:
    """Copy all numbered positions into another index."""
    for i in range(len(old)):
        if old[i].filled:
            enter_index(new, old[i].key, old[i].number)


# Nodes and edges. --------------------------------------------------------------------------------
class Node(Record):
    """The fields of every node."""

    first = integer_field()  # index of the node's first edge
    count = integer_field()  # number of edges; NOTHING before the edges are created


class Edge(Record):
    """The fields of every edge."""

    move = integer_field()
    child = integer_field()  # number of the node to which the edge leads, or NOTHING


class UsedSpace(Record):
    """The counts of the nodes and the edges that a store uses."""

    nodes = integer_field()
    edges = integer_field()
    full = integer_field()  # whether the space for nodes or edges ran out


class Nodes(NamedTuple):
    """A store, in the form that kernels use. `totals` has the same number of values for each edge (`NodeStore.width`),
    usually one for each payoff of the game. `index` is None if transpositions are not used. `database` is None if the
    search uses no database."""

    used: Any
    nodes: Any
    edges: Any
    totals: Any
    index: Any
    database: Any = None


@kernel
def new_node(store: Nodes, key: int) -> int:
    """Create a node and return its number, or NOTHING if the store is full."""
    number = store.used.nodes
    if number >= len(store.nodes):
        store.used.full = 1
        return NOTHING
    store.used.nodes = number + 1
    node = store.nodes[number]
    node.first = 0
    node.count = NOTHING
    if store.index is not None:
        enter_index(store.index, key, number)
    return int(number)


@kernel
def has_room(store: Nodes, edges: int) -> bool:
    """Whether the store has space for `edges` more edges. Marks the store as full if it does not."""
    if store.used.edges + edges <= len(store.edges):
        return True
    store.used.full = 1
    return False


class NodeStore:
    """A store of nodes and edges. Its size is fixed. The operating system allocates each part of the memory when the
    part is first used."""

    def __init__(self, memory: int, node: type[Record], edge: type[Record], width: int, has_index: bool) -> None:
        import numpy as np

        size = memory * MEGABYTE
        if size > physical_memory():
            raise GamesearchError(f"a tree of {memory} MB is more than this machine's memory: choose a smaller number")
        edges = int(size * SHARE_OF_EDGES) // (edge.layout().itemsize + 8 * width)
        places = 1 << (int(size * (1 - SHARE_OF_EDGES) / (node.layout().itemsize + 32)) - 1).bit_length()
        try:
            self.nodes, self.edges = node.rows(int(places * FULL)), edge.rows(edges)
            self.totals = np.zeros(edges * width)
        except MemoryError:
            raise GamesearchError(f"there is no room for a tree of {memory} MB: choose a smaller number") from None
        self.width, self.places, self.has_index = width, places, has_index
        self.forget()

    def forget(self) -> None:
        """Empty the store."""
        import numpy as np

        self.used_nodes = self.used_edges = 0
        self.is_full = False
        self.index = np.zeros(self.places, INDEX) if self.has_index else None
        self.used: dict[bool, RecordHandle] = {}

    def view(self, is_compiled: bool) -> Nodes:
        """The store, in the form that interpreted or compiled kernels use."""
        form: Any = BorrowedArray if is_compiled else Rows
        if is_compiled not in self.used:
            self.used = {is_compiled: RecordHandle(UsedSpace, is_compiled)}
            self.used[is_compiled].write(nodes=self.used_nodes, edges=self.used_edges)
        totals = BorrowedArray(self.totals) if is_compiled else self.totals.data
        index = None if self.index is None else form(self.index)
        return Nodes(self.used[is_compiled].record, form(self.nodes), form(self.edges), totals, index)

    def note_used(self) -> None:
        """Read how many nodes and edges a kernel has used, and whether it ran out of space."""
        for held in self.used.values():
            self.used_nodes, self.used_edges = held.read("nodes"), held.read("edges")
            self.is_full = bool(held.read("full"))

    def keep_below(self, root: int) -> None:
        """Keep only the node `root` and the nodes that can be reached from it. `root` becomes node 0."""
        import numpy as np

        self.note_used()
        numbers = np.full(self.used_nodes, NOTHING)
        level, found = np.array([root]), [np.array([root])]
        numbers[root] = 0
        kept = 1
        while len(level):
            children = self.edges["child"][self.edges_of(level)]
            level = np.unique(children[children != NOTHING])
            level = level[numbers[level] == NOTHING]
            numbers[level] = kept + np.arange(len(level))
            kept += len(level)
            found.append(level)
        nodes = np.concatenate(found)
        edges, counts = self.edges_of(nodes), np.maximum(self.nodes["count"][nodes], 0)
        self.nodes[:kept], self.edges[: len(edges)] = self.nodes[nodes], self.edges[edges]
        self.totals[: len(edges) * self.width] = self.totals.reshape(-1, self.width)[edges].ravel()
        self.nodes["first"][:kept] = np.cumsum(counts) - counts
        children = self.edges["child"][: len(edges)]
        children[children != NOTHING] = numbers[children[children != NOTHING]]
        self.clear_rest(kept, len(edges))

    def edges_of(self, nodes: Any) -> Any:
        """The indices of the edges of several nodes, in the order of the nodes."""
        import numpy as np

        first, counts = self.nodes["first"][nodes], np.maximum(self.nodes["count"][nodes], 0)
        begin = np.cumsum(counts) - counts
        return np.repeat(first - begin, counts) + np.arange(int(counts.sum()))

    def clear(self) -> None:
        """Drop all nodes."""
        self.note_used()
        self.clear_rest(0, 0)

    def clear_rest(self, nodes: int, edges: int) -> None:
        """Clear all nodes except the first `nodes` nodes, and all edges except the first `edges` edges. Build the index
        again."""
        before = self.used_nodes, self.used_edges
        self.nodes[nodes : before[0]] = 0
        self.edges[edges : before[1]] = 0
        self.totals[edges * self.width : before[1] * self.width] = 0
        self.forget()
        self.used_nodes, self.used_edges = nodes, edges
        if self.index is not None:
            rows = Rows(self.index)
            for number, key in enumerate(self.nodes["key"][:nodes].tolist()):
                enter_index(rows, key, number)
