"""`gamesearch analyze --mate N`: a forced win in at most N moves, or that there is none."""

from typing import Any

import click

from gamesearch.algorithms.parts.formatting import plural, seconds_text
from gamesearch.cli.answer import Options
from gamesearch.cli.consoles import print_json
from gamesearch.cli.progress import say_speed, watching
from gamesearch.cli.reading import read_position
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.registry import specification_of
from gamesearch.solvers.mates import ForcedWin, forced_win

__all__ = ["print_mate"]


def print_mate(game_text: str, position: str, most: int, options: Options) -> int:
    """Look for a forced win of the player to move, and print it; the exit code, 1 where there is none."""
    refuse_others(position, options)
    game, state = read_position(game_text, position)
    with watching("proving") as monitor:
        found = forced_win(game, state, most, speed=options.speed, monitor=monitor)
    say_speed(game, options.speed, found.speed, options.verbose)
    if options.as_json:
        print_json(mate_data(game, state, most, found))
        return 0 if found.moves is not None else 1
    player = game.player(state)
    if found.moves is None:
        name = game.player_name(player)
        click.echo(f"no mate in {most}: {name} cannot force a win in {plural(most, 'move')} or fewer")
    else:
        line = " ".join(game.line_names(state, found.line))
        click.echo(f"{game.win_text(player, 2 * found.moves - 1)}: {line}")
    click.echo(f"by proof numbers, {plural(found.nodes, 'node')}, {seconds_text(found.seconds)}, {found.speed}")
    return 0 if found.moves is not None else 1


def refuse_others(position: str, options: Options) -> None:
    """Raise GamesearchError for options of another search."""
    others = {
        "'-' as POSITION": position == "-",
        "--depth": options.depth,
        "--time": options.time,
        "--nodes": options.nodes,
        "--moves": options.moves,
        "--multipv": options.multipv,
        "--explain": options.explain,
        "--against": options.against,
        "--tree": options.tree,
        "--trace": options.trace,
        "--beside": options.beside,
        "--beliefs": options.beliefs,
    }
    for name, is_given in others.items():
        if is_given:
            raise GamesearchError(f"--mate answers by proof numbers alone: leave out {name}")


def mate_data(game: Game[Any], state: Any, most: int, found: ForcedWin) -> dict[str, Any]:
    """The answer as JSON has it."""
    return {
        "game": specification_of(game),
        "position": game.format(state),
        "asked": most,
        "mate": found.moves,
        "line": game.line_names(state, found.line),
        "nodes": found.nodes,
        "seconds": found.seconds,
        "speed": found.speed,
    }
