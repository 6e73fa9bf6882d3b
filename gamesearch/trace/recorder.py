"""Writing down a search: each event a line of JSON, in the order in which they happened.

The first line says what was searched, and how; the last what came of it, and how many nodes were left
out. What stands between is in `EVENTS`. Names of moves, positions and boards are text, so that a
reader needs neither the game nor the algorithm: a trace shows the same wherever it is read.
"""

import json
import math
from typing import Any

from gamesearch.algorithms.parts.algorithm import Algorithm
from gamesearch.algorithms.parts.formatting import data_number, value_text, value_with_distance_text, window_text
from gamesearch.algorithms.parts.result import SearchResult, Value
from gamesearch.algorithms.parts.workspace import FULL_DEPTH
from gamesearch.boards import Board
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.registry import specification_of
from gamesearch.trace.node import Frame, Node, side_name
from gamesearch.trace.tree import Trace

__all__ = ["EVENTS", "FORMAT", "VERSION", "Recorder"]

FORMAT = "gamesearch trace"
VERSION = 1
EVENTS = {
    "search": "the first line: format, version, game, position, player, algorithm, names, players",
    "iteration": "a search of the root begins: number, depth (null: to the end), purpose, again at this depth",
    "enter": "a node: node, parent, ply, move, chance, side, window, window_shown, position, board",
    "probe": "only the first move of the node will be searched (Star2)",
    "best": "a child is the best of its node so far: node, child, move, value, shown, window and window_shown after it",
    "table": "the table answers: node, lower, upper",
    "bounds": "the game's own bounds answer: node, lower, upper",
    "recurrence": "the position stands on the path already: node",
    "cutoff": "the node is left: node, move, pruned (names), refuted (node, move, value) or null",
    "leave": "the node is done: node, value, shown, bound, kind, nodes (visited from here on down)",
    "end": "the last line: nodes, leaves, cutoffs, table_hits, recorded, left_out, value, shown, bound, best, line",
}
"""The events by name, and what their lines hold."""


class Open:
    """What is known of a node on the path while it is searched."""

    __slots__ = ("best", "best_move", "frame", "number", "window")

    def __init__(self, number: int | None, frame: Frame) -> None:
        self.number, self.frame = number, frame
        self.best: Value | None = None
        self.best_move = ""
        self.window = [frame.alpha, frame.beta]


class Recorder(Trace):
    """An observer that writes down every event of the first `most` nodes, and counts the rest."""

    purposes = ("search", "distance")

    def __init__(self, game: Game[Any], state: Any, algorithm: Algorithm, most: int = 10_000) -> None:
        is_clipped = algorithm.clips_values
        super().__init__(algorithm.as_searched(game, state), FULL_DEPTH, FULL_DEPTH, is_clipped)
        self.most, self.recorded = most, 0
        self.lines: list[dict[str, Any]] = []
        self._root = state
        self._entered = 0
        """How many lines there were when a node was last entered."""
        self._narrows = algorithm.narrows_windows
        self._leaving: Open
        self._open: list[Open] = []
        seen = game if self.game.players == game.players else self.game  # where many are searched as two
        self.write(
            "search",
            format=FORMAT,
            version=VERSION,
            game=specification_of(game),
            position=game.format(state),
            player=side_name(seen, seen.player(state)),
            algorithm=algorithm.specification,
            players=seen.players,
            names=[seen.player_name(i) for i in range(seen.players)],
        )

    def write(self, event: str, **facts: Any) -> None:
        """Add a line."""
        self.lines.append({"event": event, **facts})

    def text(self, result: SearchResult) -> str:
        """The whole trace, a line for each event, when the search has given its result.

        A search that is stopped leaves every node on its path with a value that means nothing; those
        events are dropped, and the nodes stay unfinished.
        """
        game = self.game
        names = game.line_names(self._root, result.line)
        statistics = result.statistics
        lines = self.lines[: self._entered] if result.stopped else self.lines
        end = {
            "event": "end",
            "nodes": statistics.nodes,
            "leaves": statistics.leaves,
            "cutoffs": statistics.cutoffs,
            "table_hits": statistics.table_hits,
            "recorded": self.recorded,
            "left_out": self.nodes - self.recorded,
            "value": data_number(result.value),
            "shown": value_text(result.value, signed=game.win_or_loss),
            "bound": result.bound,
            "distance": result.distance,
            "best": names[0] if names else None,
            "line": names,
            "stopped": result.stopped,
        }
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in [*lines, end])

    # What the search tells. ----------------------------------------------------------------------
    def enter(self, state: Any, ply: int, alpha: float | None, beta: float | None) -> None:
        """A node is visited with a window."""
        if ply == 0:
            self._root = state
            self.begin_iteration()
        if self.recorded >= self.most:
            self.plies = -1  # no node is kept any more
        super().enter(state, ply, alpha, beta)
        frame = self._frames[-1]
        parent = self._open[-1] if self._open else None
        number = None
        if frame.node is not None:
            number = self.nodes - 1
            self.recorded += 1
            self.write_enter(number, parent, frame, ply)
        self._open.append(Open(number, frame))
        self._entered = len(self.lines)

    def begin_iteration(self) -> None:
        """Note that the root is searched, maybe again."""
        self._open.clear()
        depth, purpose = self._iteration
        again = any(each.depth == depth and each.purpose == purpose for each in self.passes)
        limit = None if depth >= FULL_DEPTH else depth
        self.write("iteration", number=len(self.passes), depth=limit, purpose=purpose, again=again)

    def write_enter(self, number: int, parent: Open | None, frame: Frame, ply: int) -> None:
        """Write what there is to know of a node beforehand."""
        game, state = self.game, frame.state
        above = None if parent is None else parent.frame
        is_end = game.terminal(state)
        self.write(
            "enter",
            node=number,
            parent=None if parent is None else parent.number,
            ply=ply,
            move=None if above is None else game.move_name(above.state, above.move),
            chance=above.odds[above.move][0] if above is not None and above.side == CHANCE else None,
            side=side_name(game, None if is_end else game.player(state)),
            window=window_data(frame.alpha, frame.beta),
            window_shown=self.shown_window(frame.alpha, frame.beta),
            position=game.format(state),
            board=board_lines(game.board(state)),
        )

    def probe(self, ply: int) -> None:
        """Only the first move of the innermost node will be searched."""
        super().probe(ply)
        self.note("probe")

    def note(self, event: str, **facts: Any) -> None:
        """Write an event of the innermost node, if that is recorded."""
        if self._open[-1].number is not None:
            self.write(event, node=self._open[-1].number, **facts)

    def table_hit(self, ply: int, lower: float, upper: float) -> None:
        """The table knows enough of the innermost node."""
        super().table_hit(ply, lower, upper)
        self.note("table", lower=data_number(lower), upper=data_number(upper))

    def bounds(self, ply: int, lower: float, upper: float) -> None:
        """The game's own bounds tell enough of the innermost node."""
        super().bounds(ply, lower, upper)
        self.note("bounds", lower=data_number(lower), upper=data_number(upper))

    def recurrence(self, ply: int) -> None:
        """The position stands on the path already."""
        super().recurrence(ply)
        self.note("recurrence")

    def cutoff(self, ply: int, index: int, count: int) -> None:
        """The innermost node is left."""
        super().cutoff(ply, index, count)
        here = self._open[-1]
        if here.number is None:
            return
        game, frame = self.game, here.frame
        searched = {*frame.searched, frame.move}
        pruned = [game.move_name(frame.state, move) for move in self._choices(frame) if move not in searched]
        move = game.move_name(frame.state, frame.move)
        self.write("cutoff", node=here.number, move=move, pruned=pruned, refuted=self.refutation())

    def refutation(self) -> dict[str, Any] | None:
        """The ancestor whose move the innermost node cannot match; None where no single move tells."""
        here = self._open[-1].frame
        if here.side not in (MAX, MIN):
            return None
        limit = here.beta if here.side == MAX else here.alpha
        for above in reversed(self._open[:-1]):
            if above.frame.side == CHANCE:
                return None
            if above.frame.side != here.side and above.best is not None and above.best == limit:
                shown = self.shown_value(above.best)
                return {"node": above.number, "move": above.best_move, "value": data_number(above.best), "shown": shown}
        return None

    def leave(self, ply: int, value: Any) -> None:
        """The innermost node is done."""
        here = self._leaving = self._open.pop()
        super().leave(ply, value)
        if self._open:
            self.compare(here, self._open[-1], value)

    def _complete(self, frame: Frame, node: Node, value: Any, bound: str) -> None:
        super()._complete(frame, node, value, bound)
        self.write(
            "leave",
            node=self._leaving.number,
            value=data_number(node.value),
            shown=self.shown_value(node.value),
            bound=bound,
            kind=node.kind,
            nodes=frame.nodes,
        )

    def compare(self, child: Open, parent: Open, value: Any) -> None:
        """Note a child that is better than those before it."""
        side = parent.frame.side
        if side is None or side == CHANCE:
            return
        new = value[side] if isinstance(value, tuple) else float(value)
        old = parent.best[side] if isinstance(parent.best, tuple) else parent.best
        is_maximizing = isinstance(value, tuple) or side == MAX
        if old is not None and not (new > old if is_maximizing else new < old):
            return
        parent.best = value if isinstance(value, tuple) else new
        parent.best_move = self.game.move_name(parent.frame.state, parent.frame.move)
        low, high = parent.window
        if self._narrows and not isinstance(value, tuple) and low is not None and high is not None:
            parent.window = [max(low, new), high] if side == MAX else [low, min(high, new)]
        if parent.number is not None:
            self.write(
                "best",
                node=parent.number,
                child=child.number,
                move=parent.best_move,
                value=data_number(parent.best),
                shown=self.shown_value(parent.best),
                window=window_data(*parent.window),
                window_shown=self.shown_window(*parent.window),
            )

    def shown_window(self, alpha: float | None, beta: float | None) -> str:
        """A window as people read it; empty for an algorithm without windows."""
        return "" if alpha is None or beta is None else window_text(self.game, alpha, beta)

    def shown_value(self, value: Value) -> str:
        """A value as people read it."""
        return value_text(value) if isinstance(value, tuple) else value_with_distance_text(self.game, value)


def window_data(alpha: float | None, beta: float | None) -> list[float | int | None] | None:
    """The ends of a window, null where they are infinite; null for an algorithm without windows."""
    if alpha is None or beta is None:
        return None
    return [whole_or_none(alpha), whole_or_none(beta)]


def whole_or_none(bound: float) -> float | int | None:
    """A number as JSON says it; None for an infinite one."""
    if not math.isfinite(bound):
        return None
    return int(bound) if bound == int(bound) else bound


def board_lines(board: Board) -> list[str]:
    """A board as lines of plain characters."""
    width = max((len(cell.text) for row in board.rows for cell in row), default=1)
    margin = max((len(label) for label in board.row_labels), default=0)
    lines = []
    for number, row in enumerate(board.rows):
        label = board.row_labels[number] if number < len(board.row_labels) else ""
        lines.append(
            f"{label:>{margin}} {' '.join(f'{cell.text:>{width}}' for cell in row)}".rstrip()[0 if margin else 1 :]
        )
    if board.column_labels:
        indent = " " * (margin + 1) if margin else ""
        lines.append((indent + " ".join(f"{label:>{width}}" for label in board.column_labels)).rstrip())
    return [*lines, *board.notes]
