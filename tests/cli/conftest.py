"""What the tests of the commands are given."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from terminal import Terminal


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
