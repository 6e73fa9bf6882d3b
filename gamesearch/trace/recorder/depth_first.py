"""Record a depth-first search: the nodes that it enters and leaves, and the events between them."""

import math
from typing import Any

from gamesearch.algorithms.engine.formatting import data_number
from gamesearch.algorithms.engine.result import Observer, as_value
from gamesearch.game import CHANCE, FORBIDDEN, MAX, MIN
from gamesearch.trace.events import NULL_MOVE, PREDICTION
from gamesearch.trace.recorder.log import EventLog
from gamesearch.trace.recorder.path import PathNode

__all__ = ["DepthFirstRecorder"]


class DepthFirstRecorder(Observer):
    """Records depth-first searches. Each node on the current path contains the bounds on its value that are proven so
    far."""

    def __init__(self, log: EventLog, narrows: bool, clips: bool) -> None:
        self.log, self.game, self.narrows, self.clips = log, log.game, narrows, clips
        self.path: list[PathNode] = []
        self.next_purpose = ""
        """Why the next child of the innermost node will be searched. The innermost node is the last node of the
        path."""

    @property
    def here(self) -> PathNode:
        """The innermost node: the last node of the path."""
        return self.path[-1]

    # Nodes and moves. ----------------------------------------------------------------------------
    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
        log = self.log
        log.add_pending()
        if ply == 0:
            self.path.clear()
            log.root = state
            log.begin_iteration()
        if not self.narrows:  # minimax has no windows
            alpha = beta = None
        here = PathNode(state, log.visited if log.wants(ply) else None, alpha, beta)
        here.purpose, self.next_purpose = self.next_purpose, ""
        if here.number is not None:
            log.store.add(log.entry(here, self.path[-1] if self.path else None, ply))
        log.visited += 1
        self.path.append(here)

    def move(self, ply: int, move: int) -> None:
        """Record which move of the innermost node is searched next."""
        here = self.here
        self.back_up(here)
        if here.side is None:
            here.note_side(self.game)
        here.move = move

    def leave(self, ply: int, value: Any) -> None:
        here, worth = self.here, as_value(value)
        self.back_up(here)
        bound, lower, upper = "exact", -math.inf, math.inf
        if not isinstance(worth, tuple):
            lower, upper = here.certain(worth, self.clips)
            bound = here.bound(worth, lower, upper)
        if here.number is not None:
            kind = self.kind_of(here, ply)
            self.log.note(
                here, "leave", **self.log.value_facts(here.state, worth), bound=bound, kind=kind, nodes=here.nodes
            )
            if here.is_probe and (here.children or here.known is not None):
                self.log.store.add_probed(here.number, self.unsearched_moves(here))
        self.path.pop()
        if self.path:
            self.here.waiting = here, lower, upper, worth
            if not here.purpose:  # a node with a purpose may be searched again
                self.back_up(self.here)

    def kind_of(self, here: PathNode, ply: int) -> str:
        """The kind of a node: how its value was found."""
        if here.children or here.known is not None:
            return here.kind
        if self.game.terminal(here.state):
            return "end"
        return "stuck" if self.game.repetition == FORBIDDEN and ply < self.log.iteration_depth else "estimate"

    def back_up(self, above: PathNode) -> None:
        """Back up the value of the last child of a node. Call this method when it is certain that the child will not be
        searched again."""
        if above.waiting is None:
            return
        (child, lower, upper, worth), above.waiting = above.waiting, None
        if child.purpose in (NULL_MOVE, PREDICTION):
            above.nodes += child.nodes
            return
        above.take_child(child, lower, upper)
        if above.take_best(worth, self.narrows) and above.number is not None:
            self.log.note(
                above,
                "best",
                child=child.number,
                move=self.game.move_name(above.state, above.move),
                **self.log.value_facts(child.state, worth),
                **self.log.window_facts(*above.window),
            )

    # Ends of nodes. ------------------------------------------------------------------------------
    def table_hit(self, ply: int, lower: float, upper: float) -> None:
        self.answer("table", lower, upper)

    def bounds(self, ply: int, lower: float, upper: float) -> None:
        self.answer("bounds", lower, upper)

    def database(self, ply: int, value: float) -> None:
        self.answer("database", value, value)

    def cut_off_by_null_move(self, ply: int, value: float) -> None:
        self.answer("passed", *((value, math.inf) if self.here.side == MAX else (-math.inf, value)))

    def predicts(self, ply: int, value: float, is_lower: bool) -> None:
        self.answer("predicted", *((value, math.inf) if is_lower else (-math.inf, value)))

    def repetition(self, ply: int) -> None:
        here, draw = self.here, self.game.draw_value()
        here.kind, here.known = "repetition", (draw, draw)
        self.log.note(here, "repetition")

    def answer(self, kind: str, lower: float, upper: float) -> None:
        """Record the bounds of the innermost node, which are known before its moves are searched."""
        here = self.here
        here.kind, here.known = kind, (lower, upper)
        self.log.note(here, kind, lower=data_number(lower), upper=data_number(upper))

    def cutoff(self, ply: int, index: int, count: int) -> None:
        """Record that a cutoff ends the search of the innermost node. A cutoff at the last move leaves out no moves."""
        here = self.here
        self.back_up(here)
        here.is_cut = index + 1 < count
        if here.number is not None:
            move, pruned = self.game.move_name(here.state, here.move), self.unsearched_moves(here)
            self.log.note(here, "cutoff", move=move, pruned=pruned, refuted=self.refutation(here))

    def unsearched_moves(self, here: PathNode) -> list[str]:
        """The unsearched moves of a node. A move that only a probe has searched counts as unsearched."""
        moves = here.odds if here.side == CHANCE else self.game.moves(here.state)
        return [self.game.move_name(here.state, move) for move in moves if move not in here.searched]

    def refutation(self, here: PathNode) -> dict[str, Any] | None:
        """The ancestor whose better move is the reason for a cutoff at a node; None if the reason is not a single
        move."""
        if here.side not in (MAX, MIN):
            return None
        limit = here.beta if here.side == MAX else here.alpha
        for above in reversed(self.path[:-1]):
            if above.side == CHANCE:
                return None
            if above.side != here.side and above.best is not None and above.best == limit:
                if above.best_move < 0:
                    move, after = "standing pat", above.state
                else:
                    move = self.game.move_name(above.state, above.best_move)
                    after = self.game.result(above.state, above.best_move)
                return {"node": above.number, "move": move, **self.log.value_facts(after, above.best)}
        return None

    # Selective search. ---------------------------------------------------------------------------
    def probe(self, ply: int) -> None:
        self.here.is_probe = True
        self.log.note(self.here, "probe")

    def purpose(self, ply: int, why: str) -> None:
        """Record why the next child of the innermost node will be searched."""
        self.next_purpose = why

    def search_again(self, ply: int, why: str) -> None:
        """Record that the last child of the innermost node will be searched again. The child's earlier value is
        dropped."""
        here = self.here
        if here.waiting is not None:
            here.nodes += here.waiting[0].nodes
            here.waiting = None
        self.next_purpose = why

    def stand_pat(self, ply: int, value: float) -> None:
        here = self.here
        here.side = self.game.player(here.state)
        here.take_best(value, self.narrows)
        here.lower = here.upper = value
        here.children = 1
        self.log.note(here, "stands", **self.log.value_facts(here.state, value), **self.log.window_facts(*here.window))

    def prune_move(self, ply: int, move: int, why: str) -> None:
        if not self.path:  # the event belongs to a search by playouts
            return
        here = self.here
        self.back_up(here)
        if here.number is not None:
            self.log.note(here, "left_out", move=self.game.move_name(here.state, move), why=why)
