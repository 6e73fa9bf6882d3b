"""Search with beliefs: each leaf has a probability distribution of values, and the search expands the leaf that
promises the most valuable information.

The belief about a leaf is a normal distribution around its estimate. The search measures the standard deviation of the
errors of estimates while the tree grows. If `leaves` is `playouts`, the estimate is the average payoff of random games
that start at the leaf. Its standard deviation is then the standard error of this average (`sample_leaf`). The belief
about an inner node is the distribution of the maximum or minimum of its children's values. The search treats the errors
of the children as independent (`tree_search/beliefs.py`), so it can compute the probability that a move is the best.
The search ends when more information is expected to be worth less than its cost (`tree_search/beliefs.py`).

S. Russell and E. Wefald 1991, "Do the Right Thing", MIT Press, and "Principles of metareasoning", Artificial
Intelligence 49 (MGSS*); E. B. Baum and W. D. Smith 1997, "A Bayesian approach to relevance in game playing", Artificial
Intelligence 97; S. Russell and P. Norvig, "Artificial Intelligence: A Modern Approach", the limitations of game search.
"""

import math
from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any, ClassVar, NamedTuple

from gamesearch.algorithms.engine.execution import SpeedProperty
from gamesearch.algorithms.engine.parameters import check_choice, check_seed
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.records import RecordHandle
from gamesearch.algorithms.node.repetition import note_on_path
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import RUNNING, Options, Run
from gamesearch.algorithms.tree_search.beliefs import (
    BINS,
    BeliefNode,
    BeliefSettings,
    close,
    estimate_scale,
    most_relevant_edge,
    most_valuable_edge,
    set_scale,
    update_belief,
)
from gamesearch.algorithms.tree_search.growth import (
    DRAWN,
    OVER,
    GrowingEdge,
    TreeSettings,
    add_children,
    back_up_node,
    begin_tree,
    is_proven,
    may_expand,
)
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes
from gamesearch.algorithms.tree_search.playout import Playouts, play_out, stop_at_limit
from gamesearch.algorithms.tree_search.sampling import PlayoutRecords, check_number, first_draw, mean_and_error
from gamesearch.algorithms.tree_search.tree_runner import ExpandingAlgorithm, TreeRunner, tree_result
from gamesearch.compiler import kernel
from gamesearch.errors import GamesearchError
from gamesearch.game import Game

__all__ = ["Beliefs", "beliefs"]

PLAYOUTS = 20
"""The number of random games from each leaf."""


class BeliefSearch(NamedTuple):
    """The arguments that all kernels of one search have in common."""

    options: Options
    settings: TreeSettings
    belief: BeliefSettings
    playouts: Playouts | None
    tree: Nodes
    run: Run


@kernel
def beliefs(game: Game, s: Any, search: BeliefSearch) -> None:
    """Repeatedly expand the leaf whose expansion gives the most valuable information, until the search stops or no
    information is worth its cost.

    Beliefs are stored as histograms. The bins of all histograms have the same limits, which are called the scale. The
    scale is computed again after 1, 2, 4, ... expansions, and before the search ends.
    """
    settings, belief = search.settings, search.belief
    tree, run = search.tree, search.run
    is_new = settings.root == NOTHING
    begin_tree(game, s, settings, tree, run)
    root = tree.nodes[settings.root]
    if is_new:
        root.guess = root.estimate
    belief.due, belief.scaled = 1, NOTHING
    if root.count > 0:
        scale(game, search)
    while may_expand(settings, run) and not root.closed:
        edge = most_valuable_edge(settings.root, belief, tree, run) if root.count > 0 else NOTHING
        if root.count > 0 and edge == NOTHING:
            if belief.scaled == settings.made:
                break
            scale(game, search)
            continue
        last = expand_most_valuable(game, s, edge, search)
        if last == NOTHING:
            break
        back_up(game, last, search)
        settings.made += 1
        if settings.made == belief.due:
            belief.due *= 2
            scale(game, search)
        if run.observer is not None:
            run.observer.compares(settings.root, tree)
            run.observer.finish_expansion()
    if belief.scaled != settings.made and root.count > 0:
        scale(game, search)
        if run.observer is not None:
            run.observer.compares(settings.root, tree)


@kernel
def scale(game: Game, search: BeliefSearch) -> None:
    """Measure the errors of estimates, choose a new scale, and compute all beliefs on this scale."""
    set_scale(game, search.settings.root, search.settings.made, search.belief, search.tree)
    if search.run.observer is not None:
        search.run.observer.rescales(search.belief.spread, search.tree)


@kernel
def expand_most_valuable(game: Game, s: Any, edge: int, search: BeliefSearch) -> int:
    """Follow a root move (`edge`) and then the most relevant move of each node until a leaf is reached. Expand this
    leaf. If the root has no edges yet, the root is expanded. Returns the ply of the expanded node, or NOTHING if the
    search had to stop."""
    settings, tree, run = search.settings, search.tree, search.run
    number, ply = settings.root, 0
    while True:
        settings.nodes[ply] = number
        note_on_path(game, s, ply, run.path)
        if run.observer is not None:
            run.observer.reaches(s, ply, number)
        if tree.nodes[number].count < 0:
            if not add_children(game, s, ply, number, search.options, settings, tree, run):
                return NOTHING
            begin_children(game, s, ply, number, search)
            return ply
        if ply > 0:
            edge = most_relevant_edge(number, search.belief, tree, run)
        if run.observer is not None:
            run.observer.follows(ply, tree.edges[edge].move)
        settings.edges[ply] = edge
        s = game.result(s, tree.edges[edge].move)
        ply += 1
        number = tree.edges[edge].child


@kernel
def sample_leaf(game: Game, s: Any, ply: int, node: BeliefNode, playouts: Playouts, search: BeliefSearch) -> None:
    """Play random games from a leaf, and set the estimate of the leaf and the error of this estimate. If the search is
    stopped, some of the games are omitted.

    The belief about the leaf is the posterior distribution of the mean payoff of random games. After n games, the width
    of the belief is proportional to 1 / sqrt(n) (G. Tesauro, V. T. Rajan and R. Segal 2010, "Bayesian inference in
    Monte-Carlo tree search", UAI).
    """
    total, squares, count = 0.0, 0.0, 0
    while count < search.belief.playouts and search.run.counts.stop == RUNNING:
        play_out(game, s, ply, playouts, search.run)
        payoff = float(playouts.record.payoffs[0])
        total += payoff
        squares += payoff * payoff
        count += 1
        stop_at_limit(search.options, search.run)
    mean, error = mean_and_error(float(game.MINSCORE), float(game.MAXSCORE), total, squares, count)
    node.estimate, node.error = estimate_within(game, mean), error


@kernel
def begin_children(game: Game, s: Any, ply: int, number: int, search: BeliefSearch) -> None:
    """Set the beliefs about the new children of a node. The beliefs come from random games if `leaves` is `playouts`,
    and otherwise from estimates."""
    belief, tree, run = search.belief, search.tree, search.run
    node = tree.nodes[number]
    for i in range(node.first, node.first + node.count):
        edge = tree.edges[i]
        child = tree.nodes[edge.child]
        if search.playouts is not None:
            if not is_proven(edge.child, tree):
                sample_leaf(game, game.result(s, edge.move), ply + 1, child, search.playouts, search)
        child.guess = child.estimate
        child.closed = int(child.player == OVER or child.player == DRAWN)
        if belief.final and child.player == OVER:
            child.lower, child.upper = float(game.MINSCORE), float(game.MAXSCORE)
        update_belief(game, edge.child, i, belief, tree)
        if run.observer is not None and belief.scaled != NOTHING:  # without a scale, the means are still 0
            report_belief(edge.child, tree, run)


@kernel
def back_up(game: Game, last: int, search: BeliefSearch) -> None:
    """Update beliefs, estimates and bounds from the expanded leaf to the root."""
    settings, belief = search.settings, search.belief
    tree, run = search.tree, search.run
    for ply in range(last, -1, -1):
        number = settings.nodes[ply]
        node = tree.nodes[number]
        if node.count > 0:
            has_proved = back_up_node(game, number, tree)
            if run.observer is not None and has_proved:
                run.observer.proves(ply, node.lower, node.upper, node.plies)
        close(number, tree)
        if ply > 0:
            update_belief(game, number, settings.edges[ply - 1], belief, tree)
            if run.observer is not None and belief.scaled != NOTHING:
                report_belief(number, tree, run)


@kernel
def report_belief(number: int, tree: Nodes, run: Run) -> None:
    """Report the belief about a node to the observer."""
    node = tree.nodes[number]
    run.observer.values(number, node.mean, math.sqrt(node.variance), is_proven(number, tree))


class BeliefRunner(TreeRunner):
    """A runner that owns a tree and the records for random games. The tree has a histogram for each edge."""

    def __init__(self, game: Game, speed: str, *, memory: int) -> None:
        super().__init__(game, speed, memory=memory, node=BeliefNode, edge=GrowingEdge, width=BINS)
        self.playouts = PlayoutRecords(self)

    @SpeedProperty
    def belief_handle(self) -> RecordHandle:
        """The settings for beliefs, as kernels read them."""
        return RecordHandle(BeliefSettings, self.speed == "compiled")


class Beliefs(ExpandingAlgorithm):
    """A tree of beliefs about values. It grows at the leaves whose expansion gives the most valuable information.

    For each move, the result contains the mean of the belief about the move, and the probability that the move is the
    best. The chosen move is the move with the greatest mean. The value is exact if all relevant lines were searched to
    the end of the game.
    """

    name = "beliefs"
    summary = "each value is a probability distribution; expands the leaf with the greatest value of computation"
    source = "Russell & Wefald 1991; Baum & Smith 1997"
    handles_chance = True
    has_beliefs = True
    choices: ClassVar[Mapping[str, Collection[str]]] = {"leaves": ("estimates", "playouts", "payoffs")}
    parameter_help: ClassVar[Mapping[str, str]] = {
        **ExpandingAlgorithm.parameter_help,
        "error": "the standard deviation of the error of estimates; 0 to measure it from the changes of estimates; "
        "if leaves=playouts, only the error that remains however many random games are played",
        "gain": "the search stops if no move has a value of information (the expected gain from knowing the move's "
        "exact value) above this payoff",
        "leaves": "where the uncertain values of leaves come from: estimates, playouts (averages of random games), or "
        "payoffs (only in small games: the payoff of a terminal position counts as an estimate with the given error)",
        "playouts": "the number of random games from each leaf, if leaves=playouts",
        "draws": "how often to draw random errors for all leaves, to compare the results with the beliefs; 0 for never",
        "seed": "searches with the same seed draw the same random errors, and play the same random games",
    }

    def __init__(
        self,
        error: float = 0.0,
        expansions: int = 0,
        time: float = 0.0,
        gain: float = 0.0,
        leaves: str = "estimates",
        playouts: int = PLAYOUTS,
        draws: int = 0,
        memory: int = 256,
        seed: int | str = "",
    ) -> None:
        self.set_expanding(expansions, time, memory)
        self.leaves = check_choice("leaves", leaves, self.choices["leaves"])
        self.playouts = check_number("playouts", playouts, whole=True, least=1)
        self.error, self.gain = check_number("error", error), check_number("gain", gain)
        self.draws, self.seed = check_number("draws", draws, whole=True), check_seed(seed)

    def fits(self, game: Game) -> None:
        """Check that the algorithm fits the game and, if `leaves=payoffs`, that `error` is given."""
        super().fits(game)
        if self.leaves == "payoffs" and not self.error:
            raise GamesearchError(
                "leaves=payoffs needs a value for error=, because the errors of payoffs cannot be measured"
            )

    def runner(self, game: Game, speed: str = "auto") -> Runner:
        """The runner that owns the tree."""
        return BeliefRunner(game, speed, memory=self.memory)

    def search(self, runner: Runner, state: Any) -> SearchResult:
        """Grow the tree of a position. The tree may already contain nodes of earlier searches."""
        from gamesearch.algorithms.tree_search.belief_result import BeliefReader  # imports NumPy only if needed

        grown, settings = self.prepare_tree(runner, state, "beliefs")
        assert isinstance(grown, BeliefRunner)
        game, is_sampled = grown.game, self.leaves == "playouts"

        def arguments() -> tuple[Any, ...]:
            grown.settings_handle.write(**settings)
            grown.belief_handle.write(
                error=self.error,
                gain=self.gain,
                playouts=self.playouts if is_sampled else 0,
                final=self.leaves == "payoffs",
                **estimate_scale(game, is_in_payoffs=self.leaves != "estimates"),
            )
            grown.playouts.handle.write(
                drawn=first_draw(game, state, self.seed, len(grown.past)), plies=0, temperature=0.0
            )
            tree_settings, belief = grown.settings_handle.record, grown.belief_handle.record
            playouts = grown.playouts.arguments if is_sampled else None
            return game, state, BeliefSearch(grown.options, tree_settings, belief, playouts, grown.tree, grown.run)

        grown.execute(beliefs, arguments)
        reader = BeliefReader(grown, grown.belief_handle)
        found = tree_result(grown, self.specification, state, reader)
        found = reader.with_beliefs(found, self.draws, int(self.seed or 0))
        return replace(found, is_expected=game.chance or not found.sees_the_end)
