"""All searches of the signature find the same results as the stored signature."""

import builtins
import functools
import json
import math
import operator
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from choices import for_game, only_with_everything

from gamesearch.algorithms.catalog import all_algorithms
from gamesearch.algorithms.engine.result import Monitor
from gamesearch.cli import run
from gamesearch.commands.measuring.bench import signature
from gamesearch.game import Game

KNOWN = json.loads((Path(__file__).parent / "signature.json").read_text())
"""The stored output of `gamesearch bench --signature --json`; store it again if a search was changed intentionally."""
GAMES, ALGORITHMS = list(KNOWN["games"]), list(KNOWN["algorithms"])


def exact_sum(items: Iterable[Any], start: Any = 0) -> Any:
    """Return the result of `sum`; fail if it is rounded, because Python 3.12 rounds sums differently."""
    added = [start, *items]
    total = functools.reduce(operator.add, added)
    if isinstance(total, float):
        assert total == math.fsum(added), f"{added} is rounded: use math.fsum"
    return total


def signature_now(name: str, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """Return the signature of a game or an algorithm as this version computes it."""
    monkeypatch.setattr(builtins, "sum", exact_sum)
    monkeypatch.setattr(signature, "game_names", lambda: [name] if name in GAMES else GAMES)
    (task,) = (each for each in signature.tasks() if each.name == name)
    found = signature.signature_of(task, "interpreted", None)
    assert found is not None
    return signature.data_of(found)


@pytest.mark.parametrize("name", [*map(for_game, GAMES), *ALGORITHMS])
def test_all_searches_find_the_stored_results(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The stored file need not contain a new game or algorithm, because new results do not change the other results."""
    assert signature_now(name, monkeypatch) == KNOWN["games" if name in GAMES else "algorithms"][name]


def test_the_stored_file_is_the_output_of_the_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parts = [
        signature.Signature(name, kind == "algorithms", each["searches"], each["nodes"], each["signature"])
        for kind in ("games", "algorithms")
        for name, each in KNOWN[kind].items()
    ]
    monkeypatch.setattr("gamesearch.commands.measuring.bench.signature.signatures", lambda **_: parts)
    assert run(["bench", "--signature", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == KNOWN
    assert KNOWN["searches"] >= 300


def test_an_interrupted_signature_ends_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monitor = Monitor()

    def interrupt(game: Game, *_: object, **__: object) -> None:
        asked.append(game.name)
        monitor.interrupted = True

    monkeypatch.setattr(signature, "search", interrupt)
    assert list(signature.signatures(monitor=monitor)) == []
    assert len(asked) == 1


def test_every_algorithm_and_every_combination_of_a_kind_is_searched_in_some_game() -> None:
    assert all(len(options) <= signature.POSITIONS for options in signature.OPTIONS.values())
    assert {each.name for each in signature.tasks() if each.is_algorithm} | signature.named_algorithms() == set(
        all_algorithms()
    )


@only_with_everything  # tests/test_speeds.py compiles each kernel
@pytest.mark.xdist_group("tictactoe")
def test_compiled_searches_have_the_same_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signature, "game_names", lambda: ("tictactoe",))
    monkeypatch.setattr(signature, "all_algorithms", dict)
    slow, fast = (list(signature.signatures(speed=speed)) for speed in ("interpreted", "compiled"))
    assert slow == fast
    assert [each.name for each in slow] == ["tictactoe"]
