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
    statistics, table = result.statistics, None if runner is None else runner.held_table
    facts = {
        "depth": statistics.depth,
        "seldepth": None if runner is None else max(statistics.depth, int(runner.counts.deepest)),
        "multipv": number,
        "score": None if result.value is None else score_text(game, s, result),
        "nodes": statistics.nodes,
        "nps": int(statistics.nodes / statistics.seconds) if statistics.seconds > 0 else None,
        "hashfull": None if table is None else table.permille_used(),
        "time": int(1000 * statistics.seconds),
        "pv": " ".join(map(uci_move, result.line)) or None,
    }
    return " ".join(["info", *(f"{name} {fact}" for name, fact in facts.items() if fact is not None)])


def score_text(game: Game[Any], s: Any, result: SearchResult) -> str:
    """The value for the side to move: moves to a mate, else hundredths of a pawn; and whether it is a bound."""
    assert isinstance(result.value, float)
    is_max = game.player(s) == MAX
    value = result.value if is_max else -result.value
    if result.distance is not None and value != 0:
        moves = (result.distance + 1) // 2
        return f"mate {moves if value > 0 else -moves}"
    opposite = {"lower": "upper", "upper": "lower"}
    bound = result.bound if is_max else opposite.get(result.bound)
    return f"cp {round(100 * value)}{f' {bound}bound' if bound in opposite else ''}"


def bestmove_text(line: tuple[int, ...]) -> str:
    """The answer to go: the move, and what it expects in return, to ponder on."""
    ponder = f" ponder {uci_move(line[1])}" if len(line) > 1 else ""
    return f"bestmove {uci_move(line[0]) if line else '(none)'}{ponder}"
