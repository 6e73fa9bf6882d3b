"""How a saved search is displayed."""

import io
from pathlib import Path
from typing import Any

import pytest
from commands import Cli
from recordings import TWO_PLY, record_twice, recording_of
from rich.console import Console

from gamesearch.commands.visualizing.show import RecordingView, recording_data
from gamesearch.render.trees.tree import TreeView, tree_data
from gamesearch.trace.recording import Recording


def draw(recording: Recording, plies: int = 3, width: int = 6, only_ascii: bool = True) -> str:
    return show(RecordingView(TreeView(recording, plies, width), has_board=True), "ascii" if only_ascii else "utf-8")


def show(view: RecordingView | TreeView, encoding: str = "utf-8") -> str:
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    Console(file=stream, width=200, color_system=None).print(view)
    stream.seek(0)
    return "\n".join(line.rstrip() for line in stream)


def test_the_textbooks_search() -> None:
    assert (
        draw(recording_of(TWO_PLY, "alphabeta"), only_ascii=False)
        == """\
root: Max to move
  a  [3,12,8]
  b  [2,4,6]
  c  [14,5,2]

game      tree(text=[[3,12,8],[2,4,6],[14,5,2]])
position  root  Max to move
value     3
best      a
line      a a

alphabeta
11 nodes, 7 leaves, 2 cutoffs

the searched tree to the end of the game (run interpreted to record each node)
Max [−∞, +∞] = 3
├── a  Min [−∞, +∞] = 3
│   ├── a  end [−∞, +∞] = 3
│   ├── b  end [−∞, 3] = 12
│   └── c  end [−∞, 3] = 8
├── b  Min [3, +∞] ≤ 2  cut: 2 moves not searched (b, c), because a gives Max 3 at the root
│   └── a  end [3, +∞] = 2
└── c  Min [3, +∞] = 2  cutoff at the last move, because a gives Max 3 at the root
    ├── a  end [3, +∞] = 14
    ├── b  end [3, 14] = 5
    └── c  end [3, 5] = 2
all 11 nodes drawn"""
    )


@pytest.mark.parametrize(
    ("game", "position", "algorithm", "plies", "width"),
    [
        (TWO_PLY, "", "alphabeta", 3, 6),
        ("[[1],[2],[3],[9],[4]]", "", "minimax", 1, 2),
        ("tictactoe", "X.O/.X./...", "alphabeta(deepen=true, table=true, memory=1)", 3, 2),
        ("tictactoe", "X.O/.X./...", "alphabeta(table=true, memory=1, window=null)", 2, 9),
        ("pig(target=12)", "", "expectiminimax(depth=3, pruning=star1)", 2, 4),
        ("pig(target=6)", "", "expectiminimax(depth=2)", 2, 4),
        ("[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]]", "", "maxn", 3, 6),
    ],
)
def test_the_saved_tree_is_the_watched_tree(game: str, position: str, algorithm: str, plies: int, width: int) -> None:
    watched, saved, _ = record_twice(game, algorithm, position, plies=plies, width=width)
    assert tree_data(saved, plies, width) == tree_data(watched, plies, width) is not None
    assert show(TreeView(saved, plies, width)) == show(TreeView(watched, plies, width))


@pytest.mark.parametrize(
    ("recording", "texts"),
    [
        (
            recording_of("tictactoe", "minimax(depth=2)", most=20),
            ["20 nodes recorded, 62 left out\n", "`-- ... 8 nodes, not recorded\n`-- ... 54 nodes, not recorded\n"],
        ),
        (
            recording_of("tictactoe", "minimax", nodes=50),
            ["X (Max) to move", "value     unknown", "the search was stopped (nodes)", "Max  not finished"],
        ),
        (
            recording_of("tictactoe", "alphabeta(deepen=true)", nodes=300),
            ["2 earlier iterations not shown; ", "1 later iteration not shown"],
        ),
        (
            recording_of("{1/2: 8, 1/3: 24, 1/6: -12}", "expectiminimax"),
            ["chance decides next", "+-- b (1/3)  end [-inf, +inf] = 24"],
        ),
        (recording_of("tictactoe", "random"), ["this search has no tree: the algorithm visits no nodes"]),
    ],
    ids=["left out", "stopped", "iterations", "chance", "no tree"],
)
def test_messages_name_the_shown_part_of_a_search(recording: Recording, texts: list[str]) -> None:
    text = draw(recording, width=9)
    assert [each for each in texts if each not in text] == []


def test_data() -> None:
    data = recording_data(recording_of(TWO_PLY, "alphabeta"), 1, 6)
    assert (data["value"], data["best"], data["line"], data["cutoffs"]) == (3, "a", ["a", "a"], 2)
    assert [child["bound"] for child in data["tree"]["children"]] == ["exact", "upper", "exact"]


@pytest.mark.parametrize("option", ["--moves none", "--values-only"])
def test_data_without_moves_name_no_move(cli: Cli, tmp_path: Path, option: str) -> None:
    recording = recording_of("tictactoe", "alphabeta", "XO./.X./..O")
    moves = {str(node.move) for node in recording.nodes.values() if node.move is not None}
    moves.update(move for node in recording.nodes.values() for move in node.pruned)
    file = tmp_path / "a.trace"
    file.write_text(recording.text, encoding="utf-8")

    def words(data: Any) -> set[str]:
        below = data.values() if isinstance(data, dict) else data if isinstance(data, list) else ()
        return {data} if isinstance(data, str) else set().union(*map(words, below))

    assert moves & words(cli.data(f"show {file}"))
    assert not moves & words(cli.data(f"show {file} {option}"))
    assert '"pruned": [\n' in cli.output(f"show {file} {option} --json"), "pruned moves are still counted"
