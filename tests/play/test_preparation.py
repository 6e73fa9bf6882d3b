"""Code is compiled while users think; if they must wait for the compilation, its progress is shown."""

from typing import Any

import pytest
from match_support import Preparing

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine import execution
from gamesearch.algorithms.engine.formatting import compiling_text
from gamesearch.algorithms.engine.result import Monitor, Progress
from gamesearch.compiler import cache_files
from gamesearch.compiler.cache import CacheOnDisk
from gamesearch.errors import Interrupted
from gamesearch.play.match import Match
from gamesearch.play.players.player import Human, Player, Turn
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.play.sessions.session import Session, Settings
from gamesearch.registry import load


def session_with(player: Player) -> Session:
    game = load("tictactoe")
    session = Session(Match(game, game.initial(), [Human(), player], seed=1), Settings("tictactoe"))
    session.prepare()
    session.match.play(4)
    return session


def test_the_computer_waits_for_its_code_and_shows_how_far_it_is() -> None:
    player = Preparing()
    session, shown = session_with(player), list[str]()

    def poll(now: Progress) -> bool:
        shown.append(compiling_text(now))
        player.may_end.set()
        return False

    assert session.reply(Monitor(poll=poll, interval=0.01)).move is not None
    assert shown[0] == "compiling kernel (the result is kept): 0 of about 40 s"
    assert player.turn is not None
    assert player.turn.mover == 1, "the player prepares for its own turn"


def test_an_interruption_ends_the_wait() -> None:
    player = Preparing()
    session, monitor = session_with(player), Monitor(interval=0.01)
    monitor.interrupted = True
    with pytest.raises(Interrupted):
        session.reply(monitor)
    player.may_end.set()


def test_a_preparation_that_fails_ends() -> None:
    class Failing(Preparing):
        def prepare(self, turn: Turn, monitor: Monitor | None = None) -> None:
            self.is_prepared = True
            raise ValueError("of a file of rules")

    assert session_with(Failing()).reply(Monitor()).move is not None


class Unused(type(load("tictactoe"))):  # type: ignore[misc]
    """A game that only this test uses, so its compiled code has not been loaded."""


def test_after_preparing_nothing_is_compiled_or_loaded_any_more(monkeypatch: pytest.MonkeyPatch) -> None:
    asked_for, load_overload = list[str](), CacheOnDisk.load_overload

    def loading(cache: CacheOnDisk, signature: Any, context: Any) -> Any:
        asked_for.append(cache.function.__name__)
        return load_overload(cache, signature, context)

    monkeypatch.setattr(CacheOnDisk, "load_overload", loading)
    game = Unused()
    turn = Turn(game, [game.initial()], [])
    with AlgorithmPlayer(load_algorithm("minimax(depth=9)"), "compiled") as player:
        player.prepare(turn)
        assert "minimax" in asked_for
        asked_for.clear()
        assert player.answer(turn).statistics.speed == "compiled"
    assert not asked_for


def test_the_last_time_is_the_estimate(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache_files, "folder", lambda: tmp_path / "compiled")
    assert execution.expected_seconds("chess", "pvs") is None
    for seconds in (45.0, 31.26):
        execution.note_seconds("chess", "pvs", seconds)
    execution.note_seconds("chess", "alphabeta", 0.3)
    assert execution.expected_seconds("chess", "pvs") == 31.3
    assert execution.expected_seconds("chess", "alphabeta") is None
    for damage in ("[1]", '{"chess": 3}', '{"chess": {"pvs": "x"}}', "\x00"):
        execution.times_path().write_text(damage)
        assert execution.expected_seconds("chess", "pvs") is None
