"""One game of a series: its limits, clocks, failures and adjudication."""

import math
import time
from dataclasses import replace
from typing import Any

import pytest

from gamesearch.algorithms.engine.result import Monitor, SearchResult, Statistics
from gamesearch.errors import GamesearchError, IllegalMoveError
from gamesearch.play.matches.game_task import CRASH, HANG, ILLEGAL, TIME, GameRecord, GameTask, Opening, Terms
from gamesearch.play.matches.referee import DEAD, DEFAULT_TIME, RESIGNATION, TO_END, Adjudicator, Referee
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import (
    LONGEST_WAIT,
    IllegalAnswerError,
    NoAnswerError,
    Player,
    PlayerError,
    Resigned,
    Turn,
)
from gamesearch.registry import load


class RecordingPlayer(Player):
    """A player that plays the first legal move, reports the given values and search times, and records its turns."""

    specification = "told"

    def __init__(self, values: list[float | None] | None = None, seconds: float = 0.0) -> None:
        self.values, self.seconds = list(values or []), seconds
        self.turns: list[Turn] = []
        self.bound = "exact"

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        self.turns.append(turn)
        time.sleep(self.seconds)
        value = self.values.pop(0) if self.values else None
        return SearchResult("told", value, self.bound, turn.game.steps(turn.state)[0], (), Statistics(nodes=3))


class FailingPlayer(RecordingPlayer):
    def __init__(self, best: Any) -> None:
        super().__init__()
        self.best = best

    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        if isinstance(self.best, BaseException):
            time.sleep(self.seconds)
            raise self.best
        return replace(super().answer(turn), best=self.best)


def task(game: str = "tictactoe", terms: Terms | None = None, opening: Opening | None = None) -> GameTask:
    return GameTask(4, game, ("told", "told"), ("A", "B"), opening or Opening(), 9, terms or Terms())


def play(one: Player, other: Player, asked: GameTask) -> tuple[GameRecord, list[tuple[int | None, float]]]:
    reports: list[tuple[int | None, float]] = []
    referee = Referee(load(asked.game), asked, (one, other), lambda side, s, _: reports.append((side, s)))
    return referee.play(), reports


def test_a_game_is_played_to_its_end() -> None:
    one, other = RecordingPlayer(), RecordingPlayer()
    record, reports = play(one, other, task(opening=Opening(moves=("9",))))
    assert record.moves == ("1", "2", "3", "4", "5", "6", "7")
    assert (record.number, record.pair, record.players, record.opening) == (4, 2, ("A", "B"), ("9",))
    assert (record.winner, record.reason, record.failed, record.points) == (1, "", None, (0.0, 1.0))
    assert (record.asked, record.nodes) == ((3, 4), (9, 12))
    wait: Any = pytest.approx(DEFAULT_TIME + 10.1 + TO_END)
    assert reports == [(1, wait), (0, wait)] * 3 + [(1, wait)]
    assert GameRecord.read(record.text()) == record


@pytest.mark.parametrize(
    ("terms", "limits", "patience"),
    [
        (Terms(time=0.5), (None, 0.5, None), 0.5 + 10.1),
        (Terms(nodes=7, depth=3), (3, None, 7), LONGEST_WAIT),
        (Terms(time=0.5, patience=2, margin=1), (None, 0.5, None), 3.5),
        (Terms(clock=60, increment=1), (None, None, None), 60 + 10.1),
    ],
)
def test_players_receive_their_limits(terms: Terms, limits: tuple[Any, ...], patience: float) -> None:
    one = RecordingPlayer()
    _, reports = play(one, RecordingPlayer(), task(terms=terms))
    turn = one.turns[0]
    assert (turn.limits.depth, turn.limits.time, turn.limits.nodes) == limits
    assert reports[0][0] == 0
    assert reports[0][1] == pytest.approx(patience + TO_END)
    assert turn.patience == terms.margin + terms.patience
    assert (turn.clock is not None) == (terms.clock is not None)
    if turn.clock is not None:
        later = one.turns[1].clock
        assert turn.clock.remaining == (60, 60)
        assert later is not None
        assert later.remaining[0] == pytest.approx(60 + terms.increment, abs=0.5)
        assert later.remaining[0] != 60


@pytest.mark.parametrize("best", [None, -1, "1", IllegalAnswerError("it answered z9"), IllegalMoveError("no")])
def test_an_illegal_move_loses(best: Any) -> None:
    record, _ = play(RecordingPlayer(), FailingPlayer(best), task())
    assert (record.winner, record.reason, record.failed, record.moves) == (0, ILLEGAL, 1, ("1",))
    assert record.details


def test_a_clock_overrides_the_time_limit_of_a_player() -> None:
    slow = RecordingPlayer(seconds=0.02)
    slow.own_time, slow.has_limit = 0.001, True
    assert play(slow, RecordingPlayer(), task(terms=Terms(clock=30, margin=0)))[0].reason == ""
    assert play(slow, RecordingPlayer(), task(terms=Terms(margin=0)))[0].reason == TIME


def test_resigning_is_not_a_failure() -> None:
    record, _ = play(RecordingPlayer(), FailingPlayer(Resigned("told resigns")), task())
    assert (record.winner, record.reason, record.failed, record.moves) == (0, RESIGNATION, None, ("1",))


@pytest.mark.parametrize("error", [ValueError("no"), GamesearchError("no"), SystemExit(3), RecursionError()])
def test_a_crash_loses(error: BaseException) -> None:
    record, _ = play(FailingPlayer(error), RecordingPlayer(), task())
    assert (record.winner, record.reason, record.failed, record.moves) == (1, CRASH, 0, ())
    assert (str(error) if isinstance(error, GamesearchError) else type(error).__name__) in record.details


@pytest.mark.parametrize("terms", [Terms(time=0.001, margin=0), Terms(clock=0.001, margin=0)])
def test_a_player_that_exceeds_its_time_loses(terms: Terms) -> None:
    record, _ = play(
        RecordingPlayer(), RecordingPlayer(seconds=0.02), task(terms=replace(terms, time=terms.time and 0.01))
    )
    assert (record.winner, record.reason, record.failed) in ((0, TIME, 1), (1, TIME, 0))
    record, _ = play(RecordingPlayer(seconds=0.02), RecordingPlayer(), task(terms=terms))
    assert (record.winner, record.reason, record.failed) == (1, TIME, 0)
    for error, reason in ((NoAnswerError("it is silent"), HANG), (PlayerError("it ended"), CRASH)):
        slow = FailingPlayer(error)
        slow.seconds = 0.02
        record, _ = play(slow, RecordingPlayer(), task(terms=terms))
        assert (record.winner, record.reason, record.failed) == (1, reason, 0)
    assert play(RecordingPlayer(seconds=0.02), RecordingPlayer(), task(terms=replace(terms, margin=30)))[0].reason == ""


def test_a_player_keeps_its_own_limit_if_the_match_has_none() -> None:
    limits = {"minimax(depth=2)": True, "minimax(2)": True, "alphabeta(time=3)": True, "mcts(playouts=9)": True}
    for text, has_limit in {**limits, "random(seed=2)": False, "alphabeta": False}.items():
        assert load_player(text, load("tictactoe"), math.inf).has_limit == has_limit
    game = load("tictactoe")
    player = load_player("alphabeta", game, math.inf)
    assert player.specification == "alphabeta(deepen=true)"
    assert load_player("minimax(depth=2)", game, math.inf).specification == "minimax(depth=2, deepen=true)"


def test_games_without_a_winner_are_refused() -> None:
    with pytest.raises(GamesearchError, match="do not decide who won"):
        play(RecordingPlayer(), RecordingPlayer(), task("[[3,12,8],[2,4,6]]"))


# Adjudication. ------------------------------------------------------------------------------------
def verdicts(terms: Terms, *values: float | None) -> list[Any]:
    """Return the verdict after each move of a game in which the sides, in turn, report the given values."""
    adjudicator = Adjudicator(load("othello"), terms)
    said = []
    for number, value in enumerate(values):
        adjudicator.note(number % 2, value)
        outcome = adjudicator.verdict(number + 1)
        said.append(None if outcome is None else (outcome.winner, outcome.reason))
    return said


def test_a_lost_game_ends_if_both_players_agree_long_enough() -> None:
    terms = Terms(resign=(2, 10.0))
    assert verdicts(terms, 12, 11, 10, 15) == [None, None, None, (0, "resignation")]
    assert verdicts(terms, -12, -11, -10, -15)[-1] == (1, "resignation")
    assert verdicts(terms, 12, 9, 12, 11, 12, 11) == [None] * 5 + [(0, "resignation")]
    assert verdicts(terms, 12, -12, 12, -12, 12, -12)[-1] is None
    assert verdicts(terms, 12, None, 12, 12, 12)[-1] is None
    assert verdicts(Terms(), *[64.0] * 10)[-1] is None


def test_a_drawn_game_ends_if_both_players_agree_long_enough() -> None:
    terms = Terms(draw=(2, 0.5, 6))
    assert verdicts(terms, *[0.5, -0.5] * 3) == [None] * 5 + [(None, "draw agreed")]
    assert verdicts(terms, 0, 0, 0, 1, 0, 0, 0, 0)[-2:] == [None, (None, "draw agreed")]
    assert verdicts(terms, 0, 0, 0, 0, 0.6, 0, 0, 0)[-2:] == [None, None]


@pytest.mark.parametrize("bound", ["lower", "upper", "estimate"])
def test_a_value_that_is_not_certain_ends_no_game(bound: str) -> None:
    one, other = RecordingPlayer([1.0] * 9), RecordingPlayer([1.0] * 9)
    other.bound = bound
    assert play(one, other, task(terms=Terms(resign=(1, 1.0), draw=(1, 1.0, 0), margin=60)))[0].reason == ""


def test_an_endless_game_is_drawn() -> None:
    record, _ = play(RecordingPlayer(), RecordingPlayer(), task(terms=Terms(longest=3), opening=Opening(moves=("9",))))
    assert (record.winner, record.reason, len(record.moves)) == (None, "length", 3)
    record, _ = play(RecordingPlayer([1.0] * 9), RecordingPlayer([1.0] * 9), task(terms=Terms(resign=(2, 1.0))))
    assert (record.winner, record.reason, len(record.moves)) == (0, "resignation", 4)


class PassingPlayer(RecordingPlayer):
    def answer(self, turn: Turn, monitor: Monitor | None = None) -> SearchResult:
        return replace(super().answer(turn, monitor), best=turn.game.parse_move(turn.state, "pass"))


@pytest.mark.parametrize(
    ("rows", "without_dead", "winner", "reason"),
    [
        ("...../...O./..X../.X.../.....", False, 1, ""),  # if no dead stones are removed, White wins by the komi
        ("...../...O./..X../.X.../.....", True, 0, DEAD),
        ("...../...../..X../.X.../.....", True, 0, ""),  # no stone is dead
    ],
)
def test_a_match_counts_dead_stones_unless_its_terms_remove_them(
    rows: str, without_dead: bool, winner: int, reason: str
) -> None:
    terms, opening = Terms(without_dead=without_dead), Opening(position=f"{rows} X")
    game = load("go(size=5, komi=2.5)")
    record = Referee(game, task("go", terms, opening), [PassingPlayer(), PassingPlayer()], lambda *_: None).play()
    assert (record.moves, record.winner, record.reason) == (("pass", "pass"), winner, reason)
