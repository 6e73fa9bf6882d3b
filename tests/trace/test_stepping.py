"""Stepping through a search, folding its tree, and explaining each step."""

from collections.abc import Iterator

import pytest
from recordings import TWO_PLY, proved, recorded

from gamesearch.errors import GamesearchError
from gamesearch.trace.excerpts import fold_tree
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import explanations, sentence
from gamesearch.tui.panes import node_text, tree_text


@pytest.fixture
def two_ply() -> Stepper:
    return Stepper(recorded())


def windows_of(stepper: Stepper, number: int) -> list[str]:
    """Return the windows that a node has at successive events."""
    found: list[str] = []
    for at in range(len(stepper.events)):
        window = stepper.state_of(number, at).window_shown
        if window not in found[-1:]:
            found.append(window)
    return found


def test_windows_narrow_as_in_the_textbook(two_ply: Stepper) -> None:
    # Russell & Norvig, 4th ed., fig. 5.5: B, C and D are nodes 1, 5 and 7.
    assert windows_of(two_ply, 0) == ["[-inf, +inf]", "[3, +inf]"]
    assert windows_of(two_ply, 1) == ["[-inf, +inf]", "[-inf, 3]"]
    assert windows_of(two_ply, 5) == ["[3, +inf]", "[3, 2] (empty)"]
    assert windows_of(two_ply, 7) == ["[3, +inf]", "[3, 14]", "[3, 5]", "[3, 2] (empty)"]


def test_a_node_is_unseen_then_open_then_cut(two_ply: Stepper) -> None:
    states = [two_ply.state_of(5, at).state for at in range(len(two_ply.events))]
    assert list(dict.fromkeys(states)) == ["unseen", "open", "cut"]
    assert two_ply.state_of(0, len(two_ply.events)).state == "done"
    two_ply.jump(5)
    assert two_ply.state_of(5).coming == ("a", "b", "c")
    two_ply.next_cutoff()
    known = two_ply.state_of(5)
    assert (known.pruned, known.coming, known.shown, known.bound) == (("b", "c"), (), "2", "")
    two_ply.finish_node()
    assert (two_ply.state_of(5).shown, two_ply.state_of(5).bound) == ("2", "upper")


def test_next_and_back_lead_everywhere(two_ply: Stepper) -> None:
    there = [sentence(two_ply)]
    while two_ply.next():
        there.append(sentence(two_ply))
    assert len(there) == len(two_ply.events) == len(two_ply.recording.events) + 1
    back = [sentence(two_ply)]
    while two_ply.back():
        back.append(sentence(two_ply))
    assert back[::-1] == there
    assert two_ply.at == 0


def test_next_cutoff(two_ply: Stepper) -> None:
    nodes = []
    while two_ply.next_cutoff():
        nodes.append(two_ply.node.number)
    assert nodes == [5, 7]


def test_next_change_of_the_best_line() -> None:
    stepper = Stepper(recorded("[[1,2],[5,3],[2,9]]"))
    lines = []
    while stepper.next_best_line_change():
        lines.append(stepper.best_line)
    assert lines == [["a", "a"], ["b", "b"]]
    stepper.go(len(stepper.events))
    assert stepper.best_line == stepper.recording.end["line"] == ["b", "b"]


def test_finishing_goes_up_node_by_node(two_ply: Stepper) -> None:
    two_ply.jump(6)
    places = []
    while two_ply.finish_node():
        places.append((two_ply.event["event"], two_ply.node.number))
    assert places == [("leave", 6), ("leave", 5), ("leave", 0), ("end", 0)]


def test_only_existing_nodes_can_be_jumped_to(two_ply: Stepper) -> None:
    two_ply.jump(7)
    assert (two_ply.event["event"], two_ply.node.number) == ("enter", 7)
    assert [node.number for node in two_ply.path] == [0, 7]
    with pytest.raises(GamesearchError, match="no node 11 in this trace: its nodes are 0 to 10"):
        two_ply.jump(11)
    assert two_ply.node.number == 7


def test_a_cutoff_names_the_ancestor_that_refuted_it(two_ply: Stepper) -> None:
    two_ply.next_cutoff()
    assert sentence(two_ply) == "2 moves cut (b, c): Min already has 2 here, and Max has 3 with a at the root."
    two_ply.next_cutoff()
    assert sentence(two_ply).startswith("Cutoff at the last move: Min already has 2 here, and Max has 3 with a")


def test_a_deep_cutoff_names_a_node_further_up() -> None:
    # The leaf 2 refutes Max's second move at the root, three plies above, because Max has an alternative only there.
    stepper = Stepper(recorded("[5,[[[2,7],9],8]]"))
    assert stepper.next_cutoff()
    assert len(stepper.path) == 4
    assert sentence(stepper) == "1 move cut (b): Min already has 2 here, and Max has 5 with a at the root."


def test_the_whole_lecture_as_lines(two_ply: Stepper) -> None:
    lines = list(explanations(two_ply))
    assert lines[0] == f"alphabeta searches root of tree(text={TWO_PLY}), to the end of the game."
    assert lines[1] == "0: At the root, Max is to move; alpha=-inf, beta=+inf."
    assert "  1: Min has 3 with its first move, a; now alpha=-inf, beta=3." in lines
    assert any(line.startswith("  5: Min backs up at most 2: ") for line in lines)
    assert "  7: Min has 2 with c, better than 5; now alpha=3, beta=2: alpha >= beta." in lines
    assert lines[-1] == "The search is complete: the value is 3, the best move is a (11 nodes, 2 cutoffs)."


def test_sentences_about_the_table_chance_and_several_searches() -> None:
    text = "\n".join(explanations(Stepper(recorded("tictactoe", "alphabeta(table=true, deepen=true)", "X../.O./..X"))))
    assert "The transposition table has a value for this position: " in text
    assert "Next, the root is searched to depth 2." in text
    assert "The search stops here: the evaluation is 0." in text
    text = "\n".join(explanations(Stepper(recorded("{1/2: 8, 1/3: 24, 1/6: -12}", "expectiminimax"))))
    assert "The outcome b has probability 1/3: the game is over." in text
    assert "The chance node is worth 10, the mean of its outcomes, weighted by their probabilities." in text
    text = "\n".join(explanations(Stepper(recorded("pig(target=12)", "expectiminimax(depth=3, pruning=star2)"))))
    assert "Star2 probe: only Min's first move is searched" in text
    text = "\n".join(explanations(Stepper(recorded("tictactoe", "alphabeta(table=true, window=null)", "XX./OX./.OO"))))
    assert "2 moves cut (6, 7): Max already has +1 here, outside the window [-1, 0]." in text
    assert "A second search finds how many plies the win takes." in text


# Folding. ----------------------------------------------------------------------------------------
def test_a_small_tree_is_drawn_whole(two_ply: Stepper) -> None:
    two_ply.go(len(two_ply.events))
    rows = fold_tree(two_ply, 11)
    assert [row.number for row in rows] == list(range(11))
    assert not any(row.hidden for row in rows)
    assert [len(row.lasts) for row in rows] == [0, 1, 2, 2, 2, 1, 2, 1, 2, 2, 2]


def test_only_visited_nodes_are_drawn(two_ply: Stepper) -> None:
    two_ply.jump(5)
    assert [row.number for row in fold_tree(two_ply, 20)] == [0, 1, 2, 3, 4, 5]


def test_distant_nodes_are_folded(two_ply: Stepper) -> None:
    two_ply.jump(8)
    rows = fold_tree(two_ply, 6)
    assert [(row.number, row.hidden) for row in rows] == [(0, 0), (1, 3), (5, 0), (6, 0), (7, 0), (8, 0)]
    rows = fold_tree(two_ply, 4)
    assert [(row.number, row.hidden) for row in rows] == [(0, 0), (None, 2), (7, 0), (8, 0)]


@pytest.mark.parametrize(
    ("game", "method", "verdict"),
    [
        ("hex(size=3)", "proof(search=pn)", [0, None]),
        ("nim(heaps=1-2-3)", "proof(search=pn)", [None, 0]),
        ("go(size=2, superko=false)", "proof", [None]),  # Min cannot get more: this is the refutation
    ],
)
def test_a_finished_proof_shows_the_nodes_that_prove_it(game: str, method: str, verdict: list[int | None]) -> None:
    stepper = Stepper(proved(game, method)[0])
    stepper.go(len(stepper.events))
    assert stepper.state_of(stepper.root.number).value == verdict
    for height in (2, 8, 20):
        drawn = [row.number for row in fold_tree(stepper, height) if row.number is not None]
        proves = [number for number in drawn if stepper.state_of(number).value == verdict]
        assert proves == drawn or set(settled_below(stepper, verdict)) <= set(drawn), (
            "only a part of the proof, or the whole proof"
        )
        assert len(drawn) > 1 or height == 2


def settled_below(stepper: Stepper, verdict: list[int | None]) -> Iterator[int]:
    """Yield all nodes that have the root's verdict and whose ancestors all have it."""
    waiting = [stepper.root.number]
    for number in waiting:
        yield number
        waiting += [each.number for each in stepper.children(number) if stepper.state_of(each.number).value == verdict]


@pytest.mark.parametrize("height", [1, 2, 5, 17, 100])
def test_the_present_node_is_always_drawn(height: int) -> None:
    stepper = Stepper(recorded("tictactoe", "alphabeta(table=true, deepen=true)", "X../.O./..X"))
    for at in range(0, len(stepper.events), 37):
        stepper.go(at)
        rows = fold_tree(stepper, height)
        assert len(rows) <= height
        assert stepper.node.number in [row.number for row in rows]


def test_a_path_longer_than_the_screen_is_drawn_from_a_later_node_on() -> None:
    stepper = Stepper(recorded("[" * 90 + "7" + "]" * 90))
    stepper.jump(90)
    assert [row.number for row in fold_tree(stepper, 10)] == list(range(81, 91))
    rows = fold_tree(stepper, 10, plies=4)
    assert [row.number for row in rows] == [87, 88, 89, 90]
    assert [len(row.lasts) for row in rows] == [0, 1, 2, 3]
    stepper.go(0)
    assert max(map(len, explanations(stepper))) < 400


def test_the_panes_of_a_deep_node() -> None:
    stepper = Stepper(recorded("[" * 90 + "7" + "]" * 90))
    stepper.jump(90)
    lines = tree_text(stepper, 40, 20).plain.splitlines()
    assert len(lines) == 8
    assert lines[0] == "  ... 83: a Min [-inf, +inf]"
    assert lines[-1] == ">             └ 90: a end"
    assert "path      ... a a a" in node_text(stepper).plain
