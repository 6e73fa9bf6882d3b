"""Results and recordings as HTML for notebooks: a board or a tree as SVG, and tables of numbers and moves."""

import functools
from collections.abc import Iterable, Sequence
from typing import Any

from gamesearch.algorithms.engine.formatting import plural, statistics_text
from gamesearch.algorithms.engine.result import MoveValue, SearchResult, rank_moves
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.optional import mark_assumed
from gamesearch.play.match import number_moves
from gamesearch.render.boards.svg import board_svg
from gamesearch.render.exports.svg import export
from gamesearch.render.solution import SolutionView
from gamesearch.render.value_words import Analysis, evaluation_words, number_text, value_words
from gamesearch.solvers.solution import Solution
from gamesearch.support.escaping import xml_text
from gamesearch.toolkit.pictures import picture
from gamesearch.trace.excerpts import limit_recording
from gamesearch.trace.recording import Recording

__all__ = ["html_of"]

MOST_NODES = 60
"""If a tree has more nodes, only this number of nodes are shown: those nearest to the root."""
MOST_MOVES = 20


@functools.singledispatch
def html_of(shown: Any) -> str:
    """The HTML of a result, a solution or a recording."""
    return f"<pre>{xml_text(repr(shown))}</pre>"


@html_of.register
def result_html(result: SearchResult) -> str:
    """The board, the value in words, the principal variation, and the moves that have values."""
    if result.searched is None:
        return f"<pre>{xml_text(repr(result))}</pre>"
    game, state = result.searched
    analysis = Analysis(game, state, result, is_expected=result.is_expected or game.chance)
    facts = [("value", value_words(analysis, only_ascii=False))]
    facts += [("by", by)] if (by := evaluation_words(analysis)) else []
    facts += [("line", " ".join(number_moves(game, state, result.line)))]
    facts += [("search", result.algorithm), ("effort", statistics_text(result.statistics))]
    moves = rank_moves(game, state, result.moves, (result.best,))
    return beside_board(game, state, facts, moves)


@html_of.register
def solution_html(solution: Solution) -> str:
    """The board, the exact value in words, the best moves, and a table of all moves."""
    if solution.searched is None:
        return f"<pre>{xml_text(repr(solution))}</pre>"
    game, state = solution.searched
    view = SolutionView(game, state, solution)
    facts = [("value", view.value_words())]
    facts += [("best", "  ".join(game.move_name(state, move) for move in solution.best)), ("effort", view.effort())]
    return beside_board(game, state, facts, rank_moves(game, state, solution.moves, solution.best))


@html_of.register
def recording_html(recording: Recording) -> str:
    """The searched tree near its root, and the number of its nodes."""
    part = limit_recording(recording, nodes=MOST_NODES)
    try:
        tree = export(part)
    except GamesearchError as error:
        return f"<p>{xml_text(str(error))}</p>"
    shown = min(len(recording.nodes), MOST_NODES)
    return f"<div>{tree}<p>{shown} of {plural(recording.end['nodes'], 'node')}, the nearest to the root</p></div>"


def beside_board(game: Game, state: Any, facts: Iterable[tuple[str, str]], moves: Sequence[MoveValue]) -> str:
    """The board, a table of facts and a table of moves."""
    board = picture(game, state)
    drawn = board_svg(board, repr(game)) if board.rows else f"<pre>{xml_text(game.format(state))}</pre>"
    rows = "".join(f"<tr><th>{xml_text(name)}</th><td>{xml_text(words)}</td></tr>" for name, words in facts if words)
    return f'<div class="gamesearch">{drawn}<table>{rows}</table>{moves_html(game, state, moves)}</div>'


def moves_html(game: Game, state: Any, moves: Sequence[MoveValue]) -> str:
    """For each move, its value and its principal variation. The best move comes first."""
    if not moves:
        return ""
    rows = []
    for each in moves[:MOST_MOVES]:
        line = number_moves(game, state, (each.move, *each.line), skip=1)
        name = game.move_name(state, each.move)
        value = mark_assumed(game, game.result(state, each.move), number_text(game, each.value, only_ascii=False))
        rows.append((name, value, " ".join(line)))
    if len(moves) > MOST_MOVES:
        rows.append((f"and {len(moves) - MOST_MOVES} more", "", ""))
    body = "".join(f"<tr>{''.join(f'<td>{xml_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr><th>move</th><th>value</th><th>line</th></tr>{body}</table>"
