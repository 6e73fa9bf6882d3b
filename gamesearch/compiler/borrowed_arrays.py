"""The compiled form of borrowed arrays: Numba's own arrays, but without an object whose references are counted."""

from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import NativeValue, register_model, typeof_impl, unbox
from numba.np.arrayobj import make_array
from numba.np.numpy_support import from_dtype

from gamesearch.compiler.borrowed import Borrowed, fetch_early
from gamesearch.compiler.calls import instructions_for
from gamesearch.compiler.game_types import array_at, word_in

__all__ = ["BorrowedArray"]


class BorrowedArray(types.Array):
    """The type of a borrowed array."""

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype, 1, "C", name=f"borrowed({dtype})")


@register_model(BorrowedArray)
class BorrowedArrayModel(models.ArrayModel):
    """The same fields as those of an array; none of them is counted."""

    def has_nrt_meminfo(self) -> bool:
        """No."""
        return False

    def get_nrt_meminfo(self, builder: Any, value: Any) -> None:
        """There is none."""


@typeof_impl.register(Borrowed)
def _typeof_borrowed(borrowed: Borrowed, c: Any) -> BorrowedArray:
    return BorrowedArray(from_dtype(borrowed.array.dtype))


@unbox(BorrowedArray)
def _unbox_borrowed(typ: Any, obj: Any, c: Any) -> Any:
    address, length = (word_in(c, obj, name) for name in ("address", "length"))
    array = array_at(c.context, c.builder, typ, address, length)
    return NativeValue(array, is_error=c.pyapi.c_api_error())


@instructions_for(fetch_early, types.none, [types.Type], types.Integer)
def _fetch_early(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
    data = make_array(signature.args[0])(context, builder, arguments[0]).data
    place = context.cast(builder, arguments[1], signature.args[1], types.int64)
    address = builder.bitcast(builder.gep(data, [place]), ir.IntType(8).as_pointer())
    number = ir.IntType(32)
    kind = ir.FunctionType(ir.VoidType(), [address.type, number, number, number])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
    builder.call(function, [address, number(0), number(3), number(1)])  # to read, to keep in all caches, data
    return context.get_dummy_value()
