"""Shows how the result of a game depends on the value of a feature during the game.

Positions with the same features form a category. For each category, the fractions of positions that lead to wins, draws
and losses are computed. The mean of these results is a reasonable estimate for all positions of the category (Russell
and Norvig, section 5.3). The games are played by a search, or read from a PGN file or the journal of a match.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from gamesearch.errors import GamesearchError
from gamesearch.files.whole import Note, file_path, ignore_note, read_text
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.learn.method import Numbers, Settings, Task, refuse_unlearnable, share_won
from gamesearch.learn.outcomes import EXPLORATION, OPENING, is_quiet
from gamesearch.learn.searched_play import new_searcher, play_searching
from gamesearch.learned.weights_files import accepted_names, names_of_features
from gamesearch.optional import CategorizedGame
from gamesearch.play.files import is_record, read_games
from gamesearch.play.matches.series import read_journal
from gamesearch.specification import nearest

__all__ = ["Category", "categories_of", "number_of_feature", "outcomes_by_feature", "outcomes_in_file"]

MOST_CATEGORIES = 12  # the greatest number of categories between the lowest and the highest category
OUTERMOST = 2.0  # the percentage of positions in the lowest category, and in the highest category
STEPS = (1.0, 2.0, 5.0)
MOST_KINDS = 16
"""At most this number of kinds of positions are shown. Some games divide positions into kinds, such as `+B -N` in
chess."""

Observations = tuple[Numbers, list[str]]
"""Each position has a kind and four numbers: the feature, the result for Max, the estimate, and the number of the game.
The kind is empty if the game does not name kinds."""


@dataclass(frozen=True)
class Category:
    """Positions of the same kind, or with similar values of a feature."""

    label: str
    positions: int
    games: int
    """The number of games in which the positions occurred. Positions of the same game are not independent."""
    wins: float  # the fractions of positions after which Max wins, draws and loses
    draws: float
    losses: float
    estimate: float  # the mean estimate of the positions by the game's own evaluation

    @property
    def value(self) -> float:
        """The mean result for Max: a win counts 1, a draw 0, and a loss -1."""
        return self.wins - self.losses


def number_of_feature(game: Game, name: str) -> int:
    """The index of a feature. Raises GamesearchError if the game has no such feature, or if the learning method
    `outcomes` does not fit the game."""
    refuse_unlearnable(game, "outcomes", by="")
    names = names_of_features(game)
    for number in range(len(names)):
        if name in accepted_names(game, number):
            return number
    raise GamesearchError(f"{game.name} has no feature {name!r}: {nearest(name, names)}")


def outcomes_by_feature(game: Game, place: int, settings: Settings, speed: str) -> Iterator[Observations]:
    """Play games, and yield the observations in the quiet positions of each game."""
    task = Task(settings, 0, settings.games, {}, speed)
    with new_searcher(game, speed) as searcher:
        for number in range(settings.games):
            played = play_searching(searcher, settings.depth, OPENING, EXPLORATION, task.source(number))
            states, won = list[Any](), 0.5
            if played.payoff is not None:  # stopped games are left out, not counted as draws
                won = share_won(game, played.payoff)
                states = [turn.state for turn in played.turns if is_quiet(game, turn.state, turn.result.best)]
            yield observations_in(game, place, states, won, number)


def outcomes_in_file(game: Game, place: int, name: str, note: Note = ignore_note) -> Iterator[Observations]:
    """Yield the observations in the quiet positions of each game in a file. `note` shows notices to the user."""
    for number, played in enumerate(played_games(name, game, note)):
        quiet = [
            state
            for state, move in zip(played.states, played.moves, strict=False)  # the last state has no move
            if game.player(state) != CHANCE and is_quiet(game, state, move)
        ]
        yield observations_in(game, place, quiet, played.won, number)


def observations_in(game: Game, place: int, states: list[Any], won: float, number: int) -> Observations:
    """Observe the feature with index `place` in positions of one game. `won` is the result, and `number` is the number
    of the game."""
    rows = [(game.features(s)[place], won, float(game.evaluate(s)), number) for s in states]
    name = names_of_features(game)[place]
    kinds = [game.category(s, name) if isinstance(game, CategorizedGame) else "" for s in states]
    return np.array(rows, np.float64).reshape(-1, 4), kinds


def step_of(values: Numbers) -> float:
    """The width of a category: 1, 2 or 5 times a power of ten, and at least 1 if all values are whole numbers."""
    low, high = np.percentile(values, [OUTERMOST, 100 - OUTERMOST])
    least = (high - low) / (MOST_CATEGORIES - 1)
    if least <= 0:
        return 1.0
    power = 10.0 ** np.floor(np.log10(least))
    step = next(power * each for each in (*STEPS, 10.0) if power * each >= least)
    return float(max(1.0, step) if (values == np.rint(values)).all() else step)


def categories_of(rows: Numbers, kinds: Sequence[str] = ()) -> list[Category]:
    """Divide positions into categories. The MOST_KINDS most frequent kinds come first, in ascending order of the
    feature. The other positions follow; they are grouped by the value of the feature."""
    named = np.array(kinds or [""] * len(rows), dtype=object)
    games = {kind: len(np.unique(rows[named == kind, 3])) for kind in Counter(filter(None, kinds))}
    shown = sorted(games, key=lambda kind: (-games[kind], -kinds.count(kind), kind))[:MOST_KINDS]
    shown.sort(key=lambda kind: float(np.mean(rows[named == kind, 0])))
    found = [category_of(kind, rows[named == kind]) for kind in shown]
    return found + group_by_amount(rows[~np.isin(named, shown)], "other, " if shown else "")


def group_by_amount(rows: Numbers, prefix: str) -> list[Category]:
    """Divide positions into categories by the value of the feature."""
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
    """The category that consists of the given positions."""
    wins, draws, losses = (float(np.mean(rows[:, 1] == won)) for won in (1.0, 0.5, 0.0))
    return Category(label, len(rows), len(np.unique(rows[:, 3])), wins, draws, losses, float(np.mean(rows[:, 2])))


LARGEST = 1_000_000_000  # the greatest size of a file of games, in bytes


@dataclass(frozen=True)
class PlayedGame:
    """A finished game."""

    states: Sequence[Any]
    moves: Sequence[int]
    won: float  # the result for Max: 1 for a win, 1/2 for a draw, 0 for a loss


def played_games(name: str, game: Game, note: Note = ignore_note) -> Iterator[PlayedGame]:
    """Yield the finished games of a file. Games without a result are omitted. `note` shows notices to the user.

    Raises GamesearchError if the file has no finished games of `game`, or if it cannot be read; the message names the
    place in the file.
    """
    is_journal = file_path(name).suffix.casefold() == ".jsonl"
    if not is_journal and not is_record(name):
        raise GamesearchError(f"{name} is not a file of games: use a .pgn file, or a .jsonl file from match --journal")
    is_any_finished = False
    for place, start, moves, won in (read_journal_games if is_journal else read_record_games)(name, game, note):
        states = [start]
        for move in moves:
            if game.has_ended(states[-1]):
                raise GamesearchError(f"{place} of {name} continues after the end of the game")
            states.append(game.result(states[-1], move))
        if game.has_ended(states[-1]) or (won is None and game.terminal(states[-1])):
            won = share_won(game, float(game.utility(states[-1])))
        if won is not None:
            is_any_finished = True
            yield PlayedGame(states, moves, won)
    if not is_any_finished:
        raise GamesearchError(f"{name} has no finished games of {game.name}")


FileGame = tuple[str, Any, Sequence[int], float | None]
"""A game that was read from a file: its description for messages, its initial state, its moves, and the result for
Max."""


def read_record_games(name: str, game: Game, note: Note) -> Iterator[FileGame]:
    """Yield the games of a file of records, such as PGN."""
    for each in read_games(name, game, LARGEST, note):
        yield f"game {each.number}", each.start, each.moves, each.won


def read_journal_games(name: str, game: Game, note: Note) -> Iterator[FileGame]:
    """Yield the games of a journal, except games that a player lost because its program failed."""
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
    """Parse the names of moves that are played one after another from a state."""
    moves = list[int]()
    for name in names:
        moves.append(game.parse_move(state, name))
        state = game.result(state, moves[-1])
    return moves
