"""Weaves textbook functions, makes kernels from them, and searches with these kernels."""

import ast
import functools
import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from gamesearch.algorithms.engine.result import Value
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.weaving.bookkeeping import HELPERS, NAMES
from gamesearch.algorithms.weaving.weaver import weave
from gamesearch.compiler import kernel

__all__ = ["last_iteration", "root_values", "search_woven", "woven_in_module", "woven_kernel", "woven_text"]


def woven_definitions(source: str, entry: str) -> ast.Module:
    """Weave a function and the functions that it calls. Raises NotWovenError if this is impossible."""
    tree = ast.parse(source)
    tree.body = [each for each in tree.body if getattr(each, "name", "") not in HELPERS]
    names = weave(tree, entry)
    tree.body = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name in names]
    return tree


def woven_text(function: Callable[..., Any]) -> str:
    """The source code that is woven from a textbook function or a user's function."""
    return ast.unparse(woven_definitions(module_source(function), function.__name__)) + "\n"


def module_source(function: Callable[..., Any]) -> str:
    return inspect.getsource(sys.modules[function.__module__])


def woven_in_module(module: ModuleType, source: str, entry: str) -> Callable[..., Any]:
    """Weave a function of a user's file, and define the woven function in the module of the file. Raises NotWovenError
    if the function cannot be woven."""
    tree = woven_definitions(source, entry)
    names = {each.name: f"{each.name}_woven" for each in tree.body if isinstance(each, ast.FunctionDef)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            node.id = names[node.id]
        elif isinstance(node, ast.FunctionDef):
            node.name = names[node.name]
    vars(module).update(NAMES)
    exec(compile(tree, str(module.__file__), "exec"), vars(module))
    found: Callable[..., Any] = getattr(module, names[entry])
    found.__qualname__ = entry  # the name that users read, for example while the function is compiled
    return found


@functools.cache
def woven_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel that is woven from a textbook function."""
    module = ModuleType(f"{function.__module__}.woven_{function.__name__}")
    textbook = sys.modules[function.__module__]
    vars(module).update({**vars(textbook), **HELPERS, **NAMES, "__name__": module.__name__})
    sys.modules[module.__name__] = module  # the cache of compiled code looks for the kernel here
    exec(
        compile(woven_definitions(module_source(function), function.__name__), str(textbook.__file__), "exec"),
        vars(module),
    )
    for each in vars(module).values():
        if inspect.isfunction(each) and each.__module__ == module.__name__:
            kernel(each)
    found: Callable[..., Any] = getattr(module, function.__name__)
    return found


def search_woven(runner: Runner, function: Callable[..., Any], state: Any, *arguments: Any) -> Any:
    """Search a state with a woven textbook function. A stopped search returns the value of the best root move so far.
    If a stopped search has not finished any root move, the returned value has no meaning."""
    value = runner.execute(
        woven_kernel(function), lambda: (runner.game, state, *arguments, 0, runner.options, runner.run)
    )
    return stopped_value(runner) if value is None else value


def stopped_value(runner: Runner) -> Any:
    """The value of the best root move that a stopped search has finished."""
    count = runner.game.payoff_count
    nothing = 0.0 if count == 1 else (0.0,) * count
    return root_values(runner).get(runner.variation[0], nothing) if runner.variation else nothing


def root_values(runner: Runner) -> dict[int, Value]:
    """The value of each root move that a search has finished. If it has searched a move several times, the last value
    counts."""
    return recorded_values(runner, 0, runner.workspace.path.fields.top)


def last_iteration(runner: Runner) -> dict[int, Value]:
    """The value of each root move in the last complete iteration of a stopped search. If no iteration is complete, the
    result contains the root moves that the search has finished."""
    path = runner.workspace.path.fields
    previous = recorded_values(runner, path.previous, path.iteration)
    current = recorded_values(runner, path.iteration, path.top)
    return current if len(current) >= len(previous) else previous


def recorded_values(runner: Runner, start: int, end: int) -> dict[int, Value]:
    """The root values that were recorded at the indices from `start` to `end`."""
    path, count = runner.workspace.path.fields, runner.game.payoff_count
    rows = (path.scores[i * count : (i + 1) * count] for i in range(start, end))
    values = (float(row[0]) if count == 1 else tuple(map(float, row)) for row in rows)
    return dict(zip(map(int, path.moves[start:end]), values, strict=True))
