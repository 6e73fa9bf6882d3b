"""`gamesearch analyze` and `gamesearch perft` on the command line."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import Cli
from engine_support import fake_command
from recordings import TWO_PLY
from terminal import Terminal

from gamesearch import load, search
from gamesearch.algorithms.catalog import exact_algorithm, load_algorithm
from gamesearch.commands.solving.analyze.answer import short_search

NEARLY = "XX./OX./.OO"
MATE = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
SMALL = "connect4(rows=4, columns=4)"


def test_the_answer_in_words(cli: Cli) -> None:
    text, errors = cli.run(f"analyze tictactoe {NEARLY} --moves --verbose")
    assert errors == "speed: interpreted, because of --speed interpreted\n"
    assert text.startswith(" X  X  3\n O  X  6\n 7  O  O\n\nX (Max) to move\nvalue  +1  X wins in 1 move\nbest   3\n")
    rows = "3               +1   X wins in 1 move\n7                0   draw\n6               -1   O wins in 1 move\n"
    assert rows in text
    assert "16 nodes (8 in a second search, for the fastest win), 6 leaves, 4 cutoffs, depth 3" in text


def test_json(cli: Cli) -> None:
    answer = cli.data(f"analyze tictactoe {NEARLY} --moves")
    assert set(answer.pop("statistics")) == {
        *("nodes", "distance_nodes", "leaves", "cutoffs", "table_hits", "depth", "seconds", "speed", "threads")
    }
    assert answer == {
        "game": "tictactoe", "position": NEARLY, "player": "X", "algorithm": "alphabeta", "value": 1, "bound": "exact",
        "sees_the_end": True, "evaluation": None, "distance": 1, "book": None, "best": "3", "line": ["3"],
        "moves": [
            {"move": "3", "value": 1, "distance": 1, "line": ["3"]},
            {"move": "7", "value": 0, "distance": None, "line": ["7", "3", "6"]},
            {"move": "6", "value": -1, "distance": 2, "line": ["6", "7"]},
        ],
        "moves_depth": None, "stopped": "", "tree_is_full": False, "over": False, "winner": None,
        "limits": {"depth": None, "time": None, "nodes": None},
    }  # fmt: skip
    assert isinstance(answer["value"], int)


def test_three_players(cli: Cli) -> None:
    answer = cli.data("analyze [(1,2,6),(4,2,3)] --moves")
    assert (answer["value"], answer["player"], answer["algorithm"]) == ([4, 2, 3], "P1", "maxn")
    assert [each["move"] for each in answer["moves"]] == ["b", "a"]
    tree = "[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]]"
    text = cli.output(f"analyze {tree} b -a paranoid --moves --tree")
    assert "value  4 for P2\n" in text
    assert "b                 4\na                 1\n" in text
    assert "\nP2 [-inf, +inf] = 4\n+-- a  the others [-inf, +inf] = 1\n" in text


def test_chance_decides_and_mates_come_with_their_line(cli: Cli) -> None:
    text = cli.output("analyze", "{1/2: 8, 1/3: 24, 1/6: -12}", "--moves")
    assert "chance decides next\nvalue  10 for Max, the expected value\n" in text
    assert "c                 1/6             -12" in text
    assert cli.output("analyze chess", MATE, "--mate", 2).startswith("White mates in 2: 1. Ra6 ")
    assert "no mate in 1" in cli.output("analyze chess", MATE, "--mate", 1, code=1)
    found = cli.data("analyze chess", MATE, "--mate", 3)
    assert (found["mate"], found["asked"], len(found["line"])) == (2, 3, 3)


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


def test_a_game_for_one_player(tmp_path: Path, cli: Cli) -> None:
    file = tmp_path / "alone.py"
    file.write_text(ALONE)
    assert "chance decides next\nvalue  6 for Max, the expected value\n" in cli.output("analyze", file)
    assert "Max to move\nvalue  8 for Max, the expected value\nbest   4\n" in cli.output(
        f"analyze {file} 2 -a expectimax"
    )


def test_a_finished_game_is_an_answer(cli: Cli) -> None:
    assert "X has won" in cli.output("analyze tictactoe XXX/OO./... --tree --moves")
    answer = cli.data("analyze tictactoe XXX/OO./...")
    assert (answer["value"], answer["best"], answer["line"], answer["over"]) == (1, None, [], True)
    position = "...../...O./..X../.X.../..... X pass pass"
    text = cli.output("analyze go(size=5)", position)
    assert "White's D4\nwithout dead stones: Black 25, White 0; Black wins by 25 points\n" in text
    assert cli.data("analyze go(size=5)", position)["final_status"]["dead"] == ["D4"]
    assert "final_status" not in answer


@pytest.mark.xdist_group("tictactoe")  # which compiles this kernel
def test_a_full_tree_and_moves_without_playouts_are_reported(cli: Cli) -> None:
    full, enough = (f"mcts(playouts={options}, solver=false)" for options in ("20000, memory=1", "20, memory=16"))
    search = "analyze tictactoe --speed compiled --algorithm"
    assert "the tree filled its memory" in cli.output(search, full)
    assert [cli.data(search, algorithm)["tree_is_full"] for algorithm in (full, enough)] == [True, False]
    text = cli.output("analyze tictactoe XX./OO./... -a mcts(playouts=50) --moves")
    assert "of 5 moves have no value: the search ended before it tried these moves" in text


def test_a_stopped_search_says_so(cli: Cli) -> None:
    assert "the answer is from depth 3, the last completed depth" in cli.output("analyze tictactoe --nodes 200")
    answer = cli.data("analyze connect4 --moves --nodes 400")
    assert (answer["stopped"], answer["statistics"]["depth"]) == ("nodes", 3)
    assert (answer["moves_depth"], len(answer["moves"])) == (2, 7)
    text = cli.output("analyze connect4 --moves --nodes 400")
    assert "the node limit was reached (half of the limit is for the table of moves)" in text
    assert "have no value" not in text
    assert "\ndepth  3 for this value; 2 for the table of moves\n" in text
    assert "\nmove   value for X, depth 2\n" in text
    text = cli.output("analyze [[3,8],[2,9]] -a mcts --nodes 14")
    assert "the node limit was reached; the value is proven" in text


def test_a_search_stopped_before_its_first_result(cli: Cli) -> None:
    for words in ("yavalath -a maxn --nodes 1", "tictactoe -a alphabeta(deepen=false) --nodes 20"):
        text = cli.output(f"analyze {words}", code=1)
        assert "value  unknown" in text
        assert "stopped: the node limit was reached before the search had a value" in text


def test_the_tree_and_a_trace_in_a_pipe(cli: Cli) -> None:
    text = cli.output(f"analyze {TWO_PLY} --tree")
    assert "+-- b  Min [3, +inf] <= 2  cut: 2 moves not searched (b, c)" in text
    assert "all 11 nodes drawn" in text
    tree = cli.data(f"analyze {TWO_PLY} --tree --plies 1")["tree"]
    assert [child["bound"] for child in tree["children"]] == ["exact", "upper", "exact"]
    written = cli.output(f"analyze {TWO_PLY} --trace - --speed auto")
    assert json.loads(written.splitlines()[-1])["nodes"] == 11
    assert "all 11 nodes drawn" in cli.output("show -", typed=written)
    dashes = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
    assert "Black can play on +" in cli.output("analyze othello", dashes, "--depth", 1), "the board is not an option"


@pytest.mark.parametrize("text", ["tictactoe", "kayles"])
def test_a_short_search_equals_the_usual_one(text: str) -> None:
    game = load(text)
    algorithm = load_algorithm(exact_algorithm(game))
    short = short_search(game, game.initial(), algorithm, speed="interpreted")
    usual = search(game, game.initial(), algorithm, speed="interpreted")
    assert short is not None
    assert short.statistics == replace(usual.statistics, seconds=short.statistics.seconds)
    assert replace(short, statistics=usual.statistics) == usual
    long = load("kayles(rows=12)")
    assert short_search(long, long.initial(), load_algorithm("minimax"), speed="interpreted") is None


# Several best moves. -----------------------------------------------------------------------------
def test_the_best_moves_with_their_lines(cli: Cli) -> None:
    text = cli.output(f"analyze tictactoe {NEARLY} --multipv 2")
    rows = [line.split() for line in text.partition("move   value")[2].splitlines()[1:3]]
    assert rows == [["3", "+1", "X", "wins", "in", "1", "move"], ["7", "0", "draw", "3", "6"]]
    assert "\n6 " not in text
    answer = cli.data("analyze", SMALL, "--multipv", 2, "--nodes", 2000)
    assert [each["line"][0] for each in answer["moves"]] == [each["move"] for each in answer["moves"]]
    assert answer["moves"][0]["line"] == answer["line"]
    assert len(answer["moves"]) == 2
    assert {len(each["line"]) for each in answer["moves"]} == {answer["statistics"]["depth"]}
    answer = cli.data("analyze tree([5:[1,2],5:[8,9]]) --depth 1 --multipv 2")
    assert answer["best"] == "a", "a search to depth 1 cannot know that b is better"
    assert cli.data("analyze [[3,?],[2,9]]")["assumed"] is True
    assert "assumed" not in cli.data("analyze [[?,5,9],5]")
    answer = cli.data("analyze", SMALL, "--moves", "--depth", 4)
    assert {len(each["line"]) for each in answer["moves"]} == {4}


def test_the_table_of_best_moves_grows_and_ctrl_c_keeps_its_content(terminal: Terminal) -> None:
    terminal.run("analyze", SMALL, "--multipv", "3", "--time", "600", "--speed", "interpreted")
    screen = terminal.wait_for("depth", "Ctrl-C stops", "\n    4 ")
    rows = [line.split() for line in screen.splitlines()]
    assert [row[0] for row in rows if row[:1] and row[0] in "1234"][:3] == ["1", "2", "3"]
    terminal.press("C-c")
    screen = terminal.wait_for("stopped: it was interrupted; the answer is from depth", "code=130")
    assert "Ctrl-C stops" not in screen
    assert "\nmove " in screen


# Reading positions from standard input. ----------------------------------------------------------
LINES = f"analyze '{SMALL}' - --depth 3"


def test_each_line_of_input_has_an_answer(cli: Cli) -> None:
    found = list(map(json.loads, cli.output(f"{LINES} --json --multipv 2", typed="1122\n\n12\n").splitlines()))
    assert [each["line_number"] for each in found] == [1, 3]
    assert [each["position"] for each in found] == ["..../..../OO../XX..", "..../..../..../XO.."]
    assert all(len(each["moves"]) == 2 for each in found)
    assert "a position on each line" in cli.run(f"{LINES} --json", typed="\n", code=2).err


def test_a_bad_line_is_reported_and_the_others_are_answered(cli: Cli) -> None:
    lines = b"12\nwhat\n\xff\n1212121212\n11\n" + b"x" * 100_000 + b"\n"
    out, err = cli.run(f"{LINES} --json", typed=lines, code=2)
    found = list(map(json.loads, out.splitlines()))
    assert [each["line_number"] for each in found] == [1, 2, 3, 4, 5, 6]
    assert ["error" in each for each in found] == [False, True, True, True, False, True]
    assert [line.partition(": ")[2].partition(":")[0] for line in err.splitlines()] == [
        f"line {n}" for n in (2, 3, 4, 6)
    ]
    assert found[2]["error"] == "the line is not text"
    assert len(out) + len(err) < 5000, "a large line is not repeated as a whole"
    out, err = cli.run(LINES, typed="1122\nwhat\n12\n", code=2)
    assert out.count("value ") == 2
    assert "line 2:" in err


# perft. ------------------------------------------------------------------------------------------
def test_perft_counts_no_move_that_repeats_a_position_of_the_given_game(cli: Cli) -> None:
    found = cli.data("perft 'go(size=2)' 2 'B2 B1 A1 pass A2 B1' --divide")
    moves = {each["move"]: each["nodes"] for each in found["moves"]}
    assert moves == {"A1": 3, "A2": 3, "pass": 4}  # B2 would repeat an earlier position
    assert found["nodes"] == sum(moves.values())


def test_perft(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.output("perft tictactoe 5").startswith("15,120 leaves at depth 5\n")
    assert cli.output("perft tictactoe 0").startswith("1 leaf at depth 0\n")
    assert cli.output("perft tictactoe 1 XXX/OO./... --divide").startswith("0 leaves at depth 1")
    text = cli.output(f"perft tictactoe 2 {NEARLY} --divide")
    assert text.startswith("move   leaves\n3           0\n6           2\n7           2\n\n4 leaves at depth 2\n")
    answer = cli.data(f"perft tictactoe 2 {NEARLY} --divide")
    moves = [{"move": "3", "nodes": 0}, {"move": "6", "nodes": 2}, {"move": "7", "nodes": 2}]
    assert {**answer, "seconds": 0} == {
        "game": "tictactoe", "position": NEARLY, "depth": 2, "nodes": 4, "seconds": 0, "moves": moves,
    }  # fmt: skip
    assert [each["nodes"] for each in cli.data(f"perft tictactoe 1 {NEARLY} --divide")["moves"]] == [1, 1, 1]
    assert cli.data("perft tictactoe 0 --divide")["moves"] == []

    def interrupt(*_: Any, **__: Any) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("gamesearch.commands.measuring.perft.perft", interrupt)
    assert cli.run("perft tictactoe 5", code=130) == ("", "\ngamesearch: interrupted\n")


# Beliefs. -----------------------------------------------------------------------------------------
LECTURE = "[[99,1000,1000,1000],[100,101,102,100]]"
SVG = "{http://www.w3.org/2000/svg}"


def test_beliefs_find_the_textbooks_probabilities(cli: Cli, tmp_path: Path) -> None:
    file = tmp_path / "beliefs.svg"
    algorithm = "beliefs(error=5, leaves=payoffs, draws=50000)"
    text = cli.output("analyze", LECTURE, "-a", algorithm, "--beliefs", "--to", file)
    lines = [line.split() for line in text.splitlines()]
    assert ["a", "99", "5.01", "71", "%"] in [line[:5] for line in lines]
    assert next(line[-2:] for line in lines if line[:2] == ["a", "99"]) == ["71", "%"]  # the random choice
    drawn = [line for line in text.splitlines() if "@" in line]
    assert [line[0] for line in drawn] == ["a", "b"]
    assert drawn[0].index("@") > drawn[1].index("@")
    root = ElementTree.parse(file).getroot()
    assert len(root.findall(f"{SVG}path")) == 2
    assert {"a", "b", "99, P(best) 71 %"} <= {each.text for each in root.findall(f"{SVG}text")}


def test_the_example_of_the_page_about_beliefs_shows_a_choice_without_rounding_errors(cli: Cli) -> None:
    page = (Path(__file__).parents[2] / "docs" / "explanation" / "beliefs.md").read_text(encoding="utf-8")
    (command,) = re.findall(r"^gamesearch (analyze connect4 4453 .*gain=.*)$", page, re.MULTILINE)
    chances = [each["best"] for each in cli.data(command)["beliefs"]]
    assert max(chances) > 0.9
    assert "e-" not in cli.output(command)
    few = cli.output("analyze connect4 4453 -a beliefs(gain=0.1) --beliefs")
    assert re.search(r"^3 +0 +0.15 +11 %$", few, re.MULTILINE)


def test_beliefs_about_moves_and_outcomes_of_dice(cli: Cli, tmp_path: Path) -> None:
    data = cli.data("analyze tictactoe XX./OO./... --beliefs")
    assert data["algorithm"] == "beliefs"
    assert data["beliefs"][0]["move"] == data["best"] == "3"
    assert data["beliefs"][0]["best"] == pytest.approx(1)
    for each in data["beliefs"]:
        assert sum(each["masses"]) == pytest.approx(1)
        middle = sum((each["least"] + i * each["step"]) * mass for i, mass in enumerate(each["masses"]))
        assert middle == pytest.approx(each["mean"], abs=each["step"] / 2 + 1e-6)
    file = tmp_path / "dice.svg"
    assert "the game is over" in cli.output("analyze tictactoe XXX/OO./... --beliefs --to", file)
    assert not file.exists()
    search = ("analyze", "{1/4: [1,2,3], 3/4: [[5,6],[7,8]]}", "-a", "beliefs(error=2, leaves=payoffs, draws=100)")
    text = cli.output(*search, "--beliefs", "--to", file, "--ascii")
    assert "best)" not in text
    assert "%" not in text
    rows = [line.split() for line in text.splitlines()]
    assert ["outcome", "mean", "probability", "value", "for", "Max"] in rows
    assert [row[0::2][:2] for row in rows if "@" in "".join(row)] == [["a", "1/4"], ["b", "3/4"]]
    assert ", probability 3/4</text>" in file.read_text(encoding="utf-8")
    found = cli.data(*search, "--beliefs")["beliefs"]
    assert [(each["best"], each["sampled"]["best"]) for each in found] == [(None, None)] * 2
    assert "and 9 more outcomes" in cli.output("analyze backgammon max -a beliefs(expansions=1) --beliefs")


# Other players. -----------------------------------------------------------------------------------


def test_other_players_are_asked(cli: Cli, tmp_path: Path) -> None:
    first, second = cli.output(
        "analyze tictactoe XX./OO./... --ask alphabeta(depth=1) --ask random(seed=1)"
    ).splitlines()[-2:]
    assert first.startswith("alphabeta(depth=1) plays 3 and reports: X wins in 1 move, line 3, ")
    assert second.startswith("random(seed=1) plays ")
    assert second.endswith(", without a value")
    player = f"uci(path='{fake_command('uci', 'good', tmp_path / 'log')}', depth=9)"
    (beside,) = cli.data("analyze chess --depth 1 --beside", player)["beside"]
    assert (beside["value"], beside["best"], beside["line"], beside["distance"]) == (0.35, "e4", ["e4"], None)
    assert beside["statistics"]["nodes"] == 1234
    assert "go depth 9\n" in (tmp_path / "log").read_text()
    player = f"external(path='{fake_command('external', 'good', tmp_path / 'other')}')"
    cli.output("analyze nim 1,2 --depth 3 --beside", player)
    assert "limit depth 3\n" in (tmp_path / "other").read_text(), "the command's limits apply to players without limits"
    repeated = "k7/8/8/8/8/8/8/KQ6 w - - 0 1 moves b1b3 a8a7 b3b1"
    found = cli.data("analyze chess", repeated, "-a", "alphabeta(depth=1)", "--ask", "alphabeta(depth=1)")
    assert found["value"] == found["beside"][0]["value"] == 0, "the player receives earlier positions"


def test_the_best_move_stands_first_even_if_another_has_a_better_average(cli: Cli) -> None:
    """The best move of a tree search with playouts is the move with the most playouts."""
    best, *others = cli.data("analyze go(size=7) --nodes 900")["moves"]
    assert best["games"] > max(each["games"] for each in others)
    assert best["value"] < max(each["value"] for each in others)
    facts = cli.output("analyze go(size=7) --nodes 900").splitlines()
    assert f"best   {best['move']}  most playouts" in facts
