"""Write every generated file again: `make generated`.

The generated files are the tables and the list of commands of the README, the picture of all boards, the signature of
all searches, the recorded traces, the woven text of the textbook functions, and the outputs of commands in lessons.
Tests compare each generated file with the current output of the program. `git diff` shows what changed.
"""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

from gamesearch.cli import GROUPS

__all__ = ["main", "replace_commands", "replace_table"]

ROOT = Path(__file__).parents[1]
WRITE = "GAMESEARCH_WRITE"
"""An environment variable; if it is set, the tests in WRITING write their files before they compare them."""
WRITING = (
    "tests/lessons/test_lessons.py",
    "tests/test_weaving.py",
    "tests/trace/test_recorded_before.py",
)


def output_of(*arguments: str) -> str:
    """Return the output of a gamesearch command."""
    command = [sys.executable, "-m", "gamesearch", *arguments]
    return subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout


def replace_table(text: str, command: str, table: str) -> str:
    """Return the text with a new table between the comment that names the table's command and the next comment."""
    mark = f"printed by: gamesearch {command} -->\n"
    before, found, rest = text.partition(mark)
    if not found:
        raise ValueError(f"no table is {mark.strip()}")
    return f"{before}{mark}{table.strip()}\n{rest[rest.index('<!--') :]}"


def replace_commands(text: str) -> str:
    """Return the README's text with an updated list of all commands, in the groups of `gamesearch --help`."""
    groups = "; ".join(", ".join(f"`{name}`" for name in commands) for commands in GROUPS.values())
    before, mark, rest = text.partition("**All commands**: ")
    paragraph, end, after = rest.partition("\n\n")
    _, _, sentences = " ".join(paragraph.split()).partition(". ")
    return before + textwrap.fill(f"{mark}{groups}. {sentences}", 120, break_on_hyphens=False) + end + after


def main() -> None:
    """Write all generated files."""
    readme = ROOT / "README.md"
    text = readme.read_text(encoding="utf-8")
    for name in ("games", "algorithms"):
        text = replace_table(text, f"{name} --markdown", output_of(name, "--markdown"))
    readme.write_text(replace_commands(text), encoding="utf-8")
    subprocess.run([sys.executable, "docs/pictures/boards.py"], cwd=ROOT, check=True)
    signature = output_of("bench", "--signature", "--json")
    (ROOT / "tests" / "signature.json").write_text(signature, encoding="utf-8")
    command = [sys.executable, "-m", "pytest", "-n", "auto", *WRITING]
    subprocess.run(command, cwd=ROOT, check=True, env=os.environ | {WRITE: "1"})


if __name__ == "__main__":
    main()
