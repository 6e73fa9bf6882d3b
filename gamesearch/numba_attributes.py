"""What `game.name` stands for in compiled code: a constant's value, or the function of a method.

Mostly that is written into the code before Numba types it, as if the game's class were known by name:
`game.method(s)` becomes `method(game, s)`. So nothing is compiled between a kernel and a method, and a
branch that a game never takes, as `if game.recurrence == FORBIDDEN and ...` is in one whose positions
never recur, is pruned with all that it would call. Where the code does not show which game it is, or
which method, Numba asks for the attribute while it types the code, which takes longer to compile.
"""

import inspect
import types as python_types
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import get_definition, guard
from numba.core.typing.templates import (
    _OverloadAttributeTemplate,
    _OverloadMethodTemplate,
    infer_getattr,
    make_overload_attribute_template,
)
from numba.core.untyped_passes import RewriteSemanticConstants
from numba.extending import overload

from gamesearch.game import Game
from gamesearch.numba_games import GameType, constants_of, is_constant
from gamesearch.numba_wide import as_wide_constant

__all__ = ["GameCompiler", "bind"]

METHOD = (python_types.FunctionType, staticmethod)


def meaning(game: Game[Any], name: str) -> Any:
    """A constant of the game as compiled code shall see it, or a method; None for all else."""
    method = None if name in vars(game) else inspect.getattr_static(type(game), name, None)
    if isinstance(method, METHOD):
        return method
    value = getattr(game, name, None)
    return as_wide_constant(value.item() if isinstance(value, np.number) else value) if is_constant(value) else None


# Before the code is typed. -----------------------------------------------------------------------
@register_pass(mutates_CFG=False, analysis_only=False)
class ResolveAttributes(FunctionPass):  # type: ignore[misc]
    """Replace `game.name`, where the game is an argument, a global or a constant of one, by what it stands for."""

    _name = "resolve_attributes_of_games"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Whether anything was replaced."""
        code = state.func_ir
        statements = [each for _, block in sorted(code.blocks.items()) for each in block.body]
        bound = {}  # the assignments of methods to variables, by what they assign
        replaced = False
        for statement in statements:
            game = _game_asked(state, statement)
            found = meaning(game, statement.value.attr) if game is not None else None
            if isinstance(found, python_types.FunctionType):
                if guard(get_definition, code, statement.target) is statement.value:  # and no other
                    bound[statement.value] = statement, found
            elif found is not None:
                _replace(code, statement, found.__func__ if isinstance(found, staticmethod) else found)
                replaced = True
        for method in {method for statement in statements for method in _held(code, statement)} & set(bound):
            del bound[method]
        for statement in statements:
            method = _called(code, statement)
            if method in bound:
                statement.value.args = [method.value, *statement.value.args]
        for statement, function in bound.values():
            _replace(code, statement, function)
        return replaced or bool(bound)


def _game_asked(state: Any, statement: Any) -> Game[Any] | None:
    """The game of which a statement reads an attribute into a variable, where the code shows it."""
    if not isinstance(statement, ir.Assign) or not _is_expression(statement.value, "getattr"):
        return None
    owner = guard(get_definition, state.func_ir, statement.value.value)
    if isinstance(owner, ir.Global | ir.FreeVar):
        return owner.value if isinstance(owner.value, Game) else None
    typ = state.args[owner.index] if isinstance(owner, ir.Arg) else None
    return typ.game if isinstance(typ, GameType) else None


def _called(code: Any, statement: Any) -> Any:
    """The expression that a called function comes from, where there is but one."""
    if isinstance(statement, ir.Assign) and _is_expression(statement.value, "call"):
        return guard(get_definition, code, statement.value.func)
    return None


def _held(code: Any, statement: Any) -> list[Any]:
    """What the variables come from that a statement uses for something else than to call them."""
    used = {each.name for each in statement.list_vars()}
    if isinstance(statement, ir.Assign):
        value = statement.value
        used.discard(statement.target.name)
        if _is_expression(value, "call"):
            used = {each.name for each in [*value.args, *(each for _, each in value.kws), value.vararg] if each}
        elif isinstance(value, ir.Var) and guard(get_definition, code, statement.target) is not None:
            used.clear()  # but another name for the same
    return [guard(get_definition, code, name) for name in used]


def _is_expression(value: Any, kind: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == kind


def _replace(code: Any, assignment: Any, value: Any) -> None:
    """Assign a constant; under a name that is no builtin's, for Numba compares these."""
    constant = ir.Global(f"game.{assignment.value.attr}", value, assignment.value.loc)
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


# While it is typed. ------------------------------------------------------------------------------
_bound: set[str] = set()


def bind(game: Game[Any]) -> None:
    """Make the names of the game's methods and constants known to Numba."""
    methods = [name for name in dir(type(game)) if isinstance(inspect.getattr_static(type(game), name), METHOD)]
    for name in {*constants_of(game), *(each for each in methods if not each.startswith("__"))} - _bound:
        _bound.add(name)
        _register(name, _method_of_name(name), "never", _MethodTemplate)
        _register(name, _constant_of_name(name), "always", _ConstantTemplate)


class _MethodTemplate(_OverloadMethodTemplate):  # type: ignore[misc]
    """Answers for a name only where it is a method of the game."""

    def _resolve(self, typ: Any, attr: str) -> Any:
        is_method = attr == self._attr and isinstance(meaning(typ.game, attr), METHOD)
        return super()._resolve(typ, attr) if is_method else None


class _ConstantTemplate(_OverloadAttributeTemplate):  # type: ignore[misc]
    """Answers for a name only where it is a constant of the game: in another it may be a method."""

    def _resolve(self, typ: Any, attr: str) -> Any:
        found = meaning(typ.game, attr) if attr == self._attr else None
        return None if found is None or isinstance(found, METHOD) else super()._resolve(typ, attr)


def _method_of_name(name: str) -> Callable[..., Any]:
    def method(self, *arguments):  # type: ignore[no-untyped-def]
        function = meaning(self.game, name)
        if isinstance(function, staticmethod):
            function = function.__func__
            return lambda self, *arguments: function(*arguments)
        return lambda self, *arguments: function(self, *arguments)

    return method


def _constant_of_name(name: str) -> Callable[..., Any]:
    def constant(self):  # type: ignore[no-untyped-def]
        value = meaning(self.game, name)
        return lambda self: value

    return constant


def _register(name: str, function: Callable[..., Any], inline: str, template: type) -> None:
    """What Numba's `overload_method` and `overload_attribute` do, with a template of ours."""
    infer_getattr(make_overload_attribute_template(GameType, name, function, inline=inline, base=template))
    overload(function, inline=inline)(function)
