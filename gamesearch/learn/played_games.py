"""Games that others played, from a file: those of a PGN, or of the journal of a match."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, Game
from gamesearch.learn.learnable import share_won
from gamesearch.play.files import file_path, read_text
from gamesearch.play.journal import read_journal
from gamesearch.play.openings import parts

__all__ = ["PlayedGame", "played_games"]

LARGEST = 1_000_000_000
"""No file of games is larger (bytes)."""
SHARES = {"1-0": 1.0, "0-1": 0.0, "1/2-1/2": 0.5}
"""What Max, who is White, won by what a PGN says."""


@dataclass(frozen=True)
class PlayedGame:
    """One game that was finished."""

    states: Sequence[Any]
    moves: Sequence[int]
    """One less than there are states."""
    won: float
    """The share of a win that Max got."""


def played_games(name: str, game: Game[Any]) -> Iterator[PlayedGame]:
    """The finished games of a file, of which those without a result are left out.

    Raises GamesearchError for a file that has no games of this game, with the place in it.
    """
    read = {".pgn": of_pgn, ".jsonl": of_journal}.get(file_path(name).suffix.casefold())
    if read is None:
        raise GamesearchError(f"{name} holds no games: name a .pgn, or the .jsonl that match --journal writes")
    is_any_finished = False
    for place, start, moves, won in read(read_text(name, "a file of games", LARGEST), name, game):
        states = [start]
        for move in moves:
            if game.terminal(states[-1]):
                raise GamesearchError(f"{place} of {name} goes on after its end")
            states.append(game.result(states[-1], move))
        if game.terminal(states[-1]):
            won = share_won(game, float(game.utility(states[-1])))
        if won is not None:
            is_any_finished = True
            yield PlayedGame(states, moves, won)
    if not is_any_finished:
        raise GamesearchError(f"{name} has no finished games of {game.name}")


Found = tuple[str, Any, Sequence[int], float | None]
"""Which game it is, where it began, its moves, and what was won as the file says."""


def of_pgn(text: str, name: str, game: Game[Any]) -> Iterator[Found]:
    """The games of a PGN."""
    for place, part in parts(text, file_path(name)):
        try:
            start, moves = game.read_record(part)
        except GamesearchError as error:
            raise GamesearchError(f"{place} of {name} cannot be read: {error}") from None
        result = re.search(r'^\[Result\s+"([^"]*)"', part, re.MULTILINE)
        yield place, start, moves, SHARES.get(result[1]) if result else None


def of_journal(text: str, name: str, game: Game[Any]) -> Iterator[Found]:
    """The games of a journal, but for those that a player lost by a fault of its own."""
    for record in read_journal(text.encode(), name):
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
