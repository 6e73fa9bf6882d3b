"""`gamesearch analyze --explain` on the command line."""

from typing import Any

import pytest
from commands import Cli
from recordings import TWO_PLY

CONNECT4 = "connect4 4453 --depth 3 -a alphabeta"
EIGHTHS = "{1/8: 1, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2}"


@pytest.mark.parametrize(
    ("search", "sentences"),
    [
        (
            "tictactoe XX./OX./.OO",
            [
                "Why 3? It is best for X (Max): X wins in 1 move.\n",
                "7 is worse: draw; the reply is 3 6.\n6 is worse: O wins in 1 move; the reply is 7.\n",
                "After 1 ply the game is over; the payoff is +1.\n",
                "The best move is the same at all depths: 3 at depths 1 to 3.\n",
            ],
        ),
        (TWO_PLY, ["the value is 3, with a a.\n", "c is worse by 1: the value is 2; the reply is c.\n"]),
        (TWO_PLY, ["\ndepth   best move   value for Max\n"]),
        ("[max[3,4],max[4]]", ["b has the same value: the value is 4"]),
        ("min[1,5]", ["It is best for Min: the value is 1.\nb is worse by 4: the value is 5, and the game is over.\n"]),
        (
            "tictactoe X../.../...",
            [
                "The best move changes with the depth: 2 at depths 1 to 5, 5 at depths 6 to 8.",
                "does not see beyond its horizon",
                "\n6               5             0\n",
            ],
        ),
        (
            CONNECT4,
            [
                "the evaluation of the position there is 0.0312:\n",
                "stones in the middle        2   0.0156            0.0312\n",
                "sum                                               0.0312\n",
            ],
        ),
        (
            "pig(target=20) 5,3,4 --depth 3",
            [
                "hold is worse by ",
                "After 1 ply chance decides",
                "computed from the sum of these features",
                "\nevaluation, scaled or limited  ",
            ],
        ),
        (
            "'{1/2: 8, 1/3: 24, 1/6: -12}'",
            [
                "Chance decides here: the value is the mean",
                "b has probability 1/3: the value is 24, and the game is over.\n",
            ],
        ),
        ("'{[1,2],[3,4]}'", ["\ndepth   value for Max\n1                 2.5\n2                   3\n"]),
        ("[(1,2,6),(4,2,3)]", ["It is best for P1: the value is (4, 2, 3).\na is worse by 3: the value is (1, 2, 6)"]),
        ("tictactoe XX./OO./... -a expectimax", ["9 is worse by 0.875: the value is +0.125.\n"]),
        ("[5,3,3,3,3,3,3,3,2]", ["Each of 7 other moves (b, c, d, e, f, g, ...) is worse by 2", "i is worse by 3"]),
        ("[5,3,3,3,3,3,3,2]", ["b is worse by 2"]),
        (f"'{EIGHTHS}'", ["One of 7 outcomes (b, c, d, e, f, g, ...) has probability 7/8: the value is 2.\n"]),
    ],
)
def test_sentences_compare_the_moves(search: str, sentences: list[str], cli: Cli) -> None:
    text = cli.output(f"analyze {search} --explain")
    assert [each for each in sentences if each not in text] == []


def test_as_data(cli: Cli) -> None:
    def explained(search: str) -> Any:
        return cli.data(f"analyze {search} --explain")["explanation"]

    answer = explained(TWO_PLY)
    assert answer["moves"][1] == {"move": "b", "value": 2, "distance": None, "line": ["a"]}
    assert answer["depths"] == [{"depth": 1, "value": 8, "best": "a"}, {"depth": 2, "value": 3, "best": "a"}]
    assert (answer["ending"]["kind"], answer["ending"]["plies"], answer["ending"]["value"]) == ("over", 2, 3)
    features = explained(CONNECT4)["ending"]["features"]
    assert features[1] == {"name": "stones in the middle", "amount": 2, "weight": 1 / 64, "product": 1 / 32}
    assert explained("tictactoe XXX/OO./...") is None
    assert "explanation" not in cli.data(f"analyze {TWO_PLY}")
