"""`gamesearch graph`: the whole graph of a small game."""

from typing import Any

import click

from gamesearch.cli.completing import offer_files
from gamesearch.cli.consoles import output_console, print_json
from gamesearch.cli.messages import say
from gamesearch.cli.options import ascii_option, force_option, game_argument, json_option
from gamesearch.cli.reading import format_of, position_text
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.files import write_file
from gamesearch.registry import load, specification_of
from gamesearch.render.graph import GraphView, graph_data
from gamesearch.solvers.graphs.positions import PositionGraph, TooManyPositionsError, solved_graph

__all__ = ["command"]

FORMATS = (".html", ".svg", ".dot")
MOST = 200
"""More positions are hard to look at."""
LARGEST = 1_000
"""More are not laid out in a moment."""


@click.command("graph")
@game_argument
@click.argument("positions", metavar="[POSITION]...", nargs=-1)
@click.option(
    "--to",
    "file",
    metavar="FILE",
    shell_complete=offer_files,
    help="Draw it: FILE ends in .html, .svg or .dot (Graphviz).",
)
@click.option(
    "--most", type=click.IntRange(1, LARGEST), default=MOST, show_default=True, help="Refuse more positions than that."
)
@force_option
@ascii_option
@json_option
def command(
    game: str, positions: tuple[str, ...], file: str | None, most: int, force: bool, only_ascii: bool, as_json: bool
) -> None:
    """Draw the whole graph of a small game: each position once, with its value, distance and best moves.

    Positions that several moves lead to are shared. With several POSITIONs, it is the graph of all that
    can be reached from any of them, such as Nim with either player to start. Without --to, a table.

    \b
    gamesearch graph "nim(6, max_take=3)" 6 "6 min" --to nim.html
    gamesearch graph "nim(6, max_take=3, misere=true)" 6 "6 min" --to misere.svg
    gamesearch graph tictactoe XX./OO./..X
    """
    suffix = format_of(file, FORMATS, overwrite=force) if file is not None else ""
    rules, states = read_positions(game, positions)
    graph = graph_of(rules, states, most)
    if file is not None:
        write_file(file, drawn(graph, suffix), overwrite=force)
        say(f"drawn in {file}")
    if as_json:
        print_json(graph_data(graph))
    elif file is None:
        output_console(only_ascii).print(GraphView(graph))


def read_positions(game: str, positions: tuple[str, ...]) -> tuple[Game[Any], list[Any]]:
    """The game and the states that the arguments mean; a position may ask for a larger game, as in Nim."""
    texts = [position_text(position) for position in positions] or [""]
    rules = load(game)
    for text in texts:
        rules, _ = rules.setup(text)
    found = [rules.setup(text) for text in texts]
    for text, (same, _) in zip(texts, found, strict=True):
        if specification_of(same) != specification_of(rules):
            raise GamesearchError(f"{text!r} is a position of another game than {texts[-1]!r}")
    return rules, [state for _, state in found]


def graph_of(game: Game[Any], states: list[Any], most: int) -> PositionGraph:
    """The solved graph; where it is refused for its size, the sentence names the option that allows more."""
    try:
        return solved_graph(game, states, most)
    except TooManyPositionsError as error:
        more = f", or allow up to {LARGEST:,} with --most N" if most < LARGEST else ""
        raise GamesearchError(f"{error}{more}") from None


def drawn(graph: PositionGraph, suffix: str) -> str:
    """The graph in one of FORMATS."""
    from gamesearch.render.graph_dot import dot_text
    from gamesearch.render.graph_html import html_page
    from gamesearch.render.graph_picture import picture_of
    from gamesearch.render.graph_svg import svg_image

    picture = picture_of(graph)
    if suffix == ".html":
        return html_page(graph, picture)
    return svg_image(picture) if suffix == ".svg" else dot_text(picture)
