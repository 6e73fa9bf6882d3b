"""Stepping through a search, folding its tree, and explaining each step."""

import re
from collections.abc import Iterator

import pytest
from recordings import LECTURE, TWO_PLY, record_proof, recording_of

from gamesearch.errors import GamesearchError
from gamesearch.trace.excerpts import fold_tree
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import explanations, sentence
from gamesearch.tui.panes import node_text, tree_text


@pytest.fixture
def two_ply() -> Stepper:
    return Stepper(recording_of())


def windows_of(stepper: Stepper, number: int) -> list[str]:
    """Return the windows that a node has at successive events."""
    windows = (stepper.state_of(number, at).window_shown for at in range(len(stepper.events)))
    return list(dict.fromkeys(windows))


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


def test_the_keys_move_through_the_events(two_ply: Stepper) -> None:
    there = [sentence(two_ply), *(sentence(two_ply) for _ in iter(two_ply.next, False))]
    assert len(there) == len(two_ply.events) == len(two_ply.recording.events) + 1
    back = [sentence(two_ply), *(sentence(two_ply) for _ in iter(two_ply.back, False))]
    assert back[::-1] == there
    assert two_ply.at == 0
    assert [two_ply.node.number for _ in iter(two_ply.next_cutoff, False)] == [5, 7]
    two_ply.jump(6)
    places = [(two_ply.event["event"], two_ply.node.number) for _ in iter(two_ply.finish_node, False)]
    assert places == [("leave", 6), ("leave", 5), ("leave", 0), ("end", 0)]
    two_ply.jump(7)
    assert (two_ply.event["event"], [node.number for node in two_ply.path]) == ("enter", [0, 7])
    with pytest.raises(GamesearchError, match="no node 11 in this trace: its nodes are 0 to 10"):
        two_ply.jump(11)
    assert two_ply.node.number == 7


def test_next_change_of_the_best_line() -> None:
    stepper = Stepper(recording_of("[[1,2],[5,3],[2,9]]"))
    assert [stepper.best_line for _ in iter(stepper.next_best_line_change, False)] == [["a", "a"], ["b", "b"]]
    stepper.go(len(stepper.events))
    assert stepper.best_line == stepper.recording.end["line"] == ["b", "b"]
    stepper.jump(4)  # b
    assert (stepper.node.position, stepper.best_line) == ("b", []), "the line begins at the current node"
    assert stepper.finish_node()
    assert (stepper.node.position, stepper.best_line) == ("b", ["b"])


# Sentences. --------------------------------------------------------------------------------------
GO = ("go(size=2, superko=false)", "proof", "")
PN = "proof(search=pn)"


@pytest.mark.parametrize(
    ("search", "lines"),
    [
        (
            (TWO_PLY, "alphabeta", ""),
            [
                re.escape(f"alphabeta searches {TWO_PLY}, to the end of the game."),
                "0: At the root, Max is to move; alpha=-inf, beta=.inf.",
                "  1: Min has 3 with its first move, a; now alpha=-inf, beta=3.",
                r"  5: 2 moves are cut \(b, c\): Min already has 2 here, but Max has 3 with a at the root.",
                "  7: Min has 2 with c, better than 5; now alpha=3, beta=2: alpha >= beta.",
            ],
        ),
        (  # the leaf 2 refutes a move three plies above, because Max has an alternative only there
            ("[5,[[[2,7],9],8]]", "alphabeta", ""),
            [r"      \d: 1 move is cut \(b\): Min already has 2 here, but Max has 5 with a at the root."],
        ),
        (
            ("tictactoe", "alphabeta(table=true, deepen=true)", "X../.O./..X"),
            [" +.*: The transposition table has a value for this position: .*"],
        ),
        (
            ("{1/2: 8, 1/3: 24, 1/6: -12}", "expectiminimax", ""),
            [
                "  2: The outcome b has probability 1/3: the game is over.",
                "0: The chance node is worth 10, the mean of its outcomes, weighted by their probabilities.",
            ],
        ),
        (
            ("pig(target=12)", "expectiminimax(depth=3, pruning=star2)", ""),
            [" +.*: Star2 probe: only Min's first move is searched.*"],
        ),
        (
            ("tictactoe", "alphabeta(table=true, window=null)", "XX./OX./.OO"),
            [
                r".*: 2 moves are cut \(6, 7\): Max already has .1 here, outside the window \[-1, 0\].",
                ".*A second search finds how many plies the win takes.",
                "The search is complete: .*, the best move is 3, found by a second search for the fastest win .*",
            ],
        ),
        (
            (TWO_PLY, "mcts(playouts=8, seed=1)", ""),
            [
                re.escape(f"mcts(playouts=8, seed=1) runs playouts from {TWO_PLY}."),
                "0: Max follows a, which has no playout yet: its upper confidence bound is set to 10.",
                r"  1: The payoff is added to 2 nodes: the root averages \d+ over 1 playout.",
                " *.*: .* has the greatest upper confidence bound, .*",
            ],
        ),
        ((TWO_PLY, "montecarlo(playouts=12, race=halving)", ""), [".* is skipped: it is in the worse half.*"]),
        (("tictactoe", "mcts(playouts=50)", "XX./OO./..."), [r".* prove that this node is worth .1 in 1."]),
        (
            (LECTURE, "beliefs(error=5, leaves=payoffs)", ""),
            [
                r"0: b has the greatest value of computation, 112.657 \(a 112.657\).",
                "0: No computation can change the decision now: every value of computation is 0. Because of "
                "leaves=payoffs, the search still follows a.",
                "0: Probability that each move is the best: a 71 %, b 29 %.",
            ],
        ),
        (
            ("nim(heaps=1-2)", PN, ""),
            [
                r"proof\(search=pn\) searches position 1,2 of nim.*: can Max get at least .1, whatever Min does\?",
                r".*Proof number 0, disproof number infinite \(before: .*",
                ".* So the goal is proven: Max gets at least .1.",
            ],
        ),
        (("nim(heaps=1-2-3)", PN, ""), [".* leads to the same position as node .*"]),
        (
            GO,
            [
                r".*can Max get at least 1, whatever Min does\? Max attacks to get it; Min "
                "defends and may repeat positions, because endless play counts against Max.",
                "Next question.*Min attacks to prevent it.*",
                r".*Max follows \w+: of all moves, it has the least cost, \d+.",
                r".*Min follows \w+: of all moves, it has the greatest cost, \d+.",
                r".*Cost \d+ \(before: cost \d+\): one more than the least cost of Max's moves.",
                r".*Cost \d+ \(before: .*\): the greatest cost of Min's moves, plus the number of moves that are .*",
                r".*Stuck \(before: cost \d+\): a move repeats a position on the path.",
                r".*All costs are computed again, in increasing order: \d+ nodes changed.*",
                ".* have infinite cost: Max cannot win there,.*",
                ".* So the goal is proven: Max gets at least 0.",
            ],
        ),
        (("tictactoe", "proof(search=graph)", "XO./.X./..O"), [".*So the goal is disproven: Max cannot get .1."]),
    ],
    ids=str,
)
def test_sentences(search: tuple[str, str, str], lines: list[str]) -> None:
    recording = record_proof(*search)[0] if search[1].startswith("proof") else recording_of(*search)
    found = list(explanations(Stepper(recording)))
    for line in lines:
        assert any(re.fullmatch(line, each) for each in found), line
    assert not any("memory" in line for line in found if line.startswith("Next question"))


def test_a_recording_without_some_nodes_mentions_no_second_search() -> None:
    lines = list(explanations(Stepper(record_proof("tictactoe", PN, "XO./.X./..O", most=8)[0])))
    assert any("they follow from unrecorded nodes below this node" in line for line in lines)
    assert not any("second search" in line for line in lines)


def test_a_proof_that_ran_out_of_memory_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    """With little memory, the search cannot decide whether Black wins, but proves that White wins."""
    monkeypatch.setattr("gamesearch.algorithms.tree_search.node_store.MEGABYTE", 1 << 17)
    recording, _ = record_proof("checkers", "proof(memory=1)", "B:W8,K31:BK4,11")
    begun = [line for line in explanations(Stepper(recording)) if "can Max get" in line]
    assert recording.end["value"] == -100
    assert [line.startswith("The memory for this question is full. Next question") for line in begun] == [False, True]


# Folding. ----------------------------------------------------------------------------------------
def test_nodes_near_the_current_node_are_drawn(two_ply: Stepper) -> None:
    two_ply.go(len(two_ply.events))
    rows = fold_tree(two_ply, 11)
    assert [(row.number, row.hidden) for row in rows] == [(number, 0) for number in range(11)]
    assert [len(row.lasts) for row in rows] == [0, 1, 2, 2, 2, 1, 2, 1, 2, 2, 2]
    two_ply.jump(5)
    assert [row.number for row in fold_tree(two_ply, 20)] == [0, 1, 2, 3, 4, 5], "only visited nodes are drawn"
    two_ply.jump(8)
    rows = fold_tree(two_ply, 6)
    assert [(row.number, row.hidden) for row in rows] == [(0, 0), (1, 3), (5, 0), (6, 0), (7, 0), (8, 0)]
    rows = fold_tree(two_ply, 4)
    assert [(row.number, row.hidden) for row in rows] == [(0, 0), (None, 2), (7, 0), (8, 0)]


@pytest.mark.parametrize(
    ("game", "method", "verdict"),
    [
        ("hex(size=3)", PN, [0, None]),
        ("nim(heaps=1-2-3)", PN, [None, 0]),
        ("go(size=2, superko=false)", "proof", [None]),  # Min cannot get more: this is the refutation
    ],
)
def test_a_finished_proof_shows_the_nodes_that_prove_it(game: str, method: str, verdict: list[int | None]) -> None:
    stepper = Stepper(record_proof(game, method)[0])
    stepper.go(len(stepper.events))
    assert stepper.state_of(stepper.root.number).value == verdict
    for height in (2, 8, 20):
        drawn = [row.number for row in fold_tree(stepper, height) if row.number is not None]
        proves = [number for number in drawn if stepper.state_of(number).value == verdict]
        assert proves == drawn or set(settled_nodes(stepper, verdict)) <= set(drawn), (
            "the drawing shows only nodes of the proof, or the whole proof"
        )
        assert len(drawn) > 1 or height == 2


def settled_nodes(stepper: Stepper, verdict: list[int | None]) -> Iterator[int]:
    """Yield all nodes that have the root's verdict and whose ancestors all have it."""
    waiting = [stepper.root.number]
    for number in waiting:
        yield number
        waiting += [each.number for each in stepper.children(number) if stepper.state_of(each.number).value == verdict]


@pytest.mark.parametrize("height", [1, 5, 100])
def test_the_current_node_is_always_drawn(height: int) -> None:
    stepper = Stepper(recording_of("tictactoe", "alphabeta(table=true, deepen=true)", "X../.O./..X"))
    for at in range(0, len(stepper.events), 37):
        stepper.go(at)
        rows = fold_tree(stepper, height)
        assert len(rows) <= height
        assert stepper.node.number in [row.number for row in rows]


@pytest.mark.parametrize(("width", "windows"), [(24, 0), (26, 2), (28, 3)])
def test_values_have_priority_over_windows_in_a_narrow_tree(width: int, windows: int) -> None:
    stepper = Stepper(recording_of("{1/2: [-123456, 7], 1/2: [8, 9]}", "expectiminimax"))
    stepper.go(len(stepper.events))
    lines = tree_text(stepper, width, 20).plain.splitlines()
    assert [line.rpartition(" = ")[2] for line in lines] == ["8", "7", "-123456", "7", "9", "8", "9"]
    assert sum("+inf]" in line for line in lines) == windows


def test_a_path_longer_than_the_screen_is_drawn_from_a_later_node_on() -> None:
    stepper = Stepper(recording_of("[" * 90 + "7" + "]" * 90))
    stepper.jump(90)
    assert [row.number for row in fold_tree(stepper, 10)] == list(range(81, 91))
    rows = fold_tree(stepper, 10, plies=4)
    assert [(row.number, len(row.lasts)) for row in rows] == [(87, 0), (88, 1), (89, 2), (90, 3)]
    lines = tree_text(stepper, 40, 20).plain.splitlines()
    assert (len(lines), lines[0], lines[-1]) == (8, "  ... 83: a Min [-inf, +inf]", ">             └ 90: a end")
    assert "path      ... a a a" in node_text(stepper).plain
    stepper.go(0)
    assert max(map(len, explanations(stepper))) < 400
