"""A match on the whole screen: the board stays where it is, and moves are typed, pointed at by keys, or clicked.

`play/sessions/session.py` holds what is played, taken back and saved; this module shows it and asks.
"""

import itertools
from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets.input import Selection

from gamesearch.errors import GamesearchError
from gamesearch.play.sessions.commands import Line as Read
from gamesearch.play.sessions.commands import completions, is_command
from gamesearch.render.match import commands_list, last_move_line
from gamesearch.toolkit.boards import Place
from gamesearch.tui.board_pane import BoardPane
from gamesearch.tui.dialogs import Chooser, Help
from gamesearch.tui.full_screen import Line
from gamesearch.tui.play_course import PlayCourse

__all__ = ["PlayApp"]

INTERRUPTED = 130
"""The exit code after Ctrl-C."""
ONLY_COMPUTERS = "Only computers play: type a command"
KEYS = """\
 Any key closes this; arrows scroll it where it is longer than the screen.

 Type a move and press Enter, or click: the man, then where it goes. Keys:

 arrows   to another cell
 Tab      to the next cell that fits
 Enter    choose the cell; without a cursor, all moves as a list
 Esc      let go of what is chosen; while the computer thinks: play at once
 ?, F1    this help, where nothing is typed yet
 Ctrl-T   hint      Ctrl-Z   undo      Ctrl-Y   redo    Ctrl-O   turn board
 Ctrl-B   values    Ctrl-N   new game  Ctrl-S   save    Ctrl-Q   leave
"""


class PlayApp(PlayCourse):
    """Plays a session."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1", "help", "help", key_display="?"),
        Binding("ctrl+t", "hint", "hint"),
        Binding("ctrl+z", "type('undo')", "undo"),
        Binding("ctrl+y", "type('redo')", "redo"),
        Binding("ctrl+o", "flip", "turn"),
        # One of the two, by what is shown.
        Binding("ctrl+b", "values(False)", "hide value"),
        Binding("ctrl+b", "values(True)", "show value"),
        Binding("ctrl+s", "save", "save"),
        Binding("ctrl+n", "type('new')", "new"),
        # These two act over a list and the help, too.
        Binding("ctrl+q", "in_turn('leave(0)')", "leave", priority=True),
        Binding("ctrl+c", "in_turn('interrupt')", priority=True, show=False),
        Binding("escape", "escape", show=False),
    ]

    def on_mount(self) -> None:
        """Begin."""
        self.front.query_one(Line).focus()
        self.front.set_class(self.only_ascii, "ascii")
        self.pane.is_flipped = self.match.is_seen_from_above
        self.set_interval(0.2, self.tick)
        self.session.prepare()
        moves = "Type a move, click, or use the arrow keys" if self.match.has_humans else ONLY_COMPUTERS
        self.tell(f"{moves}; ? for help\n{self.session.reminder()}".rstrip())
        self.go_on()

    # What people type. ---------------------------------------------------------------------------
    def entered(self, text: str) -> None:
        """Take a typed line; an empty one chooses the cell at the cursor."""
        text, pane = text.strip(), self.pane
        if text:
            self.action_type(text)
        elif pane.cursor is not None:
            self.point(pane.cursor)
        elif self.choosing is not None:
            self.offer(self.choosing.moves if self.choosing.chosen else self.match.steps)

    def action_type(self, text: str) -> None:
        """Do what a line says; nonsense is answered with what may have been meant."""
        is_ahead = self.thinking is not None and not is_command(text)
        if is_ahead and self.session.waits_for_human:  # it is a hint that is searched
            self.when_idle(lambda: self.action_type(text))
        elif is_ahead and not self.match.has_humans:
            self.tell(f"{ONLY_COMPUTERS}; ? for help")
        elif is_ahead and not self.session.may_be_next(text):
            self.tell(f"{text!r} can be no move at your next turn, and is no command: ? for help")
        elif is_ahead:
            self.typed_ahead.append(text)
            self.tell(f"{text} is kept for your next turn")
        else:
            try:
                self.obey(self.session.read(text))
            except GamesearchError as error:
                self.tell(str(error))

    def make(self, m: int) -> None:
        """Make a person's move."""
        self.interruptions, self.found = 0, None
        if self.session.loop.make(m, self.used) is not None:
            self.tell(last_move_line(self.match))
        self.go_on()

    def obey(self, line: Read) -> None:
        """Make the move, or carry out the command; one that changes what is played first ends the computer's search."""
        if line.move is not None:
            self.make(line.move)
        elif line.command in ("save", "save!"):
            self.tell(self.session.obey(line))
            self.show()
        elif line.command in self.session.CHANGING:
            if line.command == "resign" and self.thinking is not None:
                raise GamesearchError("you can resign when it is your turn: Esc makes the computer move")
            if self.thinking is not None:
                self.session.check(line)  # so that a refused command does not end the search
            self.when_idle(lambda: self.change(line))
        elif line.command == "moves":
            self.offer(self.match.steps)
        elif line.command == "quit":
            self.action_leave(0)
        elif line.command == "board":
            self.show()
        else:
            getattr(self, f"action_{line.command}")()

    def change(self, line: Read) -> None:
        """Let the session carry out a command, and go on from there."""
        self.typed_ahead, self.interruptions = [], 0
        try:
            said = self.session.obey(line)
        except GamesearchError as error:
            self.tell(str(error))
            if not self.match.is_over and not self.session.waits_for_human:
                self.go_on()  # whose search was ended for it: a file has gone since it was checked
            return
        if line.command in ("load", "new", "undo", "redo"):  # the value was of a position that is gone
            self.found = None
        if line.command == "swap":
            self.pane.is_flipped = self.match.is_seen_from_above
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
        elif not self.match.is_over and (offers := completions(self.game, self.match.state, line.value)):
            line.value = shared_beginning(offers) or line.value
            line.cursor_position = len(line.value)
            self.tell("  ".join(offers) if len(offers) > 1 else "")

    def action_escape(self) -> None:
        """Let the computer move at once; else let go of what was chosen or typed."""
        if self.thinking is not None and self.thinking.is_preparing:
            self.tell("the computer moves as soon as its code is compiled")
        elif self.thinking is not None:
            self.thinking.monitor.interrupted = True
        else:
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
        elif self.thinking is None or self.interruptions > 1 or self.thinking.is_preparing:
            self.action_leave(INTERRUPTED)
        else:
            self.thinking.monitor.interrupted = True
            self.tell("taking the best move so far; Ctrl-C again saves the game and leaves")

    def action_leave(self, code: int) -> None:
        """Leave; what was played is saved afterwards."""
        if self.thinking is not None:
            self.thinking.monitor.interrupted = True
        super().action_leave(code)

    def action_in_turn(self, action: str) -> None:
        """Act after what was typed before this key, which the line may not have done yet."""
        self.front.query_one(Line).call_later(self.run_action, action)

    def action_save(self) -> None:
        """Save to the file that there is, or ask for one."""
        if self.session.file is not None:
            self.action_type("save")
        else:
            line = self.front.query_one(Line)
            line.value = f"save {self.session.suggested_file}"
            line.selection = Selection(len("save "), len(line.value))
            self.tell("Enter saves to this file; type another name in its place")

    def action_flip(self) -> None:
        """Turn the board round, where that can be done."""
        pane = self.pane
        if reason := pane.board.why_not_turned:
            self.tell(reason)
        else:
            pane.is_flipped = not pane.is_flipped
            pane.refresh()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Whether a key does anything now: of the two for values, one does."""
        return parameters != (self.shows_values,) if action == "values" else super().check_action(action, parameters)

    def action_values(self, are_shown: bool) -> None:
        """Show the values that are found, or hide them; how far the computer is stays."""
        self.shows_values = are_shown
        self.refresh_bindings()
        self.tell("values are shown" if are_shown else "values are hidden: Ctrl-B shows them")
        self.show()

    def action_hint(self) -> None:
        """Let an algorithm think about the move."""
        if self.thinking is None and self.session.waits_for_human:
            self.think(is_hint=True)
            self.show()

    def action_help(self) -> None:
        """Say what keys and words there are."""
        notation = self.game.notation
        about = f"\n\n Notation: {notation}." if notation else ""
        self.push_screen(Help(f"{KEYS}\n{commands_list()}{about}"))


def shared_beginning(texts: Sequence[str]) -> str:
    """What all texts begin with."""
    return "".join(each[0] for each in itertools.takewhile(lambda each: len(set(each)) == 1, zip(*texts, strict=False)))
