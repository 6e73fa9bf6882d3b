"""Small trees as textbooks draw them."""

import pytest
from recordings import recorded
from rich.console import Console

from gamesearch.render.trees.top_down import TopDownTree

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
    recording = recorded(tree, "expectiminimax(pruning=none)")
    assert recording.root is not None
    console = Console(width=width)
    with console.capture() as captured:
        console.print(TopDownTree(recording, recording.root))
    assert "\n".join(line.rstrip() for line in captured.get().rstrip().split("\n")) == drawn
