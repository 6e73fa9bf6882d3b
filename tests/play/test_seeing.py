"""Players that value positions as another game of the same rules does."""

import pytest

from gamesearch.errors import GamesearchError
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import Turn
from gamesearch.registry import load

KNIGHT_OR_BISHOP = "7k/8/8/n2Rb3/8/8/8/6K1 w - - 0 1"


@pytest.mark.parametrize(("values", "capture"), [("gik", "Rxe5"), ("computer", "Rxa5")])
def test_each_takes_what_its_own_values_say(values: str, capture: str) -> None:
    game = load("chess")
    s = game.parse(KNIGHT_OR_BISHOP)
    text = f"seeing(game=chess(values={values}), algorithm=alphabeta(depth=1))"
    player = load_player(text, game, speed="interpreted")
    best = player.answer(Turn(game, (s,), ())).best
    assert best is not None
    assert game.move_name(s, best) == capture
    again = load_player(player.specification, game, speed="interpreted")
    assert again.specification == player.specification
    assert again.answer(Turn(game, (s,), ())).best == best


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("seeing(chess(variant=chess960, start=5), minimax(depth=1))", "begins unlike chess"),
        ("seeing(tictactoe, minimax)", "begins unlike chess"),
        ("seeing(chess)", "both are needed"),
        ("seeing(game=chess, algorithm=minimax, depth=3)", "both are needed"),
    ],
)
def test_what_does_not_fit_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(GamesearchError, match=complaint):
        load_player(text, load("chess"))


def test_a_game_given_as_a_player_is_told_how_to_play_by_its_evaluation() -> None:
    game = load("othello")
    with pytest.raises(
        GamesearchError, match=r"'othello', which is a game: write seeing.*learn othello --comp"
    ) as told:
        load_player("othello(weights=learned)", game)
    written = str(told.value).partition("write ")[2].partition("; gamesearch")[0]
    assert "weights=learned" in load_player(written, game).specification
