"""The base of all full-screen programs: exit codes, an input line, dialogs, and decoding of keys."""

import asyncio
import codecs
import select
import signal
import sys
from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.segment import Segment
from rich.text import Text
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.color import Color
from textual.events import Key
from textual.filter import LineFilter
from textual.screen import ModalScreen, Screen
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from gamesearch.support.escaping import escape_invisible, terminal_text

__all__ = ["BASE_CSS", "Chooser", "FullScreen", "Help", "InputDecoder", "Line"]


class VisibleFilter(LineFilter):
    """Removes control characters and other invisible characters, so that no text can send commands to the terminal."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:  # noqa: ARG002
        """Return the segments without invisible characters."""
        return [
            each
            if each.control or each.text.isprintable()
            else Segment("".join(c for c in each.text if escape_invisible(c) == c), each.style)
            for each in segments
        ]


VISIBLE = VisibleFilter()


BASE_CSS = """
#title { height: 1; text-wrap: nowrap; background: $panel; }
#keys { height: 1; text-wrap: nowrap; background: $panel; }
Input { height: 1; border: none; padding: 0; }
Input:focus { border: none; }
Help { align: center middle; }
Help Static { width: auto; max-width: 100%; height: auto; padding: 1; background: $panel; }
"""
"""The style of the widgets that several screens share."""


class FullScreen(App[None]):
    """An app that always ends with an exit code."""

    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+l", "redraw", "redraw", show=False)]

    def __init__(self) -> None:
        use_own_decoder()
        super().__init__()
        self.failure: Exception | None = None  # the error that ended the app; None if it ended normally

    def on_mount(self) -> None:
        """Draw the screen again when a stopped process continues. Textual's own handler does not first restore the
        settings that the terminal had before the app started. So it would mistake Textual's settings for them."""
        number = getattr(signal, "SIGCONT", None)
        if number is not None and not self.is_headless:
            loop = asyncio.get_running_loop()
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(self.call_later, self.action_redraw))

    def on_unmount(self) -> None:
        """Remove the handler, because the event loop ends."""
        if hasattr(signal, "SIGCONT") and not self.is_headless:
            signal.signal(signal.SIGCONT, signal.SIG_DFL)

    def action_redraw(self) -> None:
        """Set up the terminal again, and draw the whole screen."""
        if not self.is_headless:
            with self.suspend():
                pass

    @property
    def front(self) -> Screen[object]:
        """The main screen of the app, which a dialog may cover."""
        return self.screen_stack[0]

    def put(self, **texts: str | Text) -> None:
        """Show each text in the widget whose id is the name of the argument."""
        for place, text in texts.items():
            self.front.query_one(f"#{place}", Static).update(terminal_text(text) if isinstance(text, str) else text)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """The filters that Textual applies to each line before it sends the line to the terminal."""
        return [*super().get_line_filters(), VISIBLE]

    def action_leave(self, code: int) -> None:
        """End the app with an exit code."""
        self.exit(return_code=code)

    def fail(self, error: Exception) -> None:
        """End the app because of an error, without a traceback on the screen."""
        self.failure = error
        self.exit(return_code=2)

    def _handle_exception(self, error: Exception) -> None:
        self.fail(error)


class Line(Input):
    """A one-line input field in which keys act in the order in which they are typed. Textual first sends keys with a
    binding, such as Backspace, to the app. A character that is typed soon after such a key would overtake it without
    this class."""

    def __init__(self, handle_line: Callable[[str], None]) -> None:
        super().__init__(id="typed", select_on_focus=False)
        self.handle_line = handle_line  # a callback that gets each line after Enter
        self.key_time = 0.0  # the time at which the last key was typed

    def check_consume_key(self, key: str, character: str | None) -> bool:
        """Whether a key inserts a character. If `?` is the first key on a line, it is not inserted, but shows the
        help."""
        return super().check_consume_key(key, character) and (character != "?" or bool(self.value))

    async def on_key(self, event: Key) -> None:
        """Run the action of a key immediately, or pass the key to the dialog that covers the input line."""
        self.key_time = event.time
        if self.app.screen is not self.screen:
            event.prevent_default().stop()
            self.app.post_message(Key(event.key, event.character))
        elif not self.check_consume_key(event.key, event.character):
            bound = self.screen.active_bindings.get(event.key)
            if bound is not None:
                event.prevent_default().stop()
                await self.app.run_action(bound.binding.action, bound.node)

    async def action_submit(self) -> None:
        """Pass the typed line to `handle_line` before the next key is handled."""
        text, self.value = self.value, ""
        self.handle_line(text)


ESCAPE_DELAY = 0.025  # seconds within which the bytes after an Escape belong to the same key
ESCAPE, ESCAPE_KEY = "\x1b", "\x1b[27u"  # the beginning of many keys, and an unambiguous code for the key Escape


class InputDecoder:
    """Decodes the bytes of the terminal. Textual's own decoder stops at the first invalid byte. If another character
    follows Escape within a tenth of a second, that decoder reads both as one key."""

    def __init__(self, encoding: str = "utf-8") -> None:
        self.decoder = codecs.getincrementaldecoder(encoding)(errors="replace")

    def decode(self, data: bytes, final: bool = False) -> str:
        """Decode bytes. If the last byte is ESCAPE and no other byte follows within ESCAPE_DELAY seconds, the Escape
        key was pressed."""
        text = self.decoder.decode(data, final)
        is_key = text.endswith(ESCAPE) and not select.select([sys.__stdin__ or 0], [], [], ESCAPE_DELAY)[0]
        return text.removesuffix(ESCAPE) + ESCAPE_KEY if is_key else text


def use_own_decoder() -> None:
    """Replace the decoder of Textual's driver by InputDecoder."""
    import textual.drivers.linux_driver as driver

    if hasattr(driver, "getincrementaldecoder"):
        setattr(driver, "getincrementaldecoder", lambda encoding: lambda: InputDecoder(encoding))  # noqa: B010


# Dialogs. -----------------------------------------------------------------------------------------
CLOSING = """\
 Any key closes this text; the arrow keys scroll it if it is long.
 After it is closed, Ctrl-L draws the screen again.

"""


class Help(ModalScreen[None]):
    """A dialog that shows a text until the user clicks or presses a key. Some keys scroll a long text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """Show the text."""
        yield Static(CLOSING + self.text, markup=False)

    def on_key(self, event: Key) -> None:
        """Scroll or close the text. No other part of the program handles the key."""
        event.stop()
        scroll = {
            "up": self.scroll_up,
            "down": self.scroll_down,
            "pageup": self.scroll_page_up,
            "pagedown": self.scroll_page_down,
            "home": self.scroll_home,
            "end": self.scroll_end,
        }.get(event.key)
        if scroll is not None and self.max_scroll_y:
            scroll(animate=False)
        else:
            self.close()

    def on_click(self) -> None:
        """Close the text."""
        self.close()

    def close(self) -> None:
        """Close the text; a second key that arrives before the text is closed has no effect."""
        if self.is_current:
            self.dismiss()


class Chooser(ModalScreen[int | None]):
    """A dialog in which the user chooses a name. It lists the names that begin with the typed text. The result is an
    index, or None after Escape."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "back")]

    def __init__(self, title: str, names: Sequence[str]) -> None:
        super().__init__()
        self.heading, self.names = title, names
        self.typed = ""

    def compose(self) -> ComposeResult:
        """Yield the widget for the list of names."""
        yield OptionList(markup=False)

    def on_mount(self) -> None:
        """Show all names, because nothing is typed yet."""
        self.narrow("")

    def narrow(self, typed: str) -> None:
        """Show the names that begin with the typed text. If no name begins with this text, ignore upper and lower case.
        If there is still no name, keep the names on the screen, but highlight none, so that Enter chooses nothing."""
        self.typed = typed
        left = [number for number, name in enumerate(self.names) if name.startswith(typed)]
        if not left:
            left = [number for number, name in enumerate(self.names) if name.casefold().startswith(typed.casefold())]
        choices = self.query_one(OptionList)
        if left:
            choices.set_options(Option(self.names[number], id=str(number)) for number in left)
        choices.highlighted = 0 if left else None
        choices.border_title = Text(f"{self.heading} {typed}".rstrip())
        choices.border_subtitle = f"{'type to choose' if left else 'no match'}; Esc closes"

    def on_key(self, event: Key) -> None:
        """Add a character to the typed text, or remove the last character after Backspace."""
        if event.key == "backspace":
            event.stop()
            self.narrow(self.typed[:-1])
        elif event.is_printable and event.character is not None:
            event.stop()
            self.narrow(self.typed + event.character)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose a name. If Enter is pressed again before the list is closed, nothing happens."""
        if self.is_current:
            self.dismiss(int(event.option.id or 0))
