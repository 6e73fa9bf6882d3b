"""Read a file with an algorithm, and find the algorithm (a function or a class) and the functions that visit nodes.

A function visits nodes if it takes a state and calls itself, directly or indirectly, as `max_value` and `min_value` do.
Each call of a function that visits nodes counts as a visit. When the file is imported, all functions that visit nodes
are decorated, even inside classes and other functions. So their calls can be observed.
"""

import ast
import functools
import inspect
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.own.walk import STATE_NAMES, observe
from gamesearch.algorithms.weaving.call_graph import NotWovenError, reachable_functions
from gamesearch.algorithms.weaving.program import woven_in_module
from gamesearch.algorithms.weaving.roles import FILLED_IN, HINTS, METHODS, MOVERS, is_maxn, is_negamax, role_of
from gamesearch.aliases import plain
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.user_code.files import definitions_in, module_from_file, place_of, source_of

__all__ = ["OwnFile", "read_again", "read_file"]

MARK = "__gamesearch_observed__"
SAMPLING = ("playouts", "simulations", "rollouts")
"""Names of parameters that set the number of random games."""
EVALUATIONS = ("evaluate", "evaluation")
"""Names of functions that evaluate positions. Such functions are not algorithms."""
BRANCHES = ("max", "min", "exp", "chance", "expect", "expected", "avg")
"""Prefixes of function names, such as `max_value`. These functions search only the nodes of one player, or only chance
nodes."""


@dataclass(frozen=True)
class OwnFile:
    """A user's file that contains an algorithm. The attributes describe the code of the file."""

    name: str
    """The file name as the user typed it."""
    path: Path
    source: str
    module: ModuleType
    """The imported module, with decorated functions."""
    chosen: Any
    """The function or class that is the algorithm."""
    visits_nodes: bool
    """Whether any function of the file visits nodes."""
    has_windows: bool
    """Whether the functions that visit nodes take alpha and beta."""
    knows_chance: bool
    """Whether the file calls `game.outcomes`."""
    knows_players: bool
    """Whether the file seems to handle a payoff for each player, as in `values[game.player(s)]`."""
    knows_kinds: bool
    """Whether the file calls `game.kind_of_move`, as quiescence search does."""
    follows_turns: bool
    """Whether the algorithm assumes that the players alternate. For example, negamax assumes this, and so do two
    functions for Max and Min that call each other. A function with a parameter `maximizing` does not count, because it
    can call `game.player` to find out whose turn it is."""
    counts_up: bool
    """Whether the function counts its depth upward from 0, like plies."""
    deepens: bool
    """Whether the function searches to depth 1, 2, 3 and so on, in a loop that the depth limits."""
    returns_moves: bool
    """Whether the function returns a move. If not, a number that it returns is a value."""
    woven: Callable[..., Any] | None
    """The woven form of the function, which counts nodes and can also run compiled; None if it cannot be woven."""
    why_not_woven: str
    """The reason why the function cannot be woven; empty if it can be woven."""

    @property
    def is_class(self) -> bool:
        """Whether the algorithm is a class."""
        return inspect.isclass(self.chosen)

    @property
    def function(self) -> FunctionType:
        """The function that searches. If the user chose a class, this is its method `search`."""
        return self.chosen.search if self.is_class else self.chosen  # type: ignore[no-any-return]

    @property
    def arguments(self) -> dict[str, inspect.Parameter]:
        """The parameters of `function` that follow the game and the state."""
        names = list(inspect.signature(self.function).parameters.values())[3 if self.is_class else 2 :]
        return {each.name: each for each in names if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)}

    @property
    def is_for_one(self) -> bool:
        """Whether the function has a parameter `me`. If so, values are payoffs of the player at the root."""
        return any(role_of(name) == "me" for name in self.arguments)

    @property
    def samples(self) -> bool:
        """Whether the algorithm averages random games. If so, it has a parameter for the number of games."""
        names = {*self.arguments, *(inspect.signature(self.chosen).parameters if self.is_class else ())}
        return not names.isdisjoint(SAMPLING)

    def role(self, name: str) -> str | None:
        """The role of a parameter, such as depth; None if gamesearch does not set the parameter."""
        role = role_of(name)
        has_limit = any(role_of(each) == "max_depth" for each in self.arguments)
        return "ply" if role == "depth" and (has_limit or self.counts_up) else role


def read_file(name: str) -> "OwnFile | type[Algorithm]":
    """Read a user's file: it contains the functions of an algorithm, or a class derived from Algorithm. Raises
    GamesearchError if the file contains neither."""
    return read(name, Path(name).resolve(), source_of(Path(name)))


@functools.cache
def read(name: str, whole_path: Path, source: str) -> "OwnFile | type[Algorithm]":  # noqa: ARG001
    """Read a file (see `read_file`). A file with the same path and the same text is read only once."""
    path = Path(name)
    try:
        tree = ast.parse(source, str(path))
    except (SyntaxError, ValueError) as error:
        raise GamesearchError(f"{path} cannot be loaded: {type(error).__name__}: {error}") from error
    refuse_gaps(path, tree)
    called, marked = called_names(tree), marked_functions(tree)
    for node in marked:
        node.decorator_list.append(ast.copy_location(ast.Name(MARK, ast.Load()), node))
    module = module_from_file(path, ast.fix_missing_locations(tree), {MARK: observe}, "_marked")
    found = definitions_in(module)
    derived = [each for each in found.values() if inspect.isclass(each) and issubclass(each, Algorithm)]
    if derived:
        return derived_class(name, path, derived)
    chosen = choose_definition(name, path, found, called)
    function: FunctionType = getattr(chosen, "search") if inspect.isclass(chosen) else chosen  # noqa: B009
    check_parameters(function, is_method=inspect.isclass(chosen))
    names = {each.attr for each in ast.walk(tree) if isinstance(each, ast.Attribute)}
    is_recursive = function.__name__ in reachable_functions(function.__name__, called)
    is_mover = function.__name__.casefold().endswith(MOVERS) and not is_recursive
    roles = {role_of(each.arg) for node in marked for each in node.args.args}
    is_for_both = sorted(node.name[:3].lower() for node in marked) == ["max", "min"]  # like MAX-VALUE and MIN-VALUE
    woven, why_not_woven = None, ""
    try:
        if "me" in roles:
            raise NotWovenError(marked[0], "the parameter me is not supported")
        woven = woven_in_module(module, source, next(each for each, value in found.items() if value is chosen))
    except NotWovenError as error:
        why_not_woven = str(error)
    return OwnFile(
        name,
        path,
        source,
        module,
        chosen,
        visits_nodes=bool(marked),
        has_windows={"alpha", "beta"} <= roles,
        knows_chance="outcomes" in {METHODS.get(each, each) for each in names},
        knows_kinds="kind_of_move" in names,
        knows_players=reads_payoffs_of_players(tree) or any(is_maxn(node.name) for node in marked),
        follows_turns="color" in roles or is_for_both or any(is_negamax(node.name) for node in marked),
        counts_up=is_recursive and counts_up(function, marked),
        deepens=deepens(tree, marked),
        returns_moves=is_mover,
        woven=woven,
        why_not_woven=why_not_woven,
    )


def read_again(file: OwnFile) -> OwnFile:
    """Import a file again, so that its global variables have their initial values."""
    found = read.__wrapped__(file.name, file.path, file.source)
    assert isinstance(found, OwnFile)
    return found


# Reading the code. -------------------------------------------------------------------------------
def refuse_gaps(path: Path, tree: ast.Module) -> None:
    """Raise GamesearchError if a file, such as a starter file of a lesson, still has gaps to fill (`...`)."""
    allowed = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Subscript):  # as in the index [..., 0] or the type tuple[int, ...]
            allowed.update(map(id, ast.walk(node.slice)))
    constants = (node for node in ast.walk(tree) if isinstance(node, ast.Constant) and id(node) not in allowed)
    if lines := sorted({node.lineno for node in constants if node.value is ...}):
        where = f"line{'s' if len(lines) > 1 else ''} {', '.join(map(str, lines))}"
        raise GamesearchError(f"{path} has gaps: replace ... in {where}")


def reads_payoffs_of_players(tree: ast.Module) -> bool:
    """Whether the code uses a player as an index, as in `values[player]`. An index of a list literal, as in `["X",
    "O"][player]`, does not count."""

    def is_player(node: ast.AST) -> bool:
        is_name = isinstance(node, ast.Name) and node.id.casefold() in ("player", "p", "turn", "agent", "i", "me")
        is_asked = isinstance(node, ast.Attribute) and METHODS.get(node.attr, node.attr) == "player"
        return is_name or is_asked

    return any(
        any(map(is_player, ast.walk(node.slice)))
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript) and not isinstance(node.value, ast.List | ast.Tuple | ast.Dict)
    )


def counts_up(function: FunctionType, marked: list[ast.FunctionDef]) -> bool:
    """Whether a function counts its depth up from the root. Raises GamesearchError if no parameter limits this
    depth."""
    parameters = inspect.signature(function).parameters
    depths = {each for each in parameters if role_of(each) == "depth"}
    if not depths or any(role_of(each) == "max_depth" for each in parameters):
        return False
    inside = [node for each in marked for node in ast.walk(each)]
    given = [
        argument
        for call in inside
        if isinstance(call, ast.Call)
        for argument in (*call.args, *(each.value for each in call.keywords))
    ]
    if not any(is_depth_and(each, ast.Add, depths) for each in given):
        return False
    for node in inside:
        if isinstance(node, ast.Compare) and isinstance(node.left, ast.Name) and node.left.id in depths:
            limit = ast.unparse(node.comparators[0])
            raise GamesearchError(
                f"{function.__name__} ({place_of(function)}) counts `{node.left.id}` up to {limit}, which "
                f"gamesearch cannot set: add a parameter max_depth, as in ({', '.join(parameters)}, max_depth)"
            )
    return True


def deepens(tree: ast.Module, marked: list[ast.FunctionDef]) -> bool:
    """Whether a function that does not call itself has a loop that a depth limits, such as `for d in range(1, depth +
    1)`."""
    functions = [each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef) and each not in marked]
    loops = [node for each in functions for node in own_nodes(each) if isinstance(node, ast.For | ast.While)]
    limits = [node.iter if isinstance(node, ast.For) else node.test for node in loops]
    names = [getattr(each, "id", getattr(each, "attr", "")) for limit in limits for each in ast.walk(limit)]
    return any(role_of(name) in ("depth", "max_depth") for name in names)


def is_depth_and(node: ast.AST, operation: type[ast.operator], depths: set[str]) -> bool:
    """Whether an expression is a sum or a difference (see `operation`) in which one operand is a depth."""
    is_binary = isinstance(node, ast.BinOp) and isinstance(node.op, operation)
    return is_binary and any(isinstance(each, ast.Name) and each.id in depths for each in (node.left, node.right))  # type: ignore[attr-defined]


# Which functions visit nodes. --------------------------------------------------------------------
def own_nodes(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function's syntax tree, except the nodes of nested functions."""
    for each in ast.iter_child_nodes(function):
        if not isinstance(each, ast.FunctionDef | ast.ClassDef):
            yield each
            yield from own_nodes(each)


def called_names(tree: ast.Module) -> dict[str, set[str]]:
    """Map the name of each function in a file to the names that the function uses, such as the names of functions that
    it calls."""
    called: dict[str, set[str]] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef):
            used = called.setdefault(function.name, set())
            for node in own_nodes(function):
                if isinstance(node, ast.Name):
                    used.add(node.id)
                elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self":
                    used.add(node.attr)
    return called


def marked_functions(tree: ast.Module) -> list[ast.FunctionDef]:
    """The functions that visit nodes."""
    called = called_names(tree)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    return [each for each in functions if each.name in reachable_functions(each.name, called) and takes_a_state(each)]


def takes_a_state(function: ast.FunctionDef) -> bool:
    """Whether a function takes the game and a state, or has a parameter whose name is typical of states."""
    names = [each.arg for each in (*function.args.posonlyargs, *function.args.args) if each.arg != "self"]
    return "game" in names[:-1] or any(name in STATE_NAMES for name in names)


# Which function or class is the algorithm. -------------------------------------------------------
def derived_class(name: str, path: Path, found: list[type[Algorithm]]) -> type[Algorithm]:
    """Choose the class derived from Algorithm: the only such class, or the one with the name of the file. Sets its
    `name`."""
    cls = choose_only(name, path, {each.__name__: each for each in found})
    cls.name = name
    for attribute, value in (("summary", "an algorithm of your own"), ("source", name)):
        if not hasattr(cls, attribute):
            setattr(cls, attribute, value)
    return cls  # type: ignore[no-any-return]


def choose_definition(name: str, path: Path, found: dict[str, Any], called: dict[str, set[str]]) -> Any:
    """Choose the algorithm: the function or class that no other definition in the file uses."""
    used = {each for function, names in called.items() for each in names if each != function}
    functions = {each: value for each, value in found.items() if not inspect.isclass(value) and each not in EVALUATIONS}
    classes = {each: value for each, value in found.items() if inspect.isclass(value) and hasattr(value, "search")}
    choice = {each: value for each, value in {**functions, **classes}.items() if each not in used}
    if not choice:  # all functions call each other, as value, max_value and min_value do
        ends = ("value", "node", "player", "move", "search")
        branches = {each for each in functions if plain(each).startswith(BRANCHES) and plain(each).endswith(ends)}
        choice = {each: value for each, value in functions.items() if each not in branches}
        if functions and not choice:
            raise GamesearchError(
                f"{name} defines {', '.join(functions)}, and it is not clear which function gamesearch "
                f"should call: write a function value(game, s, ...) that calls the right function for game.player(s)"
            )
    games = [each for each in found.values() if inspect.isclass(each) and issubclass(each, Game)]
    if games:  # the other functions are helpers of the game's rules
        choice = {each: value for each, value in choice.items() if inspect.isclass(value) or takes_game(value)}
    if choice:
        return choose_only(name, path, choice)
    if games:
        raise GamesearchError(
            f"{name} defines the game {games[0].__name__}, but no algorithm. To play it: gamesearch play {name}. "
            f"To compare its rules with those of another game: gamesearch agree {name} --against GAME"
        )
    if any(each in EVALUATIONS for each in found):
        raise GamesearchError(f"{name} defines an evaluation and no algorithm: use it as GAME(evaluation={name})")
    for cls in (each for each in found.values() if inspect.isclass(each)):
        methods = [each for each, value in vars(cls).items() if inspect.isfunction(value) and not each.startswith("_")]
        if methods:
            raise GamesearchError(
                f"{name} has a class without a method `search`: rename `{methods[0]}` to search(self, game, s)"
            )
    raise GamesearchError(f"{name} has no algorithm: write def minimax(game, s, depth), for example, in this file")


def choose_only(name: str, path: Path, choice: dict[str, Any]) -> Any:
    """Return the only function or class in `choice`. If there are several, return the one that has the name of the
    file."""
    wanted = [value for each, value in choice.items() if plain(each) == plain(path.stem)]
    if len(choice) > 1 and len(wanted) != 1:
        fitting = {each: value for each, value in choice.items() if inspect.isclass(value) or takes_game(value)}
        if len(fitting) == 1:
            return next(iter(fitting.values()))
        raise GamesearchError(
            f"{name} has several definitions that may be the algorithm ({', '.join(choice)}): rename the right "
            f"definition to {path.stem}, the name of the file, or begin the other names with _"
        )
    return (wanted or list(choice.values()))[0]


def takes_game(function: FunctionType) -> bool:
    """Whether a function has at least two parameters, and the first parameter is the game."""
    names = list(inspect.signature(function).parameters)
    return len(names) > 1 and names[0] == "game"


def check_parameters(function: FunctionType, is_method: bool) -> None:
    """Raise GamesearchError unless the first two parameters are the game and the state, and gamesearch can set all
    other parameters."""
    signature = inspect.signature(function)
    names = list(signature.parameters)[1 if is_method else 0 :]
    where = f"{function.__name__} ({place_of(function)})"
    wanted = f"def {function.__name__}({'self, ' if is_method else ''}game, s, ...)"
    if len(names) < 2 or "game" in names[1:] or names[0] in STATE_NAMES or role_of(names[1]):
        raise GamesearchError(f"{where} has the parameters ({', '.join(signature.parameters)}): write {wanted}")
    for name in names[2:]:
        parameter = signature.parameters[name]
        is_given = parameter.default is not parameter.empty or role_of(name)
        if not is_given and parameter.kind not in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            hint = f"rename it to {HINTS[plain(name)]}" if plain(name) in HINTS else f"write {name}=..."
            raise GamesearchError(
                f"{where} has a parameter `{name}` without a default: {hint} "
                f"(gamesearch gives a value only to {', '.join(FILLED_IN)})"
            )
