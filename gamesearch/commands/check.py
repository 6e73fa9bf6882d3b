"""`gamesearch check`: compare algorithms of one's own with gamesearch's, node by node."""

import click

from gamesearch.cli.consoles import print_found
from gamesearch.cli.options import ascii_option, json_option
from gamesearch.cli.progress import watching
from gamesearch.errors import GamesearchError
from gamesearch.render.marking import marking_data, marking_view, markings_view
from gamesearch.study.marking import Marking, mark

__all__ = ["command"]


@click.command(
    "check",
    epilog="\b\nExamples:\n"
    "  gamesearch check ./mine.py\n"
    "  gamesearch check ./mine.py --against 'minimax(depth=4)'\n"
    "  gamesearch check ./mine.py --game 'kalah(pits=3, seeds=2)'\n"
    "  gamesearch check ./*.py --json\n",
)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@click.option(
    "--against",
    default="",
    metavar="ALGORITHM",
    help="What to compare with, such as minimax or 'minimax(depth=4)'.  [default: what finds the same values]",
)
@click.option("--values", "only_values", is_flag=True, help="Compare values and moves, not the order of visits.")
@click.option("--game", "games", multiple=True, metavar="GAME", help="Positions of this game instead; may be repeated.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Of the random trees and positions.")
@ascii_option
@json_option
def command(
    files: tuple[str, ...],
    against: str,
    only_values: bool,
    games: tuple[str, ...],
    seed: int,
    only_ascii: bool,
    as_json: bool,
) -> int:
    """Compare an algorithm in a FILE of your own with gamesearch's, on small games and random trees.

    Value, best move, and the order of visits with all cutoffs are compared, and the first node that differs is shown.
    A file that asks for outcomes is compared on trees with chance nodes, too, and max^n on trees for three players.
    With several files, each gets a line. The exit code is 0 if all agree, 1 if something differs, 2 if a file has no
    algorithm. docs/own-algorithm.md says how to write one.
    """
    rows: list[tuple[str, Marking | str]] = []
    with watching("checking") as monitor:
        for name in files:
            monitor.stage = name
            try:
                found: Marking | str = mark(name, against, games, only_values=only_values, seed=seed, monitor=monitor)
            except GamesearchError as error:
                if len(files) == 1:
                    raise
                found = str(error)
            rows.append((name, found))
    data = [{"algorithm": name, "error": each} if isinstance(each, str) else marking_data(each) for name, each in rows]
    only = rows[0][1]
    view = marking_view(only) if len(rows) == 1 and isinstance(only, Marking) else markings_view(rows)
    print_found(view, lambda: data[0] if len(data) == 1 else data, as_json, only_ascii)
    if monitor.interrupted:
        return 130
    return max(2 if isinstance(each, str) else int(each.worst is not None) for _, each in rows)
