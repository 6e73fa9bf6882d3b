"""A second Python version, for tests that compare gamesearch in two Python versions.

`python tests/other_python.py` installs gamesearch for this second version.
"""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
PYPROJECT = ROOT / "pyproject.toml"
FOLDER = ROOT / ".venv-other"
OTHER = FOLDER / "bin" / "python"
READY = FOLDER / "tested"
PACKAGES = ("pytest>=9,<9.2", "pytest-xdist>=3.5", "hypothesis>=6.100")
MISSING = "gamesearch is not installed for a second version of Python: `make test` looks for one, such as python3.12"


def candidates() -> Iterator[str]:
    """Yield the other Python versions of pyproject.toml that are on the path or that pyenv has installed."""
    own = "{}.{}".format(*sys.version_info)
    versions = re.findall(r"Python :: (3\.\d+)", PYPROJECT.read_text())
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    for version in sorted(set(versions) - {own}, key=lambda each: int(each.partition(".")[2])):
        places = [shutil.which(f"python{version}"), *map(str, sorted(pyenv.glob(f"{version}.*/bin/python")))]
        for python in filter(None, places):
            asked = [python, "-c", "import sys, venv, ensurepip; print('{}.{}'.format(*sys.version_info))"]
            answer = subprocess.run(asked, capture_output=True, text=True)
            if answer.stdout.strip() == version:
                yield python


def is_ready() -> bool:
    """Whether the second version has gamesearch and all packages that the current pyproject.toml requires."""
    return OTHER.exists() and READY.exists() and READY.read_text() == PYPROJECT.read_text()


def install() -> str:
    """Install gamesearch for a second Python version, if this is necessary.

    Return the reason if the installation fails, otherwise an empty text.
    """
    if is_ready():
        return ""
    python = next(candidates(), None)
    if python is None:
        return "no other supported Python was found"
    print(f"installing into {FOLDER.name} for {python}, once", file=sys.stderr, flush=True)
    pip = [str(OTHER), "-m", "pip", "install", "--quiet", "--no-compile", "--disable-pip-version-check"]
    for command in ([python, "-m", "venv", "--clear", str(FOLDER)], [*pip, "--editable", str(ROOT), *PACKAGES]):
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            return f"{' '.join(command[1:4])} failed: {(done.stderr.strip().splitlines() or [''])[-1]}"
    READY.write_text(PYPROJECT.read_text())
    return ""


if __name__ == "__main__":
    if reason := install():
        print(f"tests with a second version of Python are skipped: {reason}", file=sys.stderr)
