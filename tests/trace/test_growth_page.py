"""The page of a growing tree: its contents, and its behavior in a browser."""

from pathlib import Path

import pytest
from browser import driven, needs_browser
from recordings import record_proof, recording_of, root_of

from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.render.exports.html import export as html_page
from gamesearch.render.trees.growth_page import growth_data
from gamesearch.render.trees.picture import Style
from gamesearch.trace.stepping import Stepper


def test_the_page_holds_every_node_and_playout_once() -> None:
    recording = recording_of("tictactoe", "mcts(playouts=400)", "XOX/.O./...")
    data = growth_data(recording)
    assert [row[1] for row in data["nodes"]] == list(recording.nodes)
    assert len(data["steps"]) == recording.end["playouts"]
    assert all(isinstance(through, int) for through, _ in data["steps"])
    proven = {number for _, number, *_ in data["changes"]}
    assert proven == {node.number for node in recording.nodes.values() if node.kind == "proven"}
    assert data["result"].startswith("The search is complete: the value is 0, the best move is 8 (")
    assert (data["least"], data["greatest"], data["signed"]) == (-1, 1, True)


def test_a_page_of_a_growing_tree_stores_paths_through_transpositions() -> None:
    data = growth_data(recording_of("tictactoe", "mcts(playouts=300, transpositions=true, solver=false)"))
    paths = [(through, paid) for through, paid in data["steps"] if isinstance(through, list)]
    assert paths, "paths through transpositions must be stored"
    assert all(len(through) == len(paid) for through, paid in paths)
    with pytest.raises(GamesearchError, match="omit --blank"):
        html_page(recording_of("tictactoe", "mcts(playouts=5)"), blank=True)


@needs_browser
def test_the_tree_is_sorted_folded_opened_and_grows(tmp_path: Path) -> None:
    recording = recording_of("tictactoe", "mcts(playouts=600, solver=false)")
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
    assert early[1] == str(max(stepper.state_of(child.number).visits for child in stepper.children(0)))
    assert facts[2] == "40"
    assert facts[3] == stepper.state_of(0).shown[:6]
    assert back == "39"
    assert path == f"root › {children[0].move}"
    assert selected == children[0].move
    assert fewer


def test_the_page_holds_every_node_and_expansion_once() -> None:
    recording, _ = record_proof("hex(size=3)", "proof(search=pn)")
    data = growth_data(recording)
    assert [row[1] for row in data["nodes"]] == list(recording.nodes)
    assert len(data["steps"]) == recording.end["expansions"]
    assert (data["growth"], data["noun"]) == ("proof", "expansion")
    last = {number: data["texts"][shown] for _, number, shown, _ in data["changes"]}
    assert last == {number: node.shown.replace("inf", "∞") for number, node in recording.nodes.items()}


def test_the_page_shows_only_the_last_of_several_proofs() -> None:
    recording, _ = record_proof("tictactoe", "proof(search=pn)", "XOX/.O./...")
    assert len(recording.iterations) == 2
    data = growth_data(recording)
    assert {row[1] for row in data["nodes"]} == {node.number for node in recording.below(root_of(recording).number)}
    assert len(data["nodes"]) < len(recording.nodes)


@needs_browser
def test_beliefs_are_drawn_and_grow(tmp_path: Path) -> None:
    recording = recording_of("[[99,1000,1000,1000],[100,101,102,100]]", "beliefs(error=5, leaves=payoffs)")
    script = """
    const told = () => [words("#count")[0], words("#sentence")[0]];
    const look = () => log.push([...told(), words("#tree .name"), words("#tree .value")]);
    look();
    press("Home"); look();
    press("ArrowRight"); look();
    press("ArrowRight"); look();
    press("ArrowDown"); log.push(words("#facts dd"));
    """
    end, start, first, second, facts = driven(html_page(recording), script, tmp_path)
    assert end[0] == "after 3 of 3 expansions"
    assert end[1].startswith("The search is complete: the value is about 99, the best move is a (")
    assert [name.replace("▾", "") for name in end[2]][:2] == ["▲root", "▼abest: 71 %"]
    assert end[3][:2] == ["≈ 99", "≈ 99"]
    assert start == ["after 0 of 3 expansions", "No expansion yet.", ["▲root"], ["≈ 549.5"]]
    assert first[1] == (
        "Expanded: the root. After 1 expansion, the root is worth about 549.5, with a. "
        "Probability that each move is the best: a 50 %, b 50 %."
    )
    assert len(first[2]) == 3
    assert second[1].startswith("Expanded: b. After 2 expansions, the root is worth about 549.5, with a.")
    assert len(second[2]) == 7
    assert "the best" not in facts


@needs_browser
@pytest.mark.parametrize(
    ("game", "method", "ends", "solved", "fact", "first", "shown"),
    [
        ("hex(size=3)", "proof(search=pn)", "the value is +1, the best move is b2 (", "(0, ∞)", "numbers",
         "proof number 1, disproof number 9", ["(1, 9)", *["(1, 1)"] * 9]),
        ("go(size=2, superko=false)", "proof", "the value is 0, the best move is A1 (", "cost ∞", "cost",
         "cost 6", ["cost 6", *["cost 1"] * 5]),
    ],
    ids=["proof numbers", "costs"],
)  # fmt: skip
def test_proofs_are_drawn(
    game: str, method: str, ends: str, solved: str, fact: str, first: str, shown: list[str], tmp_path: Path
) -> None:
    script = """
    log.push(words("#sentence")[0], words("#tree .value")[0], words("#facts dt"), words("#tree .proven").length);
    press("Home", "ArrowRight"); log.push(words("#sentence")[0], words("#tree .value"), words("#tree .visits")[0]);
    """
    end, value, facts, proven, *start = driven(html_page(record_proof(game, method)[0]), script, tmp_path)
    assert end.startswith(f"The search is complete: {ends}")
    assert (value, facts) == (solved, ["position", "to move", "expansions", fact])
    assert proven > 0
    assert start == [f"Expanded: the root. After 1 expansion, the root has {first}.", shown, "1"]


@needs_browser
def test_deep_nodes_do_not_overlap_their_values(tmp_path: Path) -> None:
    script = """
    const box = (node, name) => node.querySelector(name).getBoundingClientRect();
    const rows = all("#tree .node");
    log.push(rows.length, rows.every((row) => box(row, ".move").right <= box(row, ".value").left));
    log.push(rows.every((row) => box(row, ".move").width > 0));
    """
    page = html_page(recording_of("[" * 30 + "7, 8" + "]" * 30, "bestfirst"))
    assert driven(page, script, tmp_path) == [30, True, True]


@needs_browser
@pytest.mark.parametrize(
    ("game", "algorithm", "boards"),
    [("[[3,12,8],[2,4,6]]", "alphabeta", False), ("tictactoe", "mcts(playouts=30, plies=2)", True)],
)
def test_a_drawn_node_is_folded_if_its_row_is(game: str, algorithm: str, boards: bool, tmp_path: Path) -> None:
    """A node whose moves appear at a later step is not folded; the selected node is not black."""
    script = """
    const folds = () => [all("#picture .folded").length, words("#tree .fold").filter((each) => each === "▸").length];
    press("Home");
    for (let step = 0; step < 5; step++) { press("ArrowRight"); log.push(folds()); }
    press("ArrowDown");
    const here = document.querySelector("#picture .here :is(path, circle, rect)");
    log.push(getComputedStyle(here).fill);
    """
    page = html_page(recording_of(game, algorithm), style=Style(boards=boards, game=load(game)))
    *folds, fill = driven(page, script, tmp_path)
    assert all(drawn <= listed for drawn, listed in folds), folds  # a row of several moves is not a drawn node
    assert fill != "rgb(0, 0, 0)"
