"""A session by the clock: what is charged, what a move adds, and the flag that falls."""

import json

import pytest

from gamesearch.errors import GamesearchError
from gamesearch.play.match import Match
from gamesearch.play.players.loading import load_player
from gamesearch.play.sessions.session import Session, Settings
from gamesearch.registry import load
from gamesearch.render.match import clocks_text, result_text


def session(seconds: float, increment: float) -> Session:
    game = load("tictactoe")
    sides = [load_player("human", game, None, "interpreted") for _ in range(2)]
    return Session(Match(game, game.initial(), sides), Settings("tictactoe", clock=(seconds, increment)))


def test_a_move_adds_time_and_a_typed_command_does_not() -> None:
    played = session(60, 5)
    assert not played.loop.charge(0, 10, has_moved=True)
    assert not played.loop.charge(1, 10, has_moved=False)
    assert played.loop.clock is not None
    assert played.loop.clock.remaining == (55, 50)
    assert clocks_text(played.match.game, played.loop.clock) == "X 0:55  O 0:50"
    assert not played.loop.charge(0, 1, has_moved=True)
    assert played.loop.clock.remaining == (59, 50)


def test_who_has_no_time_left_has_lost_and_takes_nothing_back() -> None:
    played = session(60, 5)
    played.match.play(4)
    assert played.loop.charge(1, 60.5, has_moved=True)
    assert played.match.is_over
    assert result_text(played.match) == "O lost on time after 1 move: X wins"
    headers = json.loads(played.record())["headers"]
    assert headers["Termination"] == "O lost on time"
    with pytest.raises(GamesearchError, match="the flag has fallen"):
        played.undo()
    played.new()
    assert not played.match.is_over
    assert played.loop.clock is not None
    assert played.loop.clock.remaining == (60, 60)


def test_without_a_clock_nothing_is_charged() -> None:
    played = session(60, 0)
    played.loop.clock = None
    assert not played.loop.charge(0, 1e9, has_moved=True)
