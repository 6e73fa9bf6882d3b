"""`gamesearch analyze --trace`, `gamesearch show` and `gamesearch export` on the command line."""

import io
import json
from pathlib import Path

import pytest
from commands import complaint
from recordings import TWO_PLY

from gamesearch.cli import run
from gamesearch.render.exports import exporter, suffixes
from gamesearch.render.trees.picture import PLAIN
from gamesearch.trace.reading import load_recording


@pytest.fixture
def trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The textbook's search, saved."""
    path = str(tmp_path / "search.trace")
    assert run(["analyze", TWO_PLY, "--trace", path]) == 0
    capsys.readouterr()
    return path


# Saving. -----------------------------------------------------------------------------------------
def test_a_trace_is_written_beside_the_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "search.trace")
    assert run(["analyze", TWO_PLY, "--tree", "--trace", path]) == 0
    captured = capsys.readouterr()
    assert "+-- b  Min [3, +inf] <= 2" in captured.out
    assert captured.err == f"{path}: 11 nodes recorded, 0 left out\n"
    assert len(load_recording(path).nodes) == 11


def test_only_so_many_nodes_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "search.trace")
    assert run(["analyze", "tictactoe", "-a", "minimax(depth=3)", "--trace", path, "--trace-nodes", "100"]) == 0
    assert "100 nodes recorded, 486 left out (--trace-nodes 100)" in capsys.readouterr().err


def test_a_stopped_search_is_a_whole_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "search.trace")
    assert run(["analyze", "tictactoe", "--nodes", "300", "--trace", path]) == 0
    capsys.readouterr()
    recording = load_recording(path)
    assert (recording.end["stopped"], len(recording.nodes)) == ("nodes", 300)
    assert run(["show", path, "--plies", "0"]) == 0
    assert "the search was stopped (nodes)" in capsys.readouterr().out


def test_verbose_says_why_it_is_slow(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", TWO_PLY, "--verbose", "--trace", str(tmp_path / "search.trace")]) == 0
    assert "so that --trace can watch each node" in capsys.readouterr().err


def test_nothing_is_overwritten_but_by_force(trace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = Path(trace).read_text()
    said = complaint(capsys, "analyze", "tictactoe", "--trace", trace)
    assert "exists already: name another file, or replace it with --force" in said
    svg = occupied(tmp_path)
    assert "exists already" in complaint(capsys, "export", trace, "--to", str(svg))
    assert Path(trace).read_text() == before
    assert run(["export", trace, "--to", str(svg), "--force"]) == 0
    assert svg.read_text().startswith("<svg")
    assert run(["analyze", "[1,2]", "--trace", trace, "-f"]) == 0
    assert len(load_recording(trace).nodes) == 3


def occupied(folder: Path) -> Path:
    path = folder / "tree.svg"
    path.write_text("mine")
    return path


def test_what_cannot_be_traced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "search.trace")
    words = complaint(capsys, "analyze", TWO_PLY, "--trace", path, "--speed", "compiled")
    assert "a trace is only written interpreted: leave out --trace or --speed compiled" in words
    assert "there is no search to trace" in complaint(capsys, "analyze", "tictactoe", "XXX/OO./...", "--trace", path)
    assert "there is no folder" in complaint(capsys, "analyze", TWO_PLY, "--trace", str(tmp_path / "a" / "b"))
    assert not Path(path).exists()


# Showing. ----------------------------------------------------------------------------------------
def test_show(trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", trace]) == 0
    text = capsys.readouterr().out
    assert text.isascii()
    assert "value     3\nbest      a\nline      a a\n" in text
    assert "cut: 2 moves not searched (b, c), as a gives Max 3 at the root" in text
    assert text.endswith("all 11 nodes drawn\n")


def test_show_less(trace: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["show", trace, "--plies", "1", "--width", "1"]) == 0
    assert "2 of 11 nodes drawn, 9 left out (--plies 1, --width 1)" in capsys.readouterr().out
    assert run(["show", trace, "--plies", "0", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["algorithm"], data["nodes"], data["tree"]["children"]) == ("alphabeta", 11, [])


def test_a_trace_can_be_read(
    trace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(Path(trace).read_bytes()), encoding="utf-8"))
    assert run(["export", "-", "--to", str(tmp_path / "tree.dot")]) == 0
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe"), encoding="utf-8"))
    capsys.readouterr()
    assert "standard input is not a trace" in complaint(capsys, "show", "-")


# Drawing. ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("suffix", suffixes())
def test_every_format(suffix: str, trace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, sheet = tmp_path / f"tree{suffix}", tmp_path / f"sheet{suffix}"
    assert run(["export", trace, "--to", str(path)]) == 0
    assert capsys.readouterr().err == f"{path}: 11 nodes drawn\n"
    assert run(["export", trace, "--to", str(sheet), "--blank"]) == 0
    write = exporter(suffix)
    assert path.read_text(encoding="utf-8") == write(load_recording(trace), False, PLAIN)
    assert sheet.read_text(encoding="utf-8") != path.read_text(encoding="utf-8")


def test_less_is_drawn(trace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "tree.mmd"
    assert run(["export", trace, "--to", str(path), "--plies", "1", "--width", "2", "--nodes", "2"]) == 0
    assert capsys.readouterr().err == f"{path}: 2 nodes drawn\n"
    assert '"... 6 nodes"' in path.read_text(encoding="utf-8")


def test_what_is_wrong_in_a_sentence(trace: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    newer, short, cut = (tmp_path / name for name in ("newer", "short", "cut"))
    svg = str(tmp_path / "tree.svg")
    text = Path(trace).read_text()
    newer.write_text(text.replace('"version": 1', '"version": 2'))
    short.write_text(text[:-100])
    cut.write_text("".join(text.splitlines(keepends=True)[:-1]))
    assert "is cut off: its last line is not the end of the search" in complaint(capsys, "show", str(cut))
    assert "reads only up to 1" in complaint(capsys, "show", str(newer))
    assert "is broken at line 33" in complaint(capsys, "export", str(short), "--to", svg)
    assert "is not a trace of gamesearch" in complaint(capsys, "show", __file__)
    assert f"there is no file {tmp_path / 'none'}" in complaint(capsys, "show", str(tmp_path / "none"))
    *most, last = suffixes()
    assert f"it should end in {', '.join(most)} or {last}" in complaint(capsys, "export", trace, "--to", "tree.png")
    assert "missing option '--to'" in complaint(capsys, "export", trace)
    assert not Path(svg).exists()


def test_a_tree_too_large_for_a_format(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(tmp_path / "search.trace")
    assert run(["analyze", "tictactoe", "-a", "minimax(depth=3)", "--trace", path]) == 0
    capsys.readouterr()
    said = complaint(capsys, "export", path, "--to", str(tmp_path / "tree.mmd"))
    assert "585 edges" in said
    assert "--plies 2 or --nodes" in said
    assert "pixels large" in complaint(capsys, "export", path, "--to", str(tmp_path / "tree.tex"))
    assert run(["export", path, "--to", str(tmp_path / "tree.mmd"), "--plies", "2"]) == 0


def test_a_part_of_a_search_that_deepens_is_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, page = str(tmp_path / "search.trace"), str(tmp_path / "tree.html")
    assert run(["analyze", "tictactoe", "X../.../..O", "-a", "alphabeta(deepen=true)", "--trace", path]) == 0
    assert run(["export", path, "--to", page, "--plies", "1"]) == 0
    assert "The root is searched to depth 5." in Path(page).read_text()
