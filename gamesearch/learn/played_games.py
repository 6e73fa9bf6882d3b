"""Games that others played, from a file: those of a PGN, or of the journal of a match."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.files.encodings import Note, ignore_note
from gamesearch.game import MAX, Game
from gamesearch.learn.learnable import share_won
from gamesearch.play.files import file_path, is_record, read_games, read_text
from gamesearch.play.journal import read_journal

__all__ = ["PlayedGame", "played_games"]

LARGEST = 1_000_000_000
"""No file of games is larger (bytes)."""


@dataclass(frozen=True)
class PlayedGame:
    """One game that was finished."""

    states: Sequence[Any]
    moves: Sequence[int]
    """One less than there are states."""
    won: float
    """The share of a win that Max got."""


def played_games(name: str, game: Game[Any], note: Note = ignore_note) -> Iterator[PlayedGame]:
    """Yield the finished games of a file; those without a result are left out. `note` shows notices.

    Raises GamesearchError for a file that has no games of this game, with the place in it.
    """
    is_journal = file_path(name).suffix.casefold() == ".jsonl"
    if not is_journal and not is_record(name):
        raise GamesearchError(f"{name} holds no games: name a .pgn, or the .jsonl that match --journal writes")
    is_any_finished = False
    for place, start, moves, won in (of_journal if is_journal else of_records)(name, game, note):
        states = [start]
        for move in moves:
            if game.has_ended(states[-1]):
                raise GamesearchError(f"{place} of {name} goes on after its end")
            states.append(game.result(states[-1], move))
        if game.has_ended(states[-1]) or (won is None and game.terminal(states[-1])):
            won = share_won(game, float(game.utility(states[-1])))
        if won is not None:
            is_any_finished = True
            yield PlayedGame(states, moves, won)
    if not is_any_finished:
        raise GamesearchError(f"{name} has no finished games of {game.name}")


Found = tuple[str, Any, Sequence[int], float | None]
"""Which game it is, where it began, its moves, and what was won as the file says."""


def of_records(name: str, game: Game[Any], note: Note) -> Iterator[Found]:
    """The games of a file such as a PGN."""
    for each in read_games(name, game, LARGEST, note):
        yield f"game {each.number}", each.start, each.moves, each.won


def of_journal(name: str, game: Game[Any], note: Note) -> Iterator[Found]:
    """The games of a journal, but for those that a player lost by a fault of its own."""
    for record in read_journal(read_text(name, "a file of games", LARGEST, note).encode(), name):
        if record.failed is not None:
            continue
        place = f"game {record.number + 1}"
        try:
            start = game.setup(record.position)[1] if record.position else game.initial()
            moves = numbers_of(game, start, (*record.opening, *record.moves))
        except GamesearchError as error:
            raise GamesearchError(f"{place} of {name} is no game of {game.name}: {error}") from None
        yield place, start, moves, 0.5 if record.winner is None else float(record.winner == MAX)


def numbers_of(game: Game[Any], state: Any, names: Sequence[str]) -> list[int]:
    """The moves that names stand for, one after another."""
    moves = list[int]()
    for name in names:
        moves.append(game.parse_move(state, name))
        state = game.result(state, moves[-1])
    return moves
