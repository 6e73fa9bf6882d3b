"""The log of a search: observers add events to the log, which passes them to a store.

`EventStore` keeps every event of the first nodes, in memory or in a file. `RootExcerpt` keeps only the
tree near the root.
"""

import functools
import textwrap
from dataclasses import replace
from typing import IO, Any

from gamesearch.algorithms.engine.formatting import data_number, value_text, value_with_distance_text, window_text
from gamesearch.algorithms.engine.result import Observer, Value
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.selective.parts import PASS, STAY
from gamesearch.game import CHANCE, Game
from gamesearch.learned.evaluation import evaluation_text
from gamesearch.notation import player_name
from gamesearch.optional import UserTree, assumed_fact, mark_assumed
from gamesearch.registry import specification_of
from gamesearch.toolkit.boards import board_lines
from gamesearch.toolkit.derived_games import CoalitionGame
from gamesearch.trace.events import FORMAT, GROWING, NULL_MOVE, PREDICTION, PROOFS, VERSION
from gamesearch.trace.recorder.path import PathNode
from gamesearch.trace.recording import Recording, WrittenRecording

__all__ = ["EventLog", "EventStore", "RootExcerpt", "side_name"]

BOARDS, VALUES = 1 << 15, 1 << 12
"""The sizes of two caches: for drawn boards, and for formatted values. Iterative deepening reaches the same positions
again and again."""

NOTE_WIDTH = 55  # a longer note would not fit into the pane of the board on a terminal with 80 columns

NO_PICTURE: dict[str, Any] = {"position": "", "board": []}


class EventStore:
    """Keeps all events of the first `most` nodes, in memory or in a file that is written while the search runs.

    If `deepest` is given, only nodes down to this ply are kept.
    """

    shows_boards = True
    recording: Recording

    def __init__(self, most: int, file: IO[bytes] | None = None, deepest: int | None = None) -> None:
        self.most, self.file, self.deepest = most, file, deepest

    def begin(self, header: dict[str, Any]) -> Recording:
        """Begin a recording with the first line `header`."""
        self.recording = Recording(header) if self.file is None else WrittenRecording(header, self.file)
        return self.recording

    def wants(self, ply: int, visited: int, waiting: int, purpose: str) -> bool:
        """Whether the next node is recorded. `visited` is the number of visited nodes. `waiting` is the number of nodes
        that will still be recorded."""
        is_near = self.deepest is None or ply <= self.deepest
        return is_near and self.recording.recorded + waiting < self.most

    def add(self, event: dict[str, Any]) -> None:
        """Add an event."""
        self.recording.take(event)

    def add_probed(self, number: int, pruned: list[str]) -> None:
        """Receive the moves of a node that were not searched in a probe. This store ignores them, because no event
        contains them."""

    def leave_out(self, number: int, parent: int | None, recorded_parent: int | None) -> None:
        """Receive an unrecorded node of a growing tree. `number` and `parent` are the numbers of the node and its
        parent in the search's tree."""


class RootExcerpt(EventStore):
    """Keeps only the tree near the root, without events, so that the recording of a long search stays small.

    The store keeps the first `plies` plies, and the first `width` children and the best child of each node. If the
    search deepens iteratively, the store keeps only the two deepest iterations.
    """

    def __init__(self, plies: int, width: int | None, boards: bool = False) -> None:
        super().__init__(most=0)
        self.plies, self.width, self.shows_boards = plies, width, boards
        self.nearest: dict[int, int | None] = {}
        """For each unrecorded node of the growing tree, its nearest recorded ancestor."""

    def wants(self, ply: int, visited: int, waiting: int, purpose: str) -> bool:
        """Whether the next node is near the root."""
        self.recording.reached = visited + 1  # the number of nodes is not limited, so no node is left out
        return ply <= self.plies and purpose != "distance"

    def add(self, event: dict[str, Any]) -> None:
        """Apply an event to the tree, and drop the nodes that are no longer needed."""
        recording = self.recording
        recording.grow(event)
        if event["event"] == "leave":
            node = recording.nodes[event["node"]]
            for number in set(node.children).difference(node.first_children(self.width)):
                self.drop(number)
        elif event["event"] == "iteration":
            self.nearest.clear()
            if event["purpose"] == "search":
                self.drop_old_searches()

    def drop_old_searches(self) -> None:
        """Drop the trees of all depths except the last two. The tree of the previous depth is needed if the search to
        the last depth is stopped."""
        kept = {each.depth for each in self.recording.searches[-2:]}  # searches with null windows repeat each depth
        for each in self.recording.searches:
            if each.root is not None and each.depth not in kept:
                self.drop(each.root)
                each.root = None

    def drop(self, root: int) -> None:
        """Remove a node and all nodes below it."""
        for node in list(self.recording.below(root)):
            del self.recording.nodes[node.number]

    def add_probed(self, number: int, pruned: list[str]) -> None:
        """Store the moves that a probe of a node did not search."""
        self.recording.nodes[number].pruned = pruned

    def leave_out(self, number: int, parent: int | None, recorded_parent: int | None) -> None:
        """Count a node that is left out: add 1 to the field `nodes` of each recorded node above it."""
        nearest = recorded_parent
        if parent is not None and nearest is None:
            nearest = self.nearest.get(parent)
        self.nearest.setdefault(number, nearest)
        for node in [] if nearest is None else self.recording.path(nearest):
            node.nodes += 1


class EventLog(Observer):
    """Turns each step of a search into an event, and passes the events to a store."""

    def __init__(self, game: Game, searched: Game, state: Any, specification: str, store: EventStore) -> None:
        """`searched` is the game that is searched, which may be derived from `game`. `specification` is the name of the
        algorithm with its parameters."""
        self.rules, self.game, self.root, self.store = game, searched, state, store
        self.visited = 0
        """The number of visited nodes."""
        self.waiting = 0
        """The number of nodes that will be recorded as soon as their value is known."""
        self.iteration_depth, self.iteration_purpose = 0, "search"
        """The depth and the purpose of the current iteration."""
        self.goal = 0.0
        """The payoff that Max gets if the proof succeeds."""
        self.attacker: int | None = None
        """The side against which endless play counts in a proof on a graph. This side must end the game. None in other
        searches."""
        self.pending: list[dict[str, Any]] = []
        """The events since the search last entered a node. If the search is stopped, these events are dropped."""
        self.picture = functools.lru_cache(BOARDS)(self.draw)
        """The method `draw` with a cache. Several events can share a board, so boards must not be changed."""
        self.number_facts = functools.lru_cache(VALUES)(functools.partial(value_facts, self.game))
        self.window_facts = functools.lru_cache(VALUES)(functools.partial(window_facts, self.game))
        seen = game if self.game.players == game.players else self.game  # a search against a coalition has two players
        self.recording = store.begin(
            {
                "event": "search",
                "format": FORMAT,
                "version": VERSION,
                "game": specification_of(game),
                "position": game.format(state),
                "player": side_name(seen, seen.player(state)),
                "algorithm": specification,
                "evaluation": evaluation_text(game),
                "players": seen.players,
                "names": [player_name(seen, i) for i in range(seen.players)],
                **({} if seen.zero_sum else {"zero_sum": False}),
            }
        )

    def iteration(self, depth: int, purpose: str) -> None:
        self.iteration_depth, self.iteration_purpose = depth, purpose

    def wants(self, ply: int) -> bool:
        """Whether the next node that the search enters is recorded."""
        return self.store.wants(ply, self.visited, self.waiting, self.iteration_purpose)

    def add(self, event: str, **facts: Any) -> None:
        """Add an event."""
        self.store.add({"event": event, **facts})

    def note(self, here: PathNode, event: str, **facts: Any) -> None:
        """Store an event of a recorded node, but only when the search enters another node."""
        if here.number is not None:
            self.pending.append({"event": event, "node": here.number, **facts})

    def add_pending(self) -> None:
        """Add the events since the search last entered a node."""
        for event in self.pending:
            self.store.add(event)
        self.pending.clear()

    def mark(self, state: Any, text: str) -> str:
        """Mark the text of a state's value if the value depends on unknown payoffs."""
        return mark_assumed(self.rules, state, text, self.game)

    def value_facts(self, state: Any, value: Value) -> dict[str, Any]:
        """The value of a state in JSON and as text."""
        facts = self.number_facts(value)
        return facts | {"shown": self.mark(state, facts["shown"])}

    def draw(self, state: Any) -> dict[str, Any]:
        """The position of a node, and its board. Long notes are wrapped."""
        board = self.game.board(state)
        notes = [line for note in board.notes for line in textwrap.wrap(note, NOTE_WIDTH) or [note]]
        return {"position": self.game.format(state), "board": board_lines(replace(board, notes=notes))}

    def begin_iteration(self) -> None:
        """Add the event for the beginning of a search of the root. The event says whether an earlier search had the
        same depth."""
        iterations = self.recording.iterations
        limit = None if self.iteration_depth >= FULL_DEPTH else self.iteration_depth
        self.add(
            "iteration",
            number=len(iterations),
            depth=limit,
            purpose=self.iteration_purpose,
            again=any(each.depth == limit and each.purpose == self.iteration_purpose for each in iterations),
            **self.facts_of_growth(),
        )

    def facts_of_growth(self) -> dict[str, Any]:
        """The fields that explain the numbers of a growing tree: the range of payoffs, or the goal of a proof."""
        game = self.game
        if self.iteration_purpose in PROOFS:
            goal = {"goal": data_number(self.goal), "goal_shown": value_text(self.goal, signed=game.win_or_loss)}
            return goal if self.attacker is None else goal | {"attacker": side_name(game, self.attacker)}
        if self.iteration_purpose not in GROWING:
            return {}
        return {
            "least": data_number(game.MINSCORE),
            "greatest": data_number(game.MAXSCORE),
            "signed": game.win_or_loss,
        }

    def entry(self, here: PathNode, parent: PathNode | None, ply: int) -> dict[str, Any]:
        """The event for the beginning of a node."""
        game, state = self.game, here.state
        return {
            "event": "enter",
            "node": here.number,
            "parent": None if parent is None else parent.number,
            "ply": ply,
            "move": None if parent is None else self.name_of(parent, parent.move),
            "chance": parent.odds[parent.move][0] if parent is not None and parent.side == CHANCE else None,
            "side": side_name(game, None if game.terminal(state) else game.player(state)),
            **self.window_facts(here.alpha, here.beta),
            **(self.picture(state) if self.store.shows_boards else NO_PICTURE),
            **({"given": given} if isinstance(game, UserTree) and (given := game.given_estimate(state)) else {}),
            **assumed_fact(self.rules, state, game),
            **({"purpose": here.purpose} if here.purpose else {}),
        }

    def name_of(self, here: PathNode, move: int) -> str:
        """The name of a move at a node: NULL_MOVE for a pass, and PREDICTION for ProbCut, which makes no move."""
        if move == PASS:
            return NULL_MOVE
        return PREDICTION if move == STAY else self.game.move_name(here.state, move)


def side_name(game: Game, side: int | None) -> str:
    """The side to move: Max, Min, chance, or the name of a player; `end` if the game is over.

    If the search is for one player against a coalition of all others, the result is the name of this player or of the
    coalition.
    """
    if side is None:
        return "end"
    has_role = game.players == 2 and game.zero_sum and side != CHANCE and not isinstance(game, CoalitionGame)
    return ("Max", "Min")[side] if has_role else player_name(game, side)


def value_facts(game: Game, value: Value) -> dict[str, Any]:
    """A value in JSON and as text."""
    shown = value_text(value) if isinstance(value, tuple) else value_with_distance_text(game, value)
    return {"value": data_number(value), "shown": shown}


def window_facts(game: Game, alpha: float | None, beta: float | None) -> dict[str, Any]:
    """The two fields of an event that contain its window. The first is for JSON, with null instead of infinity. The
    second is a text. They are empty if the search has no windows."""
    if alpha is None or beta is None:
        return {"window": None, "window_shown": ""}
    return {"window": [data_number(alpha), data_number(beta)], "window_shown": window_text(game, alpha, beta)}
