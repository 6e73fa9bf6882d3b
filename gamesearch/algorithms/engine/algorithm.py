"""The base class of all algorithms: their parameters, abilities, limits and results."""

import functools
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from gamesearch.algorithms.engine.result import Limits, SearchResult, Value
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.notation import zero_sum_words
from gamesearch.parameterized import parameters_of
from gamesearch.specification import format_specification

__all__ = ["Algorithm", "clip_value", "value_and_distance", "within_bounds", "without_distance_by_bounds"]


class Algorithm:
    """A search algorithm with its parameters. To add an algorithm, write a subclass and its kernel in a new file in
    `gamesearch/algorithms/catalog`. The rest of the package uses only the methods and attributes of this class."""

    name: ClassVar[str] = ""
    summary: ClassVar[str] = ""
    source: ClassVar[str] = ""
    example: ClassVar[str] = "connect4"
    """The specification of the game in examples of the algorithm."""
    parameter_help: ClassVar[Mapping[str, str]] = {
        "depth": "the depth in plies, or full; by default the depth that the game suggests, or no limit if nodes or "
        "time are limited",
        "time": "seconds after which to stop, 0 for no limit",
        "bounds": "whether to use the bounds on values that the game defines, and to skip moves that the "
        "game declares unnecessary",
    }
    """The help text of each parameter."""
    choices: ClassVar[Mapping[str, Collection[str]]] = {}
    """Maps each parameter that has a fixed set of values to this set."""

    # Abilities. -----------------------------------------------------------------------------------
    is_for_two: ClassVar[bool] = True
    """Whether the algorithm can search only games of Max against Min."""
    handles_chance: ClassVar[bool] = False
    """Whether the algorithm can search chance nodes."""
    is_search: ClassVar[bool] = True
    """Whether the algorithm looks ahead. The algorithm `random`, for example, does not look ahead."""
    can_deepen: ClassVar[bool] = False
    """Whether the algorithm has the parameter `deepen` for iterative deepening."""
    values_moves: ClassVar[bool] = False
    """Whether every search finds the values of all root moves, so that the moves need not be searched separately."""
    has_beliefs: ClassVar[bool] = False
    """Whether the result contains a probability distribution for the value of each move."""
    is_exact: bool = True
    """Whether the algorithm finds the same value as minimax (or expectiminimax) to the same depth."""
    visits_everything: bool = False
    """Whether the algorithm visits every node down to the depth of the search. If so, the node counts of other
    algorithms are compared with the node count of this algorithm."""
    narrows_windows: bool = False
    """Whether the values of searched nodes narrow the windows of later nodes, as in alpha-beta."""
    expects_errors: bool = False
    """Whether values are expected values against an opponent that sometimes errs."""
    clips_values: bool = False
    """Whether a value outside the window is replaced by the nearer end of the window (fail-hard)."""

    textbook: Callable[..., Any] | None = None
    """The function of the algorithm in `gamesearch.textbook`, if any."""
    woven_from: Callable[..., Any] | None = None
    """The textbook function from which the kernel is woven; None if the kernel is not woven with the current
    parameters."""

    why_interpreted: str = ""
    """The reason why the algorithm is interpreted in every game; empty if no reason is known."""

    depth: int | str = ""
    """The depth in plies, `full`, or empty for the depth that the game suggests."""
    deepen: bool = False
    """Whether the search uses iterative deepening, so that it has a result when the time is up."""
    bounds: bool = False
    """Whether the search uses the game's own bounds."""
    time: float = 0.0
    """After this number of seconds, the search stops and returns the result of the last finished depth. The number 0
    means that the time is not limited."""

    @property
    def has_depth(self) -> bool:
        """Whether the algorithm has a parameter for the depth of the search."""
        return "depth" in parameters_of(type(self))

    @property
    def needs_seed(self) -> bool:
        """Whether the algorithm is random and has no seed yet. A match gives a seed to each side without a seed."""
        return getattr(self, "seed", None) == ""

    def copy_with(self, **parameters: Any) -> "Algorithm":
        """A copy of the algorithm with other values of some parameters."""
        given = {name: getattr(self, name) for name in parameters_of(type(self))}
        return type(self)(**{**given, **parameters})

    def fresh_copy(self) -> "Algorithm":
        """An algorithm with the same parameters, which remembers nothing from earlier searches."""
        return self.copy_with()

    @functools.cached_property
    def specification(self) -> str:
        """The text from which `load_algorithm` makes this algorithm. Parameters that have their default values are left
        out."""
        given = {
            name: getattr(self, name)
            for name, parameter in parameters_of(type(self)).items()
            if getattr(self, name) != parameter.default
        }
        return format_specification(self.name, given)

    def is_exact_in(self, game: Game) -> bool:  # noqa: ARG002
        """Whether the algorithm, with its present options, finds the minimax value in this game."""
        return self.is_exact

    def searches_beyond_horizon(self, game: Game) -> bool:  # noqa: ARG002
        """Whether a search to depth 0 may still search moves, because it has quiescence search or extensions."""
        return False

    def fits(self, game: Game) -> None:
        """Raise GamesearchError, with a sentence for the user, if the algorithm does not fit the game."""
        if self.is_for_two and game.payoff_count > 1:
            raise GamesearchError(f"{self.name} is {zero_sum_words(game)}: use the algorithm maxn")
        if game.chance and not self.handles_chance:
            raise GamesearchError(f"{self.name} cannot search the chance nodes of {game.name}: use expectiminimax")

    def takes(self, limits: Limits) -> None:
        """Raise GamesearchError if the limits have a depth and the algorithm has no parameter `depth`."""
        if limits.depth is not None and self.is_search and not self.has_depth:
            raise GamesearchError(f"{self.name} has no depth limit: limit time or nodes instead")

    def game_to_search(self, game: Game, state: Any) -> Game:  # noqa: ARG002
        """Return the game that the algorithm searches from a state. Most algorithms search the given game itself."""
        return game

    def limits(self, game: Game, given: Limits) -> Limits:
        """Return the limits of a search. If the depth or the time is missing, it comes from the algorithm's parameters.
        If nothing else limits the search, the game may suggest a depth."""
        depth = given.depth
        if depth is None and self.depth:
            depth = FULL_DEPTH if self.depth == "full" else int(self.depth)
        time = given.time if given.time is not None else self.time or None
        if depth is None and given.nodes is None and (time is None or not self.deepen):
            depth = game.suggested_depth
        is_full = depth is None or depth > MAX_PLY  # no search can go deeper than MAX_PLY
        return Limits(FULL_DEPTH if is_full else depth, time, given.nodes, given.target, given.first)

    def runner(self, game: Game, speed: str = "auto") -> Runner:
        """Make the runner with which this algorithm searches a game."""
        return Runner(game, speed)

    def search(self, runner: Runner, state: Any) -> SearchResult:
        """Search a state that is not terminal, within the runner's limits."""
        raise NotImplementedError

    def result(self, runner: Runner, state: Any, value: Value | None, variation: tuple[int, ...]) -> SearchResult:
        """Make the result of a search. If the search subtracted a small cost from a win for each ply, the value is
        split into a payoff and a distance."""
        game, stopped = runner.game, runner.stopped
        distance = None
        bound = "exact"
        if isinstance(value, float):
            if stopped:
                bound = "lower" if game.player(state) == MAX else "upper"
                value = None if not variation else value
            value, distance = value_and_distance(game, value, runner.ply_cost)
            if value == {"lower": game.MINSCORE, "upper": game.MAXSCORE}.get(bound):
                distance = None  # all moves searched so far lose, but another move may be better
        elif stopped:
            bound = "lower"  # a lower bound for the player to move
        return SearchResult(
            algorithm=self.specification,
            value=value,
            bound=bound,
            best=variation[0] if variation else None,
            line=variation,
            statistics=runner.statistics(),
            distance=distance,
            sees_the_end=runner.sees_the_end,
            stopped=stopped,
            is_expected=game.chance or self.expects_errors,
        )


def value_and_distance(game: Game, value: float | None, ply_cost: float) -> tuple[float | None, int | None]:
    """Convert a value to a payoff and the number of plies to the end (None if unknown). Each ply to the end lowers the
    value of a win by `ply_cost`.

    The distance is unknown if the game's own bounds prove a win, because bounds do not count plies.
    """
    if value is not None and ply_cost:
        if value > game.MAXSCORE - ply_cost * (MAX_PLY + 1):
            return float(game.MAXSCORE), round((game.MAXSCORE - value) / ply_cost) or None
        if value < game.MINSCORE + ply_cost * (MAX_PLY + 1):
            return float(game.MINSCORE), round((value - game.MINSCORE) / ply_cost) or None
    return value, None


def clip_value(game: Game, state: Any, value: float) -> float:
    """Clip a value to the range that the game's own bounds allow for a state."""
    least, greatest = game.bounds(state)
    return max(float(least), min(float(greatest), value))


def within_bounds(game: Game, state: Any, found: SearchResult) -> SearchResult:
    """Clip the value of a result to the game's own bounds. If this changes the value, the distance is removed."""
    if not isinstance(found.value, float):
        return found
    value = clip_value(game, state, found.value)
    return found if value == found.value else replace(found, value=value, distance=None)


def without_distance_by_bounds(game: Game, found: SearchResult) -> SearchResult:
    """The result, but without the distance to the end if the game defines bounds. Bounds may prove a win without
    counting plies."""
    return found if type(game).bounds is Game.bounds else replace(found, distance=None)
