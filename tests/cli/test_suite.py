"""`gamesearch suite`: files of test positions, right and wrong answers, totals, comparisons, and worker processes."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from commands import Cli

import gamesearch
from gamesearch import Limits
from gamesearch.study.suites import answers, read_suite

CHESS = """
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; dm 1; id "back; rank";
6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - am Rd8#; id "avoid it";
7k/8/5K2/6Q1/8/8/8/8 w - - dm 1; c0 "a comment"; id "a queen";
7k/8/8/6Q1/5K2/8/8/8 w - - dm 1; id "too late";
"""
OTHELLO = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; A2:+6; G2:-24;\n"
CONNECT4 = "434421675242727525641151243551173377 0\n117551717452143137763346553235 6\n"
INTERPRETED = ("--speed", "interpreted")


@pytest.fixture
def file(tmp_path: Path) -> Any:
    """A function that writes a file of test positions and returns its path."""

    def write(name: str, text: str) -> str:
        (tmp_path / name).write_text(text)
        return str(tmp_path / name)

    return write


def test_chess_has_best_moves_moves_to_avoid_and_mates(file: Any, cli: Cli) -> None:
    data = cli.data("suite", file("mates.epd", CHESS), "--depth", "1", "--algorithm", "alphabeta(deepen=true)", code=1)
    assert [(each["name"], each["right"]) for each in data["answers"]] == [
        ("back; rank", True), ("avoid it", False), ("a queen", True), ("too late", False),
    ]  # fmt: skip
    assert data["answers"][0]["answer"] == "Rd8#"
    assert (data["totals"]["right"], data["totals"]["positions"]) == (2, 4)
    assert data["totals"]["nodes"] == sum(each["nodes"] for each in data["answers"]) > 0


def test_no_heading_is_cut_in_80_columns(file: Any, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "80")
    names = '7k/8/5K2/6Q1/8/8/8/8 w - - dm 1; id "WAC.001";\n6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - bm Rd8#; id "WAC.002";\n'
    text = cli.output("suite", file("mates.epd", names), "--depth", "2", "--algorithm", "alphabeta(deepen=true)")
    assert "expected" in text
    assert "…" not in text


def test_othello_has_the_value_of_each_move(file: Any, cli: Cli) -> None:
    (found,) = cli.data("suite", file("one.obf", OTHELLO), "--depth", "1", "-a", "random(seed=3)", code=1)["answers"]
    assert not found["right"]
    assert found["known"] == "g8"
    worth = {"g8": 18, "h1": 12, "a2": 6, "g2": -24}.get(found["answer"])
    assert found["loss"] == (None if worth is None else 18 - worth)
    full = "-O" + "X" * 62
    text = f"% a comment\n{full} X; A1:+64; % another\n{full} O; PA:-62; % and one\n"
    data = cli.data("suite", file("a.obf", text), "--depth", "2")
    assert [each["answer"] for each in data["answers"]] == ["a1", "pass"]


def test_connect_four_has_scores(file: Any, cli: Cli) -> None:
    path = file("ends.txt", CONNECT4)
    assert "2 of 2 positions right (100 %)" in cli.output("suite", path, "--depth", "full")
    wrong = file("wrong.txt", CONNECT4.replace(" 6", " 5"))
    assert cli.data("suite", wrong, "--depth", "full", code=1)["totals"]["right"] == 1


def test_the_time_of_an_answer_is_the_time_of_its_last_change(file: Any) -> None:
    problems = read_suite(file("ends.txt", CONNECT4))
    (found, *_) = answers(problems, "alphabeta(deepen=true)", Limits(8), speed="interpreted")
    game = gamesearch.load("connect4")
    state = game.parse(problems[0].position)
    bests = {}
    for depth in range(1, found.depth + 1):
        result = gamesearch.search(game, state, f"alphabeta(deepen=true, depth={depth})", speed="interpreted")
        bests[depth] = (result.best, result.statistics.nodes)
    stayed = next(d for d in bests if all(bests[e][0] == bests[found.depth][0] for e in bests if e >= d))
    assert found.nodes_to_answer == bests[stayed][1] <= found.nodes


def test_a_run_is_compared_with_an_earlier_run(file: Any, cli: Cli) -> None:
    path = file("ends.txt", CONNECT4)
    old = file("old.json", cli.output("suite", path, "-a", "random(seed=1)", "--json", code=1))
    text = cli.output("suite", path, "--depth", "full", "--compare", old)
    assert "earlier run: " in text
    assert "now right" in text
    data = cli.data("suite", path, "--depth", "full", "--compare", old, code=0)
    wrong_before = [each["name"] for each in json.loads(Path(old).read_text())["answers"] if not each["right"]]
    assert [(each["name"], each["right"]) for each in data["before"]["changes"]] == [(n, True) for n in wrong_before]
    assert data["before"]["totals"] == json.loads(Path(old).read_text())["totals"]
    assert data["before"]["algorithm"] == "random(seed=1)"
    assert "was not printed by gamesearch suite" in cli.refusal("suite", path, "--compare", path)


def test_workers_change_nothing(file: Any) -> None:
    problems = read_suite(file("ends.txt", CONNECT4))

    def find_answers(workers: int) -> list[tuple[Any, ...]]:
        run = answers(problems, "alphabeta(deepen=true)", Limits(4), speed="interpreted", workers=workers)
        return [(a.problem, a.move, a.value, a.is_right, a.nodes, a.nodes_to_answer) for a in run]

    assert find_answers(2) == find_answers(1)


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_ends_a_suite_immediately_and_shows_its_results(workers: str, tmp_path: Path) -> None:
    (tmp_path / "ends.txt").write_text(CONNECT4)
    (tmp_path / "endless.py").write_text(
        "import pathlib, time\n\ndef slow_move(game, s):\n"
        f"    log = pathlib.Path({str(tmp_path / 'log')!r})\n"
        "    try:\n        log.touch(exist_ok=False)\n"  # succeeds in only one process
        "    except FileExistsError:\n        while True:\n            time.sleep(0.01)\n"
        "    return next(game.moves(s))\n"
    )
    words = [sys.executable, "-m", "gamesearch", "suite", str(tmp_path / "ends.txt"), "--workers", workers]
    words += ["-a", str(tmp_path / "endless.py"), "--time", "500", *INTERPRETED]
    answering = subprocess.Popen(
        words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    while not (tmp_path / "log").exists() and answering.poll() is None:
        time.sleep(0.02)
    os.killpg(answering.pid, signal.SIGINT)  # a terminal sends SIGINT to all processes on Ctrl-C
    output, errors = answering.communicate(timeout=60)
    assert answering.returncode == 130, errors
    assert "Traceback" not in errors
    assert re.search(r"interrupted: [01] of 2 positions answered", errors)
    assert "of" in output


def test_other_files_are_not_read_as_suites(file: Any, cli: Cli) -> None:
    back = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -"
    for name, text, message in (
        ("x.pgn", "", "must end in .epd, .obf, .txt"),
        ("x.epd", "", "has no positions"),
        ("x.epd", "8/8/8 w - -\n", "line 1 of"),
        ("x.epd", f"{back} id 5;\n", "none of the operations"),
        ("x.epd", f"{back} bm Qa1; id q;\n", "line 1 of"),
        ("x.obf", "--X X; G8+18;\n", "line 1 of"),
        ("x.txt", "4444 high\n", "line 1 of"),
        ("x.txt", "4444444 1\n", "line 1 of"),
    ):
        assert message in cli.refusal("suite", file(name, text))


FORMS = """7k/8/6K1/8/8/8/8/R7 w - - 99 80 bm Ra8#; id "clocks";
7k/8/6K1/8/8/8/8/R7 w - - bm Ra8#; hmvc 7; fmvn 12; c0 "a; moves";
7k/8/6K1/8/8/8/8/R7 w - - bm Qa8#; id "no queen";
R6k/8/6K1/8/8/8/8/8 b - - dm 0; id "mate";
8/8/8/8/8/1p6/K7/7k w - - dm 0; id "check";
k7/8/1K6/8/8/8/8/7R b - - dm -1; id "mated";
7k/8/6K1/8/8/8/8/R7 w - - bm ;
7k/8/6K1/8/8/8/8/R7 w - - bm Ra8#, Ra7
"""


def test_lines_of_epd_that_cannot_be_read_are_reported_and_left_out(file: Any, cli: Cli) -> None:
    path = file("forms.epd", "\ufeff" + FORMS)
    data = cli.data("suite", path, "--depth", "3", "-a", "alphabeta(deepen=true)", code=2)
    assert [each["line"] for each in data["unreadable"]] == [3, 5, 7]
    assert [each["right"] for each in data["answers"]] == [True] * 5
    assert [each["position"].split()[4:] for each in data["answers"][:2]] == [["99", "80"], ["7", "12"]]
    assert "line 3 of" in cli.run("suite", path, "--depth", "3", code=2).err
