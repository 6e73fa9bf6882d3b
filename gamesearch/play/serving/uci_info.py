"""What a search found, as lines of UCI."""

from typing import Any

from gamesearch.algorithms.parts.result import SearchResult
from gamesearch.algorithms.parts.runner import Runner
from gamesearch.game import MAX, Game
from gamesearch.games.chess.boards import decoded

__all__ = ["bestmove_text", "info_text", "uci_move"]


def uci_move(m: int) -> str:
    """A move in coordinates, such as e2e4, e7e8q or N@f3; in chess960, castling is the king's move onto his rook."""
    return decoded(m).uci()


def info_text(game: Game[Any], s: Any, result: SearchResult, runner: Runner | None, number: int = 1) -> str:
    """The info line of a finished depth; `number` is that of the line among several, best first."""
    statistics = result.statistics
    words = ["info", f"depth {statistics.depth}"]
    if runner is not None:
        deepest = max(statistics.depth, int(runner.counts.deepest))
        words.append(f"seldepth {deepest}")
    words.append(f"multipv {number}")
    if result.value is not None:
        words.append(score_text(game, s, result))
    words.append(f"nodes {statistics.nodes}")
    if statistics.seconds > 0:
        words.append(f"nps {int(statistics.nodes / statistics.seconds)}")
    if runner is not None and runner.held_table is not None:
        words.append(f"hashfull {runner.held_table.permille_used()}")
    words.append(f"time {int(1000 * statistics.seconds)}")
    if result.line:
        words.append(f"pv {' '.join(map(uci_move, result.line))}")
    return " ".join(words)


def score_text(game: Game[Any], s: Any, result: SearchResult) -> str:
    """The value for the side to move: moves to a mate, else hundredths of a pawn; and whether it is a bound."""
    assert isinstance(result.value, float)
    is_max = game.player(s) == MAX
    value = result.value if is_max else -result.value
    if result.distance is not None and value != 0:
        moves = (result.distance + 1) // 2
        return f"score mate {moves if value > 0 else -moves}"
    bound = {"lower": " lowerbound", "upper": " upperbound"}.get(result.bound, "")
    if bound and not is_max:
        bound = " upperbound" if result.bound == "lower" else " lowerbound"
    return f"score cp {round(100 * value)}{bound}"


def bestmove_text(line: tuple[int, ...]) -> str:
    """The answer to go: the move, and what it expects in return, to ponder on."""
    ponder = f" ponder {uci_move(line[1])}" if len(line) > 1 else ""
    return f"bestmove {uci_move(line[0]) if line else '(none)'}{ponder}"
