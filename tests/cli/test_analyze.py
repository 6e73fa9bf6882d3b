"""`gamesearch analyze` and `gamesearch perft` on the command line."""

import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from commands import complaint, output
from recordings import TWO_PLY

from gamesearch import load, search
from gamesearch.algorithms.catalog import fitting, load_algorithm
from gamesearch.cli import run
from gamesearch.commands.analyze.answer import short_search

NEARLY = "XX./OX./.OO"
SLOW = ("--speed", "interpreted")


def data(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    return json.loads(output(capsys, *arguments, "--json"))


def test_the_answer_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "analyze", "tictactoe", NEARLY, "--moves", *SLOW)
    assert text.startswith(" X  X  3\n O  X  6\n 7  O  O\n\nX (Max) to move\nvalue  +1  X wins in 1 move\nbest   3\n")
    assert (
        "3               +1   X wins in 1 move\n7                0   draw\n6               -1   O wins in 1 move\n"
        in text
    )
    assert "16 nodes (8 for the value, 8 for how soon), 6 leaves, 4 cutoffs, 0 table hits, depth 3" in text


def test_the_value_of_one_against_the_others_is_that_of_who_is_to_move(capsys: pytest.CaptureFixture[str]) -> None:
    tree = "[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]]"
    text = output(capsys, "analyze", tree, "b", "-a", "paranoid", "--moves", "--tree", *SLOW)
    assert "value  4 for P2\n" in text
    assert "b                 4\na                 1\n" in text
    assert "\nP2 [-inf, +inf] = 4\n+-- a  the others [-inf, +inf] = 1\n" in text


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    answer = data(capsys, "analyze", "tictactoe", NEARLY, "--moves", *SLOW)
    statistics = answer.pop("statistics")
    assert set(statistics) == {
        "nodes",
        "distance_nodes",
        "leaves",
        "cutoffs",
        "table_hits",
        "depth",
        "seconds",
        "speed",
        "threads",
    }
    assert answer == {
        "game": "tictactoe",
        "position": NEARLY,
        "player": "X",
        "algorithm": "alphabeta",
        "value": 1,
        "bound": "exact",
        "sees_the_end": True,
        "evaluation": None,
        "distance": 1,
        "best": "3",
        "line": ["3"],
        "moves": [
            {"move": "3", "value": 1, "distance": 1, "line": ["3"]},
            {"move": "7", "value": 0, "distance": None, "line": ["7", "3", "6"]},
            {"move": "6", "value": -1, "distance": 2, "line": ["6", "7"]},
        ],
        "moves_depth": None,
        "stopped": "",
        "tree_is_full": False,
        "over": False,
        "winner": None,
        "limits": {"depth": None, "time": None, "nodes": None},
    }
    assert isinstance(answer["value"], int)


def test_vectors_are_lists(capsys: pytest.CaptureFixture[str]) -> None:
    answer = data(capsys, "analyze", "[(1,2,6),(4,2,3)]", "--moves", *SLOW)
    assert (answer["value"], answer["player"], answer["algorithm"]) == ([4, 2, 3], "P1", "maxn")
    assert [each["move"] for each in answer["moves"]] == ["b", "a"]


def test_the_position_can_be_read(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    import io

    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(f"{NEARLY}\n".encode())))
    assert data(capsys, "analyze", "tictactoe", "-", *SLOW)["position"] == NEARLY


def test_a_draw_and_an_estimate(capsys: pytest.CaptureFixture[str]) -> None:
    assert "value  0  a draw with best play" in output(capsys, "analyze", "tictactoe", "XOX/XXO/O..", *SLOW)
    assert "value  0 for X, an estimate\n" in output(capsys, "analyze", "tictactoe", "--depth", "2", *SLOW)


def test_chance_decides(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "analyze", "{1/2: 8, 1/3: 24, 1/6: -12}", "--moves", *SLOW)
    assert "chance decides next\nvalue  10 for Max, the expected value\n" in text
    assert "c                 1/6             -12" in text


ALONE = """
from gamesearch import CHANCE, MAX, Game


class Alone(Game):
    \"\"\"One player: toss a coin, then take what it shows, or a sure 3.\"\"\"

    players, chance, win_or_loss = 1, True, False
    MINSCORE, MAXSCORE = 0, 8

    def initial(self):
        return (0,)

    def player(self, s):
        return CHANCE if s == (0,) else MAX

    def outcomes(self, s):
        yield 1, 0.5
        yield 2, 0.5

    def moves(self, s):
        yield 3
        yield 4

    def result(self, s, m):
        return (m if m < 4 else 4 * s[0],)

    def terminal(self, s):
        return s[0] > 2

    def utility(self, s):
        return s[0]
"""


@pytest.mark.parametrize("algorithm", ["expectiminimax", "expectimax"])
def test_a_value_for_one_player_alone_is_his(
    algorithm: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "alone.py"
    file.write_text(ALONE)
    game = ("analyze", str(file), "-a", algorithm, *SLOW)
    assert "chance decides next\nvalue  6 for Max, the expected value\n" in output(capsys, *game)
    assert "Max to move\nvalue  8 for Max, the expected value\nbest   4\n" in output(capsys, *game[:2], "2", *game[2:])


def test_moves_that_playouts_need_not_try_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "analyze", "tictactoe", "XX./OO./...", "-a", "mcts(playouts=50)", "--moves", *SLOW)
    assert "X wins in 1 move" in text
    assert "of 5 moves have no value: the search ended before it tried them" in text


def test_a_finished_game_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "analyze", "tictactoe", "XXX/OO./...", "--tree", "--moves")
    assert "the game is over\nvalue  +1  X has won\n" in text
    answer = data(capsys, "analyze", "tictactoe", "XXX/OO./...")
    assert (answer["value"], answer["best"], answer["line"], answer["over"]) == (1, None, [], True)


def test_a_finished_game_of_go_says_what_is_dead(capsys: pytest.CaptureFixture[str]) -> None:
    position = "...../...O./..X../.X.../..... X pass pass"
    text = output(capsys, "analyze", "go(size=5)", position)
    assert "White's D4\nwithout the dead: Black 25, White 0; Black wins by 25 points\n" in text
    assert data(capsys, "analyze", "go(size=5)", position)["final_status"]["dead"] == ["D4"]
    assert "final_status" not in data(capsys, "analyze", "tictactoe", "XXX/OO./...")


def test_a_tree_without_more_room_is_told_of(capsys: pytest.CaptureFixture[str]) -> None:
    search = ("analyze", "tictactoe", "--algorithm", "mcts(playouts=20000, memory=1, solver=false)")
    sentence = "the tree filled its memory"
    assert sentence in output(capsys, *search)
    assert sentence in output(capsys, *search, "--explain")
    assert data(capsys, *search)["tree_is_full"] is True
    enough = (*search[:-1], "mcts(playouts=2000, memory=16, solver=false)")
    assert sentence not in output(capsys, *enough)
    assert data(capsys, *enough)["tree_is_full"] is False


def test_a_stopped_search_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "analyze", "tictactoe", "--nodes", "200", "--moves", *SLOW)
    assert "stopped: the node limit was reached; the answer is from depth 2, the last completed depth" in text
    assert "no move has a value" not in text
    assert "have no value" not in text
    alone = output(capsys, "analyze", "tictactoe", "--nodes", "200", *SLOW)
    assert "the answer is from depth 3, the last completed depth" in alone
    assert data(capsys, "analyze", "tictactoe", "--nodes", "200", *SLOW)["stopped"] == "nodes"


def test_moves_that_are_not_valued_as_deep_say_how_deep(capsys: pytest.CaptureFixture[str]) -> None:
    limited = ("analyze", "connect4", "--moves", *SLOW, "--nodes")
    answer = data(capsys, *limited, "400")
    assert (answer["statistics"]["depth"], answer["moves_depth"], len(answer["moves"])) == (3, 2, 7)
    text = output(capsys, *limited, "400")
    assert "\ndepth  3 for this value; 2 for the table of moves\n" in text
    assert "\nmove   value for X, depth 2\n" in text
    assert "depth 2\n" not in output(capsys, "analyze", "connect4", "--depth", "2", "--moves", *SLOW)


def test_a_search_stopped_before_it_knew_anything(capsys: pytest.CaptureFixture[str]) -> None:
    for algorithm in ("minimax(deepen=false)", "alphabeta(deepen=false)", "maxn"):
        game = "yavalath" if algorithm == "maxn" else "tictactoe"
        text = output(capsys, "analyze", game, "-a", algorithm, "--nodes", "1", *SLOW, code=1)
        assert "value  unknown" in text
        assert "stopped: the node limit was reached before depth 1 was completed" in text
    answer = data(capsys, "analyze", "tictactoe", "-a", "minimax", "--nodes", "20", *SLOW)
    assert (answer["statistics"]["depth"], answer["best"], answer["value"]) == (1, "1", 0)
    assert (answer["bound"], answer["stopped"]) == ("estimate", "nodes")


def test_an_interrupted_search_gives_what_it_has(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from gamesearch.algorithms.engine.execution import Execution

    watch = Execution.watch

    def interrupted(self: Execution, *arguments: Any) -> None:
        if self.depth >= 2 and self.monitor is not None:
            self.monitor.interrupted = True
        watch(self, *arguments)

    monkeypatch.setattr(Execution, "watch", interrupted)
    text = output(capsys, "analyze", "connect4", "-a", "alphabeta(deepen=true, depth=40)", *SLOW, code=130)
    assert "stopped: it was interrupted" in text


def test_the_tree(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "analyze", TWO_PLY, "--tree")
    assert "+-- b  Min [3, +inf] <= 2  cut: 2 moves not searched (b, c)" in text
    assert "all 11 nodes drawn" in text
    tree = data(capsys, "analyze", TWO_PLY, "--tree", "--plies", "1")["tree"]
    assert [child["bound"] for child in tree["children"]] == ["exact", "upper", "exact"]


def test_verbose_says_why(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["analyze", "tictactoe", NEARLY, "--verbose", *SLOW]) == 0
    assert "speed: interpreted, as --speed says" in capsys.readouterr().err
    assert run(["analyze", TWO_PLY, "--verbose", "--tree"]) == 0
    assert "so that --tree can record each node" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["analyze"], "missing argument 'GAME'"),
        (["analyze", "chez"], "did you mean chess?"),
        (["analyze", "tictactoe", "XXX"], "not nine squares"),
        (["analyze", "tictactoe", "-a", "alfabeta"], "did you mean alphabeta?"),
        (["analyze", "tictactoe", "--depth", "x"], "depth is a whole number"),
        (["analyze", "tictactoe", "--depth", "0"], "depth is a whole number"),
        (["analyze", "tictactoe", "--time", "nan"], "time is a number of seconds"),
        (["analyze", "tictactoe", "--nodes", "0"], "--nodes"),
        (["analyze", "tictactoe", "--tree", "--speed", "compiled"], "leave out --tree"),
        (["analyze", "pig", "-a", "minimax"], "use expectiminimax"),
        (["perft", "tictactoe"], "missing argument 'DEPTH'"),
        (["perft", "tictactoe", "x"], "DEPTH"),
        (["perft", "tictactoe", "1000000"], "DEPTH"),
    ],
)
def test_what_is_wrong_in_a_sentence(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert words in complaint(capsys, *arguments)


# perft. ------------------------------------------------------------------------------------------
def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert output(capsys, "perft", "tictactoe", "5", *SLOW).startswith("15,120 leaves at depth 5\n")
    assert output(capsys, "perft", "tictactoe", "0", *SLOW).startswith("1 leaf at depth 0\n")
    assert output(capsys, "perft", "tictactoe", "1", "XXX/OO./...", "--divide", *SLOW).startswith("0 leaves at depth 1")


def test_ctrl_c_in_perft_is_told(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any, **__: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("gamesearch.commands.perft.perft", interrupted)
    assert run(["perft", "tictactoe", "5", *SLOW]) == 130
    assert capsys.readouterr() == ("", "\ngamesearch: interrupted\n")


def test_perft_divided(capsys: pytest.CaptureFixture[str]) -> None:
    text = output(capsys, "perft", "tictactoe", "2", NEARLY, "--divide", *SLOW)
    assert text.startswith("move   leaves\n3           0\n6           2\n7           2\n\n4 leaves at depth 2\n")


def test_perft_as_data(capsys: pytest.CaptureFixture[str]) -> None:
    answer = data(capsys, "perft", "tictactoe", "2", NEARLY, *SLOW)
    assert answer == {"game": "tictactoe", "position": NEARLY, "depth": 2, "nodes": 4, "seconds": answer["seconds"]}
    answer = data(capsys, "perft", "tictactoe", "2", NEARLY, "--divide", *SLOW)
    assert answer["moves"] == [{"move": "3", "nodes": 0}, {"move": "6", "nodes": 2}, {"move": "7", "nodes": 2}]


def test_a_board_that_begins_with_a_dash_is_no_option(capsys: pytest.CaptureFixture[str]) -> None:
    position = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
    assert run(["analyze", "othello", position, "--depth", "1", "--speed", "interpreted"]) == 0
    assert "Black can play on +" in capsys.readouterr().out


def test_a_trace_can_go_into_a_pipe(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(["analyze", "[[3,12,8],[2,4,6],[14,5,2]]", "--trace", "-"]) == 0
    written = capsys.readouterr().out
    assert json.loads(written.splitlines()[-1])["nodes"] == 11
    monkeypatch.setattr("sys.stdin", io.StringIO(written))
    assert run(["show", "-"]) == 0
    assert "all 11 nodes drawn" in capsys.readouterr().out


def test_a_mate_is_told_with_its_line(capsys: pytest.CaptureFixture[str]) -> None:
    morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
    said = output(capsys, "analyze", "chess", morphy, "--mate", "2", *SLOW)
    assert said.startswith("White mates in 2: 1. Ra6 ")
    assert "no mate in 1: White cannot force a win in 1 move" in output(
        capsys, "analyze", "chess", morphy, "--mate", "1", *SLOW, code=1
    )
    found = json.loads(output(capsys, "analyze", "chess", morphy, "--mate", "3", "--json", *SLOW))
    assert (found["mate"], found["asked"], len(found["line"])) == (2, 3, 3)
    others = (("--depth", "3"), ("--algorithm", "pvs"), ("--plies", "2"), ("--to", "mate.svg"), ("--force",))
    for flag, *value in others:
        said = complaint(capsys, "analyze", "chess", morphy, "--mate", "2", flag, *value)
        assert f"--mate only proves or disproves a forced win: leave out {flag}" in said


@pytest.mark.parametrize("text", ["tictactoe", "kayles", "hex(size=3)", TWO_PLY])
def test_a_short_search_equals_the_usual_one(text: str) -> None:
    game = load(text)
    algorithm = load_algorithm(fitting(game))
    short = short_search(game, game.initial(), algorithm, speed="interpreted")
    usual = search(game, game.initial(), algorithm, speed="interpreted")
    assert short is not None
    assert short.statistics == replace(usual.statistics, seconds=short.statistics.seconds)
    assert replace(short, statistics=usual.statistics) == usual


def test_a_long_search_is_not_a_short_one() -> None:
    game = load("kayles(rows=12)")
    assert short_search(game, game.initial(), load_algorithm("minimax"), speed="interpreted") is None
