"""What searches run with: the speed, workspace, table and ordering, and what they found.

An algorithm runs its kernels by a Runner. All runs of one search share its counts, so there is one counter, one clock
and one stop for the whole search, however often the algorithm starts again from the root.
"""

import itertools
import math
import time
from collections.abc import Sequence
from typing import Any, Self

from gamesearch import compiler
from gamesearch.algorithms.engine.execution import AtSpeed
from gamesearch.algorithms.engine.lazy_smp import ADDED, Team
from gamesearch.algorithms.engine.pace import Pace
from gamesearch.algorithms.engine.result import Limits, Monitor, Observer, Statistics
from gamesearch.algorithms.node.database import Database
from gamesearch.algorithms.node.ordering import new_ordering
from gamesearch.algorithms.node.records import Held
from gamesearch.algorithms.node.repetition import note_past
from gamesearch.algorithms.node.table import Table, probe, stored_move
from gamesearch.algorithms.node.values import adjusted_for_ply, cost_of_a_ply
from gamesearch.algorithms.node.workspace import (
    MAX_PLY,
    NO_LIMIT,
    VARIATION_PLIES,
    Memory,
    Options,
    Run,
)
from gamesearch.game import CHANCE, FORBIDDEN, MAX, RECURRENCE_DRAWS, Game
from gamesearch.toolkit.bits import mix
from gamesearch.toolkit.symmetric_games import Folding

__all__ = ["Runner"]


class Runner(Team):
    """What searches of one game run with; for each of them, `start` is called first.

    Workspace, table and ordering are made when they are first needed. Table and ordering stay from one search to the
    next, as long as `begin` is asked for the same.
    """

    def __init__(
        self,
        game: Game[Any],
        speed: str = "auto",
        *,
        memory: int = 0,
        orders: int = 0,
        threads: int = 1,
        database: Database | None = None,
        monitor: Monitor | None = None,
    ) -> None:
        self.game, self.orders, self.threads, self.database = game, orders, threads, database
        self.asked, self.is_forced = speed, speed == "compiled"
        self.speed = compiler.speed_for(game, speed)
        self.held_table = Table(memory) if memory else None
        self.settings: dict[str, float] = {}
        self.ply_cost = 0.0
        self.start(Limits(), monitor=monitor)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        # After an error, a thread may still be writing to the workspace and the table.
        if kind is None:
            self.release()

    def release(self) -> None:
        """Let later searches use the memory; this runner must not be used any more."""
        if self.held_table is not None:
            self.held_table.release()
        if "workspace" in vars(self):
            self.workspace.release()

    def start(
        self,
        limits: Limits,
        *,
        monitor: Monitor | None = None,
        observer: Observer | None = None,
        past: Sequence[Any] = (),
    ) -> None:
        """Begin a search: its counts and its clock. `past` are the positions of the game before the root."""
        self.limits, self.monitor, self.observer, self.past = limits, monitor, observer, past
        self.depth = self.truncated_before = 0
        self.pace = Pace(limits.target)
        self.is_preparing = False
        if observer is not None:
            self.room = MAX_PLY  # who is told all events is told of one search, and interpreted it needs no stack
        if self.held_table is not None:
            self.held_table.begin_search()
        if self.speed == "compiled":
            compiler.note_changes(self.game)
        self.begin_counts()
        self.started = time.perf_counter()

    def begin_counts(self) -> None:
        """Set all counts to zero, and forget the path."""
        if "workspace" in vars(self):
            self.workspace.begin()

    def go_on_counting(self) -> None:
        """After a search that had no room: forget its path, and count the nodes of the next one with its own."""
        nodes = int(self.counts.nodes)
        self.begin_counts()
        self.counts.nodes = nodes

    # What kernels are given. ---------------------------------------------------------------------
    @AtSpeed
    def memory(self) -> Memory:
        """Table, ordering and database in the form of the present speed."""
        is_compiled = self.speed == "compiled"
        table = self.held_table.view(is_compiled) if self.held_table is not None else None
        ordering = self.ordering.record if self.ordering is not None else None
        layers = self.database.layers(is_compiled, self.game) if self.database is not None else None
        return Memory(table, ordering, layers)

    @AtSpeed
    def ordering(self) -> Held | None:
        """What ordering remembers; None without one."""
        return new_ordering(self.orders, self.speed == "compiled")

    @property
    def options(self) -> Options:
        """What was asked."""
        return self.workspace.options

    @property
    def run(self) -> Run:
        """What a kernel writes."""
        run = self.workspace.run
        return run if self.observer is None else run._replace(observer=self.observer)

    @property
    def arguments(self) -> tuple[Options, Memory, Run]:
        """What a search's kernel is given besides the position."""
        return self.options, self.memory, self.run

    # Several threads. ----------------------------------------------------------------------------
    def helper(self) -> Self:
        """A runner for a thread beside this one: with the same table, and records of its own."""
        helper = type(self)(self.game, self.asked, orders=self.orders, database=self.database)
        helper.held_table = self.held_table
        return helper

    def prepare(self, helper: Self, nodes: int | None) -> None:
        """Have a helper begin with what is asked of this runner, and visit at most so many nodes."""
        helper.settings, helper.past, helper.limits = self.settings, self.past, Limits(nodes=nodes)
        helper.room = self.room
        helper.begin_counts()

    @property
    def counts(self) -> Any:
        """The counts so far, as attributes that may be set."""
        return self.workspace.counted.fields

    def begin(
        self,
        depth: int | None = None,
        purpose: str = "",
        *,
        bounds: bool = False,
        mate_distances: bool = False,
        fail_hard: bool = False,
        pruning: int = 0,
        practical: bool = False,
        deeper: bool = False,
    ) -> None:
        """Set the options of the next run; the counts go on. If they are others than before, the table is emptied.

        Where it has a purpose, the observer is told that a search from the root begins: `search` for the value,
        `distance` for how soon the game is won, or one of `trace.purposes.GROWING`.
        """
        if purpose and self.observer is not None:
            self.observer.iteration(depth or 0, purpose)
        self.ply_cost = cost_of_a_ply(self.game) if mate_distances else 0.0
        settings = {
            "bounds": bounds,
            "ply_cost": self.ply_cost,
            "fail_hard": fail_hard,
            "pruning": pruning,
            "practical": practical,
            "deeper": deeper,
            "shared": self.threads > 1,
        }
        if self.held_table is not None and self.settings not in ({}, settings):
            self.held_table.forget()
        self.settings = settings
        self.truncated_before = self.workspace.counted.read("truncated")

    def apply_settings(self) -> None:
        """Write the options of the run into the workspace."""
        table = self.held_table
        generation, oldest = (table.generation, table.oldest) if table is not None else (0, 0)
        node_limit = NO_LIMIT if self.node_limit is None else self.node_limit
        workspace, path = self.workspace, self.workspace.path
        workspace.ask(node_limit=node_limit, generation=generation, oldest=oldest, **self.settings)
        if workspace.past is not self.past:
            path.write(past=note_past(self.game, self.past, path.fields))
            workspace.past = self.past
        path.write(top=0)
        workspace.counted.write(room=self.room)

    # What was found. -----------------------------------------------------------------------------
    @property
    def sees_the_end(self) -> bool:
        """Whether the search was not stopped and used no evaluation since `begin`."""
        return not self.stopped and self.workspace.counted.read("truncated") == self.truncated_before

    @property
    def nodes_left(self) -> float:
        """About how many more nodes the limits allow; a limit on time, at the rate so far."""
        nodes, limits = self.workspace.counted.read("nodes"), self.limits
        left = math.inf if limits.nodes is None else float(limits.nodes - nodes)
        seconds = self.seconds
        return left if limits.time is None else min(left, nodes * (limits.time - seconds) / seconds)

    @property
    def variation(self) -> tuple[int, ...]:
        """The principal variation of the last run."""
        return self.workspace.variation

    @property
    def first_root_move(self) -> int:
        """The move that the last run searched first at the root; told only after it began another."""
        return int(self.workspace.path.fields.moves[0])

    def extended_variation(self, state: Any, variation: tuple[int, ...], value: float, depth: int) -> tuple[int, ...]:
        """A principal variation that a table hit cut short, continued with moves from the table.

        A move of the table is added only where the table proves that it keeps the value. What reaches to the horizon
        is not continued: rules run interpreted here, and would take longer than a short search of chess.
        """
        is_turned = isinstance(self.game, Folding)  # the table's move may be that of a turned position
        if self.held_table is None or not variation or self.stopped or len(variation) >= depth or is_turned:
            return variation
        table, game, moves = self.held_table.view(False), self.game, list(variation)
        path = list(itertools.accumulate(variation, game.result, initial=state))
        options = self.workspace.asked.fields
        recurs = game.recurrence in (RECURRENCE_DRAWS, FORBIDDEN)
        while len(moves) < VARIATION_PLIES and not game.terminal(state := path[-1]) and game.player(state) != CHANCE:
            if recurs and game.progress(path[-2]) == game.progress(state):
                break
            ply = len(moves)
            lower, upper, stored, _ = probe(table, mix(game.key(state)), depth - ply, options)
            bound = lower if game.player(state) == MAX else upper
            found = [move for move in game.moves(state) if stored_move(move) == stored]
            if adjusted_for_ply(game, float(bound), ply, self.ply_cost) != value or not found:
                break
            moves.append(found[0])
            path.append(game.result(state, found[0]))
        return tuple(moves)

    def statistics(self) -> Statistics:
        """The counts so far."""
        counted = self.workspace.counted.numbers()
        return Statistics(
            **{name: counted[name] for name in ADDED},
            depth=self.depth or counted["deepest"],
            seconds=self.seconds,
            speed=self.speed,
            threads=len(self.helpers) + 1,
        )
