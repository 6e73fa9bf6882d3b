"""The graph of all positions of a small game: its shapes, texts and arrows, which all formats draw.

The shape of a position shows whose turn it is, and the best moves have thick lines, so the graph can be read without
colors. The style of the image and the script of the page refer to nodes and edges by CSS classes and ids. The image
follows the light or dark color scheme of the reader's system.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from gamesearch.algorithms.engine.formatting import plural, probability_text, value_text
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.notation import player_name
from gamesearch.optional import mark_assumed
from gamesearch.registry import specification_of
from gamesearch.render.formats.dot import arrow, digraph, draw_svg, markup, node, outline, quick_layout, quote
from gamesearch.render.value_words import winner_words
from gamesearch.solvers.graphs.positions import BEST, EQUAL, OUTCOME, WORSE, Edge, Position, PositionGraph
from gamesearch.toolkit.boards import Cell

__all__ = [
    "QUALITIES", "SHAPES", "Arrow", "Picture", "PictureNode", "dot_text", "picture_of", "svg_image", "turn_text",
    "worth_words",
]  # fmt: skip

SHAPES = {MAX: "max", MIN: "min", CHANCE: "chance", None: "end"}
"""For each side to move, the shape of a position. If the game is over, the side is None."""
QUALITIES = {BEST: "best", EQUAL: "as good, but not as quick", WORSE: "gives value away", OUTCOME: "chance"}
"""The meanings of the arrows in words, from the best move to the worst."""
MOST_ROWS, MOST_COLUMNS = 8, 9
"""Boards with more rows or columns are not drawn, but replaced by the notation of the position."""
SHORT_NOTATION, LONGEST_NOTATION = 10, 30
MOST_MOVES = 2_000
"""The greatest number of moves in a picture. A picture with more moves is unreadable, and Graphviz takes a long time to
draw it."""
NAMED = 3
"""If several moves lead to the same position, they share an arrow. The text of an arrow lists at most this number of
moves."""


@dataclass(frozen=True)
class PictureNode:
    """A position in the picture."""

    shape: str
    """One of the values of SHAPES."""
    rows: Sequence[Sequence[Cell]]
    """The board, or a single cell that contains the notation of the position."""
    worth: str
    """The value of the position and, if it is a win or a loss, the number of plies to the end of the game."""
    winner: str
    """The winner: `max`, `min`, or `even` for a draw. Empty if the game has payoffs besides win, loss and draw."""
    summary: str
    """A sentence with all facts about the position."""

    @property
    def lines(self) -> list[str]:
        """The rows as text."""
        return [" ".join(cell.text for cell in row) for row in self.rows]


@dataclass(frozen=True)
class Arrow:
    """An arrow that stands for all moves from one position to another. `quality` is the quality of the best of these
    moves."""

    source: int
    target: int
    label: str
    quality: str


@dataclass(frozen=True)
class Picture:
    """A graph to draw."""

    title: str
    nodes: list[PictureNode]
    arrows: list[Arrow]
    starts: int
    turns: dict[str, str]
    """The meaning of each shape in the picture."""
    example: str
    """An explanation of the values, with an example; empty if the values need no explanation."""


def picture_of(graph: PositionGraph) -> Picture:
    """The picture of a graph; raises GamesearchError if there are too many moves."""
    game = graph.game
    if graph.moves > MOST_MOVES:
        raise GamesearchError(
            f"{game.name} has {graph.moves:,} moves from here, but at most {MOST_MOVES:,} moves can be drawn: "
            "give a later POSITION, or leave out --to"
        )
    counts = f"{plural(len(graph.positions), 'position')}, {plural(graph.moves, 'move')}"
    players = {position.player for position in graph.positions}
    return Picture(
        title=f"{specification_of(game)}: {counts}",
        nodes=[picture_node(game, position) for position in graph.positions],
        arrows=[arrow for number, position in enumerate(graph.positions) for arrow in arrows_of(number, position)],
        starts=graph.starts,
        turns={shape: turn_text(game, player) for player, shape in SHAPES.items() if player in players},
        example=f"+1 in 3: {player_name(game, MAX)} wins in 3 plies" if game.win_or_loss and not game.chance else "",
    )


def picture_node(game: Game, position: Position) -> PictureNode:
    """A position in the picture."""
    draw = game.draw_value()
    winner = "even" if position.value == draw else "max" if position.value > draw else "min"
    best = f"best {', '.join(position.best)}" if position.best else ""
    value = mark_assumed(game, position.state, value_text(position.value, signed=game.win_or_loss, only_ascii=False))
    facts = filter(None, (turn_text(game, position.player), worth_words(game, position), best))
    return PictureNode(
        shape=SHAPES[position.player],
        rows=short_rows(game, position.state),
        worth=f"{value} in {position.distance}" if game.win_or_loss and position.distance else value,
        winner=winner if game.win_or_loss else "",
        summary=f"{game.format(position.state)}: {'; '.join(facts)}",
    )


def short_rows(game: Game, state: Any) -> Sequence[Sequence[Cell]]:
    """The board of a position, or its notation. The notation is used if the game has a short notation, if the board is
    large, or if the board does not show the complete position."""
    board, is_short = game.board(state), len(game.format(game.initial())) <= SHORT_NOTATION
    if board.rows and not board.notes and not is_short:
        if len(board.rows) <= MOST_ROWS and len(board.rows[0]) <= MOST_COLUMNS:
            return board.rows
    notation = game.format(state)
    if len(notation) > LONGEST_NOTATION:
        notation = notation[: LONGEST_NOTATION - 3] + "..."
    return [[Cell(notation)]]


def arrows_of(number: int, position: Position) -> list[Arrow]:
    """The arrows from a position: one arrow to each position that its moves lead to."""
    moves: dict[int, list[Edge]] = {}
    for edge in position.edges:
        moves.setdefault(edge.target, []).append(edge)
    return [
        Arrow(number, target, moves_text(edges), min((edge.quality for edge in edges), key=list(QUALITIES).index))
        for target, edges in moves.items()
    ]


def moves_text(edges: Sequence[Edge]) -> str:
    """The moves or outcomes that lead to the same position."""
    names = ", ".join(edge.name for edge in edges[:NAMED]) + (", ..." if len(edges) > NAMED else "")
    if edges[0].probability is None:
        return names
    return f"{names} ({probability_text(math.fsum(edge.probability or 0.0 for edge in edges))})"


def turn_text(game: Game, player: int | None) -> str:
    """Words that say whose turn it is."""
    if player is None:
        return "the game is over"
    return "chance decides" if player == CHANCE else f"{player_name(game, player)} to move"


def worth_words(game: Game, position: Position) -> str:
    """Words for the value of a position, such as `a draw with best play`."""
    if not game.win_or_loss or game.chance:
        number = mark_assumed(game, position.state, value_text(position.value))
        return f"{'expected' if game.chance else 'value'} {number}"
    if position.value == game.draw_value():
        return "a draw" if position.player is None else "a draw with best play"
    words = winner_words(game, None, position.value, position.distance, in_plies=True)
    return words or f"value {value_text(position.value)}"


# The graph in the DOT language of Graphviz, and the SVG image that Graphviz draws from it. --------
FONT = quote("DejaVu Sans Mono")
LINES = {BEST: {"penwidth": "3"}, WORSE: {"style": "dashed", "penwidth": "0.9"}}
FILLS = {"max": "#d9f2e3", "min": "#f1dff6", "even": "#f3f4f6", "": "#f3f4f6"}
FAINT = "#8a8f99"
NARROWEST = "0000"
"""Each node that shows a position is at least as wide as this text."""
SMALL = 0.85
"""The width of a character of the legend, relative to other characters."""
PLAIN = {"shape": "plaintext", "style": "solid", "width": "0.1", "margin": "0.03"}
"""The attributes of a text in the legend."""


def dot_text(picture: Picture) -> str:
    """The graph in the DOT language. Start positions are next to each other, and the legend is below the graph."""
    return digraph(quote(picture.title), statements(picture))


def statements(picture: Picture) -> Iterator[str]:
    """The statements of the graph, between the braces."""
    limits = quick_layout(len(picture.arrows))
    example = f'<br align="left"/>{markup(picture.example, color=FAINT)}<br align="left"/>' if picture.example else ""
    title = f"<{markup(picture.title, bold=True)}{example}>"
    yield node(
        "graph", **kind("graph"), fontname=FONT, label=title, labelloc="t", labeljust="l", outputorder="edgesfirst",
        **limits,
    )  # fmt: skip
    yield node("node", fontname=FONT, fontsize="14", style="filled", margin=quote("0.1,0.05"), width="0.4")
    yield node("edge", fontname=FONT, fontsize="11.5", arrowsize="0.8")
    for number, each in enumerate(picture.nodes):
        yield position(number, each, number < picture.starts)
    yield from map(move, picture.arrows)
    yield f"{{ rank=source; {' '.join(f'p{number};' for number in range(picture.starts))} }}"
    yield from legend(picture)


def position(number: int, each: PictureNode, is_start: bool) -> str:
    """A position: its shape, its board or notation, and its value."""
    rows = ["&#160;".join(markup(cell.text, color=FAINT if cell.faint else "") for cell in row) for row in each.rows]
    lines = "<br/>".join([*rows, markup(each.worth, bold=True)])
    columns = max(len(line) for line in [*each.lines, each.worth, NARROWEST])
    return node(
        f"p{number}", id=f"p{number}", **kind(each.winner), **outline(each.shape, columns, len(rows) + 1),
        fillcolor=quote(FILLS[each.winner]), penwidth="3" if is_start else "", label=f"<{lines}>",
        tooltip=quote(each.summary),
    )  # fmt: skip


def move(each: Arrow) -> str:
    """The edge for all moves that lead from one position to another."""
    return arrow(
        f"p{each.source}", f"p{each.target}", id=quote(f"p{each.source}-p{each.target}"), **kind(each.quality),
        **LINES.get(each.quality, {}), label=f"<{markup(f' {each.label} ', bold=each.quality == BEST)}>",
        tooltip=quote(f"{each.label}: {QUALITIES[each.quality]}"),
    )  # fmt: skip


def legend(picture: Picture) -> Iterator[str]:
    """The bottom row of the picture: a legend that explains the shapes and lines."""
    unseen = {"style": "invis"}
    entries = [(outline(shape, round(SMALL * len(text)), 1), text, unseen) for shape, text in picture.turns.items()]
    used = {each.quality for each in picture.arrows} - {OUTCOME}
    # A line of each kind leads from an empty node to a node that contains the explanation of this kind.
    for quality in (each for each in QUALITIES if each in used):
        line = kind(f"legend {quality}") | LINES.get(quality, {})
        entries += [(PLAIN, "", line), (PLAIN, QUALITIES[quality], unseen)]
    yield "{ rank=sink; " + node("node", **kind("legend"), fontsize="11", margin="0.05", fillcolor=quote(FILLS[""]))
    for number, (shape, text, _) in enumerate(entries):
        yield "  " + node(f"l{number}", **shape, label=quote(text))
    for number, (_, _, line) in enumerate(entries[:-1]):
        yield "  " + arrow(f"l{number}", f"l{number + 1}", **line)
    yield "}"


def kind(name: str) -> dict[str, str]:
    """The attribute that sets the CSS class in an SVG image."""
    return {"class": quote(name)}


STYLE = f"""\
svg:root {{ color-scheme: light dark }}
.graph text {{ font-family: "DejaVu Sans Mono", ui-monospace, Menlo, Consolas, monospace }}
.graph text {{ fill: light-dark(#1b1d21, #e9eaec) }}
.graph text[fill="{FAINT}"] {{ fill: light-dark({FAINT}, #8f96a3) }}
.graph > polygon {{ fill: light-dark(#ffffff, #16181c) }}
.node :is(polygon, ellipse) {{ fill: light-dark({FILLS[""]}, #22252b); stroke: light-dark(#1b1d21, #e9eaec) }}
.node.max polygon {{ fill: light-dark({FILLS["max"]}, #123a25) }}
.node.min polygon {{ fill: light-dark({FILLS["min"]}, #40204b) }}
.node.node polygon ~ polygon {{ fill: none }}
.edge :is(path, polygon) {{ stroke: light-dark(#1b1d21, #e9eaec) }}
.edge polygon {{ fill: light-dark(#1b1d21, #e9eaec) }}
.edge text {{ paint-order: stroke; stroke: light-dark(#ffffff, #16181c); stroke-width: 3px }}
"""
"""Colors for both schemes. If a program does not support light-dark(), it uses the light colors that Graphviz
writes."""


def svg_image(picture: Picture) -> str:
    """The picture as an SVG image; raises GamesearchError if Graphviz is not installed."""
    return draw_svg(dot_text(picture)).replace(">", f">\n<style>\n{STYLE}</style>", 1)
