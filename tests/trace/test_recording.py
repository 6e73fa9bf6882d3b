"""The recording of a search agrees with the search."""

import contextlib
import json
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from commands import Cli
from recordings import (
    DEPTH_FIRST,
    EXPANSIONS,
    PLAYOUTS,
    PROOFS,
    TWO_PLY,
    record_proof,
    record_search,
    recording_of,
    root_of,
)

from gamesearch.errors import GamesearchError
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.reading import read_recording


@pytest.mark.parametrize(("game", "position", "algorithm"), DEPTH_FIRST)
def test_the_numbers_of_events_agree_with_the_statistics(game: str, position: str, algorithm: str) -> None:
    recording, result = record_search(game, algorithm, position)
    counts, events = result.statistics, Counter(event["event"] for event in recording.events)
    leaves = sum(event.get("kind") in ("end", "estimate") for event in recording.events)
    expected = (counts.nodes, counts.leaves, counts.cutoffs, counts.table_hits)
    assert (events["enter"], leaves, events["cutoff"] + events["bounds"], events["table"]) == expected
    assert tuple(recording.end[name] for name in ("nodes", "leaves", "cutoffs", "table_hits")) == expected
    assert recording.end["left_out"] == 0


@pytest.mark.parametrize("most", [10_000, 60])
def test_a_stopped_search_has_no_meaningless_values(most: int) -> None:
    recording = recording_of("tictactoe", "minimax", most=most, nodes=100)
    assert recording.end["stopped"] == "nodes"
    assert root_of(recording).kind == "unfinished"
    assert root_of(recording).nodes > 1
    values = [event["value"] for event in recording.events if "value" in event]
    assert values
    assert None not in values, "no event may have an infinite value"


def test_a_stopped_deepening_shows_the_last_finished_depth() -> None:
    recording, result = record_search("tictactoe", "alphabeta(deepen=true)", nodes=300)
    assert result.stopped == "nodes"
    assert [each.root for each in recording.iterations if each.depth == 3] == [root_of(recording).number]
    assert recording.nodes[recording.iterations[-1].root or 0].kind == "unfinished"
    assert read_recording(recording.text) == recording


# A part of a recording. ---------------------------------------------------------------------------
def test_a_part_of_a_recording() -> None:
    whole = recording_of(TWO_PLY, "alphabeta")
    part = limit_recording(whole, plies=1, width=2)
    assert sorted(part.nodes) == [0, 1, 5]
    assert [part.nodes[1].nodes, part.nodes[1].children, part.nodes[1].best_child] == [4, [], None]
    assert (part.end["recorded"], part.end["left_out"]) == (3, 8)
    assert limit_recording(whole).nodes == whole.nodes
    assert sorted(limit_recording(whole, nodes=5).nodes) == [0, 1, 2, 5, 7], "the nodes nearest to the root are kept"
    part = limit_recording(recording_of("[[1],[2],[9],[3]]", "minimax"), width=2)
    assert [part.nodes[child].move for child in root_of(part).children] == ["a", "c"], "the best child is kept"
    whole = recording_of("tictactoe", "alphabeta(deepen=true, depth=3)")
    part = limit_recording(whole, plies=0)
    assert list(part.nodes) == [root_of(whole).number], "only the last tree is kept"
    assert [each.depth for each in part.iterations] == [3]


# Files that are not traces. ----------------------------------------------------------------------
@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda lines: [], "is not a trace"),
        (lambda lines: ["[1]"], "is not a trace"),
        (lambda lines: ['{"event": "search"}', *lines[1:]], "is not a trace"),
        (lambda lines: [lines[0].replace('"version": 1', '"version": 99'), *lines[1:]], "has trace version 99"),
        (lambda lines: lines[:-1], "is incomplete"),
        (lambda lines: [*lines[:-1], lines[-1][:40]], "is broken at line 33"),
        (lambda lines: [*lines[:4], lines[3], *lines[4:]], "is broken at line 5"),
    ],
)
def test_other_files_are_not_traces(change, words: str) -> None:  # type: ignore[no-untyped-def]
    lines = recording_of(TWO_PLY, "alphabeta").text.splitlines()
    with pytest.raises(GamesearchError, match=f"^search.trace {words}"):
        read_recording("\n".join(change(lines)), "search.trace")


RECORDED = [*DEPTH_FIRST[:10:3], PLAYOUTS[3], EXPANSIONS[1], EXPANSIONS[3], PROOFS[4]]
OTHERS: Sequence[Any] = True, 0.5, "text", [], {}, None
"""A value of each type that a field of an event can have."""
NUMBERS = {"value", "lower", "upper", "least", "greatest", "error", "deviation", "chance"}
"""Fields with numbers that need not be whole."""
UNREAD = {"goal", "distance", "distance_nodes"}
"""Fields that no reader of traces uses."""
MAY_BE_NULL = {"value", "best", "same"}


def test_a_field_with_a_value_of_another_type_is_refused() -> None:
    fields: dict[tuple[str, str, type], tuple[list[str], int]] = {}
    types: dict[tuple[str, str], set[type]] = defaultdict(set)
    for game, position, algorithm in RECORDED:
        record = record_proof if algorithm.startswith("proof") else record_search
        lines = record(game, algorithm, position, most=30)[0].text.splitlines()
        for number, event in enumerate(map(json.loads, lines)):
            for name, value in event.items():
                fields.setdefault((event["event"], name, type(value)), (lines, number))
                types[event["event"], name].add(type(value))
    kinds = {"search", "iteration", "enter", "cutoff", "playout", "revalue", "rescale", "end"}
    assert kinds <= {kind for kind, _ in types}
    accepted = []
    for (kind, name, _), (lines, number) in fields.items():
        allowed = types[kind, name] | ({float} if name in NUMBERS else set())
        allowed |= {type(None)} if name in MAY_BE_NULL else set()
        for other in () if name in UNREAD else OTHERS:
            if type(other) not in allowed:
                changed = json.dumps(json.loads(lines[number]) | {name: other})
                with contextlib.suppress(GamesearchError):
                    read_recording("\n".join([*lines[:number], changed, *lines[number + 1 :]]))
                    accepted.append((kind, name, other))
    assert accepted == []


# Files. ------------------------------------------------------------------------------------------
def test_a_search_that_fails_leaves_no_file(tmp_path: Path, cli: Cli) -> None:
    path, own = tmp_path / "search.trace", tmp_path / "failing.py"
    path.write_text("mine")
    own.write_text(
        "def search(game, state, depth):\n"
        "    if depth == 0:\n        raise RuntimeError('no value')\n"
        "    return max(search(game, game.result(state, m), depth - 1) for m in game.moves(state))\n"
    )
    cli.refusal("analyze tictactoe -a", f"{own}(depth=2)", "--trace", path, "--force")
    assert path.read_text() == "mine"
    assert {each.name for each in tmp_path.iterdir()} <= {"search.trace", "failing.py", "__pycache__"}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_full_disk_is_reported_in_one_sentence(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    before = Path.open

    def open_or_fail(path: Path, *arguments: Any, **options: Any) -> Any:
        if "unfinished" not in path.name:
            return before(path, *arguments, **options)
        path.touch()
        return before(Path("/dev/full"), *arguments, **options)

    monkeypatch.setattr(Path, "open", open_or_fail)
    assert "no space left on device" in cli.refusal("analyze tictactoe --depth 3 --trace", tmp_path / "search.trace")
    assert list(tmp_path.iterdir()) == []


def test_a_trace_is_printed_as_it_is_written(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "search.trace"
    cli.run("analyze", TWO_PLY, "--trace", path)
    assert cli.output("analyze", TWO_PLY, "--trace", "-") == path.read_text()
