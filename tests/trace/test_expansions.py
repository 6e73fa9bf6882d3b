"""Recordings of searches that expand leaves agree with the searches, and can be stepped through and used in quizzes."""

import math
import re
from itertools import pairwise

import pytest
from recordings import (
    EXPANSIONS,
    GRAPHS,
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
from gamesearch.solvers.graphs.positions import solve_graph
from gamesearch.solvers.proof.watching import proof_to_watch
from gamesearch.textbook.expectiminimax import expectiminimax as textbook
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.questions import Quiz, growing_questions
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.growing_sentences import back_up_cost
from gamesearch.trace.wording.sentences import explanations

every_search = pytest.mark.parametrize(("game", "position", "algorithm"), EXPANSIONS)
every_graph = pytest.mark.parametrize(("game", "position", "method"), GRAPHS)
GO = "go(size=2, superko=false)"
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
@pytest.mark.parametrize(("game", "position", "method"), [*PROOFS, *GRAPHS])
def test_the_watched_proof_is_the_proof_of_solve(game: str, position: str, method: str) -> None:
    growth = "costs" if (game, position, method) in GRAPHS else "proof"
    assert proved_as_solved(game, position, method).growth == growth


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


@pytest.mark.parametrize(("game", "method"), [("nim(heaps=1-2-3)", "proof(search=pn)"), (GO, "proof")])
def test_a_position_that_is_reached_again_has_the_same_numbers_everywhere(game: str, method: str) -> None:
    recording, _ = proved(game, method)
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
    is_above = [node.same in {each.number for each in recording.path(node.number)} for node in again]
    assert any(is_above) is (game == GO), "in Go, a move can repeat a position on the path"
    assert game == GO or any("leads to the same position as node " in line for line in explanations(Stepper(recording)))


def test_a_proof_that_is_stopped_knows_no_value() -> None:
    for game, method in (
        ("connect4", "proof(search=pn)"),
        ("connect4", "proof(search=pn2)"),
        ("connect4", "proof"),
        ("chess", "proof"),
    ):
        recording, found = proved(game, method, nodes=300)
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
    game = load(GO)
    recording = record(game, game.initial(), "proof")
    assert recording.text == proved(GO, "proof")[0].text
    assert re.search("costs of a proof by (Max|Min)", recording._repr_html_())


def test_a_new_scale_does_not_change_beliefs_beyond_it() -> None:
    recording = recorded("[[99,1000,1000,1000],[100,101,102,100]]", "beliefs(error=5, leaves=payoffs)")
    a, b = recording.children(root_of(recording))
    beliefs = [leaf.value_history[-1] for leaf in (*recording.children(a), *recording.children(b))]
    assert [known.value for known in beliefs] == pytest.approx([99, 1000, 1000, 1000, 100, 101, 102, 100], abs=0.5)
    assert [known.deviation for known in beliefs] == pytest.approx([5] * 8, abs=0.5)


# Proofs on a graph of positions. ------------------------------------------------------------------
def attacker_of(recording: Recording, number: int) -> str:
    """Return the name of the attacking player in the proof that contains a node."""
    root = recording.path(number)[0].number
    return next(each.attacker for each in recording.iterations if each.root == root)


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
