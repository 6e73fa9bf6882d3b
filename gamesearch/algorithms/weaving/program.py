"""Woven functions as kernels, and searches with them."""

import ast
import functools
import inspect
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

from gamesearch.algorithms.engine.runner import Runner
from gamesearch.algorithms.weaving.bookkeeping import HELPERS, NAMES
from gamesearch.algorithms.weaving.weaver import weave
from gamesearch.compiler import kernel

__all__ = ["search_woven", "woven_kernel", "woven_text"]


def woven_tree(function: Callable[..., Any]) -> ast.Module:
    """A textbook function and those that it calls, woven."""
    tree = ast.parse(inspect.getsource(sys.modules[function.__module__]))
    tree.body = [each for each in tree.body if getattr(each, "name", "") not in HELPERS]
    names = weave(tree, function.__name__)
    tree.body = [each for each in tree.body if isinstance(each, ast.FunctionDef) and each.name in names]
    return tree


def woven_text(function: Callable[..., Any]) -> str:
    """The code that runs for a textbook function."""
    return ast.unparse(woven_tree(function)) + "\n"


@functools.cache
def woven_kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    """The kernel that is woven from a textbook function."""
    module = ModuleType(f"{function.__module__}.woven_{function.__name__}")
    textbook = sys.modules[function.__module__]
    vars(module).update({**vars(textbook), **HELPERS, **NAMES, "__name__": module.__name__})
    sys.modules[module.__name__] = module  # where the cache of compiled code looks it up
    exec(compile(woven_tree(function), str(textbook.__file__), "exec"), vars(module))
    for each in vars(module).values():
        if inspect.isfunction(each) and each.__module__ == module.__name__:
            kernel(each)
    found: Callable[..., Any] = getattr(module, function.__name__)
    return found


def search_woven(runner: Runner, function: Callable[..., Any], state: Any, *arguments: Any) -> Any:
    """The value of a state by a textbook function; that of the best move so far if the search was stopped.

    Without a finished move, the value of a stopped search means nothing.
    """
    value = runner.execute(
        woven_kernel(function), lambda: (runner.game, state, *arguments, 0, runner.options, runner.run)
    )
    if value is not None:
        return value
    count, scores = runner.game.payoff_count, runner.workspace.path.fields.scores
    return float(scores[0]) if count == 1 else tuple(float(each) for each in scores[:count])
