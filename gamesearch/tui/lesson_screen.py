"""A lesson on the full screen: a step of `lessons/session.py` above an input line."""

from math import inf
from textwrap import indent
from time import monotonic
from typing import ClassVar

from rich.padding import Padding
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Input, Static

from gamesearch.lessons.session import COMMANDS, HELP, Entry, Session, count_same
from gamesearch.lessons.views import entry_view
from gamesearch.tui.full_screen import BASE_CSS, FullScreen, Help, Line

__all__ = ["LessonApp"]

KEYS = " ? help  Enter continues  again  back  skip  quit  PgUp PgDn scroll"


class LessonApp(FullScreen):
    """Shows a session and passes typed lines to it."""

    AUTO_FOCUS = None
    CSS = f"""{BASE_CSS}
    #page {{ height: 1fr; padding: 0 1; scrollbar-size-vertical: 1; scrollbar-gutter: stable; }}
    #page Static {{ height: auto; margin-bottom: 1; }}
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "leave(130)", priority=True, show=False),
        Binding("pageup", "scroll(-1)", priority=True, show=False),
        Binding("pagedown", "scroll(1)", priority=True, show=False),
        Binding("question_mark", "help"),
    ]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self.drawn: list[Entry] = []
        self.widgets: list[Static] = []  # the widgets on the screen: one widget for each entry in `drawn`
        self.ready_at = 0.0  # the time at which the last line had been handled; infinite while a line is handled
        self.was_at_end = False  # whether the end of the page was visible after the last change of the page

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        yield Static(id="title", markup=False)
        yield VerticalScroll(id="page", can_focus=False)
        yield Line(self.handle_line)
        yield Static(KEYS, id="keys", markup=False)

    def on_mount(self) -> None:
        """Show the first step."""
        self.front.query_one(Input).focus()
        self.show()

    def show(self) -> None:
        """Show the new entries of the session."""
        session, page = self.session, self.front.query_one("#page", VerticalScroll)
        session.save()
        same = count_same(self.drawn, session.entries)
        for old in self.widgets[same:]:
            old.remove()
        # Without Padding, Textual would draw a Text in a darker color.
        views = [Padding(entry_view(entry), 0) for entry in session.entries[same:]]
        new = [Static(view, markup=False) for view in views]
        page.mount(*new)
        self.was_at_end = False
        self.drawn, self.widgets = list(session.entries), [*self.widgets[:same], *new]
        known = session.progress
        score = f"  {known.right} of {known.answer_count} right" if known.answer_count else ""
        self.put(title=f" {session.lesson.title}  step {session.at + 1} of {len(session.lesson.steps)}{score}")
        if same == 0:
            page.scroll_home(animate=False)
        self.call_after_refresh(self.scroll_to, new[0] if same and new else None)

    def scroll_to(self, widget: Static | None) -> None:
        """Scroll to a new widget. This is called after the layout, because the layout determines the widget's place."""
        if widget is not None:
            self.front.query_one("#page", VerticalScroll).scroll_to_widget(widget, top=True, animate=False)
        self.call_after_refresh(self.update_prompt)

    def update_prompt(self) -> None:
        """Show what can be typed in the empty input line. If the page continues below, show that Enter scrolls."""
        self.was_at_end = self.was_at_end or not self.has_more
        self.front.query_one(Input).placeholder = "Enter shows more" if self.has_more else self.session.invitation

    @property
    def has_more(self) -> bool:
        """Whether the page continues below its visible part."""
        page = self.front.query_one("#page", VerticalScroll)
        return page.scroll_offset.y + 1 < page.max_scroll_y  # the last line of the page is an empty margin

    def handle_line(self, text: str) -> None:
        """Handle a typed line. If the page continues below, an empty line scrolls the page. If the end of a question
        was not yet visible, an answer is not accepted: the page scrolls, and a note says so. If an empty line was typed
        while an earlier line was being handled, it is ignored. Otherwise, it would skip the output of the earlier
        line."""
        line = self.front.query_one(Line)
        is_early = line.key_time < self.ready_at
        if not text.strip() and (is_early or self.has_more):
            if not is_early:
                self.action_scroll(1)
            return
        is_answer = self.session.waits_for == "answer" and text.strip().casefold() not in COMMANDS
        if is_answer and self.has_more and not self.was_at_end:
            line.value, line.cursor_position = text, len(text)
            self.session.entries.append(Entry("note", "The question ends here. Enter submits your answer."))
            self.show()
            return
        self.ready_at, line.placeholder = inf, "working ..."
        self.call_after_refresh(self.enter, text)

    def enter(self, text: str) -> None:
        """Pass a line to the session, and show its new entries."""
        self.session.enter(text)
        if self.session.is_over:
            self.session.save()
            self.exit()
        else:
            self.show()
        self.ready_at = monotonic()

    def action_scroll(self, direction: int) -> None:
        """Scroll the page."""
        page = self.front.query_one("#page", VerticalScroll)
        page.scroll_relative(y=direction * max(1, page.size.height - 2), animate=False)
        self.call_after_refresh(self.update_prompt)

    def action_help(self) -> None:
        """Show what can be typed."""
        self.push_screen(Help(indent(HELP, " ")))
