"""The compiled form of lent arrays: Numba's own arrays, but without an object whose references are counted."""

from typing import Any

from numba import types
from numba.core.datamodel import models
from numba.extending import NativeValue, register_model, typeof_impl, unbox
from numba.np.arrayobj import make_array, populate_array
from numba.np.numpy_support import from_dtype

from gamesearch.compiler.lent import Lent

__all__ = ["LentArray"]


class LentArray(types.Array):
    """The type of a lent array."""

    def __init__(self, dtype: Any) -> None:
        super().__init__(dtype, 1, "C", name=f"lent({dtype})")


@register_model(LentArray)
class LentArrayModel(models.ArrayModel):
    """The same fields as those of an array; none of them is counted."""

    def has_nrt_meminfo(self) -> bool:
        """No."""
        return False

    def get_nrt_meminfo(self, builder: Any, value: Any) -> None:
        """There is none."""


@typeof_impl.register(Lent)
def _typeof_lent(lent: Lent, c: Any) -> LentArray:
    return LentArray(from_dtype(lent.array.dtype))


@unbox(LentArray)
def _unbox_lent(typ: Any, obj: Any, c: Any) -> Any:
    words = []
    for name in ("address", "length"):
        word = c.pyapi.object_getattr_string(obj, name)
        words.append(c.pyapi.long_as_longlong(word))
        c.pyapi.decref(word)
    address, length = words
    array = make_array(typ)(c.context, c.builder)
    data = c.builder.inttoptr(address, array.data.type)
    size = c.context.get_constant(types.intp, c.context.get_abi_sizeof(c.context.get_data_type(typ.dtype)))
    populate_array(array, data=data, shape=[length], strides=[size], itemsize=size, meminfo=None)
    return NativeValue(array._getvalue(), is_error=c.pyapi.c_api_error())
