"""What another version of Python finds, and reads: the same as this one."""

import os
import subprocess
from pathlib import Path

import pytest
from other_python import MISSING, OTHER, ROOT, is_ready

pytestmark = [
    pytest.mark.skipif(not is_ready(), reason=MISSING),
    pytest.mark.xdist_group("another version of Python"),
]

SHORT = "all_searches or ((tictactoe or pig or nim) and not known and not speeds) or (answer_alike and tictactoe)"
"""The signature of all searches, the rules of some games interpreted, and both speeds for one of them."""


def run_other(*arguments: object, folder: Path = ROOT) -> str:
    """What the other Python prints for these arguments."""
    command = [str(OTHER), "-m", *map(str, arguments)]
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "PYTHON"))}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_signature_and_conformance_hold_under_another_version() -> None:
    out = run_other(
        "pytest",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-k",
        SHORT,
        "tests/test_signature.py",
        "tests/test_conformance.py",
    )
    assert int(out.rpartition(" passed")[0].split()[-1]) > 50, out
