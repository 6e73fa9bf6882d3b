"""The compiled forms of the locks and sums in `gamesearch.compiler.locks`.

Once this module is imported, Numba uses them wherever compiled code names one of them.
"""

import os
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.imputils import lower_builtin
from numba.extending import type_callable

from gamesearch.compiler import locks

__all__: list[str] = []

WORD = ir.IntType(64)


def _type_for(function: Any) -> None:
    """Tell Numba that a function of an array of 64-bit integers gives one."""

    @type_callable(function)
    def _type_of_call(context):
        return lambda lock: types.int64 if isinstance(lock, types.Array) and lock.dtype == types.int64 else None


_type_for(locks.acquire)
_type_for(locks.release)


@type_callable(locks.add_atomically)
def _type_of_addition(context):
    def typed(numbers: Any, place: Any, more: Any) -> Any:
        is_row = isinstance(numbers, types.Array) and numbers.ndim == 1 and isinstance(numbers.dtype, types.Integer)
        return types.int64 if is_row else None

    return typed


def _word(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of the lock's word."""
    return context.make_array(signature.args[0])(context, builder, arguments[0]).data


@lower_builtin(locks.acquire, types.Array)
def _acquire(context, builder, signature, arguments):
    word = _word(context, builder, signature, arguments)
    ask, wait, taken = (builder.append_basic_block(f"lock.{name}") for name in ("ask", "wait", "taken"))
    builder.branch(ask)
    builder.position_at_end(ask)
    before = builder.cmpxchg(word, WORD(0), WORD(1), "acquire", "monotonic")
    builder.cbranch(builder.extract_value(before, 1), taken, wait)
    builder.position_at_end(wait)
    if hasattr(os, "sched_yield"):  # the thread that has the lock may wait for this one's processor
        let_others = cgutils.get_or_insert_function(builder.module, ir.FunctionType(ir.IntType(32), []), "sched_yield")
        builder.call(let_others, [])
    builder.branch(ask)
    builder.position_at_end(taken)
    return WORD(1)


@lower_builtin(locks.release, types.Array)
def _release(context, builder, signature, arguments):
    builder.store_atomic(WORD(0), _word(context, builder, signature, arguments), "release", 8)
    return WORD(0)


@lower_builtin(locks.add_atomically, types.Array, types.Integer, types.Integer)
def _add_atomically(context, builder, signature, arguments):
    typ, place_type, more_type = signature.args
    data = context.make_array(typ)(context, builder, arguments[0]).data
    place = context.cast(builder, arguments[1], place_type, types.int64)
    more = context.cast(builder, arguments[2], more_type, typ.dtype)
    before = builder.atomic_rmw("add", builder.gep(data, [place]), more, "monotonic")
    return context.cast(builder, before, typ.dtype, types.int64)
