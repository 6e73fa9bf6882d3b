"""`analyze --explain` shows how patterns contribute to an estimate; the estimate of a network is shown as a whole."""

import math

import pytest
from commands import output

from gamesearch.learned.patterns import PatternEvaluation
from gamesearch.registry import load


def test_places_add_up_to_the_estimate() -> None:
    game = load("connect4(weights=learned)")
    assert isinstance(game, PatternEvaluation)
    for text in ("4453", "44444"):
        s = game.parse(text)
        total = sum(amount for _, amount in game.contributions(s))
        assert game.evaluate(s) == pytest.approx(game.draw_value() + game.largest_estimate * math.tanh(total))


def test_patterns_are_explained_by_their_places(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["analyze", "connect4(weights=learned)", "4453", "--depth", "1", "--explain", "--speed", "interpreted"]
    found = output(capsys, *arguments)
    assert "cells " in found
    assert "all other places" in found


def test_a_network_is_not_split(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["analyze", "backgammon(weights=learned)", "max 31", "--depth", "1", "--explain"]
    found = " ".join(output(capsys, *arguments, "--speed", "interpreted").split())
    assert "by a network" in found
