"""Recording a search that expands one leaf after another: each expansion, and what it changes on the way back."""

import math
from collections.abc import Sequence
from typing import Any

from gamesearch.algorithms.engine.formatting import data_number, value_text
from gamesearch.algorithms.engine.result import FAILED, NEVER_PROVEN
from gamesearch.algorithms.engine.result import STUCK as STUCK_COST
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.tree_search.beliefs import BINS
from gamesearch.game import CHANCE, MIN
from gamesearch.trace.events import BELIEFS, COSTS, PLAYOUTS, PROOF
from gamesearch.trace.node_values import STUCK, Standing, cost_standing
from gamesearch.trace.notation import side_name
from gamesearch.trace.path import PathNode
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.writer import Writer

__all__ = ["ExpansionRecorder"]

DIGITS = 6
"""Decimals of what is believed."""


class ExpansionRecorder(Writer):
    """The part of a Recorder that hears of expansions.

    A position that the search reaches in several ways and takes for one node is written down once for each way: all
    have its numbers, and the first has its children.
    """

    expansions = 0
    """How many there were, of all trees."""
    _leaf: PathNode | None = None
    """The leaf that gets its children."""
    _round: Sequence[int] = ()
    _line: Sequence[str] = ()
    """The path to it and its moves, while what it has changed is written."""

    def forget_tree(self) -> None:
        """Begin another tree."""
        super().forget_tree()
        self._new: dict[int, list[dict[str, Any]]] = {}
        """The nodes to be entered, as soon as it is known what they are worth, by their numbers in the tree."""
        self._copies: dict[int, list[int]] = {}
        """Where a position was reached in other ways, by its number in the tree."""
        self._expansions = 0
        """How many there were, of this tree."""
        self.waiting = 0
        self._with_children: set[int] = set()
        """The numbers of the nodes that were expanded."""
        self._plies: dict[int, int] = {}
        """How long the proof of a recorded node lasts."""

    # The tree grows. -----------------------------------------------------------------------------
    def take_new(self, number: int, event: dict[str, Any]) -> None:
        """Add the event that enters a node when it is known what that is worth."""
        if self._iteration[1] == PLAYOUTS:
            super().take_new(number, event)
        else:
            self._new.setdefault(number, []).append(event)
            self.waiting += 1

    def asks(self, goal: float, attacker: int | None) -> None:
        """A search by proof numbers begins."""
        self.expanded()
        self.goal, self.attacker = goal, attacker
        self.iteration(FULL_DEPTH, PROOF if attacker is None else COSTS)

    def expands(self, ply: int) -> None:
        """The last node of the path gets its children, if it has none yet."""
        self._leaf = None
        if self._way[ply] in self._with_children:
            return
        self._with_children.add(self._way[ply])
        self._leaf = self._path[ply]
        self._round = [each.number for each in self._path if each.number is not None]
        self._line = [self.game.move_name(each.state, each.move) for each in self._path[:ply]]
        if self._leaf.number is not None:
            self.take({"event": "expand", "node": self._leaf.number})

    def grows(self, state: Any, move: int, number: int) -> None:
        """One of the children."""
        leaf = self._leaf
        if leaf is None:
            return
        leaf.move = move
        first = self._numbers.get(number)
        # The way to the leaf may be another one, and longer, than that by which it was found.
        ply = len(self._path) if leaf.number is None else self.recording.nodes[leaf.number].ply + 1
        added = self.add(self.seen(state), leaf, ply, number, **({} if first is None else {"same": first}))
        if first is None:
            self._numbers[number] = added
        elif added is not None:
            self._copies.setdefault(number, []).append(added)
        if added is None and leaf.number is not None:
            self._cut_short.add(leaf.number)

    def expanded(self) -> None:
        """What a leaf has changed is written into the tree: count the expansion, if there was one."""
        if self._round:
            self.expansions, self._expansions = self.expansions + 1, self._expansions + 1
            path, self._round = self._round, ()
            self.take(
                {
                    "event": "expanded",
                    "node": path[0],
                    "path": path,
                    "line": self._line,
                    "number": self._expansions,
                }
            )

    # What nodes are worth. -----------------------------------------------------------------------
    def values(self, number: int, value: float, deviation: float, is_certain: bool) -> None:
        """A node is worth this."""
        rounded, bound = round(value, DIGITS), "exact" if is_certain else "estimate"
        shown = value_text(rounded, signed=self.game.win_or_loss)
        facts = {"value": data_number(rounded), "shown": shown, "bound": bound}
        if self._iteration[1] == BELIEFS and number != self._way[0] and not is_certain:
            facts["deviation"] = round(deviation, DIGITS)
        self.tell(number, facts)

    def lacks(self, number: int, proof: int, disproof: int) -> None:
        """A node has these proof and disproof numbers."""
        numbers = [each if each < NEVER_PROVEN else math.inf for each in (proof, disproof)]
        value = [None if each == math.inf else each for each in numbers]
        self.tell(number, {"value": value, "shown": f"({', '.join(f'{each}' for each in numbers)})", "bound": "exact"})

    def costs(self, number: int, cost: int) -> None:
        """A node of a graph has this cost."""
        found = cost_standing(recorded_cost(cost), 0)
        self.tell(number, {"value": found.value, "shown": found.shown, "bound": found.bound})

    def settles(self, graph: Any) -> None:
        """All costs were found anew."""
        found: dict[int, list[Any]] = {}
        for number, first in self._numbers.items():
            cost = [recorded_cost(graph.nodes[number].cost)]
            if first is not None and self.recording.nodes[first].standings[-1].value != cost:
                found |= dict.fromkeys((first, *self._copies.get(number, ())), cost)
        for parent in sorted(self.write_anew("settle", found)):
            self.note_best(parent)

    def write_anew(self, event: str, found: dict[int, list[Any]], **facts: Any) -> dict[int, None]:
        """What many nodes are worth now, if any; the nodes above these, each once."""
        if found:
            root = self.recording.iterations[-1].root
            self.take({"event": event, "node": root, **facts, "path": list(found), "values": list(found.values())})
        parents = (self.recording.nodes[number].parent for number in found)
        return dict.fromkeys(parent for parent in parents if parent is not None)

    def tell(self, number: int, facts: dict[str, Any]) -> None:
        """Take over what a node of the tree is worth, wherever it was reached."""
        for event in self._new.pop(number, ()):
            self.waiting -= 1
            self.take(event | facts)
        first = self._numbers.get(number)
        if first is None:
            return
        if is_news(self.recording.nodes[first].standings[-1], facts):
            copies = self._copies.get(number, ())
            same = {"same": list(copies)} if copies else {}
            self.take({"event": "revalue", "node": first, **facts, **same})
        self.note_best(first)

    def proves(self, ply: int, lower: float, upper: float, plies: int) -> None:
        """The value of the node at this ply is proven to lie between bounds."""
        super().proves(ply, lower, upper, plies)
        number = self._path[ply].number
        if number is not None and lower == upper:
            self._plies[number] = plies

    # Beliefs. ------------------------------------------------------------------------------------
    def rescales(self, error: float, tree: Any) -> None:
        """All beliefs are written anew."""
        self._weighed.clear()
        for number in list(self._new):
            node = tree.nodes[number]
            self.values(number, node.mean, math.sqrt(node.variance), node.lower >= node.upper)
        found: dict[int, list[Any]] = {}
        for number, first in self._numbers.items():
            if first is None or self.recording.nodes[first].parent is None:
                continue
            node, last = tree.nodes[number], self.recording.nodes[first].standings[-1]
            belief = [round(node.mean, DIGITS), round(math.sqrt(node.variance), DIGITS)]
            if last.bound != "exact" and [last.value, last.deviation] != belief:
                found[first] = belief
        for parent in self.write_anew("rescale", found, error=round(error, DIGITS)):
            self.note_best(parent)

    def compares(self, root: int, tree: Any) -> None:
        """What is believed of the moves of the root has changed: so have its value, and which is the best."""
        import numpy as np

        from gamesearch.algorithms.tree_search.belief_result import chances_at_root

        first, columns = self._numbers[root], tree.nodes.columns
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
        found = [(self._numbers[child], round(share, DIGITS)) for child, share in zip(children, shares, strict=True)]
        path = [number for number, _ in found if number is not None]
        chances = [share for number, share in found if number is not None]
        before = [self.recording.nodes[number].standings[-1].share for number in path]
        if path and node.player != CHANCE and chances != before:
            self.take({"event": "chances", "node": first, "path": path, "values": chances})

    # The best move. ------------------------------------------------------------------------------
    def preferred(self, node: RecordedNode, children: list[RecordedNode]) -> RecordedNode:
        """The child of a node that is the best so far, or the most proving."""
        growth = self._iteration[1]
        if growth == PLAYOUTS:
            return super().preferred(node, children)
        valued = [child for child in children if child.standings]
        if growth == COSTS:
            choose = min if node.side == side_name(self.game, self.attacker) else max
            return choose(valued, key=lambda child: number_at(0, child))
        if growth == PROOF:  # Max lacks a proof, Min a disproof
            return min(valued, key=lambda child: number_at(node.side == "Min", child))
        return max(valued, key=lambda child: self.preference(node, child))

    def preference(self, node: RecordedNode, child: RecordedNode) -> tuple[float, float]:
        """How much the player to move prefers a child: by its value, then what is open, or by how soon it comes."""
        value, last = node.standings[-1], child.standings[-1]
        sign = -1 if node.side == "Min" else 1
        worth, plies = float(last.value), self._plies.get(child.number, 0)  # type: ignore[arg-type]
        if value.bound != "exact":
            return sign * worth, last.bound != "exact"
        is_won = worth == (self.game.MAXSCORE if sign > 0 else self.game.MINSCORE)
        return (sign * worth if last.bound == "exact" else -math.inf), -plies if is_won else plies


def is_news(last: Standing, facts: dict[str, Any]) -> bool:
    """Whether a node is worth something else than before; how soon a certain value comes about is no news."""
    if last.bound == facts["bound"] == "exact" and last.value == facts["value"]:
        return False
    return (last.value, last.deviation, last.bound) != (facts["value"], facts.get("deviation"), facts["bound"])


def recorded_cost(cost: int) -> int | str | None:
    """A cost of a graph as it is written down."""
    return None if cost == FAILED else STUCK if cost == STUCK_COST else int(cost)


def number_at(place: int, node: RecordedNode) -> float:
    """One of a node's proof numbers, or its cost, as a number."""
    value = node.standings[-1].value
    assert isinstance(value, list)
    return math.inf if value[place] is None else STUCK_COST if value[place] == STUCK else float(value[place])
