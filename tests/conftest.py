"""What all tests are given, and which of them share a worker."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal import Terminal


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a file on one worker, but for those that are in a group already.

    Two workers that meet the same rules and kernel at the same time compile both, some seconds each.
    """
    for item in items:
        if item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    """A shell that waits, in a terminal of its own."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    opened = Terminal(tmp_path)
    try:
        opened.wait_for("shell$")
        yield opened
    finally:
        opened.close()
