"""Why this move: what each other move runs into, the worth of the best line's end, and each depth's choice."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.catalog import Algorithm, search_with
from gamesearch.algorithms.result import Limits, Monitor, MoveValue, SearchResult, Value
from gamesearch.algorithms.workspace import FULL_DEPTH
from gamesearch.game import CHANCE, Game

__all__ = ["AtDepth", "Ending", "Explanation", "MoveExplained", "Term", "explain"]

DEEPEST = 40
"""Up to which depth values are looked up depth by depth."""


@dataclass(frozen=True)
class MoveExplained:
    """A move with what the position after it is worth, and the best play from there."""

    found: MoveValue
    line: tuple[int, ...] = ()
    """Beginning with the reply; empty where the game is over, the search saw no further, or chance replies."""


@dataclass(frozen=True)
class AtDepth:
    """What a search to a depth finds."""

    depth: int
    value: Value
    best: int | None


@dataclass(frozen=True)
class Term:
    """A feature in an evaluation."""

    name: str
    amount: float
    weight: float

    @property
    def product(self) -> float:
        """What it adds."""
        return self.amount * self.weight


@dataclass(frozen=True)
class Ending:
    """The position at the end of the best line, and its value without looking further."""

    state: Any
    plies: int
    kind: str
    """`over` where the game ends there, `chance` where chance goes on, `horizon` where the search saw no
    further, `known` where it saw further and the line does not tell how."""
    value: Value
    terms: tuple[Term, ...] = ()
    """The evaluation, feature by feature; none where the game is over, or has no features."""

    @property
    def total(self) -> float:
        """What the terms add up to."""
        return sum(term.product for term in self.terms)


@dataclass(frozen=True)
class Explanation:
    """The answer to why."""

    moves: tuple[MoveExplained, ...]
    """Each legal move, or outcome, in the order in which the game yields them."""
    depths: tuple[AtDepth, ...]
    ending: Ending

    @property
    def choices(self) -> list[tuple[AtDepth, AtDepth]]:
        """The depths in runs that choose the same move: the first and the last of each run."""
        runs: list[tuple[AtDepth, AtDepth]] = []
        for each in self.depths:
            if runs and runs[-1][1].best == each.best:
                runs[-1] = runs[-1][0], each
            else:
                runs.append((each, each))
        return runs


def explain(
    game: Game[Any],
    state: Any,
    algorithm: Algorithm,
    limits: Limits,
    result: SearchResult,
    *,
    speed: str = "auto",
    monitor: Monitor | None = None,
) -> Explanation:
    """Explain the result of a search, by more searches as deep; a stopped one's, to the depth it reached."""
    depth = algorithm.limits(game, limits).depth or FULL_DEPTH
    if result.stopped:
        depth = max(1, result.statistics.depth)
    explaining = Explaining(game, algorithm, speed, monitor)
    return Explanation(
        moves=tuple(explaining.moves(state, depth)),
        depths=tuple(explaining.depths(state, depth, result)),
        ending=ending_of(game, state, result, depth),
    )


@dataclass(frozen=True)
class Explaining:
    """The searches that an explanation takes."""

    game: Game[Any]
    algorithm: Algorithm
    speed: str
    monitor: Monitor | None

    def search(self, game: Game[Any], state: Any, depth: int, past: tuple[Any, ...] = ()) -> SearchResult:
        """One search to a depth."""
        return search_with(
            game, state, self.algorithm, Limits(depth), speed=self.speed, monitor=self.monitor, past=past
        )

    def moves(self, state: Any, depth: int) -> Iterator[MoveExplained]:
        """Each move, with what a search one ply less deep finds behind it."""
        seen = self.algorithm.as_searched(self.game, state)
        for move in self.game.steps(state):
            after = self.game.result(state, move)
            if self.game.terminal(after):
                value = as_value(seen.utility(after))
                is_decided = self.game.win_or_loss and value in (self.game.MINSCORE, self.game.MAXSCORE)
                yield MoveExplained(MoveValue(move, value, 1 if is_decided else None))
            elif depth == 1:
                yield MoveExplained(MoveValue(move, as_value(seen.evaluate(after))))
            else:
                found = self.search(seen, after, depth if depth == FULL_DEPTH else depth - 1, (state,))
                if found.value is None or found.stopped:
                    continue
                distance = None if found.distance is None else found.distance + 1
                line = () if seen.player(after) == CHANCE else found.line
                yield MoveExplained(MoveValue(move, found.value, distance), line)

    def depths(self, state: Any, depth: int, result: SearchResult) -> Iterator[AtDepth]:
        """What a search to each depth finds, up to the one that was searched."""
        last = min(result.statistics.depth if depth == FULL_DEPTH else depth, DEEPEST)
        for each in range(1, last + 1):
            found = result if each == depth and not result.stopped else self.search(self.game, state, each)
            if found.value is None or found.stopped:
                return
            yield AtDepth(each, found.value, found.best)


def ending_of(game: Game[Any], state: Any, result: SearchResult, depth: int) -> Ending:
    """The position that the principal line leads to."""
    for move in result.line:
        state = game.result(state, move)
    plies = len(result.line)
    if game.terminal(state):
        return Ending(state, plies, "over", as_value(game.utility(state)))
    kind = "chance" if game.player(state) == CHANCE else "horizon" if plies >= depth else "known"
    return Ending(state, plies, kind, as_value(game.evaluate(state)), tuple(terms_of(game, state)))


def terms_of(game: Game[Any], state: Any) -> Iterator[Term]:
    """The features of a state with their weights; nothing for a game without features of its own."""
    if type(game).features is Game.features:
        return
    for number, (amount, weight) in enumerate(zip(game.features(state), game.weights, strict=True)):
        name = game.feature_names[number] if number < len(game.feature_names) else f"feature {number + 1}"
        yield Term(name, float(amount), float(weight))


def as_value(value: Any) -> Value:
    """A payoff as a float, or as a tuple of floats."""
    return tuple(map(float, value)) if isinstance(value, tuple) else float(value)
