"""The public functions: search, searcher, record, perft, solve and draw."""

from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gamesearch import compiler
from gamesearch.algorithms.catalog import load_algorithm
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.result import Limits, Monitor, Observer, SearchResult
from gamesearch.algorithms.engine.searcher import Searcher, search_with
from gamesearch.algorithms.node.workspace import MAX_PLY
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.optional import Counting, Measured
from gamesearch.solvers.proof.watching import proof_to_watch, watch_proof
from gamesearch.solvers.solving import solve
from gamesearch.specification import parse_specification
from gamesearch.study.best_moves import search_best_moves
from gamesearch.study.move_values import search_and_value
from gamesearch.study.perft import count_leaves
from gamesearch.support.html_repr import drawn_by
from gamesearch.toolkit.bits import mix
from gamesearch.toolkit.boards import Board
from gamesearch.toolkit.pictures import picture, picture_after
from gamesearch.trace.notation import board_lines
from gamesearch.trace.recorder import Recorder
from gamesearch.trace.recording import Recording
from gamesearch.user_code.checking import check_arguments, endless_moves

__all__ = ["Picture", "draw", "perft", "record", "search", "searcher", "solve"]


class Picture:
    """The board of a position: an SVG image in a notebook, and text where it is printed."""

    def __init__(self, board: Board, title: str) -> None:
        self.board, self.title = board, title

    def _repr_svg_(self) -> str:
        """What a notebook shows; also the text of an SVG file."""
        from gamesearch.render.board_svg import board_svg  # with Rich, which searches do without

        return board_svg(self.board, self.title)

    def __repr__(self) -> str:
        return "\n".join(board_lines(self.board))


def html_of(answer: Any) -> str:
    """What a notebook shows of a result, a solution or a recording."""
    from gamesearch.render import notebook  # with Rich, which searches do without

    return notebook.html_of(answer)


drawn_by(html_of)


def draw(game: Game[Any], state: Any, move: int | None = None) -> Picture:
    """The board of a position; with a move, that of the position after it, marked where the move touched it."""
    check_arguments(game, state)
    if move is not None and (game.terminal(state) or move not in game.steps(state)):
        raise GamesearchError(f"{move!r} is no move of {game.format(state)!r}: parse_move of the game gives one")
    after = state if move is None else game.result(state, move)
    board = picture(game, state) if move is None else picture_after(game, state, move, after)
    return Picture(board, f"{game!r}: {game.format(after)}")


def search(
    game: Game[Any],
    state: Any,
    algorithm: str | Algorithm = "alphabeta",
    *,
    limits: Limits | None = None,
    speed: str = "auto",
    moves: bool = False,
    multipv: int = 0,
    monitor: Monitor | None = None,
    observer: Observer | None = None,
    past: Sequence[Any] = (),
) -> SearchResult:
    """Search a position.

    `algorithm` is a specification such as `"alphabeta(depth=6, table=true)"`. `limits` replace the
    algorithm's own depth and time. With `moves`, each legal move is searched by itself, too; those
    searches are not in the statistics. Half of a limit on time or nodes is for the position, and the rest for
    its moves, which are valued to growing depths, as deep as all of them can be. A `monitor` watches and stops
    a search that runs in a thread. An `observer` receives every event of a search, which then runs interpreted.
    `past` are the earlier states of the game, in order, for games whose positions can recur. With `multipv`, the
    result has that many of the best moves, each with its line, and all limits hold for all of them together.

    Raises GamesearchError if the algorithm does not fit the game, or the game is over.
    """
    check_arguments(game, state)
    chosen, given = checked_algorithm(algorithm), checked_limits(limits)
    if multipv:
        if observer is not None:
            raise GamesearchError("the best moves are found by many searches, which no observer sees: leave out one")
        found = search_best_moves(game, state, chosen, given, multipv, speed=speed, monitor=monitor, past=past)
    elif moves:
        found = search_and_value(game, state, chosen, given, observer, speed=speed, monitor=monitor, past=past)
    else:
        found = search_with(game, state, chosen, given, speed=speed, monitor=monitor, observer=observer, past=past)
    return replace(found, searched=(game, state))


def record(
    game: Game[Any],
    state: Any,
    algorithm: str | Algorithm = "alphabeta",
    *,
    limits: Limits | None = None,
    most: int = 10_000,
) -> Recording:
    """Search a position interpreted and write everything down, of the first `most` nodes; a notebook draws the tree.

    In place of an algorithm, it may be the method of `solve` that proves: `"proof"` or `"proof(search=pn)"`. Of its
    limits, that on nodes holds.

    >>> from gamesearch import load
    >>> tree = load("[[3,12,8],[2,4,6],[14,5,2]]")
    >>> len(record(tree, tree.initial()).nodes)
    11
    """
    check_arguments(game, state)
    if isinstance(algorithm, str) and parse_specification(algorithm).name == "proof":
        asked = proof_to_watch(game, state, algorithm)
        recorder = Recorder(game, state, asked, most)
        return recorder.finish(watch_proof(game, state, asked, recorder, nodes=checked_limits(limits).nodes))
    chosen = checked_algorithm(algorithm)
    recorder = Recorder(game, state, chosen, most)
    return recorder.finish(search(game, state, chosen, limits=limits, observer=recorder))


def checked_algorithm(algorithm: Any) -> Algorithm:
    """The algorithm that an argument means; raises GamesearchError where it means none."""
    if isinstance(algorithm, str):
        return load_algorithm(algorithm)
    if not isinstance(algorithm, Algorithm):
        raise GamesearchError(f"{algorithm!r} is no algorithm: give its text, such as 'alphabeta(depth=6)'")
    return algorithm


def checked_limits(limits: Any) -> Limits:
    """Limits, none of them where there is None; raises GamesearchError for anything else."""
    if limits is None:
        return Limits()
    if not isinstance(limits, Limits):
        raise GamesearchError(f"{limits!r} are no limits: give Limits(depth=...), Limits(time=...), Limits(nodes=...)")
    return limits


def searcher(game: Game[Any], algorithm: str | Algorithm = "alphabeta", *, speed: str = "auto") -> Searcher:
    """An algorithm that searches positions of one game, one after another, and keeps what it learns.

    It takes less time a search than `search`, and fewer nodes where the algorithm has a table.

    >>> from gamesearch import load
    >>> game = load("tictactoe")
    >>> with searcher(game, "alphabeta(table=true)") as kept:
    ...     print([kept.search(game.parse(text)).value for text in ("XO./.../...", "XO./X../O..")])
    [1.0, 1.0]

    Raises GamesearchError if the algorithm does not fit the game.
    """
    check_arguments(game, game.initial())
    return Searcher(game, checked_algorithm(algorithm), speed)


def perft(game: Game[Any], state: Any, depth: int, *, speed: str = "auto", past: Sequence[Any] = ()) -> int:
    """The number of sequences of exactly `depth` moves from a state; outcomes count as moves.

    Sequences that end sooner, by the rules or because every move is forbidden, are not counted. `past` are the
    earlier states of the game, for games that forbid repetition. Raises GamesearchError for a depth that is negative
    or greater than any search can go.
    """
    check_arguments(game, state)
    if not isinstance(depth, int) or not 0 <= depth <= MAX_PLY:
        raise GamesearchError(f"a depth is a number from 0 to {MAX_PLY}, not {depth!r}")
    rules = game.for_perft() if isinstance(game, Measured) else game
    path = array("q", bytes(8 * (depth + 1)))
    path.extend(mix(rules.arrangement(s)) for s in past)
    counting = True if isinstance(rules, Counting) else None
    leaves, _ = compiler.run(count_leaves, rules, speed, state, depth, path, counting)
    if leaves < 0:
        raise endless_moves(game)
    return int(leaves)
