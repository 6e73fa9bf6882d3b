"""The files of `algorithms/students.txt`: small algorithms as students write them."""

import re
from pathlib import Path

__all__ = ["FILES"]


def student_files() -> dict[str, str]:
    """Return the source of each file by its name, such as `right/minimax`."""
    whole, *changes = re.split(
        r"^--- ", (Path(__file__).parent / "algorithms" / "students.txt").read_text(), flags=re.M
    )
    named = re.split(r"^=== (\S+)\n", whole, flags=re.M)[1:]
    sources = dict(zip(named[::2], named[1::2], strict=True))
    for part in changes:
        header, *hunks = re.split(r"^@@ -(\d+)(?:,(\d+))? .* @@\n", part, flags=re.M)
        base, name = re.findall(r"(\S+\.py)\b", header)
        lines = sources[base].splitlines()
        for first, count, hunk in reversed(list(zip(hunks[::3], hunks[1::3], hunks[2::3], strict=True))):
            removed = int(count or 1)
            start = int(first) - (removed > 0)
            lines[start : start + removed] = [line[1:] for line in hunk.splitlines() if line.startswith("+")]
        sources[name] = "\n".join(lines) + "\n"
    return {name.removesuffix(".py"): source for name, source in sorted(sources.items())}


FILES = student_files()
