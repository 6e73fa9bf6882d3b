"""What the screen of a match shows: the board, what stands beside it, and the line in which moves are typed."""

import time
from collections.abc import Callable
from typing import ClassVar

from rich.console import Console
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Resize
from textual.widgets import Footer, Static

from gamesearch.algorithms.engine.formatting import compiling_text
from gamesearch.algorithms.engine.result import Value
from gamesearch.game import CHANCE, Game
from gamesearch.play.sessions.pointing import Choosing
from gamesearch.play.sessions.session import Session
from gamesearch.render.match import board_of, found_text, players_line, prompt, result_text, time_text
from gamesearch.tui.board_pane import BoardPane
from gamesearch.tui.full_screen import FullScreen, Line
from gamesearch.tui.match_panel import Thinking, evaluation_text, moves_text, sides_text

__all__ = ["MoveLine", "PlayLayout"]

LEAST_SIDE, MOST_SIDE = 24, 40
"""How many columns there are beside the board: as many as it leaves, within these bounds."""
TINY, TALL = 60, 30
"""A screen of fewer columns has no room beside the board; one of so many lines always has two for what is said."""
LINES_BELOW = 4
"""How many lines the screen has besides those of the board."""


class MoveLine(Line):
    """The line in which moves and commands are typed; while it is empty, arrows belong to the board."""

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
        """Move within the line, or on the board."""
        if self.value:
            getattr(self, f"action_cursor_{direction}")(select)
        else:
            self.screen.query_one(BoardPane).move_cursor(direction)


class PlayLayout(FullScreen):
    """Shows a session as it is now; whoever derives from it lets it go on."""

    TITLE = "gamesearch"
    CSS = """
    Screen { layout: vertical; }
    #title { height: 1; text-wrap: nowrap; text-overflow: ellipsis; background: $panel; }
    #panes { height: 1fr; }
    #board { width: 1fr; height: 100%; }
    #side { width: 30; height: 100%; padding: 0 1; background: $surface; }
    #side Static { height: auto; }
    #sides { margin-bottom: 1; }
    #evaluation { margin-bottom: 1; }
    #thinking { color: $text-muted; }
    #notes { color: $text-muted; }
    #moves { height: 1fr; scrollbar-size-vertical: 1; border-top: solid $panel; }
    #told { height: auto; min-height: 1; max-height: 5; text-style: bold; padding: 0 1; }
    .ascii #moves { border-top: ascii $panel; }
    .tall #told { min-height: 2; }
    #asking { height: 1; }
    #prompt { width: auto; max-width: 75%; text-wrap: nowrap; text-overflow: ellipsis; padding-left: 1; }
    Input { height: 1; border: none; padding: 0; width: 1fr; background: $background; }
    Input:focus { border: none; }
    Help, Chooser { align: center middle; }
    Help Static { width: auto; max-width: 100%; height: auto; padding: 1; background: $panel; }
    OptionList { width: auto; min-width: 24; max-width: 60; height: auto; max-height: 80%; }
    """

    def __init__(self, session: Session, console: Console, only_ascii: bool = False) -> None:
        super().__init__()
        self.session, self.match, self.board_console = session, session.match, console
        self.only_ascii = only_ascii
        self.thinking: Thinking | None = None
        self.after_thinking: Callable[[], None] | None = None
        """What to do instead of the move that is being searched."""
        self.choosing: Choosing | None = None
        self.typed_ahead: list[str] = []
        """Lines typed while the computer thinks, for the person's next turn."""
        self.found: tuple[Value, str] | None = None
        """The value that a search found for the position on the board, and the same in words."""
        self.shows_values = True
        """Whether that is shown, and what the computer finds while it thinks."""
        self.spent = [0.0] * len(self.match.players)
        self.ticked = time.monotonic()
        self.turned = self.ticked
        """When the player to move was last charged for its time."""
        self.interruptions = 0
        self.width_beside = LEAST_SIDE - 2

    @property
    def game(self) -> Game[object]:
        """The game that is played."""
        return self.match.game

    @property
    def pane(self) -> BoardPane:
        """The board."""
        return self.front.query_one(BoardPane)

    # The screen. ---------------------------------------------------------------------------------
    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        yield Static(id="title", markup=False)
        with Horizontal(id="panes"):
            yield BoardPane(self.board_console, self.only_ascii)
            with Vertical(id="side"):
                for place in ("sides", "evaluation", "thinking", "notes"):
                    yield Static(id=place, markup=False)
                with VerticalScroll(id="moves", can_focus=False):
                    yield Static(id="played", markup=False)
        yield Static(id="told", markup=False)
        with Horizontal(id="asking"):
            yield Static(id="prompt", markup=False)
            yield MoveLine(self.entered)
        yield Footer(compact=True, show_command_palette=False)

    def on_resize(self, event: Resize) -> None:
        """Give what stands beside the board more room where there is some."""
        side, pane = self.front.query_one("#side"), self.pane
        side.display = event.size.width >= TINY
        room = (event.size.width - LEAST_SIDE, event.size.height - LINES_BELOW)
        left = event.size.width - pane.width_of(board_of(self.match), room)
        self.width_beside = max(LEAST_SIDE, min(left, MOST_SIDE)) - 2
        side.styles.width = self.width_beside + 2
        self.front.set_class(event.size.height >= TALL, "tall")
        self.call_after_refresh(self.show)

    def tell(self, text: str) -> None:
        """Say something below the board."""
        self.put(told=text)

    def show(self) -> None:
        """Show everything as it is now."""
        match, choosing = self.match, self.choosing
        board = board_of(match)
        chosen = choosing.chosen if choosing else ()
        pointable = choosing.places if choosing else set()
        self.pane.show(board, chosen, pointable if chosen else (), pointable)
        file = f"  {self.session.file}" if self.session.file else ""
        self.put(
            title=f" {self.session.settings.name}{file}  {players_line(match)}",
            notes="\n".join(board.notes) if board.rows else "",
            played=moves_text(match, self.width_beside - 1),
            prompt=self.asked,
        )
        self.front.query_one("#moves").scroll_end(animate=False)
        self.show_clock()

    @property
    def asked(self) -> str:
        """What stands before the line: the result stays there until another game is played."""
        match = self.match
        if match.is_over:
            return f"{result_text(match)}> "
        if not match.has_humans:
            return "command> "
        if self.thinking is not None and not self.session.waits_for_human:  # else it is a hint that is searched
            return "for your next turn> "
        return "" if match.turn == CHANCE else prompt(match)

    def show_clock(self) -> None:
        """Show what changes while somebody thinks."""
        self.put(
            sides=sides_text(self.match, self.board_console, self.times(), self.width_beside),
            evaluation=evaluation_text(self.game, self.evaluation, self.board_console, self.width_beside),
            thinking=self.effort,
        )

    @property
    def effort(self) -> str:
        """The progress of the search; between searches, the progress of the compilation in the background."""
        if self.thinking is not None:
            return self.thinking.text(self.game, self.shows_values)
        preparation = self.session.preparation
        return "" if preparation is None or not preparation.now.compiling else compiling_text(preparation.now)

    @property
    def evaluation(self) -> tuple[Value | None, str] | None:
        """The value of the position on the board and its meaning in words; during a search, its result so far."""
        match, thinking = self.match, self.thinking
        if match.is_over:
            return match.final_value, result_text(match)
        if not self.shows_values:
            return None
        if self.found is None and thinking is not None and thinking.found is not None:
            return thinking.found.value, found_text(self.game, thinking.state, thinking.found)
        return self.found

    def times(self) -> list[str]:
        """What each side has left on its clock; where there is none, what it has used."""
        clock, match = self.session.loop.clock, self.match
        if clock is None:
            return [f"{int(seconds) // 60}:{int(seconds) % 60:02}" for seconds in self.spent]
        left = list(clock.remaining)
        if not match.is_over and match.turn != CHANCE:
            left[match.turn] -= self.used
        return [time_text(seconds) for seconds in left]

    @property
    def used(self) -> float:
        """The seconds of whoever is to move since the last charge, without those of loading and compiling."""
        return time.monotonic() - self.turned - (self.thinking.preparing if self.thinking else 0.0)

    def tick(self) -> None:
        """Count the time of whoever is to move."""
        now, is_preparing = time.monotonic(), self.thinking is not None and self.thinking.is_preparing
        if not self.match.is_over and self.match.turn != CHANCE and not is_preparing:
            self.spent[self.match.turn] += now - self.ticked
        self.ticked = now
        if self.is_running and len(self.screen_stack) == 1:
            self.show_clock()
