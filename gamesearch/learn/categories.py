"""The value of a feature: the results of games from positions with each amount of the feature.

An evaluation stands for categories of positions, each with a share of wins, draws and losses; the expected value is a
reasonable value for the whole category (Russell and Norvig, section 5.3). The games are played by a search, or read
from a PGN file or the journal of a match.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import Note, file_path, ignore_note, read_text
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.learn.learnable import Numbers, refuse_unlearnable, share_won
from gamesearch.learn.method import Settings, Task
from gamesearch.learn.outcomes import EXPLORATION, OPENING, is_quiet
from gamesearch.learn.searched_play import new_searcher, play_searching
from gamesearch.learned.weights_files import names_of_features
from gamesearch.optional import Categorized
from gamesearch.play.files import is_record, read_games
from gamesearch.play.matches.series import read_journal
from gamesearch.specification import nearest

__all__ = [
    "Category",
    "Observations",
    "PlayedGame",
    "categories_of",
    "number_of_feature",
    "outcomes_by_feature",
    "outcomes_in_file",
    "played_games",
]

MOST_CATEGORIES = 12
"""The greatest number of categories between the two outermost ones."""
OUTERMOST = 2.0
"""The percentage of positions in each outermost category."""
STEPS = (1.0, 2.0, 5.0)
MOST_KINDS = 16
"""The greatest number of kinds that are shown for games that divide a feature into kinds."""

Observations = tuple[Numbers, list[str]]
"""Four numbers of each position (feature, share won, estimate, number of the game), and its kind, which is empty if the
game does not name kinds."""


@dataclass(frozen=True)
class Category:
    """Positions with similar values, or the same kind, of a feature."""

    label: str
    positions: int
    games: int
    """The number of games with such positions; positions of one game are not independent."""
    wins: float
    """The shares of wins, draws and losses of Max."""
    draws: float
    losses: float
    estimate: float
    """The mean of the game's own evaluation."""

    @property
    def value(self) -> float:
        """The expected result: a win is 1, a loss -1."""
        return self.wins - self.losses


def number_of_feature(game: Game, name: str) -> int:
    """The index of a feature; raises GamesearchError if it does not exist, or if the game has no winner."""
    refuse_unlearnable(game, "outcomes", by="")
    names = names_of_features(game)
    if name not in names:
        raise GamesearchError(f"{game.name} has no feature {name!r}: {nearest(name, names)}")
    return names.index(name)


def outcomes_by_feature(game: Game, place: int, settings: Settings, speed: str) -> Iterator[Observations]:
    """Play games, and yield the observations in the quiet positions of each."""
    task = Task(settings, 0, settings.games, {}, speed)
    with new_searcher(game, speed) as searcher:
        for number in range(settings.games):
            played = play_searching(searcher, settings.depth, OPENING, EXPLORATION, task.source(number))
            states, won = list[Any](), 0.5
            if played.payoff is not None:  # a game that was too long is not a draw
                won = share_won(game, played.payoff)
                states = [turn.state for turn in played.turns if is_quiet(game, turn.state, turn.result.best)]
            yield observations_in(game, place, states, won, number)


def outcomes_in_file(game: Game, place: int, name: str, note: Note = ignore_note) -> Iterator[Observations]:
    """Yield the observations in the quiet positions of each game in a file; `note` shows notices."""
    for number, played in enumerate(played_games(name, game, note)):
        quiet = [
            state
            for state, move in zip(played.states, played.moves, strict=False)  # the last state has no move
            if game.player(state) != CHANCE and is_quiet(game, state, move)
        ]
        yield observations_in(game, place, quiet, played.won, number)


def observations_in(game: Game, place: int, states: list[Any], won: float, number: int) -> Observations:
    """The observations in some positions of a game."""
    rows = [(game.features(s)[place], won, float(game.evaluate(s)), number) for s in states]
    name = names_of_features(game)[place]
    kinds = [game.category(s, name) if isinstance(game, Categorized) else "" for s in states]
    return np.array(rows, np.float64).reshape(-1, 4), kinds


def step_of(values: Numbers) -> float:
    """The distance between the middles of categories: 1, 2 or 5 times a power of ten, and whole for whole numbers."""
    low, high = np.percentile(values, [OUTERMOST, 100 - OUTERMOST])
    least = (high - low) / (MOST_CATEGORIES - 1)
    if least <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(least))
    step = next(power * each for each in (*STEPS, 10.0) if power * each >= least)
    return float(max(1.0, step) if (values == np.rint(values)).all() else step)


def categories_of(rows: Numbers, kinds: Sequence[str] = ()) -> list[Category]:
    """The most frequent kinds of positions, by ascending feature, and then all others by the amount of the feature."""
    named = np.array(kinds or [""] * len(rows), dtype=object)
    games = {kind: len(np.unique(rows[named == kind, 3])) for kind in Counter(filter(None, kinds))}
    shown = sorted(games, key=lambda kind: (-games[kind], -kinds.count(kind), kind))[:MOST_KINDS]
    shown.sort(key=lambda kind: float(np.mean(rows[named == kind, 0])))
    found = [category_of(kind, rows[named == kind]) for kind in shown]
    return found + by_amount(rows[~np.isin(named, shown)], "other, " if shown else "")


def by_amount(rows: Numbers, prefix: str) -> list[Category]:
    """The categories of positions by the amount of the feature."""
    if not len(rows):
        return []
    step = step_of(rows[:, 0])
    low, high = np.percentile(rows[:, 0], [OUTERMOST, 100 - OUTERMOST])
    first, last = np.rint(low / step), np.rint(high / step)
    places = np.clip(np.rint(rows[:, 0] / step), first, last)
    found = []
    for place in np.unique(places):
        label = prefix + (f"{place * step:+g}" if place else "0")
        if first < last and place in (first, last):
            label += " or less" if place == first else " or more"
        found.append(category_of(label, rows[places == place]))
    return found


def category_of(label: str, rows: Numbers) -> Category:
    """The category of some positions."""
    wins, draws, losses = (float(np.mean(rows[:, 1] == won)) for won in (1.0, 0.5, 0.0))
    return Category(label, len(rows), len(np.unique(rows[:, 3])), wins, draws, losses, float(np.mean(rows[:, 2])))


LARGEST = 1_000_000_000
"""The size limit of a file of games (bytes)."""


@dataclass(frozen=True)
class PlayedGame:
    """One game that was finished."""

    states: Sequence[Any]
    moves: Sequence[int]
    """One for each state except the last."""
    won: float
    """The share of a win that Max got."""


def played_games(name: str, game: Game, note: Note = ignore_note) -> Iterator[PlayedGame]:
    """Yield the finished games of a file; games without a result are omitted. `note` shows notices.

    Raises GamesearchError for a file that has no games of this game, with the place in it.
    """
    is_journal = file_path(name).suffix.casefold() == ".jsonl"
    if not is_journal and not is_record(name):
        raise GamesearchError(f"{name} has no games: name a .pgn, or the .jsonl that match --journal writes")
    is_any_finished = False
    for place, start, moves, won in (of_journal if is_journal else of_records)(name, game, note):
        states = [start]
        for move in moves:
            if game.has_ended(states[-1]):
                raise GamesearchError(f"{place} of {name} continues after its end")
            states.append(game.result(states[-1], move))
        if game.has_ended(states[-1]) or (won is None and game.terminal(states[-1])):
            won = share_won(game, float(game.utility(states[-1])))
        if won is not None:
            is_any_finished = True
            yield PlayedGame(states, moves, won)
    if not is_any_finished:
        raise GamesearchError(f"{name} has no finished games of {game.name}")


FileGame = tuple[str, Any, Sequence[int], float | None]
"""A description of the game, its start, its moves, and the share won according to the file."""


def of_records(name: str, game: Game, note: Note) -> Iterator[FileGame]:
    """The games of a file such as a PGN."""
    for each in read_games(name, game, LARGEST, note):
        yield f"game {each.number}", each.start, each.moves, each.won


def of_journal(name: str, game: Game, note: Note) -> Iterator[FileGame]:
    """The games of a journal, without those that a player lost by a failure."""
    for record in read_journal(read_text(name, "a file of games", LARGEST, note).encode(), name):
        if record.failed is not None:
            continue
        place = f"game {record.number + 1}"
        try:
            start = game.setup(record.position)[1] if record.position else game.initial()
            moves = numbers_of(game, start, (*record.opening, *record.moves))
        except GamesearchError as error:
            raise GamesearchError(f"{place} of {name} is not a game of {game.name}: {error}") from None
        yield place, start, moves, 0.5 if record.winner is None else float(record.winner == MAX)


def numbers_of(game: Game, state: Any, names: Sequence[str]) -> list[int]:
    """The moves with some names, one after another."""
    moves = list[int]()
    for name in names:
        moves.append(game.parse_move(state, name))
        state = game.result(state, moves[-1])
    return moves
