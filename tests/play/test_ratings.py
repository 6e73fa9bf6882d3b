"""Ratings of players, computed from the results of all games together."""

import itertools
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamesearch.errors import GamesearchError
from gamesearch.play.matches.elo import Pairs, elo_of, share_of
from gamesearch.play.matches.game_task import GameRecord
from gamesearch.play.matches.ratings import Encounter, Ratings, encounters_of, rate, read_encounters
from gamesearch.play.matches.series import Journal, Series

PGN = """[Event "x"]
[White "Ann \\"A\\""]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 1-0

[White "Bob"]
[Black "Cid"]
[Result "1/2-1/2"]

1. d4 {[%clk 0:01]} 1/2-1/2

[White "Bob"]
[Black "Cid"]
[Result "*"]

1. d4 *
"""


def elo(ratings: Ratings) -> dict[str, float]:
    return {each.name: each.elo for each in ratings.players}


@pytest.mark.parametrize("points", [120.0, 200.0, 333.5])
def test_two_ratings_differ_as_the_score_requires(points: float) -> None:
    found = elo(rate([Encounter("a", "b", points, 400)]))
    assert found["a"] - found["b"] == pytest.approx(elo_of(points / 400), abs=0.3)  # the prior counts as 0.1 games
    assert found["a"] + found["b"] == pytest.approx(0, abs=1e-6)


def test_the_errors_of_two_players_follow_from_their_pairs() -> None:
    pairs = Pairs((20, 40, 100, 60, 30))
    points = [each for each, count in zip((0, 0.5, 1, 1.5, 2), pairs.counts, strict=True) for _ in range(count)]
    ratings = rate([Encounter("a", "b", each, 2) for each in points], "b")
    assert pairs.interval is not None
    first = next(each for each in ratings.players if each.name == "a")
    assert first.error == pytest.approx((pairs.interval[1] - pairs.interval[0]) / 2, rel=0.01)
    assert next(each for each in ratings.players if each.name == "b").error == pytest.approx(0, abs=1e-6)


def test_ratings_that_made_the_games_are_found_again() -> None:
    truth = {"a": 0.0, "b": 100.0, "c": 250.0, "d": -150.0}
    games = []
    for one, other in itertools.combinations(truth, 2):  # each pair scores exactly as expected
        games.append(Encounter(one, other, 1000 * share_of(truth[one] - truth[other]), 1000))
    found = elo(rate(games, "a"))
    assert found == pytest.approx(truth, abs=0.5)


def test_intervals_contain_the_true_value_with_their_probability() -> None:
    """Between 5 and 27 of 300 intervals miss the true value; any other number has a probability of 1 in 300."""
    drawing, misses, truth = random.Random(8), 0, {"a": 0.0, "b": 60.0, "c": -80.0, "d": 20.0}
    center = sum(truth.values()) / 4
    for _ in range(75):
        games = [
            Encounter(one, other, float(drawing.random() < share_of(truth[one] - truth[other])))
            for one, other in itertools.combinations(truth, 2)
            for _ in range(60)
        ]
        misses += sum(abs(each.elo - truth[each.name] + center) > each.error for each in rate(games).players)
    assert 5 <= misses <= 27


@given(
    st.lists(
        st.tuples(st.sampled_from("abcde"), st.sampled_from("abcde"), st.sampled_from((0, 0.5, 1))),
        min_size=1,
        max_size=30,
    ).filter(lambda games: any(one != other for one, other, _ in games))
)
def test_every_kind_of_result_is_rated(games: list[tuple[str, str, float]]) -> None:
    """Players who won all games, and groups that never met, get ratings; the sums of points and games are correct."""
    ratings = rate([Encounter(*each) for each in games])
    met = [each for each in games if each[0] != each[1]]
    assert {each.name for each in ratings.players} == {name for each in met for name in each[:2]}
    assert all(math.isfinite(each.elo) and math.isfinite(each.error) for each in ratings.players)
    assert sum(each.points for each in ratings.players) == len(met)
    assert sum(each.games for each in ratings.players) == 2 * len(met)
    assert sum(each.elo for each in ratings.players) == pytest.approx(0, abs=1e-6)
    again = rate([Encounter(other, one, 1 - points) for one, other, points in games])
    assert elo(again) == pytest.approx(elo(ratings), abs=1e-4)


def test_pgn_and_journals_are_read(tmp_path: Path) -> None:
    pgn, journal = tmp_path / "games.pgn", tmp_path / "journal.jsonl"
    pgn.write_text(PGN)
    assert read_encounters(str(pgn)) == [
        Encounter('Ann "A"', "Bob", 1.0, game="chess"),
        Encounter("Bob", "Cid", 0.5, game="chess"),
    ]
    records = [
        GameRecord(1, ("y", "x"), winner=0),
        GameRecord(0, ("x", "y"), winner=0),
        GameRecord(2, ("x", "y"), winner=None),
    ]
    with Journal(journal, Series("tictactoe", ("x", "y"))) as opened:
        for record in records:
            opened.append(record)
    assert encounters_of(records) == [Encounter("x", "y", 1.0, 2), Encounter("x", "y", 0.5, 1)]
    assert read_encounters(str(journal)) == encounters_of(records, "tictactoe")
    journal.write_bytes(journal.read_bytes() + b'{"number": 3, "pl')
    assert read_encounters(str(journal)) == encounters_of(records, "tictactoe")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "neither the journal"),
        ('[White "a"]\n\n1-0', "game 1, line 1: it does not name White and Black"),
        ("{}\n", "not the journal"),
    ],
)
def test_other_files_are_refused(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "file").write_text(text)
    with pytest.raises(GamesearchError, match=said):
        read_encounters(str(tmp_path / "file"))
    with pytest.raises(GamesearchError, match="no file"):
        read_encounters(str(tmp_path / "none"))


def test_impossible_ratings_are_refused() -> None:
    with pytest.raises(GamesearchError, match="no game between two different players"):
        rate([Encounter("a", "a", 1)])
    with pytest.raises(GamesearchError, match="'c' did not play, only a, b"):
        rate([Encounter("a", "b", 1)], "c")
