"""Run the commands of `docs/reference/strength.md`: `make strength`, or `make strength ARGS=10` for 10 games each.

Opponents that are not installed are skipped.
"""

import importlib.util
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parents[1] / "docs" / "reference" / "strength.md"
BLOCK = re.compile(r"^```\n(.*?)^```", re.DOTALL | re.MULTILINE)
PLAYER = re.compile(r"\b(?:uci|gtp)\(path=\W?([\w-]+)|\b(gnubg)\(")
"""A player that is another program, and the name of this program."""
GAMES = re.compile(r"(--games |benchmarks\.book match )\d+")


def commands() -> list[str]:
    """The commands of the page, each in one line."""
    blocks = BLOCK.findall(PAGE.read_text(encoding="utf-8"))
    return [line for block in blocks for line in block.replace("\\\n", " ").splitlines()]


def opponent_of(command: str) -> str:
    """The program or module that plays against gamesearch."""
    found = PLAYER.search(command)
    return "bitbully" if found is None else found[1] or found[2]


def main(games: str = "") -> None:
    """Run each command whose opponent is installed, with another number of games if `games` is given."""
    for command in commands():
        print(f"\n{command}", flush=True)
        opponent = opponent_of(command)
        if not shutil.which(opponent) and importlib.util.find_spec(opponent) is None:
            print(f"skipped: {opponent} is not installed")
            continue
        words = shlex.split(GAMES.sub(rf"\g<1>{games}", command) if games else command)
        words = words[1:] if words[0] == "python" else ["-m", *words]
        subprocess.run([sys.executable, *words], check=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
