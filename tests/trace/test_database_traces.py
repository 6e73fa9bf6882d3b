"""Traces of two searches of a position, with and without a database; both visit the same number of nodes.

`make generated` writes the stored traces again, as described in `write_generated.py`.
"""

import os
from pathlib import Path

import pytest
from database_support import built
from recordings import written

from gamesearch.registry import load
from gamesearch.trace.reading import read_recording

TRACES = Path(__file__).parent.parent / "traces"
GAME, POSITION, NODES, MOST = "checkers(size=4)", "W:W4,5:B1,6", 300, 100
"""The searched position, the number of nodes to visit, and the greatest number of nodes to record."""
SEARCHES = {
    "ending_alone": "alphabeta(deepen=true, table=true, memory=1)",
    "ending_with_database": "alphabeta(deepen=true, table=true, memory=1, database=endings)",
}


@pytest.mark.parametrize("name", SEARCHES)
def test_the_search_is_written_down_as_before(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    built(load(GAME), "3", Path("endings"))
    text = written(GAME, SEARCHES[name], POSITION, most=MOST, nodes=NODES)
    if "GAMESEARCH_WRITE" in os.environ:
        (TRACES / f"{name}.trace").write_text(text)
    assert text == (TRACES / f"{name}.trace").read_text()


def test_the_traces_show_the_gain_by_a_database() -> None:
    alone, known = (read_recording((TRACES / f"{name}.trace").read_text()) for name in SEARCHES)
    assert alone.end is not None
    assert known.end is not None
    assert [alone.end[name] for name in ("nodes", "stopped", "distance", "shown")] == [NODES, "nodes", None, "+0.01"]
    assert [known.end[name] for name in ("nodes", "stopped", "distance", "shown")] == [94, "", 14, "+100"]
    assert "database" not in {node.kind for node in alone.nodes.values()}
    assert "database" in {node.kind for node in known.nodes.values()}
