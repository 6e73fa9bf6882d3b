"""A wheel is complete, and pyproject.toml declares the libraries and their tested versions."""

import json
import os
import re
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
ALLOWED = PROJECT["dependencies"]


def call(*command: str | Path, **options: object) -> str:
    """Return the output of a command; if the command fails, fail with its error message."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, **options)  # type: ignore[call-overload]
    assert run.returncode == 0, run.stdout + run.stderr
    return str(run.stdout)


@pytest.mark.slow
def test_the_wheel_works_from_another_folder(tmp_path: Path) -> None:
    call(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("gamesearch-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "gamesearch/py.typed" in names
    sources = {f"gamesearch/{path.relative_to(ROOT / 'gamesearch')}" for path in (ROOT / "gamesearch").rglob("*.*")}
    sources = {name for name in sources if "__pycache__" not in name}
    assert sources <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert all(name.startswith("gamesearch") for name in names)
    venv.create(tmp_path / "new")
    python, program = (tmp_path / "new" / "bin" / name for name in ("python", "gamesearch"))
    pip = sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"
    call(*pip, "install", "--no-compile", "--no-deps", wheel)
    (site,) = (tmp_path / "new" / "lib").glob("python*/site-packages")
    (site / "libraries.pth").write_text(sysconfig.get_path("purelib"))  # the libraries of this environment
    where = call(python, "-c", "import gamesearch; print(gamesearch.__file__)", cwd=tmp_path)
    assert Path(where.strip()).is_relative_to(site.resolve())
    answer = json.loads(call(program, "analyze", "nim", "--json", cwd=tmp_path))
    assert answer["value"] == 1


def test_all_imported_libraries_are_declared() -> None:
    imported = re.compile(r"^ *(?:import|from) (\w+)(?=[\w.]*(?: import\b| as\b|$))", re.MULTILINE)
    names = {name for path in (ROOT / "gamesearch").rglob("*.py") for name in imported.findall(path.read_text())}
    others = names - sys.stdlib_module_names - {"gamesearch", "llvmlite", "typing_extensions"}  # Numba has llvmlite
    declared = [
        *ALLOWED,
        *(each for extra in ("tui", "pdf", "cluster") for each in PROJECT["optional-dependencies"][extra]),
    ]
    libraries = {re.split(r"[>\[]", each)[0].replace("markdown-it-py", "markdown_it") for each in declared}
    assert {"click", "numba", "textual"} <= others <= libraries


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")[:2]))


def test_versions_are_allowed_as_far_as_they_are_tested() -> None:
    lowest = dict(re.findall(r"^([a-z]+)>=([0-9.]+)", "\n".join(ALLOWED), re.MULTILINE))
    tested = dict(line.split("==") for line in (ROOT / "tests" / "lowest.txt").read_text().split())
    assert tested.keys() == lowest.keys()
    assert all(re.fullmatch(rf"{re.escape(lowest[name])}(\.0)*", version) for name, version in tested.items())
    for name in ("numba", "numpy"):  # the next minor version is not allowed
        (allowed,) = (each for each in ALLOWED if each.startswith(f"{name}>"))
        found = re.fullmatch(rf"{name}>=(\d+\.\d+),<(\d+\.\d+)", allowed)
        assert found, f"{allowed} should end at a minor version"
        oldest, beyond, installed = numbers(found[1]), numbers(found[2]), numbers(metadata.version(name))
        assert oldest <= installed < beyond
