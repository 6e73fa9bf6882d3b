"""What a game's type knows is written into the code before Numba types it, so that dead branches are never compiled.

In a game whose positions never recur, `if game.recurrence == FORBIDDEN and ...` is such a branch:
Numba prunes it, with all that it would call, but only where it sees constants.
"""

from typing import Any

from numba.core import ir
from numba.core.compiler import CompilerBase, DefaultPassBuilder
from numba.core.compiler_machinery import FunctionPass, register_pass
from numba.core.ir_utils import get_definition, guard
from numba.core.untyped_passes import RewriteSemanticConstants

from gamesearch.numba_games import GameType

__all__ = ["PruningCompiler"]

LARGEST = 1 << 31
"""Of the whole numbers that are written in; greater ones may be boards, of which `numba_wide` has more to say."""


@register_pass(mutates_CFG=False, analysis_only=False)
class WriteGameConstants(FunctionPass):  # type: ignore[misc]
    """Replace `game.name` by the number, where the game is an argument."""

    _name = "write_game_constants"

    def __init__(self) -> None:
        FunctionPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Whether anything was replaced."""
        replaced = False
        for block in state.func_ir.blocks.values():
            for statement in block.find_insts(ir.Assign):
                value = statement.value
                if isinstance(value, ir.Expr) and value.op == "getattr":
                    game = guard(get_definition, state.func_ir, value.value)
                    typ = state.args[game.index] if isinstance(game, ir.Arg) else None
                    number = getattr(typ.game, value.attr, None) if isinstance(typ, GameType) else None
                    if isinstance(number, int) and -LARGEST < number < LARGEST:
                        statement.value = ir.Const(number, value.loc)
                        definitions = state.func_ir._definitions[statement.target.name]
                        definitions[definitions.index(value)] = statement.value
                        replaced = True
        return replaced


class PruningCompiler(CompilerBase):  # type: ignore[misc]
    """Numba's usual compiler with `WriteGameConstants` before the first pruning."""

    def define_pipelines(self) -> list[Any]:
        """The passes."""
        passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
        passes.add_pass_after(WriteGameConstants, RewriteSemanticConstants)
        passes.finalize()
        return [passes]
