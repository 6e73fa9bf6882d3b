"""A student works through a lesson: answers, new instances of questions, and progress.

Harmful lesson files are rejected.
"""

import io
import json
import random
import re
import shlex
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from commands import complaint, output
from rich.console import Console

from gamesearch.cli import run
from gamesearch.commands.learning.lesson import progress_words, run_quietly
from gamesearch.errors import GamesearchError
from gamesearch.lessons import question_kinds
from gamesearch.lessons.instances import draw_instance
from gamesearch.lessons.lesson import Text, Tree, lesson_names, load_lesson, parse_lesson
from gamesearch.lessons.questions import PosedQuestion, pose
from gamesearch.lessons.session import Entry, Progress, Session, load_progress, save_progress
from gamesearch.lessons.views import entry_view, figure_text
from gamesearch.registry import load
from gamesearch.textbook.minimax import negamax

Capture = pytest.CaptureFixture[str]
LESSON = """\
# A small lesson

```lesson
summary: For tests.
sources: A *book*.
```

## First

Min chooses.

```question
on: [[3,12,8],[2,4,6]]
ask: value b
again: [[?,?],[?,?]]

What is b worth?
---
Look again at {on}.
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
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpreted: None) -> Path:
    """Save the student's progress in a temporary folder of the test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.md").write_text(LESSON, encoding="utf-8")
    return tmp_path


def play(monkeypatch: pytest.MonkeyPatch, capsys: Capture, *typed: str, options: str = "") -> str:
    """Type lines while taking a lesson, and return the output."""
    monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in typed)))
    code = run(["lesson", "./mine.md", "--seed", "1", *options.split()])
    assert code == 0
    return capsys.readouterr().out


def test_a_lesson_is_played_to_its_end(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    text = play(monkeypatch, capsys, "7/x", "5", "again", "0", "", "", "", "b", "")
    assert "'7/x' is not a value: enter a number" in text
    assert "Wrong. The answer is 2: from this node, a is worth 2, b is worth 4" in text
    assert "of its moves.\nLook again at [[3,12,8],[2,4,6]]." in text
    assert text.count("What is b worth?") == 2
    assert "value  3" not in text
    assert "value  4 for Max" in text
    assert "Right. The answer is b: By convention." in text
    assert text.endswith("first answers right; the lesson is finished\n")
    assert text.count("Sources: A book.") == 1


def test_a_lesson_goes_on_if_the_progress_cannot_be_saved(
    state: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    (state / "state").write_text("a file, not a folder")
    text = play(monkeypatch, capsys, "2", "", "quit")
    assert text.count("Your progress is not saved: ") == 1
    assert "1 of 1 first answers right; your progress was not saved: " in text


def test_progress_is_saved(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    text = play(monkeypatch, capsys, "2", "", "", "", "quit")
    assert "continues at step 2" in text
    hints = re.findall(r"^\((\w+ \w+)", text, re.MULTILINE)
    assert hints == ["your answer", "Enter continues", "Enter runs", "Enter goes", "your answer"]
    text = play(monkeypatch, capsys, "a", "")
    assert "[step 1" not in text
    assert "1 of 2 first answers right" in text
    text = play(monkeypatch, capsys, "back", "quit", options="--step 2")
    assert "Min chooses." in text
    assert "continues at step 2" in text
    assert "[step 1" not in play(monkeypatch, capsys, "quit")
    file = next((Path.cwd() / "state").rglob("progress.json"))
    file.write_text("[" * 100_000, encoding="utf-8")
    assert "[step 1" in play(monkeypatch, capsys, "quit")
    monkeypatch.setattr(sys, "stdin", io.StringIO(""))
    assert "the lesson continues at step 1" in output(capsys, "lesson", "./mine.md", code=1)
    monkeypatch.setattr(sys, "stdin", io.StringIO("\nquit\n"))
    output(capsys, "lesson", "minimax")
    assert "step 2 of" in output(capsys, "lesson")
    lesson = parse_lesson(LESSON, "mine.md")
    assert progress_words(lesson, Progress(0, True, {"1": True})) == "finished, 1 of 1 right, 1 not answered"
    assert progress_words(lesson, Progress(0, True, {"1": True, "2": False})) == "finished, 1 of 2 right"


def test_processes_that_save_different_lessons_lose_no_progress() -> None:
    lessons = [load_lesson(name) for name in lesson_names()[:8]]
    with ThreadPoolExecutor(len(lessons)) as pool:  # each file handle has its own lock, so threads act like processes
        for _ in range(3):
            assert not any(pool.map(save_progress, lessons, [Progress(1)] * len(lessons)))
    assert len(load_progress(lessons)) == len(lessons)


def test_back_and_help(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    text = play(monkeypatch, capsys, "skip", "?", "", "", "", "back", "what", "skip", "back", "quit")
    assert text.count("[step 1 of 2]") == 3
    assert "ask the last question about a new random instance" in text


def test_only_the_first_answer_to_a_question_counts(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
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


def test_the_seed_determines_the_instances() -> None:
    sessions = [Session(parse_lesson(LESSON, "mine.md"), run_quietly, seed) for seed in (1, 1, 2)]
    for session in sessions:
        session.enter("again")
    first, same, other = (session.posed and session.posed.on for session in sessions)
    assert first == same != other


def test_one_question_is_judged(capsys: Capture) -> None:
    first = ("lesson", "./mine.md", "--question", "1")
    asked = output(capsys, *first)
    assert asked.endswith("\n\nWhat is b worth?\n")
    assert "3   b 12   c 8" in asked
    assert output(capsys, *first, "--answer", "2").startswith("Right. The answer is 2: ")
    assert output(capsys, "lesson", "./mine.md", "--question", "2", "--answer", "A)", code=1) == (
        "Wrong. a: No.\nThe answer is b: By convention.\n"
    )
    empty = output(capsys, *first, "--answer", "", code=1)
    assert empty.startswith(asked)
    assert len(empty) > len(asked), "an empty answer is wrong, but does not show the right answer"
    graded = json.loads(output(capsys, *first, "--answer", " ", "--json", code=1))
    assert (graded["given"], graded["right"], graded["answer"]) == ("", False, "2")
    assert "has 2 questions" in complaint(capsys, "lesson", "./mine.md", "--question", "3")


def test_questions_and_scores_as_json(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    def answer_quiz(typed: str | Keyboard, *options: str) -> list[Any]:
        monkeypatch.setattr(sys, "stdin", io.StringIO(typed) if isinstance(typed, str) else typed)
        lines = output(capsys, "lesson", "./mine.md", "--quiz", "--json", *options, code=1).splitlines()
        return [json.loads(line) for line in lines]

    one = json.loads(output(capsys, "lesson", "./mine.md", "--question", "2", "--answer", "a", "--json", code=1))
    assert one == {
        "question": 2, "of": 2, "text": "Who begins?", "on": None, "options": {"a": "Min", "b": "Max"}, "given": "a",
        "right": False, "answer": "b", "reason": "By convention.",
    }  # fmt: skip
    assert "answer" not in json.loads(output(capsys, "lesson", "./mine.md", "--question", "2", "--json"))
    first, error, verdict, second, score = answer_quiz(Keyboard("x\n2\nskip\n"))
    assert (first["on"], second["options"]) == ("[[3,12,8],[2,4,6]]", one["options"])
    assert (error.keys(), verdict["right"], verdict["answer"]) == ({"error"}, True, "2")
    assert score == {"right": 1, "answered": 1, "questions": 2, "seed": None}
    _, misread, _, verdict, score = answer_quiz("x\nB\n")  # in a file, each line answers the next question
    assert misread["error"].startswith("'x' is not a value")
    assert (verdict["given"], verdict["right"]) == ("B", True)
    assert (score["right"], score["answered"]) == (1, 1)
    drawn = [answer_quiz("", "--seed", "3")[0]["on"] for _ in range(2)]
    assert drawn[0] == drawn[1] != first["on"]


def test_the_next_question_of_a_step_is_about_the_new_instance() -> None:
    second = "```question\non: [[3,12,8],[2,4,6]]\nask: value\nagain: [[?,?],[?,?]]\n\nWhat is the root worth?\n```\n"
    third = "```question\non: [[3,12,8],[2,4,6]]\nask: value\n\nWhy is the root worth 3?\n```\n"
    session = Session(
        parse_lesson(LESSON.replace("```console", f"{second}\n{third}\n```console"), "mine.md"), run_quietly
    )
    for line in ("2", "again", "skip", ""):
        session.enter(line)
    assert session.posed is not None
    new = session.posed.on
    assert new != "[[3,12,8],[2,4,6]]"
    assert [each.figure.on for each in session.entries if each.figure][-1] == new
    session.enter("skip")
    session.enter("")  # the last question has only one instance, so the tree of the lesson itself is drawn again
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


def test_random_trees_have_no_equal_numbers() -> None:
    """Equal numbers could make a cutoff or a best move ambiguous. The tree with only 0 and 1 is exempt."""
    for question in (each for name in lesson_names() for each in load_lesson(name).questions):
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


def test_a_larger_position_is_solved_after_a_short_attempt(monkeypatch: pytest.MonkeyPatch, interpreted: None) -> None:
    question = parse_lesson("# A\n\n```question\non: tictactoe\nask: winner\n\nWho?\n```\n", "mine.md").questions[0]
    monkeypatch.setattr(question_kinds, "SHORT", 0)
    assert pose(question).question.answer == "draw"
    monkeypatch.setattr(question_kinds, "MOST_SOLVED", 0)
    with pytest.raises(GamesearchError, match="could not be solved within 0 nodes: ask about a smaller position"):
        pose(question)


def pose_from(fields: str, after: str = "") -> PosedQuestion:
    """Return the question with these fields."""
    text = f"# A\n\n```question\n{fields}\n\nWhat?\n{after}```\n"
    return pose(parse_lesson(text, "mine.md").questions[0], run=run_quietly)


def test_answers_may_be_written_in_several_ways() -> None:
    winner = pose_from("on: tictactoe XX./OO./...\nask: winner")
    assert all(winner.judge(given).is_right for given in ("X", "max", "Max wins", "x wins in 2 moves."))
    assert not any(winner.judge(given).is_right for given in ("o", "Min", "Min wins"))
    move = pose_from('on: "nim(7, max_take=3)"\nask: move')
    assert [move.judge(given).is_right for given in ("a3", "A3", "3", "a: 3", "2")] == [True, True, True, True, False]
    with pytest.raises(GamesearchError, match=r"^'4' is not one of the moves: enter a1, a2 or a3$"):
        move.judge("4")
    with pytest.raises(GamesearchError, match=r"^'7' is not a possible answer: enter X or O$"):
        pose_from("on: tictactoe\nask: turn").judge("7")
    own = pose_from("ask: json value\ncommand: gamesearch solve nim 1,2 --json", "---\nBecause.\n")
    assert own.judge("1").text.endswith("\nBecause."), "the lesson's explanation replaces the generated one"
    assert "gamesearch" not in own.judge("1").text


def test_negamax_asks_for_the_value_of_the_shipped_function() -> None:
    game, start = load("tree").setup("[[[3,1],[4,5]],7]")
    for path in ("", "a", "b", "a a", "a b", "a a a", "a a b", "a b b"):
        s = start
        for name in path.split():
            s = game.result(s, game.parse_move(s, name))
        value = negamax(game, s, 9, -1 if len(path.split()) % 2 else 1)
        asked = pose_from(f'on: "[[[3,1],[4,5]],7]"\nask: negamax {path}')
        assert (asked.judge(f"{value}").is_right, asked.judge(f"{-value}").is_right) == (True, False), path
    assert pose_from("on: nim 0,0\nask: negamax").question.answer == "-1", "the player to move has lost"


def test_a_guess_is_accepted() -> None:
    for within, right, wrong in (("10 %", ["8", "8.4", "7.6"], ["7", "9"]), ("2", ["6", "10"], ["5.9", "11"])):
        text = f"# A\n\n```question\non: connect4(columns=8)\nask: moves\nwithin: {within}\n\nHow many?\n```\n"
        posed = pose(parse_lesson(text, "mine.md").questions[0])
        assert within in posed.prompt
        assert all(posed.judge(given).is_right for given in right)
        assert not any(posed.judge(given).is_right for given in wrong)


def test_the_last_question_of_a_step_is_repeated_if_it_has_random_instances() -> None:
    session = Session(parse_lesson(LESSON, "mine.md"), run_quietly)
    for line, expected in (("2", "more"), ("", "run"), ("again", "answer"), ("skip", "more"), ("", "run")):
        session.enter(line)
        assert session.waits_for == expected
    assert [each.kind for each in session.entries].count("question") == 2
    session.enter("skip")
    assert (session.waits_for, session.entries[-1].kind) == ("next", "command")
    session.enter("again")
    assert session.waits_for == "answer"
    session = Session(parse_lesson(LESSON, "mine.md"), run_quietly, at=1)
    for line in ("again", "skip", "again"):
        session.enter(line)
        is_refused = "This question has no random instances" in session.entries[-1].text
        assert is_refused == (line == "again")
    assert "The answer is b: By convention." in [each.text for each in session.entries]


def test_enter_shows_the_answer_to_a_question_that_was_answered_before() -> None:
    session = Session(parse_lesson(LESSON, "mine.md"), run_quietly)
    assert session.invitation == "your answer"
    for line in ("7", "again", ""):
        session.enter(line)
    assert session.entries[-1].kind == "note", "an empty line answers no new instance"
    for line in ("back", ""):
        session.enter(line)
    assert session.entries[-1].kind == "solution"
    assert session.progress.results == {"1": False}


def test_a_long_command_is_shown_as_a_shell_reads_it() -> None:
    line = f'gamesearch analyze "[{"1, " * 30}2]" --algorithm "minimax(depth=2)" {"--moves " * 8}--depth 3'
    shown = "".join(part.text for part in Console(width=80).render(entry_view(Entry("command", line))))
    assert max(map(len, shown.splitlines())) <= 80
    assert shlex.split(shown.replace("\\\n", "")) == ["$", *shlex.split(line)]


def test_long_lines_of_code_are_wrapped_with_an_indentation() -> None:
    code = "def f():\n    return minimax_value(game, game.result(s, move))"
    lines = Console(width=40).render_lines(entry_view(Entry("text", f"```python\n{code}\n```")))
    texts = ["".join(part.text for part in line).rstrip() for line in lines]
    assert texts[2:4] == ["     return minimax_value(game,", "         game.result(s, move))"]


def test_names_that_are_not_lessons(capsys: Capture) -> None:
    for name, message in (
        ("minmax", "did you mean minimax?"),
        ("databases", "did you mean endgame-databases?"),
        ("Memoization", "write memory"),
        ("./none.md", "there is no file ./none.md"),
        (".", "there is no lesson '.'"),
    ):
        assert message in complaint(capsys, "lesson", name)


GOOD = """\
# Title

```lesson
minutes: 10
```

```tree
on: [[3,12],[2,4]]
algorithm: alphabeta
```

```board
on: tictactoe X.O/.X./...
```

```question
on: [[3,12],[2,4]]
ask: value b
again: [[?,?],[?,?]]
numbers: 0 20

What is b worth?
```

```console
$ gamesearch analyze "[5,12]" --algorithm minimax
```

```question
on: nim 3,4,5
ask: json value
command: gamesearch solve {on} --json

Who wins?
```

```question
ask: choice

Who begins?

+ Max
- Min
```

```exercise
Watch it:

    gamesearch analyze "[1,2]" --algorithm minimax \\
      --trace a.trace && gamesearch watch a.trace
    gamesearch lesson code minimax --to mine.py | cat
```
"""
"""A lesson without faults."""
FAULTS = (
    ("# Title", "Title", 0, "it needs a line '# Title'"),
    ("minutes", "minute", 4, "'minute: 10' is not a field of a lesson: did you mean minutes?"),
    ("10", "ten", 4, "must be a whole number, not 'ten'"),
    ("algorithm: alpha", "algorithm: alfa", 9, "did you mean alphabeta?"),
    ("alphabeta\n", "alphabeta\ndraw: board\n", 10, "the words boards, pruned, ranges, values"),
    ("alphabeta\n", "alphabeta\nplies: two\n", 10, "must be a whole number below 100"),
    ("alphabeta\n", "alphabeta\n\ntext\n", 7, "contains no text"),
    ("on: tictactoe", "of: tictactoe", 13, "'of: tictactoe X.O/.X./...' is not a field of a board"),
    ("X.O/.X./...", "X.O/.X./..", 13, "is not nine squares"),
    ("```board", "```bord", 12, "did you mean board?"),
    ("...\n```\n\n```question\non", "...\n\n```question\non", 12, "this block has no end"),
    ("ask: value", "ask: valeu", 18, "did you mean value?"),
    ("ask: value b", "ask: value c", 18, "does not visit c: at the root, it visits a, b"),
    ("ask: value b", "ask: quiz cuts", 18, "no question of the kind cuts"),
    ("ask: value b\n", "", 16, "needs a field 'ask'"),
    ("ask: value b\n", "ask: value b\nalgorithm: minmax\n", 19, "did you mean minimax?"),
    ("again: [[?,?],[?,?]]", "again: [[?,?],[?,?]", 19, "] is missing"),
    ("[[?,?],[?,?]]", "[[1,2],[3,4]]", 19, "must contain '?'"),
    ("0 20", "20 0", 20, "give the least and the greatest number"),
    ("0 20", "0 9, 2 4", 20, "one range for each ?"),
    ("numbers: 0 20\n", "numbers: 0 20\nnumbers: 0 9\n", 21, "is given twice"),
    ("numbers: 0 20\n", "within: a bit\n", 20, "such as 5 or 10 %"),
    ("0 20\n\n", "0 20\n", 21, "put a blank line above the text"),
    ("What is b worth?\n", "", 16, "needs a text below its fields"),
    ("--algorithm", "--algoritm", 26, "Did you mean '--algorithm'?"),
    ("gamesearch analyze", "gamesearch match", 26, "into an exercise"),
    ("gamesearch analyze", "rm", 26, "a lesson runs only commands of gamesearch"),
    ("$ gamesearch", "gamesearch", 25, "needs a line that begins with '$ gamesearch'"),
    ("json value", "json valeu", 31, "did you mean value?"),
    ("on} --json", "on}", 32, "is not JSON: add --json"),
    ("on} --json", "on} --jsn", 32, "Did you mean '--json'?"),
    ("command: gamesearch solve {on} --json\n", "", 29, "needs a field 'command'"),
    ("nim 3,4,5", "'unfinished", 30, "cannot be read"),
    ("nim 3,4,5", "./evil.py", 30, "opens no files"),
    ("on: nim 3,4,5\nask: json value", "ask: moves", 29, "the game is missing: add a field 'on'"),
    ("nim 3,4,5\nask: json value", "tictactoe\nask: value", 30, "visits more than"),
    ("nim 3,4,5\nask: json value", "pig\nalgorithm: alphabeta\nask: value", 31, "alphabeta"),
    ("+ Max", "- Max", 38, "at least one must be right"),
    ("+ Max", "+ Max\n" + "- x\n" * 7, 38, "2 to 8 options"),
    ("ask: choice", "ask: choice\non: [1,", 39, "cannot be read"),
    ("ask: choice", "ask: choice\non: {1/2: 8, 1/2: [3,4]}", 39, "put a tree that contains spaces in quotes"),
    ("ask: choice", "ask: choice\non: max [3,4]", 39, "put a tree that contains spaces in quotes"),
    ("--trace", "--trance", 49, "did you mean"),
    ("code minimax", "code minimx", 51, "did you mean minimax?"),
)


def test_a_lesson_with_a_fault_does_not_begin(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr("gamesearch.lessons.instances.MOST_NODES", 1_000)
    Path("evil.py").write_text("open('harm', 'w')", encoding="utf-8")
    for old, new, line, message in FAULTS:
        Path("bad.md").write_text(GOOD.replace(old, new, 1), encoding="utf-8")
        said = complaint(capsys, "lesson", "./bad.md")
        assert re.search(f"./bad.md, line {line}: " if line else "./bad.md is not a lesson", said), said
        assert message.casefold() in said.casefold()
    assert not Path("harm").exists()


def test_all_faults_of_a_lesson_are_reported(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    Path("good.md").write_text(GOOD, encoding="utf-8")
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    assert run(["lesson", "./good.md"]) == 0
    text = GOOD.replace("tictactoe X", "tictactoe Y").replace("[?,?]]", "[?,?]").replace("code minimax", "code x")
    text = text.replace("minutes: 10", "minutes: ten")  # found before the questions are tried
    Path("bad.md").write_text(text, encoding="utf-8")
    written = [("lesson", "--to", f"page{suffix}") for suffix in (".html", ".md", ".ipynb")]
    for command, *options in (("lesson",), ("lesson", "--quiz"), *written, ("worksheet", "--to", "page.html")):
        capsys.readouterr()
        assert run([command, "./bad.md", *options]) == 2
        lines = [line.split(": ")[1] for line in capsys.readouterr().err.splitlines()]
        assert lines == [f"./bad.md, line {number}" for number in (4, 13, 19, 51)]
    assert not list(Path().glob("page*"))
    with pytest.raises(GamesearchError) as error:
        parse_lesson("# A\n" + "```board\n```\n" * 1000, "mine.md")
    assert len(str(error.value).splitlines()) == 20


HARMFUL = """rm -rf /
gamesearch match tictactoe minimax minimax
gamesearch play tictactoe
gamesearch check ./evil.py
gamesearch analyze ./evil.py
gamesearch analyze tictactoe -a ./evil.py
gamesearch bench tictactoe --algorithms minimax,./evil.py
gamesearch analyze 'tictactoe(evaluation=evil)'
gamesearch analyze 'tree(file=secret.txt)'
gamesearch analyze 'tree(secret.txt)'
gamesearch analyze chess secret.pgn
gamesearch analyze tictactoe --trace harm
gamesearch analyze tictactoe --trace=harm
gamesearch graph nim --to harm.svg
gamesearch analyze tictactoe -
gamesearch bench --suite secret.txt tictactoe
gamesearch bench 'othello(weights=secret.txt)' --keep
gamesearch learn nim --to harm.json
gamesearch learn othello --compare secret.txt secret.txt
gamesearch analyze tictactoe -a 'alphabeta(database=.)'
gamesearch analyze 'unfinished
gamesearch"""


def test_a_lesson_runs_only_commands_that_read() -> None:
    for name in ("evil.py", "secret.txt", "secret.pgn"):
        Path(name).write_text("open('harm', 'w')", encoding="utf-8")
    for line in HARMFUL.splitlines():
        with pytest.raises(GamesearchError):
            run_quietly(line)
    assert not list(Path().glob("harm*"))


def test_hostile_text_is_escaped(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
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
    for line in ("", "2", "again", "skip", "", "", "", "", "a"):
        session.enter(line)
    assert (session.waits_for, session.progress.results) == ("more", {"1": True, "2": True})


def test_the_next_question_draws_a_random_instance_again() -> None:
    fields = "on: [[3,12,8],[2,4,6]]\nagain: [[?,?],[?,?]]"
    second = f"```question\n{fields}\nask: value\n\nWhat is the root worth?\n```\n"
    session = Session(parse_lesson(LESSON.replace("```console", f"{second}\n```console"), "mine.md"), run_quietly)
    session.enter("2")
    session.enter("")
    assert [each.kind for each in session.entries[-2:]] == ["right", "question"]  # the same tree is drawn above
    for line in ("back", "again", "skip", ""):
        session.enter(line)
    assert session.posed is not None
    assert [each.kind for each in session.entries[-3:]] == ["solution", "figure", "question"]
    assert session.entries[-2].figure == Tree(session.posed.on)


def test_plain_lines_are_wrapped_and_contain_code_but_no_markdown(
    monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    Path("mine.md").write_text(f"# A\n\n## B\n\n- **Max** {'word ' * 40}\n\n| a |\n| --- |\n| b |\n", encoding="utf-8")
    shown = play(monkeypatch, capsys, "")
    assert "- Max word" in shown
    assert not any(mark in shown.replace("+---", "") for mark in ("**", "\n\n\n", "---"))
    assert shown.isascii()
    assert max(map(len, shown.splitlines())) <= 100
    choice = "- `min` -- No.\n+ `max`, as `>=` -- By `max`, " + "which is long, " * 12
    question = f"```question\nask: choice\n\nIs `if a >= b` or `if\na > b` right?\n\n{choice}\n```\n"
    Path("mine.md").write_text(f"# A\n\nRead `x`.\n\n    a `b` c\n\n{question}", encoding="utf-8")
    text = play(monkeypatch, capsys, "a", "")
    for code in ("Read `x`.", "a `b` c", "Is `if a >= b` or `if a > b` right?", "b) `max`, as `>=`", "By `max`, which"):
        assert code in text
    assert max(map(len, text.splitlines())) <= 100  # verdicts are wrapped, too


def test_quizzes_and_single_questions_contain_no_emphasis(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    choice = "+ *yes* -- **No** `b`.\n- no -- No."
    question = f"# A\n\n```question\nask: choice\n\nIs `a` *not* **b**?\n\n{choice}\n---\n*Look* again.\n```\n"
    Path("mine.md").write_text(question, encoding="utf-8")
    asked, told = "Is `a` not b?\na) yes\nb) no\n", "Right. The answer is a: No `b`.\nLook again.\n"
    assert output(capsys, "lesson", "./mine.md", "--question", "1") == asked
    assert output(capsys, "lesson", "./mine.md", "--question", "1", "--answer", "a") == told
    monkeypatch.setattr(sys, "stdin", io.StringIO("a\n"))
    assert asked + told in output(capsys, "lesson", "./mine.md", "--quiz")


def test_a_quiz_draws_the_tree_below_the_number(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("a\n" * 20))
    shown = output(capsys, "lesson", "minimax", "--quiz", code=1)
    asked = re.split(r"^\d+ of \d+\n", shown, flags=re.MULTILINE)[1:]
    assert len(asked) == len(load_lesson("minimax").questions)
    guarantee = next(each for each in asked if "guarantee" in each)
    drawing = figure_text(Tree("[[3,12,8],[2,4,6],[14,5,2]]"))
    assert asked[0].startswith(f"{drawing}\n\nWhat")
    assert guarantee.startswith(f"{drawing}\n\nWhat does the value 3")  # a choice is shown with its tree, too


def test_formulas_stay_indented_and_skip_continues_if_there_is_no_question() -> None:
    lesson = parse_lesson("# A\n\ntext\n\n    b^d\n\nmore\n\n## Two\nlast\n", "mine.md")
    assert [item.markdown for item in lesson.items() if isinstance(item, Text)][:3] == ["text", "    b^d", "more"]
    session = Session(lesson, run_quietly)
    session.enter("skip")
    assert session.at == 1
