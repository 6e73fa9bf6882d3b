"""A lesson can be saved as Markdown with answers, as a page that grades answers, or as a notebook."""

import json
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
from browser import driven, needs_browser
from commands import complaint, output
from markdown_it import MarkdownIt

from gamesearch.cli import run
from gamesearch.commands.learning.lesson import run_quietly
from gamesearch.lessons.export import export
from gamesearch.lessons.lesson import load_lesson, parse_lesson
from gamesearch.lessons.session import Session
from gamesearch.lessons.views import entry_view

EVIL = "<script>log.push('harm')</script><img src=x onerror=\"log.push('harm')\">"
HOSTILE = f"""\
# T {EVIL}

```lesson
summary: {EVIL}
sources: {EVIL}
```

## S {EVIL}

{EVIL} [link](javascript:alert(1)) ![image](http://example.org/x.png)

```console
$ gamesearch analyze "{EVIL}"
```

```question
ask: choice

{EVIL}

+ {EVIL} -- {EVIL}
- no -- {EVIL}
---
{EVIL}
```

```exercise
{EVIL}
```
"""


SMALL = """\
# {title}

```lesson
sources: A book.
```

## The value of the root

```console
$ gamesearch analyze "[3,4]"
```

```question
on: [3,4]
ask: value

What is it worth?
```

```exercise
Try it.
```
"""


def test_files_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.md").write_text(SMALL.format(title="Small"), encoding="utf-8")
    for name in ("new.md", "new.html", "new.ipynb"):
        assert output(capsys, "lesson", "./small.md", "--to", name) == ""
        assert "What is it worth?" in Path(name).read_text(encoding="utf-8")
    assert "exists already" in complaint(capsys, "lesson", "./small.md", "--to", "new.md")
    assert "the format of 'new.doc' is unknown" in complaint(capsys, "lesson", "./small.md", "--to", "new.doc")
    assert output(capsys, "lesson", "code", "minimax", "--to", "mine.py") == ""
    assert "unknown starter file" in complaint(capsys, "lesson", "code", "minmax")


PAIR = ["minimax", "alpha-beta"]


@pytest.mark.usefixtures("interpreted")
@pytest.mark.parametrize("suffix", [".md", ".html"])
def test_several_lessons_have_a_table_of_contents(suffix: str) -> None:
    notes: list[str] = []
    text = export([load_lesson(name) for name in PAIR], suffix, str, notes.append)
    assert [note.partition(":")[0] for note in notes] == ["1 of 2", "2 of 2"]
    links = re.findall(r'\]\(#([\w-]+)\)|href="#([\w-]+)"', text)
    assert [first or second for first, second in links] == PAIR
    assert all(text.count(f'id="{name}"') == 1 for name in PAIR)
    assert len(re.findall(r"Question 2\b", text)) == 2  # each lesson counts its questions


def test_a_notebook_runs_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "small.md").write_text(SMALL.format(title="Small"), encoding="utf-8")
    notebook = json.loads(export([load_lesson(str(tmp_path / "small.md"))], ".ipynb", run_quietly))
    cells = notebook["cells"]
    assert notebook["nbformat"] == 4
    assert "type the answer between the quotation marks" in cells[0]["source"]
    assert "**Exercise**" in cells[-1]["source"]
    assert "## Sources" in cells[-1]["source"]
    assert sum("## The value of the root" in cell["source"] for cell in cells) == 1
    first, *sources = (cell["source"] for cell in cells if cell["cell_type"] == "code")
    monkeypatch.setenv("PATH", "elsewhere")
    exec(first)
    assert os.environ["PATH"] == f"{Path(sys.executable).parent}{os.pathsep}elsewhere"
    assert any("--question 1 --answer" in source for source in sources)
    assert any(source.startswith("!gamesearch analyze") for source in sources)
    for source in sources:
        assert run(shlex.split(source.removeprefix("!gamesearch "))) == ("--answer" in source)
    assert all(cell["outputs"][0]["text"].strip() for cell in cells if cell["source"].startswith("!"))


def test_markdown_has_questions_and_answers() -> None:
    text = export([parse_lesson(SMALL.format(title="Small"), "small.md")], ".md", run_quietly)
    questions, _, answers = text.partition("## Answers")
    assert "**Question 1.** What is it worth?" in questions
    assert "1. 4: from this node, a is worth 3, b is worth 4; Max takes the greatest value of" in answers
    assert "value  4 for Max" in questions
    assert "a 3   b 4" in questions
    asked = "```question\non: [[5,9],[8,4]]\nask: value\n\nWhat is it worth?\n```\n"
    drawn = export([parse_lesson(f"# A\n\ntext\n\n{asked}", "mine.md")], ".md", run_quietly)
    assert "a 5   b 9   a 8   b 4" in drawn
    assert "b 9" in export([parse_lesson(f"# A\n\ntext\n\n{asked}", "mine.md")], ".ipynb", run_quietly)
    searched = "```tree\non: [[5,9],[8,4]]\nalgorithm: alphabeta\n```\n\n"
    above = export([parse_lesson(f"# A\n\n{searched}{asked}", "mine.md")], ".md", run_quietly)
    assert "a  Min [-inf, +inf] = 5" in above
    assert "a 5   b 9" not in above  # the tree of the question is not drawn a second time
    hostile = export([parse_lesson(HOSTILE, "mine.md")], ".md", str)
    assert "<script" not in MarkdownIt("commonmark").render(hostile)


GRADE = """
const first = document.querySelectorAll(".question");
function answer(number, text) {
  const form = first[number];
  const input = form.querySelector("input[type=text]");
  if (input.hidden) form.querySelector(`input[value="${text}"]`).checked = true;
  else input.value = text;
  form.requestSubmit();
  log.push(form.querySelector(".verdict").textContent.split(":")[0]);
}
"""


def test_a_page_draws_the_figure_of_successive_questions_once() -> None:
    question = "```question\non: [3,[2,4]]\nask: value\n\nWhat is the value?\n```\n\n"
    other = question.replace("[3,", "[5,")
    page = export([parse_lesson(f"# A\n\n## B\n\n{question * 2}{other}", "mine.md")], ".html", str)
    above, boxes = page.split("<script", 1)
    assert (above.count("<svg"), boxes.count(r"\u003csvg")) == (1, 1)
    tree = "```tree\non: p1[p2[(1,2,3),(4,5,6)],p3[(7,8,9),(3,2,1)]]\n```"
    page = export([parse_lesson(f"# A\n\n## B\n\n{tree}\n\n`[2, 4]` and `{'x' * 40}`\n", "mine.md")], ".html", str)
    assert "In trees: ▢ another player, □ leaf" in page
    assert '<code class="short">[2, 4]</code>' in page, "short code stays on one line"
    assert "<code>xxxx" in page


@needs_browser
@pytest.mark.usefixtures("interpreted")
def test_a_page_grades_answers(tmp_path: Path) -> None:
    page = export([load_lesson("alpha-beta")], ".html", str)
    assert "://" not in page.replace("http://www.w3.org", "")
    script = """
    answer(0, "a"); answer(0, "b"); answer(1, "yes"); answer(1, "n"); answer(1, "maybe");
    answer(3, "[3, +inf]"); answer(3, "beta=∞ alpha=3"); answer(3, "–infinity..3"); answer(3, "3");
    log.push(document.querySelector("#score").textContent);
    const before = first[1].textContent;
    first[1].querySelector("button[type=button]").click();
    answer(1, "yes"); log.pop();
    log.push(document.querySelector("#score").textContent);
    log.push(first[1].textContent !== before, document.querySelectorAll("svg").length > 5);
    """
    log = driven(page, script, tmp_path, noting=GRADE)
    assert [each if isinstance(each, bool) else each.split(",")[0].partition(" The")[0] for each in log] == [
        *("Right.", "Wrong. b", "Wrong.", "Right.", "'maybe' is neither yes nor no"),
        *("Right.", "Right.", "Wrong.", "'3' is not a window"),
        *("2 of 3 right", "2 of 3 right", True, True),  # a second answer to a question does not change the score
    ]


def test_an_output_is_hidden_only_after_a_question_of_its_step() -> None:
    command = "```console\n$ gamesearch games nim\n```\n"
    question = "```question\non: nim 2,1\nask: winner\n\nWho wins?\n```\n"
    lesson = parse_lesson(f"# A\n\n{command}\n{question}\nB\n\n{command}\n## C\n{command}", "mine.md")
    page, text, notebook = (export([lesson], suffix, lambda line: "OUTPUT") for suffix in (".html", ".md", ".ipynb"))
    assert re.findall(r"<details[^>]*>", page) == ["<details open>", "<details>", "<details open>"]
    assert re.findall(r"<details>|OUTPUT", text) == ["OUTPUT", "<details>", "OUTPUT", "OUTPUT"]
    cells = [cell for cell in json.loads(notebook)["cells"] if cell["source"] == "!gamesearch games nim"]
    assert [len(cell["outputs"]) for cell in cells] == [1, 0, 1]


@needs_browser
def test_a_page_accepts_a_guess_a_sentence_of_the_output_and_a_short_move(tmp_path: Path) -> None:
    question = "```question\non: nim 9,9\nask: moves\nwithin: 10 %\n\nHow many moves?\n```\n"
    winner = "```question\non: nim 2,1\nask: winner\n\nWho wins?\n```\n"
    move = '```question\non: "nim(7, max_take=3)"\nask: move\n\nWhich move wins?\n```\n'
    page = export([parse_lesson(f"# A\n\n{question}\n{winner}\n{move}", "mine.md")], ".html", run_quietly)
    script = (
        'answer(0, "18"); answer(0, "17"); answer(0, "16"); answer(1, "Max wins in 2 moves"); answer(1, "min wins");'
        'answer(2, "3");'
    )
    verdicts = [f"{each}. The answer is 18" for each in ("Right", "Right", "Wrong")]
    verdicts += [*(f"{each}. The answer is Max" for each in ("Right", "Wrong")), "Right. The answer is a3"]
    assert driven(page, script, tmp_path, noting=GRADE) == verdicts


@needs_browser
def test_a_page_of_a_hostile_lesson_runs_none_of_its_scripts(tmp_path: Path) -> None:
    page = export([parse_lesson(HOSTILE, "mine.md")], ".html", str)
    script = 'answer(0, "a"); log.push(...[...document.querySelectorAll("img, a")].map((each) => each.href));'
    assert driven(page, script, tmp_path, noting=GRADE) == ["Right. The answer is a", "http://example.org/x.png"]


MARKED = "# A\n\n```question\nask: choice\n\nB?\n\n+ `c` -- *d* 2 * 3\n- e -- f\n---\n1. **e4**\n```\n"


@needs_browser
def test_reasons_are_markdown(tmp_path: Path) -> None:
    lesson = parse_lesson(MARKED, "mine.md")
    script = 'answer(0, "a"); log.push(document.querySelector(".verdict").innerHTML);'
    verdict = driven(export([lesson], ".html", run_quietly), script, tmp_path, noting=GRADE)[1]
    assert verdict == "Right. The answer is a: <span><em>d</em> 2 * 3</span>\n<span>1. <strong>e4</strong></span>"
    session = Session(lesson, run_quietly)
    session.enter("a")
    assert str(entry_view(session.entries[-2])) == "Right. The answer is a: d 2 * 3\n1. e4"
