"""Play against the computer, a program or another person."""

import contextlib
import random
import shlex
from collections.abc import Mapping
from typing import Any

import click

from gamesearch.cli import options as cli
from gamesearch.cli.ending import last_words
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.reading import ask_before_loading, read_history
from gamesearch.cli.terminal import has_full_screen, has_textual
from gamesearch.commands.playing.play.setup import PlayOptions, choose_unfinished_game, prompt_setup
from gamesearch.compiler import speed_for, why_interpreted
from gamesearch.errors import GamesearchError
from gamesearch.files.misplaced import refuse_packed
from gamesearch.files.whole import file_path, is_protected
from gamesearch.game import Game
from gamesearch.notation import player_name
from gamesearch.play.clock import MOST_SECONDS, read_clock
from gamesearch.play.files import game_count, read_file, refuse_other_suffixes, saved_game, writable_path
from gamesearch.play.match import Match
from gamesearch.play.players.computer import computer_text, level_of
from gamesearch.play.players.loading import default_player, load_player
from gamesearch.play.players.player import COMPUTER, HUMAN
from gamesearch.play.sessions.session import CLOCK, CONTINUED, OPTIONS, RULES, Session, Settings
from gamesearch.registry import load as load_game
from gamesearch.registry import specification_of
from gamesearch.specification import (
    format_specification,
    parse_specification,
    split_at_commas,
)

__all__ = ["command"]


@click.command(
    cls=Command,
    examples=[
        "gamesearch play tictactoe --level easy",
        'gamesearch play connect4 --max "alphabeta(depth=10)" --min human',
        'gamesearch play pig --max random --min "expectiminimax(depth=6)"',
    ],
)
@click.argument("game", metavar="[GAME]", default="", shell_complete=cli.offer_games, required=False)
@cli.position_argument
@cli.player_option("--max", "max_player", text="Player of the first side (Max).  [default: human]")
@cli.player_option("--min", "min_player", text="Player of all other sides.  [default: the computer at its best level]")
@cli.player_option("--players", metavar="PLAYER,...", text="All players in order, such as 'human,maxn,random'.")
@click.option(
    "--level",
    metavar="LEVEL",
    help="Strength of the computer: 1 to 10, easy, normal, hard, best. A player `computer` without a level is normal.",
)
@cli.seconds_option(
    "--time",
    "seconds",
    text="Seconds for each move of the computer. Levels below best have node limits.  [default: 2 if no other limit is "
    "given]",
)
@click.option("--clock", metavar="S+S", help="Time for each game and increment for each move, such as 5m+3s.")
@cli.flag_option("--ponder", text="Let the computer also think during your turn. Levels below best never do.")
@click.option("--seed", type=int, metavar="N", help="Seed of dice and random players.  [default: random]")
@cli.file_option("--load", text="Continue a saved game. You can also give FILE instead of GAME.")
@cli.file_option("--save", text="Save the game when it ends or when you quit.")
@cli.force_option
@cli.flag_option("--plain", text="Play line by line, not in full screen.")
@cli.speed_option
@cli.ascii_option
@cli.json_option
@cli.verbose_option
def command(**given: Any) -> int:
    """Play against the computer, a program or another person.

    GAME can also be the file of a saved game that you want to continue. POSITION is the position in which the game
    begins.

    If you give no GAME, the command offers to continue an unfinished game, or asks for the game, your side and the
    level of the computer. Games are saved after every move.

    PLAYER is human, computer(level=3), random(seed=7), an algorithm such as 'alphabeta(depth=6)', or another program:
    uci(path=stockfish), gtp(path="gnugo --mode gtp"), external(path=...), gnubg. Type moves, or send them to standard
    input, one move per line. ? lists the commands. While an algorithm thinks, Ctrl-C makes it move immediately. A
    second Ctrl-C, or Ctrl-C at your own turn, saves the game and ends the command.

    If Textual is installed (pip install 'gamesearch[tui]'), `play` uses the full screen, and you can also move with
    the arrow keys or the mouse.

    If you give --clock, a player whose time runs out loses. The time for compilation does not count, and undo does not
    give time back.

    A game of chess, checkers, draughts or morris is a draw when a position occurs for the third time. A search already
    counts a position as a draw when it occurs for the second time.
    """
    from gamesearch.commands.playing.play.line_mode import LineMode, OutputOptions, play_on_screen

    options = PlayOptions(**given)
    headers = take_saved_options(options)
    prompt_setup(options)
    again = {"--max": options.max_player, "--min": options.min_player, "--players": options.players}
    if headers is not None and not options.names_players:
        options.players = players_in(load_game(options.game), options.load or "", headers)
    match = load_match(options)
    if options.verbose:
        say(speed_text(match.game, options.speed))
    session = Session(match, settings_of(options, match, again))
    output = OutputOptions(options.only_ascii, options.as_json, options.verbose)
    with contextlib.ExitStack() as players_closed:
        for player in match.players:
            players_closed.enter_context(player)
        players_closed.callback(session.autosave.release)
        players_closed.enter_context(last_words(session.last_words))
        if has_full_screen() and has_textual() and not options.plain and not options.as_json:
            return play_on_screen(session, output)
        return LineMode(session, output).run()


def take_saved_options(options: PlayOptions) -> dict[str, str] | None:
    """Fill in missing options from a saved game, and return the headers of the saved game; None if no game is loaded.
    If no options are given, offer unfinished games."""
    if options.load and options.position:
        raise GamesearchError("a loaded game has its own position: leave out POSITION or --load")
    if not (options.game or options.load or options.position or options.names_players):
        options.load = choose_unfinished_game()
    file = options.load or options.game
    loaded = saved_game(file) if file and not options.position else None
    if loaded is None:
        if options.load and not options.game:
            if not file_path(options.load).exists():
                raise GamesearchError(f"there is no file {options.load}")
            refuse_packed(file_path(options.load))
            raise GamesearchError(
                f"{options.load} is not a saved game: give a .json or .pgn file, or add the name of the game"
            )
        return None
    rules, headers = loaded
    if options.load is None or not options.game:
        options.load, options.game = file, headers.get(RULES, rules)
        ask_before_loading("rules", file, options.game)
        kept = options_in(file, headers)
        options.seconds = options.seconds or kept["seconds"]
        options.seed = kept["seed"] if options.seed is None else options.seed
        options.speed = kept["speed"] if options.speed == "auto" else options.speed
        if options.clock is None:
            options.clock, options.seconds_left = kept["clock"], seconds_left_in(headers)
    return headers


def load_match(options: PlayOptions) -> Match:
    """Return the match with its players. If a saved game is loaded, the match continues from the position of this
    game."""
    save, load = options.save, options.load
    if save:
        is_own = save == load and game_count(save) == 1 and not is_protected(file_path(save))
        writable_path(save, overwrite=options.force or is_own)
    rules, start, before = read_history(options.game, options.position)
    if save:
        refuse_other_suffixes(save, rules)
    start, moves = read_file(load, rules, say) if load else (start, [])
    names = names_of_players(rules, options.max_player, options.min_player, options.players, options.level)
    sides = tuple(load_player(name, rules, options.seconds, options.speed) for name in names)
    if any(not player.is_human for player in sides):
        speed_for(rules, options.speed)
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1 << 31)
    match = Match(rules, start, sides, seed)
    match.begin(start, moves, before)
    if match.is_over:
        where = f"at the end of {load}" if load else f"in {rules.format(match.state)!r}"
        raise GamesearchError(f"the game is over {where}: no move can be played")
    return match


def settings_of(options: PlayOptions, match: Match, again: dict[str, str | None]) -> Settings:
    """Return the settings of a session. `again` contains options for the command that continues the game later."""
    if options.level:
        again = {"--players": ",".join(player.specification for player in match.players)}
    again = again | {
        "--time": f"{options.seconds:g}" if options.seconds else None,
        "--seed": str(match.seed) if match.needs_seed else None,
        "--clock": options.clock,
        "--speed": options.speed if options.speed != "auto" else None,
    }
    rules, left = specification_of(match.game), options.seconds_left
    return Settings(
        # Keep the name that the user typed, unless the loaded game has other rules.
        name=options.game if specification_of(load_game(options.game)) == rules else rules,
        speed=options.speed,
        seconds=options.seconds,
        ponders=options.ponder,
        clock=read_clock(options.clock) if options.clock else None,
        seconds_left=left if left is not None and len(left) == match.game.players else None,
        save_to=options.save,
        force=options.force,
        file=options.load if options.load is not None and game_count(options.load) == 1 else None,
        options={name: value for name, value in again.items() if value},
    )


def options_in(file: str, headers: Mapping[str, str]) -> dict[str, Any]:
    """Read the options in the headers of an unfinished game, and return them as arguments of `command`."""
    try:
        words = shlex.split(headers.get(OPTIONS, ""))
        if set(words[::2]) <= set(CONTINUED):
            return command.make_context("play", ["game", *words]).params
    except (ValueError, click.UsageError):
        pass
    raise GamesearchError(
        f"{file} has a header {OPTIONS} that cannot be read: it may contain only {', '.join(CONTINUED)}"
    )


def seconds_left_in(headers: Mapping[str, str]) -> tuple[float, ...] | None:
    """Read the remaining time of each player from the headers of a saved game; None if the headers contain no valid
    times."""
    try:
        left = tuple(map(float, headers.get(CLOCK, "").split()))
    except ValueError:
        return None
    return left if left and all(0 < seconds < MOST_SECONDS for seconds in left) else None


def names_of_players(
    game: Game, first: str | None, others: str | None, everybody: str | None, level: str | None
) -> list[str]:
    """Return the player of each side, by default a human against the computer. --level sets the level of each computer
    that has none. If there is no such computer among the opponents of Max, --level also makes Max a computer, unless
    the user has chosen the player for Max."""
    if everybody:
        if first or others:
            raise GamesearchError("--players names all players: leave out --max and --min")
        names = [name.strip() for name in split_at_commas(everybody)]
        if len(names) != game.players:
            raise GamesearchError(f"{game.name} is for {game.players} players, but --players lists {len(names)}")
    else:
        usual = COMPUTER if level else default_player(game)
        rest = others or usual
        names = [first or (usual if level and not needs_level(rest) else HUMAN)] + [rest] * (game.players - 1)
    if level is None:
        return names
    level_of(level)
    if not any(map(needs_level, names)):
        advice = "put `computer` into --players" if everybody else "write --min computer"
        raise GamesearchError(f"--level needs a player `computer` that has no level yet: {advice}")
    given = parse_specification(computer_text(level)).parameters
    return [
        format_specification(COMPUTER, {**given, **parse_specification(name).parameters}) if needs_level(name) else name
        for name in names
    ]


def needs_level(name: str) -> bool:
    """Whether a player is `computer` without a level."""
    player = parse_specification(name)
    return player.name == COMPUTER and not player.values and "level" not in player.parameters


def players_in(game: Game, file: str, headers: Mapping[str, str]) -> str | None:
    """Return the players of a saved game; None if the headers lack a player, or if a player cannot be loaded."""
    names = [headers.get(player_name(game, player), "") for player in range(game.players)]
    for name in names:
        ask_before_loading("players", file, name)
    with contextlib.suppress(GamesearchError):
        for name in names:
            load_player(name, game, None, "auto").close()
        return ",".join(names)
    return None


def speed_text(game: Game, speed: str) -> str:
    """Describe the speed at which searches run, and the reason for this speed."""
    chosen, reason = speed_for(game, speed), why_interpreted(game)
    if speed != "auto":
        reason = f"--speed {speed} was given"
    elif chosen == "compiled" or not reason:
        reason = "Numba can probably compile the rules"
    return f"{chosen}: {reason}"
