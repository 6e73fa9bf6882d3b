"""The oldest versions that are tested are the oldest that are allowed."""

import re
import tomllib
from pathlib import Path


def test_lowest_versions_are_those_of_pyproject() -> None:
    root = Path(__file__).parents[1]
    allowed = tomllib.loads((root / "pyproject.toml").read_text())["project"]["dependencies"]
    lowest = dict(re.findall(r"^([a-z]+)>=([0-9.]+)", "\n".join(allowed), re.MULTILINE))
    tested = dict(line.split("==") for line in (root / "tests" / "lowest.txt").read_text().split())
    assert tested.keys() == lowest.keys()
    assert all(re.fullmatch(rf"{re.escape(lowest[name])}(\.0)*", version) for name, version in tested.items())
