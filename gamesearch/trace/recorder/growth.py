"""Record a search that keeps its tree: new nodes, the paths to them, playouts, expansions, and changed values."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

from gamesearch.algorithms.engine.formatting import data_number, value_text, window_text
from gamesearch.algorithms.engine.result import FAILED, NEVER_PROVEN, Observer, Value
from gamesearch.algorithms.engine.result import STUCK as STUCK_COST
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.tree_search.beliefs import BINS
from gamesearch.game import CHANCE, MIN
from gamesearch.notation import line_names
from gamesearch.optional import is_determined
from gamesearch.trace.events import BELIEFS, COSTS, PLAYOUTS, PROOF
from gamesearch.trace.node_values import STUCK, NodeValue, cost_value
from gamesearch.trace.recorder.log import EventLog, side_name
from gamesearch.trace.recorder.path import PathNode
from gamesearch.trace.recording import RecordedNode

__all__ = ["ExpansionRecorder", "GrowingTree", "PlayoutRecorder"]

DIGITS = 6
"""The number of decimals with which beliefs are recorded."""


class GrowingTree(Observer):
    """The recorded nodes of the tree that a search keeps, and the path from the root to the current node.

    This class records the events of every search with a growing tree: new nodes, followed moves, and proofs. If the
    tree grows by expansions, the event for a new node is added as soon as the value of the node is known.
    """

    def __init__(self, log: EventLog) -> None:
        self.log, self.game = log, log.game
        self.path: list[PathNode] = []
        self.numbers_on_path: list[int] = []
        """The numbers that the nodes on the path have in the search's tree."""
        self.weighed: list[tuple[int, int, float]] = []
        """The moves among which the search chooses next. Each tuple contains a move, its number of playouts, and either
        its upper confidence bound or its value of computation."""
        self.forget()

    def forget(self) -> None:
        """Forget the current tree, because another tree begins."""
        self.numbers: dict[int, int | None] = {}
        """For each node of the search's tree, the number of the recorded node; None if the node is not recorded."""
        self.incomplete: set[int] = set()
        """The recorded nodes with at least one child that is not recorded."""
        self.unvalued: dict[int, list[dict[str, Any]]] = {}
        """The events of new nodes whose value is unknown. The keys are the numbers of the nodes in the search's
        tree."""
        self.assumed: set[int] = set()
        """The nodes of the search's tree whose values depend on unknown payoffs."""
        self.proof_plies: dict[int, int] = {}
        """For each recorded node with a proven value, the number of plies until the end of the game."""
        self.log.waiting = 0

    def iteration(self, depth: int, purpose: str) -> None:
        self.forget()

    def reaches(self, state: Any, ply: int, number: int) -> None:
        if number not in self.numbers and ply == 0:
            self.path.clear()
            self.log.begin_iteration()
        del self.path[ply:], self.numbers_on_path[ply:]
        here = self.node(state)
        if number not in self.numbers:
            self.numbers[number] = self.add(here, self.path[-1] if self.path else None, ply, number)
        here.number = self.numbers[number]
        self.path.append(here)
        self.numbers_on_path.append(number)

    def node(self, state: Any) -> PathNode:
        """Create a path node for a state, and note which side is to move."""
        here = PathNode(state, None, None, None)
        if not self.game.terminal(state):
            here.note_side(self.game)
        return here

    def add(self, here: PathNode, parent: PathNode | None, ply: int, number: int, **facts: Any) -> int | None:
        """Record a new node, and return its number in the recording; None if the node is not recorded."""
        log = self.log
        if not is_determined(log.rules, here.state, self.game):
            self.assumed.add(number)
        if log.wants(ply) and (parent is None or parent.number is not None):
            here.number = log.visited
            event = log.entry(here, parent, ply) | facts
            if log.iteration_purpose == PLAYOUTS:
                log.store.add(event)
            else:
                self.unvalued.setdefault(number, []).append(event)
                log.waiting += 1
        else:
            above = self.numbers_on_path[-1] if self.numbers_on_path else None
            log.store.leave_out(number, above, None if above is None else self.numbers.get(above))
        log.visited += 1
        return here.number

    def weighs(self, move: int, visits: int, bound: float) -> None:
        """Record a move that the search may follow next, its number of playouts, and its bound."""
        self.weighed.append((move, visits, bound))

    def follows(self, ply: int, move: int) -> None:
        self.log.add_pending()
        here, weighed = self.path[ply], self.weighed
        here.move, self.weighed = move, []
        if here.number is not None:
            name = self.game.move_name
            bounds = [[name(here.state, each), visits, round(bound, 4)] for each, visits, bound in weighed]
            self.log.add("choose", node=here.number, move=name(here.state, move), bounds=bounds)

    def prune_move(self, ply: int, move: int, why: str) -> None:
        if self.path:  # a depth-first search has no path in a growing tree
            here = self.path[ply]
            self.log.note(here, "left_out", move=self.game.move_name(here.state, move), why=why)

    def proves(self, ply: int, lower: float, upper: float, plies: int) -> None:
        here, game = self.path[ply], self.game
        if here.number is None or not is_determined(self.log.rules, here.state, game):
            return
        shown = value_text(lower, signed=game.win_or_loss)
        if lower < upper:
            shown = window_text(game, lower, upper)
        else:
            self.proof_plies[here.number] = plies
            if game.win_or_loss and lower in (game.MINSCORE, game.MAXSCORE):
                shown += f" in {ply + plies}"
        self.log.add("proven", node=here.number, lower=data_number(lower), upper=data_number(upper), shown=shown)

    def comparable(self, number: int) -> list[RecordedNode]:
        """The children of a node, among which the best child is chosen. Empty at a chance node, or if a child is not
        recorded."""
        node = self.log.recording.nodes[number]
        if node.side == "chance" or number in self.incomplete:
            return []
        return self.log.recording.children(node)

    def add_best(self, number: int, best: RecordedNode) -> None:
        """Add an event if the best, most proving or most visited move of a node has changed.

        A node to which several paths lead counts as a child of the node from which it was first reached.
        """
        recording = self.log.recording
        if best.number == recording.nodes[number].best_child:
            return
        if recording.scale is not None and best.playout_history:
            last = recording.scale.average(best.playout_history[-1])
        else:
            last = best.value_history[-1]
        facts = {"child": best.number, "move": best.move, "value": last.value, "shown": last.shown}
        self.log.add("best", node=number, **facts, window=None, window_shown="")


class PlayoutRecorder(Observer):
    """Records the playouts of a growing tree."""

    def __init__(self, tree: GrowingTree) -> None:
        self.tree, self.log, self.game = tree, tree.log, tree.game
        self.playouts = 0
        self.counted: list[tuple[int, Value]] = []
        """The nodes to which the current playout added a payoff. Each pair contains the number of the node and this
        payoff. The last node of the path comes first, the root last."""

    def plays_out(self, ply: int, is_known: bool, playing: Any) -> None:
        path = self.tree.path
        last = max(at for at, each in enumerate(path) if each.number is not None)
        here, tree_moves = path[last], [each.move for each in path[last:ply]]
        moves = line_names(self.game, here.state, [*tree_moves, *playing.moves[ply : playing.length]])
        payoff = self.payoff(playing.payoffs)
        shown = value_text(payoff, signed=self.game.win_or_loss)
        self.log.add("playout", node=here.number, moves=moves, known=is_known, value=data_number(payoff), shown=shown)

    def counts(self, ply: int, payoffs: Any) -> None:
        """Record that the payoff of the playout is added to the node at this ply. The last call for a playout is the
        call for the root."""
        here = self.tree.path[ply]
        if here.number is not None:
            self.counted.append((here.number, self.payoff(payoffs)))
        if ply == 0:
            path = [number for number, _ in reversed(self.counted)]
            values = [data_number(payoff) for _, payoff in reversed(self.counted)]
            self.counted.clear()
            self.playouts += 1
            self.log.add("count", node=path[-1], path=path, values=values)
            for number in path[:-1]:
                if children := self.tree.comparable(number):
                    self.tree.add_best(number, max(children, key=lambda child: child.visits))

    def payoff(self, payoffs: Any) -> Value:
        """The payoff of a playout for Max, or for each player."""
        count = self.game.payoff_count
        return tuple(map(float, payoffs[:count])) if count > 1 else float(payoffs[0])


class ExpansionRecorder(Observer):
    """Records the expansions of a growing tree.

    If several paths lead to a position, the search may keep one node for the position. The recording has a node for
    each path. All nodes of the position have the value of the position, but only the first node has children.
    """

    def __init__(self, tree: GrowingTree) -> None:
        self.tree, self.log, self.game = tree, tree.log, tree.game
        self.expansions = 0
        """The number of expansions in all trees."""
        self.leaf: PathNode | None = None
        """The leaf that is being expanded."""
        self.expanded_path: Sequence[int] = ()
        self.expanded_line: Sequence[str] = ()
        """The path of moves to the leaf that is being expanded."""
        self.forget()

    def forget(self) -> None:
        """Forget the current tree, because another tree begins."""
        self.copies: dict[int, list[int]] = {}
        """If several paths lead to a node of the search, this node is recorded once for each path. This dictionary
        lists, for each such node, the numbers of all its recorded nodes except the first."""
        self.expansions_of_tree = 0
        self.expanded_nodes: set[int] = set()
        """The numbers of the expanded nodes in the search's tree."""

    # The tree grows. -----------------------------------------------------------------------------
    def iteration(self, depth: int, purpose: str) -> None:
        self.forget()

    def asks(self, goal: float, attacker: int | None) -> None:
        self.finish_expansion()
        self.log.goal, self.log.attacker = goal, attacker
        for part in (self.log, self.tree, self):
            part.iteration(FULL_DEPTH, PROOF if attacker is None else COSTS)

    def expands(self, ply: int) -> None:
        tree, self.leaf = self.tree, None
        number = tree.numbers_on_path[ply]
        if number in self.expanded_nodes:
            return
        self.expanded_nodes.add(number)
        self.leaf = tree.path[ply]
        self.expanded_path = [each.number for each in tree.path if each.number is not None]
        self.expanded_line = [self.game.move_name(each.state, each.move) for each in tree.path[:ply]]
        if self.leaf.number is not None:
            self.log.add("expand", node=self.leaf.number)

    def grows(self, state: Any, move: int, number: int) -> None:
        leaf, tree = self.leaf, self.tree
        if leaf is None:
            return
        leaf.move = move
        first = tree.numbers.get(number)
        # The current path to the leaf may be longer than the path by which the leaf was found.
        ply = len(tree.path) if leaf.number is None else self.log.recording.nodes[leaf.number].ply + 1
        added = tree.add(tree.node(state), leaf, ply, number, **({} if first is None else {"same": first}))
        if first is None:
            tree.numbers[number] = added
        elif added is not None:
            self.copies.setdefault(number, []).append(added)
        if added is None and leaf.number is not None:
            tree.incomplete.add(leaf.number)

    def finish_expansion(self) -> None:
        if self.expanded_path:
            self.expansions, self.expansions_of_tree = self.expansions + 1, self.expansions_of_tree + 1
            path, self.expanded_path = self.expanded_path, ()
            self.log.add("expanded", node=path[0], path=path, line=self.expanded_line, number=self.expansions_of_tree)

    # Values of nodes. ----------------------------------------------------------------------------
    def values(self, number: int, value: float, deviation: float, is_certain: bool) -> None:
        is_assumed = number in self.tree.assumed
        rounded, bound = round(value, DIGITS), "exact" if is_certain and not is_assumed else "estimate"
        shown = value_text(rounded, signed=self.game.win_or_loss) + "?" * is_assumed
        facts = {"value": data_number(rounded), "shown": shown, "bound": bound}
        if self.log.iteration_purpose == BELIEFS and number != self.tree.numbers_on_path[0] and not is_certain:
            facts["deviation"] = round(deviation, DIGITS)
        self.revalue(number, facts)

    def lacks(self, number: int, proof: int, disproof: int) -> None:
        value = [each if each < NEVER_PROVEN else None for each in (proof, disproof)]
        shown = ", ".join("inf" if each is None else f"{each}" for each in value)
        self.revalue(number, {"value": value, "shown": f"({shown})", "bound": "exact"})

    def costs(self, number: int, cost: int) -> None:
        found = cost_value(recorded_cost(cost), 0)
        self.revalue(number, {"value": found.value, "shown": found.shown, "bound": found.bound})

    def update_costs(self, graph: Any) -> None:
        found: dict[int, list[Any]] = {}
        nodes = self.log.recording.nodes
        for number, first in self.tree.numbers.items():
            cost = [recorded_cost(graph.nodes[number].cost)]
            if first is not None and nodes[first].value_history[-1].value != cost:
                found |= dict.fromkeys((first, *self.copies.get(number, ())), cost)
        for parent in sorted(self.add_values("settle", found)):
            self.add_best(parent)

    def add_values(self, event: str, found: Mapping[int, list[Any]], **facts: Any) -> dict[int, None]:
        """If values have changed, add an event with the new values. Return the parents of the changed nodes."""
        recording = self.log.recording
        if found:
            root = recording.iterations[-1].root
            self.log.add(event, node=root, **facts, path=list(found), values=list(found.values()))
        parents = (recording.nodes[number].parent for number in found)
        return dict.fromkeys(parent for parent in parents if parent is not None)

    def revalue(self, number: int, facts: dict[str, Any]) -> None:
        """Record that node `number` of the search's tree has a new value. The event names all recorded nodes that stand
        for this node."""
        tree = self.tree
        for event in tree.unvalued.pop(number, ()):
            self.log.waiting -= 1
            self.log.store.add(event | facts)
        first = tree.numbers.get(number)
        if first is None:
            return
        if is_news(self.log.recording.nodes[first].value_history[-1], facts):
            copies = self.copies.get(number, ())
            self.log.add("revalue", node=first, **facts, **({"same": list(copies)} if copies else {}))
        self.add_best(first)

    # Beliefs. ------------------------------------------------------------------------------------
    def rescales(self, error: float, tree: Any) -> None:
        """Record that all beliefs were computed again.

        If a belief is outside the new scale, the tree contains only the nearest value on the scale. So the recording
        keeps the old value of this belief.
        """
        self.tree.weighed.clear()
        for number in list(self.tree.unvalued):
            node = tree.nodes[number]
            self.values(number, node.mean, math.sqrt(node.variance), node.lower >= node.upper)
        recorded: dict[int, list[Any]] = {}
        for number, first in self.tree.numbers.items():
            if first is None or self.log.recording.nodes[first].parent is None:
                continue
            node, last = tree.nodes[number], self.log.recording.nodes[first].value_history[-1]
            belief = [round(node.mean, DIGITS), round(math.sqrt(node.variance), DIGITS)]
            if error > 0.0 and node.variance == 0.0 and node.lower < node.upper:
                continue
            if last.bound != "exact" and [last.value, last.deviation] != belief:
                recorded[first] = belief
        for parent in self.add_values("rescale", recorded, error=round(error, DIGITS)):
            self.add_best(parent)

    def compares(self, root: int, tree: Any) -> None:
        """Record the new value of the root and, for each of its moves, the probability that it is the best move."""
        import numpy as np

        from gamesearch.algorithms.tree_search.belief_result import chances_at_root

        numbers, columns = self.tree.numbers, tree.nodes.columns
        first = numbers[root]
        if first is None:
            return
        node = tree.nodes[root]
        places = range(node.first, node.first + node.count)
        children = [tree.edges[place].child for place in places]
        means = columns["mean"][children]
        if node.player == CHANCE:
            value = float(np.dot([tree.edges[place].prior for place in places], means))
        else:
            value = float(means.min() if node.player == MIN else means.max())
        if node.lower < node.upper:
            self.values(root, value, 0.0, is_certain=False)
        tables = np.asarray(tree.totals).reshape(-1, BINS)[node.first : node.first + node.count]
        shares = chances_at_root(columns, root, children, tables).tolist()
        found = [(numbers[child], round(share, DIGITS)) for child, share in zip(children, shares, strict=True)]
        path = [number for number, _ in found if number is not None]
        chances = [share for number, share in found if number is not None]
        before = [self.log.recording.nodes[number].value_history[-1].share for number in path]
        if path and node.player != CHANCE and chances != before:
            self.log.add("chances", node=first, path=path, values=chances)

    # The best move. ------------------------------------------------------------------------------
    def add_best(self, number: int) -> None:
        """Add an event if the best move of a node, or its most proving move, has changed."""
        children = [child for child in self.tree.comparable(number) if child.value_history]
        if children:
            self.tree.add_best(number, self.preferred_child(self.log.recording.nodes[number], children))

    def preferred_child(self, node: RecordedNode, children: list[RecordedNode]) -> RecordedNode:
        """The best child of a node so far. A search with proof numbers takes the most proving child."""
        if self.log.iteration_purpose == COSTS:
            choose = min if node.side == side_name(self.game, self.log.attacker) else max
            return choose(children, key=lambda child: number_at(0, child))
        if self.log.iteration_purpose == PROOF:  # Max follows the least proof number, Min the least disproof number
            return min(children, key=lambda child: number_at(node.side == "Min", child))
        return max(children, key=lambda child: self.preference(node, child))

    def preference(self, node: RecordedNode, child: RecordedNode) -> tuple[float, float]:
        """A key to sort the children of a node by their value for the player to move. If exact values are equal, a
        faster win or a slower loss is better. If a child's estimate equals another child's exact value, the first child
        is better if the value of `node` is also an estimate."""
        value, last = node.value_history[-1], child.value_history[-1]
        sign = -1 if node.side == "Min" else 1
        worth, plies = float(last.value), self.tree.proof_plies.get(child.number, 0)  # type: ignore[arg-type]
        if value.bound != "exact":
            return sign * worth, last.bound != "exact"
        is_won = sign * worth > sign * self.game.draw_value()
        return (sign * worth if last.bound == "exact" else -math.inf), -plies if is_won else plies


def is_news(last: NodeValue, facts: dict[str, Any]) -> bool:
    """Whether the value of a node has changed. If an exact value stays the same and only the distance to the end of the
    game differs, this does not count as a change."""
    if last.bound == facts["bound"] == "exact" and last.value == facts["value"]:
        return False
    return (last.value, last.deviation, last.bound) != (facts["value"], facts.get("deviation"), facts["bound"])


def recorded_cost(cost: int) -> int | str | None:
    """A cost as it is written into a recording. An infinite cost is None; the cost of a stuck node is STUCK."""
    return None if cost == FAILED else STUCK if cost == STUCK_COST else int(cost)


def number_at(place: int, node: RecordedNode) -> float:
    """A proof number, a disproof number or a cost: the number at index `place` in a node's value."""
    value = node.value_history[-1].value
    assert isinstance(value, list)
    return math.inf if value[place] is None else STUCK_COST if value[place] == STUCK else float(value[place])
