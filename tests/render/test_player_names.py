from gamesearch.algorithms.engine.result import payee
from gamesearch.game import CHANCE, MAX, MIN, Game
from gamesearch.registry import load
from gamesearch.render.player_names import player_text
from gamesearch.render.value_words import winner_words

TICTACTOE = load("tictactoe")
SEVERAL = load("{1/2: [(1,2,3),(3,2,1)], 1/2: p3[(0,0,1),(1,0,0)]}")


class Unnamed(Game[int]):
    """A game that does not name its players, so they have the default names."""

    def __init__(self, players: int) -> None:
        self.players = players


def test_a_value_belongs_to_max_or_to_the_player_to_move_of_several() -> None:
    tree = load("[[1,2],[3,4]]")
    assert [payee(tree, tree.parse(path)) for path in ("root", "a")] == [MAX, MAX]
    assert [payee(SEVERAL, SEVERAL.parse(path)) for path in ("root", "a", "b")] == [MAX, 0, 2]


def test_a_player_goes_by_name_and_role() -> None:
    assert [player_text(TICTACTOE, player) for player in (MAX, MIN, CHANCE)] == ["X (Max)", "O (Min)", "chance"]
    assert [player_text(SEVERAL, player) for player in (0, 2)] == ["P1", "P3"]


def test_a_player_without_a_name_goes_by_number() -> None:
    assert Unnamed(1).player_name(MAX) == "Max"
    assert [Unnamed(3).player_name(player) for player in (0, 2, CHANCE)] == ["player 1", "player 3", "chance"]


def test_winner_and_distance_in_words() -> None:
    distances = (0, 1, 4, None)
    said = [winner_words(TICTACTOE, -1.0, distance) for distance in distances]
    assert said == ["O has won", "O wins in 1 move", "O wins in 2 moves", "O wins"]
    assert winner_words(TICTACTOE, 0.0, None) == winner_words(TICTACTOE, 0.5, None) == ""


def test_one_of_several_wins_or_loses() -> None:
    assert winner_words(SEVERAL, SEVERAL.MINSCORE, 2, whose=2) == "P3 loses in 1 move"
    assert winner_words(Unnamed(1), 1.0, 3) == "Max wins in 3 moves"
    assert winner_words(Unnamed(1), -1.0, 0) == "Max has lost"
