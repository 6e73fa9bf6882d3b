"""Computes ratings of all players from all of their games. The model is Bradley and Terry's, and the scale is Elo's.

A player whose rating is d Elo above the opponent's rating is expected to score 1 / (1 + 10^(-d/400)) points in a game.
A draw counts as half a win and half a loss. The ratings maximize the likelihood of the results (R. A. Bradley and M. E.
Terry 1952), and are found by Newton's method. If there are only two players, the difference of their ratings is the Elo
difference computed from their score. The results of each player also include a tenth of a draw against an imaginary
average player. So the rating is finite even if a player won every game. The standard errors are cluster-robust
estimates, which are also right if there are draws, or if the two games of a pair are not independent (K.-Y. Liang and
S. L. Zeger 1986).
"""

import inspect
import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gamesearch.errors import GamesearchError, list_names
from gamesearch.files.records import WINS
from gamesearch.files.whole import Note, file_path, ignore_note, read_text
from gamesearch.play.files import RULES_TAGS, USUAL_GAMES, split_games, state_path
from gamesearch.play.matches.elo import CERTAINTY
from gamesearch.play.matches.game_task import GameRecord, RepeatedPairs, pairs_of
from gamesearch.play.matches.series import game_of_journal, read_journal
from gamesearch.registry import game_class, load
from gamesearch.specification import format_specification, runs_own_code

__all__ = [
    "Encounter", "Rating", "Ratings", "encounters_of", "files_of_games", "rate", "read_encounters",
    "require_same_rules",
]  # fmt: skip


PRIOR = 0.1  # the drawn games of each player against the imaginary player
SCALE = 400 / math.log(10)  # the number of Elo points in one unit of the logistic function
STEPS = 100
LARGEST = 1_000_000_000  # the size limit of a file of games (bytes)


@dataclass(frozen=True)
class Encounter:
    """One game, or the two games of a pair, between two players."""

    first: str
    second: str
    points: float  # the points of the first player
    games: int = 1
    is_repeated: bool = False  # whether the games repeat an earlier pair and give no information
    game: str = ""  # the rules of the game, as a specification


@dataclass(frozen=True)
class Rating:
    """The rating of one player."""

    name: str
    elo: float
    error: float  # half the 95 % confidence interval
    points: float
    games: int


@dataclass(frozen=True)
class Ratings:
    """The ratings of all players, best first, and the scores of the players against each other."""

    players: Sequence[Rating]
    table: dict[tuple[str, str], tuple[float, int]]  # points of the first against the second, and games
    repeated: int  # the number of games that repeat an earlier pair; they have no influence on the ratings
    anchor: str = ""  # the player whose rating is 0; empty if the mean of all ratings is 0


# Reading. -----------------------------------------------------------------------------------------
def read_encounters(name: str, note: Note = ignore_note) -> list[Encounter]:
    """The games in a journal of `gamesearch match`, or in a file of games such as PGN. `note` receives notices."""
    text = read_text(name, "a file of games", LARGEST, note)
    if text.lstrip()[:1] == "{":
        return encounters_of(read_journal(text.encode(), name), short_name(game_of_journal(text.encode(), name)))
    suffix = file_path(name).suffix.casefold()
    suffix = suffix if suffix in USUAL_GAMES and suffix != ".json" else ".pgn"
    rules, found = game_class(USUAL_GAMES[suffix]), list[Encounter]()
    try:
        for game in split_games(text, suffix):
            if game.result in WINS:
                if not {"White", "Black"} <= game.tags.keys():
                    raise game.error(game.line, "it does not name White and Black")
                players = game.tags["White"], game.tags["Black"]
                with game.at(game.line_of(*RULES_TAGS)):
                    found.append(Encounter(*players, WINS[game.result], game=rules.rules_of_headers(game.tags)))
    except GamesearchError as error:
        raise GamesearchError(f"{name}: {error}") from None
    if not found:
        raise GamesearchError(f"{name} is neither the journal of a match nor a file with finished games, such as a PGN")
    return found


def files_of_games(name: str) -> list[str]:
    """Find files by a name or a pattern such as `*.jsonl`, in the current folder or in the folder of the journals."""
    if file_path(name).exists():
        return [name]
    folder = state_path("matches")
    is_pattern = any(each in name for each in "*?[")
    found = sorted(map(str, folder.glob(name))) if is_pattern and not file_path(name).is_absolute() else []
    if not found and (folder / name).is_file():
        found = [str(folder / name)]
    if not found:
        raise GamesearchError(f"there is no file {name} here or in {folder}")
    return found


def short_name(specification: str) -> str:
    """Remove parameters with default values from the specification of a game, so that equal games have equal texts.

    >>> short_name("connect4(rows=6, columns=6)"), short_name("connect4(columns=6)")
    ('connect4(columns=6)', 'connect4(columns=6)')
    """
    if runs_own_code(specification):
        return specification
    try:
        game = load(specification)
    except GamesearchError:  # the file may be from another version of gamesearch
        return specification
    usual = inspect.signature(type(game)).parameters
    given = {name: value for name, value in game.parameters().items() if value != usual[name].default}
    return format_specification(type(game).name, given) if given else type(game).name


def require_same_rules(encounters: Sequence[Encounter], wanted: str = "") -> list[Encounter]:
    """Select the games with the `wanted` rules. If `wanted` is empty, all games must have the same rules."""
    wanted = short_name(wanted) if wanted else ""
    games = list(dict.fromkeys(each.game for each in encounters))
    if not wanted and len(games) > 1:
        raise GamesearchError(
            f"games with different rules are rated separately: choose one of {list_names(games)} with --game"
        )
    if wanted and wanted not in games:
        raise GamesearchError(f"no game of {wanted} was played, only {list_names(games)}")
    return [each for each in encounters if not wanted or each.game == wanted]


def encounters_of(records: Iterable[GameRecord], game: str = "") -> list[Encounter]:
    """Group the records of one match into pairs. If a pair has only one game, this game is an Encounter by itself."""
    repeats = RepeatedPairs()
    return [
        Encounter(
            *games[0].players,
            points=sum(each.points_of(games[0].players[0]) for each in games),
            games=len(games),
            is_repeated=repeats.is_repeated(games),
            game=game,
        )
        for games in pairs_of(records)
    ]


# Rating. ------------------------------------------------------------------------------------------
def rate(encounters: Sequence[Encounter], anchor: str = "", order: Sequence[str] = ()) -> Ratings:
    """Rate all players. The best player comes first unless `order` names the players in another order. The rating of
    `anchor` is 0; without an anchor, the mean of all ratings is 0."""
    met = [each for each in encounters if each.first != each.second]
    names = sorted({name for each in met for name in (each.first, each.second)})
    if not names:
        raise GamesearchError("nothing can be rated: there is no game between two different players")
    if anchor and anchor not in names:
        raise GamesearchError(f"{anchor!r} did not play; the players were {list_names(names)}")
    number = {name: place for place, name in enumerate(names)}
    telling = [each for each in met if not each.is_repeated]
    sides = np.array([(number[each.first], number[each.second]) for each in telling])
    points = np.array([each.points for each in telling])
    games = np.array([float(each.games) for each in telling])
    strengths, covariance = fit_likelihood(len(names), sides, points, games)
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
    return Ratings(players, dict(table), sum(each.games for each in met if each.is_repeated), anchor)


def fit_likelihood(count: int, sides: Any, points: Any, games: Any) -> tuple[Any, Any]:
    """Fit the strengths of the players to the points of all games. Returns the strengths in logistic units, and the
    covariance matrix of the strengths."""
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
        strengths += step * min(1.0, 2 / max(np.abs(step).max(), 1e-300))  # a longer step may diverge
        if np.abs(step).max() < 1e-10:
            break
    spread = np.zeros((count, count))
    for one, other, sign in ((first, first, 1), (second, second, 1), (first, second, -1), (second, first, -1)):
        np.add.at(spread, (one, other), sign * surplus**2)
    inverse = np.linalg.inv(curvature)
    shares = points / games
    met = [shares[(first == each) | (second == each)] for each in range(count)]
    if any(np.ptp(each) == 0 for each in met if len(each)):  # equal results would give an error near 0
        return strengths, inverse
    return strengths, inverse @ spread @ inverse
