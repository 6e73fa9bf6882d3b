"""`gamesearch worksheet`, and the score of a quiz in JSON."""

import json
import operator
import re
import sys
from math import inf
from pathlib import Path
from types import ModuleType
from typing import Any
from xml.etree import ElementTree

import pytest
from commands import Cli

from gamesearch.algorithms.engine.formatting import value_text, with_signs
from gamesearch.algorithms.root.search import search
from gamesearch.commands.learning.lesson import run_quietly
from gamesearch.lessons.worksheets import make_worksheet, own_topics
from gamesearch.registry import load
from gamesearch.render.documents.worksheets import TOPICS, typst_text, worksheet_html, worksheet_tex

pytestmark = pytest.mark.usefixtures("interpreted")


@pytest.mark.parametrize("topic", TOPICS)
def test_the_answers_are_right_and_the_sheet_hides_them(topic: str, tmp_path: Path, cli: Cli) -> None:
    sheet = tmp_path / "sheet.html"
    data = cli.data("worksheet", topic, "--count", 3, "--seed", 7, "--to", sheet)
    assert [each["number"] for each in data["variants"]] == [1, 2, 3]
    pages = [page(Path(file)) for file in data["files"]]
    for number, variant in enumerate(data["variants"]):
        on = variant["questions"][0]["on"]
        game, _, position = (on, "", "") if topic != "tictactoe" else on.partition(" ")
        rules, state = load(game).setup(position)
        algorithm = "expectiminimax" if rules.chance else "maxn" if rules.players > 2 else "minimax"
        result = search(rules, state, algorithm, speed="interpreted")
        answers = {each["text"]: each["answer"] for each in variant["questions"]}
        assert answers["Best move"] == rules.move_name(state, result.best or 0)
        value = answers["Value of the root"].removeprefix("+")
        assert value.partition(" in ")[0] == value_text(result.value)
        blank, solved = (found[number] for found in pages)
        assert blank[-len(answers) :] == [f"{question}: {'_' * 12}" for question in answers]
        shown = [f"{question}: {with_signs(answer)}" for question, answer in answers.items()]
        assert shown == solved[-len(answers) :]


@pytest.mark.parametrize("topic", sorted(own_topics()))
def test_questions_of_a_topic_have_answers_in_the_solution_only(topic: str, tmp_path: Path, cli: Cli) -> None:
    data = cli.data("worksheet", topic, "--variant", 2, "--to", tmp_path / "sheet.html")
    (variant,) = data["variants"]
    (blank,), (solved,) = (page(Path(file)) for file in data["files"])
    questions = variant["questions"]
    assert (variant["number"], len(questions)) == (2, len(own_topics()[topic].questions))
    for question, empty, answered in zip(questions, blank[-len(questions) :], solved[-len(questions) :], strict=True):
        assert empty == with_signs(f"{question['text']} {'_' * 12}")
        assert answered.startswith(with_signs(f"{question['text']} {question['answer']}"))


def test_a_worksheet_of_a_lesson(tmp_path: Path, cli: Cli) -> None:
    question = "```question\non: nim 1\nask: {ask}\nagain: nim ?,?\nnumbers: 4 9\n\nWhat about `{{on}}`?\n```\n"
    lesson = tmp_path / "mine.md"
    lesson.write_text("# A\n\n" + question.format(ask="moves") + question.format(ask="grundy"), encoding="utf-8")
    (variant,) = cli.data("worksheet", lesson, "--variant", 5, "--json")["variants"]
    moves, grundy = variant["questions"]
    heaps = [int(each) for each in moves["on"].removeprefix("nim ").split(",")]
    assert moves["on"] == grundy["on"], "questions with the same field again are about the same instance"
    assert (moves["text"], moves["answer"]) == (f"1. What about {moves['on']}?", str(sum(heaps)))
    assert grundy["answer"] == str(heaps[0] ^ heaps[1])
    assert {"minimax", "nim", "chance"} <= {each["topic"] for each in cli.data("worksheet")}
    assert "did you mean negamax" in cli.refusal("worksheet negmax")
    assert "leave out --count" in cli.refusal("worksheet minimax --variant 7 --count 9 --json")
    quiz = "```question\non: [[3,12,8],[2,4,6],[14,5,2],[1,7,9]]\nask: quiz cut\nalgorithm: alphabeta\n\nNow?\n```\n"
    lesson.write_text(f"# A\n\n{quiz}", encoding="utf-8")
    asked = [each["questions"][0] for each in cli.data("worksheet", lesson, "--count", 6, "--json")["variants"]]
    assert len({each["on"] for each in asked}) == 1 < len({each["text"] for each in asked})
    lesson.write_text("# A\n\ntext\n", encoding="utf-8")
    assert "has no questions with random instances" in cli.refusal("worksheet", lesson, "--json")


def test_variants_differ_and_the_topic_evaluation_finds_estimates() -> None:
    """A class of 20 students gets 20 variants. Only instances of a few topics are drawn from a small set."""
    for topic in ("memoization", "search-problems"):
        variants = make_worksheet(topic, range(1, 21), 1, run_quietly).variants
        asked = {
            str([(each.on, *(one.text for one in each.answers)) for each in found.exercises]) for found in variants
        }
        assert len(asked) == 20, topic
    for variant in make_worksheet("evaluation", range(1, 9), 1, run_quietly).variants:
        for answer in (answer for exercise in variant.exercises for answer in exercise.answers[:2]):
            assert " in " not in answer.answer


def page(file: Path) -> list[list[str]]:
    """Return the text of each variant in a worksheet."""
    text = file.read_text(encoding="utf-8").replace("<!doctype html>", "").replace('<meta charset="utf-8">', "")
    sections = ElementTree.fromstring(text).findall(".//section")
    return [["".join(each.itertext()) for each in section.iter("p")] for section in sections]


def test_a_variant_depends_only_on_seed_and_number(tmp_path: Path, cli: Cli) -> None:
    many, few, other = (
        cli.data("worksheet minimax --json", "--count", count, "--seed", seed)["variants"]
        for count, seed in ((4, 5), (2, 5), (2, 6))
    )
    assert many[:2] == few != other
    assert len({each["questions"][0]["on"] for each in many}) == 4
    assert cli.data("worksheet minimax --json --seed 5 --variant 3")["variants"] == many[2:3]
    for topic in ("minimax", "tictactoe", "nim", "chance"):  # made from a tree, a board, questions, and a lesson
        several, single = (make_worksheet(topic, numbers, 5, run_quietly) for numbers in ((2, 3), (3,)))
        assert several.variants[1:] == single.variants, topic
        for write, begin, end in (
            (worksheet_tex, r"\section", r"\newpage"),
            (worksheet_html, "<section>", "</section"),
        ):
            one, last = (write(each, True).split(begin)[-1].partition(end)[0] for each in (single, several))
            assert one == last, topic
    file = tmp_path / "sheet.tex"
    cli.run("worksheet alpha-beta --count 2 --to", file)
    text = file.read_text(encoding="utf-8")
    assert text.count(r"\begin{tikzpicture}") == text.count(r"\newpage") == 2
    assert "exists already" in cli.refusal("worksheet minimax --to", tmp_path / "sheet.tex")
    cli.run("worksheet nim --force --to", file)
    heaps = re.findall(r"(?s)\\begin\{tikzpicture\}.*?\\end", file.read_text(encoding="utf-8"))[:2]
    assert len(heaps) == 2
    for picture in heaps:
        sizes = [int(size) for size in re.findall(r"\{[abc] (\d+)\}", picture)]
        assert picture.count("line width=3.75pt") == sum(sizes) > 0, "each object of a heap is a stick"


def leaves(tree: Any, alpha: float, beta: float, is_max: bool, cuts: Any) -> tuple[float, int]:
    """Return the value of a tree by alpha-beta, and the number of evaluated leaves. `cuts(alpha, beta)` says whether to
    cut off."""
    if isinstance(tree, int):
        return tree, 1
    best, count = -inf if is_max else inf, 0
    for child in tree:
        value, below = leaves(child, alpha, beta, not is_max, cuts)
        best, count = (max if is_max else min)(best, value), count + below
        alpha, beta = (max(alpha, best), beta) if is_max else (alpha, min(beta, best))
        if cuts(alpha, beta):
            break
    return best, count


def test_alpha_beta_sheets_have_something_to_prune_and_no_ties(cli: Cli) -> None:
    for variant in cli.data("worksheet alpha-beta --json --seed 11 --count 30")["variants"]:
        answers = {each["text"]: each["answer"] for each in variant["questions"]}
        tree = json.loads(variant["questions"][0]["on"])
        strict, usual = (leaves(tree, -inf, inf, True, cuts)[1] for cuts in (operator.gt, operator.ge))
        assert strict == usual == int(answers["Leaves that are evaluated"]) < 12


def test_pdf_needs_typst(tmp_path: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "sheet.pdf"
    monkeypatch.setitem(sys.modules, "typst", None)
    assert "pip install 'gamesearch[pdf]'" in cli.refusal("worksheet minimax --to", file)
    sources = list[str]()
    stand_in: Any = ModuleType("typst")

    def compile_source(source: str) -> bytes:
        sources.append(Path(source).read_text(encoding="utf-8"))
        return b"%PDF-"

    stand_in.compile = compile_source
    monkeypatch.setitem(sys.modules, "typst", stand_in)
    cli.run("worksheet tictactoe --count 2 --to", file)
    assert file.read_bytes() == b"%PDF-"
    assert [source.count("#image(") for source in sources] == [2, 2]
    assert typst_text('"#') == '"\\"#"'


def test_an_instance_is_drawn_once(tmp_path: Path, cli: Cli) -> None:
    fixed, drawn = "on: [[3,12],[2,4]]", "on: [[1,2],[3,4]]\nagain: [[?,?,?],[?,?,?]]"
    questions = [("quiz value", fixed), ("value", drawn), ("quiz value", fixed)]
    blocks = [f"```question\nask: {ask}\n{on}\n\nWhich value?\n```\n" for ask, on in questions]
    file = tmp_path / "own.md"
    file.write_text("\n".join(["# Own\n\n## One\n", *blocks[:2], "## Two\n", blocks[2]]), encoding="utf-8")
    data = cli.data("worksheet", file, "--to", tmp_path / "sheet.html")
    posed = data["variants"][0]["questions"]
    assert [each["on"] == "[[3,12],[2,4]]" for each in posed] == [True, True, False]
    assert [each["text"].partition(".")[0] for each in posed] == ["1", "2", "3"]
    assert Path(data["files"][0]).read_text(encoding="utf-8").count("<svg") == 2
