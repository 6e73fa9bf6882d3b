"""Play a game line by line: show the board, read lines, and let the computer move; or start the full screen."""

import contextlib
import time
from dataclasses import dataclass
from typing import Any

import click

from gamesearch.cli.consoles import can_draw, output_console, print_json, status_console
from gamesearch.cli.ending import full_screen
from gamesearch.cli.messages import say
from gamesearch.cli.progress import say_fallback, show_progress
from gamesearch.cli.terminal import LineReader, allow_interrupt, silent_keys
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.game import CHANCE
from gamesearch.play.game_loop import Reply
from gamesearch.play.match import number_moves
from gamesearch.play.players.player import PlayerError
from gamesearch.play.sessions.commands import Line, completions
from gamesearch.play.sessions.session import SaveResult, Session
from gamesearch.render import match as words
from gamesearch.render.boards.board import BoardView
from gamesearch.study.final_status import FinalStatus
from gamesearch.toolkit.pictures import picture

__all__ = ["LineMode", "OutputOptions", "play_on_screen"]

DONE, STOPPED, INTERRUPTED = 0, 1, 130  # exit codes
ONLY_MOVE = "the only move"  # the text that is shown instead of the result of a search if only one move is legal


@dataclass(frozen=True)
class OutputOptions:
    """The options for the output of a match."""

    only_ascii: bool = False
    as_json: bool = False
    verbose: bool = False


class UserLeft(Exception):  # noqa: N818
    """The user left before the end of the game, or the input ended before it. `code` is the exit code."""

    def __init__(self, code: int, why: str = "") -> None:
        super().__init__(why)
        self.code = code


class LineMode:
    """Runs one match in line mode: people at the terminal play against each other or against other players."""

    def __init__(self, session: Session, output: OutputOptions) -> None:
        self.session, self.match, self.output = session, session.match, output
        # If --json is given, standard output is only for the record of the game.
        self.console = status_console() if output.as_json else output_console(output.only_ascii)
        self.only_ascii = output.only_ascii or not can_draw(self.console)
        self.lines = LineReader(self.complete, is_plain=output.as_json)
        session.keeps = self.lines.is_terminal
        if session.match.moves:
            session.continue_loaded()
        self.is_flipped = self.match.is_seen_from_above
        self.shown: Any = None
        self.interruptions = 0
        self.has_searched = False
        self.final_status: FinalStatus | None = None

    # The course of a match. ----------------------------------------------------------------------
    def run(self) -> int:
        """Play until the game ends or the user leaves; returns the exit code."""
        try:
            self.begin()
            self.keep()
            for roll in self.session.loop.turns():
                if roll is not None:
                    self.say(words.move_line(self.match.game, *roll, number=0))
                elif self.match.player.is_human:
                    self.show_board()
                    self.ask()
                else:
                    self.reply()
                self.keep()
            self.show_board()
            self.say(words.result_text(self.match))
            self.count()
        except (KeyboardInterrupt, Interrupted):
            say("")
            return self.leave(INTERRUPTED, keep=True)
        except UserLeft as left:
            return self.leave(left.code, str(left), keep=self.lines.is_terminal)
        except PlayerError as error:
            return self.leave(STOPPED, str(error), keep=True)
        except BrokenPipeError:  # the program that reads the output has ended
            self.save_and_say_how_to_go_on(keep=self.lines.is_terminal)
            raise
        self.note_saved(self.session.save_at_end())
        self.print_record()
        return DONE

    def count(self) -> None:
        """Show the score and the dead stones at the end of a game such as Go."""
        self.final_status = self.session.final_status()
        for line in words.final_status_lines(self.final_status):
            self.say(line)

    def begin(self) -> None:
        """Show the names of the players, and how to get help."""
        self.note(words.players_line(self.match))
        if self.match.needs_seed:
            self.note(f"--seed {self.match.seed} repeats {words.random_parts(self.match)}")
        if self.match.has_humans and self.lines.is_terminal:
            self.session.prepare()
            self.note("Type a move, or ? for the commands.")
        for notice in self.session.notices():
            self.note(notice)
        if not self.match.has_humans:
            self.show_board()

    def keep(self) -> None:
        """Save the game after a change."""
        if warning := self.session.keep():
            self.note(warning)

    def reply(self) -> None:
        """Let a player that is not human make its move, and show the result of its search."""
        match = self.match
        reply = self.think(hint=False)
        found = "" if reply.has_resigned else self.describe_reply(reply, is_played=True)
        if self.session.loop.accept(reply) is None:
            return
        self.keep()  # save before anything is printed, because writing to a terminal can block
        if reply.move is None:
            self.note("the search was stopped before it found a move: playing the first legal move")
        self.say(words.last_move_line(match))
        if found:
            self.say(f"   {found}")
        if not match.has_humans and not match.is_over and match.turn != CHANCE:
            self.show_board()

    def think(self, *, hint: bool) -> Reply:
        """Return the reply of the player to move, or a hint. The first Ctrl-C asks for the best move so far; the second
        Ctrl-C quits."""
        match = self.match
        ending = "Ctrl-C stops" if hint else "Ctrl-C makes it move"
        with silent_keys(), show_progress(ending=ending) as monitor, allow_interrupt(monitor):
            reply = self.session.advice(monitor) if hint else self.session.reply(monitor)
        if reply.algorithm is not None:
            if not self.has_searched and self.session.settings.speed == "auto" and not self.output.verbose:
                say_fallback(match.game, reply.algorithm.game_to_search(match.game, match.state))
            self.has_searched = True
        if monitor.interrupted:
            self.interruptions += 1
            if self.interruptions > 1:
                self.session.loop.charge(match.turn, reply.seconds, has_moved=False)
                raise KeyboardInterrupt
            self.note("interrupted: playing the best move so far; Ctrl-C again saves the game and quits")
        return reply

    def describe_reply(self, reply: Reply, *, is_played: bool) -> str:
        """Describe the result of a search, or report a forced move. If the player does not search, the text is
        empty."""
        if reply.result is None:
            return ONLY_MOVE
        match = self.match
        return words.analysis_line(
            match.game, match.state, reply.result, self.output.verbose, match.number, is_played=is_played
        )

    # Input. --------------------------------------------------------------------------------------
    def ask(self) -> None:
        """Read a line, and make the move or carry out the command."""
        match, turn = self.match, self.match.turn
        if self.session.loop.clock is not None:
            self.note(words.clocks_text(match.game, self.session.loop.clock))
        started = time.perf_counter()
        text, interrupt = None, None
        try:
            text = self.lines.read(words.prompt(match))
        except KeyboardInterrupt as error:
            interrupt = error
        self.interruptions = 0
        if self.session.loop.charge(turn, time.perf_counter() - started, has_moved=False):
            return
        if interrupt is not None:
            raise interrupt
        if text is None:
            why = "no more moves on standard input" if self.lines.has_read else "standard input is empty"
            raise UserLeft(STOPPED, "" if self.lines.is_terminal else why)
        if not text.strip():
            return
        try:
            self.obey(self.session.read(text))
        except GamesearchError as error:
            self.note(str(error))

    def obey(self, line: Line) -> None:
        """Make the move, or carry out the command."""
        if line.move is not None:
            self.session.loop.make(line.move)
            self.keep()  # save the game before the move is printed
            self.say(words.last_move_line(self.match))
        elif line.command in (*self.session.CHANGING, "save", "save!"):
            said = self.session.obey(line)
            if line.command in ("load", "new"):
                self.shown = None
            if line.command == "swap":
                said, self.is_flipped = words.players_line(self.match), self.match.is_seen_from_above
            if said:
                self.note(said)
        else:
            getattr(self, f"do_{line.command}")()

    def do_help(self) -> None:
        """List the commands."""
        self.say(words.commands_list())
        if self.match.game.notation:
            self.say(f"Notation: {self.match.game.notation}.")

    def do_moves(self) -> None:
        """List the legal moves."""
        game, s = self.match.game, self.match.state
        names = [game.move_name(s, m) for m in self.match.steps]
        self.console.print(words.moves_list(names))

    def do_hint(self) -> None:
        """Print the best move that the computer finds."""
        reply = self.think(hint=True)
        if self.session.loop.charge(self.match.turn, reply.seconds, has_moved=False):
            return
        if reply.move is None:
            self.note("the search was stopped before it found a move: give it more time")
            return
        match = self.match
        self.say(f"hint: {number_moves(match.game, match.state, (reply.move,), match.number)[0]}")
        found = self.describe_reply(reply, is_played=False)
        evaluation = words.hint_evaluation(match, reply.result, reply.evaluation_game)
        if reply.result and reply.result.is_from_book:
            evaluation = ""  # the line already names the opening book
        if text := ", by ".join(filter(None, (found, evaluation))):
            self.say(f"   {text}")

    def do_board(self) -> None:
        """Show the board again."""
        self.shown = None

    def do_flip(self) -> None:
        """Turn the board by 180 degrees if its shape allows this."""
        if reason := picture(self.match.game, self.match.state).why_not_turned:
            raise GamesearchError(reason)
        self.is_flipped = not self.is_flipped
        self.shown = None

    def do_quit(self) -> None:
        """End the session."""
        raise UserLeft(DONE)

    # Leaving. ------------------------------------------------------------------------------------
    def leave(self, code: int, why: str = "", *, keep: bool) -> int:
        """End the session before the end of the game. If `keep` is true, save the game."""
        self.note(f"{words.ending(self.match)}{f': {why}' if why else ''}")
        self.save_and_say_how_to_go_on(keep)
        self.print_record()
        return code

    def save_and_say_how_to_go_on(self, keep: bool) -> None:
        """Save an unfinished match as `Session.save_unfinished` does, and print the command that continues it."""
        saved = self.session.save_unfinished(keep)
        self.note_saved(saved)
        if saved.file is not None:
            # Rich must not wrap this line, so that the command can be copied in one piece.
            click.echo(f"continue with: {self.session.command_to_go_on(saved.file)}", err=True)

    def note_saved(self, saved: SaveResult) -> None:
        """Report the file in which the match was saved, or why it was not saved."""
        for note in saved.notes:
            self.note(note)

    # Output. -------------------------------------------------------------------------------------
    def show_board(self) -> None:
        """Draw the position, unless it has just been drawn."""
        match = self.match
        if self.shown is not None and self.shown == (match.state, len(match.moves)):
            return
        self.shown = (match.state, len(match.moves))
        board = words.board_of(match) if self.console.is_terminal else picture(match.game, match.state)
        self.console.print(BoardView(board.flip() if self.is_flipped else board, only_ascii=self.only_ascii))

    def say(self, text: str) -> None:
        """Print a text about the match, such as a move."""
        self.console.print(text, soft_wrap=not self.console.is_terminal)

    def note(self, text: str) -> None:
        """Print a message about the match to standard error."""
        console = status_console()
        console.print(text, soft_wrap=not console.is_terminal)

    def print_record(self) -> None:
        """Print the record of the match as JSON if --json was given."""
        if self.output.as_json:
            print_json(words.match_data(self.match) | words.final_status_data(self.final_status))

    def complete(self, text: str) -> list[str]:
        """The completions that the Tab key offers for a text."""
        with contextlib.suppress(GamesearchError):
            return completions(self.match.game, self.match.state, text)
        return []


# Full screen. ------------------------------------------------------------------------------------
def play_on_screen(session: Session, output: OutputOptions) -> int:
    """Play until the user leaves, and save an unfinished game; returns the exit code."""
    from gamesearch.tui.play_screen import PlayApp

    line_mode = LineMode(session, output)  # prints the last messages of the match
    console = output_console(output.only_ascii)
    app = PlayApp(session, console, console.options.ascii_only)
    with full_screen():
        app.run()
    app.charge()
    line_mode.keep()
    if isinstance(app.failure, PlayerError):
        return line_mode.leave(STOPPED, str(app.failure), keep=True)
    if app.failure is not None:
        line_mode.save_and_say_how_to_go_on(keep=True)
        raise app.failure
    if not session.match.is_over:
        return line_mode.leave(app.return_code or DONE, keep=True)
    line_mode.say(words.result_text(session.match))
    line_mode.note_saved(session.save_at_end())
    return app.return_code or DONE
