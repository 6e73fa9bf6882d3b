"""Build an endgame database for searches."""

import contextlib
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

import click
from rich.console import RenderResult

from gamesearch.algorithms.engine.formatting import count_text, plural, seconds_text
from gamesearch.cli.consoles import print_found, status_console
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.options import ascii_option, flag_option, game_argument, json_option, speed_option, threads_option
from gamesearch.errors import Interrupted
from gamesearch.game import Game
from gamesearch.optional import NumberedGame
from gamesearch.registry import load, specification_of
from gamesearch.render.tables import table_of_numbers, view
from gamesearch.solvers.databases.building import build, verify
from gamesearch.solvers.databases.folders import BuiltLayer, WrongCode
from gamesearch.solvers.databases.workers import Listener

__all__ = ["command"]


# The view. ----------------------------------------------------------------------------------------
WINS = {
    "positions": "positions",
    "to move wins": "won",
    "drawn": "drawn",
    "loses": "lost",
    "bytes": "size",
    "longest win, plies": "longest",
}
POINTS = {"positions": "positions", "gains more": "won", "even": "drawn", "gains less": "lost", "bytes": "size"}
"""The columns of the table. Each heading is mapped to the attribute of a layer's header that the column shows. WINS is
for games with wins and losses, POINTS for games with points."""


@view
def database_view(layers: Sequence[BuiltLayer], points: bool) -> RenderResult:
    """Show a table with a row for each layer. If the payoffs are wins and losses, one column shows the length of the
    longest win."""
    columns = POINTS if points else WINS
    rows = [
        [each.header.name, *(count_text(getattr(each.header, attribute)) for attribute in columns.values())]
        for each in layers
    ]
    yield table_of_numbers("layer", *columns, rows=rows)


# The command. -------------------------------------------------------------------------------------
@click.command(
    cls=Command,
    examples=[
        'gamesearch database "checkers(size=4)" 3 --to endings',
        "gamesearch database chess KRK --to endings/chess",
        "gamesearch database chess KRK --to endings/chess --verify",
        'gamesearch analyze "checkers(size=4)" W:W4,5:B1,6 -a "pvs(database=endings)"',
    ],
    old_names={"--workers": "--threads"},
)
@game_argument
@click.argument("layers", metavar="LAYERS")
@click.option("--to", "folder", required=True, metavar="FOLDER", help="Folder in which each layer becomes a file.")
@flag_option("--verify", "only_verify", text="Verify an existing database: compare each value with a one-ply search.")
@click.option(
    "--memory", type=click.IntRange(1), metavar="MB", help="Memory to use.  [default: half of the computer's memory]"
)
@threads_option
@speed_option
@ascii_option
@json_option
def command(
    game: str,
    layers: str,
    folder: str,
    only_verify: bool,
    memory: int | None,
    threads: int,
    speed: str,
    only_ascii: bool,
    as_json: bool,
) -> int:
    """Build an endgame database: solve all positions of some layers.

    A layer is a group of positions, for example all positions with the same pieces. Moves can lead from LAYERS to other
    layers, which are solved, too. LAYERS depends on the game, for example: the number of pieces in checkers (3), the
    material in chess (KQK, or 3 for all endings of three pieces), the numbers of pieces of both sides in morris (3-3),
    or the number of seeds in the pits in kalah. In other games, LAYERS is a position, or the word "start" for the
    initial position. All positions that can be reached from this position are solved. If you stop the command, run it
    again to continue. An algorithm uses the database if its parameters contain database=FOLDER; see
    docs/how-to/databases.md.
    """
    played, done, wrong = load(game), [], None
    with show_layer_progress(played) as listen:
        given: dict[str, Any] = {"speed": speed, "workers": threads, "listen": listen}
        work: Iterator[BuiltLayer | WrongCode]
        if only_verify:
            work = verify(played, layers, folder, **given)
        else:
            work = build(played, layers, folder, memory=memory or 0, **given)
        for each in work:
            if isinstance(each, WrongCode):
                wrong = each
            else:
                done.append(each)
                say(layer_sentence(each, "verified" if only_verify else "solved"))
    if done or as_json:
        view = database_view(done, points=not played.win_or_loss)
        layers_done = [{**asdict(each.header), "seconds": each.seconds} for each in done]
        print_found(view, lambda: {"game": specification_of(played), "layers": layers_done}, as_json, only_ascii)
    if wrong is not None:
        say(
            f"gamesearch: the value of {played.format(wrong.state)!r} in layer {wrong.header.name} does not follow "
            f"from the values of its moves: remove {folder} and build it again"
        )
        return 1
    return 0


def layer_sentence(layer: BuiltLayer, verb: str) -> str:
    """Return a sentence about a finished layer; `verb` says what was done with its positions, such as `solved`."""
    header = layer.header
    if not layer.seconds:
        return f"layer {header.name} already exists"
    return f"layer {header.name}: {plural(header.positions, 'position')} {verb} in {seconds_text(layer.seconds)}"


@contextlib.contextmanager
def show_layer_progress(game: Game) -> Iterator[Listener]:
    """Use this context manager in a `with` statement: it yields a function. The function shows each stage and the
    remaining time. Ctrl-C raises Interrupted, whose message says what is saved."""
    with status_console().status("reading ...; Ctrl-C stops") as status:
        present, begun = "", 0.0

        def listen(stage: str, done: int, of: int) -> None:
            nonlocal present, begun
            now = time.perf_counter()
            if stage != present:
                present, begun = stage, now
            left = (now - begun) * (of - done) / done if done and of else 0.0
            still = f", {seconds_text(left)} left" if left > 1 else ""
            share = f"{done / of:.0%} of {of:,} position numbers" if of else f"{done:,} so far"
            status.update(f"{stage}: {share}{still}; Ctrl-C stops")

        try:
            yield listen
        except KeyboardInterrupt:
            kept = "finished layers are saved" if isinstance(game, NumberedGame) else "the results so far are saved"
            raise Interrupted(f"interrupted: {kept}; the same command continues the work") from None
