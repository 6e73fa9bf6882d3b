"""Ratings of all players in many games together, by the model of Bradley and Terry, on Elo's scale.

A player whose rating is d Elo above another's is expected to score 1 / (1 + 10^(-d/400)) against it; a draw counts as
half a win and half a loss. The ratings are those under which the games are likeliest (R. A. Bradley and M. E. Terry
1952; for two players the very difference that their score means), found by Newton's method. Beside its games everybody
has a tenth of a drawn game against an imaginary average player, so that ratings are finite where somebody won every
game. The errors allow for draws and for the two games of a pair, which are not independent: they are those of a
cluster-robust estimate (K.-Y. Liang and S. L. Zeger 1986).
"""

import math
import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gamesearch.errors import GamesearchError, system_reason
from gamesearch.play.elo import CERTAINTY
from gamesearch.play.files import file_path
from gamesearch.play.game_task import GameRecord, Repeats, pairs_of
from gamesearch.play.journal import read_journal
from gamesearch.whole_files import read_regular

__all__ = ["Encounter", "Rating", "Ratings", "encounters_of", "rate", "read_encounters"]

LARGEST = 1_000_000_000
"""No file of games is larger (bytes)."""

PRIOR = 0.1
"""How many games against the imaginary player."""
SCALE = 400 / math.log(10)
"""Elo in one unit of the logistic function."""
STEPS = 100
RESULTS = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}


@dataclass(frozen=True)
class Encounter:
    """One game, or the two games of a pair, between two players."""

    first: str
    second: str
    points: float
    """What the first one scored."""
    games: int = 1
    is_repeated: bool = False
    """Whether it is an earlier pair again, move for move, which says nothing of the players' strength."""


@dataclass(frozen=True)
class Rating:
    """What is known of one player."""

    name: str
    elo: float
    error: float
    """The rating is known to plus or minus so much, with 95 %."""
    points: float
    games: int


@dataclass(frozen=True)
class Ratings:
    """All players, the best first, and who scored what against whom."""

    players: Sequence[Rating]
    table: dict[tuple[str, str], tuple[float, int]]
    """Points of the first against the second, and how many games they played."""
    anchor: str = ""
    """Whose rating is 0; empty where it is the average of all."""


# Reading. -----------------------------------------------------------------------------------------
def read_encounters(name: str) -> list[Encounter]:
    """The games in a journal of `gamesearch match`, or in a PGN file."""
    try:
        data = read_regular(file_path(name), LARGEST)
    except OSError as error:
        raise GamesearchError(f"{name} cannot be read: {system_reason(error)}") from None
    if data.lstrip()[:1] == b"{":
        return encounters_of(read_journal(data, name))
    try:
        found = list(pgn_encounters(data.decode("utf-8-sig", errors="replace")))
    except KeyError as error:
        raise GamesearchError(f"{name} has a game without the header {error}") from None
    if not found:
        raise GamesearchError(f"{name} is neither the journal of a match nor a PGN file with finished games")
    return found


def encounters_of(records: Iterable[GameRecord]) -> list[Encounter]:
    """The pairs of games in the records of one series; halves of which the other is missing are games."""
    repeats = Repeats()
    return [
        Encounter(
            *games[0].players,
            points=sum(game.points_of(games[0].players[0]) for game in games),
            games=len(games),
            is_repeated=repeats.is_repeated(games),
        )
        for games in pairs_of(records)
    ]


def pgn_encounters(text: str) -> Iterable[Encounter]:
    """The finished games of a PGN text; who plays and how it ended stand in the headers."""
    for block in re.findall(r"(?:^\s*\[\w+\s+\"(?:[^\"\\]|\\.)*\"\]\s*$\n?)+", text, re.MULTILINE):
        headers = dict(re.findall(r"\[(\w+)\s+\"((?:[^\"\\]|\\.)*)\"\]", block))
        if headers["Result"] in RESULTS:
            yield Encounter(headers["White"], headers["Black"], RESULTS[headers["Result"]])


# Rating. ------------------------------------------------------------------------------------------
def rate(encounters: Sequence[Encounter], anchor: str = "", order: Sequence[str] = ()) -> Ratings:
    """The ratings of all who met; `anchor` is whose rating shall be 0, else the average is.

    The best come first, unless there is another order of names.
    """
    met = [each for each in encounters if each.first != each.second]
    names = sorted({name for each in met for name in (each.first, each.second)})
    if not names:
        raise GamesearchError("there are no games of two different players to rate")
    if anchor and anchor not in names:
        raise GamesearchError(f"{anchor!r} did not play: there are {', '.join(names)}")
    number = {name: place for place, name in enumerate(names)}
    telling = [each for each in met if not each.is_repeated]
    sides = np.array([(number[each.first], number[each.second]) for each in telling])
    points = np.array([each.points for each in telling])
    games = np.array([float(each.games) for each in telling])
    strengths, covariance = likeliest(len(names), sides, points, games)
    zero = np.full(len(names), 1 / len(names))
    if anchor:
        zero = np.eye(len(names))[number[anchor]]
    relative = np.eye(len(names)) - np.outer(np.ones(len(names)), zero)
    elo = SCALE * relative @ strengths
    errors = CERTAINTY * SCALE * np.sqrt(np.diag(relative @ covariance @ relative.T).clip(0))
    table: dict[tuple[str, str], tuple[float, int]] = defaultdict(lambda: (0.0, 0))
    for each in met:
        both = (each.first, each.second, each.points), (each.second, each.first, each.games - each.points)
        for one, other, scored in both:
            before, count = table[one, other]
            table[one, other] = before + scored, count + each.games
    own = {name: [entry for (one, _), entry in table.items() if one == name] for name in names}
    players = [
        Rating(name, float(elo[i]), float(errors[i]), sum(p for p, _ in own[name]), sum(n for _, n in own[name]))
        for i, name in enumerate(names)
    ]
    places = {name: place for place, name in enumerate(order)}
    players.sort(key=lambda each: (places.get(each.name, len(places)), -each.elo, each.name))
    return Ratings(players, dict(table), anchor)


def likeliest(count: int, sides: Any, points: Any, games: Any) -> tuple[Any, Any]:
    """The strengths, in logistic units, under which the points are likeliest, and the covariance of their errors."""
    first, second = sides.T
    strengths = np.zeros(count)
    for _ in range(STEPS):
        expected = 1 / (1 + np.exp(strengths[second] - strengths[first]))
        own = 1 / (1 + np.exp(-strengths))
        surplus = points - games * expected
        slope = PRIOR * (0.5 - own)
        np.add.at(slope, first, surplus)
        np.add.at(slope, second, -surplus)
        weights = games * expected * (1 - expected)
        curvature = np.diag(PRIOR * own * (1 - own))
        for one, other, sign in ((first, first, 1), (second, second, 1), (first, second, -1), (second, first, -1)):
            np.add.at(curvature, (one, other), sign * weights)
        step = np.linalg.solve(curvature, slope)
        strengths += step * min(1.0, 2 / max(np.abs(step).max(), 1e-300))  # no leap beyond where the slope holds
        if np.abs(step).max() < 1e-10:
            break
    spread = np.zeros((count, count))
    for one, other, sign in ((first, first, 1), (second, second, 1), (first, second, -1), (second, first, -1)):
        np.add.at(spread, (one, other), sign * surplus**2)
    inverse = np.linalg.inv(curvature)
    shares = points / games
    met = [shares[(first == each) | (second == each)] for each in range(count)]
    if any(np.ptp(each) == 0 for each in met if len(each)):  # how pairs vary is not known: games are then independent
        return strengths, inverse
    return strengths, inverse @ spread @ inverse
