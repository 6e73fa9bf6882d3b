"""The result of a search, its limits, and what watches it: monitor and observer."""

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
    "ranked",
]

NEVER_PROVEN = 1 << 40
"""A proof number that no proof is behind, or a disproof number of what is proven."""
MOST_COST = 1 << 14
"""No cost of a node of a graph is counted further."""
STUCK = MOST_COST + 1
"""The cost of a node from which the way leads back to itself, until all costs are found anew."""
FAILED = MOST_COST + 2
"""The cost of what the attacker never wins."""
Value = float | tuple[float, ...]
"""The value of a position for Max; a tuple with a value for each player where there are more than two."""


def as_value(payoff: Any) -> Value:
    """A payoff as a float, or as a tuple of floats."""
    return tuple(map(float, payoff)) if isinstance(payoff, tuple) else float(payoff)


@dataclass(frozen=True)
class Limits:
    """When a search stops; where a limit is None, the algorithm's own parameter holds."""

    depth: int | None = None
    """Plies."""
    time: float | None = None
    """Seconds."""
    nodes: int | None = None
    """Positions visited, by all threads together; one thread always stops at the same node."""
    target: float | None = None
    """Seconds to aim at, fewer than `time`: more are taken where the best move changes, fewer where it does not.
    Only a search that deepens knows of it."""
    first: int | None = None
    """The depth at which deepening begins, 1 where it is None: who keeps a table may have been to those before."""

    def shared(self, count: int) -> "Limits":
        """The limits of each of so many searches that together take the time and the nodes of one."""
        time = None if self.time is None else self.time / count
        return replace(self, time=time, nodes=None if self.nodes is None else max(1, self.nodes // count))

    def left(self, seconds: float, nodes: int) -> "Limits":
        """The time and the nodes that are left when so much has been used."""
        time = None if self.time is None else max(0.0, self.time - seconds)
        return Limits(time=time, nodes=None if self.nodes is None else max(0, self.nodes - nodes))


@dataclass(frozen=True)
class Statistics:
    """The counts of a search."""

    nodes: int = 0
    """Positions visited, the root included; 0 where none were counted, in machine code of a person's own file."""
    distance_nodes: int = 0
    """How many of them a second search visited, to find out how soon a won position is won."""
    leaves: int = 0
    """Positions valued by the rules at the end of the game, or by the evaluation."""
    cutoffs: int = 0
    """Nodes left because their window closed, even if at their last move."""
    table_hits: int = 0
    """Nodes whose value came from the transposition table alone."""
    depth: int = 0
    """The depth of the search; for a search to the end of the game, the greatest ply reached."""
    seconds: float = 0.0
    """Wall-clock time, without compilation."""
    speed: str = "interpreted"
    """`compiled` or `interpreted`."""
    threads: int = 1
    """How many threads searched the tree; a search by several does not repeat itself node for node."""


@dataclass(frozen=True)
class Belief:
    """What is believed of a value for Max: a histogram, whose bins are equally wide."""

    least: float
    """The middle of the first bin, which holds all that is less, too."""
    step: float
    """The width of a bin."""
    below: tuple[float, ...]
    """The probability of a value up to the upper end of each bin. The last bin holds all that is greater, too."""
    best: float | None
    """The probability that no other move is better for the player who moves; None of an outcome: nobody chooses."""
    deviation: float
    """The standard deviation."""
    sampled: tuple[float, float | None] | None = None
    """The mean, and the share of draws in which the move was best (None of an outcome), when all errors were drawn."""

    @property
    def masses(self) -> tuple[float, ...]:
        """The probability of each bin."""
        return tuple(below - before for before, below in zip((0.0, *self.below), self.below, strict=False))


@dataclass(frozen=True)
class MoveValue:
    """A move with the value of the position after it for Max."""

    move: int
    value: Value
    distance: int | None = None
    visits: int = 0
    """How many games that began with it were played out, where the value is their average."""
    interval: tuple[float, float] | None = None
    """Where the expected payoff of those games is with 95 % confidence: Max's, or that of whom the move is."""
    line: tuple[int, ...] = field(default=(), compare=False)
    """How play goes on, from the reply. Empty where the game is over, the search saw no further, or chance replies."""
    belief: Belief | None = None
    """What is believed of the value, where the algorithm says so; the value is then its mean."""


@dataclass(frozen=True)
class SearchResult(HtmlRepr):
    """The answer of a search."""

    algorithm: str
    """The specification, with the parameters that are not at their defaults."""
    value: Value | None
    """None where the search was stopped before it had a value."""
    bound: str
    """`exact` for the value of the search itself, which is the true value of the game only if `is_proven`; `estimate`
    for an average of games played out, or what a tree grown by its best leaves says so far; `lower` or `upper` if a
    stopped search found only a bound, for three or more players on the payoff of the player to move."""
    best: int | None
    """The best move; None at the end of a game, or where it is chance's turn."""
    line: tuple[int, ...]
    """The principal variation, beginning with the best move; a table may cut it short."""
    statistics: Statistics
    distance: int | None = None
    """The number of plies to the win or loss, where that is certain."""
    moves: tuple[MoveValue, ...] = ()
    """The value of each legal move, where `search` was called with `moves`."""
    moves_depth: int | None = None
    """The depth of those values, where it is not the depth of the search."""
    sees_the_end: bool = False
    """Whether the search saw the end of the game in every line: no evaluation entered the value."""
    is_decided: bool = False
    """Whether the value is a certain win or loss, even if other lines ended in estimates."""
    stopped: str = ""
    """Why the search ended early, one of WHY_STOPPED; else empty."""
    tree_is_full: bool = False
    """Whether the tree filled its memory, and the search went on without new nodes."""
    is_expected: bool = False
    """Whether the value is the mean of what chance, or an opponent who errs, may bring."""
    searched: tuple[Any, Any] | None = field(default=None, compare=False, repr=False)
    """The game and the position, where `gamesearch.search` was asked: a notebook shows the board and names moves."""

    @property
    def is_proven(self) -> bool:
        """Whether the value is the true value of the game: the search saw the end, or found a certain win or loss."""
        return (
            self.bound == "exact"
            and self.value is not None
            and (self.sees_the_end or self.is_decided or self.distance is not None)
        )

    @property
    def certainty(self) -> str | None:
        """How certain the value is: `exact` only for the true value of the game, else `estimate`, `lower` or `upper`;
        None without a value.
        """
        if self.value is None:
            return None
        return "estimate" if self.bound == "exact" and not self.is_proven else self.bound


WHY_STOPPED = {
    "time": "the time was up",
    "nodes": "the node limit was reached",
    "interrupted": "it was interrupted",
    "space": "the game goes deeper than a search can hold",
    "memory": "the tree filled its memory, which memory= can raise",
}
"""The reasons why a search ends early, and a clause that says each."""


@dataclass
class Progress:
    """The state of a search while it runs."""

    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0
    compiling: str = ""
    """The kernel being compiled, or empty."""
    compiling_since: float = 0.0
    """When that began, by `time.perf_counter`."""
    compiling_expected: float | None = None
    """How many seconds it is expected to take, as measured before; None if nothing is known."""


@dataclass
class Monitor:
    """Watches a search from outside, and can stop it, while it runs in a thread of its own.

    `poll` is called a few times a second and stops the search by returning True. `finished` is called after each
    depth of iterative deepening, `note` with a sentence for the user who waits. Ctrl-C stops the search and sets
    `interrupted`; a second Ctrl-C is raised. Where nothing was searched yet and it `leaves_compiling`, the compilation
    is left to itself, and Interrupted is raised.
    """

    poll: Callable[[Progress], bool] = lambda _: False
    finished: Callable[[SearchResult], None] = lambda _: None
    note: Callable[[str], None] = lambda _: None
    interval: float = 0.05
    leaves_compiling: bool = False
    """Whether somebody who interrupts it leaves the program, so that nobody waits for what is compiled."""
    interrupted: bool = field(default=False, init=False)
    stage: str = field(default="", init=False)
    """Which of several searches runs, and what those before it found."""


class Observer:
    """Receives each event of an interpreted search, in order.

    `iteration` comes before a search from the root, which may enter the root several times. `enter` and `leave`
    enclose each node; `move` comes before the child that it leads to is entered. `cutoff` means that of `count`
    moves those after number `index` were not searched; `table_hit` that the node's value follows from these bounds
    of the table, `bounds` that it follows from those of the game, and `database` that it was solved before;
    `recurrence` that the position is drawn because it occurred before; `probe` that only the node's first move is
    searched; `purpose` to `leaves_out` are of selective searches. Those from `reaches` on are of searches that keep
    their tree while it grows, and enter and leave no nodes: `plays_out` and `counts` of playouts, those from `asks` on
    of trees whose leaves get all their children at once. An observer ignores the events that it does not define.
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
        """The node at this ply is left before its last moves."""

    def table_hit(self, ply: int, lower: float, upper: float) -> None:
        """The value of the node at this ply follows from the table."""

    def bounds(self, ply: int, lower: float, upper: float) -> None:
        """The value of the node at this ply follows from the game's own bounds."""

    def database(self, ply: int, value: float) -> None:
        """The value of the node at this ply stands in a database."""

    def recurrence(self, ply: int) -> None:
        """The position at this ply is on the path already."""

    def probe(self, ply: int) -> None:
        """Only the first move of the node at this ply will be searched."""

    def purpose(self, ply: int, why: str) -> None:
        """The next child of the node at this ply is searched for a purpose, one of `trace.events.PURPOSES`."""

    def again(self, ply: int, why: str) -> None:
        """The last child is searched again, for another purpose: its value was better than expected."""

    def stands(self, ply: int, value: float) -> None:
        """The player at this ply may stand on an estimate, and searches only forcing moves."""

    def passes(self, ply: int, value: float) -> None:
        """The value of the node at this ply follows from a null move."""

    def predicts(self, ply: int, value: float, is_lower: bool) -> None:
        """A shallow search of the node at this ply predicts a bound on its value."""

    def leaves_out(self, ply: int, move: int, why: str) -> None:
        """A move of the node at this ply is left out: one of `trace.events.LEFT_OUT` says why."""

    def reaches(self, state: Any, ply: int, number: int) -> None:
        """The search is at a node of its tree, which has this number there; it comes from the root each time."""

    def weighs(self, move: int, visits: int, bound: float) -> None:
        """A move of that node had so many playouts, and this upper confidence bound; or knowing it is worth this."""

    def follows(self, ply: int, move: int) -> None:
        """The search follows a move, or outcome, of the node at this ply."""

    def plays_out(self, ply: int, is_known: bool, playing: Any) -> None:
        """From the node at this ply the game was played out, as `playing` says, or what it pays `is_known`."""

    def proves(self, ply: int, lower: float, upper: float, plies: int) -> None:
        """The value of the node at this ply is proven to lie between bounds; if these are one, it lasts so long."""

    def counts(self, ply: int, payoffs: Any) -> None:
        """What the playout pays is added to the node at this ply; from the last node to the root."""

    def asks(self, goal: float, attacker: int | None) -> None:
        """A search by proof numbers begins: whether Max can get this payoff, or more; on a graph, one side attacks."""

    def expands(self, ply: int) -> None:
        """The node at this ply is a leaf of the tree, and gets its children now; if it has them, nothing happens."""

    def grows(self, state: Any, move: int, number: int) -> None:
        """One of these children, behind a move; the tree may have it elsewhere, by the same number."""

    def values(self, number: int, value: float, deviation: float, is_certain: bool) -> None:
        """A node of the tree is worth this; if that is a belief, it is off by this standard deviation."""

    def lacks(self, number: int, proof: int, disproof: int) -> None:
        """A node of the tree has these proof and disproof numbers; NEVER_PROVEN is infinite."""

    def costs(self, number: int, cost: int) -> None:
        """A node of a graph lacks so much to a win of the attacker; STUCK and FAILED are greater than all."""

    def settles(self, graph: Any) -> None:
        """All costs of a graph were found anew."""

    def rescales(self, error: float, tree: Any) -> None:
        """Estimates are believed to be off by this standard deviation, and all beliefs of the tree are written anew."""

    def compares(self, root: int, tree: Any) -> None:
        """What is believed of the moves of the root has changed."""

    def expanded(self) -> None:
        """What a leaf that was expanded has changed is written into the tree."""


def payee(game: Game[Any], state: Any) -> int:
    """The player whose payoff a single number is: Max; with several payoffs, the player to move.

    At a chance node it is Max, the first player.
    """
    player = game.player(state)
    return player if game.payoff_count > 1 and player != CHANCE else MAX


def ranked(
    game: Game[Any], state: Any, moves: Iterable[MoveValue], best: Collection[int | None] = ()
) -> list[MoveValue]:
    """Moves, best first for the player who makes them: quick wins, slow losses. Outcomes keep their order."""
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
