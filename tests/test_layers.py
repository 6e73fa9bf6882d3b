"""Imports follow the layers of the architecture, without cycles, and commands load only the modules that they need."""

import ast
import functools
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

import gamesearch

ROOT = Path(gamesearch.__file__).parent
MODULES = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
}
"""The path of each module of the package, by the module's name."""
ROOMS = {
    "compiler": set[str](),
    "games": set[str](),
    "textbook": {""},  # readers copy these files, so the files import only public names
    "algorithms": {"compiler", "textbook"},
    "solvers": {"compiler", "algorithms"},
    "study": {"compiler", "games", "algorithms", "solvers"},
    "play": {"compiler", "games", "algorithms", "study"},
    "learn": {"compiler", "algorithms", "solvers", "play"},
    "trace": {"algorithms"},
    "render": {"compiler", "algorithms", "solvers", "study", "play", "learn", "trace"},
    "lessons": {"algorithms", "solvers", "study", "play", "trace", "render"},
    "tui": {"algorithms", "play", "trace", "render", "lessons"},
}
ROOMS["cli"] = {"api", *ROOMS}
ROOMS["commands"] = {"cli", *ROOMS["cli"]}
"""For each folder, the folders that its files may import; every folder may also import itself and CORE."""
PARTS = {
    "algorithms.databases": set[str](),
    "algorithms.node": {"algorithms.databases"},
    "algorithms.engine": {"algorithms.node"},
    "algorithms.selective": {"algorithms.node", "algorithms.engine"},
    "algorithms.tree_search": {"algorithms.node", "algorithms.engine"},
    "algorithms.weaving": {"algorithms.node", "algorithms.engine"},
    "algorithms.own": {"algorithms.node", "algorithms.engine", "algorithms.weaving"},
    "games._shared": set[str](),
    "render.boards": {"render.formats"},
}
"""For each subfolder, the sibling subfolders that it may import."""
TOP = {"__main__": {"cli"}, "api": {"algorithms", "solvers", "study", "trace", "render"}, "registry": {"games"}}
"""For each file at the top level that imports folders, the names of these folders."""
CORE = {
    *("aliases", "errors", "game", "notation", "optional", "parameterized", "registry", "specification"),
    *("files", "learned", "support", "toolkit", "user_code"),
}
"""Files and folders that all code may import.

Files in CORE import only other files in CORE, except that the registry loads the games.
"""
OUTSIDE = {
    "rich": ("render", "lessons", "tui", "cli", "commands"),
    "click": ("cli", "commands"),
    "textual": ("tui",),
    "numba": ("compiler",),
    "llvmlite": ("compiler",),
    "chess": ("games.capturing.chess", "play.engines"),
    "distributed": ("play.matches.running",),
}
"""For each library, the only folders or modules that may import it."""


def imported_names(source: str) -> set[str]:
    """Return all names that a file imports: at its top, in functions, for type checking, or by a name in a string."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else str(node.module) for name in names}
        elif isinstance(node, ast.Constant) and re.fullmatch(r"gamesearch(\.\w+)+", str(node.value)):
            found |= {str(node.value)} & MODULES.keys()
    return found


PUBLIC = "gamesearch"
"""The package itself.

Its public names are loaded on first use; the modules of the package must not import these names.
"""
INSIDE = [name for name in MODULES if name != PUBLIC]


@functools.cache
def imports_of(name: str) -> set[str]:
    """Return the names that a module imports."""
    return imported_names(MODULES[name].read_text())


def forbidden(name: str, names: set[str]) -> set[str]:
    """Return the imported names that a module is not allowed to import."""
    place = name.partition(".")[2]
    room = place.partition(".")[0]
    ours = {each.partition(".")[2] for each in names if each.split(".")[0] == PUBLIC}
    allowed = CORE | ROOMS[room] | {room} if room in ROOMS else CORE | TOP.get(room, set())
    wrong = {each for each in ours if each.split(".")[0] not in allowed}
    folder = next((part for part in PARTS if f"{place}.".startswith(f"{part}.")), None)
    if folder:
        inside = {each for each in ours if each.split(".")[0] == room}
        wrong |= {
            each for each in inside if not f"{each}.".startswith((*(f"{part}." for part in PARTS[folder]), folder))
        }
    libraries = {each.split(".")[0] for each in names} & OUTSIDE.keys()
    return wrong | {each for each in libraries if not f"{place}.".startswith(tuple(f"{at}." for at in OUTSIDE[each]))}


def test_imports_point_one_way() -> None:
    assert not {name: wrong for name in INSIDE if (wrong := forbidden(name, imports_of(name)))}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("gamesearch.algorithms.catalog.minimax", "import gamesearch"),
        ("gamesearch.algorithms.catalog.minimax", "def f():\n    import gamesearch.render.boards.board"),
        ("gamesearch.algorithms.engine.result", "importlib.import_module('gamesearch.render.documents.notebook')"),
        ("gamesearch.algorithms.node.table", "from gamesearch.algorithms.catalog.alphabeta import AlphaBeta"),
        ("gamesearch.games._shared.cells", "from gamesearch.games.connecting.hex import Hex"),
        ("gamesearch.api", "from gamesearch.cli import run"),
        ("gamesearch.study.bench", "import rich.table"),
    ],
)
def test_forbidden_imports_are_found(name: str, line: str) -> None:
    assert forbidden(name, imported_names(line))


def test_no_imports_go_in_a_circle() -> None:
    """Imports that are only needed for types must not form cycles, either."""
    TopologicalSorter({name: imports_of(name) & MODULES.keys() for name in INSIDE}).prepare()  # raises CycleError


def test_every_folder_and_every_file_at_the_top_is_known() -> None:
    folders = {path.relative_to(ROOT).parts[0] for path in MODULES.values() if path.parent != ROOT}
    assert folders <= ROOMS.keys() | CORE
    files = {path.stem for path in ROOT.glob("*.py")}
    assert files <= CORE | TOP.keys() | {"__init__"}
    assert len(files) <= 11


def modules_after(code: str) -> set[str]:
    """Return the top-level names of all modules that a new process has loaded when it ends."""
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


COMPILER = {"numba", "llvmlite", "chess"}
PLAYING = (
    "import gamesearch; g = gamesearch.load('tictactoe'); "
    "gamesearch.search(g, g.initial(), 'minimax(depth=2)', speed='interpreted')"
)
COMMANDS = ("--help", "--version", "play --help", "games", "algorithms", "cache", "lesson", "analyze tictactoe")


@pytest.mark.parametrize(
    ("code", "others"),
    [
        ("import gamesearch", {"numpy", "rich", "click"}),
        (PLAYING, {"rich", "click"}),
        (f"from gamesearch.cli import run; sys.exit(any(run(each.split()) for each in {COMMANDS}))", {"numpy"}),
    ],
)
def test_only_necessary_modules_are_loaded(code: str, others: set[str]) -> None:
    modules = modules_after(code)
    assert "gamesearch" in modules
    assert not modules & (COMPILER | others)
