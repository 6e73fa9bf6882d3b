"""Who plays what: as the options of `gamesearch play` say."""

from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.computer import computer_text
from gamesearch.play.levels import level_of
from gamesearch.play.player import HUMAN
from gamesearch.play.players import default_player
from gamesearch.specification import split_outside_brackets

__all__ = ["names_of_players"]


def names_of_players(
    game: Game[Any], first: str | None, others: str | None, everybody: str | None, level: str | None
) -> list[str]:
    """The player of each side, as typed; by default a human against the computer.

    A level is that of every side that nobody named, but for the human's.
    """
    if everybody:
        if first or others or level:
            what = "--level" if level else "--max and --min"
            raise GamesearchError(f"--players names everybody: leave out {what}")
        names = [name.strip() for name in split_outside_brackets(everybody, ",")]
        if len(names) != game.players:
            raise GamesearchError(f"{game.name} is for {game.players} players, and --players names {len(names)}")
        return names
    if level is None:
        return [first or HUMAN] + [others or default_player(game)] * (game.players - 1)
    level_of(level)
    computer = computer_text(level)
    if others and (first or others != HUMAN):
        raise GamesearchError(f"--level is how strong the computer is: write --min '{computer}' for a side of its own")
    return [first or (computer if others else HUMAN)] + [others or computer] * (game.players - 1)
