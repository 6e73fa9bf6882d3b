"""The public functions for programs and notebooks: search, searcher, record, perft, solve and draw.

Inside the package, only commands import this module.
"""

from typing import Any

from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, render_html_with
from gamesearch.algorithms.root.search import require_algorithm, require_limits, search, searcher
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.solvers.proof.watching import proof_to_watch, watch_proof
from gamesearch.solvers.solving import solve
from gamesearch.specification import parse_specification
from gamesearch.study.perft import perft
from gamesearch.toolkit.boards import Board, board_lines
from gamesearch.toolkit.pictures import picture, picture_after
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.recording import Recording
from gamesearch.user_code.checking import check_arguments

__all__ = ["Picture", "draw", "perft", "record", "search", "searcher", "solve"]


class Picture:
    """The board of a position. Notebooks display the board as an SVG image; `print` shows it as text."""

    def __init__(self, board: Board, title: str) -> None:
        self.board, self.title = board, title

    def _repr_svg_(self) -> str:
        """The board as the text of an SVG file. Notebooks display it."""
        from gamesearch.render.boards.svg import board_svg  # imported late, because it imports Rich

        return board_svg(self.board, self.title)

    def __repr__(self) -> str:
        return "\n".join(board_lines(self.board))


def html_of(answer: Any) -> str:
    """The HTML of a result, a solution or a recording, for notebooks."""
    from gamesearch.render.documents import notebook  # imported late, because it imports Rich

    return notebook.html_of(answer)


render_html_with(html_of)


def draw(game: Game, state: Any, move: int | None = None) -> Picture:
    """The board of a position. If a move is given, the board shows the position after the move, in which the changed
    cells are marked."""
    check_arguments(game, state)
    if move is not None and (game.terminal(state) or move not in game.steps(state)):
        raise GamesearchError(
            f"{move!r} is not a move of {game.format(state)!r}: convert text to a move with the method `parse_move` "
            "of the game"
        )
    after = state if move is None else game.result(state, move)
    board = picture(game, state) if move is None else picture_after(game, state, move, after)
    return Picture(board, f"{game!r}: {game.format(after)}")


def record(
    game: Game,
    state: Any,
    algorithm: str | Algorithm = "alphabeta",
    *,
    limits: Limits | None = None,
    most: int = 10_000,
) -> Recording:
    """Search a position with interpreted code, and record every event of the first `most` nodes. A notebook displays
    the result as a picture of the tree.

    `algorithm` can also be a proof-number method of `solve`, such as `"proof"` or `"proof(search=pn)"`. A proof-number
    search uses only the node limit of `limits`.

    >>> from gamesearch import load
    >>> tree = load("[[3,12,8],[2,4,6],[14,5,2]]")
    >>> len(record(tree, tree.initial()).nodes)
    11
    """
    check_arguments(game, state)
    if isinstance(algorithm, str) and parse_specification(algorithm).name == "proof":
        proof = proof_to_watch(game, state, algorithm)
        recorder = Recorder(game, state, proof, most)
        return recorder.finish(watch_proof(game, state, proof, recorder, nodes=require_limits(limits).nodes))
    chosen = require_algorithm(algorithm)
    recorder = Recorder(game, state, chosen, most)
    return recorder.finish(search(game, state, chosen, limits=limits, observer=recorder))
