"""The result and the limits of a search, and the objects that watch a search: monitor and observer."""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, field, replace
from html import escape
from typing import Any

from gamesearch.game import CHANCE, MAX, MIN, Game

__all__ = [
    "FAILED", "MOST_COST", "NEVER_PROVEN", "STUCK", "WHY_STOPPED", "Belief", "HtmlRepr", "Limits", "Monitor",
    "MoveValue", "Observer", "Progress", "SearchResult", "Statistics", "Value", "as_value", "payee", "rank_moves",
    "render_html_with", "value_for_player",
]  # fmt: skip

NEVER_PROVEN = 1 << 40
"""Infinity: the disproof number of a proven node, or the proof number of a disproven node."""
MOST_COST = 1 << 14
"""The greatest finite cost of a node in a graph (`solvers/proof/tree.py`). The cost is the effort to prove a win."""
STUCK = MOST_COST + 1
"""The cost of a node from which the attacker makes no progress: all moves of the attacker, or one reply of the
defender, lead back to a position on the path or to another such node. This cost is replaced when all costs are computed
again."""
FAILED = MOST_COST + 2
"""The cost of a node that the attacker cannot win."""
Value = float | tuple[float, ...]
"""The value of a position for Max. If each player has a payoff, this is a tuple with a value for each player."""
_renderers: list[Callable[[Any], str]] = []


def render_html_with(renderer: Callable[[Any], str]) -> None:
    """Register the function that makes the HTML of every `HtmlRepr`."""
    _renderers[:] = [renderer]


class HtmlRepr:
    """A result or recording. Notebooks display it as HTML. `gamesearch.render` draws the HTML, and this module must not
    import it, so `gamesearch.api` registers the renderer. If no renderer is registered, the HTML contains only the
    object's `repr`."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return _renderers[0](self) if _renderers else f"<pre>{escape(repr(self))}</pre>"


def as_value(payoff: Any) -> Value:
    """A payoff as a float, or as a tuple of floats."""
    return tuple(map(float, payoff)) if isinstance(payoff, tuple) else float(payoff)


@dataclass(frozen=True)
class Limits:
    """The limits at which a search stops. If a limit is None, the parameter of the algorithm applies."""

    depth: int | None = None
    """The greatest depth, in plies."""
    time: float | None = None
    """The greatest time, in seconds."""
    nodes: int | None = None
    """The greatest number of visited positions, counted over all threads."""
    target: float | None = None
    """The number of seconds that deepening should take; less than `time`. If the best move changes, deepening may
    exceed this number."""
    first: int | None = None
    """The depth at which deepening begins, by default 1. Deepening begins at a greater depth if the transposition table
    contains the results of smaller depths."""

    def divide(self, count: int) -> "Limits":
        """Divide the time and the nodes equally among `count` searches. Returns the limits of one search."""
        time = None if self.time is None else self.time / count
        return replace(self, time=time, nodes=None if self.nodes is None else max(1, self.nodes // count))

    def after_use(self, seconds: float, nodes: int) -> "Limits":
        """The limits that remain after `seconds` seconds and `nodes` nodes have been used."""
        time = None if self.time is None else max(0.0, self.time - seconds)
        return Limits(time=time, nodes=None if self.nodes is None else max(0, self.nodes - nodes))


@dataclass(frozen=True)
class Statistics:
    """The counts of a search."""

    nodes: int = 0
    """The number of visited positions, including the root; 0 if they were not counted."""
    distance_nodes: int = 0
    """The part of `nodes` that a second search visited to find the distance of a win."""
    leaves: int = 0
    """The number of positions whose value came from the rules (at the end of the game) or from the evaluation."""
    cutoffs: int = 0
    """The number of nodes at which a move caused a cutoff (alpha >= beta). A cutoff by the last move of a node also
    counts."""
    table_hits: int = 0
    """The number of nodes whose value came from the transposition table."""
    depth: int = 0
    """The depth of the search. For a search to the end of the game, the depth is the greatest ply that was reached."""
    seconds: float = 0.0
    """The elapsed time in seconds, without compilation."""
    speed: str = "interpreted"
    """`compiled` or `interpreted`."""
    threads: int = 1
    """The number of threads. If a search by several threads is repeated, it may visit different nodes."""


@dataclass(frozen=True)
class Belief:
    """A belief about a value for Max: a histogram with bins of equal width."""

    least: float
    """The value at the center of the first bin. All smaller values also belong to this bin."""
    step: float
    """The width of a bin."""
    below: tuple[float, ...]
    """For each bin, the probability that the value is in this bin or a lower bin."""
    best: float | None
    """The probability that the move is the best for the player to move; None for an outcome of a chance node."""
    deviation: float
    """The standard deviation of the value."""
    sampled: tuple[float, float | None] | None = None
    """The mean value in random samples, and the fraction of samples in which the move was best (None for outcomes of
    chance). If no samples were taken, `sampled` is None."""

    @property
    def masses(self) -> tuple[float, ...]:
        """The probability of each bin."""
        return tuple(below - before for before, below in zip((0.0, *self.below), self.below, strict=False))


@dataclass(frozen=True)
class MoveValue:
    """A move, and the value of the position after the move, from Max's point of view."""

    move: int
    value: Value
    distance: int | None = None
    visits: int = 0
    """The number of playouts that began with the move; 0 if the value is not an average of playouts."""
    interval: tuple[float, float] | None = None
    """The 95 % confidence interval of the payoff of Max (or of the mover, if each player has a payoff)."""
    line: tuple[int, ...] = field(default=(), compare=False)
    """The principal variation after the move, up to the end, the horizon, or a chance node."""
    belief: Belief | None = None
    """The belief about the move. Its mean is the value. None if the algorithm has no beliefs."""


@dataclass(frozen=True)
class SearchResult(HtmlRepr):
    """The result of a search."""

    algorithm: str
    """The specification of the algorithm, without parameters that have their default values."""
    value: Value | None
    """The value of the position; None if the search was stopped before it had a value."""
    bound: str
    """The kind of value. `exact`: the search finished its depth (`is_proven` says whether the value is also the true
    value of the game). `estimate`: the value is an average of playouts, or the current value of a growing tree. `lower`
    or `upper`: a stopped search found only a bound. If each player has a payoff, `lower` and `upper` are bounds on the
    payoff of the player to move."""
    best: int | None
    """The best move; None at the end of a game and at a chance node."""
    line: tuple[int, ...]
    """The principal variation. If a transposition table was used, the variation may be shorter than the depth."""
    statistics: Statistics
    distance: int | None = None
    """The number of plies to a certain win or loss; None if no win or loss is certain, or if the number is unknown."""
    moves: tuple[MoveValue, ...] = ()
    """The value of each legal move, if `search` was called with `moves`."""
    moves_depth: int | None = None
    """The depth of the move values, if it differs from the depth of the search."""
    sees_the_end: bool = False
    """Whether the search reached the end of the game in every line, so that no line ends in an estimate."""
    is_assumed: bool = False
    """Whether the value may depend on a payoff that the search assumed, because the user's tree has no payoff at a
    leaf."""
    is_decided: bool = False
    """Whether the win or loss is certain, even if some lines ended in estimates."""
    stopped: str = ""
    """The reason why the search ended early (a key of WHY_STOPPED); empty if it did not end early."""
    tree_is_full: bool = False
    """Whether the tree filled its memory. The search then continued without new nodes."""
    is_expected: bool = False
    """Whether the value is an expectation over chance, or over the errors of an opponent."""
    is_from_book: bool = False
    """Whether the result is from an opening book, without a search."""
    searched: tuple[Any, Any] | None = field(default=None, compare=False, repr=False)
    """The game and the position, for display in a notebook. Only `gamesearch.search` sets this attribute."""

    @property
    def mark(self) -> str:
        """A question mark, which follows the value in texts, if the value is assumed; otherwise empty."""
        return "?" if self.is_assumed else ""

    @property
    def is_proven(self) -> bool:
        """Whether the value is the game's true value: all lines reached the end, or a win or loss is certain."""
        return (
            self.bound == "exact"
            and self.value is not None
            and not self.is_assumed
            and (self.sees_the_end or self.is_decided or self.distance is not None)
        )

    @property
    def certainty(self) -> str | None:
        """If the value is the game's true value, this is `exact`. Otherwise, it is `estimate`, `lower` or `upper`.
        Without a value, it is None."""
        if self.value is None:
            return None
        return "estimate" if self.bound == "exact" and not self.is_proven else self.bound


WHY_STOPPED = {
    "time": "the time was up",
    "nodes": "the node limit was reached",
    "interrupted": "it was interrupted",
    "space": "a line of play is too long for the search",
    "memory": "the tree filled its memory (memory= sets a greater size)",
}
"""The reasons why a search may end early, each with a clause for messages."""


@dataclass
class Progress:
    """The state of a search while it runs."""

    nodes: int = 0
    depth: int = 0
    seconds: float = 0.0
    compiling: str = ""
    """The name of the kernel that is being compiled; empty if none is being compiled."""
    compiling_since: float = 0.0
    """The time when compilation began, from `time.perf_counter`."""
    compiling_expected: float | None = None
    """The expected compile time in seconds, from earlier measurements; None if it is unknown."""


@dataclass
class Monitor:
    """Watches a search that runs in another thread. A monitor can also stop the search.

    `poll` is called several times a second. If `poll` returns True, the search stops. `finished` is called after each
    depth of iterative deepening, and `note` is called with sentences for the user. Ctrl-C stops the search and sets
    `interrupted`; a second Ctrl-C raises KeyboardInterrupt. Ctrl-C can also come while the first kernel is being
    compiled. If `leaves_compiling` is set, this raises Interrupted, and the compilation continues in its own thread.
    """

    poll: Callable[[Progress], bool] = lambda _: False
    finished: Callable[[SearchResult], None] = lambda _: None
    note: Callable[[str], None] = lambda _: None
    interval: float = 0.05
    leaves_compiling: bool = False
    """Whether Ctrl-C ends the program, so that the program need not wait for the compiler."""
    interrupted: bool = field(default=False, init=False)
    stage: str = field(default="", init=False)
    """Text for progress displays: which of several searches is running, and earlier results."""


class Observer:
    """Receives each event of an interpreted search, in order.

    `iteration` comes before a search from the root. Such a search may enter the root several times. The events of each
    node begin with `enter` and end with `leave`. `move` comes before a child is entered. Only selective searches report
    the events from `purpose` to `prune_move`. Searches with a growing tree report `reaches` and the events after it,
    but not `enter` and `leave`. Only searches with playouts report `plays_out` and `counts`. Only searches that add all
    children of a leaf at the same time report `asks` and the events after it. An observer ignores the events that it
    does not define.
    """

    def iteration(self, depth: int, purpose: str) -> None:
        """A search of the root to this depth begins."""

    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
        """The search enters a node with this window."""

    def move(self, ply: int, move: int) -> None:
        """The search continues from the node at this ply with this move or outcome."""

    def leave(self, ply: int, value: Any) -> None:
        """The node at this ply is finished, with this value."""

    def cutoff(self, ply: int, index: int, count: int) -> None:
        """The node at this ply is cut off after move number `index` of its `count` moves: the later moves are not
        searched."""

    def table_hit(self, ply: int, lower: float, upper: float) -> None:
        """The value of the node at this ply follows from its entry in the transposition table."""

    def bounds(self, ply: int, lower: float, upper: float) -> None:
        """The value of the node at this ply follows from the game's own bounds."""

    def database(self, ply: int, value: float) -> None:
        """The value of the node at this ply is known, because the position is in a database."""

    def repetition(self, ply: int) -> None:
        """Reports that the position at this ply is a draw, because it has occurred before."""

    def probe(self, ply: int) -> None:
        """Reports that the search will only visit the first move of the node at this ply."""

    def purpose(self, ply: int, why: str) -> None:
        """Reports why the search will visit the next child of the node at this ply. `why` is one of
        `trace.events.PURPOSES`."""

    def search_again(self, ply: int, why: str) -> None:
        """The value of the last child was better than expected, so the child is searched again. `why` is the
        purpose."""

    def stand_pat(self, ply: int, value: float) -> None:
        """A quiescence search begins at the node at this ply. The player may stand pat on `value`."""

    def cut_off_by_null_move(self, ply: int, value: float) -> None:
        """The value of the node at this ply follows from a null move."""

    def predicts(self, ply: int, value: float, is_lower: bool) -> None:
        """A shallow search of the node at this ply predicts a bound on its value."""

    def prune_move(self, ply: int, move: int, why: str) -> None:
        """A move of the node at this ply is pruned, for one of the reasons in `trace.events.LEFT_OUT`."""

    def reaches(self, state: Any, ply: int, number: int) -> None:
        """The search follows moves from the root of the tree, and has reached the node `number`."""

    def weighs(self, move: int, visits: int, bound: float) -> None:
        """The search examines a move of the last reached node. `bound` is the confidence bound of this move, or its
        value of information."""

    def follows(self, ply: int, move: int) -> None:
        """The search follows a move or outcome of the node at this ply."""

    def plays_out(self, ply: int, is_known: bool, playing: Any) -> None:
        """A playout from the node at this ply has ended; `playing` contains its record. If `is_known` is true, the
        payoff was known without playing moves."""

    def proves(self, ply: int, lower: float, upper: float, plies: int) -> None:
        """Bounds on the value of the node at this ply are proven. If the bounds are equal, the game ends after `plies`
        plies."""

    def counts(self, ply: int, payoffs: Any) -> None:
        """The payoff of the playout is added to the node at this ply. The calls go from the last node of the path to
        the root."""

    def asks(self, goal: float, attacker: int | None) -> None:
        """A proof-number search begins: can Max get at least `goal`? On a graph, `attacker` is the player who tries to
        win."""

    def expands(self, ply: int) -> None:
        """The leaf at this ply is expanded. If the leaf already has children, no children are added."""

    def grows(self, state: Any, move: int, number: int) -> None:
        """A child, the node with this `number`, is added to the expanded leaf. The node may already exist in the
        tree."""

    def values(self, number: int, value: float, deviation: float, is_certain: bool) -> None:
        """A node of the tree has this value. If the value is a belief, `deviation` is its standard deviation."""

    def lacks(self, number: int, proof: int, disproof: int) -> None:
        """A node of the tree has these proof and disproof numbers. NEVER_PROVEN stands for infinity."""

    def costs(self, number: int, cost: int) -> None:
        """`cost` is the attacker's cost to win from this node. STUCK and FAILED are greater than all other costs."""

    def update_costs(self, graph: Any) -> None:
        """All costs of a graph were computed again."""

    def rescales(self, error: float, tree: Any) -> None:
        """The standard deviation of the error of estimates is updated, and all beliefs of the tree are recomputed."""

    def compares(self, root: int, tree: Any) -> None:
        """The beliefs about the moves of the root have changed."""

    def finish_expansion(self) -> None:
        """The new values have been backed up from an expanded leaf to the root."""


def payee(game: Game, state: Any) -> int:
    """Return the player whose payoff is shown if there is room for only one payoff. If each player has a payoff, this
    is the player to move. In other games, and at chance nodes, it is Max."""
    player = game.player(state)
    return player if game.payoff_count > 1 and player != CHANCE else MAX


def value_for_player(player: int, value: Value) -> float:
    """A value from the point of view of a player. `value` is Max's value, or a tuple with the value for each player."""
    if isinstance(value, tuple):
        return value[player]
    return -value if player == MIN else value


def rank_moves(
    game: Game, state: Any, moves: Iterable[MoveValue], best: Collection[int | None] = ()
) -> list[MoveValue]:
    """Sort moves, best first for the player to move: first the moves in `best`, then quick wins; quick losses last."""
    moves = list(moves)
    if not moves or game.player(state) == CHANCE:
        return moves
    player = game.player(state)
    sign = -1 if player != payee(game, state) else 1

    def rank(found: MoveValue) -> tuple[bool, float, float]:
        worth = found.value[player] if isinstance(found.value, tuple) else sign * found.value
        is_won = worth > sign * game.draw_value()
        plies = float(found.distance or 0)
        return found.move not in best, -worth, plies if is_won else -plies

    return sorted(moves, key=rank)
