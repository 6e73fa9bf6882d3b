"""Export lessons to a file: Markdown, a web page that grades answers, or a notebook."""

import re
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from markdown_it import MarkdownIt

from gamesearch.files.whole import Note, ignore_note
from gamesearch.lessons.instances import locate
from gamesearch.lessons.lesson import Board, Command, Exercise, Item, Lesson, Question, Step, Text, Tree
from gamesearch.lessons.questions import PosedQuestion, RunCommand, pose
from gamesearch.lessons.session import is_repeatable, picture_of
from gamesearch.lessons.views import figure_svg, figure_text, question_text
from gamesearch.render.formats.svg import in_page
from gamesearch.render.pages import html_page
from gamesearch.support.escaping import escape_invisible, json_text, xml_text

__all__ = ["export"]

COURSE = "Adversarial search"
"""The title of a document with several lessons."""
SHAPES = {
    'class="shape max': "△ Max",
    'class="shape min': "▽ Min",
    '<circle class="shape': "○ chance",
    'class="shape player': "▢ another player",
    'class="shape leaf': "□ leaf",
    ">__<": "__ a value to find",
}
"""The meaning of each sign in a tree. The keys are the beginnings of SVG elements."""
INSTANCES = 6
"""A web page has this number of instances of each question with random instances."""
SHORT_CODE = re.compile(r"<code>(?=[^<]{1,32}</code>)")
"""Matches the start tag of short code in HTML. Short code is not broken into two lines."""
OPTION = re.compile(r"(?<!\S)--[a-z-]+")
"""A pattern for an option of a command. An option is not broken into two lines."""
CODE = re.compile(r"(```.*?```|`[^`\n]*`)", re.DOTALL)


def export(lessons: Sequence[Lesson], suffix: str, run: RunCommand, note: Note = ignore_note) -> str:
    """The text of a file with lessons. The suffix (`.md`, `.html` or `.ipynb`) decides the format.

    `run` runs a command of a lesson. `note` is called before each lesson, with the lesson's number and title.
    """
    return {".md": markdown, ".html": page, ".ipynb": notebook}[suffix](lessons, run, note)


def announce(lessons: Sequence[Lesson], note: Note) -> Iterator[Lesson]:
    """Yield the lessons. If there are several lessons, report each lesson before it is yielded."""
    for number, lesson in enumerate(lessons, 1):
        if len(lessons) > 1:
            note(f"{number} of {len(lessons)}: {lesson.title}")
        yield lesson


def output_of(item: Command, run: RunCommand) -> str:
    """The output of a command. If the command fails, raises GamesearchError with the line number of the command."""
    with locate(item):
        return run(item.line)


def items_of(step: Step) -> Iterator[tuple[Item, bool]]:
    """Yield the items of a step. The flag is True if a question of the step comes before the item: the output of a
    command is then hidden, because it may show the answer."""
    is_after_question = False
    for item in step.items:
        yield item, is_after_question
        is_after_question |= isinstance(item, Question)


# Markdown. ---------------------------------------------------------------------------------------
def markdown(lessons: Sequence[Lesson], run: RunCommand, note: Note) -> str:
    """The lessons in Markdown, with a table of contents if there are several lessons."""
    if len(lessons) == 1:
        return markdown_file(lessons[0], run)
    contents = [f"{at}. [{plain_markdown(each.title)}](#{each.name})" for at, each in enumerate(lessons, 1)]
    texts = (f'<a id="{each.name}"></a>\n\n{markdown_file(each, run)}' for each in announce(lessons, note))
    return "\n".join((f"# {COURSE}\n", *contents, "", *texts))


def plain_markdown(text: str) -> str:
    """Escape the HTML in a Markdown text, except in code."""
    parts = CODE.split("\n".join(map(escape_invisible, text.split("\n"))))
    return "".join(part if number % 2 else part.replace("<", "&lt;") for number, part in enumerate(parts))


def fence(text: str, kind: str = "") -> str:
    """A code block; its fence (backticks) is longer than every fence in the text."""
    fence = "`" * max(3, *(len(each) + 1 for each in re.findall("`+", text)), 3)
    return f"{fence}{kind}\n{text}\n{fence}"


def markdown_file(lesson: Lesson, run: RunCommand) -> str:
    """The lesson in Markdown, with the answers at the end."""
    answers: list[str] = []
    shown: list[str] = []  # the instances of the figures in this step

    def blocks(item: Item, is_hidden: bool = False) -> Iterator[str]:
        match item:
            case Text():
                yield plain_markdown(item.markdown)
            case Exercise():
                yield f"**Exercise**\n\n{plain_markdown(item.markdown)}"
            case Command():
                output = output_of(item, run)
                if is_hidden:
                    yield fence(f"$ {item.line}", "console")
                    yield f"<details><summary>output</summary>\n\n{fence(output.rstrip())}\n\n</details>"
                else:
                    yield fence(f"$ {item.line}\n{output}".rstrip(), "console")
            case Tree() | Board():
                shown.append(item.on)
                yield fence(figure_text(item))
            case Question():
                posed = pose(item, run=run)
                picture = picture_of(posed.on)
                if picture is not None and posed.on not in shown[-1:]:
                    yield from blocks(picture)
                options = zip(posed.question.moves, posed.options, strict=False)
                yield plain_markdown(f"**Question {len(answers) + 1}.** {posed.prompt}")
                if posed.options:
                    yield "\n".join(plain_markdown(f"- {letter}) {option}") for letter, option in options)
                answers.append(plain_markdown(f"{len(answers) + 1}. {answer_text(posed)}"))

    parts = [f"# {plain_markdown(lesson.title)}", plain_markdown(lesson.summary)]
    for step in lesson.steps:
        shown.clear()
        parts += [f"## {plain_markdown(step.title)}"] if step.title else []
        parts += [block for item, is_hidden in items_of(step) for block in blocks(item, is_hidden)]
    if answers:
        parts += ["## Answers", "\n".join(answers)]
    if lesson.sources:
        parts += ["## Sources", plain_markdown(lesson.sources)]
    return "\n\n".join(filter(None, parts)) + "\n"


def answer_text(posed: PosedQuestion) -> str:
    """The answer to a question, with its reason, on one line."""
    text = f"{posed.question.solution} {posed.explanation}"
    return " ".join(text.split())


# The page. ---------------------------------------------------------------------------------------
def page(lessons: Sequence[Lesson], run: RunCommand, note: Note) -> str:
    """A web page that works offline. It judges answers and offers random instances of the questions.

    A page with several lessons begins with a table of contents.
    """
    renderer = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    questions: list[list[dict[str, Any]]] = []
    first = 0  # the number of questions of the earlier lessons on the page
    shown: list[str] = []  # the instances of the figures in this step

    def html(markdown: str) -> str:
        rendered: str = renderer.render("\n".join(map(escape_invisible, markdown.split("\n"))))
        return SHORT_CODE.sub('<code class="short">', rendered)

    def inline(markdown: str) -> str:
        rendered: str = renderer.renderInline(escape_invisible(markdown))
        return SHORT_CODE.sub('<code class="short">', rendered)

    def block(item: Item, all_instances: Sequence[str], is_hidden: bool = False) -> str:
        """The HTML of an item; `all_instances` contains the instances of all questions in the same step. If
        `is_hidden`, the output of a command is only shown after a click."""
        match item:
            case Text():
                return html(item.markdown)
            case Exercise():
                return f'<div class="exercise"><h3>Exercise</h3>{html(item.markdown)}</div>'
            case Command():
                line = OPTION.sub(r"<span>\g<0></span>", xml_text(item.line))
                output, opened = lines_of(output_of(item, run)), "" if is_hidden else " open"
                return (
                    f'<pre class="command">$ {line}</pre>'
                    f"<details{opened}><summary>output</summary><pre>{output}</pre></details>"
                )
            case Tree() | Board():
                shown.append(item.on)
                return figure(item)
        posed = list(instances(item, run))
        picture, above = picture_of(posed[0].on), ""
        if picture is not None and posed[0].on not in shown[-1:] and all_instances.count(posed[0].on) > 1:
            above = block(picture, all_instances)  # one figure for several questions
        questions.append([question_data(each, html, inline) for each in posed])
        if posed[0].on in shown[-1:]:  # the figure above shows the first instance
            questions[-1][0]["prompt"] = html(posed[0].prompt)
        heading = f"<strong>Question {len(questions) - first}</strong>"
        return f'{above}<form class="question" data-question="{len(questions) - 1}">{heading}</form>'

    def section(step: Step) -> str:
        shown.clear()
        heading = f"<h2>{xml_text(step.title)}</h2>\n" if step.title else ""
        all_instances = [item.on for item in step.items if isinstance(item, Question)]
        blocks = (block(item, all_instances, is_hidden) for item, is_hidden in items_of(step))
        return f"<section>\n{heading}{''.join(blocks)}</section>\n"

    def whole(lesson: Lesson) -> str:
        nonlocal first
        first = len(questions)
        sections = "".join(map(section, lesson.steps))
        prompts = (posed["prompt"] for instances in questions[first:] for posed in instances)
        content = html(lesson.summary) + legend(sections + "".join(prompts)) + sections
        if lesson.sources:
            content += f'<footer class="sources"><h2>Sources</h2>{html(lesson.sources)}</footer>'
        return content if len(lessons) == 1 else f'<h1 id="{lesson.name}">{xml_text(lesson.title)}</h1>\n{content}'

    title, contents = lessons[0].title, ""
    if len(lessons) > 1:
        title = COURSE
        links = (f'<li><a href="#{each.name}">{xml_text(each.title)}</a></li>' for each in lessons)
        contents = f"<nav><ol>{''.join(links)}</ol></nav>\n"
    content = contents + "".join(map(whole, announce(lessons, note)))
    return html_page(("lesson_page",), title, {"questions": questions}, {"content": content})


def legend(content: str) -> str:
    """An explanation of the signs in the trees of a page."""
    words = [words for sign, words in SHAPES.items() if sign in content]
    return f'<p class="shapes">In trees: {", ".join(words)}.</p>\n' if words else ""


def lines_of(text: str) -> str:
    """The HTML of lines of text."""
    return "\n".join(map(xml_text, text.split("\n")))


def figure(item: Tree | Board) -> str:
    """The SVG of a tree or board for a page. The style of a tree does not change the boards on the page, and vice
    versa."""
    return in_page(figure_svg(item), type(item).__name__.lower())


def instances(question: Question, run: RunCommand) -> Iterator[PosedQuestion]:
    """Pose a question about its first instance. If the question can have random instances, pose it INSTANCES times in
    total."""
    yield pose(question, run=run)
    if is_repeatable(question):
        for seed in range(1, INSTANCES):
            yield pose(question, seed, run)


def question_data(posed: PosedQuestion, html: Callable[[str], str], inline: Callable[[str], str]) -> dict[str, Any]:
    """The data of a question for the script of a web page; the prompt, options and reasons are HTML."""
    question, picture = posed.question, picture_of(posed.on)
    short = {name[1:]: name for name in question.moves if question.kind == "choice"}  # such as 3 for a3 in one heap
    return {
        "prompt": (figure(picture) if picture is not None else "") + html(posed.prompt),
        "kind": question.kind,
        "answer": question.answer,
        "numbers": [str(number) for number in question.numbers],
        "within": question.within,
        "words": [*question.moves],
        "spellings": {text: name for text, name in short.items() if posed.move_in_other_spelling(text) == name},
        "misread": question.input_error("?"),
        "options": list(map(inline, posed.options)),
        "right": [question.answer, *posed.also],
        "reason": inline(question.reason) if posed.options else xml_text(escape_invisible(question.reason)),
        "reasons": list(map(inline, posed.reasons)),
        "explanation": inline(posed.explanation),
    }


# The notebook. -----------------------------------------------------------------------------------
FIND_COMMAND = """\
# Run this cell first, so that the next cells find gamesearch.
import os, sys

os.environ["PATH"] = os.path.dirname(sys.executable) + os.pathsep + os.environ["PATH"]"""
"""A cell that adds the folder of the notebook's Python to the PATH. The PATH lacks this folder if the virtual
environment is not activated."""


def notebook(lessons: Sequence[Lesson], run: RunCommand, note: Note) -> str:
    """A notebook whose cells run the commands. Students type an answer into a cell, and the cell judges this answer."""
    cells = [cell for lesson in announce(lessons, note) for cell in cells_of(lesson, run)]
    cells.insert(1, code_cell(FIND_COMMAND))
    data = {
        "cells": cells,
        "metadata": {
            "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 4,
    }
    return json_text(data, indent=1) + "\n"


def cells_of(lesson: Lesson, run: RunCommand) -> Iterator[dict[str, Any]]:
    """The notebook cells of a lesson. The text between two commands or questions is one cell."""
    text = [f"# {plain_markdown(lesson.title)}", plain_markdown(lesson.summary)]
    if lesson.questions:
        text.append("To answer a question, type the answer between the quotation marks of its cell, and run the cell.")

    def with_text(cell: dict[str, Any]) -> Iterator[dict[str, Any]]:
        if text:
            yield markdown_cell("\n\n".join(filter(None, text)))
            text.clear()
        yield cell

    number = 0
    for step in lesson.steps:
        text += [f"## {plain_markdown(step.title)}"] if step.title else []
        for item, is_hidden in items_of(step):
            match item:
                case Text():
                    text.append(plain_markdown(item.markdown))
                case Exercise():
                    text.append(f"**Exercise**\n\n{plain_markdown(item.markdown)}")
                case Tree() | Board():
                    text.append(fence(figure_text(item)))
                case Command():
                    yield from with_text(code_cell(f"!{item.line}", "" if is_hidden else output_of(item, run)))
                case Question():
                    number += 1
                    line = f'!gamesearch lesson {shlex.quote(lesson.name)} --question {number} --answer ""'
                    yield from with_text(code_cell(line, question_text(pose(item, run=run))))
    sources = f"## Sources\n\n{plain_markdown(lesson.sources)}" if lesson.sources else ""
    if rest := "\n\n".join(filter(None, (*text, sources))):
        yield markdown_cell(rest)


def markdown_cell(text: str) -> dict[str, Any]:
    """A cell of text."""
    return {"cell_type": "markdown", "metadata": {}, "source": text}


def code_cell(source: str, output: str = "") -> dict[str, Any]:
    """A cell of code with its output."""
    return {
        "cell_type": "code",
        "execution_count": None,
        "metadata": {},
        "outputs": [{"output_type": "stream", "name": "stdout", "text": output + "\n"}] if output else [],
        "source": source,
    }
