"""The signature of all searches: what they find is as it was written down."""

import json
from pathlib import Path

import pytest
from commands import complaint

from gamesearch.algorithms.catalog import all_algorithms
from gamesearch.cli import run
from gamesearch.render.signature import signature_data
from gamesearch.study import signature

KNOWN = Path(__file__).parent / "signature.json"
"""What `gamesearch bench --signature --json` printed; where searches are meant to change, write it again."""


def test_all_searches_find_what_they_found_before(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["bench", "--signature", "--json"]) == 0
    found, known = json.loads(capsys.readouterr().out), json.loads(KNOWN.read_text())
    is_older = found["games"].keys() != known["games"].keys()  # a new game is searched by all algorithms
    for part in ("games",) if is_older else ("games", "algorithms"):
        kept = {name: each for name, each in found[part].items() if name in known[part]}
        assert kept == known[part], "where searches are meant to change, say why, and write the file anew"
    assert known["searches"] >= 300


def test_every_combination_of_a_kind_is_searched_in_some_game() -> None:
    assert all(len(options) <= signature.POSITIONS for options in signature.OPTIONS.values())


@pytest.mark.xdist_group("tictactoe")
def test_compiled_searches_have_the_same_signature(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signature, "game_names", lambda: ("tictactoe",))
    slow, fast = (list(signature.signatures(speed=speed)) for speed in ("interpreted", "compiled"))
    assert slow == fast
    assert [each.name for each in slow if not each.is_algorithm] == ["tictactoe"]
    algorithms = {each.name for each in slow if each.is_algorithm}
    assert algorithms | signature.named() == set(all_algorithms())
    assert signature_data(slow)["signature"] != signature_data([*slow, *slow])["signature"]


@pytest.mark.parametrize("arguments", [("tictactoe",), ("--depth", "3"), ("--algorithms", "minimax")])
def test_a_signature_is_of_everything(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]) -> None:
    assert "leave out all other arguments" in complaint(capsys, "bench", "--signature", *arguments)


def test_without_a_signature_there_is_a_game_to_name(capsys: pytest.CaptureFixture[str]) -> None:
    assert "GAME" in complaint(capsys, "bench")
