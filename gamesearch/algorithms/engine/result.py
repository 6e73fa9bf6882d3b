"""The result and the limits of a search, and the objects that watch a search: monitor and observer."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from gamesearch.game import CHANCE, MAX, Game
from gamesearch.support.html_repr import HtmlRepr

__all__ = [
    "FAILED",
    "MOST_COST",
    "NEVER_PROVEN",
    "STUCK",
    "WHY_STOPPED",
    "Belief",
    "Limits",
    "Monitor",
    "MoveValue",
    "Observer",
    "Progress",
    "SearchResult",
    "Statistics",
    "Value",
    "as_value",
    "payee",
    "rank_moves",
]

NEVER_PROVEN = 1 << 40
"""The number that means infinity: the disproof number of a proven node, and the proof number of a disproven node."""
MOST_COST = 1 << 14
"""The greatest cost of a node of a graph."""
STUCK = MOST_COST + 1
"""The cost of a node if every path from the node leads back to it. It is set until all costs are computed again."""
FAILED = MOST_COST + 2
"""The cost of a node that the attacker cannot win."""
Value = float | tuple[float, ...]
"""The value of a position for Max; with several payoffs, a tuple with a value for each player."""


def as_value(payoff: Any) -> Value:
    """A payoff as a float, or as a tuple of floats."""
    return tuple(map(float, payoff)) if isinstance(payoff, tuple) else float(payoff)


@dataclass(frozen=True)
class Limits:
    """The limits at which a search stops. If a limit is None, the algorithm's own parameter applies."""

    depth: int | None = None
    """Plies."""
    time: float | None = None
    """Seconds."""
    nodes: int | None = None
    """Positions visited, by all threads together. A search with one thread always stops at the same node."""
    target: float | None = None
    """The time in seconds that iterative deepening aims at, less than `time`. If the best move changes, deepening takes
    longer."""
    first: int | None = None
    """The depth at which deepening begins, by default 1. Smaller depths may be in the table from an earlier search."""

    def divide(self, count: int) -> "Limits":
        """Divide the time and the nodes equally among `count` searches; returns the limits of one search."""
        time = None if self.time is None else self.time / count
        return replace(self, time=time, nodes=None if self.nodes is None else max(1, self.nodes // count))

    def after_use(self, seconds: float, nodes: int) -> "Limits":
        """The limits that remain after some seconds and nodes have been used."""
        time = None if self.time is None else max(0.0, self.time - seconds)
        return Limits(time=time, nodes=None if self.nodes is None else max(0, self.nodes - nodes))


@dataclass(frozen=True)
class Statistics:
    """The counts of a search."""

    nodes: int = 0
    """Positions visited, including the root; 0 if they were not counted, as in compiled algorithms of a user's file."""
    distance_nodes: int = 0
    """The number of nodes of a second search for the distance of a win, which are included in `nodes`."""
    leaves: int = 0
    """Positions valued by the rules at the end of the game, or by the evaluation."""
    cutoffs: int = 0
    """Nodes at which the window closed, including those at which it closed after the last move."""
    table_hits: int = 0
    """Nodes whose value came from the transposition table."""
    depth: int = 0
    """The depth of the search; for a search to the end of the game, the greatest ply reached."""
    seconds: float = 0.0
    """Wall-clock time, without compilation."""
    speed: str = "interpreted"
    """`compiled` or `interpreted`."""
    threads: int = 1
    """The number of threads. A search by several threads is not repeatable node for node."""


@dataclass(frozen=True)
class Belief:
    """A belief about a value for Max: a histogram with bins of equal width."""

    least: float
    """The value at the center of the first bin. This bin also contains all smaller values."""
    step: float
    """The width of a bin."""
    below: tuple[float, ...]
    """The probability of a value up to the upper end of each bin. The last bin also contains all greater values."""
    best: float | None
    """The probability that no other move is better for the player to move; None for an outcome of a chance node."""
    deviation: float
    """The standard deviation."""
    sampled: tuple[float, float | None] | None = None
    """For comparison, from random draws of all errors: the mean value, and the fraction of draws in which the move was
    best (None for outcomes of a chance node)."""

    @property
    def masses(self) -> tuple[float, ...]:
        """The probability of each bin."""
        return tuple(below - before for before, below in zip((0.0, *self.below), self.below, strict=False))


@dataclass(frozen=True)
class MoveValue:
    """A move, and the value for Max of the position after it."""

    move: int
    value: Value
    distance: int | None = None
    visits: int = 0
    """The number of playouts that began with the move, if the value is their average."""
    interval: tuple[float, float] | None = None
    """The 95 % confidence interval of the expected payoff, for Max or (with several payoffs) the player to move."""
    line: tuple[int, ...] = field(default=(), compare=False)
    """The principal variation after the move; empty at the end of the game, at the horizon and before a chance node."""
    belief: Belief | None = None
    """The belief about the value, if the algorithm has beliefs; the value is its mean."""


@dataclass(frozen=True)
class SearchResult(HtmlRepr):
    """The result of a search."""

    algorithm: str
    """The specification of the algorithm, without parameters that have their default values."""
    value: Value | None
    """None if the search was stopped before it had a value."""
    bound: str
    """`exact` if the search finished its depth (`is_proven` says whether the value is the true value of the game);
    `estimate` for an average of playouts, or the current value of a growing tree; `lower` or `upper` if a stopped
    search found only a bound (with several payoffs, on the payoff of the player to move)."""
    best: int | None
    """The best move; None at the end of a game and at a chance node."""
    line: tuple[int, ...]
    """The principal variation, beginning with the best move. A table may shorten it."""
    statistics: Statistics
    distance: int | None = None
    """The number of plies to a certain win or loss."""
    moves: tuple[MoveValue, ...] = ()
    """The value of each legal move, if `search` was called with `moves`."""
    moves_depth: int | None = None
    """The depth of the move values, if it differs from the depth of the search."""
    sees_the_end: bool = False
    """Whether the search reached the end of the game in every line, so that the value depends on no estimate."""
    is_decided: bool = False
    """Whether the value is a certain win or loss, even if some lines ended in estimates."""
    stopped: str = ""
    """Why the search ended early, a key of WHY_STOPPED; empty if it did not end early."""
    tree_is_full: bool = False
    """Whether the tree filled its memory, and the search continued without new nodes."""
    is_expected: bool = False
    """Whether the value is an expectation over chance, or over the errors of an opponent."""
    is_from_book: bool = False
    """Whether the result is from an opening book, without a search."""
    searched: tuple[Any, Any] | None = field(default=None, compare=False, repr=False)
    """The game and the position if `gamesearch.search` was called, so that a notebook can show the board and name
    moves."""

    @property
    def is_proven(self) -> bool:
        """Whether the value is the true value: all lines reached the end, or the value is a certain win or loss."""
        return (
            self.bound == "exact"
            and self.value is not None
            and (self.sees_the_end or self.is_decided or self.distance is not None)
        )

    @property
    def certainty(self) -> str | None:
        """`exact` if the value is the true value of the game; otherwise `estimate`, `lower` or `upper`, or None without
        a value."""
        if self.value is None:
            return None
        return "estimate" if self.bound == "exact" and not self.is_proven else self.bound


WHY_STOPPED = {
    "time": "the time was up",
    "nodes": "the node limit was reached",
    "interrupted": "it was interrupted",
    "space": "the game goes deeper than a search can hold",
    "memory": "the tree filled its memory (memory= sets a greater size)",
}
"""The reasons why a search ends early, each with a clause for messages."""


@dataclass
class Progress:
    """The state of a search while it runs."""

    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0
    compiling: str = ""
    """The kernel being compiled, or empty."""
    compiling_since: float = 0.0
    """The time when compilation began, from `time.perf_counter`."""
    compiling_expected: float | None = None
    """The expected compile time in seconds, from earlier measurements; None if it is unknown."""


@dataclass
class Monitor:
    """Watches a search that runs in another thread, and can stop it.

    `poll` is called a few times a second; if it returns True, the search stops. `finished` is called after each depth
    of iterative deepening, and `note` with each sentence for the user. Ctrl-C stops the search and sets `interrupted`;
    a second Ctrl-C raises KeyboardInterrupt. If `leaves_compiling` is set and no node has been searched, Ctrl-C raises
    Interrupted although the compilation continues.
    """

    poll: Callable[[Progress], bool] = lambda _: False
    finished: Callable[[SearchResult], None] = lambda _: None
    note: Callable[[str], None] = lambda _: None
    interval: float = 0.05
    leaves_compiling: bool = False
    """Whether Ctrl-C ends the program, which then need not wait for the compiler."""
    interrupted: bool = field(default=False, init=False)
    stage: str = field(default="", init=False)
    """A text for progress displays: which of several searches runs, and the results of earlier searches."""


class Observer:
    """Receives each event of an interpreted search, in order.

    `iteration` comes before a search from the root, which may enter the root several times. `enter` and `leave`
    enclose each node; `move` comes before a child is entered. The events from `purpose` to `prune_move` belong to
    selective searches. The events from `reaches` on belong to searches with a growing tree, which do not enter and
    leave nodes: `plays_out` and `counts` belong to playouts, and the events from `asks` on to trees in which all
    children of a leaf are added together. An observer ignores the events that it does not define.
    """

    def iteration(self, depth: int, purpose: str) -> None:
        """A search of the root to a depth begins."""

    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
        """A node is visited with a window."""

    def move(self, ply: int, move: int) -> None:
        """The move, or outcome, of the node at this ply is searched next."""

    def leave(self, ply: int, value: Any) -> None:
        """The node at this ply is finished, with a value."""

    def cutoff(self, ply: int, index: int, count: int) -> None:
        """The moves after index `index` (of `count`) of the node at this ply are not searched."""

    def table_hit(self, ply: int, lower: float, upper: float) -> None:
        """The value of the node at this ply follows from these bounds of the table."""

    def bounds(self, ply: int, lower: float, upper: float) -> None:
        """The value of the node at this ply follows from the game's own bounds."""

    def database(self, ply: int, value: float) -> None:
        """The value of the node at this ply is in a database."""

    def repetition(self, ply: int) -> None:
        """The position at this ply is a draw, because it occurred before."""

    def probe(self, ply: int) -> None:
        """Only the first move of the node at this ply will be searched."""

    def purpose(self, ply: int, why: str) -> None:
        """The purpose of the search of the next child of the node at this ply, one of `trace.events.PURPOSES`."""

    def again(self, ply: int, why: str) -> None:
        """The last child is searched again for another purpose, because its value was better than expected."""

    def stand_pat(self, ply: int, value: float) -> None:
        """The player at this ply may stand pat on an estimate, and searches only forcing moves."""

    def cut_off_by_null_move(self, ply: int, value: float) -> None:
        """The value of the node at this ply follows from a null move."""

    def predicts(self, ply: int, value: float, is_lower: bool) -> None:
        """A shallow search of the node at this ply predicts a bound on its value."""

    def prune_move(self, ply: int, move: int, why: str) -> None:
        """A move of the node at this ply is pruned, for one of the reasons in `trace.events.LEFT_OUT`."""

    def reaches(self, state: Any, ply: int, number: int) -> None:
        """The search reaches the node of its tree with this number, on a descent from the root."""

    def weighs(self, move: int, visits: int, bound: float) -> None:
        """A move of the node reached last: its visits, and its upper confidence bound or value of information."""

    def follows(self, ply: int, move: int) -> None:
        """The search follows a move, or outcome, of the node at this ply."""

    def plays_out(self, ply: int, is_known: bool, playing: Any) -> None:
        """A playout from the node at this ply ended (`playing` is its record), or the node's payoff `is_known`."""

    def proves(self, ply: int, lower: float, upper: float, plies: int) -> None:
        """The value of the node at this ply is proven to lie within bounds. If both bounds are equal, the game ends
        after `plies`."""

    def counts(self, ply: int, payoffs: Any) -> None:
        """The payoff of the playout is added to the node at this ply, in order from the last node to the root."""

    def asks(self, goal: float, attacker: int | None) -> None:
        """A proof-number search begins: can Max get at least the payoff `goal`? On graphs, one side is the attacker."""

    def expands(self, ply: int) -> None:
        """The leaf at this ply of the tree is expanded. If it already has children, nothing happens."""

    def grows(self, state: Any, move: int, number: int) -> None:
        """A child is added to the expanded leaf. If the tree already contains its position, `number` is that node."""

    def values(self, number: int, value: float, deviation: float, is_certain: bool) -> None:
        """The value of a node of the tree; for a belief, also its standard deviation."""

    def lacks(self, number: int, proof: int, disproof: int) -> None:
        """The proof and disproof numbers of a node of the tree; NEVER_PROVEN is infinite."""

    def costs(self, number: int, cost: int) -> None:
        """The cost of a win for the attacker from a node of a graph. STUCK and FAILED are greater than all costs."""

    def settles(self, graph: Any) -> None:
        """All costs of a graph were computed again."""

    def rescales(self, error: float, tree: Any) -> None:
        """The standard deviation of the error of estimates is updated, and all beliefs of the tree are recomputed."""

    def compares(self, root: int, tree: Any) -> None:
        """The beliefs about the moves of the root have changed."""

    def expanded(self) -> None:
        """The new values have been backed up from an expanded leaf to the root."""


def payee(game: Game, state: Any) -> int:
    """The player whose payoff is shown as a single number: Max, or the player to move if there are several payoffs.

    At a chance node, it is always Max.
    """
    player = game.player(state)
    return player if game.payoff_count > 1 and player != CHANCE else MAX


def rank_moves(
    game: Game, state: Any, moves: Iterable[MoveValue], best: Collection[int | None] = ()
) -> list[MoveValue]:
    """Sort moves, best first for the player to move, with quick wins first and quick losses last. Outcomes keep their
    order."""
    moves = list(moves)
    if not moves or game.player(state) == CHANCE:
        return moves
    player = game.player(state)
    sign = -1 if player != payee(game, state) else 1

    def rank(found: MoveValue) -> tuple[float, float, bool]:
        worth = found.value[player] if isinstance(found.value, tuple) else sign * found.value
        is_won = worth > sign * game.draw_value()
        plies = float(found.distance or 0)
        return -worth, plies if is_won else -plies, found.move not in best

    return sorted(moves, key=rank)
