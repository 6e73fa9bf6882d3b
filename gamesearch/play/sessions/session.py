"""A session of `gamesearch play`, in line mode or on the full screen: a match, its files, and the typed commands."""

import contextlib
import copy
import datetime
import glob
import itertools
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from gamesearch.algorithms.engine.result import Monitor, Progress
from gamesearch.algorithms.engine.thread_pool import DoneFlag, start_thread
from gamesearch.errors import GamesearchError, Interrupted
from gamesearch.files.whole import file_path, is_protected
from gamesearch.game import CHANCE
from gamesearch.play.clock import Clock
from gamesearch.play.files import (
    free_path,
    game_count,
    read_file,
    refuse_other_suffixes,
    saved_game,
    writable_path,
    write_file,
)
from gamesearch.play.game_loop import GameLoop, Reply
from gamesearch.play.match import Match
from gamesearch.play.players.loading import adviser
from gamesearch.play.players.player import Player, Turn
from gamesearch.play.sessions.autosave import Autosave, unfinished_games
from gamesearch.play.sessions.commands import Line, read_command, read_line, read_move
from gamesearch.registry import load, specification_of
from gamesearch.specification import files_named, runs_own_code
from gamesearch.study.final_status import FinalStatus, status_at_end

__all__ = ["CLOCK", "CONTINUED", "OPTIONS", "RULES", "SaveResult", "Session", "Settings"]

OPTIONS, RULES, CLOCK = "Options", "Rules", "SecondsLeft"  # additional headers of automatically saved games
CONTINUED = ("--time", "--clock", "--seed", "--speed")  # the options in the header `Options`
INTERVAL = 1.0  # seconds between two saves of a game without people, whose moves may be fast
PONDERS_NOT = "--ponder has no effect: levels below best, interpreted searches and other programs do not ponder."
MOST_LOOKED_AT = 100  # in positions with more legal moves, `may_be_next` does not look ahead


@dataclass(frozen=True)
class Settings:
    """The options of the command line that describe a match, except the players."""

    name: str  # the game, in the form in which a user types it
    speed: str = "auto"
    clock: tuple[float, float] | None = None  # seconds for a game, and seconds that each move adds
    seconds_left: tuple[float, ...] | None = None  # for each player of a continued game
    seconds: float | None = None  # the seconds that the computer has to find a hint
    ponders: bool = False  # whether the computer also thinks while a person is to move
    save_to: str | None = None  # the file to which the match is saved at its end
    force: bool = False  # whether the file `save_to` may be replaced
    file: str | None = None  # the file that the match was loaded from
    options: Mapping[str, str] = field(default_factory=dict)  # for the command that continues the match


@dataclass
class SaveResult:
    """The result of saving a match: the file (None if it was not saved), and messages."""

    file: str | None = None
    notes: list[str] = field(default_factory=list)


def today() -> dict[str, str]:
    """The header with the date."""
    return {"Date": f"{datetime.datetime.now():%Y.%m.%d}"}


def program() -> str:
    """The name or the path of this program. The path is used if the shell would find another installation or nothing
    (as after `make play`)."""
    beside, found = Path(sys.executable).with_name("gamesearch"), shutil.which("gamesearch")
    if not beside.is_file() or (found is not None and beside.samefile(found)):
        return "gamesearch"
    here = Path.cwd()
    return str(beside.relative_to(here) if beside.is_relative_to(here) else beside)


class Session:
    """One or more successive games at the terminal, between people or computers."""

    CHANGING = ("undo", "redo", "swap", "load", "new", "resign")  # the commands that change the game
    BEFORE_THE_END = ("hint", "moves", "redo", "resign", "swap")  # commands that are refused when the game is over

    def __init__(self, match: Match, settings: Settings) -> None:
        self.match, self.settings = match, settings
        self.keeps = False  # whether an unfinished game is saved in the user's state folder after every move
        self.autosave, self.has_warned = Autosave(), False
        self.kept_at = -INTERVAL
        self.file, self.options = settings.file, dict(settings.options)
        clock = self.new_clock()
        if clock is not None and settings.seconds_left is not None:
            clock = replace(clock, remaining=settings.seconds_left)
        self.loop = GameLoop(match, clock)
        self.loop.ponders = settings.ponders
        self.preparation: Preparation | None = None  # the compilation in the background

    # Moves. --------------------------------------------------------------------------------------
    @property
    def waits_for_human(self) -> bool:
        """Whether a person is to move."""
        return not self.match.is_over and self.match.waits_for_human(self.match.state)

    def prepare(self) -> None:
        """Start compiling the code of the players early, so that no player waits after the first move."""
        if self.match.has_humans:
            self.preparation = Preparation(self.match)

    def wait_until_prepared(self, monitor: Monitor) -> None:
        """Wait until the code of the players is compiled; this does not count as thinking time."""
        if self.preparation is not None:
            self.preparation.wait(monitor)

    def reply(self, monitor: Monitor) -> Reply:
        """Get the move of the computer or program whose turn it is, but do not make the move."""
        if len(self.match.steps) > 1:
            self.wait_until_prepared(monitor)
        return self.loop.ask(monitor=monitor)

    def advice(self, monitor: Monitor) -> Reply:
        """Return the best move that the computer finds at its best level, even if it plays at a lower level."""
        steps = self.match.steps
        if len(steps) == 1:
            return Reply(steps[0])
        self.wait_until_prepared(monitor)
        with adviser(self.match.game, self.settings.seconds, self.settings.speed) as one:
            result = one.answer(self.match.player_turn(), monitor)
        return Reply(result.best, result, one.algorithm, one.evaluation_game, seconds=result.statistics.seconds)

    def final_status(self) -> FinalStatus | None:
        """The dead stones at the end of a game such as Go; None if the game is not over or has no dead stones. The
        method takes a second or more."""
        return status_at_end(self.match.game, self.match.state, self.settings.speed) if self.match.is_over else None

    # The clock. ----------------------------------------------------------------------------------
    def new_clock(self) -> Clock | None:
        """Return the clock at the beginning of a game; None if the game is played without clocks."""
        if self.settings.clock is None:
            return None
        seconds, increment = self.settings.clock
        return Clock((seconds,) * self.match.game.players, increment)

    # Commands. -----------------------------------------------------------------------------------
    def read(self, text: str) -> Line:
        """Parse a typed line; raises GamesearchError if it is neither a legal move nor a command."""
        command = read_command(text)
        if self.match.is_over and (command is None or command.command in self.BEFORE_THE_END):
            raise GamesearchError("the game is over: type new for a new game, or undo")
        line = read_line(self.match.game, self.match.state, text)
        if line.move is not None and line.move not in self.match.steps:
            name = self.match.game.move_name(self.match.state, line.move)
            raise GamesearchError(f"{name} would repeat an earlier position, which the rules forbid")
        return line

    def may_be_next(self, text: str) -> bool:
        """Whether a line may be a legal move at the person's next turn. The person typed the line while another player
        searched. The answer is simply True if there are too many moves to try, or if another player's turn comes before
        the person's turn."""
        match, steps = self.match, self.match.steps
        if len(steps) > MOST_LOOKED_AT:
            return True
        for after in (match.game.result(match.state, m) for m in steps):
            if match.game.terminal(after):
                continue
            if not match.waits_for_human(after):
                return True
            with contextlib.suppress(GamesearchError):
                read_move(match.game, after, text)
                return True
        return False

    def obey(self, line: Line) -> str:
        """Carry out a command that changes the session or saves it; returns a message, which may be empty."""
        if line.command in ("save", "save!"):
            return self.save(line.argument, overwrite=line.command == "save!")
        if line.command == "load":
            return self.load(line.argument)
        if line.command == "new":
            return self.begin_new_game()
        return getattr(self, line.command)() or ""

    def check(self, line: Line) -> None:
        """Raise GamesearchError if a command would be refused. The method tries the command on a copy of the match."""
        if line.command == "new":  # this command is never refused, and a trial would reset the players
            return
        tried = copy.copy(self)
        tried.keeps, tried.autosave = False, Autosave()
        tried.match, tried.options = self.match.copy(), dict(self.options)
        tried.loop = GameLoop(tried.match, self.loop.clock)
        tried.obey(line)

    def undo(self) -> None:
        """Take back moves up to the previous turn of a human. If a human has resigned, take back only the resignation.
        The players do not get their time back."""
        if self.match.flagged is not None:
            raise GamesearchError("a player has lost on time: type new for a new game")
        resigned, self.match.resigned = self.match.resigned, None
        is_taken_back = resigned is not None and self.match.players[resigned].is_human
        if not is_taken_back and not self.match.undo():
            self.match.resigned = resigned
            raise GamesearchError("you have no move to take back")

    def redo(self) -> None:
        """Repeat the moves that were taken back."""
        if not self.match.redo():
            raise GamesearchError("there is no move to redo")

    def swap(self) -> None:
        """Change sides."""
        self.match.swap()
        for option in ("--max", "--min", "--players"):
            self.options.pop(option, None)
        self.options["--players"] = ",".join(player.specification for player in self.match.players)

    def resign(self) -> None:
        """Let the player to move resign."""
        self.match.resign()

    def begin_new_game(self) -> str:
        """Begin a new game with other dice from the same starting position. If the session saves games, first save an
        unfinished game."""
        saved = self.try_to_save() if self.keeps and self.match.moves and not self.match.is_over else SaveResult()
        for player in self.match.players:
            player.begin()
        self.match.seed = (self.match.seed + 1) % (1 << 31)
        if "--seed" in self.options:
            self.options["--seed"] = str(self.match.seed)
        self.match.begin(self.match.start, (), self.match.before)
        self.autosave.release()
        self.file, self.loop.clock = None, self.new_clock()
        return "; ".join(["a new game", *saved.notes])

    # Files. --------------------------------------------------------------------------------------
    def save(self, name: str, overwrite: bool) -> str:
        """Save the game to a file. If `name` is empty, use the file that was last saved or loaded."""
        if not name and self.file is None:
            raise GamesearchError(f"save needs a name: save {self.suggested_file}")
        target = name or self.file or ""
        refuse_other_suffixes(target, self.match.game)
        overwrite = overwrite or self.may_replace(target)
        if writable_path(target, overwrite=True).is_file() and not overwrite:
            raise GamesearchError(f"{target} exists already: type save! {target} to replace it")
        write_file(target, self.record(), overwrite)
        self.file = target
        return f"saved to {target}"

    def may_replace(self, file: str) -> bool:
        """Whether this game may replace a file without asking the user. It may do so if the file is this game's own
        file, and is not write-protected."""
        return file == self.file and not is_protected(file_path(file))

    @property
    def suggested_file(self) -> str:
        """The suggested name of a new file in which this game is saved."""
        return str(free_path(Path(), Path(self.match.game.name).stem, self.match.game.record_suffix))

    def load(self, name: str) -> str:
        """Continue a saved game."""
        if not name:
            raise GamesearchError("load needs the name of a file")
        notes = list[str]()
        start, moves = read_file(name, self.match.game, notes.append)
        self.keep()
        self.match.begin(start, moves)
        self.file, self.loop.clock = name if game_count(name) == 1 else None, self.new_clock()
        self.continue_loaded()
        at = f" up to move {self.match.last_number}" if self.match.last_number else ""
        return "; ".join([f"loaded {name}{at}", *notes])

    def record(self) -> str:
        """The match as the text of a file."""
        return self.match.record(today())

    def record_for_autosave(self) -> str:
        """Return the record for autosaving. It also contains options, and rules that the file format omits."""
        options = [each for each in self.options.items() if each[0] in CONTINUED]
        headers = {OPTIONS: shlex.join(itertools.chain.from_iterable(options))} if options else {}
        if self.match.game.record_suffix != ".json":
            headers[RULES] = self.settings.name
        if self.loop.clock is not None:
            headers[CLOCK] = " ".join(f"{seconds:.1f}" for seconds in self.loop.clock.remaining)
        return self.match.record(today() | headers)

    def notices(self) -> list[str]:
        """Sentences to show at the beginning: whether another unfinished match of the same game exists, and whether the
        option --ponder has no effect."""
        game, notices = self.match.game, list[str]()
        name = Path(game.name).stem
        if self.keeps and not self.match.moves and any(True for _ in unfinished_games(f"{glob.escape(name)}-*")):
            notices.append(f"You have an unfinished game of {name}. Type {program()} play to continue it.")
        if self.settings.ponders and not any(player.ponders(game) for player in self.match.players):
            notices.append(PONDERS_NOT)
        return notices

    def last_words(self) -> str:
        """The message to print when a signal ends the process."""
        return f"The game is saved. Type {program()} play to continue it." if self.autosave.path is not None else ""

    def continue_loaded(self) -> None:
        """Continue a loaded game. If this game was also saved automatically, save later moves in the automatically
        saved file."""
        if self.keeps:
            self.autosave.load(self.match, self.record_for_autosave())
            if self.autosave.path is not None and self.file is not None and self.autosave.path.samefile(self.file):
                self.file = None  # this file is removed when the game ends, so save must not use it

    def keep(self) -> str:
        """Save the game after a change, or remove its file if the game is over. The first time that the game cannot be
        saved, return a warning."""
        if not self.keeps:
            return ""
        if self.match.is_over or not self.match.moves:
            self.autosave.remove()
            return ""
        if not self.match.has_humans and time.monotonic() - self.kept_at < INTERVAL:
            return ""
        self.kept_at = time.monotonic()
        try:
            self.autosave.write(self.match, self.record_for_autosave())
        except GamesearchError as error:
            if not self.has_warned:
                self.has_warned = True
                return f"this game is not saved: {error}"
        return ""

    def save_at_end(self) -> SaveResult:
        """If the user gave the option --save, save the game to the file that it names."""
        save_to = self.settings.save_to
        if save_to is None:
            return SaveResult()
        return self.try_to_save(save_to, overwrite=self.settings.force or self.may_replace(save_to))

    def save_unfinished(self, keep: bool) -> SaveResult:
        """Save an unfinished match to the file of --save. If --save is not given and `keep` is true, save to the
        autosave file."""
        saved = self.save_at_end()
        if saved.file is None and keep and self.match.moves:
            own = self.try_to_save()
            return SaveResult(own.file, saved.notes + own.notes)
        return saved

    def try_to_save(self, name: str | None = None, overwrite: bool = False) -> SaveResult:
        """Save the match to the file `name`. If `name` is None, save it as the autosave does. Returns the file and
        messages."""
        try:
            if name is None:
                # A game that was loaded from a file with several games is saved to a new file.
                if self.autosave.path is None and self.file is None:
                    self.autosave.text = ""
                self.autosave.write(self.match, self.record_for_autosave())
                name = str(self.autosave.path or self.file)
            else:
                write_file(name, self.record(), overwrite)
        except GamesearchError as error:
            return SaveResult(notes=[str(error)])
        return SaveResult(name, [f"saved to {name}"])

    def command_to_go_on(self, file: str) -> str:
        """The command that continues a saved game. The command must name the game if the rules are in a Python file, or
        if the saved file does not contain all settings of the game. For example, a PGN file does not contain
        weights."""
        recorded, rules = saved_game(file), specification_of(self.match.game)
        named = recorded[0] if recorded is not None else ""
        is_enough = (
            named and not runs_own_code(named) and not files_named(named) and specification_of(load(named)) == rules
        )
        path = f"./{file}" if file.startswith("-") else file
        words = [path] if is_enough else [self.settings.name, "--load", path]
        return shlex.join([program(), "play", *words, *itertools.chain.from_iterable(self.options.items())])


MOVES_AHEAD = 8  # the number of plies that `turns_ahead` looks ahead to find a turn of each player


class Preparation:
    """While people think, a thread compiles the searches of the players, one after another."""

    def __init__(self, match: Match) -> None:
        self.turns = list(turns_ahead(match))
        self.now = Progress()  # the progress of the present compilation
        self.done = DoneFlag()
        start_thread(self.work)

    def work(self) -> None:
        """Prepare the players. Errors are ignored here: they occur again, and are reported, when the player moves."""
        for player, turn in self.turns:
            with contextlib.suppress(Exception):
                player.prepare(turn, Monitor(poll=self.note, interval=0.1))
            self.now = Progress()
        self.done.set()

    def note(self, now: Progress) -> bool:
        """Store the progress of the compilation."""
        self.now = replace(now)
        return False

    def wait(self, monitor: Monitor) -> None:
        """Wait until everything is compiled, and report to the monitor. Raises Interrupted after Ctrl-C."""
        while not self.done.is_set:
            self.done.wait(monitor.interval)
            if not self.done.is_set and self.now.compiling:
                monitor.poll(replace(self.now))
            if not self.done.is_set and monitor.interrupted:
                raise Interrupted("interrupted while code was being compiled")


def turns_ahead(match: Match) -> Iterator[tuple[Player, Turn]]:
    """For each player that searches, yield the player and one of its turns. If other turns come before this turn, the
    first legal move is made in each of them."""
    game, missing = match.game, {i for i, player in enumerate(match.players) if player.algorithm is not None}
    states: list[Any] = list(match.states)
    for _ in range(MOVES_AHEAD):
        if not missing or game.terminal(states[-1]):
            return
        mover = game.player(states[-1])
        if mover != CHANCE and mover in missing:
            missing.remove(mover)
            yield match.players[mover], replace(match.player_turn(), states=tuple(states))
        steps = game.steps(states[-1], states[:-1])
        if not steps:
            return
        states.append(game.result(states[-1], steps[0]))
