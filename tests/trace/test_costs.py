"""The recording of a proof on a graph of positions agrees with the search, and its proven values are correct."""

import math
import re

import pytest
from recordings import GRAPHS, moments, proved, proved_as_solved, root_of

from gamesearch.api import record
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.solvers.graphs.positions import solve_graph
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.questions import Quiz, growing_questions
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.growing_sentences import back_up_cost
from gamesearch.trace.wording.sentences import explanations

every_graph = pytest.mark.parametrize(("game", "position", "method"), GRAPHS)
GO = "go(size=2, superko=false)"


def attacker_of(recording: Recording, number: int) -> str:
    """Return the name of the attacking player in the proof that contains a node."""
    root = recording.path(number)[0].number
    return next(each.attacker for each in recording.iterations if each.root == root)


@every_graph
def test_the_watched_graph_is_the_graph_of_solve(game: str, position: str, method: str) -> None:
    assert proved_as_solved(game, position, method).growth == "costs"


@every_graph
def test_proofs_by_costs_are_correct(game: str, position: str, method: str) -> None:
    rules, state = load(game).setup(position)
    values = {rules.format(each.state): each.value for each in solve_graph(rules, [state], most=20_000).positions}
    recording = proved(game, method, position)[0]
    goals = {each.root: float(each.goal_shown) for each in recording.iterations}
    found = set()
    for node in recording.nodes.values():
        assert isinstance(node.value, list)
        if node.side == "end" or node.value[0] not in (0, None):
            continue
        is_reached = values[node.position] >= goals[recording.path(node.number)[0].number]
        assert (node.value[0] == 0) is (is_reached == (attacker_of(recording, node.number) == "Max"))
        assert node.kind == ("proven" if is_reached else "disproven")
        found.add(node.kind)
    assert found == {"proven", "disproven"}


@pytest.mark.parametrize(("game", "least"), [(GO, 3), ("checkers(size=4)", 5)])
def test_recomputed_costs_follow_from_the_costs_of_the_moves(game: str, least: int) -> None:
    recording = proved(game, "proof")[0]
    stepper, checked = Stepper(recording), 0
    done = [number for number, event in enumerate(recording.events) if event["event"] == "settle"]
    assert len(done) >= least
    for moment in done:
        stepper.go(moment)
        below = {each.number for each in recording.below(stepper.node.number)}
        for number in below:
            children, value = stepper.children(number), stepper.state_of(number).value
            costs = [known.value for known in (stepper.state_of(child.number) for child in children)]
            if not children or value in ([0], [None]):
                continue
            numbers = [math.inf if cost[0] is None else cost[0] for cost in costs if isinstance(cost, list)]
            wanted = back_up_cost(numbers, recording.nodes[number].side == attacker_of(recording, number))
            assert value == [wanted]
            checked += 1
    assert checked > 20


def test_a_repetition_has_the_value_of_the_repeated_node() -> None:
    recording, _ = proved(GO, "proof")
    again = [node for node in recording.nodes.values() if node.same is not None]
    above = [node for node in again if node.same in {each.number for each in recording.path(node.number)}]
    assert above
    stepper = Stepper(recording)
    for moment in moments(recording):
        stepper.go(moment)
        for node in again:
            assert node.same is not None
            if node.first_event <= moment:
                assert stepper.state_of(node.number).value == stepper.state_of(node.same).value
                assert recording.nodes[node.same].position == node.position
    for node in recording.nodes.values():
        assert node.parent is None or node.ply == recording.nodes[node.parent].ply + 1
    part = limit_recording(recording, plies=2)
    assert all(node.value == recording.nodes[number].value for number, node in part.nodes.items())


def test_sentences_about_a_proof_on_a_graph() -> None:
    lines = list(explanations(Stepper(proved(GO, "proof")[0])))
    assert lines[0].endswith(
        "can Max get at least 1, whatever Min does? Max attacks and must make progress to get it; Min defends and "
        "may repeat positions."
    )
    assert any("Next question" in line and "Min attacks and must make progress to prevent it" in line for line in lines)
    assert lines[1] == "0: At the root, Max is to move; cost 1."
    text = "\n".join(lines)
    for said in (
        r"Max follows \w+: it has the least cost of the moves, \d+\.",
        r"Min follows \w+: it has the greatest cost of the moves, \d+\.",
        r"Cost \d+ \(before: cost \d+\): one more than the least cost of Max's moves\.",
        r"Cost \d+ \(before: \w+( \d+)?\): the greatest cost of Min's moves, plus one for each move that is ",
        r"Stuck \(before: cost \d+\): a move repeats a position on the path\.",
        r"All costs are computed again, the least first: \d+ nodes changed\.",
        r"have infinite cost: Max cannot win there,",
        r"After \d+ expansions, the root has cost \d+\.",
        r"This is proven: Max gets at least 0\.",
    ):
        assert re.search(said, text), said
    lines = list(explanations(Stepper(proved("tictactoe", GRAPHS[0][2], GRAPHS[0][1])[0])))
    assert any(line.endswith("This is disproven: Max cannot get +1.") for line in lines)


def test_a_proof_that_ran_out_of_nodes_says_so() -> None:
    """With one megabyte, the search cannot decide whether Black wins, but proves that White wins."""
    recording, _ = proved("checkers", "proof(memory=1)", "B:W8,K31:BK4,11")
    begun = [line for line in explanations(Stepper(recording)) if "can Max get" in line]
    assert recording.end["value"] == -100
    assert [line.startswith("The memory for this question is full. Next question") for line in begun] == [False, True]
    asked = [line for line in explanations(Stepper(proved(GO, "proof")[0])) if "Next question" in line]
    assert asked
    assert not any("memory" in line for line in asked)


def test_costs_are_asked() -> None:
    recording, _ = proved(GO, "proof")
    found = list(growing_questions(Stepper(recording)))
    kinds = {each.kind for each in found}
    assert kinds >= {"cost", "choice"}
    first = next(each for each in found if each.kind == "cost")
    assert first.text.startswith("The root, Max to move; its cost was 1; Max attacks. Its moves: ")
    assert first.text.endswith("What is its cost now?")
    assert first.accepts("2")
    assert not first.accepts("1")
    leaves = growing_questions(Stepper(proved("tictactoe", GRAPHS[0][2], GRAPHS[0][1])[0]))
    assert any("Which leaf is most promising and therefore expanded next?" in each.text for each in leaves)


@pytest.mark.parametrize("most", [3, 1_000])
def test_a_quiz_asks_for_costs(most: int) -> None:
    quiz, costs = Quiz(proved("checkers(size=4)", "proof")[0], seed=3, most=most), set()
    while (asked := quiz.question) is not None:
        if asked.kind == "cost":
            costs.add(asked.answer)
            with pytest.raises(GamesearchError, match="is not a value: enter a number"):
                quiz.judge("much")
        assert quiz.judge(f" {asked.answer} ").text == f"Right. The answer is {asked.answer}: {asked.reason}"
    assert costs
    assert most < 1_000 or {"0", "inf"} < costs


def test_of_leaves_that_cost_the_same_the_reason_names_the_first() -> None:
    recording, _ = proved("hex(size=3)", "proof(search=graph)")
    asked = next(each for each in growing_questions(Stepper(recording)) if each.kind == "leaf")
    assert asked.text.count("cost 1") == 9
    assert asked.answer == "1"
    assert asked.reason.endswith("the greatest (the first if several are equal).")


def test_a_proof_on_a_graph_that_is_stopped_knows_no_value() -> None:
    recording, found = proved("chess", "proof", nodes=300)
    assert (found.value, found.stopped) == (None, "nodes")
    assert 300 <= found.statistics.nodes < 1_000
    assert list(explanations(Stepper(recording)))[-1].startswith("The search was stopped: the value is unknown (")


def test_programs_record_proofs_on_a_graph() -> None:
    game = load(GO)
    recording = record(game, game.initial(), "proof")
    assert recording.text == proved(GO, "proof")[0].text
    assert re.search("costs of a proof by (Max|Min)", recording._repr_html_())
    assert root_of(recording).position == game.format(game.initial())
