"""`gamesearch agree`: two sets of rules for one game."""

import io
import json
from types import SimpleNamespace

import pytest
from commands import complaint, output

USUAL, OTHER = "chess(features=material+check)", "chess(features=material+check, rules=python-chess)"
FEW = ("--positions", "60", "--speed", "interpreted")


def test_no_difference(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "agree", USUAL, "--against", OTHER, *FEW) == "no difference in 60 positions\n"


def test_a_difference(capsys: pytest.CaptureFixture[str]) -> None:
    shown = output(capsys, "agree", "chess", "--against", "chess(values=evans)", *FEW, code=1)
    assert "differs in its estimate" in shown
    data = json.loads(output(capsys, "agree", "chess", "--against", "chess(draws=false)", "--json", *FEW,
                             "8/8/8/8/8/2k5/8/K7 w - - 0 1", code=1))  # fmt: skip
    assert data["difference"]["what"] == "end of the game"


def test_positions_from_standard_input(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    lines = b"8/8/8/8/8/2k5/8/K7 w - - 0 1\n\n8/8/8/8/8/2k5/8/K6R w - - 0 1\n"
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(lines)))
    shown = output(capsys, "agree", "chess", "--against", "chess(draws=false)", *FEW, "-", code=1)
    assert shown.startswith("8/8/8/8/8/2k5/8/K7 w")


def test_wrong_input_is_refused(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert "different games" in complaint(capsys, "agree", "chess", "--against", "nim")
    monkeypatch.setattr("sys.stdin", None)
    assert "standard input is empty" in complaint(capsys, "agree", "nim", "--against", "nim", "-")
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b"3,4,5\nsix\n")))
    assert "line 2: 'six' is not heaps" in complaint(capsys, "agree", "nim", "--against", "nim", "-")
