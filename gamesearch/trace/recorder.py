"""Recording everything that happens in a search while it runs, as `trace/events.py` says."""

import math
from typing import Any

from gamesearch.algorithms.engine.formatting import data_number, value_text
from gamesearch.algorithms.engine.result import SearchResult, as_value
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN
from gamesearch.trace.events import NULL_MOVE, PREDICTION
from gamesearch.trace.expansions import ExpansionRecorder
from gamesearch.trace.notation import value_facts, window_facts
from gamesearch.trace.path import PathNode
from gamesearch.trace.recording import Recording

__all__ = ["Recorder"]


class Recorder(ExpansionRecorder):
    """An observer that records every event of the first `most` nodes, and counts the rest."""

    _purpose = ""
    """What the next child of the innermost node is searched for."""

    def finish(self, result: SearchResult) -> Recording:
        """The recording, when the search has given its result.

        A search that is stopped leaves every node on its path with a value that means nothing. What
        happened after the last node was entered is then dropped but for the counts, and these nodes stay
        unfinished.
        """
        if result.stopped:
            for event in self._pending:
                if event["event"] == "leave" and event["node"] in self.recording.nodes:
                    self.recording.nodes[event["node"]].nodes = event["nodes"]
            self._pending.clear()
        self.take_pending()
        self.expanded()
        names = self.game.line_names(self._root, result.line)
        statistics, recorded = result.statistics, self.recording.recorded
        self.recording.close(
            {
                "event": "end",
                "nodes": statistics.nodes,
                **({"distance_nodes": statistics.distance_nodes} if statistics.distance_nodes else {}),
                "leaves": statistics.leaves,
                "cutoffs": statistics.cutoffs,
                "table_hits": statistics.table_hits,
                "recorded": recorded,
                "left_out": self.nodes - recorded,
                "value": data_number(result.value),
                "shown": value_text(result.value, signed=self.game.win_or_loss),
                "bound": result.bound,
                "distance": result.distance,
                "best": names[0] if names else None,
                "line": names,
                "stopped": result.stopped,
                **({"playouts": self.playouts} if self.playouts else {}),
                **({"expansions": self.expansions} if self.expansions else {}),
            }
        )
        return self.recording

    # What a search to a depth tells. -------------------------------------------------------------
    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
        """A node is visited with a window."""
        self.take_pending()
        if ply == 0:
            self._root = state
            self.begin_iteration()
        here = PathNode(state, self.nodes if self.is_wanted(ply) else None, alpha, beta)
        here.purpose, self._purpose = self._purpose, ""
        if here.number is not None:
            self.take(self.entered(here, self._path[-1] if self._path else None, ply))
        self.nodes += 1
        self._path.append(here)

    def move(self, ply: int, move: int) -> None:  # noqa: ARG002
        """The move of the innermost node is searched next."""
        here = self._path[-1]
        self.settle(here)
        if here.side is None:
            here.note_side(self.game)
        here.move = move

    def probe(self, ply: int) -> None:  # noqa: ARG002
        """Only the first move of the innermost node will be searched."""
        here = self._path[-1]
        here.is_probe = True
        self.note(here, "probe")

    def table_hit(self, ply: int, lower: float, upper: float) -> None:  # noqa: ARG002
        """The table knows enough of the innermost node."""
        self.answer("table", lower, upper, lower=data_number(lower), upper=data_number(upper))

    def bounds(self, ply: int, lower: float, upper: float) -> None:  # noqa: ARG002
        """The game's own bounds tell enough of the innermost node."""
        self.answer("bounds", lower, upper, lower=data_number(lower), upper=data_number(upper))

    def database(self, ply: int, value: float) -> None:  # noqa: ARG002
        """A database has the value of the innermost node."""
        self.answer("database", value, value, lower=data_number(value), upper=data_number(value))

    def recurrence(self, ply: int) -> None:  # noqa: ARG002
        """The position stands on the path already."""
        draw = self.game.draw_value()
        self.answer("recurrence", draw, draw)

    def purpose(self, ply: int, why: str) -> None:  # noqa: ARG002
        """The next child of the innermost node is searched for a purpose."""
        self._purpose = why

    def again(self, ply: int, why: str) -> None:  # noqa: ARG002
        """The last child of the innermost node is searched again, so its value does not count."""
        here = self._path[-1]
        if here.waiting is not None:
            here.nodes += here.waiting[0].nodes
            here.waiting = None
        self._purpose = why

    def stands(self, ply: int, value: float) -> None:  # noqa: ARG002
        """The player of the innermost node may stand on an estimate."""
        here = self._path[-1]
        here.side = self.game.player(here.state)
        here.take_best(value, self._narrows)
        here.lower = here.upper = value
        here.children = 1
        self.note(here, "stands", **value_facts(self.game, value), **window_facts(self.game, *here.window))

    def passes(self, ply: int, value: float) -> None:  # noqa: ARG002
        """A null move was good enough."""
        here = self._path[-1]
        lower, upper = (value, math.inf) if here.side == MAX else (-math.inf, value)
        self.answer("passed", lower, upper, lower=data_number(lower), upper=data_number(upper))

    def predicts(self, ply: int, value: float, is_lower: bool) -> None:  # noqa: ARG002
        """A shallow search predicts a bound on the value of the innermost node."""
        lower, upper = (value, math.inf) if is_lower else (-math.inf, value)
        self.answer("predicted", lower, upper, lower=data_number(lower), upper=data_number(upper))

    def leaves_out(self, ply: int, move: int, why: str) -> None:  # noqa: ARG002
        """A move of the innermost node is left out."""
        here = self._path[-1]
        self.settle(here)
        if here.number is not None:
            self.note(here, "left_out", move=self.game.move_name(here.state, move), why=why)

    def settle(self, above: PathNode) -> None:
        """Take over what was found of the last child of a node, as it is not searched again."""
        if above.waiting is None:
            return
        (child, lower, upper, worth), above.waiting = above.waiting, None
        if child.purpose in (NULL_MOVE, PREDICTION):
            above.nodes += child.nodes
            return
        above.take_child(child, lower, upper)
        if above.take_best(worth, self._narrows) and above.number is not None:
            self.note(
                above,
                "best",
                child=child.number,
                move=self.game.move_name(above.state, above.move),
                **value_facts(self.game, worth),
                **window_facts(self.game, *above.window),
            )

    def answer(self, kind: str, least: float, most: float, **facts: Any) -> None:
        """Note that something else than its moves answers for the innermost node."""
        here = self._path[-1]
        here.kind, here.known = kind, (least, most)
        self.note(here, kind, **facts)

    def cutoff(self, ply: int, index: int, count: int) -> None:  # noqa: ARG002
        """The innermost node is left; it is all the same where its last move led to that."""
        here = self._path[-1]
        self.settle(here)
        here.is_cut = index + 1 < count
        if here.number is not None:
            self.note(
                here,
                "cutoff",
                move=self.game.move_name(here.state, here.move),
                pruned=self.unsearched(here),
                refuted=self.refutation(here),
            )

    def unsearched(self, here: PathNode) -> list[str]:
        """The moves of a node that were not searched; they may have been probed."""
        moves = here.odds if here.side == CHANCE else self.game.moves(here.state)
        return [self.game.move_name(here.state, move) for move in moves if move not in here.searched]

    def refutation(self, here: PathNode) -> dict[str, Any] | None:
        """The ancestor whose move the innermost node cannot match; None where no single move tells."""
        if here.side not in (MAX, MIN):
            return None
        limit = here.beta if here.side == MAX else here.alpha
        for above in reversed(self._path[:-1]):
            if above.side == CHANCE:
                return None
            if above.side != here.side and above.best is not None and above.best == limit:
                move = self.game.move_name(above.state, above.best_move) if above.best_move >= 0 else "standing pat"
                return {"node": above.number, "move": move, **value_facts(self.game, above.best)}
        return None

    def leave(self, ply: int, value: Any) -> None:
        """The innermost node is done."""
        here, worth = self._path[-1], as_value(value)
        self.settle(here)
        bound, lower, upper = "exact", -math.inf, math.inf
        if not isinstance(worth, tuple):
            lower, upper = here.certain(worth, self._clips)
            bound = here.bound(worth, lower, upper)
        if here.number is not None:
            self.note(
                here,
                "leave",
                **value_facts(self.game, worth),
                bound=bound,
                kind=self.kind_of(here, ply),
                nodes=here.nodes,
            )
        self._path.pop()
        if self._path:
            above = self._path[-1]
            above.waiting = here, lower, upper, worth
            if not here.purpose:  # else it may be searched again
                self.settle(above)

    def kind_of(self, here: PathNode, ply: int) -> str:
        """How the value of a node was found."""
        if here.children or here.known is not None:
            return here.kind
        if self.game.terminal(here.state):
            return "end"
        return "stuck" if self.game.recurrence == FORBIDDEN and ply < self._iteration[0] else "estimate"
