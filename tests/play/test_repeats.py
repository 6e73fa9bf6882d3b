"""If a game is repeated because neither opening nor players are random, it counts only once in the statistics."""

from pathlib import Path

import pytest
from inline_workers import InlineWorkers

from gamesearch.play.matches.elo import Sprt
from gamesearch.play.matches.game_task import GameRecord, GameTask, Opening, Terms
from gamesearch.play.matches.ratings import encounters_of, rate
from gamesearch.play.matches.referee import Referee
from gamesearch.play.matches.running import MatchRun
from gamesearch.play.matches.series import Journal, Series
from gamesearch.play.matches.standings import standings_of
from gamesearch.play.players.loading import load_player
from gamesearch.registry import load

SERIES = Series("tictactoe", ("a", "b"))


def pair(number: int, moves: str, winner: int | None = 0, has_chance: bool = False) -> list[GameRecord]:
    """Return the two games of a pair: player a wins when it moves first, and draws when it moves second."""
    one = GameRecord(2 * number, ("a", "b"), moves=tuple(moves), winner=winner, has_chance=has_chance)
    return [one, GameRecord(2 * number + 1, ("b", "a"), moves=tuple(moves), winner=None, has_chance=has_chance)]


def test_repeated_pairs_count_only_in_the_score() -> None:
    records = [*pair(0, "153"), *pair(1, "159"), *pair(2, "153"), *pair(3, "153"), *pair(4, "153", None)]
    standings = standings_of(SERIES, records)
    first = standings.players[0]
    assert (standings.pairs, standings.repeated) == (5, 2)
    assert (first.wins, first.draws) == (4, 6)
    assert first.pairs.counts == (0, 0, 1, 2, 0)


def test_ratings_take_the_error_from_distinct_pairs() -> None:
    once = [*pair(0, "153"), *pair(1, "159", 1)]
    often = [*once, *(each for number in range(2, 40) for each in pair(number, "153"))]
    rated_once, rated_often = rate(encounters_of(once)), rate(encounters_of(often))
    assert [(each.name, each.elo, each.error) for each in rated_often.players] == [
        (each.name, each.elo, each.error) for each in rated_once.players
    ]
    assert rated_often.table["a", "b"] == (0.5 + 39 * 1.5, 80)


class RepeatingWorkers(InlineWorkers):
    """Workers that play the same moves in every game."""

    def result(self, asked: GameTask) -> GameRecord:
        return GameRecord(asked.number, asked.labels, winner=asked.labels.index("a"))


def test_a_sequential_test_ends_if_only_repeated_games_are_played(tmp_path: Path) -> None:
    with Journal(tmp_path / "journal", SERIES) as journal:
        run = MatchRun(SERIES, journal, 10_000, Sprt(0, 50))
        run.play(RepeatingWorkers())
        assert run.decision is not None
        assert (run.decision.is_accepted, run.decision.is_exhausted) == (None, True)
        assert run.decision.pairs.number == 1
        assert run.is_finished
        assert len(journal.records) < 200


@pytest.mark.parametrize(
    ("game", "players", "has_chance"),
    [
        ("tictactoe", ("alphabeta(depth=1)", "minimax(depth=1)"), False),
        ("tictactoe", ("random(seed=3)", "alphabeta(depth=1)"), False),
        ("tictactoe", ("alphabeta(depth=1)", "random"), True),
        ("pig(target=3)", ("expectiminimax(depth=1)", "expectiminimax(depth=1)"), True),
    ],
)
def test_a_record_says_whether_chance_decided_anything(game: str, players: tuple[str, str], has_chance: bool) -> None:
    rules, terms = load(game), Terms(depth=1, speed="interpreted")
    sides = [load_player(text, rules, speed="interpreted") for text in players]
    task = GameTask(0, game, players, ("a", "b"), Opening(), 1, terms)
    record = Referee(rules, task, sides, lambda *_: None).play()
    assert record.has_chance == has_chance
