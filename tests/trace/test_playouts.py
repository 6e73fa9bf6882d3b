"""The recording of a search by playouts agrees with the search, and supports stepping and quizzes."""

import math

import pytest
from recordings import recorded, recorded_twice, searched
from support import facts

from gamesearch.api import search
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.textbook.expectiminimax import expectiminimax as textbook
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.questions import growing_questions
from gamesearch.trace.quiz import Quiz
from gamesearch.trace.reading import read_recording
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.sentences import explanations
from gamesearch.trace.stepping import Stepper

THREE = "[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]]"
SEARCHES = [
    ("tictactoe", "XO./.../...", "mcts(playouts=120)"),
    ("tictactoe", "XO./.X./...", "mcts(playouts=300, seed=2)"),
    ("tictactoe", "XO./.../...", "mcts(playouts=120, solver=false, rave=50, urgency=0.6)"),
    ("connect4(rows=4, columns=4)", "", "mcts(playouts=40, implicit=0.3, plies=4)"),
    ("hex(size=3)", "", "mcts(playouts=60)"),
    ("pig(target=8)", "", "mcts(playouts=80)"),
    (THREE, "", "mcts(playouts=60)"),
    ("[{1/4: 3, 3/4: [0, -2]}, [{5, 1/2}, 1, [2, 0]], 0]", "", "mcts(playouts=60)"),
    ("tictactoe", "XO./.../...", "montecarlo(playouts=60)"),
    ("tictactoe", "XO./.../...", "montecarlo(playouts=60, race=ucb)"),
    ("pig(target=8)", "", "montecarlo(playouts=30)"),
    (THREE, "", "montecarlo(playouts=40, race=halving)"),
]
every_search = pytest.mark.parametrize(("game", "position", "algorithm"), SEARCHES)


def root_of(recording: Recording) -> RecordedNode:
    """Return the root, which must exist."""
    assert recording.root is not None
    return recording.root


@every_search
def test_averages_are_those_of_the_result(game: str, position: str, algorithm: str) -> None:
    recording, found = searched(game, algorithm, position)
    rules, state = load(game).setup(position)
    children = {child.move: child for child in recording.children(root_of(recording))}
    assert {rules.move_name(state, each.move) for each in found.moves if each.visits} == children.keys()
    for each in found.moves:
        if not each.visits:
            continue
        child = children[rules.move_name(state, each.move)]
        value = tuple(child.value) if isinstance(child.value, list) else child.value
        assert child.visits == each.visits
        assert value == pytest.approx(each.value, abs=1e-7)
        if each.interval is not None and rules.players <= 2:
            assert child.interval == pytest.approx(each.interval)
    assert root_of(recording).visits == recording.end["playouts"] == found.statistics.leaves
    assert (recording.end["nodes"], recording.end["left_out"]) == (found.statistics.nodes, 0)
    assert root_of(recording).nodes == len(recording.nodes) == recording.end["recorded"]


@every_search
def test_who_watches_changes_nothing(game: str, position: str, algorithm: str) -> None:
    rules, state = load(game).setup(position)
    assert facts(searched(game, algorithm, position)[1]) == facts(search(rules, state, algorithm, speed="interpreted"))


@every_search
def test_what_is_written_down_is_read_back(game: str, position: str, algorithm: str) -> None:
    recording = recorded(game, algorithm, position)
    again = read_recording(recording.text)
    assert again.text == recording.text
    assert again.nodes == recording.nodes
    assert list(explanations(Stepper(again))) == list(explanations(Stepper(recording)))


@every_search
def test_the_tree_near_the_root_is_a_part_of_the_whole(game: str, position: str, algorithm: str) -> None:
    tree, whole, _ = recorded_twice(game, algorithm, position, plies=1)
    assert {number for number, node in whole.nodes.items() if node.ply <= 1} == tree.nodes.keys()
    for number, node in tree.nodes.items():
        same = whole.nodes[number]
        assert (node.visits, node.value, node.shown) == (same.visits, same.value, same.shown)
        assert (node.nodes, node.interval) == (same.nodes, same.interval)
    part = limit_recording(whole, plies=1)
    assert {number: (node.visits, node.nodes) for number, node in part.nodes.items()} == {
        number: (node.visits, node.nodes) for number, node in tree.nodes.items()
    }
    assert len(list(explanations(Stepper(part)))) == len(part.events) + 1


def test_only_the_first_nodes_are_written_down_and_all_playouts_counted() -> None:
    recording = recorded("tictactoe", "mcts(playouts=100, solver=false)", most=12)
    assert (len(recording.nodes), recording.end["left_out"]) == (12, 89)
    assert root_of(recording).visits == 100
    assert read_recording(recording.text).nodes == recording.nodes


def test_what_is_proven_is_minimaxs_value() -> None:
    game, position = load("tictactoe"), "XOX/.O./..."
    recording = recorded("tictactoe", "mcts(playouts=500)", position)
    proven = [node for node in recording.nodes.values() if node.kind == "proven"]
    assert len(proven) > 20
    for node in proven:
        assert node.value == textbook(game, game.parse(node.position), 9), node.position
    assert root_of(recording).shown == "0"
    assert {node.shown for node in proven} >= {"+1 in 5", "-1 in 4"}


def test_the_upper_confidence_bounds_are_those_of_the_counts() -> None:
    recording = recorded("tictactoe", "mcts(playouts=120, solver=false, exploration=0.7)", "XO./.../...")
    stepper, checked = Stepper(recording), 0
    for number, event in enumerate(recording.events):
        if event["event"] != "choose":
            continue
        node, bounds = recording.nodes[event["node"]], {name: bound for name, _, bound in event["bounds"]}
        assert bounds[event["move"]] == max(bounds.values())
        parent = stepper.known(node.number, number - 1)
        for child in recording.children(node):
            known = stepper.known(child.number, number - 1)
            if known.visits and {1.0, -1.0} <= paid_before(recording, number):
                mean = (1 + known.value) / 2 if node.side == "Max" else (1 - known.value) / 2  # type: ignore[operator]
                wanted = mean + 0.7 * math.sqrt(math.log(parent.visits) / known.visits)
                assert bounds[child.move] == pytest.approx(wanted, abs=1e-4)
                checked += 1
    assert checked > 200


def paid_before(recording: Recording, number: int) -> set[float]:
    """Return the payoffs of all playouts before an event; payoffs are scaled to 0..1 between the least and the
    greatest.
    """
    return {event["value"] for event in recording.events[:number] if event["event"] == "playout"}


def test_each_event_is_a_sentence() -> None:
    lines = list(explanations(Stepper(recorded("[[3,12,8],[2,4,6],[14,5,2]]", "mcts(playouts=8, seed=1)"))))
    assert lines[:6] == [
        "mcts(playouts=8, seed=1) runs playouts from root of tree(text=[[3,12,8],[2,4,6],[14,5,2]]).",
        "0: At the root, Max is to move.",
        "0: Max follows a, which has no playout yet: its upper confidence bound is set to 10.",
        "  1: Max tries a: Min is to move. A node is added to the tree.",
        lines[4],
        lines[5],
    ]
    assert lines[4].startswith("  1: Random playout ")
    assert lines[5].startswith("  1: The payoff is added to 2 nodes: the root averages ")
    text = "\n".join(lines)
    assert "has the greatest upper confidence bound, " in text
    assert "The game is over: " in text
    assert text.count("The payoff is added") == 8
    assert lines[-1].endswith(" (8 playouts, 24 positions).") or " (8 playouts, " in lines[-1]
    race = "\n".join(
        explanations(Stepper(recorded("[[3,12,8],[2,4,6],[14,5,2]]", "montecarlo(playouts=12, race=halving)")))
    )
    assert "is skipped: it is in the worse half" in race
    proof = "\n".join(explanations(Stepper(recorded("tictactoe", "mcts(playouts=50)", "XX./OO./..."))))
    assert "prove that this node is worth +1 in 1." in proof


def test_a_tree_grows_while_it_is_stepped() -> None:
    recording = recorded("tictactoe", "mcts(playouts=40, solver=false)")
    stepper, seen = Stepper(recording), []
    while stepper.finish_node() and stepper.event["event"] == "count":
        root = stepper.known(0)
        seen.append(root.visits)
        assert root.visits == sum(stepper.known(child.number).visits for child in stepper.children(0))
        most = max(stepper.children(0), key=lambda child: stepper.known(child.number).visits)
        assert root.best_child is None or stepper.known(root.best_child).visits >= stepper.known(most.number).visits - 1
    assert seen == list(range(1, 41))
    assert (stepper.known(0).bound, stepper.known(0).state) == ("estimate", "growing")
    stepper.go(0)
    assert stepper.next_best_line_change()
    assert stepper.best_line == ["1"]
    assert not stepper.next_cutoff()
    assert Stepper(recorded("tictactoe", "mcts(playouts=50)", "XX./OO./...")).next_cutoff()


@every_search
def test_questions_accept_their_own_answers(game: str, position: str, algorithm: str) -> None:
    found = list(growing_questions(Stepper(recorded(game, algorithm, position))))
    assert {each.kind for each in found} >= {"average"}
    for asked in found:
        assert asked.misread(asked.answer) == ""
        assert asked.accepts(asked.answer)
        assert not asked.accepts("77")


def test_which_move_is_followed_is_asked() -> None:
    quiz = Quiz(recorded("tictactoe", "mcts(playouts=60)"), 5)
    assert {each.kind for each in quiz.questions} == {"choice", "average"}
    while quiz.question is not None and quiz.question.kind != "choice":
        quiz.judge(quiz.question.answer)
    assert quiz.question is not None
    with pytest.raises(GamesearchError, match="'zz' is not a move of this node: enter one, such as 1, 2, 3, 4"):
        quiz.judge("zz")
    right, wrong = quiz.question.answer, next(each for each in quiz.question.moves if each != quiz.question.answer)
    assert quiz.question.accepts(right)
    assert quiz.judge(wrong).text.startswith(f"Wrong, {right}: it has the greatest upper confidence bound: ")
