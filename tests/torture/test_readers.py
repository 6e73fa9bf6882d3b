"""A fixed sample of the cases of `python -m torture.readers`, and cases that failed in the past."""

import contextlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from gamesearch.errors import GamesearchError
from torture.readers import CODES, KINDS, Hang, case, examples_of, failure_of

CASES = 6
"""The number of damaged files that are read of each kind."""
SLOW_KINDS = ("trace", "EPD", "patterns", "UCI", "earlier run")
"""Kinds of files whose reading is slow, so fewer files are read."""


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Let internal errors be raised, and keep the user's files in a temporary folder."""
    monkeypatch.setenv("GAMESEARCH_DEBUG", "1")
    for name in ("STATE", "DATA"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path))


@pytest.mark.parametrize("kind", KINDS)
def test_examples_are_read(kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number, data in enumerate(examples_of(kind)):
        folder = tmp_path / str(number)
        folder.mkdir()
        monkeypatch.chdir(folder)
        KINDS[kind].with_files(folder)
        path = folder / f"case{KINDS[kind].suffix}"
        path.write_bytes(data)
        CODES.clear()
        with contextlib.suppress(GamesearchError) if kind == "PGN" else contextlib.nullcontext():
            KINDS[kind].use(path)
        assert not CODES or not {0, 1}.isdisjoint(CODES), data[:100]


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_reported_in_one_sentence(kind: str) -> None:
    count = len(examples_of(kind)) + CASES // (3 if kind in SLOW_KINDS else 1)
    failures = {f"{kind}:{number}": failure_of(kind, case(kind, number)) for number in range(count)}
    assert {name: failure for name, failure in failures.items() if failure} == {}


FOUND = {
    "the kind of an event is a list": ("trace", 0, {"event": ["enter"]}),
    "the best line is not a list": ("trace", -1, {"line": True}),
    "a version is negative": ("trace", 0, {"event": "search", "version": -1}),
    "a node is its own parent": ("trace", 0, {"event": "enter", "node": 3, "parent": 3}),
    "an ancestor is not above": ("trace", 0, {"event": "cutoff", "refuted": {"node": 2, "move": "a", "shown": "3"}}),
    "an event of another kind of search": ("trace", 0, {"event": "count", "node": 0, "path": [0], "values": [1]}),
    "a number is not finite": ("trace", 0, {"event": "leave", "value": float("nan")}),
    "a player is unknown": ("journal", 0, {"number": 1, "players": ["random", "nobody"]}),
    "nodes are missing": ("journal", 0, {"number": 1, "nodes": []}),
    "a winner is true": ("journal", 0, {"number": 2, "winner": True}),
    "a header has a huge layer": ("header", 0, {"layer": 10**9}),
    "a header needs a text": ("header", 0, {"needs": ["1"]}),
    "totals are missing": ("earlier run", None, {"totals": {"right": 1}}),
    "totals are texts": ("earlier run", None, {"totals": dict.fromkeys(("right", "positions", "nodes"), "1")}),
}
"""For each past failure: the kind of file, the place of the damage in its first example, and the changed fields.

The place is the number of the changed line. 0 means the first line that has the same value in the first field, and None
means that the whole document is JSON.
"""


@pytest.mark.parametrize(("kind", "at", "changes"), FOUND.values(), ids=FOUND)
def test_past_failures_are_refused_with_a_message(kind: str, at: int | None, changes: dict[str, object]) -> None:
    data = examples_of(kind)[0]
    if at is None:
        changed = json.dumps(json.loads(data) | changes).encode()
    else:
        lines = data.strip().split(b"\n")
        key, value = next(iter(changes.items()))
        wanted = value[0] if isinstance(value, list) and key == "event" else value
        place = at if at else next((n for n, line in enumerate(lines) if json.loads(line).get(key) == wanted), 0)
        lines[place] = json.dumps(json.loads(lines[place]) | changes).encode()
        changed = b"\n".join([*lines, b""])
    assert changed != data
    assert failure_of(kind, changed) == ""
    with pytest.raises((GamesearchError, AssertionError)):
        read_damaged(kind, changed)


def read_damaged(kind: str, data: bytes) -> None:
    """Read damaged data; raise GamesearchError if they are rejected, AssertionError if the exit code is not 0."""
    from gamesearch.cli import run
    from gamesearch.trace.reading import read_recording

    if kind == "trace":
        read_recording(data.decode())
    elif kind == "journal":
        path = Path(os.environ["XDG_DATA_HOME"]) / "journal.jsonl"
        path.write_bytes(data)
        assert run(["ratings", str(path)]) == 0
    else:
        raise GamesearchError("the test calls readers only of traces and journals")


def test_a_hang_is_a_failure() -> None:
    def stay() -> None:
        while True:
            pass

    from torture.readers import watch

    with pytest.raises(Hang), watch(0.2):
        stay()


def test_an_intrusion_is_a_failure(tmp_path: Path) -> None:
    """The check runs in another process, because an audit hook cannot be removed."""
    program = (
        "import os\nfrom pathlib import Path\nfrom torture.readers import KINDS, Kind, failure_of\n"
        "for number, use in enumerate((lambda path: os.system('true'), lambda path: exec(compile("
        "Path('trap.py').read_text(), 'trap.py', 'exec')), lambda path: open('/var/written', 'w'))):\n"
        "    KINDS[str(number)] = Kind('.x', list, use)\n    print(failure_of(str(number), b'').partition(':')[0])\n"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=Path(__file__).parents[1], check=True
    )
    assert found.stdout.split() == ["Intrusion"] * 3
