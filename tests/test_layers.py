"""Imports point one way and in no circle, and a command loads no more than it needs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import gamesearch

ROOT = Path(gamesearch.__file__).parent
MODULES = {
    ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__"): path
    for path in sorted(ROOT.rglob("*.py"))
}
"""The files by the names of their modules."""
ROOMS = {
    "compiler": set[str](),
    "games": set[str](),
    "algorithms": {"compiler"},
    "solvers": {"compiler", "algorithms"},
    "study": {"api", "compiler", "games", "algorithms", "solvers"},
    "play": {"compiler", "games", "algorithms", "study"},
    "trace": {"algorithms"},
    "render": {"compiler", "algorithms", "solvers", "study", "play", "trace"},
    "tui": {"algorithms", "play", "trace", "render"},
    "cli": {"api", "compiler", "games", "algorithms", "solvers", "study", "play", "trace", "render", "tui"},
}
"""Each folder with those that it may import, besides itself and the files of CORE."""
CORE = {
    *("bits", "boards", "checking", "errors", "game", "known", "notation", "timeouts", "players", "questions"),
    *("pictures", "records", "interrupts", "registry", "specification", "parameterized", "own_files", "own_evaluation"),
    "notebook",
}
"""What everything else stands on: files that import no folder, but for where the games are found."""
OUTSIDE = {
    "rich": ("render", "tui", "cli"),
    "click": ("cli",),
    "textual": ("tui",),
    "numba": ("compiler",),
    "llvmlite": ("compiler",),
    "chess": ("games.chess", "play.engines"),
    "distributed": ("play.executors",),
}
"""Libraries that only some folders know."""


def imported(path: Path) -> set[str]:
    """The full names of all that a file imports, at its top, for types only, or inside a function."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, "imports are absolute"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if name in MODULES else node.module for name in names}
    return found


IMPORTS = {name: imported(path) for name, path in MODULES.items()}


@pytest.mark.parametrize("name", MODULES)
def test_imports_point_one_way(name: str) -> None:
    place = name.partition(".")[2]
    room = place.partition(".")[0]
    used = {each.split(".")[1] for each in IMPORTS[name] if each.startswith("gamesearch.")}
    if room in ROOMS:
        assert used <= ROOMS[room] | CORE | {room}
    elif room in CORE:
        assert used <= CORE | ({"games"} if room == "registry" else set())
    for library, places in OUTSIDE.items():
        if library in {each.split(".")[0] for each in IMPORTS[name]}:
            assert place.startswith(places)


def test_no_imports_go_in_a_circle() -> None:
    """Not even those for types alone."""
    circles: list[tuple[str, ...]] = []
    done: set[str] = set()

    def follow(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            circles.append(path[path.index(name) :])
        elif name not in done:
            for each in sorted(IMPORTS[name] & MODULES.keys()):
                follow(each, (*path, name))
            done.add(name)

    for name in MODULES:
        follow(name, ())
    assert not circles


def test_every_folder_is_a_known_room() -> None:
    assert {path.relative_to(ROOT).parts[0] for path in MODULES.values() if path.parent != ROOT} == set(ROOMS)


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
