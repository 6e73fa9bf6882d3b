"""Replaces each attribute of a game in compiled code. A constant is replaced by its value, and a method by its
function.

Usually an attribute is replaced before Numba infers types. For example, `game.method(s)` becomes `method(game, s)`, so
a kernel calls the method directly. Some branches are never taken in a game: for example, `if game.repetition ==
FORBIDDEN and ...` in a game without repetition. Such a branch is removed, and so are all functions that only this
branch calls. If the code does not show which game or which method is meant, gamesearch replaces the attribute while
Numba infers types. Compiling then takes longer.
"""

import functools
import inspect
import types as python_types
from collections.abc import Callable
from typing import Any

import numpy as np
from numba import typeof, types
from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.imputils import impl_ret_borrowed, lower_getattr_generic
from numba.core.ir_utils import get_definition, guard
from numba.core.typed_passes import NativeLowering, NopythonRewrites, NopythonTypeInference
from numba.core.typing.templates import AttributeTemplate, infer_getattr
from numba.core.untyped_passes import RewriteSemanticConstants

from gamesearch.compiler.bit_operations import as_wide_constant
from gamesearch.compiler.constants import is_constant, is_method, is_part, read_attribute
from gamesearch.compiler.game_types import NUMBERS, GameType, is_read_at_run_time, numbers_at, word_at
from gamesearch.compiler.identity import parts_of
from gamesearch.compiler.numba_internals import InferTypes, LowerForLinking, overload_method, replace_definition
from gamesearch.game import Game

__all__ = ["GameCompiler", "bind"]


def constant_or_method(game: Game, name: str) -> Any:
    """The constant or the method that replaces an attribute of a game in compiled code. None if the attribute is read
    at run time (see `gamesearch.compiler.game_types`) or cannot be used."""
    if is_read_at_run_time(game, name):
        return None
    method = None if name in vars(game) else inspect.getattr_static(type(game), name, None)
    if is_method(method):
        return method
    value = getattr(game, name, None)
    if is_part(value):  # a property returned the game, so changes of the game cannot be detected
        return None
    return (
        as_wide_constant(value.item() if isinstance(value, np.generic) else value, game) if is_constant(value) else None
    )


# Before types are inferred. ----------------------------------------------------------------------
@register_pass(mutates_CFG=False, analysis_only=False)
class ResolveAttributes(FunctionPass):
    """A compiler pass that replaces attributes of games by their values, and methods by functions. The game may be an
    argument, a global, or an attribute of another game.

    If an argument is a named tuple, fields whose value is None (such as `run.observer`) become the constant None.
    """

    _name = "resolve_attributes_of_games"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Replace the attributes that one function reads. Returns whether an attribute was replaced."""
        code = state.func_ir
        statements = [each for _, block in sorted(code.blocks.items()) for each in block.body]
        bound = {}  # the assignment of each expression `game.method` to a variable
        replaced = False
        for statement in statements:
            if not isinstance(statement, ir.Assign) or not _is_expression(statement.value, "getattr"):
                continue
            game = _game_in(state, statement.value.value)
            found = constant_or_method(game, statement.value.attr) if game is not None else None
            if isinstance(found, python_types.FunctionType):
                if guard(get_definition, code, statement.target) is statement.value:  # the only definition
                    bound[statement.value] = statement, found
            elif found is not None or _is_empty_field(state, statement.value):
                _replace(code, statement, found.__func__ if isinstance(found, staticmethod) else found)
                replaced = True
        for method in {method for statement in statements for method in _find_definitions(code, statement)}:
            bound.pop(method, None)
        for statement in statements:
            method = _find_called(code, statement)
            if method in bound:
                statement.value.args = [method.value, *statement.value.args]
        for statement, function in bound.values():
            _replace(code, statement, function)
        return replaced or bool(bound)


def _game_in(state: Any, variable: Any) -> Game | None:
    """Return the game to which a variable refers, or an equal game. Return None if the code does not show which game it
    is."""
    owner = guard(get_definition, state.func_ir, variable)
    if isinstance(owner, ir.Global | ir.FreeVar):
        return owner.value if isinstance(owner.value, Game) else None
    if isinstance(owner, ir.Arg):
        typ = state.args[owner.index]
        return typ.game if isinstance(typ, GameType) else None
    whole = _game_in(state, owner.value) if _is_expression(owner, "getattr") else None
    part = read_attribute(whole, owner.attr) if whole is not None else None
    return part if isinstance(part, Game) else None


def _is_empty_field(state: Any, read: Any) -> bool:
    """Whether an expression reads a field of a named tuple in the arguments, and the field is None. When such a field
    becomes the constant None, Numba removes branches such as `if memory.table is not None`."""
    return bool(_fields(state, read.value).get(read.attr) == types.none)


def _fields(state: Any, variable: Any) -> dict[str, Any]:
    """If a variable is an argument and a named tuple, map the names of its fields to their types. Otherwise, the result
    is empty."""
    owner = guard(get_definition, state.func_ir, variable)
    typ = None
    if isinstance(owner, ir.Arg):
        typ = state.args[owner.index]
    elif _is_expression(owner, "getattr"):
        typ = _fields(state, owner.value).get(owner.attr)
    return dict(zip(typ.fields, typ, strict=True)) if isinstance(typ, types.BaseNamedTuple) else {}


def _find_called(code: Any, statement: Any) -> Any:
    """Return the expression that defines the function called by a statement. Return None if the statement calls no
    function, or if several expressions may define the function."""
    if isinstance(statement, ir.Assign) and _is_expression(statement.value, "call"):
        return guard(get_definition, code, statement.value.func)
    return None


def _find_definitions(code: Any, statement: Any) -> list[Any]:
    """Find the definitions of the variables in a statement. If the statement calls a function, the variable that
    contains this function is left out."""
    used = {each.name for each in statement.list_vars()}
    if isinstance(statement, ir.Assign):
        value = statement.value
        used.discard(statement.target.name)
        if _is_expression(value, "call"):
            used = {each.name for each in [*value.args, *(each for _, each in value.kws), value.vararg] if each}
        elif isinstance(value, ir.Var) and guard(get_definition, code, statement.target) is not None:
            used.clear()  # the statement only assigns the value to another name
    return [guard(get_definition, code, name) for name in used]


def _is_expression(value: Any, kind: str) -> bool:
    return isinstance(value, ir.Expr) and value.op == kind


def _replace(code: Any, assignment: Any, value: Any) -> None:
    """Replace the attribute in an assignment by a constant. The constant's name has a dot, so it differs from all names
    of builtins."""
    constant = ir.Global(f"game.{assignment.value.attr}", value, assignment.value.loc)
    replace_definition(code, assignment, constant)


class GameCompiler(CompilerBase):
    """Numba's usual compiler with two changes: the passes of this package are added, and a pass that kernels do not
    need is left out."""

    def define_pipelines(self) -> list[Any]:
        """Return the list of compiler passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(ResolveAttributes, RewriteSemanticConstants)
        own = {NopythonTypeInference: InferTypes, NativeLowering: LowerForLinking}
        # NopythonRewrites takes time, and rewrites nothing but expressions on whole arrays. No kernel contains such
        # expressions, so this pass is left out.
        passes.passes = [(own.get(each, each), said) for each, said in passes.passes if each is not NopythonRewrites]
        passes.finalize()
        return [passes]


# While types are inferred. -----------------------------------------------------------------------
@infer_getattr
class GameAttributes(AttributeTemplate):
    """Numba's types for the attributes of games: constants, and attributes that are read at run time."""

    key = GameType

    def generic_resolve(self, typ: Any, name: str) -> Any:
        value = attribute(typ.game, name)
        if value is None:
            return None
        return NUMBERS if name in typ.game.tunable else typeof(value)


def attribute(game: Game, name: str) -> Any:
    """The value of a game's attribute; None if compiled code cannot read it."""
    if is_read_at_run_time(game, name):
        return read_attribute(game, name)
    found = constant_or_method(game, name)
    return None if is_method(found) else found


@lower_getattr_generic(GameType)
def _lower_attribute(context: Any, builder: Any, typ: Any, row: Any, name: str) -> Any:
    """Emit the machine code for an attribute. The attribute is a constant, or the code reads it from the game's row
    (see `CompiledForm`)."""
    game = typ.game
    if name in game.tunable:
        numbers = numbers_at(context, builder, row, 2 * game.tunable.index(name))
        return impl_ret_borrowed(context, builder, NUMBERS, numbers)
    places = {path: 2 * len(game.tunable) + number for number, (path, _) in enumerate(parts_of(game))}

    def is_held(path: tuple[Any, ...], value: Any) -> Any:
        if isinstance(value, Game):
            return word_at(builder, row, places[path])
        if is_read_at_run_time(game, name) and isinstance(value, tuple):
            items = [is_held((*path, place), item) for place, item in enumerate(value)]
            return context.make_tuple(builder, typeof(value), items)
        return context.get_constant_generic(builder, typeof(value), value)

    return is_held((name,), attribute(game, name))


_bound: set[str] = set()


def bind(game: Game) -> None:
    """Register the names of the game's methods with Numba."""
    names = {name for name in dir(type(game)) if is_method(inspect.getattr_static(type(game), name))}
    for name in sorted(name for name in names - _bound if not name.startswith("__")):
        _bound.add(name)
        overload_method(GameType, name, _method_of_name(name), functools.partial(_has_method, name))


def _has_method(name: str, typ: GameType) -> bool:
    return is_method(constant_or_method(typ.game, name))


def _method_of_name(name: str) -> Callable[..., Any]:
    def method(self, *arguments):
        function = constant_or_method(self.game, name)
        if isinstance(function, staticmethod):
            function = function.__func__
            return lambda self, *arguments: function(*arguments)
        return lambda self, *arguments: function(self, *arguments)

    return method
