"""A wheel works in an empty environment, and the tests use the oldest allowed versions of libraries."""

import json
import os
import re
import subprocess
import sys
import tomllib
import venv
import zipfile
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ALLOWED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]


def called(*command: str | Path, **options: object) -> str:
    """Return the output of a command; if the command fails, fail with its error message."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "COV"))}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, **options)  # type: ignore[call-overload]
    assert run.returncode == 0, run.stdout + run.stderr
    return str(run.stdout)


@pytest.mark.slow
def test_the_wheel_works_from_another_folder(tmp_path: Path) -> None:
    called(sys.executable, "-m", "build", "--wheel", "--outdir", tmp_path, ROOT)
    (wheel,) = tmp_path.glob("gamesearch-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert "gamesearch/py.typed" in names
    sources = {f"gamesearch/{path.relative_to(ROOT / 'gamesearch')}" for path in (ROOT / "gamesearch").rglob("*.*")}
    sources = {name for name in sources if "__pycache__" not in name}
    assert sources <= set(names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert all(name.startswith("gamesearch") for name in names)
    venv.create(tmp_path / "empty")
    python = tmp_path / "empty" / "bin" / "python"
    pip = sys.executable, "-m", "pip", "--python", python, "--quiet", "--disable-pip-version-check"
    called(*pip, "install", "--no-compile", wheel)  # only modules that are imported are compiled to bytecode
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    program = tmp_path / "empty" / "bin" / "gamesearch"
    answer = json.loads(called(program, "analyze", "tictactoe", "--speed", "compiled", "--json", cwd=elsewhere))
    assert (answer["value"], answer["statistics"]["nodes"], answer["statistics"]["speed"]) == (0, 18_297, "compiled")
    listed = called(python, "-m", "gamesearch", "games", cwd=elsewhere)
    assert "connect4" in listed


def test_lowest_versions_agree_with_pyproject() -> None:
    lowest = dict(re.findall(r"^([a-z]+)>=([0-9.]+)", "\n".join(ALLOWED), re.MULTILINE))
    tested = dict(line.split("==") for line in (ROOT / "tests" / "lowest.txt").read_text().split())
    assert tested.keys() == lowest.keys()
    assert all(re.fullmatch(rf"{re.escape(lowest[name])}(\.0)*", version) for name, version in tested.items())


def numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")[:2]))


@pytest.mark.parametrize("name", ["numba", "numpy"])
def test_versions_of_the_compiler_are_allowed_as_far_as_they_are_tested(name: str) -> None:
    (allowed,) = (each for each in ALLOWED if each.startswith(f"{name}>"))
    found = re.fullmatch(rf"{name}>=(\d+\.\d+),<(\d+\.\d+)", allowed)
    assert found, f"{allowed} should end at a minor version"
    oldest, beyond, installed = numbers(found[1]), numbers(found[2]), numbers(metadata.version(name))
    assert oldest <= installed < beyond
