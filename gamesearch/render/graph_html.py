"""A game's graph as one HTML page, to move about in: no network, no build step, nothing beside the file."""

from typing import Any

from gamesearch.algorithms.engine.formatting import probability_text
from gamesearch.game import Game
from gamesearch.render import page
from gamesearch.render.graph import graph_data
from gamesearch.render.graph_picture import QUALITIES, Picture, turn_text, worth_words
from gamesearch.render.graph_svg import svg_image
from gamesearch.solvers.graphs.positions import OUTCOME, PositionGraph
from gamesearch.support.escaping import xml_text

__all__ = ["html_page"]


def html_page(graph: PositionGraph, picture: Picture) -> str:
    """The page: the frame of all pages around graph_page.html, with the image, and the graph as JSON."""
    parts = {"title": xml_text(picture.title), "image": svg_image(picture)}
    return page.html_page(("graph_page",), picture.title, page_data(graph, picture), parts)


def page_data(graph: PositionGraph, picture: Picture) -> dict[str, Any]:
    """The graph as `graph_data` has it, and for each position what the page says of it."""
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


def board_lines(game: Game[Any], state: Any) -> list[str]:
    """The board as text, without its labels, and its notes."""
    board = game.board(state)
    width = max((len(cell.text) for row in board.rows for cell in row), default=0)
    return [*(" ".join(f"{cell.text:>{width}}" for cell in row) for row in board.rows), *board.notes]
