"""The compiled form of `gamesearch.bits.BoardTable`: words in the machine code, of which one load reads one."""

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel.models import PointerModel
from numba.core.imputils import lower_constant
from numba.extending import register_model, typeof_impl

from gamesearch import bits
from gamesearch.compiler.wide_bits import WORD, WideType


class TableType(types.CPointer):
    """A `BoardTable`: the address of its boards in the machine code, from which Numba reads one by its index."""


register_model(TableType)(PointerModel)
TABLE = TableType(WideType(WORD))


@typeof_impl.register(bits.BoardTable)
def _typeof_table(value, c):
    return TABLE


@lower_constant(TableType)
def _lower_table(context, builder, typ, value):
    words = ir.Constant(ir.ArrayType(ir.IntType(WORD), len(value)), [int(each) & bits.ALL_BITS for each in value])
    return builder.bitcast(cgutils.global_constant(builder, ".boards", words), ir.IntType(WORD).as_pointer())
