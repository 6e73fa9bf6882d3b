"""`gamesearch analyze --explain` on the command line."""

import json
from pathlib import Path
from typing import Any

import pytest
from commands import Cli
from recordings import TWO_PLY

from gamesearch.algorithms.engine.result import Limits
from gamesearch.api import search
from gamesearch.notation import line_names
from gamesearch.registry import load
from gamesearch.trace.reading import load_recording

CONNECT4 = "connect4 4453 --depth 3 -a alphabeta"
EIGHTHS = "{1/8: 1, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2, 1/8: 2}"


EXPLAINED: list[tuple[str, list[str]]] = [
    ("tictactoe XX./OX./.OO", [
        "Why 3? It is best for X (Max): X wins in 1 move.\n",
        "7 is worse: draw; the reply is 3, followed by 6.\n6 is worse: O wins in 1 move; the reply is 7.\n",
        "After 1 ply the game is over; the payoff is +1.\n",
        "The best move is the same at all depths: 3 at depths 1 to 3.\n",
    ]),
    (TWO_PLY, [
        "the value is 3, with the line a a.\n",
        "c is worse by 1: the value is 2; the reply is c.\n",
        "\ndepth   best move",
    ]),
    ("[max[3,4],max[4]]", ["b has the same value: the value is 4"]),
    ("min[1,5]", ["It is best for Min: the value is 1.\nb is worse by 4: the value is 5, and the game is over.\n"]),
    ("tictactoe X../.../...", [
        "The best move changes with the depth: 2 at depths 1 to 5, 5 at depths 6 to 8.",
        "does not see beyond its horizon",
        "\n6               5             0\n",
    ]),
    (CONNECT4, [
        "the evaluation of this position is 0.0312:\n",
        "stones in the middle        2   0.0156            0.0312\n",
        "sum                                               0.0312\n",
    ]),
    ("pig(target=20) 5,3,4 --depth 3", [
        "hold is worse by ",
        "After 1 ply chance decides",
        "computed from the sum of these features",
        "\nevaluation, scaled or limited  ",
    ]),
    ("'{1/2: 8, 1/3: 24, 1/6: -12}'", [
        "Chance decides here: the value is the mean",
        "b has probability 1/3: the value is 24, and the game is over.\n",
    ]),
    ("'{[1,2],[3,4]}'", ["\ndepth   value for Max\n1                 2.5\n2                   3\n"]),
    ("[(1,2,6),(4,2,3)]", ["It is best for P1: the value is (4, 2, 3).\na is worse by 3: the value is (1, 2, 6)"]),
    ("tictactoe XX./OO./... -a expectimax", ["9 is worse by 0.875: the value is +0.125.\n"]),
    ("[5,3,3,3,3,3,3,3,2]", ["Each of 7 other moves (b, c, d, e, f, g, ...) is worse by 2", "i is worse by 3"]),
    ("connect4 4 --nodes 100", ["The opening book contradicts this: X wins in 20 moves with best move 4"]),
    (f"'{EIGHTHS}'", ["One of 7 outcomes (b, c, d, e, f, g, ...) has probability 7/8: the value is 2.\n"]),
]  # fmt: skip


def test_sentences_compare_the_moves(cli: Cli) -> None:
    for asked, sentences in EXPLAINED:
        text = cli.output(f"analyze {asked} --explain")
        assert [each for each in sentences if each not in text] == [], asked


def test_the_explanation_in_json(cli: Cli) -> None:
    def explain(search: str) -> Any:
        return cli.data(f"analyze {search} --explain")["explanation"]

    answer = explain(TWO_PLY)
    assert answer["moves"][1] == {"move": "b", "value": 2, "distance": None, "line": ["a"]}
    assert answer["depths"] == [{"depth": 1, "value": 8, "best": "a"}, {"depth": 2, "value": 3, "best": "a"}]
    assert (answer["ending"]["kind"], answer["ending"]["plies"], answer["ending"]["value"]) == ("over", 2, 3)
    features = explain(CONNECT4)["ending"]["features"]
    assert features[1] == {"name": "stones in the middle", "amount": 2, "weight": 1 / 64, "product": 1 / 32}
    assert explain("tictactoe XXX/OO./...") is None
    assert "explanation" not in cli.data(f"analyze {TWO_PLY}")


# Why not another move. ---------------------------------------------------------------------------
SMALL = "connect4(rows=4, columns=4)"
NEARLY = "XX./OX./.OO"
SLOW = ("--speed", "interpreted")


def against(cli: Cli, *arguments: str) -> Any:
    return cli.data("analyze", *arguments)["against"]


def test_a_losing_move_is_explained_with_the_reply(cli: Cli) -> None:
    text = cli.output("analyze tictactoe", NEARLY, "--why-not", "6")
    assert (
        "Why not 6? It is worse than 3: O wins in 1 move; after 3, X wins in 1 move.\n"
        "O replies 7.\n3 ends the game: X wins in 1 move.\n" in text
    )
    assert "a deeper search" not in text


def test_the_loss_is_the_difference_of_two_searches(cli: Cli) -> None:
    game = load(SMALL)
    for position in ("12", "3321"):
        s = game.parse(position)
        best = search(game, s, "alphabeta(depth=4)", speed="interpreted")
        for move in game.steps(s):
            name = game.move_name(s, move)
            found = against(cli, SMALL, position, "--why-not", name, "--depth", "4")
            alone = search(game, game.result(s, move), "alphabeta", limits=Limits(3), speed="interpreted")
            assert found["value"] == alone.value
            assert found["loses"] == abs(float(best.value or 0) - float(alone.value or 0))  # type: ignore[arg-type]
            assert found["line"] == line_names(game, s, (move, *alone.line))
            assert found["answer"] == found["line"][1]
            assert any(name in sentence for sentence in found["sentences"])


def test_the_features_of_two_lines_are_compared(cli: Cli) -> None:
    given = ("connect4", "4453", "--why-not", "1", "--depth", "3", "-a", "alphabeta")
    text = cli.output("analyze", *given)
    _, *rows = text.partition("feature at the end")[2].splitlines()
    assert [row.split()[-3:] for row in rows] == [["+0.0312", "+0.0156", "-0.0156"]]
    found = against(cli, *given)
    total = sum(each["best"] - each["tried"] for each in found["features"])
    assert total == pytest.approx(found["loses"])
    assert "deeper search may find other values" in found["sentences"][-1]


def test_why_not_the_best_move_or_an_equally_good_move(cli: Cli) -> None:
    assert (
        "It is the best move: X wins in 1 move." in against(cli, "tictactoe", NEARLY, "--why-not", "3")["sentences"][0]
    )
    assert "has the same value as" in against(cli, "[max[3,4],max[4]]", "--why-not", "b")["sentences"][0]
    assert against(cli, "min[1,5]", "--why-not", "b")["sentences"][1] == "The game is then over."


def test_both_moves_share_one_limit(cli: Cli) -> None:
    given = ("analyze", SMALL, "--why-not", "1", "--nodes", "600", "--json", *SLOW)
    answer = json.loads(cli.output(*given))
    assert answer["statistics"]["nodes"] <= 301
    assert 1 <= answer["against"]["depth"] <= answer["statistics"]["depth"]
    assert answer["against"]["move"] == "1"


def test_the_refutation_as_a_tree_and_as_a_trace(cli: Cli, tmp_path: Path) -> None:
    file = str(tmp_path / "why.trace")
    text = cli.output("analyze", TWO_PLY, "--why-not", "c", "--tree", "--trace", file)
    assert "Min [-inf, +inf] = 2\n+-- a  end [-inf, +inf] = 14" in text
    recording = load_recording(file)
    assert (recording.header["position"], recording.end["value"], len(recording.nodes)) == ("c", 2, 4)
