"""The drawings of a searched tree as text: with windows and cutoffs, and as textbooks draw small trees."""

import io

import pytest
from recordings import TWO_PLY, near_the_root, recording_of
from rich.console import Console

from gamesearch.algorithms.engine.formatting import window_text
from gamesearch.registry import load
from gamesearch.render.trees.top_down import TopDownTree
from gamesearch.render.trees.tree import TreeView, tree_data


def draw(game: str, algorithm: str, position: str = "", plies: int = 3, width: int = 6) -> str:
    recording = near_the_root(game, algorithm, position, plies=plies, width=width)
    stream = io.TextIOWrapper(io.BytesIO(), "ascii")
    Console(file=stream, width=100, color_system=None).print(TreeView(recording, plies, width))
    stream.seek(0)
    return "\n".join(line.rstrip() for line in stream)


TICTACTOE = "tictactoe"


@pytest.mark.parametrize(
    ("game", "algorithm", "position", "size", "lines"),
    [
        (TWO_PLY, "alphabeta", "", (3, 6), ["Min [3, +inf] <= 2  cut: 2 moves not searched (b, c)"]),
        (TICTACTOE, "minimax(depth=3)", "", (1, 2), ["+-- 1  Min = 0  (64 nodes below)\n", "3 of 586 nodes drawn"]),
        # The numbers of nodes in the two gaps are unknown.
        ("[[1],[2],[3],[9],[4]]", "minimax", "", (1, 2), [" a ", "... 2 more searched\n", " d ", "... 1 more"]),
        ("[{1/2: [8,9], 1/2: [24,1]},{[3,4],[0,1]}]", "expectiminimax(pruning=star2)", "", (3, 6), ["<= 8  probe: "]),
        ("[(1,2,6),(4,2,3)]", "maxn", "", (3, 6), ["P1 = (4, 2, 3)\n+-- a  end = (1, 2, 6)"]),
        (
            TICTACTOE, "alphabeta(deepen=true, table=true, memory=1)", "X.O/.X./...", (9, 6),
            ["5 earlier iterations", "[-inf, +1 in 6]", "+1 in 6: a win for X"],
        ),
        (TICTACTOE, "alphabeta(depth=5, table=true, memory=1)", "", (5, 9), ["  estimate", "from the table"]),
    ],
)  # fmt: skip
def test_the_lines_of_nodes(game: str, algorithm: str, position: str, size: tuple[int, int], lines: list[str]) -> None:
    text = draw(game, algorithm, position, *size)
    places = [text.find(line) for line in lines]
    assert -1 not in places, text
    assert places == sorted(places)


def test_data() -> None:
    data = tree_data(near_the_root(TWO_PLY, "alphabeta"), 3, 6)
    assert data is not None
    assert (data["move"], data["side"], data["window"], data["value"]) == (None, "Max", [None, None], 3)
    cut = data["children"][1]
    assert (cut["move"], cut["window"], cut["bound"], cut["pruned"]) == ("b", [3, None], "upper", ["b", "c"])
    assert window_text(load("tree"), 0.0, 5e-324) == "[0, 0+]", "a null window has one number"


DRAWN = """\
              Max
    ┌──────────┴──────────┐
a chance                b Min
    │               ┌─────┴──────┐
  1 Max           a Max        b -2
 ┌──┴──┐      ┌─────┼─────┐
a 3   b 4   a 14   b 5   c 2"""
NARROW = """\
Max
├── a Min
│   ├── a 3
│   └── b 12
└── b 7"""


@pytest.mark.parametrize(
    ("tree", "width", "drawn"),
    [("[{max[3,4]},[max[14,5,2],-2]]", 60, DRAWN), ("[[3,12],7]", 14, NARROW), ("[7]", 9, "Max\n │\na 7")],
    ids=["chance", "narrow", "single"],
)
def test_a_tree_is_drawn_from_the_top_or_as_a_list(tree: str, width: int, drawn: str) -> None:
    recording = recording_of(tree, "expectiminimax(pruning=none)")
    assert recording.root is not None
    console = Console(width=width)
    with console.capture() as captured:
        console.print(TopDownTree(recording, recording.root))
    assert "\n".join(line.rstrip() for line in captured.get().rstrip().split("\n")) == drawn
