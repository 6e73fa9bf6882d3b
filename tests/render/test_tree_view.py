"""The drawing of a searched tree as text, at a fixed width."""

import io

from recordings import TWO_PLY, near_the_root
from rich.console import Console

from gamesearch.algorithms.engine.formatting import window_text
from gamesearch.registry import load
from gamesearch.render.trees.tree import TreeView, tree_data


def drawn(
    game: str, algorithm: str, position: str = "", plies: int = 3, width: int = 6, only_ascii: bool = True, **more: int
) -> str:
    recording = near_the_root(game, algorithm, position, plies=plies, width=width, **more)
    stream = io.TextIOWrapper(io.BytesIO(), "ascii" if only_ascii else "utf-8")
    Console(file=stream, width=100, color_system=None).print(TreeView(recording, plies, width))
    stream.seek(0)
    return "\n".join(line.rstrip() for line in stream)


def test_ascii_is_ascii() -> None:
    text = drawn(TWO_PLY, "alphabeta")
    assert "Min [3, +inf] <= 2  cut: 2 moves not searched (b, c)" in text


def test_omitted_nodes_are_counted() -> None:
    text = drawn("tictactoe", "minimax(depth=3)", plies=1, width=2)
    assert "+-- 1  Min = 0  (64 nodes below)" in text
    assert "`-- ... 7 more searched, 455 nodes" in text
    assert text.endswith("3 of 586 nodes drawn, 583 left out (--plies 1, --width 2)")


def test_gaps_are_shown_in_place_of_omitted_children() -> None:
    lines = drawn("[[1],[2],[3],[9],[4]]", "minimax", plies=1, width=2).splitlines()
    assert [line[4:].split()[0] for line in lines[2:6]] == ["a", "...", "d", "..."]
    assert "nodes" not in lines[3], "the numbers of nodes in the two gaps are unknown"


def test_probes_are_marked() -> None:
    text = drawn("[{1/2: [8,9], 1/2: [24,1]},{[3,4],[0,1]}]", "expectiminimax(pruning=star2)")
    assert "Min [1, 24] <= 8  probe" not in text
    assert "<= 8  probe: only the first move is searched" in text


def test_more_than_two_players_have_no_windows() -> None:
    assert "P1 = (4, 2, 3)\n+-- a  end = (1, 2, 6)" in drawn("[(1,2,6),(4,2,3)]", "maxn")


def test_iterations_table_and_wins() -> None:
    text = drawn("tictactoe", "alphabeta(deepen=true, table=true, memory=1)", "X.O/.X./...", plies=9)
    assert "iteration to depth 6 (run interpreted to record each node); 5 earlier iterations not shown" in text
    assert "[-inf, +1 in 6]" in text
    assert text.endswith("+1 in 6: a win for X, 6 plies from the root")


def test_table_hits_are_marked() -> None:
    text = drawn("tictactoe", "alphabeta(depth=5, table=true, memory=1)", plies=5, width=9)
    assert "from the table" in text
    assert "  estimate" in text


def test_a_null_window() -> None:
    assert window_text(load("tree"), 0.0, 5e-324) == "[0, 0+]"


def test_data() -> None:
    data = tree_data(near_the_root(TWO_PLY, "alphabeta"), 3, 6)
    assert data is not None
    assert (data["move"], data["side"], data["window"], data["value"]) == (None, "Max", [None, None], 3)
    cut = data["children"][1]
    assert (cut["move"], cut["window"], cut["bound"], cut["pruned"]) == ("b", [3, None], "upper", ["b", "c"])
