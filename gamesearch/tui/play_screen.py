"""A game on the full screen: moves are typed, clicked, or chosen with the arrow keys; the computer thinks in a thread.

This module handles input and runs searches. `play/sessions/session.py` manages the game and its files.
`tui/play_view.py` draws the screen, and contains the state of the screen.
"""

import os.path
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from rich.console import Console
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.events import Resize
from textual.message import Message
from textual.widgets.input import Selection

from gamesearch.algorithms.engine.result import Monitor, Progress, SearchResult
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import CHANCE
from gamesearch.play.game_loop import Reply
from gamesearch.play.match import number_moves
from gamesearch.play.sessions.commands import Line as Read
from gamesearch.play.sessions.commands import completions, read_command
from gamesearch.play.sessions.pointing import MoveSelection
from gamesearch.play.sessions.session import Session
from gamesearch.render.match import commands_list, final_status_lines, hint_evaluation, last_move_line, result_text
from gamesearch.toolkit.boards import Place
from gamesearch.tui.board_pane import BoardPane
from gamesearch.tui.full_screen import Chooser, FullScreen, Help
from gamesearch.tui.match_panel import OngoingSearch
from gamesearch.tui.play_view import PlayState, PlayView
from gamesearch.user_code.files import refuse_exits

__all__ = ["PlayApp"]

BETWEEN_SAVES = 3.0  # the seconds between two saves of a running clock
INTERRUPTED = 130  # the exit code after Ctrl-C
ONLY_COMPUTERS = "Only computers play: type a command"
KEYS = """\
 Type a move and press Enter, or click its cells in order. Keys:

 arrows   move the cursor
 Tab      go to the next cell with a legal move
 Enter    choose the cell; without a cursor, list all moves
 Esc      clear the choice; while the computer thinks, make it move now
 ?, F1    this help (? only if nothing is typed yet)
 Ctrl-T   hint      Ctrl-Z   undo      Ctrl-Y   redo    Ctrl-O   turn board
 Ctrl-B   values    Ctrl-N   new game  Ctrl-S   save    Ctrl-Q   quit
"""


class PlayApp(FullScreen):
    """The app in which people play a game."""

    TITLE = "gamesearch"
    CSS = PlayView.CSS
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "help", key_display="?"),
        Binding("ctrl+t", "hint", "hint"),
        Binding("ctrl+z", "type('undo')", "undo"),
        Binding("ctrl+y", "type('redo')", "redo"),
        Binding("ctrl+o", "flip", "turn"),
        # Only one of the next two bindings is active at a time.
        Binding("ctrl+b", "values(False)", "hide value"),
        Binding("ctrl+b", "values(True)", "show value"),
        Binding("ctrl+s", "save", "save"),
        Binding("ctrl+n", "type('new')", "new"),
        # The next two keys have priority, so they also work while a list or the help covers the screen.
        Binding("ctrl+q", "in_turn('leave(0)')", "quit", priority=True),
        Binding("ctrl+c", "in_turn('interrupt')", priority=True, show=False),
        Binding("escape", "escape", show=False),
    ]

    @dataclass
    class SearchAnswered(Message):
        """The search thread sends this message after it has found a move or has failed."""

        answer: Reply | Exception
        is_hint: bool

    @dataclass
    class PointsCounted(Message):
        """A thread sends this message after it has counted the points of a finished game."""

        state: Any
        sentences: Sequence[str]

    def __init__(self, session: Session, console: Console, only_ascii: bool = False) -> None:
        super().__init__()
        self.session, self.match = session, session.match
        self.state = PlayState(session)
        self.view = PlayView(self, self.state, console, only_ascii)
        self.after_search: Callable[[], None] | None = None
        """If this function is set, it is called when the current search ends. In that case, the move that the search
        found is not made."""
        self.interruptions = 0  # the number of times that Ctrl-C was pressed since the last move or command

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        yield from self.view.compose(self.handle_line)

    def on_resize(self, event: Resize) -> None:
        """Fit the board and the panel to the screen."""
        self.view.resize(event.size)
        self.call_after_refresh(self.view.show)

    def on_mount(self) -> None:
        """Start the clock display and the game, and explain the keys."""
        self.view.line.focus()
        self.front.set_class(self.view.only_ascii, "ascii")
        self.view.pane.is_flipped = self.match.is_seen_from_above
        self.set_interval(0.2, self.tick)
        self.session.prepare()
        moves = "Type a move, click, or use the arrow keys" if self.match.has_humans else ONLY_COMPUTERS
        self.view.tell("\n".join(self.session.notices()) or f"{moves}; ? for help")
        self.continue_game()

    def tick(self) -> None:
        """Show the time, and end the game if a person's time is up. While a person's clock runs, save the clock every
        few seconds, so that a person who closes the terminal gets no time back."""
        state, session = self.state, self.session
        state.count_time()
        if self.is_running and len(self.screen_stack) == 1:
            self.view.show_clock()
        is_running = session.loop.clock is not None and session.waits_for_human and state.thinking is None
        if state.is_time_up:
            self.charge()
            self.call_when_idle(self.continue_game)  # a search for a hint may run
        elif is_running and state.used > BETWEEN_SAVES:
            self.charge()
            if warning := session.keep():
                self.view.tell(warning)

    def charge(self) -> None:
        """Charge the clock of the player to move for the turn so far."""
        if self.failure is None and not self.match.is_over and self.match.turn != CHANCE:
            self.session.loop.charge(self.match.turn, self.state.used, has_moved=False)
            self.state.turn_began = time.monotonic()

    # Course of the game. ----------------------------------------------------------------------
    def continue_game(self) -> None:
        """Take the next step of the game: let chance decide, let the computer think, or wait for a person."""
        match, state = self.match, self.state
        state.choosing, state.turn_began = None, time.monotonic()
        rolls = list[str]()
        for roll in self.session.loop.turns():
            if roll is None:
                break
            rolls.append(match.game.outcome_text(*roll))
        warning = self.session.keep()
        if rolls:  # show the dice rolls together with the last move
            last = last_move_line(match)
            self.view.tell("; ".join([last, *rolls] if last else rolls))
        if match.is_over:
            undo = "" if match.flagged is not None else "Ctrl-Z undo, "
            self.view.tell(f"{result_text(match)}. Ctrl-N new game, {undo}Ctrl-Q quit")
            threading.Thread(target=self.count, daemon=True).start()
        elif self.session.waits_for_human:
            state.choosing = MoveSelection(match.game, match.state, match.steps)
            if state.typed_ahead:
                self.call_later(self.action_type, state.typed_ahead.pop(0))
        else:
            self.think(is_hint=False)
        if warning:
            self.view.tell(warning)
        self.view.show()

    def make(self, m: int) -> None:
        """Make a person's move."""
        self.interruptions, self.state.found = 0, None
        if self.session.loop.make(m, self.state.used) is not None:
            self.view.tell(last_move_line(self.match))
        self.continue_game()

    def count(self) -> None:
        """Count the points of a finished game (in Go, dead stones are removed first), and post a message with the
        points."""
        status = self.session.final_status()
        if status is not None:
            self.post_message(self.PointsCounted(status.state, final_status_lines(status)))

    def on_play_app_points_counted(self, message: PointsCounted) -> None:
        """Show the points if the match is still at the counted position."""
        if self.match.is_over and self.match.state == message.state:
            self.view.tell("\n".join(message.sentences))

    # Searches. -----------------------------------------------------------------------------------
    def think(self, *, is_hint: bool) -> None:
        """Let the computer search in a thread, which sends a message when the search is finished."""
        monitor, player = Monitor(interval=0.1), self.match.player
        searches = is_hint or (player.algorithm is not None and player.is_search)
        self.state.thinking = thinking = OngoingSearch(
            self.match.state, self.match.number, monitor, None if is_hint else player.own_time, is_preparing=searches
        )

        def poll(now: Progress) -> bool:
            thinking.take(now)
            return monitor.interrupted

        def note_result(result: SearchResult) -> None:
            thinking.found = result

        def work() -> None:
            try:
                with refuse_exits():
                    answer: Reply | Exception = self.session.advice(monitor) if is_hint else self.session.reply(monitor)
            except Exception as error:
                answer = error
            self.post_message(self.SearchAnswered(answer, is_hint))

        monitor.poll, monitor.finished = poll, note_result
        # This is not a worker thread of Textual, because Textual waits for its workers when the user quits.
        threading.Thread(target=work, daemon=True).start()

    def call_when_idle(self, action: Callable[[], None]) -> None:
        """Call a function now. If a search is running, stop it first and call the function when it has ended."""
        if self.state.thinking is None:
            action()
        else:
            self.state.thinking.monitor.interrupted = True
            self.after_search = action

    def on_play_app_search_answered(self, message: SearchAnswered) -> None:
        """Make the computer's move, show the hint, or run the action for which the search was stopped."""
        state, answer = self.state, message.answer
        thinking, state.thinking = state.thinking, None
        state.turn_began += thinking.preparing if thinking is not None else 0.0
        instead, self.after_search = self.after_search, None
        if isinstance(answer, Exception) and not isinstance(answer, Interrupted):
            self.fail(answer)
        elif instead is not None:
            instead()
        elif not isinstance(answer, Exception):  # nothing to do after Interrupted: the program ends
            state.keep_value(answer.result, is_played=not message.is_hint)
            if message.is_hint:
                self.show_hint(answer)
            else:
                self.answer(answer, thinking is not None and thinking.monitor.interrupted)

    def answer(self, reply: Reply, was_interrupted: bool) -> None:
        """Make the move that the computer has found."""
        if self.session.loop.accept(reply) is not None:
            self.view.tell(last_move_line(self.match) + (" (interrupted)" if was_interrupted else ""))
        self.continue_game()

    def show_hint(self, reply: Reply) -> None:
        """Show the best move that the search found (the hint), and mark it on the board."""
        state, match = self.state, self.match
        if reply.move is None:
            self.view.tell("the search was stopped before it found a move: give it more time")
        else:
            words = f", {state.found[1]}" if state.found and reply.result and state.shows_values else ""
            name = number_moves(match.game, match.state, (reply.move,), match.number)[0]
            by = hint_evaluation(match, reply.result, reply.evaluation_game) if words else ""
            self.view.tell(f"hint: {name}{words}{f', by {by}' if by else ''}")
        self.view.show()
        if reply.move is not None and state.choosing is not None and reply.move in state.choosing.footprints:
            pane, each = self.view.pane, state.choosing.footprints[reply.move]
            pane.show(pane.board, each.starts, each.ends, state.choosing.places)

    # Typing. -------------------------------------------------------------------------------------
    def handle_line(self, text: str) -> None:
        """Handle a typed line; an empty line chooses the cell at the cursor, or lists the moves."""
        text, cursor, choosing = text.strip(), self.view.pane.cursor, self.state.choosing
        if text:
            self.action_type(text)
        elif cursor is not None:
            self.point(cursor)
        elif choosing is not None:
            self.offer(choosing.moves if choosing.chosen else self.match.steps)

    def action_type(self, text: str) -> None:
        """Make a typed move or carry out a typed command."""
        is_ahead = self.state.thinking is not None and read_command(text) is None
        if is_ahead and self.session.waits_for_human:  # a search for a hint is running
            self.call_when_idle(lambda: self.action_type(text))
        elif is_ahead and not self.match.has_humans:
            self.view.tell(f"{ONLY_COMPUTERS}; ? for help")
        elif is_ahead and not self.session.may_be_next(text):
            self.view.tell(f"{text!r} is neither a move nor a command: type ? for help")
        elif is_ahead:
            self.state.typed_ahead.append(text)
            self.view.tell(f"{text} will be played at your next turn if it is legal")
        else:
            try:
                self.obey(self.session.read(text))
            except GamesearchError as error:
                self.view.tell(str(error))

    def obey(self, line: Read) -> None:
        """Make the move in a typed line, or carry out its command. If a command changes the game, stop the search
        first."""
        if line.move is not None:
            self.make(line.move)
        elif line.command in ("save", "save!"):
            self.view.tell(self.session.obey(line))
            self.view.show()
        elif line.command in self.session.CHANGING:
            if line.command == "resign" and self.state.thinking is not None:
                raise GamesearchError("you can resign only at your turn: press Esc to make the computer move now")
            if self.state.thinking is not None:
                self.session.check(line)  # raises if the command is not possible, before the search is stopped
            self.call_when_idle(lambda: self.change(line))
        elif line.command == "moves":
            self.offer(self.match.steps)
        elif line.command == "quit":
            self.action_leave(0)
        elif line.command == "board":
            self.view.show_again()
        else:
            getattr(self, f"action_{line.command}")()

    def change(self, line: Read) -> None:
        """Carry out a command that changes the game; then continue the game."""
        state = self.state
        state.typed_ahead, self.interruptions = [], 0
        self.charge()
        try:
            said = self.session.obey(line)
        except GamesearchError as error:
            self.view.tell(str(error))
            if not self.match.is_over and not self.session.waits_for_human:
                self.continue_game()  # the search was stopped for this command, which failed: start it again
            return
        if line.command in ("load", "new", "undo", "redo"):  # the last value belongs to another position
            state.found = None
        if line.command == "swap":
            self.view.pane.is_flipped = self.match.is_seen_from_above
        if line.command in ("load", "new"):
            state.spent = [0.0] * len(self.match.players)
        self.view.tell(said or f"{line.command} done")
        self.continue_game()

    # Pointing. -----------------------------------------------------------------------------------
    def on_board_pane_cell_clicked(self, message: BoardPane.CellClicked) -> None:
        """Choose the clicked cell."""
        self.point(message.place)

    def point(self, place: Place) -> None:
        """Choose a cell. If only one move fits the chosen cells, make this move."""
        choosing = self.state.choosing
        if choosing is None or self.state.thinking is not None:
            return
        if not choosing.footprints:
            self.offer(self.match.steps)  # such as the decision to double in backgammon
            return
        m = choosing.point(place)
        if m is not None:
            self.make(m)
            return
        if choosing.choices:
            self.offer(choosing.choices)
        elif not choosing.chosen:
            self.view.tell("no move starts there")
        self.view.show()

    def offer(self, moves: Sequence[int]) -> None:
        """Let a person choose from a list of moves."""
        if self.state.thinking is not None or self.match.is_over:
            return
        game, s = self.match.game, self.match.state
        named = sorted((game.move_name(s, m), m) for m in moves)

        def play_choice(number: int | None) -> None:
            if self.match.state != s:
                return
            if number is not None:
                self.make(named[number][1])
            elif self.state.choosing is not None:
                self.state.choosing.clear()
                self.view.show()

        self.push_screen(Chooser("which move?", [name for name, _ in named]), play_choice)

    # Keys. ---------------------------------------------------------------------------------------
    def action_cursor(self, direction: str) -> None:
        """Move the cursor on the board."""
        self.view.pane.move_cursor(direction)

    def action_tab(self, step: int) -> None:
        """Complete the typed move. If the line is empty, move the cursor to the next cell that can be chosen."""
        line, match = self.view.line, self.match
        if not line.value:
            self.view.pane.next_open(step)
        elif not match.is_over and (offers := completions(match.game, match.state, line.value)):
            line.value = os.path.commonprefix(offers) or line.value  # noqa: RUF071  # of texts, not paths
            line.cursor_position = len(line.value)
            self.view.tell("  ".join(offers) if len(offers) > 1 else "")

    def action_escape(self) -> None:
        """If the computer is thinking, let it move now; if not, clear the chosen cells and the typed line."""
        thinking, choosing = self.state.thinking, self.state.choosing
        if thinking is not None and thinking.is_preparing:
            self.view.tell("the computer moves as soon as its code is compiled")
        elif thinking is not None:
            thinking.monitor.interrupted = True
        else:
            self.view.line.value = ""
            self.view.pane.cursor = None
            if choosing is not None:
                choosing.clear()
            self.view.show()

    def action_interrupt(self) -> None:
        """Let the computer move now. A second Ctrl-C, or Ctrl-C while no search runs, leaves the game."""
        self.interruptions += 1
        thinking = self.state.thinking
        if self.match.is_over:
            self.action_leave(0)  # nothing is interrupted
        elif thinking is None or self.interruptions > 1 or thinking.is_preparing:
            self.action_leave(INTERRUPTED)
        else:
            thinking.monitor.interrupted = True
            self.view.tell("the computer plays its best move so far; press Ctrl-C again to save the game and quit")

    def action_leave(self, code: int) -> None:
        """Stop the search and leave the screen; the command `play` saves the game afterwards."""
        if self.state.thinking is not None:
            self.state.thinking.monitor.interrupted = True
        super().action_leave(code)

    def action_in_turn(self, action: str) -> None:
        """Run the action of a key. Lines that were typed before the key was pressed are handled first."""
        self.view.line.call_later(self.run_action, action)

    def action_save(self) -> None:
        """Save the game to its file. If the game has no file yet, put the command `save` and a file name into the input
        line."""
        if self.session.file is not None:
            self.action_type("save")
        else:
            line = self.view.line
            line.value = f"save {self.session.suggested_file}"
            line.selection = Selection(len("save "), len(line.value))
            self.view.tell("Press Enter to save to this file, or type another name")

    def action_flip(self) -> None:
        """Turn the board by 180 degrees if its shape allows this."""
        pane = self.view.pane
        if reason := pane.board.why_not_turned:
            self.view.tell(reason)
        else:
            pane.is_flipped = not pane.is_flipped
            pane.refresh()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether an action is possible now. Ctrl-B has two actions: it shows the values if they are hidden, and hides
        them if they are shown."""
        if action == "values":
            return parameters != (self.state.shows_values,)
        return super().check_action(action, parameters)

    def action_values(self, are_shown: bool) -> None:
        """Show or hide values; the progress of the search stays visible."""
        self.state.shows_values = are_shown
        self.refresh_bindings()
        self.view.tell("values are shown" if are_shown else "values are hidden; Ctrl-B shows them")
        self.view.show()

    def action_hint(self) -> None:
        """Search for a hint."""
        if self.state.thinking is None and self.session.waits_for_human:
            self.think(is_hint=True)
            self.view.show()

    def action_help(self) -> None:
        """Show the keys and commands."""
        notation = self.match.game.notation
        about = f"\n\n Notation: {notation}." if notation else ""
        self.push_screen(Help(f"{KEYS}\n{commands_list()}{about}"))
