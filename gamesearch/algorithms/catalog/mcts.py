"""Monte Carlo tree search: playouts from the leaves of a tree, which grows by one node per playout.

R. Coulom 2006, "Efficient selectivity and backup operators in Monte-Carlo tree search", Computers and Games; L. Kocsis
and C. Szepesvari 2006, "Bandit based Monte-Carlo planning", ECML (UCT). If there are more than two players, each player
maximizes their own payoff (N. R. Sturtevant 2008, "An analysis of UCT in multi-player games", ICGA Journal 31).

Several threads can grow one tree. Only one thread at a time uses the tree; the other threads play random games. A
playout that is still running counts as lost at each move on its path (a virtual loss). So other threads try different
moves (G. Chaslot, M. H. M. Winands and H. J. van den Herik 2008, "Parallel Monte-Carlo tree search", Computers and
Games: tree parallelization with a global lock and virtual losses).
"""

import functools
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from gamesearch.algorithms.engine.execution import SpeedProperty
from gamesearch.algorithms.engine.parameters import DATABASE_HELP, check_memory, check_threads
from gamesearch.algorithms.engine.result import SearchResult
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.database import Database
from gamesearch.algorithms.node.records import RecordHandle
from gamesearch.algorithms.node.repetition import note_on_path
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY, NODE_LIMIT, Options, Run
from gamesearch.algorithms.tree_search.growth import (
    DRAWN,
    OVER,
    Growth,
    TreeSettings,
    back_up_estimate,
    child_of,
    expand,
    is_proven,
    look_at,
    prove,
)
from gamesearch.algorithms.tree_search.node_store import NOTHING, Nodes, new_node
from gamesearch.algorithms.tree_search.playout import (
    PlayoutRecord,
    Playouts,
    note_draw,
    note_payoff,
    play_out,
    stop_at_limit,
    width_of,
    win_of,
)
from gamesearch.algorithms.tree_search.sampling import PLAYOUTS, PlayoutRecords, SamplingAlgorithm, check_number
from gamesearch.algorithms.tree_search.selection import Rave, note_all_as_first, select_edge
from gamesearch.algorithms.tree_search.tree_runner import TreeReader, TreeRunner, tree_result
from gamesearch.compiler import BorrowedArray, kernel
from gamesearch.compiler.kernels import acquire, release
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MIN, NEVER, Game
from gamesearch.notation import zero_sum_words
from gamesearch.textbook import sampling

__all__ = ["Mcts", "mcts"]

CLAIMED, VISITED, WORDS = 1, 2, 3
"""All threads share one array of WORDS numbers. Index 0 contains the lock, index CLAIMED contains the number of started
playouts, and index VISITED contains the number of visited nodes."""


@kernel
def mcts(game: Game, s: Any, options: Options, growth: Growth, run: Run) -> None:
    """Grow the tree of s by playouts, until the search stops or the value of s is proven."""
    settings, tree, shared = growth.settings, growth.tree, growth.shared
    enter_tree(shared)
    if settings.root == NOTHING:
        settings.root = 0
        if tree.used.nodes == 0:
            new_node(tree, 0)
            look_at(game, s, 0, 0, settings, tree, run)
    while claim(settings, shared):
        make_playout(game, s, options, growth, run)
        if run.counts.stop or (settings.solver and is_proven(settings.root, tree)):
            break
    leave_tree(shared)


@kernel
def make_playout(game: Game, s: Any, options: Options, growth: Growth, run: Run) -> None:
    """Follow the most promising moves to a leaf, play the game out from the leaf, and add the payoff to the tree.

    Other threads may use the tree during the playout. The four steps of Russell and Norvig (4th edition, section 5.4)
    are functions: `select_edge` for selection and `expand` for expansion (both called by `descend`), `play_out` for
    simulation, and `back_up` for back-propagation.
    """
    settings, playouts, tree = growth.settings, growth.playouts, growth.tree
    record, nodes = playouts.record, run.counts.nodes
    last, known, end = descend(game, s, settings, playouts, tree, run)
    lose_virtually(game, last, 1, settings, tree, growth.shared)
    leave_tree(growth.shared)
    if not known:
        play_out(game, end, last, playouts, run)
    enter_tree(growth.shared)
    lose_virtually(game, last, -1, settings, tree, growth.shared)
    if run.observer is not None:
        run.observer.plays_out(last, known, record)
    if growth.rave is not None:
        note_all_as_first(game, last, settings, record, tree, growth.rave)
    back_up(game, last, known, settings, record, tree, run)
    if growth.shared is None:
        stop_at_limit(options, run)
    else:
        stop_together(run.counts.nodes - nodes, options, growth.shared, run)


@kernel
def descend(
    game: Game, s: Any, settings: TreeSettings, playouts: Playouts, tree: Nodes, run: Run
) -> tuple[int, bool, Any]:
    """Follow the most promising moves from the root to the first position outside the tree, or to a node whose value is
    certain.

    Returns the ply of the last node, whether its value is certain, and the position from which the playout begins.
    """
    record, counts, number, ply = playouts.record, run.counts, settings.root, 0
    while True:
        settings.nodes[ply] = number
        node = tree.nodes[number]
        counts.nodes += 1
        counts.deepest = max(counts.deepest, ply)
        if run.observer is not None:
            run.observer.reaches(s, ply, number)
        if node.player == OVER or node.player == DRAWN or (settings.solver and is_proven(number, tree)):
            counts.leaves += 1
            record.length = ply
            if node.player == OVER:
                note_payoff(game, game.utility(s), record)
            elif node.player == DRAWN:
                note_draw(game, record)
            else:
                record.payoffs[0] = node.lower
            return ply, True, s
        note_on_path(game, s, ply, run.path)
        is_new = node.visits == 0 and ply > 0
        if is_new or ply >= MAX_PLY or (node.count < 0 and not expand(game, s, ply, number, settings, tree, run)):
            return ply, False, s
        if node.player == DRAWN:
            continue
        edge = select_edge(game, number, settings, tree, record, run)
        if edge == NOTHING:
            prove(game, number, tree)
            if run.observer is not None:
                run.observer.proves(ply, node.lower, node.upper, node.plies)
            if counts.stop:
                return ply, False, s
            continue
        move = tree.edges[edge].move
        settings.edges[ply], record.moves[ply], record.players[ply] = edge, move, node.player
        if run.observer is not None:
            run.observer.follows(ply, move)
        s = game.result(s, move)
        ply += 1
        number = child_of(game, s, ply, edge, settings, tree, run)
        if number == NOTHING:
            counts.nodes += 1
            settings.nodes[ply] = NOTHING
            return ply, False, s


@kernel
def back_up(
    game: Game, last: int, known: bool, settings: TreeSettings, record: PlayoutRecord, tree: Nodes, run: Run
) -> None:
    """Add the payoff of the last playout to all edges and nodes from the leaf to the root, and prove values if
    possible. A payoff outside the proven bounds of a node counts as the nearer bound."""
    width, changed = width_of(game), known
    for i in range(width):
        settings.least = min(settings.least, record.payoffs[i])
        settings.greatest = max(settings.greatest, record.payoffs[i])
    for ply in range(last, -1, -1):
        number = settings.nodes[ply]
        if number == NOTHING:
            continue
        node = tree.nodes[number]
        node.visits += 1
        if ply < last:
            edge = settings.edges[ply]
            tree.edges[edge].visits += 1
            for i in range(width):
                tree.totals[edge * width + i] += record.payoffs[i]
            tree.edges[edge].wins += win_of(game, record)
            if settings.implicit > 0.0:
                back_up_estimate(number, tree)
            if settings.solver and changed:
                changed = prove(game, number, tree)
                if run.observer is not None and changed:
                    run.observer.proves(ply, node.lower, node.upper, node.plies)
        if settings.solver:
            record.payoffs[0] = max(node.lower, min(node.upper, record.payoffs[0]))
        if run.observer is not None:
            run.observer.counts(ply, record.payoffs)


@kernel
def enter_tree(shared: Any) -> None:
    """Acquire the lock of the tree. If `shared` is None, the search has one thread and no lock."""
    if shared is not None:
        acquire(shared)


@kernel
def leave_tree(shared: Any) -> None:
    """Release the lock of the tree."""
    if shared is not None:
        release(shared)


@kernel
def claim(settings: TreeSettings, shared: Any) -> bool:
    """Return whether another playout is needed. If so, count it as started."""
    begun = settings.made
    if shared is not None:
        begun = shared[CLAIMED]
    if settings.playouts > 0 and begun >= settings.playouts:
        return False
    settings.made += 1
    if shared is not None:
        shared[CLAIMED] += 1
    return True


@kernel
def stop_together(nodes: int, options: Options, shared: Any, run: Run) -> None:
    """Add the nodes of a playout to the total count of all threads. Stop if the total reaches the node limit."""
    shared[VISITED] += nodes
    if shared[VISITED] >= options.node_limit:
        run.counts.stop = NODE_LIMIT


@kernel
def lose_virtually(game: Game, last: int, sign: int, settings: TreeSettings, tree: Nodes, shared: Any) -> None:
    """If `sign` is 1, add a virtual loss to each move from the root to ply `last`. If `sign` is -1, remove one."""
    if shared is None or settings.greatest < settings.least:
        return
    width = width_of(game)
    for ply in range(last):
        number, edge = settings.nodes[ply], settings.edges[ply]
        player = tree.nodes[number].player
        if player == CHANCE:
            continue
        tree.edges[edge].visits += sign
        is_min = player == MIN and width == 1
        loss = settings.greatest if is_min else settings.least
        tree.totals[edge * width + (player if width > 1 else 0)] += sign * loss
        tree.edges[edge].wins += float(sign) if is_min else 0.0


class PlayoutTreeRunner(TreeRunner):
    """A runner that owns a tree. The tree grows by playouts in one or several threads."""

    divides_nodes = False

    def __init__(self, *given: Any, has_rave: bool = False, **more: Any) -> None:
        super().__init__(*given, **more)
        self.playouts = PlayoutRecords(self, has_rave)
        self.number = 0
        """The number of the thread; 0 for the main thread."""

    def helper(self, number: int) -> Self:
        """The runner of a helper thread, which grows the same tree as the main thread."""
        helper = type(self)(
            self.game,
            self.requested_speed,
            memory=self.megabytes,
            has_index=self.has_index,
            has_rave=self.playouts.has_rave,
            database=self.database,
        )
        helper.store, helper.words, helper.number = self.store, self.words, number
        return helper

    @functools.cached_property
    def words(self) -> Any:
        """An array that all threads share: the lock of the tree, and the counts of playouts and nodes."""
        import numpy as np

        return np.zeros(WORDS, np.int64)

    @SpeedProperty
    def rave(self) -> Any:
        """The record in which RAVE stores the moves of a playout; None if RAVE is off."""
        return RecordHandle(Rave, self.speed == "compiled").record if self.playouts.has_rave else None

    @property
    def growth(self) -> Growth:
        """The value for the kernel's parameter `growth`. The field `shared` is None if only one thread searches."""
        shared = BorrowedArray(self.words) if self.number or self.helpers else None
        return Growth(self.settings_handle.record, self.playouts.arguments, self.tree, self.rave, shared)


NUMBERS = ("exploration", "urgency", "wins", "rave", "prior", "widening", "implicit")
"""The parameters that kernels receive unchanged."""


class Mcts(SamplingAlgorithm):
    """A tree that grows by playouts of the most promising moves (UCT). A later search in the same game continues with
    this tree.

    The best move is the move with the most playouts. If `solver` is true, the search proves wins, losses and draws. A
    proven value is exact, and its distance is the length of the longest line in the proof.
    """

    name = "mcts"
    summary = "Monte Carlo tree search (UCT)"
    source = "Kocsis & Szepesvari 2006; Coulom 2006; Gelly & Silver 2007; Winands et al. 2008; Lanctot et al. 2014"
    textbook = staticmethod(sampling.uct)
    parameter_help: ClassVar[Mapping[str, str]] = {
        **SamplingAlgorithm.parameter_help,
        "exploration": "the exploration constant of UCB1, for payoffs from 0 to 1; a greater constant tries more moves",
        "urgency": "the assumed value of a move without visits, for payoffs from 0 to 1; with a number such as 10, "
        "the search tries every move of a node once before it repeats any move",
        "wins": "how a playout counts: 0 for its payoff, 1 for a win or a loss, and a number between 0 and 1 for a "
        "mixture of both; only for two players",
        "rave": "the number of visits at which a move's average and its AMAF average have the same weight; 0 for no "
        "RAVE. The AMAF average counts all playouts in which the player makes the move now or later",
        "prior": "the number of virtual playouts with which each move begins; a move wins more of them if it comes "
        "early in the game's move order; 0 for none",
        "widening": "a node tries only the first moves of the game's move order: as many as this number times the "
        "square root of the node's visits, plus 1; 0 for all moves",
        "implicit": "the weight, from 0 to 1, of estimates backed up by minimax; playouts get the remaining weight",
        "solver": "whether to prove wins, losses and draws, and to back them up; for one or two players",
        "transpositions": "whether equal positions share one node of the tree; not in games with repetition",
        "memory": "the size of the tree in megabytes; when the tree is full, it stops growing, and a note "
        "in the result says so",
        "database": DATABASE_HELP,
        "threads": "the number of threads that grow the tree (only one if interpreted); a search with several threads "
        "is not repeatable",
    }

    def __init__(
        self,
        playouts: int = 0,
        time: float = 0.0,
        exploration: float = 1.0,
        urgency: float = 10.0,
        wins: float = 0.0,
        rave: float = 0.0,
        prior: float = 0.0,
        widening: float = 0.0,
        implicit: float = 0.0,
        solver: bool = True,
        transpositions: bool = False,
        policy: str = "uniform",
        temperature: float = 0.25,
        plies: int = 0,
        memory: int = 256,
        seed: int | str = "",
        threads: int = 1,
        database: str = "",
    ) -> None:
        self.threads = check_threads(threads)
        self.set_sampling(playouts, time, policy, temperature, plies, seed)
        self.exploration, self.urgency = check_number("exploration", exploration), check_number("urgency", urgency)
        self.rave, self.prior = check_number("rave", rave), check_number("prior", prior)
        self.wins = check_number("wins", wins)
        self.widening, self.implicit = check_number("widening", widening), check_number("implicit", implicit)
        for name in ("implicit", "wins"):
            if getattr(self, name) > 1:
                raise GamesearchError(f"{name} must be a number from 0 to 1, not {getattr(self, name)}")
        self.solver, self.transpositions, self.memory = solver, transpositions, check_memory(memory)
        self.database = str(database)
        if self.database and not self.solver:
            raise GamesearchError(
                "database= needs solver=true, because the values in a database are proven: leave out solver=false"
            )

    @property
    def asks_order(self) -> bool:
        """Whether the search needs the game's move order."""
        return super().asks_order or self.is_ordered

    @property
    def is_ordered(self) -> bool:
        """Whether the parameter `prior` or `widening` is used. Both need the game's move order."""
        return bool(self.prior or self.widening)

    def fits(self, game: Game) -> None:
        """Check that the game supports all options of this algorithm. Games whose positions can repeat do not support
        transpositions."""
        super().fits(game)
        for name in ("implicit", "wins"):
            if getattr(self, name) and game.payoff_count > 1:
                raise GamesearchError(f"the parameter {name} is {zero_sum_words(game)}: leave out {name}=")
        if self.transpositions and game.repetition != NEVER:
            raise GamesearchError(
                f"positions of {game.name} can repeat, so one node cannot stand for equal positions: leave "
                f"out transpositions=true"
            )

    def runner(self, game: Game, speed: str = "auto") -> Runner:
        """The runner that owns the tree."""
        return PlayoutTreeRunner(
            game,
            speed,
            memory=self.memory,
            has_index=self.transpositions,
            has_rave=self.rave > 0,
            threads=self.threads,
            database=Database(self.database, game) if self.database else None,
        )

    def search(self, runner: Runner, state: Any) -> SearchResult:
        """Grow the tree of a position. The tree may already contain nodes of earlier searches."""
        assert isinstance(runner, PlayoutTreeRunner)
        game, most = runner.game, self.repetition_limit(runner, self.playouts, PLAYOUTS)
        runner.begin(FULL_DEPTH, "playouts")
        root = runner.root_for(state)
        settings = {
            "playouts": most,
            "solver": self.solver and game.payoff_count == 1,
            "ordered": self.is_ordered,
            "temperature": self.temperature,
            **{name: getattr(self, name) for name in NUMBERS},
        }

        def arguments(each: PlayoutTreeRunner, _: int) -> tuple[Any, ...]:
            self.write_settings(each.playouts, game, state, len(runner.past), each.number)
            each.settings_handle.write(root=root, made=0, **settings)
            return game, state, each.options, each.growth, each.run

        runner.words[:] = 0
        runner.execute_by_all(mcts, arguments, plies=0)
        return tree_result(runner, self.specification, state, TreeReader(runner, self.solver))
