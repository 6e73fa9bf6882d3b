"""Requirements for the recordings of all kinds of searches: depth-first searches, growing trees, and proofs."""

import io
import re
from typing import Any

import pytest
from recordings import (
    DEPTH_FIRST,
    EXPANSIONS,
    GRAPHS,
    PLAYOUTS,
    PROOFS,
    near_the_root,
    proof_near_the_root,
    record_proof,
    record_search,
    recording_of,
)
from support import facts

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.result import Limits, SearchResult
from gamesearch.api import search
from gamesearch.registry import load
from gamesearch.solvers.proof.watching import proof_to_watch, watch_proof
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.questions import KINDS, questions
from gamesearch.trace.reading import read_recording
from gamesearch.trace.recorder import EventForwarder, Recorder
from gamesearch.trace.recorder.log import EventStore
from gamesearch.trace.recording import Recording
from gamesearch.trace.stepping import Stepper
from gamesearch.trace.wording.sentences import explanations

GROWING = [*PLAYOUTS, *EXPANSIONS, *PROOFS, *GRAPHS]
every_search = pytest.mark.parametrize(("game", "position", "algorithm"), [*DEPTH_FIRST, *GROWING])


def record(game: str, position: str, algorithm: str, most: int = 10_000) -> tuple[Recording, SearchResult]:
    return (record_proof if algorithm.startswith("proof") else record_search)(game, algorithm, position, most)


@every_search
def test_a_trace_is_read_back_and_explained(game: str, position: str, algorithm: str) -> None:
    for most in (12, 10_000):
        recording, _ = record(game, position, algorithm, most)
        assert len(recording.nodes) == recording.end["recorded"] <= most
        again = read_recording(recording.text)
        assert again == recording
        lines = list(explanations(Stepper(again)))
        assert len(lines) == len(recording.events) + 1
        for line in lines:
            assert re.fullmatch(r" *(\d+: )?\S.*\S[.?]", line), line
            assert "None" not in line
            assert "  " not in line.lstrip()


@pytest.mark.parametrize(("game", "position", "algorithm"), [*PLAYOUTS, *EXPANSIONS])
def test_recording_does_not_change_a_search(game: str, position: str, algorithm: str) -> None:
    rules, state = load(game).setup(position)
    _, found = record(game, position, algorithm)
    assert facts(found) == facts(search(rules, state, algorithm, speed="interpreted"))


@every_search
def test_each_question_accepts_only_its_own_answer(game: str, position: str, algorithm: str) -> None:
    recording, _ = record(game, position, algorithm)
    found = list(questions(recording))
    assert found
    assert {asked.kind for asked in found} <= set(KINDS)  # a quiz asks about nothing else
    for asked in found:
        assert asked.input_error(asked.answer) == ""
        assert asked.accepts(asked.answer)
        assert not asked.accepts("77777")
        assert recording.growth or recording.events[asked.before]["event"] == "leave"


@pytest.mark.parametrize(("game", "position", "algorithm"), GROWING)
def test_the_tree_near_the_root_is_a_part_of_the_whole(game: str, position: str, algorithm: str) -> None:
    record_tree = proof_near_the_root if algorithm.startswith("proof") else near_the_root
    tree, whole = record_tree(game, algorithm, position, plies=1), record(game, position, algorithm)[0]
    part = limit_recording(whole, plies=1)
    assert whole.root is not None
    assert whole.root.number in part.nodes
    for number, node in part.nodes.items():
        for same in (whole.nodes[number], tree.nodes[number]):
            for name in ("value", "shown", "kind", "nodes", "visits", "interval", "interval_shown"):
                assert getattr(node, name) == getattr(same, name)
    assert list(explanations(Stepper(read_recording(part.text)))) == list(explanations(Stepper(part)))


@pytest.mark.parametrize(
    ("game", "algorithm", "position"),
    [
        ("tictactoe", "mcts(playouts=100, solver=false)", ""),
        ("connect4", "bestfirst(expansions=50)", ""),
        ("connect4", "beliefs(expansions=20)", ""),
        ("tictactoe", "proof(search=pn)", "XO./.X./..O"),
    ],
)
def test_the_first_nodes_have_the_values_of_the_whole_tree(game: str, algorithm: str, position: str) -> None:
    part, whole = record(game, position, algorithm, most=12)[0], record(game, position, algorithm)[0]
    assert len(part.nodes) == 12
    assert part.end["left_out"] == len(whole.nodes) - 12
    assert all(part.nodes[number].value == whole.nodes[number].value for number in part.nodes)
    for name, event in (("playouts", "count"), ("expansions", "expanded")):
        assert sum(each["event"] == event for each in part.events) == whole.end.get(name, 0)


def test_depth_first_searches_record_a_first_part() -> None:
    recording = recording_of("tictactoe", "alphabeta(depth=3)", most=50)
    assert recording.end["left_out"] == recording.end["nodes"] - 50 > 0
    assert recording.root is not None
    assert recording.root.nodes == recording.end["nodes"]


@pytest.mark.parametrize(("most", "nodes"), [(10_000, None), (12, 25)])
@pytest.mark.parametrize(("game", "position", "algorithm"), [*DEPTH_FIRST[2::3], *GROWING[::6]])
def test_a_trace_written_during_the_search_is_the_same(
    game: str, position: str, algorithm: str, most: int, nodes: int | None
) -> None:
    rules, state = load(game).setup(position)
    file, is_proof = io.BytesIO(), algorithm.startswith("proof")
    searched: Any = proof_to_watch(rules, state, algorithm) if is_proof else load_algorithm(algorithm)
    kept = Recorder(rules, state, searched, most)
    written = Recorder(rules, state, searched, store=EventStore(most, file))
    observer = EventForwarder(kept, written)
    if is_proof:
        result = watch_proof(rules, state, searched, observer, nodes=nodes)
    else:
        result = search(rules, state, searched, limits=Limits(nodes=nodes), observer=observer)
    recording, left = kept.finish(result), written.finish(result)
    assert file.getvalue().decode() == recording.text
    assert (left.end, left.events) == (recording.end, [])
    assert not any(node.board or len(node.value_history) > 1 for node in left.nodes.values())
    assert not left.nodes or left.growth  # depth-first searches do not keep nodes for later events
