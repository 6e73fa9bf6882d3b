"""Recordings of searches that keep their tree agree with the searches, and with the definitions of their values."""

import math
import re
from itertools import pairwise
from typing import Any

import pytest
from recordings import (
    EXPANSIONS,
    GRAPHS,
    LECTURE,
    PLAYOUTS,
    PROOFS,
    moments,
    record_and_solve,
    record_proof,
    record_search,
    recording_of,
    root_of,
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
from gamesearch.trace.recording import RecordedNode, Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.growing_sentences import back_up_cost
from gamesearch.trace.wording.sentences import explanations

GO = "go(size=2, superko=false)"
SHARED_MOVES = ["nim(heaps=1-2-3)", GO]
"""Games in which several moves lead to the same position; in Go also moves back to the path."""


@pytest.mark.parametrize(("game", "position", "algorithm"), [*PLAYOUTS, *EXPANSIONS])
def test_values_agree_with_the_result(game: str, position: str, algorithm: str) -> None:
    recording, found = record_search(game, algorithm, position)
    rules, state = load(game).setup(position)
    root = root_of(recording)
    children = {child.move: child for child in recording.children(root)}
    moves = [each for each in found.moves if each.visits or not recording.is_played_out]
    assert {rules.move_name(state, each.move) for each in moves} == children.keys()
    for each in moves:
        child = children[rules.move_name(state, each.move)]
        value = tuple(child.value) if isinstance(child.value, list) else child.value
        assert value == pytest.approx(each.value, abs=1e-5)
        if recording.is_played_out:
            assert child.visits == each.visits
        if each.interval is not None and rules.players <= 2:
            assert child.interval == pytest.approx(each.interval)
        if each.belief is not None and child.bound == "estimate":
            last = child.value_history[-1]
            assert last.deviation == pytest.approx(each.belief.deviation, abs=1e-5)
            assert last.share == pytest.approx(each.belief.best, abs=1e-5) or root.side == "chance"
    assert (recording.end["nodes"], recording.end["left_out"]) == (found.statistics.nodes, 0)
    assert root.nodes == len(recording.nodes) == recording.end["recorded"]
    if recording.is_played_out:
        assert root.visits == recording.end["playouts"] == found.statistics.leaves
        return
    assert root.value == pytest.approx(found.value, abs=1e-5)
    assert root.bound == found.bound
    if "playouts" not in algorithm:  # positions in playouts count as nodes, too
        assert root.nodes == found.statistics.nodes


@pytest.mark.parametrize(("game", "position", "method"), [*PROOFS, *GRAPHS])
def test_the_watched_proof_is_the_proof_of_solve(game: str, position: str, method: str) -> None:
    recording = record_and_solve(game, position, method)
    assert recording.growth == ("costs" if (game, position, method) in GRAPHS else "proof")


@pytest.mark.parametrize(("game", "position", "method"), [*PROOFS, *GRAPHS])
def test_proofs_are_correct(game: str, position: str, method: str) -> None:
    rules, state = load(game).setup(position)
    recording = record_proof(game, method, position)[0]
    values = {rules.format(each.state): each.value for each in solve_graph(rules, [state], most=20_000).positions}
    searches = {each.root: each for each in recording.iterations}
    found = set()
    for node in recording.nodes.values():
        search = searches[recording.path(node.number)[0].number]
        assert isinstance(node.value, list)
        if node.side == "end" or not {0, None} & set(node.value):
            continue
        is_reached = values[node.position] >= float(search.goal_shown)
        assert (node.value[0] == 0) is (is_reached == (search.attacker != "Min"))
        assert node.kind == ("proven" if is_reached else "disproven")
        found.add(node.kind)
    assert found == {"proven", "disproven"} or (found and game.startswith(("hex", "nim", "random", "tictactoe")))


# Playouts. -----------------------------------------------------------------------------------------
def test_proven_values_are_minimax_values() -> None:
    game = load("tictactoe")
    recording = recording_of("tictactoe", "mcts(playouts=500)", "XOX/.O./...")
    proven = [node for node in recording.nodes.values() if node.kind == "proven"]
    assert len(proven) > 20
    for node in proven:
        assert node.value == textbook(game, game.parse(node.position), 9), node.position
    assert root_of(recording).shown == "0"
    assert {node.shown for node in proven} >= {"+1 in 5", "-1 in 4"}


def test_upper_confidence_bounds_follow_from_the_counts() -> None:
    recording = recording_of("tictactoe", "mcts(playouts=120, solver=false, exploration=0.7)", "XO./.../...")
    stepper, paid, checked = Stepper(recording), set[Any](), 0
    for number, event in enumerate(recording.events):
        if event["event"] == "playout":
            paid.add(event["value"])
        if event["event"] != "choose":
            continue
        node, bounds = recording.nodes[event["node"]], {name: bound for name, _, bound in event["bounds"]}
        assert bounds[event["move"]] == max(bounds.values())
        parent = stepper.state_of(node.number, number - 1)
        for child in recording.children(node):
            known = stepper.state_of(child.number, number - 1)
            if known.visits and {1, -1} <= paid:  # the least and the greatest payoff scale the averages
                mean = (1 + known.value) / 2 if node.side == "Max" else (1 - known.value) / 2  # type: ignore[operator]
                wanted = mean + 0.7 * math.sqrt(math.log(parent.visits) / known.visits)
                assert bounds[child.move] == pytest.approx(wanted, abs=1e-4)
                checked += 1
    assert checked > 200


# Expansions. ---------------------------------------------------------------------------------------
@pytest.mark.parametrize(("game", "position", "algorithm"), [each for each in EXPANSIONS if "bestfirst" in each[2]])
def test_values_are_backed_up_by_minimax_and_the_best_leaf_is_expanded(
    game: str, position: str, algorithm: str
) -> None:
    recording = recording_of(game, algorithm, position)
    stepper, events = Stepper(recording), recording.events
    expanded = [event["path"] for event in events if event["event"] == "expanded"]
    assert len(expanded) == recording.end["expansions"] > 3

    def minimax(node: RecordedNode) -> float:
        children = stepper.children(node.number)
        if not children:
            return worth(stepper, node)
        found = (max if node.side == "Max" else min)(minimax(child) for child in children)
        assert stepper.state_of(node.number).value == found
        return found

    for number, (moment, path) in enumerate(zip(moments(recording), expanded, strict=True)):
        stepper.go(moment)
        minimax(root_of(recording))
        assert recording.nodes[path[-1]].is_expanded
        for above, below in pairwise(expanded[number + 1] if number + 1 < len(expanded) else ()):
            node = recording.nodes[above]  # each move of the path must be the best unproven move
            sign = 1 if node.side == "Max" else -1
            unproven = [each for each in stepper.children(above) if stepper.state_of(each.number).bound == "estimate"]
            best = max(sign * worth(stepper, each) for each in unproven)
            assert stepper.state_of(below).bound == "estimate"
            # The search skips moves whose bounds show that they cannot be better than a proven move.
            is_proven = any(event["event"] == "proven" and event["node"] == above for event in events[:moment])
            assert sign * worth(stepper, recording.nodes[below]) == best or is_proven


@pytest.mark.parametrize(("game", "position", "algorithm"), [each for each in EXPANSIONS if "beliefs" in each[2]])
def test_chances_add_up_and_the_root_is_worth_its_best_move(game: str, position: str, algorithm: str) -> None:
    recording = recording_of(game, algorithm, position)
    stepper, root = Stepper(recording), root_of(recording)
    for event in recording.events:
        if event["event"] == "chances":
            assert math.fsum(event["values"]) == pytest.approx(1, abs=1e-4)
    for moment in moments(recording):
        stepper.go(moment)
        values = [(child, worth(stepper, child)) for child in stepper.children(0)]
        if root.side == "chance":
            wanted = math.fsum((child.chance or 0) * value for child, value in values)
        else:
            wanted = (max if root.side == "Max" else min)(value for _, value in values)
        assert stepper.state_of(0).value == pytest.approx(wanted, abs=1e-5)


def test_beliefs_of_a_lecture() -> None:
    recording = recording_of(LECTURE, "beliefs(error=5, leaves=payoffs)")
    a, b = recording.children(root_of(recording))
    assert [a.interval_shown, b.interval_shown] == ["deviation 5.01, best 71 %", "deviation 3.55, best 29 %"]
    beliefs = [leaf.value_history[-1] for leaf in (*recording.children(a), *recording.children(b))]
    assert [known.value for known in beliefs] == pytest.approx([99, 1000, 1000, 1000, 100, 101, 102, 100], abs=0.5)
    assert [known.deviation for known in beliefs] == pytest.approx([5] * 8, abs=0.5), "even beyond the new scale"


# Proofs. -------------------------------------------------------------------------------------------
@pytest.mark.parametrize("seed", range(6))
def test_the_numbers_of_a_tree_follow_from_those_below_and_the_most_proving_leaf_is_expanded(seed: int) -> None:
    recording, _ = record_proof(f"random_tree(branching=3, depth=4, values=3, seed={seed})", "proof(search=pn)")
    stepper, events, checked = Stepper(recording), recording.events, 0

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

    for this, following in pairwise(moments(recording)):
        if events[following]["number"] > 1:  # otherwise, another proof begins
            stepper.go(this)
            assert most_proving(events[this]["node"]) == events[following]["path"][-1]
            checked += 1
    assert checked > 3


@pytest.mark.parametrize(("game", "position", "least"), [(GO, "", 3), ("checkers(size=4)", "B:W6,7:B1,4", 4)])
def test_recomputed_costs_follow_from_the_costs_of_the_moves(game: str, position: str, least: int) -> None:
    recording = record_proof(game, "proof", position)[0]
    stepper, checked = Stepper(recording), 0
    done = [number for number, event in enumerate(recording.events) if event["event"] == "settle"]
    assert len(done) >= least
    for moment in done:
        stepper.go(moment)
        for node in recording.below(stepper.node.number):
            values = [stepper.state_of(child.number).value for child in stepper.children(node.number)]
            value = stepper.state_of(node.number).value
            if values and value not in ([0], [None]):
                costs = [math.inf if cost[0] is None else cost[0] for cost in values if isinstance(cost, list)]
                assert value == [back_up_cost(costs, node.side == stepper.question.attacker)]
                checked += 1
    assert checked > 20


@pytest.mark.parametrize("game", SHARED_MOVES)
def test_a_position_that_is_reached_again_has_the_same_value_everywhere(game: str) -> None:
    recording, _ = record_proof(game, "proof" if game == GO else "proof(search=pn)")
    stepper, again = Stepper(recording), [node for node in recording.nodes.values() if node.same is not None]
    assert len(again) > 5
    on_path = [node for node in again if node.same in {each.number for each in recording.path(node.number)}]
    assert bool(on_path) == (game == GO)
    for moment in moments(recording):
        stepper.go(moment)
        for node in again:
            assert node.same is not None
            if node.first_event <= moment:
                assert stepper.state_of(node.number).value == stepper.state_of(node.same).value
                assert recording.nodes[node.same].position == node.position
                assert not node.children
    for node in recording.nodes.values():
        assert node.parent is None or node.ply == recording.nodes[node.parent].ply + 1
    part = limit_recording(recording, plies=1)
    assert all(node.value == recording.nodes[number].value for number, node in part.nodes.items())


@pytest.mark.parametrize(
    ("game", "method"),
    [("connect4", "proof(search=pn)"), ("connect4", "proof(search=pn2)"), ("connect4", "proof"), ("chess", "proof")],
)
def test_a_proof_that_is_stopped_knows_no_value(game: str, method: str) -> None:
    recording, found = record_proof(game, method, nodes=300)
    assert (found.value, found.stopped) == (None, "nodes")
    assert 300 <= found.statistics.nodes < 1_000
    assert list(explanations(Stepper(recording)))[-1].startswith("The search was stopped: the value is unknown (")


def test_searches_that_cannot_be_recorded_are_refused() -> None:
    for game, position, method, said in (
        ("tictactoe", "", "grundy", "the steps of the method grundy cannot be shown"),
        ("chess", "", "proof(search=pn)", "positions of chess can repeat, which search=pn does not support"),
        ("go", "", "proof", "moves of go depend on earlier positions"),
        ("pig", "", "proof", "chance nodes"),
        ("tictactoe", "", "proof(search=nothing)", "unknown search 'nothing' of the method proof"),
        ("hex(size=3)", "", "proof(attack=forcing)", "does not define forcing moves"),
        ("[[(1,2,6),(4,2,3)]]", "", "proof", "for two players"),
        ("tictactoe", "XXX/OO./...", "proof", "nothing to prove"),
    ):
        with pytest.raises(GamesearchError, match=re.escape(said)):
            proof_to_watch(*load(game).setup(position), method)


@pytest.mark.parametrize(
    ("game", "method", "shown"),
    [("hex(size=3)", "proof(search=pn)", "proof number"), (GO, "proof", "costs of a proof by (Max|Min)")],
)
def test_the_python_function_record_also_records_proofs(game: str, method: str, shown: str) -> None:
    rules = load(game)
    recording = record(rules, rules.initial(), method)
    assert recording.text == record_proof(game, method)[0].text
    assert re.search(shown, recording._repr_html_())
    assert record(rules, rules.initial(), method, limits=Limits(nodes=30)).end["stopped"] == "nodes"


# Stepping. -----------------------------------------------------------------------------------------
def steps(recording: Recording, event: str) -> tuple[Stepper, list[int]]:
    """Return a stepper after all playouts or expansions, and the number of the root's visits or of nodes after each."""
    stepper, seen = Stepper(recording), []
    while stepper.finish_node() and stepper.event["event"] == event:
        entered = sum(node.first_event <= stepper.at for node in recording.nodes.values())
        seen.append(stepper.state_of(0).visits if event == "count" else entered)
        visits = [stepper.state_of(child.number).visits for child in stepper.children(0)]
        assert sum(visits) == stepper.state_of(0).visits
        if event == "count" and (best := stepper.state_of(0).best_child) is not None:
            assert stepper.state_of(best).visits >= max(visits) - 1
    return stepper, seen


def test_a_tree_grows_while_it_is_stepped() -> None:
    stepper, visits = steps(recording_of("tictactoe", "mcts(playouts=40, solver=false)"), "count")
    assert visits == list(range(1, 41))
    assert (stepper.state_of(0).bound, stepper.state_of(0).state) == ("estimate", "growing")
    stepper.go(0)
    assert not stepper.next_cutoff()
    assert stepper.next_best_line_change()
    assert stepper.best_line == ["1"]
    stepper, nodes = steps(recording_of("connect4", "bestfirst(expansions=20)", "4453"), "expanded")
    assert len(nodes) == 20
    assert nodes == sorted(set(nodes))
    for recording in (
        recording_of("tictactoe", "mcts(playouts=50)", "XX./OO./..."),
        record_proof("hex(size=3)", "proof(search=pn)")[0],
    ):
        assert Stepper(recording).next_cutoff(), "the recording must contain a proof"


def test_the_best_line_begins_with_the_faster_of_two_proven_wins() -> None:
    stepper = Stepper(recording_of("[[[[6]]],[6],[0,9]]", "bestfirst"))
    stepper.go(len(stepper.recording.events) - 1)
    assert stepper.best_line == ["b", "a"]
