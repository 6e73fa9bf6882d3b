"""`gamesearch analyze --trace`, `gamesearch show` and `gamesearch export` on the command line."""

import shutil
from pathlib import Path

import pytest
from commands import Cli
from recordings import TWO_PLY

from gamesearch.cli.recording import RecordingOptions
from gamesearch.errors import GamesearchError
from gamesearch.render.exports import exporter, suffixes
from gamesearch.render.trees.picture import PLAIN
from gamesearch.trace.reading import load_recording


@pytest.fixture
def trace(tmp_path: Path, cli: Cli) -> Path:
    """The trace of a search of the textbook's example tree."""
    path = tmp_path / "search.trace"
    cli.run("analyze", TWO_PLY, "--trace", path)
    return path


# Saving. -----------------------------------------------------------------------------------------
def test_a_trace_is_written_next_to_the_answer(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "search.trace"
    printed = cli.run("analyze", TWO_PLY, "--tree", "--verbose", "--speed", "auto", "--trace", path)
    assert "+-- b  Min [3, +inf] <= 2" in printed.out
    assert "can record each node" in printed.err
    assert f"{path}: 11 nodes recorded, 0 left out\n" in printed.err
    assert len(load_recording(str(path)).nodes) == 11


def test_a_limit_of_nodes_ends_a_trace_or_its_search(tmp_path: Path, cli: Cli) -> None:
    path, whole = tmp_path / "part.trace", tmp_path / "whole.trace"
    printed = cli.run("analyze tictactoe -a minimax(depth=3) --trace-nodes 100 --trace", path)
    assert "100 nodes recorded, 486 left out (--trace-nodes 100)" in printed.err
    cli.run("analyze tictactoe --nodes 300 --trace", whole)
    recording = load_recording(str(whole))
    assert (recording.end["stopped"], len(recording.nodes)) == ("nodes", 300)
    assert "the search was stopped (nodes)" in cli.output("show", whole, "--plies", 0)


def test_nothing_is_overwritten_without_force(trace: Path, tmp_path: Path, cli: Cli) -> None:
    before, svg = trace.read_text(), tmp_path / "tree.svg"
    assert "--force" in cli.refusal("analyze tictactoe --trace", trace)
    for command in (f"export {trace}", "compare [[3,12],[2,4]]", "graph 'nim(3, max_take=2)'"):
        svg.write_text("mine")
        assert "exists already" in cli.refusal(command, "--to", svg)
        assert (trace.read_text(), svg.read_text()) == (before, "mine")
        cli.run(command, "--to", svg, "--force")
        assert "<svg" in svg.read_text()
    other = tmp_path / "other.trace"
    options = RecordingOptions(False, 3, 6, str(other), 100)
    with pytest.raises(GamesearchError, match="exists already"), options.trace_file(overwrite=False):
        other.write_text("written by another process")
    assert other.read_text() == "written by another process"
    cli.run("analyze [1,2] --trace", trace, "-f")
    assert len(load_recording(str(trace)).nodes) == 3


# Showing. ----------------------------------------------------------------------------------------
def test_show(trace: Path, cli: Cli) -> None:
    text = cli.output("show", trace)
    assert text.isascii()
    assert "value     3\nbest      a\nline      a a\n" in text
    assert "cut: 2 moves not searched (b, c), because a gives Max 3 at the root" in text
    assert text.endswith("all 11 nodes drawn\n")
    text = cli.output("show", trace, "--plies", 1, "--width", 1)
    assert "2 of 11 nodes drawn, 9 left out (--plies 1, --width 1)" in text
    text = cli.output("show", trace, "--moves", "numbers", "--pruned")
    assert "best      1\nline      1 1\n" in text
    assert "cut: 2 moves not searched (2, 3), because 1 gives Max 3 at the root\n|   +-- 1  end" in text
    assert "|   +-- // 2  end = 4\n" in text
    text = cli.output("show", trace, "--moves", "letters", "--plies", 1)
    assert text.startswith("game ")
    assert "\nbest      a\nline      a a\n" in text
    text = cli.output("show", trace, "--moves", "none")
    assert text.startswith("game ")
    assert not {"best", "line", "a", "b", "c"} & set(text.split())
    assert "\n+-- Min [3, +inf] <= 2  cut: 2 moves not searched, because another move gives Max 3 at the root\n" in text
    text = cli.output("show", trace, "--values-only", "--plies", 1)
    assert "\nMax = 3\n+-- Min = 3\n+-- Min <= 2\n`-- Min = 2\n" in text
    data = cli.data("show", trace, "--plies", 0)
    assert (data["algorithm"], data["nodes"], data["tree"]["children"]) == ("alphabeta", 11, [])


# Drawing. ----------------------------------------------------------------------------------------
def test_every_format(trace: Path, tmp_path: Path, cli: Cli) -> None:
    for suffix in suffixes():
        path, sheet = tmp_path / f"tree{suffix}", tmp_path / f"sheet{suffix}"
        assert cli.run("export", trace, "--to", path).err == f"{path}: 11 nodes drawn\n"
        cli.run("export - --blank --to", sheet, typed=trace.read_bytes())
        assert path.read_text(encoding="utf-8") == exporter(suffix)(load_recording(str(trace)), False, PLAIN)
        assert sheet.read_text(encoding="utf-8") != path.read_text(encoding="utf-8")
    part = tmp_path / "part.mmd"
    printed = cli.run("export", trace, "--to", part, "--plies", 1, "--width", 2, "--nodes", 2)
    assert printed.err == f"{part}: 2 nodes drawn\n"
    assert '"... 6 nodes"' in part.read_text(encoding="utf-8")


def test_damaged_traces_and_wrong_names_are_refused(trace: Path, tmp_path: Path, cli: Cli) -> None:
    assert "standard input is not a trace" in cli.refusal("show -", typed=b"\xff\xfe")
    newer, short, cut = (tmp_path / name for name in ("newer", "short", "cut"))
    text = trace.read_text()
    newer.write_text(text.replace('"version": 1', '"version": 2'))
    short.write_text(text[:-100])
    cut.write_text("".join(text.splitlines(keepends=True)[:-1]))
    assert "is incomplete: its last line is not the end of the search" in cli.refusal("show", cut)
    assert "reads only up to 1" in cli.refusal("watch --trace", newer)
    assert "is broken at line 33" in cli.refusal("export", short, "--to", tmp_path / "tree.svg")
    assert "is not a trace of gamesearch" in cli.refusal("show", __file__)
    *most, last = suffixes()
    assert f"the name should end in {', '.join(most)} or {last}" in cli.refusal("export", trace, "--to", "tree.png")
    assert not (tmp_path / "tree.svg").exists()


@pytest.mark.parametrize("suffix", ["svg", "tex", "mmd", "html"])
def test_a_tree_too_large_for_a_format(suffix: str, tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The error message names the largest limits at which the tree fits on the page, and --fit uses these limits."""
    monkeypatch.setattr("gamesearch.render.exports.tex.LARGEST", 1400)
    monkeypatch.setattr("gamesearch.render.exports.svg.WIDEST", 1400)
    monkeypatch.setattr("gamesearch.render.exports.mmd.MOST_EDGES", 20)
    monkeypatch.setattr("gamesearch.render.exports.html.MOST_BOARDS", 20)
    boards = ["--boards"] * (suffix == "html")  # only boards limit the size of a page
    trace, file = tmp_path / "a.trace", tmp_path / f"tree.{suffix}"
    cli.run("analyze nim(2-2-1) -a minimax --trace", trace)
    said = cli.refusal("export", trace, "--to", file, *boards)
    assert "--fit draws the largest part" in said
    ways = said.split(": ")[-1].split(" fits")[0].split(" or ")
    assert [way.split()[0] for way in ways] == ["--plies", "--nodes"]
    for way in ways:
        flag, number = way.split()
        cli.run("export", trace, "--to", file, *boards, "--force", flag, number)
        assert "--fit" in cli.refusal("export", trace, "--to", file, *boards, "--force", flag, int(number) + 1)
    answer = cli.data("export", trace, "--to", file, *boards, "--force", "--fit")
    assert answer["limit"] == ways[0]
    assert 0 < answer["nodes"] < answer["searched"]


# Graphs. ------------------------------------------------------------------------------------------
SIX = ("nim(heaps=6, max_take=3)", "6", "6 min")


def test_a_graph_is_printed_or_told_as_json(cli: Cli) -> None:
    assert cli.output("graph", "nim(heaps=2, max_take=3)").splitlines() == [
        "position   player   value for Max   plies to end   best moves",
        "2          Max                 +1              1   a2",
        "1 min      Min                 -1              1   a1",
        "0 min      end                 +1              0",
        "0          end                 -1              0",
        "",
        "4 positions, 3 moves, 1 start",
    ]
    graph = cli.data("graph", *SIX)
    assert graph["starts"] == [0, 1]
    moves = [("a1", 5, "worse"), ("a2", 6, "best"), ("a3", 7, "worse")]
    assert graph["positions"][1] == {
        "position": "6 min", "player": "Min", "value": -1, "distance": 3, "best": ["a2"],
        "moves": [{"move": move, "to": to, "quality": quality} for move, to, quality in moves],
    }  # fmt: skip
    positions = cli.data("graph pig(target=1)")["positions"]
    assert positions[1]["player"] == "chance"
    assert [move["probability"] for move in positions[1]["moves"]] == pytest.approx([1 / 6] * 6)
    assert positions[0]["value"] == pytest.approx(6 / 7)  # five of six rolls win, otherwise the opponent rolls


def test_positions_are_joined_and_read_from_standard_input(cli: Cli) -> None:
    assert "6 positions" in cli.output("graph nim 2 '3 min'")
    assert "25 positions, 30 moves" in cli.output("graph tictactoe -", typed="XX./OO./..X\n")


needs_graphviz = pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz, which draws, is not installed")


@needs_graphviz
def test_it_is_drawn_in_a_file(tmp_path: Path, cli: Cli) -> None:
    for suffix, begins in (
        ("html", "<!DOCTYPE html>"),
        ("svg", "<svg "),
        ("tex", "\\documentclass"),
        ("dot", "digraph "),
    ):
        file = tmp_path / f"graph.{suffix}"
        assert cli.run("graph", *SIX, "--to", file) == ("", f"wrote {file}\n")
        assert file.read_text(encoding="utf-8").startswith(begins)


def test_without_graphviz_a_message_says_what_to_install(
    tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for suffix in ("svg", "html"):
        said = cli.refusal("graph", *SIX, "--to", tmp_path / f"graph.{suffix}")
        assert "this picture needs Graphviz, which is not installed: `apt install graphviz`" in said
    cli.run("graph", *SIX, "--to", tmp_path / "graph.dot")
    assert [file.name for file in tmp_path.iterdir()] == ["graph.dot"]
