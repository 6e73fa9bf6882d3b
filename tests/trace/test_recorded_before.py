"""Searches recorded by an earlier version can still be read, and this version records them in the same way.

`make generated` writes the stored traces again, as described in `write_generated.py`.
"""

import os
from pathlib import Path

import pytest
from database_support import build_database
from recordings import trace_of

from gamesearch.commands.measuring.bench.signature import SMALLER, kind_of
from gamesearch.registry import game_names, load
from gamesearch.render.exports.html import export as html_page
from gamesearch.trace.reading import read_recording

TRACES = Path(__file__).parent.parent / "traces"
ALGORITHMS = {
    "one player or two": "alphabeta(deepen=true, table=true, memory=1, order=game+previous+killer)",
    "chance": "expectiminimax(depth=3, pruning=star2, order=generated)",
    "more players": "maxn(depth=3)",
}
"""For each kind of game, the algorithm of the search that is recorded."""
NODES, MOST = 60, 40
"""The number of nodes to visit, and the number of nodes to record."""
FROM_THE_START = ("gomoku", "tree")
"""Games searched from the start, because their example position is on a larger board or already over."""
ENDINGS = {"ending_alone": "", "ending_with_database": ", database=endings"}
"""Traces of an ending of checkers, with and without a database. Both searches visit at most 300 nodes."""
TABLE = "alphabeta(deepen=true, table=true, memory=1"
NAMES = [
    *(name for name in game_names() if "GAMESEARCH_WRITE" in os.environ or (TRACES / f"{name}.trace").exists()),
    *ENDINGS,
]


def today(name: str) -> str:
    """Record a search with the present version, and return the text of the recording."""
    if name in ENDINGS:
        build_database(load("checkers(size=4)"), "3", Path("endings"))
        return trace_of("checkers(size=4)", f"{TABLE}{ENDINGS[name]})", "W:W4,5:B1,6", most=100, nodes=300)
    text = SMALLER.get(name, name)
    game = load(text)
    position = "" if name in FROM_THE_START else game.example
    return trace_of(text, ALGORITHMS[kind_of(game)], position, most=MOST, nodes=NODES)


@pytest.mark.parametrize("name", NAMES)
def test_a_search_is_recorded_as_in_earlier_versions(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file, text = TRACES / f"{name}.trace", today(name)
    if "GAMESEARCH_WRITE" in os.environ:
        file.write_text(text)
    is_same = text == file.read_text()
    assert is_same, "run `make generated` if the search was meant to change"


@pytest.mark.parametrize("name", NAMES)
def test_traces_of_earlier_versions_can_be_read(name: str) -> None:
    recording = read_recording((TRACES / f"{name}.trace").read_text())
    root = recording.root
    assert root is not None
    assert len(list(recording.below(root.number))) > 1
    page = html_page(recording)
    assert "</html>" in page


def test_the_traces_show_the_gain_by_a_database() -> None:
    alone, known = (read_recording((TRACES / f"{name}.trace").read_text()) for name in ENDINGS)
    assert [alone.end[name] for name in ("nodes", "stopped", "distance", "shown")] == [300, "nodes", None, "+0.01"]
    assert [known.end[name] for name in ("nodes", "stopped", "distance", "shown")] == [94, "", 14, "+100"]
    assert "database" in {node.kind for node in known.nodes.values()}
    assert "database" not in {node.kind for node in alone.nodes.values()}
