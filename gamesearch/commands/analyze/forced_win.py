"""A forced win in a number of moves, by proof numbers: `--mate`."""

from typing import Any

import click

from gamesearch.algorithms.engine.formatting import plural, seconds_text
from gamesearch.cli.consoles import print_json, print_line
from gamesearch.cli.progress import say_speed, watching
from gamesearch.game import Game
from gamesearch.play.numbering import numbered
from gamesearch.registry import specification_of
from gamesearch.solvers.proof.mates import forced_win

__all__ = ["print_forced_win"]


def print_forced_win(game: Game[Any], state: Any, most: int, *, speed: str, is_verbose: bool, as_json: bool) -> int:
    """Look for a win that the player to move can force in `most` moves, and print it; the exit code, 1 without one."""
    with watching("proving") as monitor:
        found = forced_win(game, state, most, speed=speed, monitor=monitor)
    say_speed(game, speed, found.speed, is_verbose)
    player = game.player(state)
    line = game.line_names(state, found.line)
    if as_json:
        head = {"game": specification_of(game), "position": game.format(state), "asked": most, "mate": found.moves}
        counts = {"nodes": found.nodes, "seconds": found.seconds, "speed": found.speed}
        print_json({**head, "line": line, **counts})
        return 0 if found.moves is not None else 1
    if found.moves is None:
        name = game.player_name(player)
        print_line(f"no mate in {most}: {name} cannot force a win in {plural(most, 'move')} or fewer")
    else:
        print_line(f"{game.win_text(player, 2 * found.moves - 1)}: {' '.join(numbered(game, state, found.line))}")
    click.echo(f"by proof numbers, {plural(found.nodes, 'node')}, {seconds_text(found.seconds)}, {found.speed}")
    return 0 if found.moves is not None else 1
