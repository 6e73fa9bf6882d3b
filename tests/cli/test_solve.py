"""`gamesearch solve` on the command line."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from commands import Cli

from gamesearch.algorithms.engine.result import Progress
from gamesearch.cli.progress import remaining_text
from gamesearch.registry import load
from gamesearch.solvers.solving import solve


def test_every_method_finds_the_winning_move_and_lists_moves_best_first(cli: Cli) -> None:
    for method in ("auto", "memo", "retrograde", "grundy", "search"):
        answer = cli.data(f"solve nim 3,4,5 --method {method}")
        assert (answer["value"], answer["best"], answer["distance"]) == (1, ["a2"], 11), method
    for position, names in (("XX./OX./.OO", ["3", "7", "6"]), ("X../.O./..X", ["2", "4", "6", "8", "3", "7"])):
        lines = cli.output(f"solve tictactoe {position}").splitlines()
        table = lines[lines.index("move   value for X") + 1 :]
        assert [line.split()[0] for line in table[: len(names)]] == names
        assert [each["move"] for each in cli.data(f"solve tictactoe {position}")["moves"]] == names


FOUR = "'connect4(rows=4, columns=4)'"
NIM_SUM = """size   4 2 1
   3   0 1 1   = 3
   4   1 0 0   = 4
   5   1 0 1   = 5
       -----
 sum   0 1 0   = 2"""


SAID = (
    ("tictactoe XX./OO./...", "X wins in 1 move", "69 positions"),
    ("tictactoe XXX/OO./...", "the game is over"),
    ("checkers W:WK18:BK3 --method retrograde", "\nWhite (Min) to move\n"),
    (f"{FOUR} 1223", "value  0  a draw with best play"),
    (f"{FOUR} 121314", "2                1   X wins in 5 moves\n", "4                0   draw\n"),
    (f"{FOUR} 121314", "value  5  X wins in 1 move"),
    (f"{FOUR} 1213141", "value  5  X has won"),
    ("'dotsandboxes(1, 2)'", "b1-c1            -2   B wins by 2 boxes\n"),
    ("[[-1,1],[2,-2]]", "value  -1 for Max\n"),
    ("[5,[5,6]]", "best   a  b\n"),
    ("pig(target=5)", "value  0.797  80 % chance for Max, the expected value"),
    ("nim 4,5,7 --method grundy", "nim-sum"),
    ("nim 3,4,5 --method grundy", NIM_SUM, "column 2 is odd: the player to move wins"),
    ("nim 1,2,3 --method grundy", "all columns are even"),
    (
        "kayles 5-3",
        "\nGrundy  size 5: 4, 3: 3; nim-sum 7\n",
        "\n  0  0* 1  2  3* 1  4  3* 2  1  4* 2  6*\n",
        "\nperiod 12 from 71 on, proved by the numbers up to 167",
    ),
)


def test_a_repetition_ends_the_game_and_earlier_positions_are_noted(tmp_path: Path, cli: Cli) -> None:
    game = load("checkers(size=4)")
    states = [game.parse("W:WK8:BK1")]
    for move in ("8-6", "1-3", "6-8", "3-1") * 2:
        states.append(game.result(states[-1], game.parse_move(states[-1], move)))
    notes = [solve(game, state, speed="interpreted", past=states[:at]).note for at, state in enumerate(states)]
    assert notes[:5] == [""] * 5
    assert all("one of them has occurred twice" in note for note in notes[5:8])
    assert "drawn by repetition" in notes[8]
    moves = ["8-6", "1-3", "6-8", "3-1"] * 2
    saved = {"game": "checkers(size=4)", "headers": {}, "position": "W:WK8:BK1", "moves": moves}
    (tmp_path / "saved.json").write_text(json.dumps(saved))
    cli.run("database 'checkers(size=4)' 2 --to", tmp_path / "endings")
    for options in ([], ["--database", tmp_path / "endings"]):
        found = cli.data("solve", tmp_path / "saved.json", *options)
        assert (found["value"], found["best"], found["note"]) == (0, [], "the game is drawn by repetition")
    assert "there is no strategy" in cli.refusal("solve", tmp_path / "saved.json", "--strategy", tmp_path / "s.jsonl")
    drawn = "8/8/8/3k4/8/8/8/KQ6 w - - 0 1 moves a1a2 d5d4 a2a1 d4d5 a1a2 d5d4 a2a1 d4d5"
    for position in (drawn, "8/8/8/3k4/8/8/8/KQ6 w - - 100 90"):
        found = cli.data("solve", "chess", position)
        assert (found["value"], found["distance"], found["best"], found["moves"]) == (0, None, [], [])


def test_the_answer_in_words(cli: Cli) -> None:
    for arguments, *texts in SAID:
        said = cli.output(f"solve {arguments}")
        assert [text for text in texts if text not in said] == [], arguments


def test_the_book_solves_the_first_position_of_connect_four(cli: Cli) -> None:
    """The expected results are from Allis 1988, "A knowledge-based approach of Connect-Four"."""
    answer = cli.data("solve connect4")
    assert (answer["method"], answer["best"], answer["distance"]) == ("book", ["4"], 41)
    signs = {each["move"]: (each["value"] > 0) - (each["value"] < 0) for each in answer["moves"]}
    assert signs == {"1": -1, "2": -1, "3": 0, "4": 1, "5": 0, "6": -1, "7": -1}


def test_json_has_grundy_numbers(cli: Cli) -> None:
    table = cli.data("solve dawson")["grundy_table"]
    assert table["period"] == {"length": 34, "begins": 52}
    assert table["exceptions"] == [0, 14, 16, 17, 31, 34, 51]
    assert table["values"][:14] == [0, 1, 1, 2, 0, 3, 1, 1, 0, 3, 3, 2, 2, 4]
    answer = cli.data("solve nim 3,4,5")
    assert answer["grundy"] == {"3": 3, "4": 4, "5": 5}
    assert answer["grundy_table"] is None


def test_the_size_is_estimated(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.output("solve tictactoe --estimate").startswith("estimate: 5,478 positions, a tree of about ")
    answer = cli.data("solve tictactoe --estimate")
    assert (answer["positions"], answer["is_counted"], answer["method"]) == (5478, True, "memo")
    large = cli.output("solve connect4 --estimate")
    assert re.match(r"estimate: about [0-9.]+ \w+ positions \(very rough.*\), a tree of about ", large)
    assert re.search(r" nodes \(standard error [0-9]+%\)", large)
    monkeypatch.setattr(
        "gamesearch.solvers.estimate.estimate_size.__kwdefaults__", {"few": 100, "sample": 50, "seed": 1}
    )
    assert cli.run("solve tictactoe X........ --verbose").err.startswith("estimate: ")
    with monkeypatch.context() as patch:
        patch.setattr("gamesearch.solvers.estimate.physical_memory", lambda: 1000)
        assert "far too many" in cli.refusal("solve tictactoe X........ --verbose")
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert "estimating the number of positions ...; Ctrl-C stops" in cli.run("solve tictactoe X........").err


def test_progress_shows_the_solved_share_and_the_remaining_time() -> None:
    assert remaining_text(Progress(nodes=250, seconds=2.0), 1000.0) == ", about 25%, 6.0 s left"
    assert remaining_text(Progress(nodes=250, seconds=2.0), 100.0) == ", more than estimated"
    assert remaining_text(Progress(nodes=250, seconds=2.0), 0.0) == ""


# Strategies. --------------------------------------------------------------------------------------
NIM = ("solve", "nim", "1,2", "--speed", "interpreted")


@pytest.fixture
def strategy_file(tmp_path: Path, cli: Cli) -> Path:
    """Write the strategy of a small game, and return its file."""
    file = tmp_path / "nim.jsonl"
    assert "3 moves" in cli.run(*NIM, "--strategy", file).err
    return file


def test_a_written_strategy_is_verified(strategy_file: Path, cli: Cli) -> None:
    said = cli.output("solve --verify", str(strategy_file))
    assert "is correct: nim" in said
    assert "1,2 is worth 1, in 3 plies at most (proved by Max's moves)" in said
    found = cli.data("solve nim(heaps=1-2) --verify", str(strategy_file))
    assert (found["holds"], found["value"], found["plies"], found["reason"]) == (True, 1, 3, "")
    assert "exists already" in cli.refusal(*NIM, "--strategy", str(strategy_file))
    cli.run(*NIM, "--strategy", str(strategy_file), "--force")
    assert "not for nim(heaps=1-3)" in cli.refusal("solve nim(heaps=1-3) --verify", str(strategy_file))
    assert "leave out POSITION" in cli.refusal("solve nim 1,2 --verify", str(strategy_file))
    strategy_file.write_text(strategy_file.read_text().replace('"1,0", "move": "a1"', '"1,0", "move": "b1"'))
    said = cli.output("solve --verify", str(strategy_file), code=1)
    assert "does not prove its claim: 'b1' is not a legal move in '1,0'" in said


def test_an_interrupted_write_leaves_no_file(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*arguments: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", interrupt)
    cli.run(*NIM, "--strategy", tmp_path / "nim.jsonl", code=130)
    assert list(tmp_path.iterdir()) == []


# Databases. ---------------------------------------------------------------------------------------
CHECKERS = ("checkers(size=4)", "2", "--speed", "interpreted", "--to")


def test_layers_are_built_once_and_listed(cli: Cli, tmp_path: Path) -> None:
    captured = cli.run("database", *CHECKERS, tmp_path)
    assert [line.split() for line in captured.out.splitlines()[1:]] == [
        ["1", "28", "14", "0", "14", "40", "1"],
        ["2", "342", "139", "94", "109", "184", "5"],
    ]
    assert captured.err.count("positions solved in") == 2
    data = cli.data("database", *CHECKERS, tmp_path)
    assert [layer["positions"] for layer in data["layers"]] == [28, 342]
    assert [layer["seconds"] for layer in data["layers"]] == [0, 0]
    assert cli.run("database", *CHECKERS, tmp_path, "--verify").err.count("positions verified in") == 2


def test_a_terminal_shows_the_progress_of_a_layer(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shown = list[str]()
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setattr("rich.status.Status.update", lambda _, text: shown.append(text))
    cli.run("database", *CHECKERS, tmp_path)
    assert any(": 0% of" in text for text in shown)
    assert all(text.endswith("Ctrl-C stops") for text in shown)


def test_a_database_of_points_counts_gains_instead_of_wins(cli: Cli, tmp_path: Path) -> None:
    arguments = ("database", "kalah(pits=1, seeds=1)", "2", "--to", str(tmp_path), "--speed", "interpreted")
    assert cli.output(*arguments).splitlines()[0].split() == (
        ["layer", "positions", "gains", "more", "even", "gains", "less", "bytes"]
    )


def test_ctrl_c_says_that_nothing_is_lost(cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr("gamesearch.solvers.databases.building.write_layer", interrupt)
        assert "the same command continues" in cli.run("database", *CHECKERS, tmp_path, code=130).err
    cli.run("database", *CHECKERS, str(tmp_path))


def test_solve_answers_from_a_database(cli: Cli, tmp_path: Path) -> None:
    cli.run("database", *CHECKERS, tmp_path)
    arguments = ("solve", "checkers(size=4)", "W:WK7:BK2", "--speed", "interpreted", "--json")
    known = json.loads(cli.output(*arguments, "--database", tmp_path))
    found = json.loads(cli.output(*arguments, "--method", "retrograde"))
    for name in ("value", "distance", "best", "moves"):
        assert known[name] == found[name]
    assert known["method"] == "database"
    assert "is in no layer of" in cli.refusal("solve checkers(size=4) B:W7,8:B1,K3 --database", tmp_path)


def test_a_note_says_that_earlier_positions_are_ignored(cli: Cli) -> None:
    assert "earlier positions are ignored, so" in cli.data("solve 'go(size=2)' 'B2 B1 A1 pass A2 B1'")["note"]
    assert cli.data("solve 'go(size=2)' '../.O X'")["note"] == ""
