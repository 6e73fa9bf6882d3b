"""Replay files of other programs, and damaged files, and compare the answers of gamesearch with the right ones.

    PYTHONPATH=tests python -m replay_files ../shared/data

prints, for each file in the folders `foreign_files` and `damaged`, the command, the expected answer and the actual
one, and ends with code 1 if one differs or if a file has no expectation.

To add a file, add a `Case` to CASES: its path below the folder, the words of a command with FILE for the path, the exit
code, and texts that the answer must contain. A text that begins with `not ` must be absent. `about` says the right
answer in a sentence. Several cases may use one file.
"""

import contextlib
import io
import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gamesearch.cli import run

__all__ = ["CASES", "Case", "differences", "replay"]

FILE = "FILE"
SUITE = ("suite", FILE, "--depth", "2", "--speed", "interpreted")
RATINGS = ("ratings", FILE)
PLAY = ("play", FILE, "--plain", "--speed", "interpreted", "--max", "random", "--min", "random")
ANALYZE = ("analyze", FILE, "--depth", "1", "--speed", "interpreted")


@dataclass(frozen=True)
class Case:
    """A file, a command that reads it, and what has to come of it."""

    file: str
    about: str
    arguments: tuple[str, ...]
    code: int = 0
    texts: tuple[str, ...] = ()


CASES = (
    Case("foreign_files/s_bom.epd", "the byte order mark is skipped", SUITE, 0, ("1 of 1 position right",)),
)


def answer(case: Case, folder: Path) -> tuple[int, str]:
    """The exit code of a case's command, and all that it printed, in one line."""
    arguments = [str(folder / case.file) if each == FILE else each for each in case.arguments]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), contextlib.redirect_stderr(printed):
        code = run(arguments)
    return code, re.sub(r"\s+", " ", printed.getvalue())


def differences(case: Case, code: int, said: str) -> list[str]:
    """What is not as expected."""
    found = [f"code {code} and not {case.code}"] if code != case.code else []
    for text in case.texts:
        is_absent = text.startswith("not ")
        if (text.removeprefix("not ") in said) == is_absent:
            found.append(f"{text.removeprefix('not ')!r} is {'there' if is_absent else 'missing'}")
    return found


def replay(folder: Path) -> Iterator[tuple[Case, int, str, list[str]]]:
    """Yield each case whose file is there, with the code and the text of the answer, and what is not as expected."""
    for case in CASES:
        if (folder / case.file).is_file():
            code, said = answer(case, folder)
            yield case, code, said, differences(case, code, said)


def unexpected(folder: Path) -> list[str]:
    """The files without a case."""
    known = {case.file for case in CASES}
    found = (path.relative_to(folder).as_posix() for part in ("foreign_files", "damaged") for path in folder.glob(f"{part}/*"))
    return sorted(name for name in found if name not in known and not name.endswith(".md"))


def main(folder: Path) -> int:
    """Print all answers; 1 if something is not as expected."""
    wrong = 0
    for case, code, said, problems in replay(folder):
        wrong += bool(problems)
        print(f"{case.file}: {' '.join(case.arguments)}")
        print(f"  expected: {case.about} (code {case.code})")
        print(f"  actual:   {said[:300].strip()} (code {code})")
        print(f"  {'DIFFERENT: ' + '; '.join(problems) if problems else 'match'}")
    for name in unexpected(folder):
        wrong += 1
        print(f"{name}: NO EXPECTATION")
    print(f"{wrong} different" if wrong else "all match")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
