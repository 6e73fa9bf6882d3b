"""Provers: classes that find the value of a position by proof-number searches. Each search determines whether Max can
get at least a certain payoff.

The first search asks whether the player to move wins. If there are other payoffs than win and loss, each further search
halves the number of possible payoffs. The searches are in `gamesearch.solvers.proof.dfpn` and
`gamesearch.solvers.proof.best_first`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable
from typing import Any

from gamesearch.algorithms.engine.execution import Kernel
from gamesearch.algorithms.engine.result import FAILED, NEVER_PROVEN, STUCK
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.records import RecordHandle, Rows
from gamesearch.algorithms.node.table import MEGABYTE
from gamesearch.algorithms.node.workspace import NO_LIMIT, OUT_OF_SPACE, Run
from gamesearch.algorithms.tree_search.node_store import Edge, NodeStore, find
from gamesearch.compiler import BorrowedArray
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import MAX, MIN, Game
from gamesearch.solvers.proof.best_first import pn, pn2, prove
from gamesearch.solvers.proof.dfpn import TableEntry, dfpn
from gamesearch.solvers.proof.tree import Costs, GraphEdge, GraphNode, ProofNode, ProofPath, Question, TreeSearch
from gamesearch.toolkit.bits import mix

__all__ = ["PROVERS", "NoRoomError", "Prover", "possible_payoffs"]

SALT = 0x5A17
"""A constant that is hashed together with the index of a goal. Games do not use this constant, so the hashes of goals
differ from the hashes of positions."""


class NoRoomError(GamesearchError):
    """Raised if the memory for a proof is full."""


class Prover:
    """Answers questions about positions of one game."""

    def __init__(self, runner: Runner, kernel: Kernel, advice: str) -> None:
        self.runner, self.game = runner, runner.game
        self.kernel = kernel
        """The kernel that proves or disproves a goal and returns the proof and disproof numbers of a position."""
        self.advice = advice
        """If the memory is full, the error message ends with this advice."""
        self.payoffs = possible_payoffs(runner.game)
        self.questions: dict[bool, RecordHandle] = {}

    @property
    def bytes(self) -> int:
        """The memory in bytes."""
        raise NotImplementedError

    def arguments(self, s: Any, question: Any, is_compiled: bool) -> tuple[Any, ...]:
        """The arguments of the kernel, except the game. The type of some arguments depends on whether the kernel is
        compiled."""
        raise NotImplementedError

    def value(self, s: Any) -> float:
        """The value of a position. Raises NoRoomError if there is not enough memory for the proofs."""
        game, payoffs = self.game, self.payoffs
        if game.terminal(s):
            return float(game.utility(s))
        find, weaker = (bisect_right, -1) if game.player(s) == MAX else (bisect_left, 1)
        least, greatest = 0, len(payoffs) - 1
        asked, full = min(max(1, find(payoffs, game.draw_value())), greatest), 0
        while least < greatest:
            try:
                is_got = self.can_get(s, asked)
            except NoRoomError:
                if full or not least < asked + weaker <= greatest:
                    raise
                # Ask whether the player to move can get the next weaker payoff. If the opponent wins, the answer to
                # this question may need less memory.
                self.runner.restart_with_counts()
                asked, full = asked + weaker, asked
                continue
            if is_got:
                least = asked
            else:
                greatest = asked - 1
            asked = (least + greatest + 1) // 2
            if least < greatest and asked == full:
                raise self.no_room()
        return payoffs[least]

    def no_room(self) -> NoRoomError:
        """The error for a question that needs too much memory."""
        return NoRoomError(f"there is not enough memory to prove {self.game.name}: {self.advice}")

    def can_get(self, s: Any, number: int) -> bool:
        """Whether Max can get the payoff with index `number`, or a greater payoff."""
        known = self.can_get_by_rules(s, number)
        if known is not None:
            return known
        runner = self.runner
        if runner.observer is not None:
            runner.observer.asks(self.payoffs[number], self.attacker(number))

        def arguments() -> tuple[Any, ...]:
            is_compiled = runner.speed == "compiled"
            if is_compiled not in self.questions:
                self.questions = {is_compiled: RecordHandle(Question, is_compiled)}
            goal, salt, limit = self.payoffs[number], mix((number, SALT)), runner.limits.nodes or 0
            self.questions[is_compiled].write(goal=goal, salt=salt, is_odd=0, node_limit=limit)
            return self.game, *self.arguments(s, self.questions[is_compiled].record, is_compiled)

        proof, _ = runner.execute(self.kernel, arguments)
        self.check()
        return bool(proof == 0)

    def attacker(self, number: int) -> int | None:  # noqa: ARG002
        """The player who attacks if the goal is the payoff with index `number`. Endless play counts against the
        attacker. The result is None if positions cannot repeat."""
        return None

    def can_get_by_rules(self, s: Any, number: int) -> bool | None:
        """Whether Max can get the payoff with index `number` or more; None if neither the rules nor the game's bounds
        decide this."""
        if self.game.terminal(s):
            return bool(self.game.utility(s) >= self.payoffs[number])
        least, greatest = self.game.bounds(s)
        return True if least >= self.payoffs[number] else False if greatest < self.payoffs[number] else None

    def move_that_gets(self, s: Any, value: float) -> int:
        """A move that keeps the value for the player to move. Moves whose value follows from the rules are tried
        first."""
        game, number = self.game, self.payoffs.index(value)
        is_max = game.player(s) == MAX
        asked = number if is_max else number + 1
        steps = game.steps(s)
        if asked < len(self.payoffs):
            steps.sort(key=lambda move: self.can_get_by_rules(game.result(s, move), asked) is None)
        *moves, last = steps
        if value == self.payoffs[0 if is_max else -1]:
            return last
        for move in moves:
            after = game.result(s, move)
            if self.can_get(after, number) if is_max else not self.can_get(after, number + 1):
                return move
        return last

    def check(self) -> None:
        """If the search did not answer the question, raise an error that states the reason."""
        name, runner = self.game.name, self.runner
        if any(held.read("is_odd") for held in self.questions.values()):
            raise GamesearchError(f"{name} has payoffs other than win, loss and draw: use the method memo")
        if runner.counts.stop == OUT_OF_SPACE:
            raise self.no_room()
        if runner.stopped == "space":
            raise GamesearchError(f"games of {name} can be too long for the method proof: use the method memo")
        if runner.stopped:
            raise Interrupted(f"solving was interrupted after {int(runner.counts.nodes):,} positions")


class DepthFirstProver(Prover):
    """A prover that uses df-pn. All its searches share one table."""

    def __init__(self, runner: Runner, memory: int) -> None:
        super().__init__(runner, dfpn, "use the method memo")
        self.entries = TableEntry.rows(1 << (memory * MEGABYTE // TableEntry.layout().itemsize).bit_length() - 1)

    @property
    def bytes(self) -> int:
        return int(self.entries.nbytes)

    def arguments(self, s: Any, question: Any, is_compiled: bool) -> tuple[Any, ...]:
        table = BorrowedArray(self.entries) if is_compiled else Rows(self.entries)
        return s, NEVER_PROVEN, NEVER_PROVEN, 0, question, table, self.runner.run


def tree_search(question: Any, store: NodeStore, costs: Any, is_compiled: bool, run: Run) -> TreeSearch:
    """The arguments of a search that keeps its nodes in `store`. If there are `costs`, the nodes form a graph; if not,
    they form a tree."""
    path, numbers = RecordHandle(ProofPath, is_compiled).record, 1 if costs is None else None
    return TreeSearch(question, path, store.view(is_compiled), numbers, costs, run)


class TreeProver(Prover):
    """A prover that uses best-first proof-number search. Each search begins with a new tree."""

    def __init__(
        self,
        runner: Runner,
        memory: int,
        kernel: Kernel = pn,
        advice: str = "raise memory=, use proof(search=pn2), or leave out search=",
        trees: int = 1,
    ) -> None:
        super().__init__(runner, kernel, advice)
        share = max(1, memory // trees)
        self.stores = [NodeStore(share, ProofNode, Edge, 0, has_index=True) for _ in range(trees)]

    @property
    def bytes(self) -> int:
        stores = ((store.nodes, store.edges, store.index) for store in self.stores)
        return int(sum(array.nbytes for arrays in stores for array in arrays if array is not None))

    def searches(self, question: Any, is_compiled: bool) -> list[TreeSearch]:
        """Clear all trees. For each tree, return the arguments of the search in this tree."""
        for store in self.stores:
            store.clear()
        runs = (self.runner.run, self.runner.workspace.run)
        pairs = zip(self.stores, runs, strict=False)
        return [tree_search(question, store, None, is_compiled, run) for store, run in pairs]

    def arguments(self, s: Any, question: Any, is_compiled: bool) -> tuple[Any, ...]:
        return s, NO_LIMIT, *self.searches(question, is_compiled)


class TwoTreeProver(TreeProver):
    """A prover that uses best-first search in a tree. A second search, which has its own tree, examines each leaf."""

    def __init__(self, runner: Runner, memory: int) -> None:
        super().__init__(runner, memory, pn2, "raise memory=, or leave out search=", trees=2)

    def arguments(self, s: Any, question: Any, is_compiled: bool) -> tuple[Any, ...]:
        return s, *self.searches(question, is_compiled)


class GraphProver(Prover):
    """A prover that grows one graph of positions for each payoff. It keeps these graphs for later questions."""

    def __init__(self, runner: Runner, memory: int) -> None:
        super().__init__(runner, prove, "raise memory=, or use the method retrograde")
        self.memory, self.dropped = memory, 0
        self.number = 0
        """The index of a payoff. The current question asks whether Max can get this payoff or a greater one."""
        self.stores: dict[int, NodeStore] = {}
        self.costs: dict[tuple[int, bool], RecordHandle] = {}

    @property
    def bytes(self) -> int:
        found = 0
        for store in self.stores.values():
            store.note_used()
            found += store.used_nodes * store.nodes.itemsize + store.used_edges * store.edges.itemsize
            found += 0 if store.index is None else store.index.nbytes
        return max(int(found), self.dropped)

    def can_get(self, s: Any, number: int) -> bool:
        """Whether Max can get the payoff with index `number`, or a greater payoff."""
        self.number = number
        return super().can_get(s, number)

    def attacker(self, number: int) -> int:
        """The attacker, which is Max if the payoff is above a draw, and otherwise Min."""
        return MAX if self.payoffs[number] > self.game.draw_value() else MIN

    def arguments(self, s: Any, question: Any, is_compiled: bool) -> tuple[Any, ...]:
        number = self.number
        if number not in self.stores:
            self.stores[number] = NodeStore(self.memory, GraphNode, GraphEdge, 0, has_index=True)
        if (number, is_compiled) not in self.costs:
            self.costs[number, is_compiled] = RecordHandle(Costs, is_compiled)
            self.costs[number, is_compiled].write(attacker=self.attacker(number))
        costs = self.costs[number, is_compiled].record
        return s, tree_search(question, self.stores[number], costs, is_compiled, self.runner.run)

    def move_that_gets(self, s: Any, value: float) -> int:
        """A move that keeps the value for the player to move. If this player is the attacker, the move leads to the
        position that was proven first. So the game comes to an end."""
        side, number = self.game.player(s), self.payoffs.index(value)
        asked = number if side == MAX else number + 1
        if value == self.payoffs[0 if side == MAX else -1]:
            return super().move_that_gets(s, value)
        self.can_get(s, asked)
        found = {move: self.cost_and_rank(self.game.result(s, move), asked) for move in self.game.steps(s)}
        if self.attacker(asked) != side:
            holding = [move for move, (cost, _) in found.items() if cost == FAILED]
            return holding[0] if holding else super().move_that_gets(s, value)
        ranks = {move: rank for move, (_, rank) in found.items() if rank}
        return min(ranks, key=lambda move: ranks[move]) if ranks else super().move_that_gets(s, value)

    def cost_and_rank(self, s: Any, number: int) -> tuple[int, int]:
        """The cost and the rank of a position in a graph. The rank shows the order of the proofs: each position is
        proven by positions of lower rank."""
        store = self.stores.get(number)
        if store is None:  # the game's bounds decided the question, so it has no graph
            return STUCK, 0
        entry = Rows(store.index)[find(Rows(store.index), mix(self.game.key(s)))]
        node = store.nodes[entry.number]
        return (int(node["cost"]), int(node["rank"])) if entry.filled else (STUCK, 0)

    def check(self) -> None:
        """If the search did not answer the question, raise an error with the reason. Also delete all graphs, because
        the graph of the stopped search is incomplete."""
        try:
            super().check()
        except (GamesearchError, Interrupted):
            self.dropped = self.bytes
            self.stores.clear()
            self.costs.clear()
            raise


PROVERS: dict[str, Callable[[Runner, int], Prover]] = {
    "dfpn": DepthFirstProver,
    "pn": TreeProver,
    "pn2": TwoTreeProver,
    "graph": GraphProver,
}


def possible_payoffs(game: Game) -> list[float]:
    """The possible payoffs in increasing order: loss, draw and win, or all whole numbers from MINSCORE to MAXSCORE."""
    least, greatest = float(game.MINSCORE), float(game.MAXSCORE)
    if game.win_or_loss:
        return [least, float(game.draw_value()), greatest]
    if not game.whole_payoffs:
        raise GamesearchError(
            f"{game.name} does not declare that its payoffs are whole numbers, but the method proof requires "
            f"whole numbers: use the method memo"
        )
    return [float(payoff) for payoff in range(int(least), int(greatest) + 1)]
