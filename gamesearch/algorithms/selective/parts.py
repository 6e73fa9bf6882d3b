"""Code that all parts of a selective search use: the names of the parts, the records that they read, and the runner."""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, Self

from gamesearch.algorithms.engine.execution import SpeedProperty
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.ordering import CONTINUATIONS
from gamesearch.algorithms.node.records import Record, RecordHandle, float_field, integer_field
from gamesearch.algorithms.node.values import estimate_within
from gamesearch.algorithms.node.workspace import MAX_PLY, Search
from gamesearch.compiler import kernel
from gamesearch.game import Game
from gamesearch.optional import ExchangeGame, Prediction, SelectiveGame, TunedGame

__all__ = [
    "AUTO", "NOTHING_YET", "PARTS", "PASS", "PREDICTED_DEPTHS", "STAY", "Node", "Parts", "SelectiveRecords",
    "SelectiveRunner", "Trail", "can_matter", "estimate_once", "is_scout", "is_threatened", "note_predictions",
    "null_step", "null_window",
]  # fmt: skip

AUTO = "auto"
PARTS: Mapping[str, str] = {
    "quiescence": "whether forcing moves are searched beyond the horizon",
    "null_move": "whether the null move is tried first, in games in which passing is never an advantage",
    "reductions": "whether late moves are first searched to a smaller depth",
    "futility": "whether moves one ply before the horizon are skipped if they cannot gain enough to reach the window",
    "extensions": "whether forced moves and replies to threats are searched one ply deeper",
    "internal": "whether nodes without a move in the transposition table are searched one ply less deeply",
    "aspiration": "whether the root is first searched with a window around the value of the previous depth",
    "probcut": "whether a shallow search predicts the value of the full search, in games for which this was measured",
    "deeper": "whether entries of the transposition table from deeper searches are also used",
    "history": "whether quiet moves are ordered mainly by history, and captures that lose the exchange come last",
    "reverse": "whether a node near the horizon is cut off if its estimate is better than the window by a margin",
    "late": "whether late quiet moves near the horizon are skipped",
    "improving": "whether more moves are pruned or reduced if the estimate is not better than it was two plies earlier",
    "exchanges": "whether moves near the horizon are skipped if they lose the exchange on their target square",
}
"""The parts of a selective search that can be switched on and off, each with a description."""

PASS = -2
"""This number stands for a null move in the list of moves on the path."""
STAY = -3
"""This number stands for a shallow search of ProbCut, which makes no move, in the list of moves on the path."""
NOTHING_YET = -1
"""This number means, in the list of moves on the path, that no move has been made at a node yet."""
PREDICTED_DEPTHS = 32
"""A shallow search predicts the value of a deep search only if the deep search has a depth below this number."""
RELATIVE_STEP = 2.0**-50
"""The width of a null window, as a fraction of the range of payoffs. The width is about 1/500 of the amount by which
the value of a win decreases with each ply."""


def can_matter(part: str, game: Game) -> bool:
    """Whether searches of a game can use a part of `pvs`. Some parts need optional methods of the game."""
    if part == "probcut":
        return isinstance(game, TunedGame) and bool(game.predictions())
    if part == "reverse":
        return isinstance(game, TunedGame) and game.margin > 0
    if part == "exchanges":
        return isinstance(game, ExchangeGame)
    if part in ("null_move", "futility"):
        return isinstance(game, SelectiveGame) and (part == "futility" or game.passing_never_helps)
    if part == "quiescence":
        knows_threats = isinstance(game, SelectiveGame) and type(game).is_threatened is not SelectiveGame.is_threatened
        return game.has_move_kinds or knows_threats
    return True


class Parts(Record):
    """The parts that are switched on. Kernels read this record at run time, so that all combinations of parts share the
    same compiled code."""

    active = integer_field()  # whether any part is on; in searches to the end of the game, all are off
    step = float_field()  # the width of a null window
    root_depth = integer_field()  # the depth of the search from the root, in plies
    quiescence = integer_field()
    null_move = integer_field()
    reductions = integer_field()
    futility = integer_field()
    extensions = integer_field()
    internal = integer_field()  # internal iterative reduction
    probcut = integer_field()
    history = integer_field()
    reverse = integer_field()  # reverse futility
    late = integer_field()
    exchanges = integer_field()
    improving = integer_field()
    divisor = float_field()  # the game's `reduction_divisor`
    margin = float_field()  # a gain that one ply rarely exceeds; 0 if unknown
    width = integer_field()  # number of moves to search at each node; 0 for all
    shallow = integer_field(PREDICTED_DEPTHS)  # for each depth: depth of the search that predicts its value; 0 for none
    slope = float_field(PREDICTED_DEPTHS)  # the mover's predicted value is slope * shallow value + intercept
    intercept = float_field(PREDICTED_DEPTHS)
    deviation = float_field(PREDICTED_DEPTHS)  # standard deviation of the prediction's error


class Trail(Record):
    """The moves on the path from the root to the current node."""

    continuations = integer_field(CONTINUATIONS, size=4)  # for the part `history`: scores of pairs of moves
    moves = integer_field(MAX_PLY + 1)  # the move made at each ply, or PASS, STAY or NOTHING_YET
    estimates = float_field(MAX_PLY + 1)  # for the part `improving`: the estimate at each ply; NaN if it is unknown


class SelectiveRecords(NamedTuple):
    """The records that the kernel of a selective search reads and writes."""

    parts: Any
    trail: Any


class Node(NamedTuple):
    """A node of a selective search, with its window, the player to move, the remaining depth, and the ply."""

    low: float
    high: float
    maximizing: bool
    depth: int
    ply: int
    threatened: bool
    """Whether the player to move must answer a threat."""


class SelectiveRunner(Runner):
    """A runner with the records of a selective search."""

    values: list[float]
    """The value of the root at each finished depth."""
    sees_end: bool
    """Whether the principal variation of the last finished depth ends the game."""
    parts: Mapping[str, float]
    """The settings of the next run. They say which parts are on, and contain numbers such as `width`, the number of
    moves to search at each node."""

    def start(self, *given: Any, **options: Any) -> None:
        """Begin a search, and forget the values of earlier depths."""
        super().start(*given, **options)
        self.values, self.parts, self.sees_end = [], {}, False

    @SpeedProperty
    def record_of_parts(self) -> RecordHandle:
        """A record that says which parts are on. It also contains the game's predictions."""
        held = RecordHandle(Parts, self.speed == "compiled")
        if isinstance(self.game, TunedGame):
            note_predictions(held, self.game.predictions())
        tuned = self.game if isinstance(self.game, TunedGame) else TunedGame
        held.write(divisor=tuned.reduction_divisor, margin=tuned.margin, **self.parts)
        return held

    @SpeedProperty
    def selection(self) -> SelectiveRecords:
        """The records in the form that the kernel reads."""
        return SelectiveRecords(self.record_of_parts.record, RecordHandle(Trail, self.speed == "compiled").record)

    @property
    def arguments(self) -> Search:
        """The value for the kernel's parameter `search`."""
        return super().arguments._replace(selection=self.selection)

    def helper(self, number: int) -> Self:
        """The runner of a helper thread. It has the same parts as this runner, but its own path."""
        helper = super().helper(number)
        helper.record_of_parts = self.record_of_parts
        return helper

    def switch(self, parts: Mapping[str, float]) -> None:
        """Switch parts on or off for the next run, and set numbers such as the width."""
        self.parts = {"step": null_step(self.game), **parts}
        self.record_of_parts.write(**self.parts)


def note_predictions(held: RecordHandle, predictions: Sequence[Prediction]) -> None:
    """Copy a game's predictions into the record that the kernel reads."""
    for each in predictions:
        if each.depth < PREDICTED_DEPTHS:
            for name in ("shallow", "slope", "intercept", "deviation"):
                getattr(held.fields, name)[each.depth] = getattr(each, name)


def null_step(game: Game) -> float:
    """The width of a null window. It is smaller than the smallest difference between two values, but it is not rounded
    to 0."""
    greatest = max(abs(float(game.MINSCORE)), abs(float(game.MAXSCORE)))
    return max(RELATIVE_STEP * (game.MAXSCORE - game.MINSCORE), 2 * math.ulp(greatest))


@kernel
def is_threatened(game: Game, s: Any, search: Search) -> bool:
    """Whether the player to move must answer a threat."""
    if search.groups.selective is not None:
        return bool(game.is_threatened(s))  # type: ignore[attr-defined]
    return False


@kernel
def estimate_once(game: Game, s: Any, known: float) -> float:
    """Return `known`. If `known` is NaN, evaluate s instead."""
    return estimate_within(game, float(game.evaluate(s))) if math.isnan(known) else known


@kernel
def null_window(low: float, high: float, maximizing: bool, step: float) -> tuple[float, float]:
    """The null window of a search that only tests whether a move is better than the best move so far (Pearl's Scout,
    1980)."""
    if maximizing:
        return low, min(high, low + step)
    return max(low, high - step), high


@kernel
def is_scout(low: float, high: float, step: float) -> bool:
    """Whether a window is a null window. A search with a null window tests whether the value exceeds a number."""
    return high - low <= 2 * step
