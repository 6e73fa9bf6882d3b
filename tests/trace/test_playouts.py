"""The recording of a search by playouts agrees with the search, and can be stepped through and used in quizzes."""

import math

import pytest
from recordings import PLAYOUTS, recorded, root_of, searched

from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.textbook.expectiminimax import expectiminimax as textbook
from gamesearch.trace.questions import Quiz
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import explanations


@pytest.mark.parametrize(("game", "position", "algorithm"), PLAYOUTS)
def test_averages_agree_with_the_result(game: str, position: str, algorithm: str) -> None:
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


def test_proven_values_are_minimax_values() -> None:
    game, position = load("tictactoe"), "XOX/.O./..."
    recording = recorded("tictactoe", "mcts(playouts=500)", position)
    proven = [node for node in recording.nodes.values() if node.kind == "proven"]
    assert len(proven) > 20
    for node in proven:
        assert node.value == textbook(game, game.parse(node.position), 9), node.position
    assert root_of(recording).shown == "0"
    assert {node.shown for node in proven} >= {"+1 in 5", "-1 in 4"}


def test_upper_confidence_bounds_follow_from_the_counts() -> None:
    recording = recorded("tictactoe", "mcts(playouts=120, solver=false, exploration=0.7)", "XO./.../...")
    stepper, checked = Stepper(recording), 0
    for number, event in enumerate(recording.events):
        if event["event"] != "choose":
            continue
        node, bounds = recording.nodes[event["node"]], {name: bound for name, _, bound in event["bounds"]}
        assert bounds[event["move"]] == max(bounds.values())
        parent = stepper.state_of(node.number, number - 1)
        for child in recording.children(node):
            known = stepper.state_of(child.number, number - 1)
            if known.visits and {1.0, -1.0} <= paid_before(recording, number):
                mean = (1 + known.value) / 2 if node.side == "Max" else (1 - known.value) / 2  # type: ignore[operator]
                wanted = mean + 0.7 * math.sqrt(math.log(parent.visits) / known.visits)
                assert bounds[child.move] == pytest.approx(wanted, abs=1e-4)
                checked += 1
    assert checked > 200


def paid_before(recording: Recording, number: int) -> set[float]:
    """Return the payoffs of all playouts before an event. The least and the greatest payoff scale the averages."""
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
    assert lines[-1].endswith(" (8 playouts, 24 visits of positions).")
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
        root = stepper.state_of(0)
        seen.append(root.visits)
        assert root.visits == sum(stepper.state_of(child.number).visits for child in stepper.children(0))
        most = max(stepper.children(0), key=lambda child: stepper.state_of(child.number).visits)
        assert (
            root.best_child is None
            or stepper.state_of(root.best_child).visits >= stepper.state_of(most.number).visits - 1
        )
    assert seen == list(range(1, 41))
    assert (stepper.state_of(0).bound, stepper.state_of(0).state) == ("estimate", "growing")
    stepper.go(0)
    assert stepper.next_best_line_change()
    assert stepper.best_line == ["1"]
    assert not stepper.next_cutoff()
    assert Stepper(recorded("tictactoe", "mcts(playouts=50)", "XX./OO./...")).next_cutoff()


def test_a_quiz_asks_which_move_is_followed() -> None:
    quiz = Quiz(recorded("tictactoe", "mcts(playouts=60)"), 5)
    assert {each.kind for each in quiz.questions} == {"choice", "average"}
    while quiz.question is not None and quiz.question.kind != "choice":
        quiz.judge(quiz.question.answer)
    assert quiz.question is not None
    with pytest.raises(GamesearchError, match="'zz' is not a move of this node: enter one, such as 1, 2, 3, 4"):
        quiz.judge("zz")
    right, wrong = quiz.question.answer, next(each for each in quiz.question.moves if each != quiz.question.answer)
    assert quiz.question.accepts(right)
    assert f"The answer is {right}: it has the greatest upper confidence bound: " in quiz.judge(wrong).text
