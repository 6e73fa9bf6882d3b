"""The installed versions of Numba and llvmlite have the private names that the compiler uses."""

import ast
import importlib
import inspect
from pathlib import Path
from typing import Any

import llvmlite
import numba

import gamesearch.compiler

SEEN_WITH = "Numba 0.60 to 0.68 and llvmlite 0.43 to 0.50"
"""The versions that have these names; Numba 0.60, 0.61, 0.62, 0.63 and 0.68 were tested."""
PRIVATE_NAMES = {
    "numba._dynfunc": ["make_function"],
    "numba.core.codegen:CPUCodegen": ["_module_pass_manager"],
    "numba.core.codegen:JITCodeLibrary": [
        "_codegen", "_final_module", "_finalize_dynamic_globals", "_finalize_final_module", "_ensure_finalized",
        "_finalized", "_optimize_final_module", "_verify_declare_only_symbols",
    ],
    "numba.core.codegen:JITCPUCodegen": ["_rtlinker"],
    "numba.core.codegen:RuntimeLinker": ["PREFIX", "_unresolved"],
    "numba.core.compiler:CompileResult": ["_find_referenced_environments", "_rebuild", "_reduce"],
    "numba.core.dispatcher:Dispatcher": ["_cache", "_reset_overloads", "_numba_type_"],
    "numba.core.ir_utils": ["_definitions"],
    "numba.core.typing.templates": ["make_overload_attribute_template"],
    "numba.core.typing.templates:_OverloadMethodTemplate": ["_attr", "_resolve"],
    "llvmlite.binding.ffi": ["_lock", "_cblist"],
    "numba.core.cgutils": ["_getvalue"],
}  # fmt: skip
"""For each module, or each class of a module, the private names that the compiler uses."""
OURS = {"_compiled_form_", "_compiled_twin_", "_digest_", "_make", "_asdict", "_replace"}
"""Names that begin with an underscore, but belong to gamesearch or to NamedTuple."""


def has_name(owner: Any, name: str) -> bool:
    """Whether an object has an attribute; an attribute set only by methods is searched in the source of its module."""
    if hasattr(owner, name):
        return True
    kinds = owner.__mro__ if inspect.isclass(owner) else [owner]
    modules = {inspect.getmodule(kind) for kind in kinds} - {inspect.getmodule(object), None}
    return any(name in inspect.getsource(module) for module in modules if module is not None)


def test_all_private_names_exist() -> None:
    for place, names in PRIVATE_NAMES.items():
        module, _, cls = place.partition(":")
        owner: Any = importlib.import_module(module)
        owner = getattr(owner, cls) if cls else owner
        missing = [name for name in names if not has_name(owner, name)]
        assert missing == [], (
            f"{place} has no such names in Numba {numba.__version__} with llvmlite {llvmlite.__version__}; they were "
            f"there in {SEEN_WITH}: find their replacements and change gamesearch/compiler/numba_internals.py"
        )


def test_other_modules_use_no_private_names() -> None:
    folder = Path(gamesearch.compiler.__file__).parent
    known = {name for names in PRIVATE_NAMES.values() for name in names}
    for path in folder.glob("*.py"):
        used = {
            node.attr
            for node in ast.walk(ast.parse(path.read_text()))
            if isinstance(node, ast.Attribute) and node.attr.startswith("_") and not node.attr.startswith("__")
            if not (isinstance(node.value, ast.Name) and node.value.id in ("self", "cls"))
        } - OURS
        if path.name == "numba_internals.py":
            assert used <= known, f"{path.name} uses private names that this test does not list"
        else:
            assert not used, f"{path.name} uses private names: move them to numba_internals.py"
