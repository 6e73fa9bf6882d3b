"""The answers of other players, such as engines, to a position (`analyze --ask`)."""

import itertools
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from gamesearch.algorithms.engine.formatting import data_number
from gamesearch.algorithms.engine.result import Limits, SearchResult
from gamesearch.cli.progress import show_progress
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Resigned, Turn
from gamesearch.render.match import analysis_line
from gamesearch.specification import parse_specification

__all__ = ["ask_players", "opinion_lines", "opinions_data"]


def ask_players(
    players: Sequence[str], game: Game, states: Sequence[Any], limits: Limits, speed: str
) -> list[SearchResult]:
    """Ask players, one after another, for a move in the last of the states; return the answers. Raises GamesearchError
    if a player fails or if chance decides in the position."""
    if game.player(states[-1]) == CHANCE:
        raise GamesearchError("chance decides here: leave out --ask, because players can only be asked for moves")
    moves = [
        next(m for m in game.steps(state) if game.result(state, m) == after)
        for state, after in itertools.pairwise(states)
    ]
    return [ask_player(text, game, states, moves, limits, speed) for text in players]


def ask_player(
    text: str, game: Game, states: Sequence[Any], moves: Sequence[int], limits: Limits, speed: str
) -> SearchResult:
    """Ask a player for its move. Limits in the specification of the player replace the limits of the command."""
    has_limits = set(parse_specification(text).parameters) & {"depth", "time", "nodes"}
    given = Limits() if has_limits else limits
    with load_player(text, game, None, speed) as player, show_progress(f"{text} is thinking") as monitor:
        if player.is_human:
            raise GamesearchError("--ask cannot ask a human: name an engine or an algorithm")
        try:
            return player.answer(Turn(game, states, moves, given), monitor)
        except Resigned as error:
            raise GamesearchError(f"{error}, so it names no move") from None


def opinion_lines(game: Game, state: Any, answers: Sequence[SearchResult]) -> list[str]:
    """Return a line for each player with its move and value. The value has the scale of this player, and belongs to the
    same side as the value of the search."""
    lines = []
    for answer in answers:
        value = analysis_line(game, state, answer)
        move = "no move" if answer.best is None else game.move_name(state, answer.best)
        lines.append(f"{answer.algorithm} plays {move}" + (f" and reports: {value}" if value else ", without a value"))
    return lines


def opinions_data(game: Game, state: Any, answers: Sequence[SearchResult]) -> list[dict[str, Any]]:
    """The answers as JSON."""
    return [
        {
            "player": answer.algorithm,
            "value": data_number(answer.value),
            "bound": answer.certainty,
            "distance": answer.distance,
            "best": None if answer.best is None else game.move_name(state, answer.best),
            "line": game.line_names(state, answer.line),
            "statistics": asdict(answer.statistics),
        }
        for answer in answers
    ]
