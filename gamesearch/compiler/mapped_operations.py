"""The compiled forms of `gamesearch.compiler.mapped`: numbers read by the address of their array."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic, overload

from gamesearch.compiler import mapped as mapped_arrays
from gamesearch.compiler.mapped import WORDS

WORD = ir.IntType(64)


@intrinsic
def _number_at(context, address, width):
    """The number of `width` bytes, 1, 2 or 8, at an address."""

    def code(context, builder, signature, arguments):
        place, size = arguments
        found = cgutils.alloca_once(builder, WORD)

        for bits in (8, 16, 64):
            with builder.if_then(builder.icmp_unsigned("==", size, WORD(bits // 8))):
                value = builder.load(builder.inttoptr(place, ir.IntType(bits).as_pointer()), align=1)
                builder.store(builder.zext(value, WORD), found)
        return builder.load(found)

    return types.int64(types.int64, types.int64), code


@overload(mapped_arrays.mapped_length)
def _mapped_length(arrays, place):
    if not isinstance(arrays, types.Array):
        return None

    def length(arrays, place):
        if not 0 <= place < len(arrays) // WORDS:
            return 0
        return arrays[WORDS * place + 1]

    return length


@overload(mapped_arrays.mapped_at)
def _mapped_at(arrays, place, number):
    if not isinstance(arrays, types.Array):
        return None

    def item(arrays, place, number):
        width = arrays[WORDS * place + 2]
        return _number_at(arrays[WORDS * place] + number * width, width)

    return item
