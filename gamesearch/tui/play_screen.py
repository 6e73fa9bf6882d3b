"""A match on the whole screen: the board stays where it is, and moves are typed, pointed at by keys, or clicked.

What is played, taken back and saved is `play/session.py`; here it is only shown, asked and thought about in a thread.
"""

import asyncio
import itertools
import signal
import threading
import time
from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.console import Console
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.events import Resize
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Footer, Input, Static
from textual.widgets.input import Selection

from gamesearch.algorithms.parts.result import Monitor, Progress, SearchResult, Value
from gamesearch.boards import Place
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE, Game
from gamesearch.play.lines import Line as Read
from gamesearch.play.lines import completions, is_command
from gamesearch.play.pointing import Choosing
from gamesearch.play.session import Reply, Session
from gamesearch.render.match import board_of, commands_list, found_text, move_line, prompt, result_text
from gamesearch.tui.board_pane import BoardPane
from gamesearch.tui.dialogs import Chooser, Help
from gamesearch.tui.match_panel import Thinking, evaluation_text, moves_text, sides_text

__all__ = ["PlayApp"]

INTERRUPTED = 130
"""The exit code after Ctrl-C."""
LEAST_SIDE, MOST_SIDE = 24, 40
"""How many columns there are beside the board: as many as it leaves, within these bounds."""
TINY, TALL = 60, 30
"""A screen of fewer columns has no room beside the board; one of so many lines has two for what is said."""
LINES_BELOW = 4
"""How many lines the screen has besides those of the board."""
KEYS = """\
 Type a move and press Enter, or click: the man, then where it goes. Keys:

 arrows   to another cell
 Tab      to the next cell that fits
 Enter    choose the cell; without a cursor, all moves as a list
 Esc      let go of what is chosen; while the computer thinks: play at once
 Ctrl-T   hint      Ctrl-Z   undo      Ctrl-Y   redo    Ctrl-O   turn board
 Ctrl-B   value     Ctrl-N   new game  Ctrl-S   save    Ctrl-Q   leave
"""


class Line(Input):
    """The line in which moves and commands are typed; while it is empty, arrows belong to the board."""

    def action_cursor_left(self, select: bool = False) -> None:
        """Move within the line, or on the board."""
        if self.value:
            super().action_cursor_left(select)
        else:
            self.app.query_one(BoardPane).move_cursor("left")

    def action_cursor_right(self, select: bool = False) -> None:
        """Move within the line, or on the board."""
        if self.value:
            super().action_cursor_right(select)
        else:
            self.app.query_one(BoardPane).move_cursor("right")


class PlayApp(App[None]):
    """Plays a session."""

    TITLE = "gamesearch"
    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { layout: vertical; }
    #title { height: 1; text-wrap: nowrap; background: $panel; }
    #panes { height: 1fr; }
    #board { width: 1fr; height: 100%; }
    #side { width: 30; height: 100%; padding: 0 1; background: $surface; }
    #side Static { height: auto; }
    #sides { margin-bottom: 1; }
    #evaluation { margin-bottom: 1; }
    #thinking { color: $text-muted; }
    #notes { color: $text-muted; }
    #moves { height: 1fr; scrollbar-size-vertical: 1; border-top: solid $panel; }
    #told { height: 1; text-wrap: nowrap; text-overflow: ellipsis; text-style: bold; padding: 0 1; }
    .ascii #moves { border-top: ascii $panel; }
    .tall #told, #told.long { height: 2; text-wrap: wrap; }
    #asking { height: 1; }
    #prompt { width: auto; padding-left: 1; }
    Input { height: 1; border: none; padding: 0; width: 1fr; background: $background; }
    Input:focus { border: none; }
    Help, Chooser { align: center middle; }
    Help Static { width: auto; height: auto; padding: 1; background: $panel; }
    OptionList { width: auto; min-width: 24; max-width: 60; height: auto; max-height: 80%; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f1", "help", "help", key_display="?"),
        Binding("ctrl+t", "hint", "hint", priority=True),
        Binding("ctrl+z", "command('undo')", "undo", priority=True),
        Binding("ctrl+y", "command('redo')", "redo", priority=True),
        Binding("ctrl+o", "flip", "turn", priority=True),
        Binding("ctrl+b", "evaluation", "value", priority=True),
        Binding("ctrl+s", "save", "save", priority=True),
        Binding("ctrl+n", "command('new')", "new", priority=True),
        Binding("ctrl+q", "leave(0)", "leave", priority=True),
        Binding("ctrl+c", "interrupt", priority=True, show=False),
        Binding("escape", "escape", show=False),
        Binding("up", "cursor('up')", show=False),
        Binding("down", "cursor('down')", show=False),
        Binding("tab", "tab(1)", show=False, priority=True),
        Binding("shift+tab", "tab(-1)", show=False, priority=True),
    ]

    class Replied(Message):
        """The thread has an answer, or what went wrong."""

        def __init__(self, answer: Reply | Exception, is_hint: bool) -> None:
            super().__init__()
            self.answer, self.is_hint = answer, is_hint

    def __init__(self, session: Session, console: Console, only_ascii: bool = False) -> None:
        super().__init__()
        self.session, self.match, self.board_console = session, session.match, console
        self.only_ascii = only_ascii
        self.failure: Exception | None = None
        """What went wrong, where something did; Textual would print a traceback."""
        self.thinking: Thinking | None = None
        self.after_thinking: Callable[[], None] | None = None
        """What to do instead of the move that is being searched."""
        self.choosing: Choosing | None = None
        self.typed_ahead: list[str] = []
        """Lines typed while the computer thinks, for the person's next turn."""
        self.found: tuple[Value, str] | None = None
        """The last value that a search found, and the same in words."""
        self.spent = [0.0] * len(self.match.players)
        self.ticked = time.monotonic()
        self.interruptions = 0
        self.width_beside = LEAST_SIDE - 2

    @property
    def game(self) -> Game[object]:
        """The game that is played."""
        return self.match.game

    @property
    def front(self) -> Screen[object]:
        """The screen of the board, whatever covers it."""
        return self.screen_stack[0]

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
                yield Static(id="sides", markup=False)
                yield Static(id="evaluation", markup=False)
                yield Static(id="thinking", markup=False)
                yield Static(id="notes", markup=False)
                with VerticalScroll(id="moves", can_focus=False):
                    yield Static(id="played", markup=False)
        yield Static(id="told", markup=False)
        with Horizontal(id="asking"):
            yield Static(id="prompt", markup=False)
            yield Line(id="typed", select_on_focus=False)
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Begin; leave in order when somebody else ends the process."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if hasattr(signal, "SIGHUP") else ():  # on POSIX
            asyncio.get_running_loop().add_signal_handler(number, self.action_leave, 128 + number)
        self.front.query_one(Line).focus()
        self.front.set_class(self.only_ascii, "ascii")
        self.set_interval(0.2, self.tick)
        self.tell("Type a move, click, or use the arrow keys; ? for help")
        self.go_on()

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
        told = self.front.query_one("#told", Static)
        told.set_class(len(text) > self.size.width - 2, "long")
        told.update(text)

    def show(self) -> None:
        """Show everything as it is now."""
        match, choosing = self.match, self.choosing
        board = board_of(match)
        chosen = choosing.chosen if choosing else ()
        pointable = choosing.places if choosing else set()
        self.pane.show(board, chosen, pointable if chosen else (), pointable)
        file = f"  {self.session.file}" if self.session.file else ""
        self.front.query_one("#title", Static).update(f" {self.session.settings.name}{file}")
        width = self.width_beside
        self.front.query_one("#evaluation", Static).update(
            evaluation_text(self.game, self.found, self.board_console, width)
        )
        self.front.query_one("#notes", Static).update("\n".join(board.notes) if board.rows else "")
        self.front.query_one("#played", Static).update(moves_text(match, width - 1))
        self.front.query_one("#moves").scroll_end(animate=False)
        asked = "" if match.is_over or match.turn == CHANCE else prompt(match)
        self.front.query_one("#prompt", Static).update(asked if not self.thinking else "for your next turn> ")
        self.show_clock()

    def show_clock(self) -> None:
        """Show what changes while somebody thinks."""
        self.front.query_one("#sides", Static).update(
            sides_text(self.match, self.board_console, self.spent, self.width_beside)
        )
        self.front.query_one("#thinking", Static).update(self.thinking.text(self.game) if self.thinking else "")

    def tick(self) -> None:
        """Count the time of whoever is to move."""
        now = time.monotonic()
        if not self.match.is_over and self.match.turn != CHANCE:
            self.spent[self.match.turn] += now - self.ticked
        self.ticked = now
        if self.is_running and len(self.screen_stack) == 1:
            self.show_clock()

    # The course of the match. --------------------------------------------------------------------
    def go_on(self) -> None:
        """Do what comes next: let chance decide, the computer think, or a person move."""
        match, self.choosing = self.match, None
        while not match.is_over and match.turn == CHANCE:
            s = match.state
            self.tell(move_line(match.game, s, match.roll(), match.number).strip())
        if match.is_over:
            self.tell(f"{result_text(match)}. Ctrl-N new game, Ctrl-Z undo, Ctrl-Q leave")
        elif self.session.waits_for_human:
            self.choosing = Choosing(match.game, match.state, match.steps)
            if self.typed_ahead:
                self.call_later(self.typed, self.typed_ahead.pop(0))
        else:
            self.think(is_hint=False)
        self.show()

    def think(self, *, is_hint: bool) -> None:
        """Let the computer search in a thread of its own, which ends with a message."""
        progress = Progress()
        monitor = Monitor(interval=0.1)
        limit = self.match.player.own_time if not is_hint else None
        self.thinking = thinking = Thinking(self.match.state, monitor, limit, progress)

        def poll(now: Progress) -> bool:
            thinking.progress = Progress(now.nodes, now.depth, now.seconds, now.compiling)
            return monitor.interrupted

        def finished(result: SearchResult) -> None:
            thinking.found = result

        def work() -> None:
            try:
                answer: Reply | Exception = self.session.advice(monitor) if is_hint else self.session.reply(monitor)
            except Exception as error:
                answer = error
            self.post_message(self.Replied(answer, is_hint))

        monitor.poll, monitor.finished = poll, finished
        # Not a worker of Textual's, whose end it would wait for even where somebody leaves at once.
        threading.Thread(target=work, daemon=True).start()

    def on_play_app_replied(self, message: Replied) -> None:
        """Make the move that was found, or show the hint; unless something else was asked for meanwhile."""
        thinking, self.thinking = self.thinking, None
        instead, self.after_thinking = self.after_thinking, None
        answer = message.answer
        if isinstance(answer, Exception):
            self.failure = answer
            self.exit(return_code=1)
        elif instead is not None:
            instead()
        elif message.is_hint:
            self.note_value(answer)
            self.show_hint(answer)
        else:
            self.note_value(answer)
            self.answer(answer, thinking is not None and thinking.monitor.interrupted)

    def note_value(self, reply: Reply) -> None:
        """Keep the value that a search found."""
        result = reply.result
        if result is not None and result.value is not None:
            self.found = result.value, found_text(self.game, self.match.state, result)

    def answer(self, reply: Reply, was_interrupted: bool) -> None:
        """Make the move that the computer has found."""
        match = self.match
        if reply.has_resigned:
            match.resign()
        else:
            m = reply.move if reply.move is not None else self.session.first_move()
            said = move_line(match.game, match.state, m, match.number)
            self.tell(f"{said}{', at once' if was_interrupted else ''}")
            match.play(m)
        self.go_on()

    def show_hint(self, reply: Reply) -> None:
        """Name the move that an algorithm would play, and mark it on the board."""
        if reply.move is None:
            self.tell("nothing is known yet: give it more time")
        else:
            words = f", {self.found[1]}" if self.found and reply.result else ""
            self.tell(f"hint: {self.game.move_name(self.match.state, reply.move)}{words}")
        self.show()
        if reply.move is not None and self.choosing is not None and reply.move in self.choosing.footprints:
            pane, each = self.pane, self.choosing.footprints[reply.move]
            pane.show(pane.board, each.starts, each.ends, self.choosing.places)

    # What people type. ---------------------------------------------------------------------------
    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take a typed line; an empty one chooses the cell at the cursor."""
        text, event.input.value = event.value.strip(), ""
        pane = self.pane
        if text:
            self.typed(text)
        elif pane.cursor is not None:
            self.point(pane.cursor)
        elif self.choosing is not None:
            self.offer(self.choosing.moves if self.choosing.chosen else self.match.steps)

    def typed(self, text: str) -> None:
        """Do what a line says; nonsense is answered with what may have been meant."""
        is_ahead = self.thinking is not None and not is_command(text)
        if is_ahead and self.session.waits_for_human:  # it is a hint that is searched
            self.thinking.monitor.interrupted = True  # type: ignore[union-attr]
            self.after_thinking = lambda: self.typed(text)
            return
        if is_ahead:
            self.typed_ahead.append(text)
            self.tell(f"{text} is kept for your next turn")
            return
        try:
            line = self.session.read(text)
            if line.move is not None:
                self.make(line.move)
            else:
                self.obey(line)
        except GamesearchError as error:
            self.tell(str(error))

    def make(self, m: int) -> None:
        """Make a person's move."""
        match = self.match
        self.interruptions = 0
        self.tell(move_line(match.game, match.state, m, match.number))
        match.play(m)
        self.go_on()

    def obey(self, line: Read) -> None:
        """Carry out a command; one that changes what is played first ends the computer's search."""
        if line.command in ("save", "save!"):
            self.tell(self.session.obey(line))
            self.show()
        elif line.command in self.session.CHANGING:
            if line.command == "resign" and self.thinking is not None:
                raise GamesearchError("you can resign when it is your turn: Esc makes the computer move")
            self.change(line)
        elif line.command == "moves":
            self.offer(self.match.steps)
        elif line.command == "quit":
            self.action_leave(0)
        elif line.command == "board":
            self.show()
        else:
            getattr(self, f"action_{line.command}")()

    def change(self, line: Read) -> None:
        """Let the session carry out a command, as soon as nobody searches, and go on from there."""
        if self.thinking is not None:
            self.thinking.monitor.interrupted = True
            self.after_thinking = lambda: self.change(line)
            return
        self.typed_ahead, self.interruptions = [], 0
        try:
            said = self.session.obey(line)
        except GamesearchError as error:
            self.tell(str(error))
            if not self.match.is_over and not self.session.waits_for_human:
                self.go_on()  # whose search was ended for it
            return
        if line.command in ("load", "new", "undo", "redo"):  # the value was of a position that is gone
            self.found = None
        if line.command in ("load", "new"):
            self.spent = [0.0] * len(self.match.players)
        self.tell(said or f"{line.command} done")
        self.go_on()

    # Pointing. -----------------------------------------------------------------------------------
    def on_board_pane_pointed(self, message: BoardPane.Pointed) -> None:
        """Somebody clicked a cell."""
        self.point(message.place)

    def point(self, place: Place) -> None:
        """Choose a cell, and make the move that this decides on."""
        choosing = self.choosing
        if choosing is None or self.thinking is not None:
            return
        if not choosing.footprints:
            self.tell("moves of this game cannot be pointed at: type one, or press Enter for a list")
            return
        m = choosing.point(place)
        if m is not None:
            self.make(m)
            return
        if choosing.choices:
            self.offer(choosing.choices)
        elif not choosing.chosen:
            self.tell("no move begins there")
        self.show()

    def offer(self, moves: Sequence[int]) -> None:
        """Let somebody choose from a list of moves."""
        if self.thinking is not None or self.match.is_over:
            return
        s = self.match.state
        named = sorted((self.game.move_name(s, m), m) for m in moves)

        def chosen(number: int | None) -> None:
            if self.match.state != s:
                return
            if number is not None:
                self.make(named[number][1])
            elif self.choosing is not None:
                self.choosing.clear()
                self.show()

        self.push_screen(Chooser("which move?", [name for name, _ in named]), chosen)

    # Keys. ---------------------------------------------------------------------------------------
    def action_cursor(self, direction: str) -> None:
        """Move the cursor on the board."""
        self.pane.move_cursor(direction)

    def action_tab(self, step: int) -> None:
        """Complete what is typed, or go to the next cell that may be chosen."""
        line = self.front.query_one(Line)
        if not line.value:
            self.pane.next_open(step)
            return
        offers = [] if self.match.is_over else completions(self.game, self.match.state, line.value)
        if offers:
            line.value = shared_beginning(offers) or line.value
            line.cursor_position = len(line.value)
            self.tell("  ".join(offers) if len(offers) > 1 else "")

    def action_escape(self) -> None:
        """Let the computer move at once; else let go of what was chosen or typed."""
        if self.thinking is not None:
            self.thinking.monitor.interrupted = True
            return
        self.front.query_one(Line).value = ""
        self.pane.cursor = None
        if self.choosing is not None:
            self.choosing.clear()
        self.show()

    def action_interrupt(self) -> None:
        """Let the computer move at once; a second time in a row, or when nobody thinks, leave."""
        self.interruptions += 1
        if self.match.is_over:
            self.action_leave(0)  # nothing is interrupted
        elif self.thinking is None or self.interruptions > 1:
            self.action_leave(INTERRUPTED)
        else:
            self.thinking.monitor.interrupted = True
            self.tell("taking the best move so far; Ctrl-C again saves the game and leaves")

    def action_leave(self, code: int) -> None:
        """Leave; what was played is saved afterwards."""
        if self.thinking is not None:
            self.thinking.monitor.interrupted = True
        self.exit(return_code=code)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002
        """Whether a key may act: over a list or the help, only those that leave."""
        over = len(self.screen_stack) > 1
        return not over or action not in ("hint", "command", "save", "flip", "evaluation", "tab", "cursor")

    def action_command(self, name: str) -> None:
        """Carry out a command by its key."""
        self.typed(name)

    def action_save(self) -> None:
        """Save to the file that there is, or ask for one."""
        if self.session.file is not None:
            self.typed("save")
            return
        line = self.front.query_one(Line)
        line.value = f"save {self.session.suggested_file}"
        line.selection = Selection(len("save "), len(line.value))
        self.tell("Enter saves to this file; type another name in its place")

    def action_flip(self) -> None:
        """Turn the board round."""
        pane = self.pane
        pane.is_flipped = not pane.is_flipped
        pane.refresh()

    def action_evaluation(self) -> None:
        """Show the value, or hide it with what the computer thinks."""
        for name in ("#evaluation", "#thinking"):
            part = self.front.query_one(name)
            part.display = not part.display

    def action_hint(self) -> None:
        """Let an algorithm think about the move."""
        if self.thinking is None and self.session.waits_for_human:
            self.think(is_hint=True)
            self.show()

    def action_help(self) -> None:
        """Say what keys and words there are."""
        notation = self.game.notation
        about = f"\n\n Notation: {notation}." if notation else ""
        self.push_screen(Help(f"{KEYS}\n{commands_list()}{about}\n\n Any key closes this."))

    def _handle_exception(self, error: Exception) -> None:
        self.failure = error
        self.exit(return_code=2)


def shared_beginning(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    return "".join(each[0] for each in itertools.takewhile(lambda each: len(set(each)) == 1, zip(*texts, strict=False)))
