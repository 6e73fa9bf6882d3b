"""Writing down a search: what nodes it visits, and of one that keeps its tree, which of the tree's nodes is which.

What a node of such a tree is worth changes while it grows, by playouts, or by what is below it (`expansions`).
"""

from typing import IO, Any, Protocol

from gamesearch.algorithms.engine.formatting import data_number, value_text, window_text
from gamesearch.algorithms.engine.result import Observer, Value
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.algorithms.selective.parts import PASS, STAY
from gamesearch.game import CHANCE, Game
from gamesearch.learned.evaluation import evaluation_text
from gamesearch.registry import specification_of
from gamesearch.trace.events import FORMAT, GROWING, NULL_MOVE, PREDICTION, PROOFS, VERSION
from gamesearch.trace.notation import board_lines, side_name, window_facts
from gamesearch.trace.path import PathNode
from gamesearch.trace.recording import RecordedNode, Recording, WrittenRecording

__all__ = ["Watched", "Writer"]


class Watched(Protocol):
    """What searches: an algorithm, or proof numbers."""

    @property
    def specification(self) -> str:
        """What it is called, with its parameters."""

    @property
    def clips_values(self) -> bool:
        """Whether values outside a window are returned as its ends."""

    @property
    def narrows_windows(self) -> bool:
        """Whether a better move narrows the window of those after it."""

    def as_searched(self, game: Game[Any], state: Any) -> Game[Any]:
        """The game that is searched from a state."""


class Writer(Observer):
    """The part of a Recorder that adds nodes and events to the recording, and observes how a tree grows.

    With a `file`, events are written to it while the search runs and are not kept in memory.
    """

    goal = 0.0
    """What Max gets if a proof succeeds."""
    attacker: int | None = None
    """Who has to make progress in a proof on a graph."""
    playouts = 0
    """How many there were."""
    _counted: tuple[tuple[int, Value], ...] = ()
    """The nodes of the path that the present payoff was added to so far, down to the last, and what counted there."""
    waiting = 0
    """How many nodes are to be recorded as soon as it is known what they are worth."""

    def __init__(
        self, game: Game[Any], state: Any, algorithm: Watched, most: int = 10_000, file: IO[bytes] | None = None
    ) -> None:
        self.game, self.most = algorithm.as_searched(game, state), most
        self.nodes = 0
        """How many were visited."""
        self._clips, self._narrows = algorithm.clips_values, algorithm.narrows_windows
        self._root = state
        self._iteration = (0, "search")
        self._path: list[PathNode] = []
        self._pending: list[dict[str, Any]] = []
        """What happened since a node was last entered: see `Recorder.finish`."""
        self._way: list[int] = []
        """The nodes of the present path, by their numbers in a tree that the search keeps."""
        self._weighed: list[tuple[int, int, float]] = []
        """The moves that were weighed for the present choice, each with its playouts and what it is judged by."""
        self.forget_tree()
        seen = game if self.game.players == game.players else self.game  # where many are searched as two
        header = {
            "event": "search",
            "format": FORMAT,
            "version": VERSION,
            "game": specification_of(game),
            "position": game.format(state),
            "player": side_name(seen, seen.player(state)),
            "algorithm": algorithm.specification,
            "evaluation": evaluation_text(game),
            "players": seen.players,
            "names": [seen.player_name(i) for i in range(seen.players)],
            **({} if seen.zero_sum else {"zero_sum": False}),
        }
        self.recording = Recording(header) if file is None else WrittenRecording(header, file)

    def forget_tree(self) -> None:
        """Begin another tree."""
        self._numbers: dict[int, int | None] = {}
        """The recorded number of each node of the search's tree; None where it is not written down."""
        self._cut_short: set[int] = set()
        """The recorded nodes of whose children some are not recorded."""

    # What is recorded. ---------------------------------------------------------------------------
    def is_wanted(self, ply: int) -> bool:  # noqa: ARG002
        """Whether the node that is entered next is recorded."""
        return self.recording.recorded + self.waiting < self.most

    def take(self, event: dict[str, Any]) -> None:
        """Add an event to the recording."""
        self.recording.take(event)

    def take_pending(self) -> None:
        """Add what happened since a node was last entered."""
        for event in self._pending:
            self.take(event)
        self._pending.clear()

    def note(self, here: PathNode, event: str, **facts: Any) -> None:
        """Note an event of a node, if that is recorded."""
        if here.number is not None:
            self._pending.append({"event": event, "node": here.number, **facts})

    def pictured(self, state: Any) -> dict[str, Any]:
        """The position of a node, and its board."""
        return {"position": self.game.format(state), "board": board_lines(self.game.board(state))}

    def begin_iteration(self) -> None:
        """Note that the root is searched, maybe again."""
        self._path.clear()
        iterations, (depth, purpose) = self.recording.iterations, self._iteration
        limit = None if depth >= FULL_DEPTH else depth
        self.take(
            {
                "event": "iteration",
                "number": len(iterations),
                "depth": limit,
                "purpose": purpose,
                "again": any(each.depth == limit and each.purpose == purpose for each in iterations),
                **self.facts_of_growth(purpose),
            }
        )

    def facts_of_growth(self, purpose: str) -> dict[str, Any]:
        """What a reader has to know of a growing tree: the extremes of payoffs and whether they are written with signs;
        or which payoff is to be proven."""
        game = self.game
        if purpose in PROOFS:
            goal = {"goal": data_number(self.goal), "goal_shown": value_text(self.goal, signed=game.win_or_loss)}
            return goal if self.attacker is None else goal | {"attacker": side_name(game, self.attacker)}
        if purpose not in GROWING:
            return {}
        return {
            "least": data_number(game.MINSCORE),
            "greatest": data_number(game.MAXSCORE),
            "signed": game.win_or_loss,
        }

    def entered(self, here: PathNode, parent: PathNode | None, ply: int) -> dict[str, Any]:
        """What there is to know of a node beforehand."""
        game, state = self.game, here.state
        return {
            "event": "enter",
            "node": here.number,
            "parent": None if parent is None else parent.number,
            "ply": ply,
            "move": None if parent is None else self.name_of(parent, parent.move),
            "chance": parent.odds[parent.move][0] if parent is not None and parent.side == CHANCE else None,
            "side": side_name(game, None if game.terminal(state) else game.player(state)),
            **window_facts(game, here.alpha, here.beta),
            **self.pictured(state),
            **({"purpose": here.purpose} if here.purpose else {}),
        }

    def name_of(self, here: PathNode, move: int) -> str:
        """The name of a move of a node, be it a null move or none."""
        return {PASS: NULL_MOVE, STAY: PREDICTION}.get(move) or self.game.move_name(here.state, move)

    def take_new(self, number: int, event: dict[str, Any]) -> None:  # noqa: ARG002
        """Add the event that enters a node, which has this number in the search's tree."""
        self.take(event)

    def leave_out(self, number: int, above: int | None) -> None:
        """Note that a node is not written down, and which node of the search's tree is above it."""

    def note_best(self, number: int) -> None:
        """Note where another move of a node than before is the best, was played out most often, or is most proving.

        What is reached by transposition is a child of the node that reached it first.
        """
        node, scale = self.recording.nodes[number], self.recording.scale
        if not node.children or node.side == "chance" or number in self._cut_short:
            return
        best = self.preferred(node, self.recording.children(node))
        if best.number != node.best_child:
            last = best.standings[-1] if scale is None or not best.tallies else scale.standing(best.tallies[-1])
            self.take(
                {
                    "event": "best",
                    "node": number,
                    "child": best.number,
                    "move": best.move,
                    "value": last.value,
                    "shown": last.shown,
                    "window": None,
                    "window_shown": "",
                }
            )

    def preferred(self, node: RecordedNode, children: list[RecordedNode]) -> RecordedNode:  # noqa: ARG002
        """The child of a node that is the best so far."""
        return max(children, key=lambda child: child.visits)

    # What the search tells. ----------------------------------------------------------------------
    def iteration(self, depth: int, purpose: str) -> None:
        """A search of the root to a depth begins."""
        self._iteration = (depth, purpose)
        self.forget_tree()

    def reaches(self, state: Any, ply: int, number: int) -> None:
        """The search is at a node of the tree."""
        if number not in self._numbers and ply == 0:
            self.begin_iteration()
        del self._path[ply:], self._way[ply:]
        here = self.seen(state)
        if number not in self._numbers:
            self._numbers[number] = self.add(here, self._path[-1] if self._path else None, ply, number)
        here.number = self._numbers[number]
        self._path.append(here)
        self._way.append(number)

    def seen(self, state: Any) -> PathNode:
        """A node of the tree with whose turn it is."""
        here = PathNode(state, None, None, None)
        if not self.game.terminal(state):
            here.note_side(self.game)
        return here

    def add(self, here: PathNode, parent: PathNode | None, ply: int, number: int, **facts: Any) -> int | None:
        """Write down a node that is new, if it is wanted; its recorded number, or None."""
        if self.is_wanted(ply) and (parent is None or parent.number is not None):
            here.number = self.nodes
            self.take_new(number, self.entered(here, parent, ply) | facts)
        else:
            self.leave_out(number, self._way[-1] if self._way else None)
        self.nodes += 1
        return here.number

    def weighs(self, move: int, visits: int, bound: float) -> None:
        """A move is weighed for the choice that follows."""
        self._weighed.append((move, visits, bound))

    def follows(self, ply: int, move: int) -> None:
        """The search follows a move of the node at this ply."""
        self.take_pending()
        here, weighed = self._path[ply], self._weighed
        here.move, self._weighed = move, []
        if here.number is not None:
            name = self.game.move_name
            bounds = [[name(here.state, each), visits, round(bound, 4)] for each, visits, bound in weighed]
            self.take({"event": "choose", "node": here.number, "move": name(here.state, move), "bounds": bounds})

    def plays_out(self, ply: int, is_known: bool, playing: Any) -> None:
        """From the node at this ply the game was played out, or what it pays is known."""
        last = max(at for at, each in enumerate(self._path) if each.number is not None)
        here, tree = self._path[last], [each.move for each in self._path[last:ply]]
        moves = self.game.line_names(here.state, [*tree, *playing.moves[ply : playing.length]])
        payoff = self.payoff(playing.payoffs)
        self.take(
            {
                "event": "playout",
                "node": here.number,
                "moves": moves,
                "known": is_known,
                "value": data_number(payoff),
                "shown": value_text(payoff, signed=self.game.win_or_loss),
            }
        )

    def counts(self, ply: int, payoffs: Any) -> None:
        """What the playout pays is added to the node at this ply; the root is the last."""
        here = self._path[ply]
        if here.number is not None:
            self._counted = (here.number, self.payoff(payoffs)), *self._counted
        if ply == 0:
            path = [number for number, _ in self._counted]
            values = [data_number(payoff) for _, payoff in self._counted]
            self._counted = ()
            self.playouts += 1
            self.take({"event": "count", "node": path[-1], "path": path, "values": values})
            for number in path[:-1]:
                self.note_best(number)

    def payoff(self, payoffs: Any) -> Value:
        """What a playout paid, in a game of so many players."""
        count = self.game.payoff_count
        return tuple(map(float, payoffs[:count])) if count > 1 else float(payoffs[0])

    def proves(self, ply: int, lower: float, upper: float, plies: int) -> None:
        """The value of the node at this ply is proven to lie between bounds."""
        here, game = self._path[ply], self.game
        if here.number is None:
            return
        shown = value_text(lower, signed=game.win_or_loss)
        if lower < upper:
            shown = window_text(game, lower, upper)
        elif game.win_or_loss and lower in (game.MINSCORE, game.MAXSCORE):
            shown += f" in {ply + plies}"
        bounds = {"lower": data_number(lower), "upper": data_number(upper), "shown": shown}
        self.take({"event": "proven", "node": here.number, **bounds})
