"""The compiled forms of the locks and sums in `gamesearch.compiler.locks`.

Once this module is imported, Numba uses them wherever compiled code names one of them.
"""

import os
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils

from gamesearch.compiler import locks
from gamesearch.compiler.calls import instructions_for

WORD = ir.IntType(64)


def _word(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    """The address of the first word: of a lock, the only one."""
    return context.make_array(signature.args[0])(context, builder, arguments[0]).data


@instructions_for(locks.acquire, types.int64, [types.int64])
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


@instructions_for(locks.release, types.int64, [types.int64])
def _release(context, builder, signature, arguments):
    builder.store_atomic(WORD(0), _word(context, builder, signature, arguments), "release", 8)
    return WORD(0)


@instructions_for(locks.add_atomically, types.int64, [types.Integer], types.Integer, types.Integer)
def _add_atomically(context, builder, signature, arguments):
    typ, place_type, more_type = signature.args
    data = _word(context, builder, signature, arguments)
    place = context.cast(builder, arguments[1], place_type, types.int64)
    more = context.cast(builder, arguments[2], more_type, typ.dtype)
    before = builder.atomic_rmw("add", builder.gep(data, [place]), more, "monotonic")
    return context.cast(builder, before, typ.dtype, types.int64)
