"""The full screen of a game: its state, and its layout with the board, a panel next to it, and an input line."""

import time
from collections.abc import Callable
from typing import ClassVar

from rich.console import Console
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.geometry import Size
from textual.widgets import Footer, Static

from gamesearch.algorithms.engine.formatting import compiling_text
from gamesearch.algorithms.engine.result import SearchResult, Value
from gamesearch.game import CHANCE
from gamesearch.notation import active_players, player_name
from gamesearch.play.sessions.pointing import MoveSelection
from gamesearch.play.sessions.session import Session
from gamesearch.render.match import board_of, players_line, prompt, result_text, time_text
from gamesearch.render.value_words import found_text
from gamesearch.tui.board_pane import BoardPane
from gamesearch.tui.full_screen import BASE_CSS, FullScreen, Line
from gamesearch.tui.match_panel import OngoingSearch, evaluation_text, moves_text, sides_text

__all__ = ["PlayState", "PlayView"]

LEAST_SIDE, MOST_SIDE = 24, 40  # the least and the greatest width of the panel next to the board, in columns
TINY = 60  # a screen with fewer columns has no panel
TALL = 30  # a screen with fewer lines has only one line for messages
LINES_BELOW = 4  # the number of lines of the screen that are not available for the board


class PlayState:
    """The part of the screen's state that does not belong to the match."""

    def __init__(self, session: Session) -> None:
        self.session, self.match = session, session.match
        self.thinking: OngoingSearch | None = None  # the search for the computer's move or for a hint, while it runs
        self.choosing: MoveSelection | None = None  # the cells that a person has chosen; None if no person is to move
        self.typed_ahead: list[str] = []  # lines typed during a search, to be read at the person's next turn
        self.found: tuple[Value, str] | None = None  # the last value found in this game, as number and in words
        self.shows_values = True  # whether values are shown
        self.spent = [0.0] * len(self.match.players)  # the seconds that each side used in games without a clock
        self.counted_at = time.monotonic()  # the time of the last update of `spent`, by `time.monotonic`
        self.turn_began = self.counted_at  # by `time.monotonic`; moved forward by the time for compiling code

    @property
    def used(self) -> float:
        """The number of seconds that the player to move has used in this turn. Loading and compiling code does not
        count."""
        return time.monotonic() - self.turn_began - (self.thinking.preparing if self.thinking else 0.0)

    @property
    def is_time_up(self) -> bool:
        """Whether a person is to move and has no time left."""
        clock = self.session.loop.clock
        return clock is not None and self.session.waits_for_human and self.used > clock.remaining[self.match.turn]

    def count_time(self) -> None:
        """Add the time since the last call to the time used by the side to move."""
        now, is_preparing = time.monotonic(), self.thinking is not None and self.thinking.is_preparing
        if not self.match.is_over and self.match.turn != CHANCE and not is_preparing:
            self.spent[self.match.turn] += now - self.counted_at
        self.counted_at = now

    def keep_value(self, result: SearchResult | None, *, is_played: bool) -> None:
        """Keep the value that a search found. The display shows it."""
        if result is not None and result.value is not None:
            words = found_text(self.match.game, self.match.state, result, is_played=is_played)
            self.found = result.value, words

    @property
    def prompt(self) -> str:
        """The prompt before the input line."""
        match = self.match
        if match.is_over:
            return "game over> "
        if not match.has_humans:
            return "command> "
        if self.thinking is not None and not self.session.waits_for_human:  # a person who waits for a hint is to move
            return "for your next turn> "
        return "" if match.turn == CHANCE else prompt(match)

    @property
    def effort(self) -> str:
        """The progress of the search; if no search runs, the progress of the compilation in the background."""
        if self.thinking is not None:
            return self.thinking.text(self.match.game, self.shows_values)
        preparation = self.session.preparation
        return "" if preparation is None or not preparation.now.compiling else compiling_text(preparation.now)

    @property
    def evaluation(self) -> tuple[Value | None, str] | None:
        """The last value as a number and in words: the value of the last search, or the result of the game. During the
        first search, it is the best value so far. While values are hidden, it is None."""
        match, thinking = self.match, self.thinking
        if match.is_over:
            return match.final_value, result_text(match)
        if not self.shows_values:
            return None
        if self.found is None and thinking is not None and thinking.found is not None:
            return thinking.found.value, found_text(match.game, thinking.state, thinking.found)
        return self.found

    @property
    def clocks(self) -> str:
        """The clocks in one line; empty in games without a clock."""
        game = self.match.game
        has_clock = self.session.loop.clock is not None
        return "  ".join(f"{player_name(game, i)} {self.times[i]}" for i in active_players(game)) if has_clock else ""

    @property
    def progress(self) -> str:
        """The progress of the search or the last value, in one line."""
        return self.effort.replace("\n", ", ") or (self.evaluation[1] if self.evaluation else "")

    @property
    def times(self) -> list[str]:
        """The time that is left on each side's clock. In games without a clock, the time that each side has used."""
        clock, match = self.session.loop.clock, self.match
        if clock is None:
            return [f"{int(seconds) // 60}:{int(seconds) % 60:02}" for seconds in self.spent]
        left = list(clock.remaining)
        if not match.is_over and match.turn != CHANCE:
            left[match.turn] -= self.used
        return [time_text(seconds) for seconds in left]


class MoveLine(Line):
    """The line in which the user types moves and commands. While the line is empty, the arrow keys move the cursor on
    the board."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "sideways('left', False)", show=False),
        Binding("right", "sideways('right', False)", show=False),
        Binding("shift+left", "sideways('left', True)", show=False),
        Binding("shift+right", "sideways('right', True)", show=False),
        Binding("up", "app.cursor('up')", show=False),
        Binding("down", "app.cursor('down')", show=False),
        Binding("tab", "app.tab(1)", show=False),
        Binding("shift+tab", "app.tab(-1)", show=False),
    ]

    def action_sideways(self, direction: str, select: bool) -> None:
        """Move the cursor in the typed text or, if nothing is typed, the cursor on the board."""
        if self.value:
            getattr(self, f"action_cursor_{direction}")(select)
        else:
            self.screen.query_one(BoardPane).move_cursor(direction)


class PlayView:
    """Places the widgets on the screen, and updates them from a PlayState."""

    CSS = f"""{BASE_CSS}
    Screen {{ layout: vertical; }}
    #title {{ text-overflow: ellipsis; }}
    #panes {{ height: 1fr; }}
    #board {{ width: 1fr; height: 100%; }}
    #side {{ width: 30; height: 100%; padding: 0 1; background: $surface; }}
    #side Static {{ height: auto; }}
    #sides {{ margin-bottom: 1; }}
    #evaluation {{ margin-bottom: 1; }}
    #thinking {{ color: $text-muted; }}
    #notes {{ color: $text-muted; }}
    #moves {{ height: 1fr; scrollbar-size-vertical: 1; border-top: solid $panel; }}
    #told {{ height: auto; min-height: 1; max-height: 5; text-style: bold; padding: 0 1; }}
    .ascii #moves {{ border-top: ascii $panel; }}
    .tall #told {{ min-height: 2; }}
    #asking {{ height: 1; }}
    #prompt {{ width: auto; max-width: 75%; text-wrap: nowrap; text-overflow: ellipsis; padding-left: 1; }}
    Input {{ width: 1fr; background: $background; }}
    Chooser {{ align: center middle; }}
    OptionList {{ width: auto; min-width: 32; max-width: 60; height: auto; max-height: 80%; }}
    """

    def __init__(self, app: FullScreen, state: PlayState, console: Console, only_ascii: bool = False) -> None:
        self.app, self.state, self.console, self.only_ascii = app, state, console, only_ascii
        self.width = LEAST_SIDE - 2  # the width of the text in the panel

    @property
    def pane(self) -> BoardPane:
        """The widget of the board."""
        return self.app.front.query_one(BoardPane)

    @property
    def line(self) -> Line:
        """The input line."""
        return self.app.front.query_one(Line)

    def compose(self, handle_line: Callable[[str], None]) -> ComposeResult:
        """Yield the widgets. `handle_line` is called with each typed line."""
        yield Static(id="title", markup=False)
        with Horizontal(id="panes"):
            yield BoardPane(self.console, self.only_ascii)
            with Vertical(id="side"):
                for place in ("sides", "evaluation", "thinking", "notes"):
                    yield Static(id=place, markup=False)
                with VerticalScroll(id="moves", can_focus=False):
                    yield Static(id="played", markup=False)
        yield Static(id="told", markup=False)
        with Horizontal(id="asking"):
            yield Static(id="prompt", markup=False)
            yield MoveLine(handle_line)
        yield Footer(compact=True, show_command_palette=False)

    def resize(self, size: Size) -> None:
        """Give the panel the columns that the board does not need. If they are too few, hide the panel; then the notes
        are drawn below the board, and the title shows the clocks and the value."""
        side, pane = self.app.front.query_one("#side"), self.pane
        room = (size.width - LEAST_SIDE, size.height - LINES_BELOW)
        left = size.width - pane.width_of(board_of(self.state.match), room)
        side.display = size.width >= TINY and left >= LEAST_SIDE
        pane.has_notes = not side.display
        self.width = max(LEAST_SIDE, min(left, MOST_SIDE)) - 2
        side.styles.width = self.width + 2
        self.app.front.set_class(size.height >= TALL, "tall")

    def tell(self, text: str) -> None:
        """Show a message below the board."""
        self.app.put(told=text)

    def show_again(self) -> None:
        """Clear the message, because it takes space from the board. If the notes still do not fit below the board, they
        become the message."""
        self.tell("")
        self.show()
        self.app.call_after_refresh(self.tell_notes)

    def tell_notes(self) -> None:
        """Show the notes of the board as a message if the board hides some of them."""
        if self.pane.cuts_notes:
            self.tell("\n".join(self.pane.board.notes))

    def show(self) -> None:
        """Update all widgets."""
        state, match, choosing = self.state, self.state.match, self.state.choosing
        board = board_of(match)
        chosen = choosing.chosen if choosing else ()
        pointable = choosing.places if choosing else set()
        self.pane.show(board, chosen, pointable if chosen else (), pointable)
        self.app.put(
            notes="\n".join(board.notes) if board.rows else "",
            played=moves_text(match, self.width - 1),
            prompt=state.prompt,
        )
        self.app.front.query_one("#moves").scroll_end(animate=False)
        self.show_clock()

    @property
    def needed(self) -> str:
        """Words for the size that the screen needs to show the whole board; empty if the screen is large enough."""
        width, height = self.pane.drawing.width, len(self.pane.drawing.lines) + LINES_BELOW
        size = self.app.size
        return f"board needs {width}x{height}" if width > size.width or height > size.height else ""

    def show_clock(self) -> None:
        """Update the texts that change during a turn: times, the value, and the progress of the search."""
        state, session = self.state, self.state.session
        clocks, progress = (state.clocks, state.progress) if self.pane.has_notes else ("", "")
        facts = (clocks, self.needed, progress, session.settings.name, session.file, players_line(state.match))
        self.app.put(
            title=f" {'  '.join(str(fact) for fact in facts if fact)}",
            sides=sides_text(state.match, self.console, state.times, self.width),
            evaluation=evaluation_text(state.match.game, state.evaluation, self.console, self.width),
            thinking=state.effort,
        )
