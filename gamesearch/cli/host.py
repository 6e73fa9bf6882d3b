"""Runs a match: shows it, reads what is typed, and lets the algorithms think."""

import contextlib
import datetime
import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from gamesearch.algorithms.parts.formatting import plural
from gamesearch.algorithms.parts.result import SearchResult
from gamesearch.cli.common import can_draw, output_console, print_json, say_fallback, status_console, watching
from gamesearch.cli.messages import heard_or_not, say
from gamesearch.cli.terminal import LineReader, interruptible
from gamesearch.errors import GamesearchError
from gamesearch.game import CHANCE
from gamesearch.pictures import picture
from gamesearch.play.files import autosave_path, read_file, refuse_other_suffixes, write_file
from gamesearch.play.lines import Line, completions, read_line
from gamesearch.play.match import Match
from gamesearch.play.player import Player, PlayerError, Resigned
from gamesearch.play.players import adviser
from gamesearch.registry import specification_of
from gamesearch.render.board import BoardView
from gamesearch.render.match import (
    analysis_line,
    board_of,
    commands_list,
    ending,
    move_line,
    moves_list,
    players_line,
    prompt,
)

__all__ = ["Host", "Settings"]

DONE, STOPPED, INTERRUPTED = 0, 1, 130
"""Exit codes."""
ONLY_MOVE = "the only move"
"""Said instead of what a search found: where nothing can be chosen, nothing is searched."""


@dataclass(frozen=True)
class Settings:
    """What the command line says of a match, besides who plays what."""

    name: str
    """The game, as it may be typed again."""
    speed: str = "auto"
    seconds: float | None = None
    """How long an algorithm thinks about a hint."""
    only_ascii: bool = False
    as_json: bool = False
    verbose: bool = False
    save_to: str | None = None
    """The file for the end of the match."""
    force: bool = False
    """Whether that file may be there already."""
    file: str | None = None
    """The file that the match was loaded from."""
    options: Mapping[str, str] = field(default_factory=dict)
    """The options that it takes to go on with the match later."""


class Stop(Exception):  # noqa: N818
    """Somebody leaves before the game is over; with DONE for a code, on purpose."""

    code = STOPPED


class Quit(Stop):
    """Somebody typed quit."""

    code = DONE


class Host:
    """One match between the people at the terminal and the algorithms."""

    def __init__(self, match: Match, settings: Settings) -> None:
        self.match, self.settings = match, settings
        self.file, self.options = settings.file, dict(settings.options)
        # With --json the record alone goes to standard output.
        self.console = status_console() if settings.as_json else output_console(settings.only_ascii)
        self.only_ascii = settings.only_ascii or not can_draw(self.console)
        self.lines = LineReader(self.complete, is_plain=settings.as_json)
        self.is_flipped = False
        self.shown: Any = None
        self.interruptions = 0
        self.has_searched = False

    # The course of a match. ----------------------------------------------------------------------
    def run(self) -> int:
        """Play to the end, or until somebody leaves; the exit code."""
        with contextlib.ExitStack() as players:
            for player in self.match.players:
                players.enter_context(player)
            return self.play()

    def play(self) -> int:
        """Play with players that are closed later."""
        try:
            self.begin()
            while not self.match.is_over:
                self.step()
            self.show_board()
            self.say(self.result())
        except KeyboardInterrupt:
            say("")
            return self.leave(INTERRUPTED, keep=True)
        except Stop as stop:
            return self.leave(stop.code, str(stop), keep=self.lines.is_terminal)
        except PlayerError as error:
            return self.leave(STOPPED, str(error), keep=True)
        except BrokenPipeError:  # whoever read what is said has gone
            self.save_and_say_how_to_go_on(keep=self.lines.is_terminal)
            raise
        self.save_at_end()
        self.print_record()
        return DONE

    def begin(self) -> None:
        """Say who plays, and how to ask for help."""
        self.note(players_line(self.match))
        if self.match.needs_seed:
            self.note(f"--seed {self.match.seed} plays the same dice and random moves again")
        if self.match.has_humans and self.lines.is_terminal:
            self.note("Type a move, or ? for the commands.")
        if not self.match.has_humans:
            self.show_board()

    def step(self) -> None:
        """One move of whoever has to make it."""
        match = self.match
        if match.turn == CHANCE:
            s = match.state
            self.say(move_line(match.game, s, match.roll(), match.number))
        elif match.player.is_human:
            self.show_board()
            self.ask()
        else:
            self.reply()
            if not match.has_humans and not match.is_over and match.turn != CHANCE:
                self.show_board()

    def reply(self) -> None:
        """Let a player who is no human make its move, and say what it found."""
        match = self.match
        s = match.state
        if match.player.is_search and len(match.steps) == 1:
            self.say(move_line(match.game, s, match.steps[0], match.number))
            self.say(f"   {ONLY_MOVE}")
            match.play(match.steps[0])
            return
        try:
            result = self.think(match.player)
        except Resigned:
            match.resign()
            return
        m = result.best
        if m is None:
            m = self.first_move()
            self.note("nothing is known yet: taking the first legal move")
        self.say(move_line(match.game, s, m, match.number))
        found = analysis_line(match.game, s, result, self.settings.verbose)
        if found:
            self.say(f"   {found}")
        match.play(m)

    def think(self, player: Player) -> SearchResult:
        """What a player answers; Ctrl-C takes what is known, and a second one in a row leaves."""
        match, algorithm = self.match, player.algorithm
        with watching() as monitor, interruptible(monitor):
            result = player.answer(match.told(), monitor)
        if algorithm is not None:
            if not self.has_searched and self.settings.speed == "auto" and not self.settings.verbose:
                say_fallback(match.game, algorithm.as_searched(match.game, match.state))
            self.has_searched = True
        if monitor.interrupted:
            self.interruptions += 1
            if self.interruptions > 1:
                raise KeyboardInterrupt
            self.note("interrupted: taking the best move so far; Ctrl-C again saves the game and leaves")
        return result

    def first_move(self) -> int:
        """The first legal move."""
        game, s = self.match.game, self.match.state
        for m in self.match.steps:
            return m
        raise GamesearchError(f"the rules of {game.name} give no move in {game.format(s)!r}")

    # What people type. ---------------------------------------------------------------------------
    def ask(self) -> None:
        """Read a line and do what it says; nonsense is answered with what may have been meant."""
        match = self.match
        text = self.lines.read(prompt(match))
        self.interruptions = 0
        if text is None:
            if not self.lines.has_read and not self.lines.is_terminal:
                raise GamesearchError("standard input is empty: it should hold the moves, a line each")
            raise Stop("" if self.lines.is_terminal else "no more moves on standard input")
        if not text.strip():
            return
        try:
            self.obey(read_line(match.game, match.state, text))
        except GamesearchError as error:
            self.note(str(error))

    def obey(self, line: Line) -> None:
        """Make the move, or carry out the command."""
        if line.move is not None:
            if line.move not in self.match.steps:
                name = self.match.game.move_name(self.match.state, line.move)
                raise GamesearchError(f"{name} would bring back an earlier position, which the rules forbid")
            self.say(move_line(self.match.game, self.match.state, line.move, self.match.number))
            self.match.play(line.move)
        elif line.command in ("save", "save!"):
            self.save(line.argument, overwrite=line.command == "save!")
        elif line.command == "load":
            self.load(line.argument)
        else:
            getattr(self, f"do_{line.command}")()

    def do_help(self) -> None:
        """List the commands."""
        self.say(commands_list())
        if self.match.game.notation:
            self.say(f"Notation: {self.match.game.notation}.")

    def do_moves(self) -> None:
        """List the legal moves."""
        game, s = self.match.game, self.match.state
        names = [game.move_name(s, m) for m in self.match.steps]
        self.console.print(moves_list(names))

    def do_hint(self) -> None:
        """Say what an algorithm would play."""
        game, s, steps = self.match.game, self.match.state, self.match.steps
        if len(steps) == 1:
            self.say(f"hint: {game.move_name(s, steps[0])}\n   {ONLY_MOVE}")
            return
        with adviser(self.match.players, game, self.settings.seconds, self.settings.speed) as one:
            result = self.think(one)
        if result.best is None:
            self.note("nothing is known yet: give it more time")
            return
        self.say(f"hint: {game.move_name(s, result.best)}")
        self.say(f"   {analysis_line(game, s, result, self.settings.verbose)}")

    def do_undo(self) -> None:
        """Take back to the human's previous turn."""
        if not self.match.undo():
            self.note("there is nothing of yours to take back")

    def do_redo(self) -> None:
        """Bring back what was taken back."""
        if not self.match.redo():
            self.note("there is nothing to bring back")

    def do_board(self) -> None:
        """Show the board again."""
        self.shown = None

    def do_flip(self) -> None:
        """Turn the board round."""
        self.is_flipped = not self.is_flipped
        self.shown = None
        if not self.match.game.board(self.match.state).rows:
            self.note("this game has no board to turn round; swap changes sides")

    def do_swap(self) -> None:
        """Change sides."""
        self.match.swap()
        for option in ("--max", "--min", "--players"):
            self.options.pop(option, None)
        self.options["--players"] = ",".join(player.specification for player in self.match.players)
        self.note(players_line(self.match))

    def do_resign(self) -> None:
        """Give up."""
        self.match.resign()

    def do_quit(self) -> None:
        """Leave."""
        raise Quit

    # Files. --------------------------------------------------------------------------------------
    def save(self, name: str, overwrite: bool) -> None:
        """Save the game; without a name to the file it was loaded from or last saved to."""
        if not name and self.file is None:
            raise GamesearchError(f"save needs a name: save {self.match.game.name}{self.match.game.record_suffix}")
        target = name or self.file or ""
        refuse_other_suffixes(target, self.match.game)
        if not overwrite and target != self.file and Path(target).expanduser().is_file():
            raise GamesearchError(f"{target} exists already: save! {target} replaces it")
        write_file(target, self.record(), overwrite=overwrite or target == self.file)
        self.file = target
        self.note(f"saved to {target}")

    def load(self, name: str) -> None:
        """Go on with a saved game."""
        if not name:
            raise GamesearchError("load needs the name of a file")
        start, moves = read_file(name, self.match.game)
        self.match.begin(start, moves)
        self.file, self.shown = name, None
        self.note(f"loaded {name}: {plural(self.match.moves_made, 'move')}")

    def record(self) -> str:
        """The match as the text of a file."""
        return self.match.record(f"{datetime.datetime.now():%Y.%m.%d}")

    def save_at_end(self) -> str | None:
        """Save to the file that --save names; its name, or None where there is none or it failed."""
        save_to = self.settings.save_to
        if save_to is None:
            return None
        try:
            write_file(save_to, self.record(), overwrite=self.settings.force or save_to == self.file)
        except GamesearchError as error:
            self.note(str(error))
            return None
        self.note(f"saved to {save_to}")
        return save_to

    def leave(self, code: int, why: str = "", *, keep: bool) -> int:
        """Stop before the end; with `keep`, nothing that was played is lost."""
        self.note(f"{ending(self.match)}{f': {why}' if why else ''}")
        self.save_and_say_how_to_go_on(keep)
        self.print_record()
        return code

    def save_and_say_how_to_go_on(self, keep: bool) -> None:
        """Save an unfinished match to the file of --save or, with `keep`, to one of its own."""
        saved = self.save_at_end()
        if saved is None and keep and self.match.moves:
            try:
                saved = str(autosave_path(self.match.game))
                write_file(saved, self.record())
                self.note(f"saved to {saved}")
            except GamesearchError as error:
                self.note(str(error))
                saved = None
        if saved is not None:
            # Wrapped by the terminal, not by Rich: the command can then be copied in one piece.
            with heard_or_not():
                click.echo(f"go on with: {self.command_to_go_on(saved)}", err=True)

    def command_to_go_on(self, file: str) -> str:
        """The command line that loads a saved game."""
        words = ["gamesearch", "play", self.settings.name]
        for option, value in self.options.items():
            words += [option, value]
        return shlex.join([*words, "--load", file])

    # Output. -------------------------------------------------------------------------------------
    def show_board(self) -> None:
        """Draw the position, unless it stands there already."""
        match = self.match
        if self.shown is not None and self.shown == (match.state, len(match.moves)):
            return
        self.shown = (match.state, len(match.moves))
        board = board_of(match) if self.console.is_terminal else picture(match.game, match.state)
        self.console.print(BoardView(board.turned() if self.is_flipped else board, only_ascii=self.only_ascii))

    def say(self, text: str) -> None:
        """Say something that belongs to the match."""
        self.console.print(text, markup=False, soft_wrap=not self.console.is_terminal)

    def note(self, text: str) -> None:
        """Say something about the match: to standard error."""
        console = status_console()
        with heard_or_not():
            console.print(text, markup=False, soft_wrap=not console.is_terminal)

    def result(self) -> str:
        """How the match ended; of a draw by the rules also what the board says, such as `draw by stalemate`."""
        match, outcome = self.match, self.match.outcome
        if outcome is not None and outcome.is_draw and not outcome.reason:
            for note in match.game.board(match.state).notes:
                if note.startswith("draw by "):
                    return ending(match, note.removeprefix("draw "))
        return ending(match)

    def print_record(self) -> None:
        """With --json, what was played and how it ended."""
        if not self.settings.as_json:
            return
        match, outcome = self.match, self.match.outcome
        game = match.game
        print_json(
            {
                "game": specification_of(game),
                "players": [player.specification for player in match.players],
                "seed": match.seed if match.needs_seed else None,
                "position": game.format(match.start),
                "moves": match.move_names(),
                "final": game.format(match.state),
                "result": self.result(),
                "winner": None if outcome is None or outcome.winner is None else game.player_name(outcome.winner),
                "utility": None if outcome is None else outcome.utility,
            }
        )

    def complete(self, text: str) -> list[str]:
        """What the Tab key offers."""
        with contextlib.suppress(GamesearchError):
            return completions(self.match.game, self.match.state, text)
        return []
