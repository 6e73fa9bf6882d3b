"""`gamesearch watch` without a terminal: events as lines, and a quiz that reads its answers."""

import io
import json
import sys
from pathlib import Path

import pytest
from commands import complaint
from recordings import TWO_PLY, written

from gamesearch.cli import run

LAST = "The search is complete: the value is 3, the best move is a (11 nodes, 2 cutoffs)."


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    """The lecture's search in a file."""
    path = tmp_path / "lecture.trace"
    path.write_text(written(TWO_PLY, "alphabeta"), encoding="utf-8")
    return path


def lines(capsys: pytest.CaptureFixture[str], *arguments: str, code: int = 0) -> list[str]:
    assert run(["watch", *arguments]) == code
    return capsys.readouterr().out.splitlines()


def answer(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))


def test_each_event_is_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    printed = lines(capsys, TWO_PLY)
    assert len(printed) == 32
    assert "  5: 2 moves cut (b, c): Min already has 2 here, and Max has 3 with a at node 0." in printed
    assert printed[-1] == LAST
    assert "\n".join(printed).isascii()


def test_a_saved_search_shows_the_same(capsys: pytest.CaptureFixture[str], saved: Path) -> None:
    printed = lines(capsys, TWO_PLY)
    assert lines(capsys, str(saved)) == printed
    other = saved.rename(saved.with_name("other name"))
    assert lines(capsys, "--trace", str(other)) == printed


def test_the_algorithm_is_the_one_that_fits(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, "{1/2: 8, 1/2: 4}")[0].startswith("expectiminimax searches ")
    assert lines(capsys, "[(1,2,6),(4,2,3)]")[0].startswith("maxn searches ")
    assert lines(capsys, TWO_PLY, "-a", "minimax")[0].startswith("minimax searches ")


def test_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    printed = lines(capsys, "tictactoe", "XX./OO./...", "-a", "alphabeta(depth=1)")
    assert printed[0] == "alphabeta(depth=1) (by simple) searches XX./OO./... of tictactoe, to depth 1."
    assert printed[-1].startswith("The search is complete: the value is +1, the best move is 3 (")


@pytest.mark.parametrize(
    ("arguments", "algorithm"),
    [
        (["connect4"], "pvs(order=game+history, endgame=true) (by learned weights)"),
        (["chess", "-a", "bestfirst(expansions=2)"], "bestfirst(expansions=2) (by simple: material)"),
        (["tictactoe", "XX./OO./..."], "alphabeta"),
        ([TWO_PLY], "alphabeta"),
    ],
)
def test_the_evaluation_is_named_as_analyze_names_it_if_a_position_was_estimated(
    arguments: list[str], algorithm: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    short = [*arguments, "--trace-nodes", "60"]
    printed = lines(capsys, *short)
    assert printed[0].startswith((f"{algorithm} searches ", f"{algorithm} grows a tree "))
    assert "(by " not in "".join(printed[1:])
    assert json.loads(lines(capsys, *short, "--json")[0])["sentence"] == printed[0]
    if "(by " in algorithm:
        assert run(["analyze", *arguments, "--nodes", "60", "--trace", str(tmp_path / "a.trace")]) == 0
        assert f"\nby     {algorithm.partition(' (by ')[2][:-1]}\n" in capsys.readouterr().out
        assert lines(capsys, str(tmp_path / "a.trace"))[0].startswith(f"{algorithm} ")


def test_a_trace_that_names_no_evaluation_opens(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    text = written("tictactoe", "alphabeta(depth=1)")
    (tmp_path / "old.trace").write_text(text.replace(', "evaluation": "simple"', ""))
    assert lines(capsys, str(tmp_path / "old.trace"))[0].startswith("alphabeta(depth=1) searches ")
    (tmp_path / "bad.trace").write_text(text.replace('"evaluation": "simple"', '"evaluation": 3'))
    assert "its evaluation is missing or invalid" in complaint(capsys, "watch", str(tmp_path / "bad.trace"))


def test_a_search_that_stops_in_the_middle_says_nothing_it_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    printed = lines(capsys, TWO_PLY, "--trace-nodes", "8")
    assert printed[-2:] == [
        "  7: Max tries c: Min is to move; alpha=3, beta=+inf.",
        "The search was stopped: the value is at least 3, the best move is a (8 nodes, 1 cutoff).",
    ]
    assert lines(capsys, "chess", "--trace-nodes", "60")[-1].startswith("The search was stopped: the value is ")


def test_one_against_the_others_go_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    tree = "[[[(1,2,6),(4,2,3)],[(6,1,2),(7,4,1)]],[[(5,1,1),(1,5,2)],[(7,7,1),(5,4,5)]]]"
    printed = "\n".join(lines(capsys, tree, "-a", "paranoid"))
    assert "\n0: At the root, P1 is to move; alpha=-inf, beta=+inf.\n" in printed
    assert "P1 tries a: the others are to move" in printed
    assert "The others have 1 with their first move, a; now alpha=-inf, beta=1." in printed
    assert "1 move cut (b): The others" not in printed
    assert "1 move cut (b): the others already have 1 here, and P1 has 1 with a at node 0." in printed
    assert "The others back up 1" in printed
    assert "Max" not in printed
    assert "Min" not in printed


def test_a_quiz_by_lines(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    quiz = (TWO_PLY, "--quiz", "--seed", "7", "--questions", "2")
    answer(monkeypatch, "77\ny\nmany\n77\n")
    asked = lines(capsys, *quiz)
    assert (asked.pop(1), asked.pop(3)) == (
        "'77' is neither yes nor no: enter y or n",
        "'many' is not a value: enter a number, such as 3, -1 or 7/2",
    )
    printed = asked
    assert [line[:7] for line in printed] == ["1 of 2:", "Wrong, ", "2 of 2:", "Wrong, ", "0 of 2 "]
    right = [line.removeprefix("Wrong, ").partition(": ")[0] for line in printed[1::2]]
    answer(monkeypatch, "\n".join(right))
    again = lines(capsys, *quiz)
    assert again[::2] == [printed[0], printed[2], "2 of 2 right (--seed 7 repeats these questions)"]
    assert all(line.startswith("Right, ") for line in again[1::2])


def test_a_quiz_that_is_left(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    answer(monkeypatch, "n\n")
    printed = lines(capsys, TWO_PLY, "--quiz", "--seed", "2", "--questions", "4", code=1)
    assert printed[-1].split(" right, ")[1].startswith("3 not answered (--seed ")
    answer(monkeypatch, "perhaps\n")
    assert lines(capsys, TWO_PLY, "--quiz", code=1)[-1].startswith("0 of 0 right, 10 not answered")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "missing argument 'GAME'"),
        (["nogame"], "nogame"),
        (["none.trace"], "there is no file none.trace"),
        (["--trace", "none"], "there is no file none"),
        (["a.trace", "X"], "a saved trace already contains game, position and algorithm"),
        (["tictactoe", "--trace", "a.trace"], "a saved trace already contains game, position and algorithm"),
        (["a.trace", "-a", "minimax"], "a saved trace already contains game, position and algorithm"),
        (["tictactoe", "XXX/OO./..."], "over"),
        (["tictactoe", "-a", "maxn"], "maxn"),
        (["tictactoe", "--trace-nodes", "0"], "trace-nodes"),
        (["tictactoe", "XX./OO./...", "--trace-nodes", "1", "--quiz"], "no questions about this search"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert said in complaint(capsys, "watch", *arguments)


@pytest.mark.parametrize(("algorithm", "shown"), [("maxn", "(1, 2)"), ("mcts(playouts=20)", "(3, 0)")])
def test_payoffs_that_are_not_zero_sum(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, algorithm: str, shown: str
) -> None:
    path = tmp_path / "game.trace"
    path.write_text(written("[[(1,2),(3,0)],[(2,2),(0,5)]]", algorithm), encoding="utf-8")
    text = "\n".join(lines(capsys, str(path)))
    assert shown in text
    assert "Max" not in text


def test_a_broken_trace(capsys: pytest.CaptureFixture[str], saved: Path) -> None:
    saved.write_text(saved.read_text().rpartition('{"event": "end"')[0])
    assert "is cut off" in complaint(capsys, "watch", str(saved))


def test_without_textual_it_says_how_to_get_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    said = complaint(capsys, "watch", TWO_PLY)
    assert said == "gamesearch: watch needs Textual for its screen: pip install 'gamesearch[tui]'\n"
    monkeypatch.setenv("TERM", "dumb")
    assert lines(capsys, TWO_PLY)[-1] == LAST


def test_a_file_that_is_no_trace_is_said_to_be_none(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    image = tmp_path / "lecture.svg"
    image.write_text("<svg/>")
    assert f"{image} is not a trace of gamesearch" in complaint(capsys, "watch", str(image))
