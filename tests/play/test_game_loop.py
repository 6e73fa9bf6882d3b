"""The game loop with scripted players: chance, forced moves, resignation, illegal moves, clocks and interruptions."""

import json
import random
import time
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest
from numba.core import event

from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult, Statistics
from gamesearch.algorithms.engine.runner import Runner
from gamesearch.errors import GamesearchError
from gamesearch.play.clock import Clock
from gamesearch.play.game_loop import GameLoop, Reply
from gamesearch.play.match import Match
from gamesearch.play.matches.game_task import TIME, GameTask, Opening, Terms
from gamesearch.play.matches.referee import Referee
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Player, PlayerError, Resigned, Turn
from gamesearch.play.players.searching import AlgorithmPlayer
from gamesearch.play.sessions.session import Session, Settings
from gamesearch.registry import load
from gamesearch.render.match import clocks_text, result_text


class Scripted(Player):
    """A player that plays the moves of a script; `resign` resigns, and None is a search without a best move."""

    specification = "scripted"

    def __init__(self, script: Sequence[str | None], seconds: float = 0.0) -> None:
        self.script, self.seconds = list(script), seconds
        self.turns: list[Turn] = []

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        self.turns.append(turn)
        time.sleep(self.seconds)
        text = self.script.pop(0)
        if text == "resign":
            raise Resigned("scripted resigns")
        move = None if text is None else -7 if text == "illegal" else turn.game.parse_move(turn.state, text)
        return SearchResult("scripted", None, "exact", move, (), Statistics())


def loop_of(game: str, *scripts: Sequence[str | None], clock: Clock | None = None, **more: Any) -> GameLoop:
    rules = load(game)
    return GameLoop(Match(rules, rules.initial(), [Scripted(each) for each in scripts], 5), clock, **more)


def run(loop: GameLoop) -> list[str]:
    """Play the game to its end and return the names of all moves."""
    names = []
    for roll in loop.turns():
        ply = loop.accept(loop.ask()) if roll is None else roll
        if ply is not None:
            names.append(loop.match.game.move_name(*ply))
    return names


@pytest.mark.parametrize(
    ("first", "second", "moves", "winner", "reason"),
    [
        (["1", "2", "3"], ["4", "5"], "14253", 0, ""),
        (["1", "2", "6", "7"], ["3", "4", "5", "8"], "132465789", None, ""),
        (["1", "resign"], ["2"], "12", 1, "resignation"),
        (["2", None, "3"], ["4", "5"], "24153", 0, ""),  # after None, the first legal move is played
    ],
)
def test_players_move_in_turn_until_the_game_is_over(
    first: list[str | None], second: list[str | None], moves: str, winner: int | None, reason: str
) -> None:
    """In the game whose last move is 9, this move is forced, so it is played without a search."""
    loop = loop_of("tictactoe", first, second)
    assert "".join(run(loop)) == "".join(loop.match.move_names()) == moves
    assert loop.match.outcome is not None
    assert (loop.match.outcome.winner, loop.match.outcome.reason) == (winner, reason)


def test_chance_decides_by_the_seed_of_the_match_or_by_given_dice() -> None:
    def rolls(dice: random.Random | None) -> list[int]:
        loop = loop_of("pig", *[["roll"] * 9] * 2)
        found = []
        for roll in loop.turns(lambda: len(loop.match.moves) >= 8, dice):
            if roll is None:
                loop.accept(loop.ask())
            else:
                found.append(roll.move)
        return found

    assert rolls(None) == rolls(None)
    assert len(set(rolls(None))) > 1
    assert rolls(random.Random(1)) == rolls(random.Random(1))
    assert len({tuple(rolls(dice)) for dice in (None, random.Random(1), random.Random(2))}) > 1


def test_an_illegal_move_is_an_error_of_the_player() -> None:
    loop = loop_of("tictactoe", ["illegal"], ["4"])
    with pytest.raises(PlayerError, match="scripted answered -7, which is not legal in"):
        run(loop)
    assert loop.match.moves == []


def test_players_get_the_match_and_the_clock() -> None:
    loop = loop_of("tictactoe", ["1", "2", "3"], ["4", "5"], clock=Clock((60.0, 60.0), 2.0))
    run(loop)
    second = loop.match.players[1]
    assert isinstance(second, Scripted)
    turn = second.turns[1]
    assert turn.moves == tuple(loop.match.moves[:3])
    assert turn.clock is not None
    assert turn.clock.remaining[0] > 60
    assert turn.clock.remaining[1] > 60


def test_a_player_loses_on_time_only_beyond_the_margin() -> None:
    for margin, reason in ((0.0, "time"), (30.0, "")):
        loop = loop_of("tictactoe", ["1", "2", "3"], ["4", "5"], clock=Clock((60.0, 0.005)), margin=margin)
        second = loop.match.players[1]
        assert isinstance(second, Scripted)
        second.seconds = 0.01
        run(loop)
        assert loop.match.outcome is not None
        assert loop.match.outcome.reason == reason


def test_only_a_move_adds_the_increment_to_the_clock() -> None:
    loop = loop_of("tictactoe", [], [], clock=Clock((60.0, 60.0), 5.0))
    assert loop.make(loop.match.steps[0], 10) is not None
    assert not loop.charge(1, 10, has_moved=False)
    assert loop.clock is not None
    assert loop.clock.remaining == (55, 50)
    assert loop.make(loop.match.steps[0], 50.5) is None
    assert loop.match.flagged == 1
    assert len(loop.match.moves) == 1


def test_the_reply_to_a_resignation_takes_no_time() -> None:
    loop = loop_of("tictactoe", [], [], clock=Clock((60.0, 60.0)))
    assert loop.accept(Reply(has_resigned=True, seconds=3)) is None
    assert loop.clock is not None
    assert loop.clock.remaining == (60, 60)
    assert loop.match.resigned == 0


# The clock of a session. ---------------------------------------------------------------------------
def session(seconds: float, increment: float) -> Session:
    game = load("tictactoe")
    sides = [load_player("human", game, None, "interpreted") for _ in range(2)]
    return Session(Match(game, game.initial(), sides), Settings("tictactoe", clock=(seconds, increment)))


def test_a_player_without_time_has_lost() -> None:
    played = session(60, 5)
    played.match.play(4)
    assert played.loop.charge(1, 60.5, has_moved=True)
    assert played.match.is_over
    assert result_text(played.match) == "O lost on time after move 1: X wins"
    headers = json.loads(played.record())["headers"]
    assert headers["Termination"] == "O lost on time"
    with pytest.raises(GamesearchError, match="lost on time: type new"):
        played.undo()
    played.begin_new_game()
    assert not played.match.is_over
    assert played.loop.clock is not None
    assert clocks_text(played.match.game, played.loop.clock) == "X 1:00  O 1:00"


# Thinking time. ------------------------------------------------------------------------------------
class Slow(Algorithm):
    """A user's algorithm whose first search spends half a second compiling or waiting, but reports 0 seconds."""

    name, summary, source = "slow", "a slow one", "nowhere"

    def __init__(self, compiles: bool = True) -> None:
        self.compiles, self.searches = compiles, list[Limits]()

    def search(self, runner: Runner, state: Any) -> SearchResult:
        self.searches.append(runner.limits)
        if len(self.searches) == 1 and self.compiles:
            kernel = SimpleNamespace(py_func=self.search)
            with event.trigger_event("numba:compile", data={"dispatcher": kernel}):
                time.sleep(0.5)
        elif len(self.searches) == 1 and runner.limits.time:
            time.sleep(0.5)
        return SearchResult("slow", None, "exact", runner.game.steps(state)[0], (), Statistics(seconds=0.0))


def reason_of(algorithm: Algorithm) -> str:
    """Play a game with a quarter of a second for each move, and return the reason for its end."""
    game, terms = load("tictactoe"), Terms(time=0.05, margin=0.2, speed="interpreted")
    players = [AlgorithmPlayer(each, "interpreted") for each in (algorithm, load_algorithm("random(seed=1)"))]
    task = GameTask(0, "tictactoe", ("slow", "random"), ("slow", "random"), Opening(), 1, terms)
    return Referee(game, task, players, lambda *_: None).play().reason


def test_compilation_by_a_users_class_is_not_thinking_time() -> None:
    assert reason_of(Slow()) == ""
    assert reason_of(Slow(compiles=False)) == TIME


def test_a_users_class_is_warmed_up_before_the_clocks_run() -> None:
    own = Slow(compiles=False)
    AlgorithmPlayer(own, "interpreted").warm_up(load("tictactoe"))
    assert [limits.depth for limits in own.searches] == [1]
    ours = AlgorithmPlayer(load_algorithm("minimax(depth=9)"), "interpreted")
    ours.warm_up(load("chess"))  # a search to this depth would take forever
    assert ours.searcher is None
