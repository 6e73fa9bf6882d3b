"""Run two `analyze` commands and draw their output as docs/pictures/analyze.svg."""

import io
import os
import subprocess
import sys
from pathlib import Path

from rich.ansi import AnsiDecoder
from rich.console import Console
from rich.text import Text

COMMANDS = (
    ["analyze", "connect4", "4453", "--algorithm", "alphabeta(depth=10, table=true, order=game)", "--multipv", "3"],
    ["analyze", "[[3,12,8],[2,4,6],[14,5,2]]", "--tree"],
)
WIDTH = 112


def main() -> None:
    """Run each command as on a color terminal, and keep the screen as SVG."""
    screen = Console(record=True, width=WIDTH, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    environment = {**os.environ, "FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm-256color", "PYTHONUTF8": "1"}
    for command in COMMANDS:
        shown = " ".join(f'"{word}"' if set(word) & set("([ ") else word for word in command)
        screen.print(Text.assemble(("$ ", "green"), f"gamesearch {shown}"))
        run = [sys.executable, "-m", "gamesearch", *command]
        printed = subprocess.run(run, check=True, capture_output=True, text=True, env=environment).stdout
        for line in AnsiDecoder().decode(printed):
            screen.print(line)
    picture = screen.export_svg(title="gamesearch")
    # The fonts come from the reader's own machine: the picture needs no network.
    start, end = picture.index("@font-face"), picture.rindex("@font-face")
    end = picture.index("}", end) + 1
    Path(__file__).with_name("analyze.svg").write_text(picture[:start] + picture[end:], encoding="utf-8")


if __name__ == "__main__":
    main()
