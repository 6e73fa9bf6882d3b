"""What other players say of a position, beside the search of `gamesearch analyze`."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from gamesearch.algorithms.parts.formatting import data_number
from gamesearch.algorithms.parts.result import Limits, SearchResult
from gamesearch.cli.progress import watching
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.play.player import Resigned, Turn
from gamesearch.play.players import load_player
from gamesearch.render.match import analysis_line
from gamesearch.specification import parse_specification

__all__ = ["answers_beside", "beside_data", "beside_lines"]


def answers_beside(
    texts: Sequence[str], game: Game[Any], states: Sequence[Any], limits: Limits, speed: str
) -> list[SearchResult]:
    """The answers of players to the last of some states of a game, one after another.

    Raises GamesearchError if one fails.
    """
    if texts and game.player(states[-1]) == CHANCE:
        raise GamesearchError("it is chance's turn: players can only be asked where one of them is to move")
    moves = [move_between(game, s, after) for s, after in itertools.pairwise(states)] if texts else []
    return [answer for text in texts for answer in asked(text, game, states, moves, limits, speed)]


def move_between(game: Game[Any], s: Any, after: Any) -> int:
    """The move that leads from one state to the next."""
    return next(m for m in game.steps(s) if game.result(s, m) == after)


def asked(
    text: str, game: Game[Any], states: Sequence[Any], moves: Sequence[int], limits: Limits, speed: str
) -> Iterator[SearchResult]:
    """The answer of a player, who is then closed; none if Ctrl-C came before."""
    # Its own limits hold, as they are typed with its name; else those of the command; else what players have.
    is_limited = set(parse_specification(text).parameters) & {"depth", "time", "nodes"}
    given = Limits() if is_limited else limits
    with load_player(text, game, None, speed) as player, watching(f"{text} is thinking") as monitor:
        if player.is_human:
            raise GamesearchError("a human has no evaluation: name an engine or an algorithm")
        try:
            yield player.answer(Turn(game, states, moves, given), monitor)
        except Resigned as error:
            raise GamesearchError(f"{error}: it has no move to name") from None


def beside_lines(game: Game[Any], state: Any, answers: Sequence[SearchResult]) -> list[str]:
    """Each player's move and what it says of it. Its value is on its own scale, for the side that ours is for."""
    lines = []
    for answer in answers:
        found = analysis_line(game, state, answer)
        move = "no move" if answer.best is None else game.move_name(state, answer.best)
        lines.append(
            f"beside: {answer.algorithm} plays {move}"
            + (f": by its own measure {found}" if found else ", and tells no value")
        )
    return lines


def beside_data(game: Game[Any], state: Any, answers: Sequence[SearchResult]) -> list[dict[str, Any]]:
    """The same as data."""
    return [
        {
            "player": answer.algorithm,
            "value": data_number(answer.value),
            "bound": answer.bound,
            "distance": answer.distance,
            "best": None if answer.best is None else game.move_name(state, answer.best),
            "line": game.line_names(state, answer.line),
            "statistics": asdict(answer.statistics),
        }
        for answer in answers
    ]
