"""Record solvers that keep a table of values: memoization, dynamic programming and retrograde analysis.

These solvers are plain Python, as in a textbook, and are meant for small games. `gamesearch.solvers` contains fast
solvers. The recording is a growing tree that describes a graph. Each move gets a node for the position after the move.
If several moves lead to one position, this position has several nodes. The field `same` of the later nodes contains the
number of the first.
"""

import math
from collections import deque
from collections.abc import Hashable, Iterator
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.engine.formatting import data_number, value_text
from gamesearch.aliases import WATCHED
from gamesearch.errors import GamesearchError, refuse
from gamesearch.game import CHANCE, MAX, MIN, NEVER, REPETITION_DRAWS, Game
from gamesearch.notation import zero_sum_words
from gamesearch.optional import LeveledGame, ReversibleGame, certain_moves
from gamesearch.trace.events import TABLE
from gamesearch.trace.recorder.log import EventLog, EventStore, side_name
from gamesearch.trace.recording import Recording

__all__ = ["TABLES", "record_table"]

TABLES = tuple(method for method in WATCHED if method != "proof")
"""The solving methods whose recordings show how a table is filled."""
UNKNOWN = "?"
MOST_DEEP = 400
"""The greatest depth of memoization. The function is recursive, so its depth must be limited."""


def record_table(game: Game, state: Any, method: str, most: int = 10_000, store: EventStore | None = None) -> Recording:
    """Record how a method finds the value of a position. Raises GamesearchError if the method visits more than `most`
    nodes.

    >>> from gamesearch import load
    >>> game = load("nim(heaps=4, max_take=2)")
    >>> [record_table(game, game.initial(), method).end["shown"] for method in TABLES]
    ['+1', '+1', '+1']
    """
    refuse(
        (game.payoff_count > 1, f"{method} is {zero_sum_words(game)}"),
        (game.terminal(state), f"the game is over in {game.format(state)!r}: there is nothing to solve"),
        (
            game.repetition not in (NEVER, REPETITION_DRAWS) or (game.chance and game.repetition != NEVER),
            "values in this game depend on earlier positions: leave out --method, and watch an algorithm",
        ),
        (
            method != "retrograde" and game.repetition != NEVER,
            "positions of this game can repeat: use --method retrograde",
        ),
    )
    return TableRecorder(EventLog(game, game, state, method, store or EventStore(most)), most).record(state, method)


@dataclass
class Entry:
    """A position of the table, and its first node in the recorded tree."""

    state: Any
    node: int
    player: int | None
    """The player to move; None if the game is over."""
    copies: list[int]
    """The numbers of the other nodes with this position."""
    moves: list[tuple[str, "Entry", int, float | None]]
    """The moves or outcomes. Each tuple contains the name, the position after the move, the number of this position's
    node, and the probability."""
    parents: list["Entry"]
    value: float | None = None


class TableRecorder:
    """Solves a game and records each step."""

    def __init__(self, log: EventLog, most: int) -> None:
        self.log, self.game, self.most = log, log.game, most
        self.table: dict[Hashable, Entry] = {}
        self.solved = 0

    def record(self, state: Any, method: str) -> Recording:
        """Solve the position and return the recording."""
        log = self.log
        log.iteration(1 << 30, TABLE)
        log.iteration_depth, log.iteration_purpose = 1 << 30, TABLE
        log.begin_iteration()
        root = self.reach(state, None, "", 0, None)[0]
        if method == "memo":
            self.memoize(root, 0)
        else:
            self.explore(root)
            if method == "dynamic_programming" and isinstance(self.game, LeveledGame):
                self.solve_by_levels(self.game, root)
            else:
                self.solve_backwards()
        return self.finish(root)

    # The tree. -----------------------------------------------------------------------------------
    def reach(
        self, state: Any, above: Entry | None, move: str, ply: int, chance: float | None
    ) -> tuple[Entry, int, bool]:
        """Add a node for a position; return the entry of the position, the number of the node, and whether the position
        is new."""
        log, game = self.log, self.game
        if log.visited >= self.most:
            raise GamesearchError(
                f"this position needs more than {self.most:,} nodes: watch a later position, or allow more with "
                "--trace-nodes"
            )
        number, key = log.visited, game.key(state)
        log.visited += 1
        entry, is_new = self.table.get(key), key not in self.table
        if entry is None:
            player = None if game.terminal(state) else game.player(state)
            entry = self.table[key] = Entry(state, number, player, [], [], [])
            if player is None:
                entry.value, self.solved = float(game.utility(state)), self.solved + 1
        else:
            entry.copies.append(number)
        parent, led = (None, None) if above is None else (above.node, move)
        place = {"node": number, "parent": parent, "ply": ply, "move": led, "chance": chance}
        shown = {"side": side_name(game, entry.player), "window": None, "window_shown": "", **log.picture(state)}
        log.add("enter", **place, **shown, **self.facts(entry), **({} if is_new else {"same": entry.node}))
        return entry, number, is_new

    def facts(self, entry: Entry) -> dict[str, Any]:
        """The fields of an event that describe a position's value in the table."""
        if entry.value is None:
            return {"value": None, "shown": UNKNOWN, "bound": "estimate"}
        shown = self.log.mark(entry.state, value_text(entry.value, signed=self.game.win_or_loss))
        return {"value": data_number(entry.value), "shown": shown, "bound": "exact"}

    def expand(self, entry: Entry) -> Iterator[Entry]:
        """Add a node for each move or outcome of a position; yield the positions that are new."""
        game, state = self.game, entry.state
        ply = self.log.recording.nodes[entry.node].ply + 1
        steps = game.outcomes(state) if entry.player == CHANCE else ((move, None) for move in game.moves(state))
        self.log.add("expand", node=entry.node)
        for move, chance in steps:
            if chance == 0:
                continue
            name = game.move_name(state, move)
            child, node, is_new = self.reach(game.result(state, move), entry, name, ply, chance)
            entry.moves.append((name, child, node, chance))
            child.parents.append(entry)
            if is_new:
                yield child

    def explore(self, root: Entry) -> None:
        """Add all positions that can be reached, in breadth-first order."""
        waiting = deque([root])
        while waiting:
            entry = waiting.popleft()
            if entry.player is not None:
                waiting += self.expand(entry)

    # The values. ---------------------------------------------------------------------------------
    def add_value(self, entry: Entry) -> None:
        """Record that the table now contains the value of a position."""
        log = self.log
        self.solved += 1
        same = {"same": list(entry.copies)} if entry.copies else {}
        log.add("revalue", node=entry.node, **self.facts(entry), **same)
        chosen = self.best_move(entry)
        if entry.player != CHANCE and chosen is not None:
            facts = {name: fact for name, fact in self.facts(chosen[1]).items() if name != "bound"}
            log.add("best", node=entry.node, child=chosen[2], move=chosen[0], **facts, window=None, window_shown="")
        path = log.recording.path(entry.node)
        line = [str(each.move) for each in path[1:]]
        log.add("expanded", node=path[0].number, path=[each.number for each in path], line=line, number=self.solved)

    def best_move(self, entry: Entry) -> tuple[str, Entry, int, float | None] | None:
        """The first move with the value of its position, if this move is best for all payoffs of unknown leaves. None
        if no such move has a value yet."""
        certain = {self.game.move_name(entry.state, move) for move in certain_moves(self.game, entry.state)}
        return next((each for each in entry.moves if each[0] in certain and each[1].value == entry.value), None)

    def best_of(self, entry: Entry) -> float:
        """The value of a position, computed from the known values of its moves."""
        known = [(found.value, chance) for _, found, _, chance in entry.moves if found.value is not None]
        if entry.player == CHANCE:
            return math.fsum(value * (chance or 0.0) for value, chance in known)
        return max(value for value, _ in known) if entry.player == MAX else min(value for value, _ in known)

    def memoize(self, entry: Entry, depth: int) -> None:
        """Find the value of a position by depth-first search; positions in the table are not searched again."""
        if depth > MOST_DEEP:
            raise GamesearchError(f"a game of more than {MOST_DEEP} plies is too long to watch: give a later position")
        if entry.player is None:
            return
        for found in self.expand(entry):
            self.memoize(found, depth + 1)
        entry.value = self.best_of(entry)
        self.add_value(entry)

    def solve_by_levels(self, game: LeveledGame[Any], root: Entry) -> None:
        """Solve the positions level by level, from the lowest level up to the root. A level is dropped when no later
        level needs it."""
        levels = list[list[Entry]]()
        for level in range(game.level(root.state)):
            keys = [game.key(s) for s in game.states_of_level(level)]
            levels.append([self.table[key] for key in keys if key in self.table])
            nodes = [entry.node for entry in levels[-1]]
            self.log.add("level", node=root.node, number=level, path=nodes, count=len(keys))
            for entry in levels[-1]:
                self.solve_listed(entry)
            if level >= game.reach:
                gone = levels[level - game.reach]
                nodes, values = [entry.node for entry in gone], [data_number(entry.value) for entry in gone]
                kept = sum(map(len, levels[level - game.reach + 1 :]))
                self.log.add(
                    "drop", node=root.node, path=nodes, values=values, kept=kept, level=level - game.reach,
                    reach=game.reach,
                )  # fmt: skip
        self.solve_listed(root)

    def solve_listed(self, entry: Entry) -> None:
        """Solve a position from the levels below it."""
        if missing := next((found for _, found, _, _ in entry.moves if found.value is None), None):
            raise GamesearchError(
                f"the method `states_of_level` of {type(self.game).__name__} leaves out "
                f"{self.game.format(missing.state)!r}"
            )
        if entry.player is not None:
            entry.value = self.best_of(entry)
            self.add_value(entry)

    def solve_backwards(self) -> None:
        """Solve backwards from the ends of the game; a position is solved as soon as its moves decide its value."""
        best = {MAX: float(self.game.MAXSCORE), MIN: float(self.game.MINSCORE)}
        left = {each.node: len(each.moves) for each in self.table.values()}
        queue = deque(each for each in self.table.values() if each.value is not None)
        while queue:
            entry = queue.popleft()
            for above in self.parents_of(entry):
                left[above.node] -= 1
                is_best = above.player is not None and entry.value == best.get(above.player)
                if above.value is None and (is_best or left[above.node] == 0):
                    above.value = self.best_of(above)
                    self.add_value(above)
                    queue.append(above)
        for entry in self.table.values():
            if entry.value is None:  # both sides can continue forever
                entry.value = float(self.game.draw_value())
                self.add_value(entry)

    def parents_of(self, entry: Entry) -> list[Entry]:
        """The parents of a position. If several moves lead from a parent to the position, the result contains this
        parent several times. If the game defines the method `parents`, the result comes from this method. Raises
        GamesearchError if the number of parents is wrong."""
        game = self.game
        if not isinstance(game, ReversibleGame):
            return entry.parents
        found = [self.table[key] for key in map(game.key, game.parents(entry.state)) if key in self.table]
        if len(found) != len(entry.parents):
            raise GamesearchError(
                f"the method `parents` of {type(game).__name__} returned {len(found)} parents of "
                f"{game.format(entry.state)!r}, but {len(entry.parents)} moves lead to this position"
            )
        return found

    def finish(self, root: Entry) -> Recording:
        """Complete the recording with the result, and return it."""
        log, recording = self.log, self.log.recording
        line, entry = list[str](), root
        while entry.player not in (None, CHANCE) and len(line) < MOST_DEEP and (best := self.best_move(entry)):
            name, entry, *_ = best
            line.append(name)
        ends = sum(each.player is None for each in self.table.values())
        recording.close(
            {
                "event": "end", "nodes": log.visited, "leaves": ends, "cutoffs": 0,
                "table_hits": log.visited - len(self.table), "recorded": recording.recorded,
                "left_out": log.visited - recording.recorded, **self.facts(root), "distance": None,
                "best": line[0] if line else None, "line": line, "stopped": "", "entries": self.solved,
            }
        )  # fmt: skip
        return recording
