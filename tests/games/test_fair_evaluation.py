"""Evaluations treat both sides equally: if sides are exchanged, so are the win probabilities."""

from typing import Any

import pytest
from support import playout

from gamesearch.registry import load


def exchanged(s: Any, *pairs: tuple[str, str]) -> Any:
    """Return the position with the given pairs of fields exchanged, and the other player to move."""
    fields = {one: getattr(s, other) for pair in pairs for one, other in (pair, pair[::-1])}
    return s._replace(turn=1 - s.turn, **fields)


def exchanged_in_ultimate(s: Any) -> Any:
    boards = tuple(small >> 9 | small % (1 << 9) << 9 for small in s.boards)
    return exchanged(s, ("crosses", "noughts"))._replace(boards=boards)


CHECKERS: Any = load("checkers")


def turned(s: Any) -> Any:
    fields = {name: CHECKERS.turn_around(getattr(s, name)) for name in ("max_pieces", "min_pieces", "kings")}
    return exchanged(s._replace(**fields), ("max_pieces", "min_pieces"))


MIRRORS: dict[str, Any] = {
    "backgammon": exchanged,
    "checkers": turned,
    "dotsandboxes(2, 2)": lambda s: exchanged(s, ("max_boxes", "min_boxes")),
    "dotsandboxes(3, 3)": lambda s: exchanged(s, ("max_boxes", "min_boxes")),
    "go(5)": lambda s: exchanged(s, ("black", "white")),
    "gomoku(size=7)": lambda s: exchanged(s, ("crosses", "noughts"), ("max_pairs", "min_pairs")),
    "gomoku(size=9, captures=true)": lambda s: exchanged(s, ("crosses", "noughts"), ("max_pairs", "min_pairs")),
    "othello(4)": exchanged,
    "othello(6)": exchanged,
    "othello": exchanged,
    "pig(30)": lambda s: exchanged(s, ("max_score", "min_score")),
    "ultimate": exchanged_in_ultimate,
}


@pytest.mark.parametrize("text", MIRRORS)
def test_evaluation_is_fair_and_never_certain(text: str) -> None:
    game = load(text)
    for seed in range(10):
        for s in playout(game, seed):
            if not game.terminal(s):
                value, other = game.evaluate(s), game.evaluate(MIRRORS[text](s))
                assert value + other == pytest.approx(2 * game.draw_value())
                assert game.MINSCORE < value < game.MAXSCORE
