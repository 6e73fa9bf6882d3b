"""Draw all positions of a small game."""

from dataclasses import dataclass
from typing import Any

import click
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.engine.formatting import data_number, plural, probability_text
from gamesearch.cli.consoles import output_console, print_json
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.options import ascii_option, file_option, force_option, game_argument, json_option, number_option
from gamesearch.cli.reading import format_of, position_text, read_position
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.notation import player_name
from gamesearch.optional import assumed_fact, mark_assumed
from gamesearch.play.files import write_file
from gamesearch.registry import specification_of
from gamesearch.render import pages
from gamesearch.render.formats.tikz import tikz_document, tikz_picture
from gamesearch.render.graphs import QUALITIES, Picture, dot_text, picture_of, svg_image, turn_text, worth_words
from gamesearch.render.tables import number_column, plain_table, text_column
from gamesearch.render.value_words import number_text, value_heading
from gamesearch.solvers.graphs.positions import OUTCOME, Position, PositionGraph, TooManyPositionsError, solve_graph
from gamesearch.support.escaping import xml_text

__all__ = ["GraphView", "command", "graph_data", "html_page"]

FORMATS = (".html", ".svg", ".tex", ".dot")
MOST = 200
"""The default limit on the number of positions. Larger graphs are hard to read."""
LARGEST = 1_000
"""The greatest value of --max-positions. Placing the nodes of larger graphs takes a long time."""


@click.command(
    cls=Command,
    examples=[
        'gamesearch graph "nim(6, max_take=3)" 6 "6 min" --to nim.html',
        'gamesearch graph "nim(6, max_take=3, misere=true)" 6 "6 min" --to misere.svg',
        "gamesearch graph tictactoe XX./OO./..X",
    ],
    old_names={"--most": "--max-positions"},
)
@game_argument
@click.argument("positions", metavar="[POSITION]...", nargs=-1)
@file_option("--to", "file", text="Draw the graph as .html, .svg, .tex or .dot.")
@number_option(
    "--max-positions", "most", most=LARGEST, default=MOST, text="Do not draw graphs with more than N positions."
)
@force_option
@ascii_option
@json_option
def command(
    game: str, positions: tuple[str, ...], file: str | None, most: int, force: bool, only_ascii: bool, as_json: bool
) -> None:
    """Draw all positions of a small game, with their values, distances and best moves.

    Each position is drawn once, even if several sequences of moves lead to it. If you give several POSITIONs, the graph
    contains all positions that can be reached from at least one POSITION. If --to is missing, a table is printed. All
    formats except .dot need Graphviz, which lays out the graph.
    """
    suffix = format_of(file, FORMATS, overwrite=force) if file is not None else ""
    rules, states = read_positions(game, positions)
    graph = graph_of(rules, states, most)
    if file is not None:
        write_file(file, draw(graph, suffix), overwrite=force)
        say(f"wrote {file}")
    if as_json:
        print_json(graph_data(graph))
    elif file is None:
        output_console(only_ascii).print(GraphView(graph))


def read_positions(game: str, positions: tuple[str, ...]) -> tuple[Game, list[Any]]:
    """Return the game and the states that the arguments describe.

    The text of a position may also set parameters of the game, such as the heaps of Nim.
    """
    texts = [position_text(position) for position in positions]
    rules, state = read_position(game, *(texts[:1] or [""]))
    if len(texts) < 2:
        return rules, [state]
    for text in texts[1:]:
        rules, _ = read_position(specification_of(rules), text)
    found = [read_position(specification_of(rules), text) for text in texts]
    for text, (same, _) in zip(texts, found, strict=True):
        if specification_of(same) != specification_of(rules):
            raise GamesearchError(f"{text!r} and {texts[-1]!r} are positions of different games")
    return rules, [state for _, state in found]


def graph_of(game: Game, states: list[Any], most: int) -> PositionGraph:
    """Return the solved graph. If the graph is too large, the error names the option that allows more positions."""
    try:
        return solve_graph(game, states, most)
    except TooManyPositionsError as error:
        more = f", or allow up to {LARGEST:,} with --max-positions N" if most < LARGEST else ""
        raise GamesearchError(f"{error}{more}") from None


def draw(graph: PositionGraph, suffix: str) -> str:
    """Return the text of a file with the graph; `suffix` is one of FORMATS."""
    picture = picture_of(graph)
    if suffix == ".html":
        return html_page(graph, picture)
    if suffix == ".dot":
        return dot_text(picture)
    return svg_image(picture) if suffix == ".svg" else tikz_document(tikz_picture([svg_image(picture)]))


@dataclass(frozen=True)
class GraphView:
    """Shows each position with its player, value, distance to the end and best moves."""

    graph: PositionGraph

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table and the size of the graph."""
        graph, game = self.graph, self.graph.game
        rows = (
            (
                game.format(each.state),
                "end" if each.player is None else player_name(game, each.player),
                mark_assumed(game, each.state, number_text(game, each.value, only_ascii=options.ascii_only)),
                "" if each.distance is None else str(each.distance),
                "  ".join(each.best),
            )
            for each in graph.positions
        )
        columns = (
            text_column("position"),
            text_column("player"),
            number_column(value_heading(game, is_exact=True), "bold"),
            number_column("plies to end"),
        )
        yield plain_table(*columns, Column("best moves", style="bold"), rows=rows)
        yield Text()
        counts = [plural(len(graph.positions), "position"), plural(graph.moves, "move")]
        yield Text(", ".join([*counts, plural(graph.starts, "start")]), style="dim")


def graph_data(graph: PositionGraph) -> dict[str, Any]:
    """The graph as JSON; positions refer to each other by their index in the list."""
    return {
        "game": specification_of(graph.game),
        "starts": list(range(graph.starts)),
        "positions": [position_data(graph.game, position) for position in graph.positions],
    }


def position_data(game: Game, position: Position) -> dict[str, Any]:
    """A position as JSON."""
    return {
        "position": game.format(position.state),
        "player": {None: "end", CHANCE: "chance", MAX: "Max"}.get(position.player, "Min"),
        "value": data_number(position.value),
        "distance": position.distance,
        "best": position.best,
        "moves": [
            {"move": edge.name, "to": edge.target, "quality": edge.quality}
            | ({} if edge.probability is None else {"probability": edge.probability})
            for edge in position.edges
        ],
    } | assumed_fact(game, position.state)


def html_page(graph: PositionGraph, picture: Picture) -> str:
    """Return the HTML page. It contains the image, and the graph as JSON."""
    parts = {"title": xml_text(picture.title), "image": svg_image(picture)}
    return pages.html_page(("graph_page",), picture.title, page_data(graph, picture), parts)


def page_data(graph: PositionGraph, picture: Picture) -> dict[str, Any]:
    """Return the data of `graph_data`, and add the texts that the page shows for each position."""
    data = graph_data(graph)
    for entry, position, node in zip(data["positions"], graph.positions, picture.nodes, strict=True):
        entry |= {
            "board": board_lines(graph.game, position.state),
            "turn": turn_text(graph.game, position.player),
            "words": worth_words(graph.game, position),
            "worth": node.worth,
        }
        for move in entry["moves"]:
            is_outcome = move["quality"] == OUTCOME
            move["remark"] = probability_text(move["probability"]) if is_outcome else QUALITIES[move["quality"]]
    return data


def board_lines(game: Game, state: Any) -> list[str]:
    """The rows of the board as text, without labels, followed by the notes of the board."""
    board = game.board(state)
    width = max((len(cell.text) for row in board.rows for cell in row), default=0)
    return [*(" ".join(f"{cell.text:>{width}}" for cell in row) for row in board.rows), *board.notes]
