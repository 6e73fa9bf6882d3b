from gamesearch.compiler import why_interpreted
from gamesearch.games.connecting.gomoku import Gomoku
from gamesearch.play.players.loading import default_algorithm
from gamesearch.registry import load


def test_large_boards_are_interpreted() -> None:
    assert why_interpreted(Gomoku()) is None
    assert "256 bits" in (why_interpreted(Gomoku(16)) or "")


def test_the_default_player_has_a_width_only_for_gomoku() -> None:
    assert "width=20" in default_algorithm(load("gomoku"))
    assert default_algorithm(load("gomoku(captures=true)")).startswith("alphabeta")
    assert default_algorithm(load("gomoku(size=3, connect=3)")).startswith("alphabeta")


def test_a_row_of_six_does_not_win_if_exactly_five_are_needed() -> None:
    game = load("gomoku(9, exact=true)")
    for moves, wins in (("a1 a9 b1 b9 c1 c9 d1 d9 e1", True), ("a1 a9 b1 c9 c1 e9 d1 g9 f1 i9 e1", False)):
        assert game.terminal(game.parse(moves)) == wins
