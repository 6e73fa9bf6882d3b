"""The page of a search by playouts: what it holds, and what a browser makes of it."""

from pathlib import Path

import pytest
from browser import driven, needs_browser
from recordings import recorded

from gamesearch.errors import GamesearchError
from gamesearch.render.exports.html import export as html_page
from gamesearch.render.exports.html import playout_data
from gamesearch.trace.stepping import Stepper


def test_the_page_holds_every_node_and_playout_once() -> None:
    recording = recorded("tictactoe", "mcts(playouts=400)", "XOX/.O./...")
    data = playout_data(recording)
    assert [row[1] for row in data["nodes"]] == list(recording.nodes)
    assert len(data["playouts"]) == recording.end["playouts"]
    assert all(isinstance(through, int) for through, _ in data["playouts"])
    proven = {number for _, number, _ in data["proofs"]}
    assert proven == {node.number for node in recording.nodes.values() if node.kind == "proven"}
    assert data["result"] == "The search is over: the value is 0, the best move 8."
    assert (data["least"], data["greatest"], data["signed"]) == (-1, 1, True)


def test_paths_that_are_no_paths_of_parents_are_written_out() -> None:
    data = playout_data(recorded("tictactoe", "mcts(playouts=300, transpositions=true, solver=false)"))
    assert any(isinstance(through, list) and len(through) == len(paid) for through, paid in data["playouts"])


def test_a_worksheet_of_playouts_is_a_picture() -> None:
    with pytest.raises(GamesearchError, match="leave out --blank"):
        html_page(recorded("tictactoe", "mcts(playouts=5)"), blank=True)


@needs_browser
def test_the_tree_is_sorted_folded_opened_and_grows(tmp_path: Path) -> None:
    recording = recorded("tictactoe", "mcts(playouts=600, solver=false)")
    root = recording.nodes[0]
    script = """
    const lines = () => words("#tree .move").length;
    const rest = () => all("#tree .node").filter((each) => each.textContent.includes("few playouts"));
    log.push(words("#tree .visits"), lines(), rest().length, words("#tree .value"));
    const before = lines();
    rest()[0].click();
    log.push(lines() - before, rest().length);
    press("r"); press("Home"); for (let i = 0; i < 40; i++) press("ArrowRight");
    log.push(words("#count")[0], words("#tree .visits"), words("#facts dd"));
    press("ArrowLeft"); log.push(words("#tree .visits")[0]);
    press("End"); press("ArrowDown"); log.push(words("#path")[0], words("[aria-selected=true] .move")[0]);
    press("Enter"); log.push(lines() < before);
    """
    visits, lines, rest, values, more, rest_after, count, early, facts, back, path, selected, fewer = driven(
        html_page(recording), script, tmp_path
    )
    children = recording.children(root)
    assert visits[:2] == ["600", str(children[0].visits)]
    assert lines < 100 < len(recording.nodes)
    assert rest > 1
    assert values[0] == f"≈ {float(f'{root.value:.3f}'):+}".replace("-", "−")
    assert more > 1
    assert rest_after == rest - 1
    assert count == "after 40 of 600 playouts"
    stepper = Stepper(recording)
    stepper.go([number for number, event in enumerate(recording.events) if event["event"] == "count"][39])
    assert early[0] == "40"
    assert early[1] == str(max(stepper.known(child.number).visits for child in stepper.children(0)))
    assert facts[2] == "40"
    assert facts[3] == stepper.known(0).shown[:6]
    assert back == "39"
    assert path == f"root › {children[0].move}"
    assert selected == children[0].move
    assert fewer
