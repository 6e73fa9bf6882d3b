"""An algorithm that a user has written in a file: its parameters, limits, and search.

A function is woven like the textbook functions (see `algorithms/weaving`), so that it can be interpreted or compiled. A
class, or a function that cannot be woven, is always interpreted, and its calls are observed (see `walk.py`).
"""

import ctypes
import inspect
import math
import numbers
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

from gamesearch import compiler
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.execution import Arguments, Context, Kernel
from gamesearch.algorithms.engine.parameters import check_depth
from gamesearch.algorithms.engine.result import Limits, SearchResult, Value
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.node.workspace import FULL_DEPTH, MAX_PLY
from gamesearch.algorithms.own.source import OwnFile, read_again
from gamesearch.algorithms.own.walk import DEEPEST, ObservedGame, StoppedError, Walk, present, value_in
from gamesearch.algorithms.weaving.bookkeeping import color_of
from gamesearch.algorithms.weaving.program import last_iteration, root_values
from gamesearch.algorithms.weaving.roles import FILLED_IN, HINTS, METHODS, is_negamax, role_of
from gamesearch.aliases import plain
from gamesearch.errors import GamesearchError, IllegalMoveError
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.toolkit.derived_games import CoalitionGame, Reduction
from gamesearch.user_code.files import error_sentence, place_of, refuse_exits

__all__ = ["OwnAlgorithm", "depth_of_tree", "own_algorithm"]

PATIENCE = 1.0
"""The code of the file has this many seconds to stop after a request. If it still runs then, it is interrupted."""
FEW_NODES = 20_000
"""A search is interpreted until it has visited this number of nodes. A search with fewer nodes takes less time than
importing Numba. FEW_NODES is greater than DEEPEST. So an endless recursion fails before anything is compiled."""


MOST_POSITIONS = 10_000
"""The depth of a game tree is measured if the tree has at most this number of positions."""
SHARE = 0.1
"""The depth of a game tree is measured in at most this share of the time limit."""


class OwnRunner(Runner):
    """Runs code of a user's file in another thread, which has a large stack and can be interrupted."""

    def __init__(self, game: Game, speed: str, file: OwnFile) -> None:
        super().__init__(game, speed if file.woven is not None else "interpreted")
        self.requested_speed, self.file = speed, file
        self.room = DEEPEST
        self.thread: int | None = None
        """The id of the thread in which the file's code runs; None if the thread must not be interrupted."""
        self.interrupting = threading.Lock()
        """A lock that protects `thread`. The thread must not be interrupted after it has left the file's code."""
        self.stopped_at = 0.0
        self.why_not_compiled = ""
        """The reason why the woven function could not be compiled; empty if it was compiled, or if compiling was not
        tried."""

    def execute(self, kernel: Kernel, arguments: Arguments, context: Context | None = None) -> Any:
        """Run the file's function in another thread."""
        return self.execute_in_thread(kernel, lambda: self.prepare_arguments(arguments), context)

    def call_kernel(self, kernel: Kernel, arguments: tuple[Any, ...]) -> Any:
        """Call a function and return its value. While an interpreted function runs, its thread may be interrupted."""
        if self.speed == "interpreted":
            self.thread = threading.get_ident()
        try:
            return super().call_kernel(kernel, arguments)
        finally:
            with self.interrupting:
                self.thread = None

    def continue_interpreted(self, error: compiler.NotCompilable) -> None:
        """Continue the search in interpreted code. Raises GamesearchError if the user requires compiled code."""
        if self.is_forced:
            raise GamesearchError(f"{self.file.name} cannot be compiled: {error}") from error
        self.why_not_compiled = str(error)
        super().continue_interpreted(error)

    def stop(self, reason: int) -> None:
        """Stop the search. If this method is called again after PATIENCE seconds, it raises an exception in the thread
        that runs the file's code."""
        now = time.monotonic()
        if not self.workspace.counts_handle.read("stop"):
            self.stopped_at = now
        elif now - self.stopped_at > PATIENCE:
            self.stopped_at = now
            with self.interrupting:
                if self.thread is not None:
                    thread, error = ctypes.c_ulong(self.thread), ctypes.py_object(StoppedError)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, error)
        super().stop(reason)


class OwnAlgorithm(Algorithm):
    """The algorithm of a user's file: a function or a class. Each file gets a subclass. Its parameters are the
    parameters of the function, except the first two: game and state."""

    file: ClassVar[OwnFile]
    is_exact = False
    is_for_two = False

    def __init__(self, **given: Any) -> None:
        for name, parameter in inspect.signature(type(self)).parameters.items():
            setattr(self, name, given.get(name, parameter.default))
        self.depth = check_depth(self.depth)
        self.textbook = self.file.function
        self.woven_from = None if self.file.woven is None else self.file.function
        self.why_interpreted = self.file.why_not_woven
        self.player = self.new_player() if self.file.is_class else None
        self.ignores_depth = False
        """Whether a depth limit has no effect, because the function has no parameter `depth`."""
        self.said = set[str]()
        """The notes that the user has already seen."""
        self.tree_depth: int | None = None
        """The depth of the game tree; None if the current search has not measured it."""
        self.ran_compiled = set[type[Game]]()
        """The classes of the games that compiled code has searched. Later searches of these games run compiled from the
        start."""

    def new_player(self) -> Any:
        """Make an object of the file's class. The object is kept from one search to the next."""
        depth = MAX_PLY if self.depth == "full" else self.depth
        names = inspect.signature(self.file.chosen).parameters
        values = {name: depth if is_depth(name) else getattr(self, name) for name in names}
        given = {name: value for name, value in values.items() if value != "" or not is_depth(name)}
        try:
            with refuse_exits():
                return self.file.chosen(**given)
        except GamesearchError:
            raise
        except Exception as error:
            raise GamesearchError(error_sentence(error, self.file.path)) from error

    def fresh_copy(self) -> "OwnAlgorithm":
        """Import the file again, unless its code runs compiled. Compiled code cannot change global variables, so it
        remembers nothing."""
        if self.ran_compiled:
            return self
        cls = own_algorithm(read_again(self.file))
        copy = cls(**{name: getattr(self, name) for name in inspect.signature(cls).parameters})
        copy.said, copy.ran_compiled = self.said, self.ran_compiled
        return copy

    def fits(self, game: Game) -> None:
        """Refuse a game with chance nodes if the file never calls `game.outcomes`. Refuse a game for two players if the
        function has a parameter `me`."""
        if self.file.is_for_one and game.players < 3 and not isinstance(game, CoalitionGame):
            raise GamesearchError(
                f"{self.file.name} has the parameter `me`, which needs three or more players, but "
                f"{game.name} has {game.players}"
            )
        if game.chance and not self.file.knows_chance:
            raise GamesearchError(
                f"{self.file.name} never calls game.outcomes(s), but {game.name} has chance nodes: use expectiminimax"
            )

    def game_to_search(self, game: Game, state: Any) -> Game:
        """The game to search. If the function has a parameter `me`, this is a game for two: the player to move against
        all others together."""
        is_reduced = isinstance(game, Reduction) or not self.file.is_for_one
        return game if is_reduced else CoalitionGame(game, game.player(state))

    def limits(self, game: Game, given: Limits) -> Limits:
        """The limits of a search. If the depth is not limited, the function gets the depth of a search to the end. A
        function that deepens also gets this depth if only the time is limited."""
        self.ignores_depth = given.depth is not None and given.depth < FULL_DEPTH and not self.has_depth
        depth, time = super().limits(game, given).depth, given.time or self.time or None
        deepens_freely = self.file.deepens and time is not None and given.depth is None and not self.depth
        return Limits(FULL_DEPTH if deepens_freely or not self.has_depth else depth, time, given.nodes)

    def runner(self, game: Game, speed: str = "auto") -> Runner:
        """The runner for searches of a game."""
        return OwnRunner(game, speed, self.file)

    # A search. -----------------------------------------------------------------------------------
    def search(self, runner: Runner, state: Any) -> SearchResult:
        """Search with the woven function. If the code of the file cannot be woven, run it unchanged and observe its
        calls."""
        if runner.observer is not None and not self.file.visits_nodes:
            raise GamesearchError(f"{self.file.name} has no recursive function, so its nodes cannot be watched")
        self.tree_depth = None
        if self.ignores_depth:
            name = self.file.function.__name__
            self.note_once(
                runner, f"{name} of {self.file.name} has no parameter `depth`: the depth limit has no effect"
            )
        try:
            if self.file.woven is not None:
                return self.search_with(runner, state, self.file.woven)
            if runner.is_forced:
                raise GamesearchError(f"{self.file.name} cannot be compiled: {self.file.why_not_woven}")
            if compiler.speed_for(runner.game, runner.requested_speed) == "compiled":
                self.note_once(runner, f"{self.file.name} is interpreted: {self.why_interpreted}")
            return self.search_with_observer(runner, state)
        except GamesearchError:
            raise
        except RecursionError:
            raise self.endless_error() from None
        except Exception as error:
            raise GamesearchError(error_sentence(error, self.file.path) + hint_for(error)) from error

    def note_once(self, runner: Runner, note: str) -> None:
        """Show a note to the user, but only once."""
        if runner.monitor is not None and note not in self.said:
            self.said.add(note)
            runner.monitor.note(note)

    def endless_error(self) -> GamesearchError:
        """The error that reports that a search never ends."""
        function = self.file.function
        return GamesearchError(
            f"{function.__name__} ({place_of(function)}) makes {DEEPEST:,} nested calls, perhaps without end: does "
            "each call get closer to depth 0 or to the end of the game?"
        )

    # With the woven function. --------------------------------------------------------------------
    def search_with(self, runner: Runner, state: Any, function: Callable[..., Any]) -> SearchResult:
        """Search with the woven function. The function is interpreted at first, and compiled if it visits many
        nodes."""
        game, limits = runner.game, runner.limits
        if runner.speed == "compiled" and not runner.is_forced and type(game) not in self.ran_compiled:
            few = FEW_NODES if limits.nodes is None else min(FEW_NODES, limits.nodes)
            with self.runner(game, "interpreted") as trial:
                trial.start(replace(limits, nodes=few), monitor=runner.monitor, past=runner.past)
                found = self.search_with(trial, state, function)
            if found.stopped != "nodes" or few == limits.nodes:
                return found
        depth = limits.depth or FULL_DEPTH
        runner.begin(depth if self.has_depth else FULL_DEPTH, "search")

        def arguments() -> tuple[Any, ...]:
            given = self.arguments(runner, state, depth, -math.inf, math.inf)
            return game, state, *given.values(), 0, runner.options, runner.run

        try:
            returned = runner.execute(function, arguments)
        except StoppedError:
            returned = None
        if runner.speed == "compiled":
            self.ran_compiled.add(type(game))
        elif isinstance(runner, OwnRunner) and runner.why_not_compiled:
            self.why_interpreted = runner.why_not_compiled
            self.note_once(runner, f"{self.file.name} is interpreted: {self.why_interpreted}")
        line = runner.variation
        if runner.stopped == "space":
            raise self.endless_error()
        if runner.stopped:
            return self.answer(runner, state, *best_of_iteration(runner, game.player(state), line))
        value, move = self.read(runner, state, returned)
        value, line = value_and_line(value, move, line, root_values(runner))
        result = self.answer(runner, state, value, line)
        sees_the_end = depth >= FULL_DEPTH and value is not None and runner.sees_the_end
        return replace(result, sees_the_end=sees_the_end)

    def arguments(self, runner: Runner, state: Any, depth: int, alpha: float, beta: float) -> dict[str, Any]:
        """The arguments of the user's function, by name, except the game and the state."""
        if depth >= FULL_DEPTH and self.has_depth:
            depth = self.tree_depth = self.tree_depth or measured_depth(runner, state)
        color = color_of(runner.game, state)
        window = (alpha, beta) if color == 1 or not self.is_for_the_mover else (-beta, -alpha)
        me = runner.game.one if isinstance(runner.game, CoalitionGame) else None
        by_role = dict(zip(FILLED_IN, (depth, depth, *window, color, color == 1, 0, me), strict=True))
        roles = {name: self.file.role(name) for name in self.file.arguments}
        return {name: getattr(self, name) if role is None else by_role[role] for name, role in roles.items()}

    @property
    def is_for_the_mover(self) -> bool:
        """Whether the function's values are for the player to move, as in negamax."""
        has_color = any(self.file.role(name) == "color" for name in self.file.arguments)
        return has_color or is_negamax(self.file.function.__name__)

    # Observed. -----------------------------------------------------------------------------------
    def search_with_observer(self, runner: Runner, state: Any) -> SearchResult:
        """Search with the file's code, and observe its calls."""
        depth = runner.limits.depth or FULL_DEPTH
        most = math.inf if runner.limits.nodes is None else runner.limits.nodes
        walk = Walk(runner, state, most, self.file.visits_nodes)
        walk.depth = depth if self.has_depth else FULL_DEPTH
        function = self.player.search if self.player is not None else self.file.function

        def work() -> Any:
            given = self.arguments(runner, state, depth, -math.inf, math.inf)
            present.walk = walk
            try:
                # A function with the parameter `me` takes the payoff of `me` from the tuple with all payoffs.
                game = runner.game.game if isinstance(runner.game, CoalitionGame) else runner.game
                return function(ObservedGame(game, walk), state, **given)
            finally:
                present.walk = None

        try:
            returned = runner.execute(work, tuple)
        except StoppedError:
            if walk.virtual is not None:
                walk.keep_best_of(walk.virtual)
            player = MAX if self.is_for_min(walk) else runner.game.player(state)
            return self.answer(runner, state, None, best_of_iteration(runner, player, walk.line)[1])
        value, move = self.read(runner, state, returned)
        is_for_min = self.is_for_min(walk)
        if is_for_min and isinstance(value, float):  # the values are for the player at the root
            value = -value
        walk.finish(value)
        value, line = value_and_line(value, move, walk.line, {} if is_for_min else root_values(runner))
        result = self.answer(runner, state, value, line)
        sees_the_end = depth >= FULL_DEPTH and value is not None and not walk.evaluates
        return replace(result, sees_the_end=sees_the_end)

    def is_for_min(self, walk: Walk) -> bool:
        """Whether the function's values are for Min, the player at the root."""
        is_for_one = self.is_for_the_mover or self.file.is_for_one
        return walk.viewers == {MIN} and walk.game.players == 2 and walk.game.zero_sum and not is_for_one

    def read(self, runner: Runner, state: Any, returned: Any) -> tuple[Value | None, int | None]:
        """The value and the move in a returned object. Raises GamesearchError if it contains neither."""
        game, function = runner.game, self.file.function
        is_pair = isinstance(returned, tuple) and len(returned) == 2 and game.players == 2 and game.zero_sum
        is_pair = is_pair or (isinstance(returned, tuple) and bool(returned) and isinstance(returned[0], tuple))
        worth, move = returned if is_pair else (None, returned) if self.file.returns_moves else (returned, None)
        where = f"{function.__name__} ({place_of(function)})"
        value = value_in(worth, color_of(game, state) if self.is_for_the_mover else None, game.payoff_count)
        values = value if isinstance(value, tuple) else () if value is None else (value,)
        is_missing = value is None and (worth is not None or move is None)
        if is_missing or any(map(math.isinf, values)):  # an infinite value means that no move was searched
            wanted = "a move or (value, move)" if self.file.returns_moves else "a value or (value, move)"
            raise GamesearchError(
                f"{where} returned {returned!r} in {game.format(state)!r}, but it should return {wanted}"
            )
        if move is None or game.player(state) == CHANCE:
            return value, None
        if not isinstance(move, numbers.Integral) or int(move) not in game.steps(state, runner.past):
            hint = "" if is_pair else "; the name of a function that returns moves must end in search, decision or move"
            raise IllegalMoveError(
                f"{where} returned {move!r}, which is not a legal move in {game.format(state)!r}{hint}"
            )
        return value, int(move)

    def answer(self, runner: Runner, state: Any, value: Value | None, line: tuple[int, ...]) -> SearchResult:
        """Make the result of a search."""
        best = None if runner.game.player(state) == CHANCE or not line else line[0]
        shown, counted = () if best is None else line, runner.statistics()
        bound = "exact" if not runner.stopped else "lower" if runner.game.player(state) == MAX else "upper"
        return SearchResult(self.specification, value, bound, best, shown, counted, stopped=runner.stopped)


def measured_depth(runner: Runner, state: Any) -> int:
    """The depth of the game tree. Measuring ends early if the search is stopped, after SHARE of its time, and after the
    number of positions that the search may visit: the search will then be stopped anyway."""
    limits, begun = runner.limits, runner.seconds
    most = MOST_POSITIONS if limits.nodes is None else min(MOST_POSITIONS, limits.nodes)
    seconds = math.inf if limits.time is None else SHARE * limits.time
    return depth_of_tree(runner.game, state, most, lambda: runner.stopped != "" or runner.seconds - begun > seconds)


def depth_of_tree(
    game: Game, state: Any, most: int = MOST_POSITIONS, is_stopped: Callable[[], bool] = lambda: False
) -> int:
    """A depth that is greater than the length of every line from a state. The depth is MAX_PLY if more than `most`
    positions can follow, or if `is_stopped` returns true. A function that deepens to this depth ends."""
    level, depth, count = {state}, 0, 0
    while level:
        below = set[Any]()
        for s in level:
            for move in () if game.terminal(s) else game.steps(s):
                below.add(game.result(s, move))
                if count + len(below) > most or is_stopped():
                    return MAX_PLY
        level, depth, count = below, depth + 1, count + len(below)
    return depth


def value_and_line(
    value: Value | None, move: int | None, line: tuple[int, ...], values: Mapping[int, Value]
) -> tuple[Value | None, tuple[int, ...]]:
    """Complete a result: the value and the move that a function returned, and the line of the greatest value that it
    found. `values` contains the last value of each root move. A function that deepens has valued each root move several
    times, so the line may belong to a smaller depth."""
    if value is None and move is not None:
        value = values.get(move)
    elif move is None and line and values.get(line[0]) != value:
        move = next((each for each, found in values.items() if found == value), line[0])
    return value, line if move is None or line[:1] == (move,) else (move,)


def best_of_iteration(runner: Runner, player: int, line: tuple[int, ...]) -> tuple[Value | None, tuple[int, ...]]:
    """The best value in the last complete iteration of a stopped search, and its line. `line` is the best line of the
    search so far; it counts if it begins with the same move."""
    values = last_iteration(runner)
    if not values:
        return None, line

    def worth(move: int) -> float:
        value = values[move]
        return value[player] if isinstance(value, tuple) else value if player == MAX else -value

    best = max(values, key=worth)
    return values[best], line if line[:1] == (best,) else (best,)


def own_algorithm(file: OwnFile) -> type[OwnAlgorithm]:
    """The subclass of OwnAlgorithm for a file."""
    made_with = inspect.signature(file.chosen).parameters if file.is_class else {}
    names = {**made_with, **file.arguments}
    limit = next((each for name, each in names.items() if is_depth(name, file)), None)
    others = [each for name, each in names.items() if role_of(name) is None]
    parameters = ([] if limit is None else [depth_parameter(limit)]) + [as_parameter(file, each) for each in others]
    summary, _, rest = (inspect.getdoc(file.chosen) or "an algorithm of your own").partition("\n")
    facts = {
        "__doc__": rest.strip(),
        "__signature__": inspect.Signature(parameters),
        "name": file.name,
        "summary": summary.rstrip("."),
        "source": place_of(file.function),
        "file": file,
        "handles_chance": file.knows_chance,
        "narrows_windows": file.has_windows,
        "parameter_help": {each.name: "" for each in parameters} | {"depth": Algorithm.parameter_help["depth"]},
    }
    return type("OwnAlgorithm", (OwnAlgorithm,), facts)


def is_depth(name: str, file: OwnFile | None = None) -> bool:
    """Whether a parameter limits the depth."""
    role = role_of(name) if file is None or name not in file.arguments else file.role(name)
    return role in ("depth", "max_depth")


def depth_parameter(given: inspect.Parameter) -> inspect.Parameter:
    """Make the parameter `depth` of the algorithm. `given` is the depth parameter of the user's function."""
    default = "" if given.default is given.empty else given.default
    if default is None or default == math.inf:  # two ways to write "no limit"
        default = "full"
    return inspect.Parameter("depth", inspect.Parameter.KEYWORD_ONLY, default=default, annotation="int | str")


def hint_for(error: Exception) -> str:
    """Return a hint for an error message about a missing attribute, such as the right name, or about values that are
    no numbers. For other errors, the hint is empty."""
    text = str(error) if isinstance(error, TypeError) else ""
    if "float()" in text or ("not supported between" in text and "'tuple'" in text):
        return ": a search returns a number or a pair (value, move)"
    if "not supported between" in text and "'NoneType'" in text:
        return ": give the variable a number at first, such as -math.inf"
    if not isinstance(error, AttributeError) or not isinstance(error.name, str):
        return ""
    name = METHODS.get(error.name, error.name)
    if isinstance(error.obj, Game):
        return f": a game has {', '.join(sorted(set(METHODS.values())))}"
    is_method = name in METHODS.values() and isinstance(error.obj, tuple)
    return f": write game.{name}({'s, move' if name == 'result' else 's'})" if is_method else ""


def as_parameter(file: OwnFile, given: inspect.Parameter) -> inspect.Parameter:
    """Convert a parameter of a file's function to a parameter of the algorithm. The parameter gets the type of its
    default value."""
    default: Any = given.default
    hint = f" to {HINTS[plain(given.name)]}" if plain(given.name) in HINTS else ""
    if hasattr(Algorithm, given.name) or given.name in ("file", "player"):
        raise GamesearchError(
            f"{file.function.__name__} ({place_of(file.function)}) has a parameter `{given.name}`, a name "
            f"that gamesearch uses itself: rename it{hint}"
        )
    annotation = given.annotation
    if annotation is given.empty and isinstance(default, bool | int | float | str):
        annotation = type(default).__name__
    return inspect.Parameter(given.name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation)
