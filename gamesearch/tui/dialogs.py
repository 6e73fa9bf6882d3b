"""What covers the screen for a moment: a text to read, and a list to choose from."""

from collections.abc import Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Key
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static

__all__ = ["Chooser", "Help"]


class Help(ModalScreen[None]):
    """A text, such as what the keys do; any key closes it but those that scroll a long one, and so does the mouse."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    def compose(self) -> ComposeResult:
        """The text alone."""
        yield Static(self.text, markup=False)

    def on_key(self, event: Key) -> None:
        """Close it, and let the key do nothing else."""
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
        """Close it."""
        self.close()

    def close(self) -> None:
        """Close it once: keys typed quickly come here again before it is gone."""
        if self.is_current:
            self.dismiss()


class Chooser(ModalScreen[int | None]):
    """A list of names; the number of the one that is chosen, or None."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "give_up", "back")]

    def __init__(self, title: str, names: Sequence[str]) -> None:
        super().__init__()
        self.heading, self.names = title, names

    def compose(self) -> ComposeResult:
        """The list."""
        choices = OptionList(*self.names, markup=False)
        choices.border_title = self.heading
        yield choices

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Take one."""
        self.dismiss(event.option_index)

    def action_give_up(self) -> None:
        """Take none."""
        self.dismiss(None)
