"""Draw the figures of docs/explanation/figures.md: figure-*.svg."""

import contextlib
import io
import tempfile
from pathlib import Path

from gamesearch.cli import run
from gamesearch.commands.visualizing.horizon import DEFAULT
from gamesearch.registry import load
from gamesearch.render.boards.svg import board_svg
from gamesearch.toolkit.pictures import picture

TWO_PLIES = "[[3,12,8],[2,4,6],[14,5,2]]"
FIGURES = {
    "minimax": ([TWO_PLIES, "-a", "minimax"], ["--no-title"]),
    "ranges": ([TWO_PLIES, "-a", "alphabeta"], ["--windows", "ranges", "--pruned", "--no-title"]),
    "tictactoe": (["tictactoe", "-a", "minimax", "--trace-plies", "2"], ["--boards", "--moves", "none"]),
    "chance": (["[{1/2: [3,5], 1/2: [1,9]}, 2.5]", "-a", "expectiminimax(pruning=none)"], []),
    "players": (["[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]]", "-a", "maxn"], []),
    "tree-search": ([TWO_PLIES, "-a", "mcts(playouts=12, seed=1, solver=false)"], []),
}
"""The arguments of `analyze` and `export` for each figure."""
HORIZON = "horizon"
"""The figure that shows only a position."""


def draw(name: str) -> str:
    """Return a figure as SVG."""
    if name == HORIZON:
        return board_svg(picture(*load(DEFAULT[0]).setup(DEFAULT[1])), "a pawn that will become a queen")
    searched, drawn = FIGURES[name]
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(io.StringIO()):
        trace, file = Path(folder) / "figure.trace", Path(folder) / "figure.svg"
        run(["analyze", *searched, "--trace", str(trace)])
        run(["export", str(trace), "--to", str(file), *drawn])
        return file.read_text(encoding="utf-8")


if __name__ == "__main__":
    for each in (*FIGURES, HORIZON):
        Path(__file__).with_name(f"figure-{each}.svg").write_text(draw(each), encoding="utf-8")
