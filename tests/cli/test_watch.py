"""`gamesearch watch` without a terminal prints one line for each event; a quiz reads answers from standard input."""

import json
import re
import sys
from pathlib import Path

import pytest
from commands import Cli, complaint, output
from recordings import TWO_PLY, record_proof, trace_of

from gamesearch.render.exports import suffixes
from gamesearch.trace.questions import Quiz

LAST = "The search is complete: the value is 3, the best move is a (11 nodes, 2 cutoffs)."


def lines(cli: Cli, *arguments: object, code: int = 0, typed: str = "") -> list[str]:
    return cli.output("watch", *arguments, code=code, typed=typed).splitlines()


def test_each_event_is_a_line(cli: Cli, tmp_path: Path) -> None:
    printed = lines(cli, TWO_PLY)
    assert len(printed) == 32
    assert "  5: 2 moves are cut (b, c): Min already has 2 here, but Max has 3 with a at the root." in printed
    assert printed[-1] == LAST
    assert "\n".join(printed).isascii()
    data = [json.loads(line) for line in lines(cli, TWO_PLY, "--json")]
    assert [(each["event"], each["sentence"]) for each in data] == list(enumerate(printed, 1))
    saved, other = tmp_path / "lecture.trace", tmp_path / "other name"
    for path in (saved, other):
        path.write_text(trace_of(TWO_PLY, "alphabeta"), encoding="utf-8")
    assert lines(cli, saved) == lines(cli, "--trace", other) == printed


@pytest.mark.parametrize(
    ("search", "begins"),
    [
        (["{1/2: 8, 1/2: 4}"], "expectiminimax searches "),
        (["[(1,2,6),(4,2,3)]"], "maxn searches "),
        ([TWO_PLY, "-a", "minimax"], "minimax searches "),
        ([TWO_PLY], "alphabeta searches "),
        (["tictactoe", "XX./OO./..."], "alphabeta searches "),
        (["connect4"], "pvs(order=game+history, endgame=true) (by learned weights) searches "),
        (["connect4", "--evaluation", "simple"], "pvs("),
        (["nim", "-a", "alphabeta(deepen=true)"], "alphabeta(deepen=true) (by no evaluation: every estimate is 0) "),
        (["chess", "-a", "bestfirst(expansions=2)"], "bestfirst(expansions=2) (by simple: material) grows a tree "),
    ],
)
def test_the_algorithm_and_its_evaluation_are_named(search: list[str], begins: str, cli: Cli, tmp_path: Path) -> None:
    """If a position was estimated, `watch` names the evaluation in the same words as `analyze`."""
    short = [*search, "--trace-nodes", "60"]
    printed = lines(cli, *short)
    assert printed[0].startswith(begins)
    assert "(by " not in "".join(printed[1:])
    assert json.loads(lines(cli, *short, "--json")[0])["sentence"] == printed[0]
    assert ("learned" in printed[0]) == ("learned" in begins)
    if "(by " in begins:
        path = tmp_path / "a.trace"
        said = cli.output("analyze", *search, "--nodes", 60, "--trace", path)
        assert f"\nby     {begins.partition(' (by ')[2].partition(')')[0]}\n" in said
        assert lines(cli, path)[0].startswith(begins.partition(" searches")[0].partition(" grows")[0])


def test_a_trace_that_names_no_evaluation_opens(cli: Cli, tmp_path: Path) -> None:
    text, path = trace_of("tictactoe", "alphabeta(depth=1)"), tmp_path / "old.trace"
    path.write_text(re.sub(', "evaluation": "[^"]*"', "", text))
    assert lines(cli, path)[0].startswith("alphabeta(depth=1) searches ")
    path.write_text(re.sub('"evaluation": "[^"]*"', '"evaluation": 3', text))
    assert "its evaluation is missing or invalid" in cli.refusal("watch", path)


def test_payoffs_that_are_not_zero_sum(cli: Cli, tmp_path: Path) -> None:
    path = tmp_path / "game.trace"
    for algorithm, shown in (("maxn", "(1, 2)"), ("mcts(playouts=20)", "(3, 0)")):
        path.write_text(trace_of("[[(1,2),(3,0)],[(2,2),(0,5)]]", algorithm), encoding="utf-8")
        text = "\n".join(lines(cli, path))
        assert shown in text
        assert "Max" not in text


def test_a_quiz_by_lines(cli: Cli) -> None:
    quiz = (TWO_PLY, "--quiz", "--seed", "7", "--questions", "2")
    misread = lines(cli, *quiz, typed="77\nmany\n", code=1)
    assert misread[2] == "'77' is neither yes nor no: enter y or n"
    assert misread[5] == "'many' is not a value: enter a number, such as 3, -1 or 7/2"
    assert misread[6].startswith("0 of 0 right, 2 not answered")
    printed = lines(cli, *quiz, typed="y\n77\n")
    assert [line[:6] for line in printed[::3]] == ["1 of 2", "2 of 2", "0 of 2"]
    assert all(line.startswith("Wrong. ") for line in printed[2::3])
    assert (misread[:6:3], misread[1::3]) == (printed[:6:3], printed[1::3])
    right = [line.removeprefix("Wrong. The answer is ").partition(": ")[0] for line in printed[2::3]]
    again = lines(cli, *quiz, typed="\n".join(right))
    assert again[::3] == ["1 of 2", "2 of 2", "2 of 2 right (--seed 7 repeats these questions)"]
    assert again[1::3] == printed[1::3]
    assert all(line.startswith("Right. ") for line in again[2::3])


def test_a_quiz_that_is_left(cli: Cli) -> None:
    printed = lines(cli, TWO_PLY, "--quiz", "--seed", "2", "--questions", "4", code=1, typed="n\n")
    assert printed[-1].split(" right, ")[1].startswith("3 not answered (--seed ")
    assert lines(cli, TWO_PLY, "--quiz", code=1)[-1].startswith("0 of 0 right, 10 not answered")
    answers = "\n".join(["[3, +inf]", "y", "3", "3"])
    told = lines(cli, TWO_PLY, "--quiz", "--seed", "7", "--questions", "4", "--json", typed=answers)
    *data, score = map(json.loads, told)
    assert [line["question"] for line in data if "text" in line] == [1, 2, 3, 4]
    right = sum(line["right"] for line in data if "given" in line)
    assert score == {"right": right, "answered": 4, "questions": 4, "seed": 7}


def test_without_textual_a_message_says_how_to_install_it(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", type("Terminal", (), {"isatty": lambda self: True})())
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "watch needs Textual for its screen: pip install 'gamesearch[tui]'" in complaint(capsys, "watch", TWO_PLY)
    monkeypatch.setenv("TERM", "dumb")
    assert output(capsys, "watch", TWO_PLY).splitlines()[-1] == LAST
    monkeypatch.delenv("TERM")
    assert output(capsys, "watch", TWO_PLY).splitlines()[-1] == LAST


# Proofs and other searches that expand leaves. ----------------------------------------------------
PN = "--method proof(search=pn)"
BELIEFS = "beliefs(error=5, leaves=payoffs)"
LECTURE = "[[99,1000,1000,1000],[100,101,102,100]]"


def test_a_proof_is_recorded_next_to_the_answer(tmp_path: Path, cli: Cli) -> None:
    path = tmp_path / "hex.trace"
    printed = cli.run(f"solve hex(size=2) {PN} --trace", path)
    assert "X wins" in printed.out
    assert f"{path}: 2 nodes recorded, 0 left out" in printed.err
    assert "proof and disproof numbers" in cli.output("show", path)
    written = cli.output(f"solve nim(heaps=1-2) {PN} --trace -").splitlines()
    assert json.loads(written[0])["algorithm"] == "proof(search=pn)"
    assert json.loads(written[-1])["best"] == "b1"
    tree = cli.output(f"solve nim(heaps=1-2) {PN} --tree --plies 1")
    assert "the tree for the question whether Max can get at least +1" in tree
    assert "(0, inf)  proven" in tree
    data = cli.data(f"solve nim(heaps=1-2) {PN} --tree --plies 1")["tree"]
    assert (data["value"], data["found"], len(data["children"])) == ([0, None], "proven", 3)


def test_trees_of_expansions(cli: Cli) -> None:
    beliefs = ("analyze", LECTURE, "-a", BELIEFS, "--tree", "--plies", 1)
    tree = cli.output(*beliefs)
    assert "the tree after 3 expansions (run interpreted to record each node); means of beliefs" in tree
    assert "a  Min ~ 99  deviation 5.01, best 71 %" in tree
    assert cli.data(*beliefs)["tree"]["children"][0]["share"] == pytest.approx(0.71, abs=0.01)
    tree = cli.output("analyze connect4 4453 -a bestfirst(expansions=30) --tree --plies 1")
    assert "the tree after 30 expansions" in tree
    assert "estimates, backed up by minimax" in tree


@pytest.mark.parametrize(
    "search",
    [
        "analyze tictactoe XO./.../... -a bestfirst(expansions=20)",
        f"analyze {LECTURE} -a '{BELIEFS}'",
        "solve 'go(size=2, superko=false)' --method proof",
    ],
)
def test_a_saved_search_is_watched_shown_and_exported(search: str, tmp_path: Path, cli: Cli) -> None:
    trace = tmp_path / "a.trace"
    cli.run(search, "--trace", trace)
    last = cli.output("watch", trace).splitlines()[-1]
    assert last.startswith("The search is complete: the value is ")
    assert " expansions, " in last
    assert "expansions" in cli.output("show", trace)
    for suffix in suffixes():
        path = tmp_path / f"picture{suffix}"
        cli.run("export", trace, "--to", path, "--plies", 2)
        assert path.stat().st_size > 500


def test_proofs_are_watched_as_they_are_made(cli: Cli) -> None:
    lines = cli.output("watch tictactoe XO./.X./..O --method proof").splitlines()
    assert lines[0].startswith("proof searches position XO./.X./..O of tictactoe: can Max get at least +1")
    assert lines[-1].startswith("The search is complete: the value is +1")
    last = cli.output(f"watch connect4 {PN} --trace-nodes 200").splitlines()[-1]
    assert last.startswith("The search was stopped: the value is unknown (")


def test_a_quiz_about_a_proof(cli: Cli) -> None:
    answers = [each.answer for each in Quiz(record_proof("nim(heaps=1-2)", "proof(search=pn)")[0], 3, 4).questions]
    quiz = f"watch nim(heaps=1-2) {PN} --quiz --seed 3 --questions 4"
    asked = cli.run(quiz, typed="\n".join(["what", *answers[1:]]), code=1).out
    assert "'what' is not a " in asked
    assert "Which leaf is most proving and therefore expanded next?" in asked
    assert "What are its proof and disproof numbers now?" in asked
    assert asked.splitlines()[-1] == "3 of 3 right, 1 not answered (--seed 3 repeats these questions)"
