"""The tests use the oldest allowed versions of libraries; for Numba and NumPy, also the newest allowed versions."""

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ALLOWED = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["dependencies"]


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
