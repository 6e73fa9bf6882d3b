"""A student works through a lesson: answers, new instances of questions, and progress.

Harmful lesson files are rejected.
"""

import io
import json
import random
import re
import sys
from itertools import pairwise
from pathlib import Path
from textwrap import dedent

import pytest
from commands import complaint, output

from gamesearch.cli import run
from gamesearch.commands.learning.lesson import progress_words, run_quietly
from gamesearch.errors import GamesearchError
from gamesearch.lessons.instances import draw_instance
from gamesearch.lessons.lesson import Text, Tree, lesson_names, load_lesson, parse_lesson
from gamesearch.lessons.progress import Progress
from gamesearch.lessons.questions import pose
from gamesearch.lessons.session import Session
from gamesearch.lessons.views import figure_text

LESSON = """\
# A small lesson

```lesson
summary: For tests.
```

## First

Min chooses.

```question
on: [[3,12,8],[2,4,6]]
ask: value b
again: [[?,?],[?,?]]

What is b worth?
---
Look again.
```

```console
$ gamesearch analyze "[3,4]" --algorithm minimax
```

## Second

```question
ask: choice

Who begins?

- Min -- No.
+ Max -- By convention.
```
"""


class Keyboard(io.StringIO):
    """Lines that a person types in a terminal."""

    def isatty(self) -> bool:
        """Say that this is a terminal."""
        return True


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Save the student's progress in a temporary folder of the test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.md").write_text(LESSON, encoding="utf-8")
    return tmp_path


def play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *typed: str, options: str = "") -> str:
    """Type lines while taking a lesson, and return the output."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    code = run(["lesson", "./mine.md", "--seed", "1", *options.split()])
    assert code == 0
    return capsys.readouterr().out


def test_a_lesson_is_played_to_its_end(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = play(monkeypatch, capsys, "7/x", "5", "again", "0", "", "", "", "b", "")
    assert "'7/x' is not a value: enter a number" in text
    assert "Wrong. The answer is 2: b a is worth 2, b b is worth 4, b c is worth 6; Min takes the least value" in text
    assert "of its moves.\nLook again." in text
    assert text.count("What is b worth?") == 2
    assert "value  3" not in text
    assert "value  4 for Max" in text
    assert "Right. The answer is b: By convention." in text
    assert text.endswith("first answers right; the lesson is finished\n")


def test_progress_is_saved(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    assert "continues at step 2" in play(monkeypatch, capsys, "2", "", "", "", "quit")
    text = play(monkeypatch, capsys, "a", "")
    assert "[step 1" not in text
    assert "1 of 2 first answers right" in text
    text = play(monkeypatch, capsys, "skip", "", "", "quit", options="--step 1")
    assert "Min chooses." in text
    file = next((Path.cwd() / "state").rglob("progress.json"))
    file.write_text("[" * 100_000, encoding="utf-8")
    assert "[step 1" in play(monkeypatch, capsys, "quit")


def test_only_the_first_answer_to_a_question_counts(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for answers in (("7", "again", "-99", "quit"), ("2", "quit")):  # the right answer comes too late
        text = play(monkeypatch, capsys, *answers, options="--step 1")
        assert "0 of 1 first answers right; next time, the lesson continues at step 1" in text
    assert "1 of 2 first answers right; the lesson is finished" in play(
        monkeypatch, capsys, "b", "back", "2", "", "", "", "a", "", options="--step 2"
    )
    known = json.loads(output(capsys, "lesson", "./mine.md", "--json"))["progress"]
    assert known == {"step": 1, "is_finished": True, "results": {"1": False, "2": True}, "right": 1, "answered": 2}
    assert "1 of 1 first answers right" in play(monkeypatch, capsys, "2", "quit", options="--restart")
    assert "has 2 steps: step 99 does not exist" in complaint(capsys, "lesson", "./mine.md", "--step", "99")


def test_the_list_shows_progress(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\nquit\n"))
    assert run(["lesson", "minimax"]) == 0
    text = output(capsys, "lesson")
    assert "step 2 of" in text
    listed = json.loads(output(capsys, "lesson", "--json"))
    assert [each["progress"]["step"] for each in listed if each["progress"]] == [2]


def test_a_finished_lesson_shows_how_many_questions_were_left_out() -> None:
    lesson = parse_lesson(LESSON, "mine.md")
    assert progress_words(lesson, Progress(0, True, {"1": True})) == "finished, 1 of 1 right, 1 not answered"
    assert progress_words(lesson, Progress(0, True, {"1": True, "2": False})) == "finished, 1 of 2 right"
    assert progress_words(lesson, Progress(1, False, {"1": True})) == "step 2 of 2, 1 of 1 right"


def test_the_input_ends_before_an_answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert run(["lesson", "./mine.md"]) == 1
    assert "the lesson continues at step 1" in capsys.readouterr().out


def test_one_question_is_judged(capsys: pytest.CaptureFixture[str]) -> None:
    asked = output(capsys, "lesson", "./mine.md", "--question", "1")
    assert asked.endswith("\n\nWhat is b worth?\n")
    assert "3   b 12   c 8" in asked
    right = output(capsys, "lesson", "./mine.md", "--question", "1", "--answer", "2")
    assert right.startswith("Right. The answer is 2: ")
    assert output(capsys, "lesson", "./mine.md", "--question", "2", "--answer", "A)", code=1) == (
        "Wrong. a: No.\nThe answer is b: By convention.\n"
    )
    assert "such as roll, hold" in complaint(capsys, "lesson", "chance", "--question", "4", "--answer", "hit")
    assert "has 2 questions" in complaint(capsys, "lesson", "./mine.md", "--question", "3")


def test_questions_and_scores_as_json(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    one = json.loads(output(capsys, "lesson", "./mine.md", "--question", "2", "--answer", "a", "--json", code=1))
    assert one == {
        "question": 2,
        "of": 2,
        "text": "Who begins?",
        "on": None,
        "options": {"a": "Min", "b": "Max"},
        "given": "a",
        "right": False,
        "answer": "b",
        "reason": "By convention.",
    }
    assert "answer" not in json.loads(output(capsys, "lesson", "./mine.md", "--question", "2", "--json"))
    monkeypatch.setattr(sys, "stdin", Keyboard("x\n2\nskip\n"))
    lines = output(capsys, "lesson", "./mine.md", "--quiz", "--json", code=1).splitlines()
    first, error, verdict, second, score = map(json.loads, lines)
    assert (first["on"], second["options"]) == ("[[3,12,8],[2,4,6]]", one["options"])
    assert (error.keys(), verdict["right"], verdict["answer"]) == ({"error"}, True, "2")
    assert score == {"right": 1, "answered": 1, "questions": 2, "seed": None}
    for typed in ("x", ""):  # in a file, each line answers the next question
        monkeypatch.setattr(sys, "stdin", io.StringIO(f"{typed}\nB\n"))
        lines = output(capsys, "lesson", "./mine.md", "--quiz", "--json").splitlines()
        _, misread, _, verdict, score = map(json.loads, lines)
        assert (misread["given"], misread["right"], misread["answer"], verdict["right"]) == (typed, False, "2", True)
        assert f"{typed!r} is not a value" in misread["reason"]
        assert (score["right"], score["answered"]) == (1, 2)
    drawn = []
    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", io.StringIO(""))
        text = output(capsys, "lesson", "./mine.md", "--quiz", "--seed", "3", "--json", code=1)
        drawn.append(json.loads(text.splitlines()[0])["on"])
    assert drawn[0] == drawn[1] != first["on"]


def test_the_same_seed_draws_the_same_instances() -> None:
    lesson = parse_lesson(LESSON, "mine.md")
    drawn = []
    for seed in (1, 1, 2):
        session = Session(lesson, run_quietly, seed)
        for line in ("2", "again"):
            session.enter(line)
        drawn.append(session.posed and session.posed.on)
    assert drawn[0] == drawn[1] != drawn[2]


def test_lines_are_wrapped_and_contain_no_markdown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("mine.md").write_text(f"# A\n\n## B\n\n- **Max** {'word ' * 40}\n\n| a |\n| --- |\n| b |\n", encoding="utf-8")
    shown = play(monkeypatch, capsys, "")
    assert "- Max word" in shown
    assert "**" not in shown
    assert "\n\n\n" not in shown
    assert "---" not in shown.replace("+---", "")
    assert shown.isascii()
    assert max(map(len, shown.splitlines())) <= 100


def test_the_next_question_of_a_step_is_about_the_new_instance() -> None:
    second = "```question\non: [[3,12,8],[2,4,6]]\nask: value\nagain: [[?,?],[?,?]]\n\nWhat is the root worth?\n```\n"
    third = "```question\non: [[3,12,8],[2,4,6]]\nask: value\n\nWhy is the root worth 3?\n```\n"
    session = Session(
        parse_lesson(LESSON.replace("```console", f"{second}\n{third}\n```console"), "mine.md"), run_quietly
    )
    for line in ("2", "again", "skip"):
        session.enter(line)
    assert session.posed is not None
    new = session.posed.on
    assert new != "[[3,12,8],[2,4,6]]"
    assert [each.figure.on for each in session.entries if each.figure][-1] == new
    session.enter("skip")  # the last question has only one instance, so the tree of the lesson itself is drawn again
    assert session.posed.on == "[[3,12,8],[2,4,6]]"
    assert [each.figure.on for each in session.entries if each.figure][-1] == session.posed.on
    session.enter("back")
    assert session.posed.on == "[[3,12,8],[2,4,6]]"


def test_a_new_instance_differs_from_the_last() -> None:
    question = "```question\non: nim 1\nask: moves\nagain: nim ?\nnumbers: 1 2\n\nHow many moves?\n```\n"
    session = Session(parse_lesson(f"# A\n\n{question}", "mine.md"), run_quietly)
    seen = []
    for _ in range(6):
        assert session.posed is not None
        seen.append(session.posed.on)
        session.enter("again")
    assert all(one != other for one, other in pairwise(seen))


@pytest.mark.parametrize("name", lesson_names())
def test_random_trees_have_no_equal_numbers(name: str) -> None:
    """Equal numbers could make a cutoff or a best move ambiguous. The tree with only 0 and 1 is exempt."""
    for question in load_lesson(name).questions:
        if question.again.lstrip('"').startswith("[") and question.numbers != "0 1":
            pattern = re.escape(question.again).replace(r"\?", "(-?[0-9]+)")
            for seed in range(20):
                found = re.fullmatch(pattern, draw_instance(question, random.Random(seed)))
                assert found is not None
                assert len(set(found.groups())) == question.again.count("?"), question.again


def test_both_winners_are_equally_likely() -> None:
    """Max wins if the first heap has 2 to 6 stones, and loses if it has 1."""
    text = "```question\non: nim 2,1\nask: winner\nagain: nim ?,1\nnumbers: 1 6\n\nWho wins?\n```\n"
    question = parse_lesson(f"# A\n\n{text}", "mine.md").questions[0]
    winners = [pose(question, seed, run_quietly).question.answer for seed in range(40)]
    assert 12 <= winners.count("Max") <= 28


def test_again_names_the_reason_if_it_is_not_possible() -> None:
    session = Session(parse_lesson(LESSON, "mine.md"), run_quietly, at=1)
    session.enter("again")
    assert "This question has no random instances" in session.entries[-1].text
    session.enter("skip")
    session.enter("again")
    assert "no question here" in session.entries[-1].text


def test_the_winner_may_be_named_by_its_part() -> None:
    question = "```question\non: tictactoe XX./OO./...\nask: winner\n\nWho wins?\n```\n"
    posed = pose(parse_lesson(f"# A\n\n{question}", "mine.md").questions[0])
    assert all(posed.judge(given).is_right for given in ("X", "max", "Max wins", "x wins in 2 moves."))
    assert not any(posed.judge(given).is_right for given in ("o", "Min", "Min wins"))


def test_an_explanation_replaces_the_reason_of_a_command() -> None:
    fields = "ask: json value\ncommand: gamesearch solve nim 1,2 --json"
    posed = pose(
        parse_lesson(f"# A\n\n```question\n{fields}\n\nWhat?\n---\nBecause.\n```\n", "mine.md").questions[0],
        run=run_quietly,
    )
    assert posed.judge("1").text.endswith("\nBecause.")
    assert "gamesearch" not in posed.judge("1").text


@pytest.mark.parametrize(
    ("within", "right", "wrong"), [("10 %", ("8", "8.4", "7.6"), ("7", "9")), ("2", ("6", "10"), ("5.9", "11"))]
)
def test_a_guess_is_accepted(within: str, right: tuple[str, ...], wrong: tuple[str, ...]) -> None:
    text = f"# A\n\n```question\non: connect4(columns=8)\nask: moves\nwithin: {within}\n\nHow many?\n```\n"
    posed = pose(parse_lesson(text, "mine.md").questions[0])
    assert within in posed.prompt
    assert [posed.judge(given).is_right for given in (*right, *wrong)] == [True] * len(right) + [False] * len(wrong)


def test_a_formula_stays_indented() -> None:
    lesson = parse_lesson("# A\n\ntext\n\n    b^d\n\nmore\n", "mine.md")
    assert [item.markdown for item in lesson.items() if isinstance(item, Text)] == ["text", "    b^d", "more"]


def test_back_and_help(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = play(monkeypatch, capsys, "skip", "?", "", "", "back", "what", "skip", "back", "quit")
    assert text.count("[step 1 of 2]") == 3
    assert "ask the last question about a new random instance" in text


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("minmax", "did you mean minimax?"),
        ("databases", "did you mean endgame-databases?"),
        ("Memoization", "write memory"),
        ("./none.md", "there is no file ./none.md"),
        (".", "there is no lesson '.'"),
    ],
)
def test_names_that_are_not_lessons(capsys: pytest.CaptureFixture[str], name: str, message: str) -> None:
    assert message in complaint(capsys, "lesson", name)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "it needs a line '# Title'"),
        ("# A\n\n```question\non: x\n```\n", "line 3: a question needs a field 'ask'"),
        ("# A\n\n```question\nask: choice\n\nWhat?\n\n- a -- b\n```\n", "line 4: a choice needs two options"),
        ("# A\n\n```question\nask: moves\nwithin: a bit\n\nWhat?\n```\n", "must be an error, such as 5 or 10 %, not"),
        ("# A\n\n```tree\nof: x\n```\n", "line 4: 'of: x' is not a field of a tree"),
        ("# A\n\n```board\n```\n", "line 3: a board needs a line such as"),
        ("# A\n\n```console\nls\n```\n", "line 3: a console block needs a line"),
        ("# A\n\ntext\n```tree\n", "line 4: this block has no end"),
        ("# A\n\n```lesson\nminutes: ten\n```\ntext\n", "line 4: the field 'minutes' must be a whole number"),
        ("# A\n\n```tree\non: [1,2]\ndraw: x\n```\n", "line 5: the field 'draw' may contain only the words"),
        ("# A\n\n```tree\non: [1,2]\nplies: x\n```\n", "line 5: the field 'plies' must be a whole number"),
    ],
)
def test_errors_name_the_line(text: str, message: str) -> None:
    with pytest.raises(GamesearchError) as error:
        parse_lesson(text, "mine.md")
    assert message in str(error.value)


def test_all_faults_of_a_file_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    text = "# A\n\n```question\naks: moves\n\nX?\n```\n\n```tree\non: [1,2]\ndraw: x\nplies: y\n```\n\n```board\n```\n"
    Path("bad.md").write_text(text, encoding="utf-8")
    for words in (("lesson", "./bad.md"), ("lesson", "./bad.md", "--quiz"), ("worksheet", "./bad.md", "--json")):
        assert run(words) == 2
        lines = [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()]
        assert lines == [f"./bad.md, line {number}" for number in (4, 3, 11, 12, 15)]
    with pytest.raises(GamesearchError) as error:
        parse_lesson("# A\n" + "```board\n```\n" * 1000, "mine.md")
    assert len(str(error.value).splitlines()) == 20


QUESTION = "```question\non: {on}\nask: {ask}\nagain: {again}\n{field}\n\nX?\n```\n"
FAULTY = (
    ("nim 1", "moves", "nogame ?", "numbers: 1 9"),
    ("nim 1", "moves", "nim ?", "numbers: 1 9"),
    ("nim 1", "moves", "nim ?", "numbers: 9 1"),
    ("[[1],[2]]", "value b", "[[?],[?]]", "algorithm: alphabetta"),
    ("[[1],[2]]", "valeu b", "[[?],[?]]", "algorithm: minimax"),
    ("nim 1", "json value", "nim ?", "command: gamesearch solve {on} --jso"),
)


def test_all_questions_that_cannot_be_asked_are_reported(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    questions = (QUESTION.format(on=on, ask=ask, again=again, field=field) for on, ask, again, field in FAULTY)
    Path("bad.md").write_text("# A\n\n" + "\n".join(questions), encoding="utf-8")
    wanted = [f"bad.md, line {number}" for number in (6, 25, 34, 41, 52)]
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\n"))
    assert run(["lesson", "bad.md", "--quiz", "--seed", "3"]) == 0
    said = capsys.readouterr()
    assert [line.split(": ")[1] for line in said.err.splitlines()] == wanted
    assert "1 of 1\n" in said.out
    assert run(["worksheet", "bad.md", "--to", "sheet.html"]) == 2
    assert [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()] == wanted
    assert not Path("sheet.html").exists()
    assert run(["lesson", "bad.md", "--to", "page.html"]) == 2  # in the first three, only new instances are faulty
    assert [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()] == wanted[2:]
    assert not Path("page.html").exists()


@pytest.mark.parametrize(
    ("fields", "line", "message"),
    [
        ("ask: nothing\non: nim 1", 4, "'nothing' is not a kind of question"),
        ("on: [[1,2],[3]]\nask: value c", 5, "the search does not visit c"),
        ("ask: value\non: tictactoe", 5, "visits more than"),
        ("ask: value\non: ./evil.py", 5, "./evil.py"),
        ("ask: value\non: pig\nalgorithm: alphabeta", 6, "alphabeta"),
        ("ask: json value\ncommand: gamesearch solve ./evil.py --json", 5, "opens no files and runs no programs"),
        ("ask: json nothing\ncommand: gamesearch solve nim 1,2 --json", 4, "has no `nothing`"),
        ("ask: json value", 3, "needs a field 'command'"),
        ("ask: json value\ncommand: gamesearch solve nim 1,2", 5, "is not JSON: add --json"),
        ("ask: moves", 3, "the game is missing"),
        ("ask: move\non: 'unfinished", 5, "cannot be read"),
    ],
)
def test_a_question_that_cannot_be_asked_is_reported(fields: str, line: int, message: str) -> None:
    Path("evil.py").write_text("open('harm', 'w')", encoding="utf-8")
    session = Session(parse_lesson(f"# A\n\n```question\n{fields}\n\nWhat?\n```\n", "mine.md"), run_quietly)
    said = next(each.text for each in session.entries if each.kind == "wrong")
    assert f"mine.md, line {line}: " in said
    assert message in said
    assert not Path("harm").exists()


def test_a_quiz_leaves_out_a_question_that_cannot_be_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "# A\n\n```question\non: nogame\nask: moves\n\nX?\n```\n\n```question\non: nim 1,2\nask: moves\n\nY?\n```\n"
    Path("bad.md").write_text(text, encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO("3\n"))
    assert run(["lesson", "./bad.md", "--quiz"]) == 0
    said = capsys.readouterr()
    assert "bad.md, line 4: " in said.err
    assert "Y?" in said.out


@pytest.mark.parametrize(
    "line",
    [
        "rm -rf /",
        "gamesearch match tictactoe minimax minimax",
        "gamesearch play tictactoe",
        "gamesearch check ./evil.py",
        "gamesearch analyze ./evil.py",
        "gamesearch analyze tictactoe -a ./evil.py",
        "gamesearch bench tictactoe --algorithms minimax,./evil.py",
        "gamesearch analyze 'tictactoe(evaluation=evil)'",
        "gamesearch analyze 'tree(file=secret.txt)'",
        "gamesearch analyze 'tree(secret.txt)'",
        "gamesearch analyze chess secret.pgn",
        "gamesearch analyze tictactoe --trace harm",
        "gamesearch analyze tictactoe --trace=harm",
        "gamesearch graph nim --to harm.svg",
        "gamesearch analyze tictactoe -",
        "gamesearch bench --suite secret.txt tictactoe",
        "gamesearch bench 'othello(weights=secret.txt)' --keep",
        "gamesearch learn nim --to harm.json",
        "gamesearch learn othello --compare secret.txt secret.txt",
        "gamesearch analyze tictactoe -a 'alphabeta(database=.)'",
        "gamesearch analyze 'unfinished",
        "gamesearch",
    ],
)
def test_a_lesson_runs_only_commands_that_read(line: str) -> None:
    for name in ("evil.py", "secret.txt", "secret.pgn"):
        Path(name).write_text("open('harm', 'w')", encoding="utf-8")
    with pytest.raises(GamesearchError):
        run_quietly(line)
    assert not list(Path().glob("harm*"))


def test_hostile_text_is_escaped(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    evil = "\x1b]0;evil\x07 [red]text[/red] \u202e"
    question = f"```question\nask: choice\n\nQ{evil}\n\n+ a{evil} -- b{evil}\n- c -- d\n```\n"
    text = f"# T{evil}\n\n## S{evil}\n\n{evil}\n\n{question}"
    Path("mine.md").write_text(text, encoding="utf-8")
    shown = play(monkeypatch, capsys, f"x{evil}", "a", "")
    assert "\x1b" not in shown
    assert "\u202e" not in shown
    assert "[red]text[/red]" in shown


def test_the_example_of_the_guide_is_a_lesson() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "how-to" / "write-a-lesson.md").read_text(encoding="utf-8")
    example = guide.partition("## A complete example\n")[2].partition("## The parts\n")[0]
    session = Session(parse_lesson(dedent(example), "mine.md"), run_quietly)
    for line in ("", "2", "again", "skip", "", "", "", "a"):
        session.enter(line)
    assert (session.waits_for, session.progress.results) == ("more", {"1": True, "2": True})


def test_the_next_question_draws_a_random_instance_again() -> None:
    fields = "on: [[3,12,8],[2,4,6]]\nagain: [[?,?],[?,?]]"
    second = f"```question\n{fields}\nask: value\n\nWhat is the root worth?\n```\n"
    session = Session(parse_lesson(LESSON.replace("```console", f"{second}\n```console"), "mine.md"), run_quietly)
    session.enter("2")
    session.enter("")
    assert [each.kind for each in session.entries[-2:]] == ["right", "question"]  # the same tree is drawn above
    for line in ("back", "again", "skip"):
        session.enter(line)
    assert session.posed is not None
    assert [each.kind for each in session.entries[-3:]] == ["typed", "figure", "question"]
    assert session.entries[-2].figure == Tree(session.posed.on)


def test_code_is_visible_in_plain_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    choice = "- `min` -- No.\n+ `max`, as `>=` -- By `max`, " + "which is long, " * 12
    question = f"```question\nask: choice\n\nIs `if a >= b` or `if\na > b` right?\n\n{choice}\n```\n"
    Path("mine.md").write_text(f"# A\n\nRead `x`.\n\n    a `b` c\n\n{question}", encoding="utf-8")
    text = play(monkeypatch, capsys, "a", "")
    assert "Read `x`." in text
    assert "a `b` c" in text
    assert "Is `if a >= b` or `if a > b` right?" in text
    assert "b) `max`, as `>=`" in text
    assert "By `max`, which" in text
    assert max(map(len, text.splitlines())) <= 100  # verdicts are wrapped, too


def test_a_pipe_shows_what_can_be_typed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    text = play(monkeypatch, capsys, "2", "", "", "", "q")
    hints = re.findall(r"^\((.*)\)$", text, re.MULTILINE)
    assert [hint.partition(";")[0] for hint in hints] == [
        "your answer",
        "Enter continues",
        "Enter runs the command",
        "Enter goes to the next step",
        "your answer",
    ]


def test_a_quiz_draws_the_tree_below_the_number(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a\n" * 20))
    shown = output(capsys, "lesson", "minimax", "--quiz")
    asked = re.split(r"^\d+ of \d+\n", shown, flags=re.MULTILINE)[1:]
    assert len(asked) == len(load_lesson("minimax").questions)
    guarantee = next(each for each in asked if "guarantee" in each)
    drawing = figure_text(Tree("[[3,12,8],[2,4,6],[14,5,2]]"))
    assert asked[0].startswith(f"{drawing}\n\nWhat")
    assert guarantee.startswith(f"{drawing}\n\nWhat does the value 3")  # a choice is shown with its tree, too


def test_a_possible_answer_is_named() -> None:
    posed = pose(parse_lesson("# A\n\n```question\non: tictactoe\nask: turn\n\nWho?\n```\n", "mine.md").questions[0])
    with pytest.raises(GamesearchError, match=r"^'7' is not a possible answer: enter X or O$"):
        posed.judge("7")
