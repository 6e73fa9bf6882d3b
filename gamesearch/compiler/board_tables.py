"""The compiled form of `gamesearch.bits.BoardTable`: words in the machine code, of which one load reads one."""

import operator

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.datamodel.models import PrimitiveModel
from numba.core.imputils import lower_builtin, lower_constant
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import register_model, typeof_impl

from gamesearch import bits
from gamesearch.compiler.wide_bits import WORD, WideType

__all__: list[str] = []


class TableType(types.Type):
    """A `BoardTable`: the address of its boards in the machine code."""

    def __init__(self) -> None:
        super().__init__(name="table of boards")


TABLE = TableType()


@register_model(TableType)
class TableModel(PrimitiveModel):
    """An address."""

    def __init__(self, dmm, fe_type):
        super().__init__(dmm, fe_type, ir.IntType(WORD).as_pointer())


@typeof_impl.register(bits.BoardTable)
def _typeof_table(value, c):
    return TABLE


@lower_constant(TableType)
def _lower_table(context, builder, typ, value):
    words = ir.Constant(ir.ArrayType(ir.IntType(WORD), len(value)), [int(each) & bits.ALL_BITS for each in value])
    return builder.bitcast(cgutils.global_constant(builder, ".boards", words), ir.IntType(WORD).as_pointer())


@infer_global(operator.getitem)
class _Item(AbstractTemplate):
    def generic(self, args, kws):
        is_item = len(args) == 2 and isinstance(args[0], TableType) and isinstance(args[1], types.Integer)
        return signature(WideType(WORD), TABLE, types.int64) if is_item else None


@lower_builtin(operator.getitem, TableType, types.Integer)
def _item(context, builder, signature, arguments):
    return builder.load(builder.gep(arguments[0], [arguments[1]]))
