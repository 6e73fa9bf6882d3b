"""`gamesearch play`: a match in the terminal, or in a pipe."""

import contextlib
import random
import shlex
import sys
from collections.abc import Mapping
from dataclasses import astuple
from typing import Any

import click

from gamesearch.cli.completing import offer_games, offer_players
from gamesearch.cli.ending import last_words
from gamesearch.cli.messages import say
from gamesearch.cli.options import (
    ascii_option,
    force_option,
    json_option,
    position_argument,
    speed_option,
    verbose_option,
)
from gamesearch.cli.reading import is_saved, read_history
from gamesearch.commands.play.setup import Setup, choose_unfinished_game, prompt_setup
from gamesearch.compiler import speed_for, why_interpreted
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.play.clock import MOST_SECONDS, read_clock
from gamesearch.play.files import game_count, read_file, refuse_other_suffixes, saved_game, writable_path
from gamesearch.play.match import Match
from gamesearch.play.players.computer import computer_text
from gamesearch.play.players.levels import level_of
from gamesearch.play.players.loading import ENGINES, default_player, load_player
from gamesearch.play.players.player import HUMAN
from gamesearch.play.sessions.session import CLOCK, CONTINUED, OPTIONS, RULES
from gamesearch.registry import load as load_game
from gamesearch.registry import specification_of
from gamesearch.specification import files_named, runs_own_code, split_outside_brackets

__all__ = ["command"]


@click.command()
@click.argument("game", metavar="[GAME]", default="", shell_complete=offer_games, required=False)
@position_argument
@click.option(
    "--max",
    "max_player",
    metavar="PLAYER",
    shell_complete=offer_players,
    help="Who plays Max, who has the first side.  [default: human]",
)
@click.option(
    "--min",
    "min_player",
    metavar="PLAYER",
    shell_complete=offer_players,
    help="The player of all other sides.  [default: the computer at its best]",
)
@click.option(
    "--players",
    metavar="PLAYER,...",
    shell_complete=offer_players,
    help="All players in their order, such as 'human,maxn,random'.",
)
@click.option("--level", metavar="LEVEL", help="How strong the computer is: 1 to 10, or easy, normal, hard, best.")
@click.option(
    "--time",
    "seconds",
    type=click.FloatRange(min=0, min_open=True, max=1e6),
    metavar="S",
    help="Seconds an algorithm or the best level has for a move.  [default: 2, unless it names a time or a depth]",
)
@click.option("--clock", metavar="S+S", help="Time for a game and what each move adds, such as 5m+3s.")
@click.option("--seed", type=int, help="Decides dice and random players; without it, each match has its own.")
@click.option("--load", metavar="FILE", help="Go on with a saved game, as FILE alone in place of GAME does.")
@click.option("--save", metavar="FILE", help="Save the game when it ends, or is left.")
@force_option
@click.option("--plain", is_flag=True, help="Print and read lines, and leave the screen as it is.")
@speed_option
@ascii_option
@json_option
@verbose_option
def command(
    game: str,
    position: str,
    max_player: str | None,
    min_player: str | None,
    players: str | None,
    level: str | None,
    seconds: float | None,
    clock: str | None,
    seed: int | None,
    load: str | None,
    save: str | None,
    force: bool,
    plain: bool,
    speed: str,
    only_ascii: bool,
    as_json: bool,
    verbose: bool,
) -> int:
    """Play GAME, from the start or from POSITION; with the file of a saved game for GAME, go on with that.

    Without GAME, at a terminal, it asks for one, for your side and for how strong the computer is. A game is
    saved after every move; unfinished games are offered first.

    PLAYER is human, computer(level=3), random(seed=7), an algorithm such as 'alphabeta(depth=6)', or another
    program: uci(path=stockfish), gtp(path="gnugo --mode gtp"), external(path=...), gnubg. Moves are
    typed, or read from standard input, a line each; ? lists what else may be typed. Ctrl-C makes an
    algorithm move at once; a second one, or one at the prompt, saves the game and leaves.

    In a terminal the board has the whole screen, where moves are also made by the arrow keys and by the
    mouse, if Textual is installed (pip install 'gamesearch[tui]'); --plain goes without.

    With --clock, who has used up its time has lost; the computer shares its own out over the game. Compiling
    takes nobody's time, and undo gives none back.

    Where positions that come again draw (chess, checkers, morris), play ends when one is there for the
    third time; an algorithm that thinks takes the second time for a draw.

    \b
    gamesearch play tictactoe --level easy
    gamesearch play connect4 --max "alphabeta(depth=10)" --min human
    gamesearch play pig --max random --min "expectiminimax(depth=6)"
    """
    from gamesearch.commands.play.line_mode import LineMode, OutputOptions, has_screen, play_on_screen
    from gamesearch.play.sessions.session import Session, Settings

    if load and position:
        raise GamesearchError("a loaded game has its own position: leave out POSITION or --load")
    if position and is_saved(game):
        raise GamesearchError(f"{game} is a saved game, which has its own position: leave out {position}")
    if not (game or load or position or max_player or min_player or players or level):
        load = choose_unfinished_game()
    loaded = saved_game(load or game) if (load or game) and not position else None
    seconds_left = None
    if loaded is not None and (load is None or not game):
        load, rules_text = load or game, loaded[1].get(RULES, loaded[0])
        ask_before_loading("rules", load, rules_text)
        game = rules_text
        kept = options_in(load, loaded[1])
        seconds, seed = seconds or kept["seconds"], kept["seed"] if seed is None else seed
        speed = kept["speed"] if speed == "auto" else speed
        if clock is None:
            clock, seconds_left = kept["clock"], seconds_left_in(loaded[1])
    elif load and not game:
        raise GamesearchError(f"{load} is no saved game that is there: name a .json or .pgn file, or a GAME, too")
    setup = prompt_setup(Setup(game, max_player, min_player, players, level))
    game, max_player, min_player, players, level = astuple(setup)
    again = {"--max": max_player, "--min": min_player, "--players": players}
    if loaded is not None and not (max_player or min_player or players or level):
        players = players_in(load_game(game), load or "", loaded[1])
    if save:
        writable_path(save, overwrite=force or (save == load and game_count(save) == 1))
    rules, start, before = read_history(game, position)
    if save:
        refuse_other_suffixes(save, rules)
    start, moves = read_file(load, rules, say) if load else (start, [])
    is_own_file = load is not None and game_count(load) == 1
    names = names_of_players(rules, max_player, min_player, players, level)
    sides = tuple(load_player(name, rules, seconds, speed) for name in names)
    if any(not player.is_human for player in sides):
        speed_for(rules, speed)
    match = Match(rules, start, sides, seed if seed is not None else random.SystemRandom().randrange(1 << 31))
    match.begin(start, moves, before)
    if match.is_over:
        raise GamesearchError(f"the game is over in {rules.format(match.state)!r}: there is nothing left to play")
    if verbose:
        say(speed_text(rules, speed))
    if level:
        again = {"--players": ",".join(player.specification for player in sides)}
    again |= {
        "--time": f"{seconds:g}" if seconds else None,
        "--seed": str(match.seed) if match.needs_seed else None,
        "--clock": clock,
        "--speed": speed if speed != "auto" else None,
    }
    settings = Settings(
        # As it was typed, where that is all there is to say: the position may have brought rules of its own.
        name=game if specification_of(load_game(game)) == specification_of(rules) else specification_of(rules),
        speed=speed,
        seconds=seconds,
        clock=read_clock(clock) if clock else None,
        seconds_left=seconds_left if seconds_left is not None and len(seconds_left) == rules.players else None,
        save_to=save,
        force=force,
        file=load if is_own_file else None,
        options={name: value for name, value in again.items() if value},
    )
    session, output = Session(match, settings), OutputOptions(only_ascii, as_json, verbose)
    with contextlib.ExitStack() as players_closed:
        for player in sides:
            players_closed.enter_context(player)
        players_closed.callback(session.autosave.release)
        players_closed.enter_context(last_words(session.last_words))
        if has_screen() and not plain and not as_json:
            return play_on_screen(session, output)
        return LineMode(session, output).run()


def options_in(file: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """The options of `play` in the headers of a game that was saved after every move, by the names of its arguments."""
    try:
        words = shlex.split(headers.get(OPTIONS, ""))
        if set(words[::2]) <= set(CONTINUED):
            return command.make_context("play", ["game", *words]).params
    except (ValueError, click.UsageError):
        pass
    raise GamesearchError(f"{file} has a header {OPTIONS} that cannot be read: {', '.join(CONTINUED)} may be there")


def seconds_left_in(headers: Mapping[str, str]) -> tuple[float, ...] | None:
    """The time that is left to each player by the headers of a saved game."""
    try:
        left = tuple(map(float, headers.get(CLOCK, "").split()))
    except ValueError:
        return None
    return left if left and all(0 < seconds < MOST_SECONDS for seconds in left) else None


def ask_before_loading(what: str, file: str, text: str) -> None:
    """Ask the user whether a saved game may run another program or the user's code, or open other files.

    Raises GamesearchError if it may not, or without a terminal.
    """
    runs = text.partition("(")[0].strip() in ENGINES or runs_own_code(text)
    opened = files_named(text)
    if not runs and not opened:
        return
    would = f"the {what} in {file} would {f'run {text}' if runs else f'open {opened[0]}'}"
    if sys.stdin is not None and sys.stdin.isatty() and click.confirm(f"{would}: do you trust it?", err=True):
        return
    raise GamesearchError(f"{would}: name {what}, too, if you trust it")


def names_of_players(
    game: Game[Any], first: str | None, others: str | None, everybody: str | None, level: str | None
) -> list[str]:
    """The player of each side, as typed; by default a human against the computer.

    A level is that of every side that nobody named, but for the human's.
    """
    if everybody:
        if first or others or level:
            what = "--level" if level else "--max and --min"
            raise GamesearchError(f"--players names everybody: leave out {what}")
        names = [name.strip() for name in split_outside_brackets(everybody, ",")]
        if len(names) != game.players:
            raise GamesearchError(f"{game.name} is for {game.players} players, and --players names {len(names)}")
        return names
    if level is None:
        return [first or HUMAN] + [others or default_player(game)] * (game.players - 1)
    level_of(level)
    computer = computer_text(level)
    if others and (first or others != HUMAN):
        raise GamesearchError(f"--level is how strong the computer is: write --min '{computer}' for a side of its own")
    return [first or (computer if others else HUMAN)] + [others or computer] * (game.players - 1)


def players_in(game: Game[Any], file: str, headers: Mapping[str, str]) -> str | None:
    """Who played a saved game, if its headers name a player that can be loaded for every side."""
    names = [headers.get(game.player_name(player), "") for player in range(game.players)]
    for name in names:
        ask_before_loading("players", file, name)
    with contextlib.suppress(GamesearchError):
        for name in names:
            load_player(name, game, None, "auto").close()
        return ",".join(names)
    return None


def speed_text(game: Game[Any], speed: str) -> str:
    """Which speed searches run at, and why."""
    chosen, reason = speed_for(game, speed), why_interpreted(game)
    if speed != "auto":
        reason = f"--speed {speed} asks for it"
    elif chosen == "compiled" or not reason:
        reason = "as far as is known, Numba compiles the rules"
    return f"{chosen}: {reason}"
