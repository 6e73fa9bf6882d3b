"""Elo differences and sequential tests, computed from pairs of games, agree with published examples."""

import itertools
import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamesearch.errors import GamesearchError
from gamesearch.play.matches.elo import SCORES, Pairs, Sprt, fit_likelihood, share_of
from gamesearch.play.matches.game_task import GameRecord
from gamesearch.play.matches.ratings import Encounter, Ratings, encounters_of, rate, read_encounters
from gamesearch.play.matches.series import Journal, Series

COUNTS = st.tuples(*[st.integers(0, 500)] * 5).filter(lambda counts: sum(counts) > 0)

PUBLISHED = [
    # From fastchess, app/tests/elo_test.cpp: counts of pairs; Elo, its error, normalized Elo, chance to be stronger.
    ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 57.94, 1.0),
    ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, -9.17, 0.0505),
    ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, -19.01, 0.0),
]
TESTED = [
    # From fastchess, app/tests/sprt_test.cpp: counts of pairs, the two hypotheses, log-likelihood ratio.
    ((223, 9863, 20279 + 1000, 10037, 246), (0.5, 2.5), -3.07),
    ((871, 26175, 55003 + 980, 26678, 821), (0.0, 2.0), -4.98),
]


@pytest.mark.parametrize(("counts", "elo", "error", "normalized", "superiority"), PUBLISHED)
def test_intervals_agree_with_published_intervals(
    counts: tuple[int, int, int, int, int], elo: float, error: float, normalized: float, superiority: float
) -> None:
    pairs = Pairs(counts)
    assert pairs.interval is not None
    low, high = pairs.interval
    assert pairs.elo == pytest.approx(elo, abs=0.01)
    assert (high - low) / 2 == pytest.approx(error, abs=0.01)
    assert pairs.normalized_elo == pytest.approx(normalized, abs=0.01)
    assert pairs.superiority == pytest.approx(superiority, abs=1e-4)


@pytest.mark.parametrize(("counts", "hypotheses", "ratio"), TESTED)
def test_likelihood_ratios_agree_with_published_ratios(
    counts: tuple[int, int, int, int, int], hypotheses: tuple[float, float], ratio: float
) -> None:
    test = Sprt(*hypotheses)
    assert test.ratio(Pairs(counts)) == pytest.approx(ratio, abs=0.01)
    assert test.verdict(Pairs(counts)) is False
    assert test.bounds == pytest.approx((-2.94, 2.94), abs=0.01)  # fishtest uses these bounds for errors of 5 %


@settings(max_examples=40)
@given(COUNTS)
def test_the_opponent_has_the_opposite_elo_difference(counts: tuple[int, int, int, int, int]) -> None:
    pairs, others = Pairs(counts), Pairs(counts[::-1])
    assert pairs.elo == pytest.approx(-others.elo, abs=1e-6)
    assert pairs.share + others.share == pytest.approx(1)
    assert (pairs.superiority is None) == (pairs.interval is None) == (pairs.normalized_elo is None)
    if pairs.superiority is not None and others.superiority is not None:
        assert pairs.superiority + others.superiority == pytest.approx(1)
    ratio, other = Sprt(-3, 8).ratio(pairs), Sprt(-8, 3).ratio(others)
    assert ratio == pytest.approx(-other, abs=1e-6)


def test_the_interval_of_normalized_elo_contains_the_true_value() -> None:
    """Each pair has a draw and a game that is won with probability 0.6, so the mean is 0.55 and the variance 0.06."""
    truth = 0.05 / math.sqrt(2 * 0.06) * 800 / math.log(10)
    drawing, held = random.Random(7), 0
    for _ in range(200):
        won = sum(drawing.random() < 0.6 for _ in range(400))
        interval = Pairs((0, 400 - won, 0, won, 0)).normalized_interval
        assert interval is not None
        held += interval[0] <= truth <= interval[1]
    assert held >= 180  # fewer than 180 have a probability below 0.2 % if each interval is right with 95 %


def test_too_few_games_give_neither_an_interval_nor_a_verdict() -> None:
    assert Pairs().interval is None
    assert Pairs().superiority is None
    assert Pairs((0, 0, 0, 0, 3)).elo == math.inf
    assert Pairs((0, 0, 0, 0, 3)).interval is None
    assert Pairs((3, 0, 0, 0, 0)).elo == -math.inf
    assert Sprt(0, 5).ratio(Pairs()) == 0
    assert Sprt(0, 5).verdict(Pairs()) is None
    assert Pairs.of([0, 0.5, 0.5, 1, 1.5, 2, 2, 2]) == Pairs((1, 2, 1, 1, 3))
    assert Pairs((1, 2, 1, 1, 2)).plus(2) == Pairs((1, 2, 1, 1, 3))


@pytest.mark.parametrize(
    "numbers", [(5.0, 0.0), (0.0, 0.0), (0.0, math.inf), (math.nan, 5.0), (0.0, 5.0, 0.0), (0.0, 5.0, 0.05, 0.9)]
)
def test_sprt_refuses_unsuitable_numbers(numbers: tuple[float, ...]) -> None:
    with pytest.raises(GamesearchError, match="SPRT needs"):
        Sprt(*numbers)


# Ratings of players, computed from the results of all games together. ------------------------------
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


def elo_by_name(ratings: Ratings) -> dict[str, float]:
    return {each.name: each.elo for each in ratings.players}


def test_the_errors_of_two_players_follow_from_their_pairs() -> None:
    pairs = Pairs((20, 40, 100, 60, 30))
    points = [each for each, count in zip((0, 0.5, 1, 1.5, 2), pairs.counts, strict=True) for _ in range(count)]
    ratings = rate([Encounter("a", "b", each, 2) for each in points], "b")
    assert pairs.interval is not None
    first = next(each for each in ratings.players if each.name == "a")
    assert first.error == pytest.approx((pairs.interval[1] - pairs.interval[0]) / 2, rel=0.01)
    assert next(each for each in ratings.players if each.name == "b").error == pytest.approx(0, abs=1e-6)


def test_ratings_are_recovered_from_games_with_expected_scores() -> None:
    truth = {"a": 0.0, "b": 100.0, "c": 250.0, "d": -150.0}
    games = []
    for one, other in itertools.combinations(truth, 2):  # each pair scores exactly as expected
        games.append(Encounter(one, other, 1000 * share_of(truth[one] - truth[other]), 1000))
    found = elo_by_name(rate(games, "a"))
    assert found == pytest.approx(truth, abs=0.5)


@settings(max_examples=40)
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
    assert elo_by_name(again) == pytest.approx(elo_by_name(ratings), abs=1e-4)


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
    with pytest.raises(GamesearchError, match="'c' did not play; the players were a, b"):
        rate([Encounter("a", "b", 1)], "c")


@given(COUNTS, st.floats(-300, 300))
def test_the_most_likely_distribution_has_the_given_mean(counts: tuple[int, int, int, int, int], elo: float) -> None:
    some = [count or 1e-3 for count in counts]
    shares = [count / sum(some) for count in some]
    found = fit_likelihood(shares, share_of(elo))
    assert sum(found) == pytest.approx(1, abs=1e-6)
    assert sum(p * a for p, a in zip(found, SCORES, strict=True)) == pytest.approx(share_of(elo), abs=1e-6)
    # Other distributions with the same mean are less likely. To test this, move probability from a score to its
    # neighbors, or back.
    likelihood = sum(share * math.log(p) for share, p in zip(shares, found, strict=True))
    for middle in (1, 2, 3):
        for sign in (1, -1):
            much = 0.01 * min(found)
            other = list(found)
            other[middle] -= 2 * sign * much
            other[middle - 1] += sign * much
            other[middle + 1] += sign * much
            assert sum(share * math.log(p) for share, p in zip(shares, other, strict=True)) <= likelihood + 1e-9
