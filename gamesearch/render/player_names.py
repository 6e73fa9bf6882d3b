"""Names of players in sentences: the player to move, values, and the winner."""

import re
import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural, value_text
from gamesearch.algorithms.engine.result import Value
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.play.match import names_winner, pays_wins_alone
from gamesearch.play.players.player import COMPUTER
from gamesearch.render.boards.board import BoardView
from gamesearch.specification import parse_specification
from gamesearch.toolkit.boards import Board
from gamesearch.toolkit.pictures import picture

__all__ = [
    "amount",
    "board_and_turn",
    "certain_words",
    "chance_words",
    "margin",
    "player_text",
    "position_parts",
    "short_name",
    "winner_words",
]


# Values on the scale of their game. ---------------------------------------------------------------
SINGULAR = {"boxes": "box", "men": "man"}
"""Of words that do more than lose an s."""


def amount(game: Game, value: float) -> str:
    """A value with its unit, to two decimals: `12 discs`, `-1 man`, `0.25 pawns`."""
    value = round(value, 2) if game.unit else value
    one = SINGULAR.get(game.unit, game.unit.removesuffix("s"))
    unit = one if abs(value) == 1 else game.unit
    return f"{value_text(value)} {unit}" if unit else value_text(value)


def chance_words(game: Game, value: float, whose: int) -> str:
    """An estimate as a chance; empty if the game does not declare that its estimates are chances."""
    chance = game.win_chance(value)
    return "" if chance is None else f"{100 * chance:.0f} % chance for {game.player_name(whose)}"


# Players. -----------------------------------------------------------------------------------------
def player_text(game: Game, player: int) -> str:
    """A player by the game's name for him, and the textbook's."""
    name = game.player_name(player)
    role = ("Max", "Min")[player] if game.players == 2 and game.zero_sum and player != CHANCE else name
    return name if name == role else f"{name} ({role})"


def short_name(specification: str) -> str:
    """A short name of a player: the level of the computer, the program of an engine, the name of an algorithm.

    >>> short_name("computer(level=5)"), short_name("computer(level=easy, seed=3)"), short_name("human")
    ('level 5', 'easy', 'human')
    >>> short_name("alphabeta(depth=8, order=game)"), short_name('gtp(path="/usr/games/gnugo --mode gtp")')
    ('alphabeta', 'gnugo')
    >>> short_name("seeing(game=othello(weights=learned), algorithm=pvs(table=true))")
    'pvs'
    """
    try:
        parsed = parse_specification(specification)
        level, program, algorithm = (str(parsed.parameters.get(key, "")) for key in ("level", "path", "algorithm"))
        if parsed.name == COMPUTER and level:
            return f"level {level}" if level.isdecimal() else level
        if program:
            return Path(shlex.split(program)[0]).stem
        return short_name(algorithm) if algorithm else Path(parsed.name).stem
    except (GamesearchError, ValueError, IndexError):  # of a player that is made otherwise than from a text
        return specification


def winner_words(
    game: Game, value: Value | None, distance: int | None, whose: int = MAX, *, in_plies: bool = False
) -> str:
    """The winner, and how soon if the distance in plies is known; 0 means that the game is over. Else empty.

    How soon is in moves, as people count, or `in_plies`. The winner is one of two; for another number of players, the
    value is said of the one `whose` it is.
    """
    if value not in (game.MAXSCORE, game.MINSCORE):
        return ""
    is_won = value == game.MAXSCORE
    if game.players == 2 and game.zero_sum:
        whose, is_won = (MAX if is_won else MIN), True
    if distance == 0:
        return f"{game.player_name(whose)} has {'won' if is_won else 'lost'}"
    if distance and is_won and not in_plies:
        return game.win_text(whose, distance)
    soon = f" in {plural(distance, 'ply', 'plies')}" if distance else ""
    if distance and not in_plies:
        soon = f" in {plural(-(-distance // game.players), 'move')}"
    return f"{game.player_name(whose)} {'wins' if is_won else 'loses'}{soon}"


def certain_words(game: Game, value: float) -> str:
    """The winner or a draw, if a search saw the end of the game; empty if payoffs do not name a winner."""
    if game.players != 2 or not names_winner(game):
        return ""
    if value == game.draw_value():
        return "a draw"
    words = winner_words(game, value, None) if pays_wins_alone(game) else ""
    by = margin(game, value)
    return words or (f"{game.player_name(MAX if value > game.draw_value() else MIN)} wins{by}" if by else "")


def margin(game: Game, utility: Value | None) -> str:
    """The margin of a win if payoffs count something: ` by 12 discs`."""
    if not game.unit or game.win_or_loss or game.MINSCORE != -game.MAXSCORE or not isinstance(utility, int | float):
        return ""
    return f" by {amount(game, abs(utility - game.draw_value()))}"


def board_and_turn(game: Game, state: Any) -> tuple[Board, str]:
    """The board of a game that is not over, and a sentence about whose turn it is.

    The sentence is empty if a note of the board says the same; the note then also has the textbook's name.
    """
    board, player = picture(game, state), game.player(state)
    if player == CHANCE:
        return board, "chance decides next"
    name, _, role = player_text(game, player).partition(" (")
    said = re.compile(rf"\b{re.escape(name)}(?: \((\w+)\))? to move\b")

    def with_role(match: re.Match[str]) -> str:
        marks = ", ".join(filter(None, (match[1], role.rstrip(")"))))
        return f"{name} ({marks}) to move" if marks else match[0]

    notes = [said.sub(with_role, note) for note in board.notes]
    if any(said.search(note) for note in board.notes):
        return replace(board, notes=notes), ""
    return board, f"{player_text(game, player)} to move"


def position_parts(game: Game, state: Any, over: str) -> RenderResult:
    """The board and, unless a note says it, the player to move; `over` replaces it after the end of the game."""
    board, turn = (picture(game, state), over) if over else board_and_turn(game, state)
    yield BoardView(board)
    yield Text()
    if turn:
        yield Text(turn)
