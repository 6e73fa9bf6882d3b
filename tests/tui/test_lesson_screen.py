"""The screen of `lesson`, driven by Textual's pilot."""

import pytest

pytest.importorskip("textual")

from screens import drive, screen
from textual.events import Key
from textual.pilot import Pilot

from gamesearch.commands.learning.lesson import run_quietly
from gamesearch.lessons.lesson import load_lesson, parse_lesson
from gamesearch.lessons.session import Session
from gamesearch.tui.full_screen import Help
from gamesearch.tui.lesson_screen import LessonApp


def test_a_student_plays_the_beginning_of_a_lesson(monkeypatch: pytest.MonkeyPatch) -> None:
    session, saved = Session(load_lesson("minimax"), run_quietly, seed=1), list[int]()
    monkeypatch.setattr(session, "save", lambda: saved.append(session.at))
    app = LessonApp(session)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert screen(app).splitlines()[0] == " Minimax  step 1 of 9"
        assert "b 12   c 8   a 2   b 4   c 6" in screen(app)
        await pilot.press("enter", *"maybe", "enter")
        assert "'maybe' is not a value" in screen(app)
        await pilot.press("2", "enter")
        told = "Right. The answer is 2: from this node, a is worth 2, b is worth 4, c is worth 6"
        assert told in " ".join(screen(app).split())
        assert "1 of 1 right" in screen(app).splitlines()[0]
        await pilot.press(*"again", "enter", *"skip", "enter")
        await pilot.press("?")
        assert "Any key closes this" in screen(app)
        await pilot.press("x")
        assert not isinstance(app.screen, Help)
        await pilot.press(*"back", "enter")
        assert "step 1 of 9" in screen(app)
        await pilot.press(*"quit", "enter")

    drive(app, script, (80, 40))
    assert saved[:2] == [0, 1]
    assert app.return_code == 0


def test_invisible_characters_do_not_reach_the_terminal() -> None:
    lesson = parse_lesson("# A\x1b[31m\n\n## B\x1b\n\ntext \x1b[31m\u202e\n", "mine.md")
    app = LessonApp(Session(lesson, run_quietly))

    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert "\x1b" not in screen(app)
        assert "text" in screen(app)

    drive(app, script)


LINES = "\n\n".join(f"line {number}" for number in range(30))
"""A page that is longer than the screen."""


def test_enter_scrolls_a_long_page_before_it_continues() -> None:
    session = Session(parse_lesson(f"# A\n\n## B\n\n{LINES}\n\n## C\n\nthe end\n", "mine.md"), run_quietly)
    app = LessonApp(session)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert "line 29" not in screen(app)
        assert "Enter shows more" in screen(app)
        for _ in range(3):
            await pilot.press("enter")
            await pilot.pause()
        assert "line 29" in screen(app)
        assert session.at == 0
        await pilot.press("enter")
        assert session.at == 1
        await pilot.pause()
        assert "the end" in screen(app)

    drive(app, script)


def test_an_answer_to_a_question_below_the_screen_is_not_judged() -> None:
    question = "```question\non: [[1,2],[3,4]]\nask: value\n\nWhat is it?\n```\n"
    session = Session(parse_lesson(f"# A\n\n## B\n\n{LINES}\n\n{question}", "mine.md"), run_quietly)
    app = LessonApp(session)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.pause()
        assert "What is it?" not in screen(app)
        await pilot.press("1", "enter")
        await pilot.pause()
        assert not session.progress.results
        assert "What is it?" in screen(app)
        assert "Enter submits your answer" in screen(app)
        await pilot.press("backspace", "3", "pageup", "pageup")
        await pilot.pause()
        assert "What is it?" not in screen(app)
        await pilot.press("enter")
        assert session.progress.results == {"1": True}

    drive(app, script)


def test_an_empty_line_is_ignored_while_the_lesson_computes() -> None:
    question = "```question\nask: json value\ncommand: gamesearch games --json\n\nHow many?\n```\n"
    text = f"# A\n\n## B\n\n```console\n$ gamesearch games\n...\n```\n\n## C\n\n{question}"
    frames, while_running = list[str](), list[Key]()

    def run(_: str) -> str:
        frames.append(screen(app))
        while_running[:] = [Key("enter", "\r"), Key("3", "3"), Key("enter", "\r")]
        return '{"value": 3}'

    session = Session(parse_lesson(text, "mine.md"), run)
    app = LessonApp(session)

    async def script(pilot: Pilot[None]) -> None:
        await pilot.press("enter")
        await pilot.pause()
        assert "working ..." in frames[0]
        assert '{"value": 3}' in screen(app)
        app.post_message(while_running[0])
        await pilot.pause()
        assert (session.at, session.waits_for) == (0, "next")
        await pilot.press("enter")
        await pilot.pause()
        assert session.at == 1
        assert "working ..." in frames[1]
        for key in while_running:
            app.post_message(key)
        await pilot.pause()
        assert session.progress.results == {"1": True}

    drive(app, script)
