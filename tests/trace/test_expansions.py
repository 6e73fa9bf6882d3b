"""Recordings of searches that expand leaves agree with the searches, and can be stepped through and used in quizzes."""

import math
import re
from itertools import pairwise

import pytest
from recordings import (
    EXPANSIONS,
    LECTURE,
    PROOFS,
    moments,
    proved,
    proved_as_solved,
    recorded,
    root_of,
    searched,
    worth,
)

from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import record
from gamesearch.errors import GamesearchError
from gamesearch.registry import load
from gamesearch.solvers.proof.watching import proof_to_watch
from gamesearch.textbook.expectiminimax import expectiminimax as textbook
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.recording import RecordedNode
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import explanations

every_search = pytest.mark.parametrize(("game", "position", "algorithm"), EXPANSIONS)
every_proof = pytest.mark.parametrize(("game", "position", "method"), PROOFS)


# Recordings agree with the search. -----------------------------------------------------------------
@every_search
def test_values_agree_with_the_result(game: str, position: str, algorithm: str) -> None:
    recording, found = searched(game, algorithm, position)
    rules, state = load(game).setup(position)
    root = root_of(recording)
    children = {child.move: child for child in recording.children(root)}
    assert len(children) == len(found.moves)
    for each in found.moves:
        child = children[rules.move_name(state, each.move)]
        assert child.value == pytest.approx(each.value, abs=1e-5)
        if each.belief is not None and child.bound == "estimate":
            last = child.value_history[-1]
            assert last.deviation == pytest.approx(each.belief.deviation, abs=1e-5)
            assert last.share == pytest.approx(each.belief.best, abs=1e-5) or root.side == "chance"
    assert root.value == pytest.approx(found.value, abs=1e-5)
    assert (recording.end["nodes"], recording.end["left_out"]) == (found.statistics.nodes, 0)
    assert root.nodes == len(recording.nodes)
    if "playouts" not in algorithm:  # positions in playouts count as nodes, too
        assert root.nodes == found.statistics.nodes
    assert root.bound == found.bound


@pytest.mark.parametrize(("game", "position", "algorithm"), [each for each in EXPANSIONS if "bestfirst" in each[2]])
def test_every_node_has_the_minimax_value_of_the_leaves_and_the_best_leaf_is_expanded(
    game: str, position: str, algorithm: str
) -> None:
    recording = recorded(game, algorithm, position)
    stepper, expanded = (
        Stepper(recording),
        [event["path"] for event in recording.events if event["event"] == "expanded"],
    )
    assert len(expanded) == recording.end["expansions"] > 3

    def minimax(node: RecordedNode) -> float:
        children = stepper.children(node.number)
        if not children:
            return worth(stepper, node)
        choose = max if node.side == "Max" else min
        found = choose(minimax(child) for child in children)
        assert stepper.state_of(node.number).value == found
        return found

    for done, (moment, path) in enumerate(zip(moments(recording), expanded, strict=True)):
        stepper.go(moment)
        minimax(root_of(recording))
        assert recording.nodes[path[-1]].is_expanded
        if done + 1 < len(expanded):
            following = expanded[done + 1]
            for above, below in pairwise(following):  # each move of the path must be the best unproven move
                node = recording.nodes[above]
                sign = 1 if node.side == "Max" else -1
                assert stepper.state_of(below).bound == "estimate"
                open_ones = [
                    each for each in stepper.children(above) if stepper.state_of(each.number).bound == "estimate"
                ]
                best = max(sign * worth(stepper, each) for each in open_ones)
                assert sign * worth(stepper, recording.nodes[below]) == best or proves_better(stepper, node)


def proves_better(stepper: Stepper, node: RecordedNode) -> bool:
    """Whether a child of the node is proven; if so, unproven moves with greater estimates may be irrelevant."""
    return any(event["event"] == "proven" and event["node"] == node.number for event in stepper.events[: stepper.at])


@pytest.mark.parametrize(("game", "position", "algorithm"), [each for each in EXPANSIONS if "beliefs" in each[2]])
def test_chances_add_up_and_the_root_is_worth_its_best_move(game: str, position: str, algorithm: str) -> None:
    recording = recorded(game, algorithm, position)
    stepper, root = Stepper(recording), root_of(recording)
    for event in recording.events:
        if event["event"] == "chances":
            assert math.fsum(event["values"]) == pytest.approx(1, abs=1e-4)
    for moment in moments(recording):
        stepper.go(moment)
        values = [(child, worth(stepper, child)) for child in stepper.children(0)]
        known = stepper.state_of(0)
        if root.side == "chance":
            wanted = math.fsum((child.chance or 0) * value for child, value in values)
        else:
            wanted = (max if root.side == "Max" else min)(value for _, value in values)
        assert known.value == pytest.approx(wanted, abs=1e-5)


def test_the_lecture_s_beliefs_say_how_probably_each_move_is_best() -> None:
    recording = recorded(LECTURE, "beliefs(error=5, leaves=payoffs)")
    assert [child.interval_shown for child in recording.children(root_of(recording))] == [
        "deviation 5.01, best 71 %",
        "deviation 3.55, best 29 %",
    ]
    lines = list(explanations(Stepper(recording)))
    assert "0: b has the greatest value of computation, 112.657 (a 112.657)." in lines
    follows = "The search still follows a, because of leaves=payoffs."
    assert f"0: No computation can change the decision now: a has the value of computation 0. {follows}" in lines
    assert "0: Probability that each move is the best: a 71 %, b 29 %." in lines


# Proofs. -------------------------------------------------------------------------------------------
@every_proof
def test_the_watched_proof_is_the_proof_of_solve(game: str, position: str, method: str) -> None:
    assert proved_as_solved(game, position, method).growth == "proof"


@every_proof
def test_proofs_by_proof_numbers_are_correct(game: str, position: str, method: str) -> None:
    rules, _ = load(game).setup(position)
    recording = proved(game, method, position)[0]
    roots = {each.root: float(each.goal_shown) for each in recording.iterations if each.root is not None}
    checked = 0
    for node in recording.nodes.values():
        assert isinstance(node.value, list)
        goal = roots[recording.path(node.number)[0].number]
        if 0 in node.value and node.side != "end" and checked < 300:
            assert (textbook(rules, rules.parse(node.position), 20) >= goal) is (node.value[0] == 0)
            assert node.kind == ("proven" if node.value[0] == 0 else "disproven")
            checked += 1
    assert checked > 3


@pytest.mark.parametrize("seed", range(6))
def test_the_numbers_of_a_tree_follow_from_those_below_and_the_most_proving_leaf_is_expanded(seed: int) -> None:
    recording, _ = proved(f"random_tree(branching=3, depth=4, values=3, seed={seed})", "proof(search=pn)")
    stepper = Stepper(recording)
    events = recording.events

    def numbers(number: int) -> tuple[float, float]:
        value = stepper.state_of(number).value
        assert isinstance(value, list)
        proof, disproof = (math.inf if each is None else float(each) for each in value)
        return proof, disproof

    def most_proving(number: int) -> int:
        children = [child.number for child in stepper.children(number)]
        if not children:
            return number
        proofs, disproofs = zip(*map(numbers, children), strict=True)
        is_max = recording.nodes[number].side == "Max"
        wanted = (min(proofs), math.fsum(disproofs)) if is_max else (math.fsum(proofs), min(disproofs))
        assert numbers(number) == wanted
        mine = proofs if is_max else disproofs
        return most_proving(children[mine.index(min(mine))])

    done = [number for number, event in enumerate(events) if event["event"] == "expanded"]
    checked = 0
    for this, following in pairwise(done):
        if events[following]["number"] == 1:
            continue  # another question
        stepper.go(this)
        assert most_proving(events[this]["node"]) == events[following]["path"][-1]
        checked += 1
    assert checked > 3


def test_a_position_that_is_reached_again_has_the_same_numbers_everywhere() -> None:
    recording, _ = proved("nim(heaps=1-2-3)", "proof(search=pn)")
    stepper, again = Stepper(recording), [node for node in recording.nodes.values() if node.same is not None]
    assert len(again) > 5
    for moment in moments(recording):
        stepper.go(moment)
        for node in again:
            if node.first_event <= moment:
                assert node.same is not None
                assert stepper.state_of(node.number).value == stepper.state_of(node.same).value
                assert recording.nodes[node.same].position == node.position
                assert not node.children
    part = limit_recording(recording, plies=1)
    for number, node in part.nodes.items():
        assert node.value == recording.nodes[number].value
    assert any("leads to the same position as node " in line for line in explanations(Stepper(recording)))


def test_a_proof_that_is_stopped_knows_no_value() -> None:
    for method in ("proof(search=pn)", "proof(search=pn2)", "proof"):
        recording, found = proved("connect4", method, nodes=300)
        assert (found.value, found.stopped) == (None, "nodes")
        assert 300 <= found.statistics.nodes < 1_000
        assert list(explanations(Stepper(recording)))[-1].startswith("The search was stopped: the value is unknown (")


def test_searches_that_cannot_be_recorded_are_refused() -> None:
    for game, method, said in (
        ("tictactoe", "grundy", "the method grundy cannot be watched"),
        ("chess", "proof(search=pn)", "positions of chess can repeat, which search=pn does not support"),
        ("go", "proof", "moves of go depend on earlier positions"),
        ("pig", "proof", "chance nodes"),
        ("tictactoe", "proof(search=nothing)", "the method proof has no search 'nothing'"),
        ("hex(size=3)", "proof(attack=forcing)", "does not define forcing moves"),
        ("[[(1,2,6),(4,2,3)]]", "proof", "for two players"),
    ):
        rules = load(game)
        with pytest.raises(GamesearchError, match=re.escape(said)):
            proof_to_watch(rules, rules.initial(), method)
    rules, state = load("tictactoe").setup("XXX/OO./...")
    with pytest.raises(GamesearchError, match="nothing to prove"):
        proof_to_watch(rules, state, "proof")


# Reading, folding, limits. -------------------------------------------------------------------------
# Sentences and stepping. ---------------------------------------------------------------------------
def test_sentences_about_a_proof() -> None:
    lines = list(explanations(Stepper(proved("nim(heaps=1-2)", "proof(search=pn)")[0])))
    assert lines[0] == (
        "proof(search=pn) searches 1,2 of nim(heaps=1-2, misere=false, max_take=0): can Max get at least +1, whatever "
        "Min does?"
    )
    assert lines[1:3] == [
        "0: At the root, Max is to move; proof number 1, disproof number 1.",
        "0: The root is expanded: all its children are added.",
    ]
    assert any("Proof number 0, disproof number infinite (before: " in line for line in lines)
    assert any(line.endswith(" This is proven: Max gets at least +1.") for line in lines)
    assert any(re.search(r"Max follows \w+: it has the least proof number of the moves, \d+\.", line) for line in lines)


def test_a_recording_without_some_nodes_mentions_no_second_search() -> None:
    lines = list(explanations(Stepper(proved("tictactoe", "proof(search=pn)", "XO./.X./..O", most=8)[0])))
    assert any("they follow from nodes below that are not recorded" in line for line in lines)
    assert not any("second search" in line for line in lines)


def test_a_tree_grows_while_it_is_stepped() -> None:
    recording = recorded("connect4", "bestfirst(expansions=20)", "4453")
    stepper, nodes = Stepper(recording), []
    while stepper.finish_node() and stepper.event["event"] == "expanded":
        nodes.append(sum(node.first_event <= stepper.at for node in recording.nodes.values()))
    assert len(nodes) == 20
    assert nodes == sorted(set(nodes))
    assert stepper.state_of(0).state == "growing"
    stepper.go(0)
    assert stepper.next_best_line_change()
    proof = Stepper(proved("hex(size=3)", "proof(search=pn)")[0])
    assert proof.next_cutoff()
    assert 0 in (proof.event["value"] or [])
    assert not Stepper(recorded("connect4", "bestfirst(expansions=3)")).next_cutoff()


def test_programs_record_proofs_as_they_record_searches() -> None:
    game = load("hex(size=3)")
    recording = record(game, game.initial(), "proof(search=pn)")
    assert recording.text == proved("hex(size=3)", "proof(search=pn)")[0].text
    assert "proof number" in recording._repr_html_()
    stopped = record(game, game.initial(), "proof(search=pn)", limits=Limits(nodes=30))
    assert stopped.end["stopped"] == "nodes"
    assert record(game, game.initial(), "bestfirst(expansions=5)").end["expansions"] == 5


def test_a_new_scale_does_not_change_beliefs_beyond_it() -> None:
    recording = recorded("[[99,1000,1000,1000],[100,101,102,100]]", "beliefs(error=5, leaves=payoffs)")
    a, b = recording.children(root_of(recording))
    beliefs = [leaf.value_history[-1] for leaf in (*recording.children(a), *recording.children(b))]
    assert [known.value for known in beliefs] == pytest.approx([99, 1000, 1000, 1000, 100, 101, 102, 100], abs=0.5)
    assert [known.deviation for known in beliefs] == pytest.approx([5] * 8, abs=0.5)
