"""The arguments that kernels get in addition to the position: options, memory, and the records that kernels write.

Kernels do not change `options`. `memory` contains the transposition table, the move ordering and the database. Kernels
write into `run`, which contains counts, the reason for a stop, the path with the moves of its nodes, and the principal
variation. The results of a search are read from `run`. Writing to `run.counts.stop` stops a search.
"""

import contextlib
from typing import Any, ClassVar, NamedTuple

from gamesearch.algorithms.node.records import Record, RecordHandle, float_field, integer_field
from gamesearch.compiler import kernel

__all__ = [
    "ENDLESS_MOVES", "FULL_DEPTH", "INTERRUPTED", "MAX_PLY", "NODE_LIMIT", "NOWHERE", "NO_LIMIT", "OUT_OF_SPACE",
    "PAST", "RUNNING", "SHALLOW", "TIME_LIMIT", "TOO_DEEP", "TREE_FULL", "VARIATION_PLIES", "BestSoFar", "Counts",
    "Groups", "Line", "Memory", "Options", "Path", "Run", "Search", "Stopped", "Workspace", "begin_node", "enter",
    "note_cutoff", "record_variation", "update_best",
]  # fmt: skip

RUNNING, NODE_LIMIT, TIME_LIMIT, INTERRUPTED, OUT_OF_SPACE, TOO_DEEP, ENDLESS_MOVES, TREE_FULL = range(8)
"""Values of `stop`: the reasons why a search ended early."""

FULL_DEPTH = 1 << 30
"""The depth of a search to the end of the game."""
NO_LIMIT = 1 << 62
"""The value of the node limit if the number of nodes is not limited."""
VARIATION_PLIES = 64
"""The greatest length of the principal variation in plies."""
MAX_PLY = 10_000
"""The greatest ply of a search. Each compiled call needs a few hundred bytes of stack (2,300 bytes in chess)."""
SHALLOW = 1_000
"""A search begins on the small stack of the calling thread. If it reaches this ply, it begins again on a larger
stack."""
PAST = 1 << 12
"""To find repetitions, a search remembers at most this number of positions from before the root."""
NOWHERE = 1 << 30
"""The value of `Path.first_repeated` if no position was repeated."""
MOVE_SPACE = 1 << 16
"""The nodes on a path may have at most this many moves in total."""


class Stopped(Exception):  # noqa: N818
    """Raised by a woven kernel, interpreted or compiled, when the search reaches a limit."""


class Options(Record):
    """The options of a search."""

    node_limit = integer_field()  # number of nodes at which the search stops
    ply_cost = float_field()  # the amount by which each ply reduces the value of a win; may be 0
    bounds = integer_field()  # whether to use the game's own bounds
    fail_hard = integer_field()  # whether alpha-beta clips its values to the window
    pruning = integer_field()  # how expectiminimax prunes
    practical = integer_field()  # whether the transposition table is used even if values may depend on the path
    deeper = integer_field()  # whether bounds of deeper searches in the transposition table are also used
    generation = integer_field()  # generation of the entries that this search stores in the transposition table
    oldest = integer_field()  # oldest generation of entries that this search may read
    shared = integer_field()  # whether other threads also write to the transposition table


class Memory(NamedTuple):
    """The transposition table, the move ordering and the database. A field is None if the search does not use
    the object."""

    table: Any
    ordering: Any
    database: Any = None
    """The layers of an endgame database. Searches read the layers, but do not change them."""


class Counts(Record):
    """The counts of a search, and the reason for a stop."""

    nodes = integer_field()  # positions visited, including the root
    leaves = integer_field()  # positions with a payoff, a draw or an evaluation
    cutoffs = integer_field()  # nodes cut off by their window, the game's bounds, a null move or ProbCut
    table_hits = integer_field()  # nodes whose value came from the transposition table
    truncated = integer_field()  # evaluated leaves, uses of stored estimates, and prunings that may be wrong
    deepest = integer_field()  # greatest ply reached
    stop = integer_field()  # why kernels must return; RUNNING if they may continue
    room = integer_field()  # the ply at which the search stops to protect the stack


class Path(Record):
    """The positions of the game before the root, the positions from the root to the current node, and the moves of
    these nodes."""

    past = integer_field()  # number of positions before the root
    first_repeated = integer_field()  # smallest ply of a position that the value of the current subtree depends on
    top = integer_field()  # first free index in `moves` and `scores`
    iteration = integer_field()  # index of the first root value of the current iteration (see bookkeeping.py)
    previous = integer_field()  # index of the first root value of the iteration before
    swaps = integer_field()  # whether a helper thread swaps moves (see lazy_smp.py)
    keys = integer_field(PAST + MAX_PLY + 1)  # hashes of the positions
    progress = integer_field(PAST + MAX_PLY + 1)  # the game's `progress` at these positions
    moves = integer_field(MOVE_SPACE)  # moves of the nodes
    scores = float_field(MOVE_SPACE)  # scores of the moves for ordering, or probabilities of outcomes


class Line(Record):
    """The principal variations from each ply of the path. Each variation is stored in a row. The last row is always
    empty."""

    rows = integer_field(VARIATION_PLIES + 1)  # for each ply: index of the row with the variation from this ply
    ends = integer_field(VARIATION_PLIES + 1)  # for each ply: ply at which the variation from this ply ends
    moves = integer_field(VARIATION_PLIES + 1, VARIATION_PLIES)  # moves of each row


class Run(NamedTuple):
    """The records that a search writes, and its observer, if any. The observer is None in compiled code."""

    counts: Any
    path: Any
    line: Any
    observer: Any


class Groups(NamedTuple):
    """The groups of optional methods that a game has (see `gamesearch.optional`). The field of a group is 1 if the game
    has this group. Otherwise the field is None, and Numba omits the code for the group."""

    shortcuts: Any = None
    selective: Any = None
    exchanging: Any = None


class Search(NamedTuple):
    """The arguments that are the same at all nodes of an alpha-beta search."""

    options: Any
    memory: Any
    run: Any
    groups: Any
    selection: Any = None
    """The settings of a selective search; None in other searches."""


class Workspace:
    """The records of a search. Later searches reuse the records, because allocating new records takes longer than a
    short search."""

    pool: ClassVar[dict[bool, list["Workspace"]]] = {True: [], False: []}
    """The unused workspaces for compiled (True) and interpreted (False) kernels."""

    def __init__(self, is_compiled: bool) -> None:
        self.is_compiled = is_compiled
        self.options_handle, self.counts_handle = RecordHandle(Options, is_compiled), RecordHandle(Counts, is_compiled)
        self.path, line = RecordHandle(Path, is_compiled), RecordHandle(Line, is_compiled)
        self.rows, self.ends, self.moves = line.fields.rows, line.fields.ends, line.fields.moves  # for speed
        for ply in range(VARIATION_PLIES + 1):
            self.rows[ply] = self.ends[ply] = ply
        self.options: Options = self.options_handle.record
        self.run = Run(self.counts_handle.record, self.path.record, line.record, None)
        self.last_options: dict[str, float] = {}
        self.set_options(node_limit=NO_LIMIT)
        self.begin()

    @classmethod
    def acquire(cls, is_compiled: bool) -> "Workspace":
        """Take a workspace from the pool, or make a new workspace."""
        with contextlib.suppress(IndexError):
            workspace = cls.pool[is_compiled].pop()
            workspace.begin()
            return workspace
        return cls(is_compiled)

    def release(self) -> None:
        """Return the workspace to the pool. A released workspace must not be used any more."""
        self.pool[self.is_compiled][:] = [self]

    def begin(self) -> None:
        """Set all counts to zero, and empty the path."""
        self.past: Any = None
        """The positions of the game before the root. They are part of the path. None before the first search."""
        self.counts_handle.clear()
        self.counts_handle.write(room=MAX_PLY)
        self.path.write(past=0, first_repeated=NOWHERE, top=0)

    def set_options(self, **options: float) -> None:
        """Set options. Most searches change few options, so only changed options are written."""
        last = self.last_options
        if options != last:
            self.options_handle.write(**{name: value for name, value in options.items() if last.get(name) != value})
            self.last_options = options

    def allow(self, nodes: int) -> None:
        """Increase the node limit by `nodes` while a kernel runs."""
        self.set_options(**self.last_options | {"node_limit": self.last_options["node_limit"] + nodes})

    @property
    def variation(self) -> tuple[int, ...]:
        """The principal variation of the root."""
        moves = self.moves[self.rows[0]][: self.ends[0]]
        return tuple(moves if isinstance(moves, list) else moves.tolist())


@kernel
def enter(ply: int, options: Options, run: Run) -> None:
    """Count a node. Stop the search at the node limit, or at a ply that is too deep for the stack."""
    counts = run.counts
    nodes = counts.nodes + 1
    counts.nodes = nodes
    if nodes >= options.node_limit:
        counts.stop = NODE_LIMIT
    if ply > counts.deepest:
        counts.deepest = ply
        if ply >= counts.room and not counts.stop:
            counts.stop = TOO_DEEP
    if 0 <= ply < VARIATION_PLIES:  # the test of 0 shows Numba that the index is not negative
        run.line.ends[ply] = ply


@kernel
def begin_node(s: Any, alpha: float, beta: float, ply: int, search: Search) -> int:
    """Count a node, and report it to the observer. Returns how often the search has used estimates so far."""
    run = search.run
    enter(ply, search.options, run)
    if run.observer is not None:
        run.observer.enter(s, ply, alpha, beta)
    return int(run.counts.truncated)


class BestSoFar(NamedTuple):
    """The best move of a node so far, its value, and the window for the remaining moves."""

    value: float
    move: int
    low: float
    high: float


@kernel
def update_best(best: BestSoFar, move: int, child: float, maximizing: bool, ply: int, run: Run) -> BestSoFar:
    """Compare the value `child` of a move with the best value so far. If the move is better, record it and narrow the
    window."""
    if child > best.value if maximizing else child < best.value:
        record_variation(ply, move, run.line)
        low, high = (max(best.low, child), best.high) if maximizing else (best.low, min(best.high, child))
        return BestSoFar(child, move, low, high)
    return best


@kernel
def note_cutoff(ply: int, searched: int, count: int, run: Run) -> None:
    """Count a cutoff at the node at this ply, after the move or outcome with index `searched`."""
    run.counts.cutoffs += 1
    if run.observer is not None:
        run.observer.cutoff(ply, searched, count)


@kernel
def record_variation(ply: int, move: int, line: Line) -> None:
    """Record the principal variation of the node at this ply: the move, followed by the child's principal variation.
    The rows of the node and of the child are exchanged, which is faster than copying moves."""
    if 0 <= ply < VARIATION_PLIES:
        rows, ends = line.rows, line.ends
        row = rows[ply + 1]
        rows[ply + 1] = rows[ply]
        rows[ply] = row
        line.moves[row][ply] = move
        ends[ply] = ends[ply + 1]
