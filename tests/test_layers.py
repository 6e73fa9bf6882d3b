"""Imports point one way, and a command loads no more than it needs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gamesearch

ROOT = Path(gamesearch.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))
LAYERS = ("games", "algorithms", "solvers", "play", "render", "tracing", "cli")
"""Each may import those before it (games and algorithms know nothing of each other), and the files beside them."""
FORBIDDEN = {
    "games": {"algorithms", "solvers", "play", "render", "tracing", "cli"},
    "algorithms": {"games", "solvers", "play", "render", "tracing", "cli"},
    "solvers": {"games", "play", "render", "tracing", "cli"},
    "play": {"render", "tracing", "cli"},
    "render": {"tracing", "cli"},
    "tracing": {"cli"},
    "cli": set[str](),
}
NUMBA = (
    "numba_attributes.py",
    "numba_bits.py",
    "numba_cache.py",
    "numba_games.py",
    "numba_types.py",
    "numba_wide.py",
)
"""Only these know the compiler."""
CORE = ("game.py", "bits.py", "errors.py", "specification.py", "code_files.py", "compiler.py", *NUMBA)
"""What everything else stands on; none of it knows the rest."""


def imported(path: Path) -> set[str]:
    """The full names of all that a file imports, at its top or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are absolute"
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def layer_of(path: Path) -> str:
    return path.relative_to(ROOT).parts[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    names = imported(path)
    layer = layer_of(path)
    used = {name.split(".")[1] for name in names if name.startswith("gamesearch.")}
    assert not used & FORBIDDEN.get(layer, set())
    if layer in CORE:
        assert not used & set(LAYERS)
    outside = {name.split(".")[0] for name in names}
    assert "rich" not in outside or layer in ("render", "tracing", "cli")
    assert "click" not in outside or layer == "cli"
    assert "textual" not in outside or path.name == "screen.py"
    assert "chess" not in outside or (layer == "games" and path.name.lstrip("_").startswith("chess"))
    assert "numba" not in outside or path.name in NUMBA


def test_every_folder_is_a_known_layer() -> None:
    assert {layer_of(path) for path in MODULES if path.parent != ROOT} == set(LAYERS)


def modules_after(code: str) -> set[str]:
    """The top names of all modules that a new process has loaded when it ends."""
    script = (
        "import sys\n"
        "try:\n"
        f"    {code}\n"
        "except SystemExit as end:\n"
        "    assert not end.code, end.code\n"
        "print('\\nMODULES', *sorted({name.partition('.')[0] for name in sys.modules}))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.rpartition("MODULES")[2].split())


@pytest.mark.parametrize(
    "arguments", [["--help"], ["--version"], ["play", "--help"], ["games"], ["algorithms"], ["cache"]]
)
def test_a_command_that_searches_nothing_loads_no_compiler(arguments: list[str]) -> None:
    modules = modules_after(f"from gamesearch.cli import run; sys.exit(run({arguments!r}))")
    assert "gamesearch" in modules
    assert not modules & {"numba", "llvmlite", "numpy", "chess"}


def test_importing_the_package_loads_next_to_nothing() -> None:
    assert not modules_after("import gamesearch") & {"numba", "numpy", "chess", "rich", "click"}


def test_a_game_can_be_played_interpreted_without_the_compiler() -> None:
    code = (
        "import gamesearch; g = gamesearch.load('tictactoe'); "
        "gamesearch.search(g, g.initial(), 'minimax(depth=2)', speed='interpreted')"
    )
    assert not modules_after(code) & {"numba", "llvmlite", "chess", "rich", "click"}
