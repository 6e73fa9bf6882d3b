"""The state of a game on the full screen, tested without a screen: the prompt, the value, and each side's time."""

import time

import pytest

pytest.importorskip("textual")

from gamesearch.algorithms.engine.result import Monitor, Progress, SearchResult, Statistics
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.play.sessions.session import Session, Settings
from gamesearch.registry import load
from gamesearch.tui.match_panel import OngoingSearch
from gamesearch.tui.play_view import PlayState


def state_of(*players: str, clock: tuple[float, float] | None = None) -> PlayState:
    game = load("tictactoe")
    sides = [load_player(text, game, None, "interpreted") for text in players]
    return PlayState(Session(Match(game, game.initial(), sides), Settings("tictactoe", clock=clock)))


def thinking_about(state: PlayState) -> OngoingSearch:
    return OngoingSearch(state.match.state, state.match.number, Monitor())


def test_the_value_belongs_to_the_position_and_can_be_hidden() -> None:
    state = state_of("human", "random")
    assert state.evaluation is None
    result = SearchResult("test", 0.0, "exact", 4, (4,), Statistics())
    state.thinking = thinking_about(state)
    state.thinking.found = result
    assert state.evaluation is not None
    assert state.evaluation[0] == 0.0
    state.keep_value(SearchResult("test", 1.0, "exact", 4, (4,), Statistics()), is_played=False)
    assert state.evaluation[0] == 1.0, "the result of a finished search replaces the result of a running search"
    state.shows_values = False
    assert state.evaluation is None
    state.match.resign()
    assert state.evaluation is not None, "the result is always shown"


def test_the_time_for_compiling_counts_for_no_player() -> None:
    state = state_of("human", "random")
    state.counted_at -= 5
    state.count_time()
    assert state.times[0] == "0:05"
    state.thinking = thinking_about(state)
    state.thinking.take(Progress(compiling="kernel"))
    state.counted_at -= 5
    state.count_time()
    assert state.times == ["0:05", "0:00"]
    state.thinking.told -= 3
    state.turn_began = time.monotonic() - 4
    assert state.used == pytest.approx(1, abs=0.5)
