"""A recording that is written during the search is the same as one that is kept in memory."""

import errno
import io
from pathlib import Path
from typing import IO, Any

import pytest
from commands import complaint, output
from recordings import TWO_PLY

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.registry import load
from gamesearch.solvers.proof.watching import proof_to_watch, watch_proof
from gamesearch.trace.recorder import EventForwarder, Recorder

SEARCHES = [
    (TWO_PLY, "", "alphabeta"),
    ("tictactoe", "XO./X../...", "alphabeta(table=true, memory=1, deepen=true, depth=3)"),
    ("tictactoe", "XO./X../...", "pvs(depth=3)"),
    ("pig(target=6)", "", "expectiminimax(depth=3, pruning=star2)"),
    ("tictactoe", "XO./X../...", "mcts(playouts=40)"),
    ("tictactoe", "XO./X../...", "bestfirst(expansions=30)"),
    ("pig(target=8)", "", "beliefs(expansions=9)"),
    ("tictactoe", "XO./X../..O", "proof(search=pn)"),
    ("checkers(size=4)", "W:W4,5:B1,6", "proof(search=graph)"),
]


def recorders_of(
    game: str, position: str, asked: str, most: int, nodes: int | None
) -> tuple[Recorder, Recorder, bytes]:
    """Record one search in memory and in a file."""
    rules, state = load(game).setup(position)
    file = io.BytesIO()
    algorithm: Any = proof_to_watch(rules, state, asked) if asked.startswith("proof") else load_algorithm(asked)
    kept, written = Recorder(rules, state, algorithm, most), Recorder(rules, state, algorithm, most, file)
    observer = EventForwarder(kept, written)
    if asked.startswith("proof"):
        result = watch_proof(rules, state, algorithm, observer, nodes=nodes)
    else:
        result = search(rules, state, algorithm, limits=Limits(nodes=nodes), observer=observer)
    kept.finish(result)
    written.finish(result)
    return kept, written, file.getvalue()


@pytest.mark.parametrize("nodes", [None, 25])
@pytest.mark.parametrize("most", [10_000, 12])
@pytest.mark.parametrize(("game", "position", "asked"), SEARCHES)
def test_what_is_written_is_what_is_kept(game: str, position: str, asked: str, most: int, nodes: int | None) -> None:
    kept, written, text = recorders_of(game, position, asked, most, nodes)
    assert text.decode() == kept.log.recording.text
    assert written.log.recording.end == kept.log.recording.end
    assert written.log.recording.events == []
    assert not any(node.board or len(node.value_history) > 1 for node in written.log.recording.nodes.values())


def test_no_node_of_a_depth_first_search_is_kept() -> None:
    _, written, text = recorders_of("tictactoe", "XO./X../...", "minimax", 10_000, None)
    assert text.count(b'"enter"') > 100
    assert written.log.recording.nodes == {}


def test_a_search_that_fails_leaves_no_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "search.trace"
    path.write_text("mine")
    own = tmp_path / "failing.py"
    own.write_text(
        "def search(game, state, depth):\n"
        "    if depth == 0:\n        raise RuntimeError('no value')\n"
        "    return max(search(game, game.result(state, m), depth - 1) for m in game.moves(state))\n"
    )
    complaint(capsys, "analyze", "tictactoe", "-a", f"{own}(depth=2)", "--trace", str(path), "--force")
    assert path.read_text() == "mine"
    assert {each.name for each in tmp_path.iterdir()} <= {"search.trace", "failing.py", "__pycache__"}


def test_a_full_disk_is_said_in_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Path.open

    class Full(io.RawIOBase):
        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    def opened(path: Path, mode: str = "r", *arguments: Any, **options: Any) -> IO[Any]:
        if "unfinished" not in path.name:
            return before(path, mode, *arguments, **options)
        path.touch()
        return io.BufferedWriter(Full())

    monkeypatch.setattr(Path, "open", opened)
    path = tmp_path / "search.trace"
    assert "no space left on device" in complaint(capsys, "analyze", "tictactoe", "--depth", "3", "--trace", str(path))
    assert list(tmp_path.iterdir()) == []


def test_a_trace_is_printed_as_it_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "search.trace"
    output(capsys, "analyze", TWO_PLY, "--trace", str(path))
    assert output(capsys, "analyze", TWO_PLY, "--trace", "-") == path.read_text()
