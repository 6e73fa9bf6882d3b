"""If a game has too many positions, the method `auto` switches from `memo` to `search` and keeps the values found."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from gamesearch.algorithms.engine.result import Monitor, Progress
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import Game
from gamesearch.registry import load
from gamesearch.solvers import search
from gamesearch.solvers.solving import solve


def test_search_uses_the_values_of_memo(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_REMEMBERED", 1_500)
    game = load("tictactoe")
    s = game.initial()
    known = solve(game, s, speed="interpreted")
    searched = known.positions - 1_500
    monkeypatch.setattr(search, "seed_table", lambda runner, solved: None)
    unseeded = solve(game, s, speed="interpreted").positions - 1_500
    assert 0 < searched < 0.9 * unseeded


def test_a_note_says_that_search_continues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_REMEMBERED", 100)
    said: list[str] = []
    game = load("tictactoe")
    solution = solve(game, game.initial(), speed="interpreted", monitor=Monitor(note=said.append))
    assert said == [solution.note]
    assert "memo has solved 100 positions" in solution.note
    assert solve(game, game.initial(), "memo", speed="interpreted").note == ""


def test_the_switch_to_search_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_REMEMBERED", 100)
    game = load("connect4")
    monitor = Monitor(note=lambda _: setattr(monitor, "interrupted", True), interval=0.001)
    monitor.poll = lambda progress: isinstance(progress, Progress) and monitor.interrupted
    with pytest.raises(Interrupted, match="interrupted after"):
        solve(game, game.initial(), speed="interpreted", monitor=monitor)


class Stopping(Monitor):
    """A monitor that records the stages of solving; it interrupts the stage whose name begins with `begins`."""

    def __init__(self, begins: str) -> None:
        self.begins = begins
        self.stages: list[str] = []
        super().__init__(poll=lambda _: self.interrupted, interval=0.0001)

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if name == "stage" and value:
            self.stages.append(value)
            self.interrupted |= value.startswith(self.begins)


def stop_while(begins: str, game: Game, s: Any) -> tuple[str, list[str]]:
    """Interrupt solving at a stage; return the error message and the names of the stages until then."""
    monitor = Stopping(begins)
    with pytest.raises(Interrupted) as caught:
        solve(game, s, "search", speed="interpreted", monitor=monitor)
    return str(caught.value), monitor.stages


def test_an_interruption_reports_the_known_values() -> None:
    game = load("connect4(rows=4, columns=5)")
    message, stages = stop_while("the position; the value is at", game, game.parse("3333"))
    assert stages[0] == "the position"
    bound = r"at (least|most) -?\d+"
    assert re.fullmatch(
        rf"solving was interrupted after [\d,]+ positions; the value is {bound}( and {bound})?", message
    )
    message, stages = stop_while("move 2", game, game.parse("3333"))
    value = r"-?\d+"
    assert re.fullmatch(
        rf"solving was interrupted after [\d,]+ positions; the value is {value}(, \d: {value})+", message
    )


class Walk(Game[int]):
    """A walk in which positions repeat without end, or in which a counter makes all positions different."""

    def __init__(self, counts: bool = True) -> None:
        self.counts = counts

    def initial(self) -> int:
        return 0

    def player(self, s: int) -> int:
        return s % 2

    def moves(self, s: int) -> Iterator[int]:
        return iter((1, 3))

    def result(self, s: int, m: int) -> int:
        return s + m if self.counts or s + m == 5 else (s + m) % 4

    def terminal(self, s: int) -> bool:
        return s == 5 or s > 10**6

    def utility(self, s: int) -> float:
        return 1.0


@pytest.mark.parametrize(
    ("counts", "advice"), [(False, "plies: use the method retrograde$"), (True, "leave the history and counters out")]
)
def test_a_game_that_lasts_too_long_gets_the_advice_that_helps(counts: bool, advice: str) -> None:
    game = Walk(counts)
    with pytest.raises(GamesearchError, match=advice):
        solve(game, 0, "memo", speed="interpreted")
