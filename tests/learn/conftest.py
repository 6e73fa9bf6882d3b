"""The rules of the users' games in this folder are not checked, because learning loads a game many times."""

import pytest


@pytest.fixture(autouse=True)
def unchecked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gamesearch.registry.check_rules", lambda game: None)
