"""Searches recorded by an earlier version can still be read, and this version records them in the same way."""

import os
from pathlib import Path

import pytest
from recordings import written

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
GAMES = [name for name in game_names() if "GAMESEARCH_WRITE" in os.environ or (TRACES / f"{name}.trace").exists()]


def today(name: str) -> str:
    """Record the search of a game with the present version, and return the text of the recording."""
    text = SMALLER.get(name, name)
    game = load(text)
    position = "" if name in FROM_THE_START else game.example
    return written(text, ALGORITHMS[kind_of(game)], position, most=MOST, nodes=NODES)


@pytest.mark.parametrize("name", GAMES)
def test_a_search_is_written_down_as_before(name: str) -> None:
    file = TRACES / f"{name}.trace"
    if "GAMESEARCH_WRITE" in os.environ:
        file.write_text(today(name))
    is_same = today(name) == file.read_text()
    assert is_same, "run `make generated` if the search was meant to change"


@pytest.mark.parametrize("name", GAMES)
def test_older_traces_open(name: str) -> None:
    recording = read_recording((TRACES / f"{name}.trace").read_text())
    root = recording.root
    assert root is not None
    assert len(list(recording.below(root.number))) > 1
    page = html_page(recording)
    assert "</html>" in page
