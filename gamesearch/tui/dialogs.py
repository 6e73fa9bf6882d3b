"""Dialogs that cover the screen: a text, and a list to choose from."""

from collections.abc import Sequence
from typing import ClassVar

from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

__all__ = ["Chooser", "Help"]

CLOSING = " Any key closes this text; the arrow keys scroll it if it is long.\n\n"


class Help(ModalScreen[None]):
    """A dialog that shows a text until a click or a key; some keys scroll a long text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """Show the text."""
        yield Static(CLOSING + self.text, markup=False)

    def on_key(self, event: Key) -> None:
        """Scroll or close the text; the key has no other effect."""
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
    """A dialog with a list of names. The result of the dialog is the index of the chosen name, or None after Escape.
    The list contains only the names that begin with the typed text. The typed text is shown above the list."""

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
        """Show the names that begin with the typed text, ignoring case if no name has the same case."""
        self.typed = typed
        left = [number for number, name in enumerate(self.names) if name.startswith(typed)]
        if not left:
            left = [number for number, name in enumerate(self.names) if name.casefold().startswith(typed.casefold())]
        choices = self.query_one(OptionList)
        choices.set_options(Option(self.names[number], id=str(number)) for number in left)
        choices.highlighted = 0 if left else None
        choices.border_title = Text(f"{self.heading} {typed}".rstrip())
        choices.border_subtitle = "type to choose" if left else "no match"

    def on_key(self, event: Key) -> None:
        """Add a character to the typed text, or remove the last character after Backspace."""
        if event.key == "backspace":
            event.stop()
            self.narrow(self.typed[:-1])
        elif event.is_printable and event.character is not None:
            event.stop()
            self.narrow(self.typed + event.character)

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Choose a name; a second Enter that arrives before the list is closed has no effect."""
        if self.is_current:
            self.dismiss(int(event.option.id or 0))
