"""What `game.name` stands for is written into the code before Numba types it.

A constant of the game becomes its value, and `game.method(s)` the call of a function, `method(game, s)`,
as if the game's class were known by name. So nothing is compiled between a kernel and a method, and a
branch that a game never takes, as `if game.recurrence == FORBIDDEN and ...` is in one whose positions
never recur, is pruned with all that it would call.
"""

import inspect
import types as python_types
from typing import Any

import numpy as np
from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.errors import UnsupportedError
from numba.core.ir_utils import get_definition, guard
from numba.core.untyped_passes import RewriteSemanticConstants

from gamesearch.game import Game
from gamesearch.numba_games import GameType, is_constant
from gamesearch.numba_wide import as_wide_constant

__all__ = ["GameCompiler"]


@register_pass(mutates_CFG=False, analysis_only=False)
class ResolveAttributes(FunctionPass):  # type: ignore[misc]
    """Replace `game.name`, where the game is an argument or a constant of one, by what it stands for."""

    _name = "resolve_attributes_of_games"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Whether anything was replaced.

        Raises UnsupportedError where a method is used for something else than to be called.
        """
        code = state.func_ir
        statements = [each for _, block in sorted(code.blocks.items()) for each in block.body]
        bound = {}  # the assignments of methods to variables, by what they assign
        replaced = False
        for statement in statements:
            game = _game_asked(state, statement)
            found = _attribute(game, statement.value.attr) if game is not None else None
            if isinstance(found, python_types.FunctionType):
                bound[statement.value] = statement, found
            elif found is not None:
                _replace(code, statement, found.__func__ if isinstance(found, staticmethod) else found)
                replaced = True
        for statement in statements:
            _pass_game(code, statement, bound)
        for statement, function in bound.values():
            _replace(code, statement, function)
        return replaced or bool(bound)


def _game_asked(state: Any, statement: Any) -> Game[Any] | None:
    """The game of which a statement reads an attribute into a variable."""
    if not isinstance(statement, ir.Assign) or not _is_expression(statement.value, "getattr"):
        return None
    owner = guard(get_definition, state.func_ir, statement.value.value)
    if isinstance(owner, ir.Global):  # a game that is a constant of another
        return owner.value if isinstance(owner.value, Game) else None
    typ = state.args[owner.index] if isinstance(owner, ir.Arg) else None
    return typ.game if isinstance(typ, GameType) else None


def _attribute(game: Game[Any], name: str) -> Any:
    """A constant of the game as compiled code shall see it, or a method; None for all else."""
    method = None if name in vars(game) else inspect.getattr_static(type(game), name, None)
    if isinstance(method, python_types.FunctionType | staticmethod):
        return method
    value = getattr(game, name, None)
    return as_wide_constant(value.item() if isinstance(value, np.number) else value) if is_constant(value) else None


def _pass_game(code: Any, statement: Any, bound: dict[Any, Any]) -> None:
    """Where a statement calls a method, let the game be the first argument."""
    used = {each.name for each in statement.list_vars()}
    if isinstance(statement, ir.Assign):
        value = statement.value
        used.remove(statement.target.name)
        if _is_expression(value, "call"):
            method = guard(get_definition, code, value.func)
            if method in bound:
                used.remove(value.func.name)
                value.args = [method.value, *value.args]
        elif isinstance(value, ir.Var) and guard(get_definition, code, statement.target) is not None:
            used.clear()  # another name for the same
    for name in used:
        method = guard(get_definition, code, name)
        if method in bound:
            raise UnsupportedError(f"Numba can call method '{method.attr}', not take it for a value", method.loc)


def _is_expression(value: Any, kind: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == kind


def _replace(code: Any, assignment: Any, value: Any) -> None:
    constant = ir.Global(assignment.value.attr, value, assignment.value.loc)
    definitions = code._definitions[assignment.target.name]
    definitions[definitions.index(assignment.value)] = constant
    assignment.value = constant


class GameCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's usual compiler with `ResolveAttributes` before the first pruning."""

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(ResolveAttributes, RewriteSemanticConstants)
        passes.finalize()
        return [passes]
