"""Play a match and report the score."""

import contextlib
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click
from rich.live import Live

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import output_console, print_json, status_console
from gamesearch.cli.help import Command
from gamesearch.cli.messages import say
from gamesearch.cli.reading import format_of, write_picture
from gamesearch.compiler import speed_for
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.optional import AreaScoring
from gamesearch.play.clock import read_clock
from gamesearch.play.match import names_winner
from gamesearch.play.matches.elo import Sprt
from gamesearch.play.matches.game_task import Terms
from gamesearch.play.matches.openings import read_openings
from gamesearch.play.matches.ratings import encounters_of, rate
from gamesearch.play.matches.running import LocalWorkers, MatchRun, Workers, cluster
from gamesearch.play.matches.series import Journal, Series, usual_path
from gamesearch.play.players.loading import load_player
from gamesearch.play.players.player import LONGEST_WAIT
from gamesearch.registry import load
from gamesearch.render.charts.ratings import RatingsView, ratings_data, ratings_svg
from gamesearch.render.series import live_text, progress_text, series_data, series_view
from gamesearch.specification import format_specification, parse_specification, parse_value

__all__ = ["command"]


def numbers(option: str, text: str, *kinds: type) -> tuple[Any, ...]:
    """Parse the numbers in the value of an option; `kinds` are their types."""
    parts = text.split(",")
    try:
        if len(parts) != len(kinds):
            raise ValueError
        return tuple(kind(part) for kind, part in zip(kinds, parts, strict=True))
    except ValueError:
        example = {"--resign": "4,9", "--draw": "8,0.1,40", "--sprt": "0,5"}[option]
        raise GamesearchError(f"{option} needs {len(kinds)} numbers, such as {example}, not {text!r}") from None


def read_terms(limits: Mapping[str, Any], speed: str) -> Terms:
    """Return the conditions of the games that the options specify: limits, early ends, speed."""
    clock, increment = (None, 0.0) if limits["clock"] is None else read_clock(limits["clock"])
    rules: dict[str, Any] = {}
    for name, kinds in (("resign", (int, float)), ("draw", (int, float, int))):
        if limits[name]:
            rules[name] = numbers(f"--{name}", limits[name], *kinds)
            if not (1 <= rules[name][0] <= 1000 and rules[name][1] >= 0):
                raise GamesearchError(f"--{name}: the number of moves must be at least 1, and the value at least 0")
    given = {name: limits[name] for name in ("time", "nodes", "depth", "margin", "patience", "longest", "without_dead")}
    return Terms(**given, **rules, clock=clock, increment=increment, speed=speed)


def read_players(
    game: Game, players: tuple[str, ...], limits: Mapping[str, Any], terms: Terms
) -> tuple[tuple[str, ...], bool]:
    """Return the players of a match, and whether all of them are the same player with different depths or times."""
    if game.players != 2:
        raise GamesearchError(
            f"a match is for two players, but {game.name} has {game.players}: use gamesearch play for single games"
        )
    if not names_winner(game):
        raise GamesearchError(f"the payoffs of {game.name} do not show which side wins, so a match has no score")
    if terms.without_dead and not isinstance(game, AreaScoring):
        raise GamesearchError(f"{game.name} has no dead stones: leave out --remove-dead")
    ladder = [(name, limits[f"{name}s"]) for name in ("depth", "time") if limits[f"{name}s"]]
    if ladder:
        players = ladder_of(players, ladder, terms)
    if len(players) < 2:
        raise GamesearchError(
            "a match needs at least two players, separated by a space; the same player may be given twice"
        )
    notes = dict[str, None]()
    for text in players:
        with load_player(text, game, terms.time, terms.speed) as player:
            player.begin()  # starts an external engine; raises an error if the engine does not start
            is_human, algorithm = player.is_human, player.algorithm
            if algorithm is not None and algorithm.why_interpreted and speed_for(game, terms.speed) == "compiled":
                notes[f"{algorithm.name} is interpreted: {algorithm.why_interpreted}"] = None
            if terms.time is not None and terms.time < player.least_time:
                say(
                    f"{player.specification} needs at least {player.least_time:g} s per move, and may lose on time: "
                    "leave out --time, and give a limit in the specification of each player"
                )
        if is_human:
            raise GamesearchError("a match has no human players: use gamesearch play")
    for note in notes:
        say(note)
    return tuple(player.strip() for player in players), bool(ladder)


def ladder_of(players: tuple[str, ...], ladder: list[tuple[str, str]], terms: Terms) -> tuple[str, ...]:
    """Return the players of --depths or --times: copies of one player, each with one of the depths or times."""
    if len(players) != 1 or len(ladder) != 1:
        raise GamesearchError(
            "--depths and --times let one player play against itself: give one player, and only one of the two options"
        )
    [(name, text)] = ladder
    if getattr(terms, name) is not None:
        raise GamesearchError(f"--{name}s already gives each player a {name}: leave out --{name}")
    try:
        values = [int(part) if name == "depth" else float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) < 2 or min(values) <= 0 or len(set(values)) < len(values):
        raise GamesearchError(
            f"--{name}s needs at least two different positive numbers, such as "
            + ("1,2,3" if name == "depth" else "0.1,0.2")
        )
    given = parse_specification(players[0])
    others = {key: value for key, value in given.parameters.items() if key != name}
    limits = ({name: parse_value(f"{value:g}")} for value in values)
    return tuple(format_specification(given.name, others | limit, given.values) for limit in limits)


def read_sprt(text: str | None, alpha: float | None, beta: float | None, players: tuple[str, ...]) -> Sprt | None:
    """Return the sequential probability ratio test that the options specify; None if --sprt is not given."""
    given = {name: value for name, value in (("alpha", alpha), ("beta", beta)) if value is not None}
    if text is None:
        if given:
            raise GamesearchError(f"only --sprt uses --{' and --'.join(given)}: give --sprt, too")
        return None
    if len(players) != 2:
        raise GamesearchError("--sprt compares two players: give two players")
    first, second = numbers("--sprt", text, float, float)
    return Sprt(first, second, **given)


GAMES = 100  # the default number of games for each pair of players
MOST_GAMES = 1_000_000  # the default number of games if --sprt is given
SECONDS_OF_A_LINE = 10.0  # seconds between two lines of progress if the output is not a terminal


@click.command(
    cls=Command,
    examples=[
        'gamesearch match tictactoe "alphabeta(depth=3)" random --games 10',
        "gamesearch match nim alphabeta random --nodes 100 --sprt 0,400 --workers 2",
        "gamesearch match tictactoe alphabeta --depths 1,2,3 --games 2",
    ],
    old_names={
        "--longest": "--max-plies",
        "--without-dead": "--remove-dead",
        "--margin": "--time-margin",
        "--patience": "--hang-timeout",
    },
)
@click.argument("game", metavar="GAME", shell_complete=cli.offer_games)
@click.argument("players", metavar="PLAYER PLAYER...", nargs=-1, required=True, shell_complete=cli.offer_players)
@cli.number_option(
    "--games", least=2, most=MOST_GAMES, text=f"Number of games for each pair of players.  [default: {GAMES}]"
)
@cli.seconds_option("--time", text="Seconds for each move.  [default: 0.1 if no other limit is given]")
@cli.number_option("--nodes", text="Nodes for each move.")
@cli.number_option("--depth", text="Search depth in plies.")
@click.option("--clock", metavar="S+S", help="Time for each game and increment for each move, such as 5m+3s.")
@click.option("--depths", metavar="N,N,...", help="Play one player against itself with different search depths N.")
@click.option(
    "--times",
    metavar="S,S,...",
    help="Play one player against itself with different times for each move: S is in seconds.",
)
@cli.number_option("--workers", most=4096, text="Number of games that run in parallel.  [default: 1]")
@cli.file_option("--openings", text="File of openings: PGN, EPD, OBF, or lines of moves or positions.")
@cli.number_option(
    "--plies",
    least=0,
    most=200,
    text="Number of random plies at the beginning; with --openings, number of plies to play from each opening.  "
    "[default: 4 random plies (0 in games with dice); with --openings, all plies of each opening]",
)
@cli.number_option("--seed", least=0, default=0, text="Seed of openings, dice and players.")
@cli.flag_option("--gauntlet", text="Play only the games of the first player.")
@click.option("--sprt", metavar="E0,E1", help="Stop when a statistical test (SPRT) accepts an Elo difference E0 or E1.")
@click.option(
    "--alpha", type=float, metavar="P", help="Probability of wrongly accepting E1; needs --sprt.  [default: 0.05]"
)
@click.option(
    "--beta", type=float, metavar="P", help="Probability of wrongly accepting E0; needs --sprt.  [default: 0.05]"
)
@click.option(
    "--resign",
    metavar="N,V",
    help="End a game with a win if, for N moves in a row, both players report that the same side leads by V.",
)
@click.option(
    "--draw",
    metavar="N,V,P",
    help="From ply P on, end a game as a draw if both players report values within V of a draw for N moves in a row.",
)
@cli.number_option(
    "--max-plies",
    "longest",
    default=1000,
    text="End a game as a draw after N plies. Dice count as plies, openings do not.",
)
@cli.flag_option("--remove-dead", "without_dead", text="In Go, remove dead stones at the end.")
@cli.seconds_option(
    "--time-margin", "margin", least=0, default=0.1, text="Seconds by which a player may exceed its time."
)
@cli.seconds_option(
    "--hang-timeout",
    "patience",
    least=0,
    default=10.0,
    text="A player is killed if it exceeds its time by this number of seconds. If no time is set, it is killed "
    f"after {LONGEST_WAIT:g} s.",
)
@cli.file_option("--journal", text="File for the finished games.  [default: a file named after the match]")
@click.option("--cluster", "address", metavar="ADDRESS", help="Play on a cluster of dask.distributed, or on 'local'.")
@cli.svg_option("the ratings")
@cli.force_option
@cli.speed_option
@cli.ascii_option
@cli.json_option
def command(
    game: str,
    players: tuple[str, ...],
    games: int | None,
    openings: str | None,
    plies: int | None,
    seed: int,
    gauntlet: bool,
    sprt: str | None,
    alpha: float | None,
    beta: float | None,
    journal: str | None,
    workers: int | None,
    address: str | None,
    to: str | None,
    force: bool,
    speed: str,
    only_ascii: bool,
    as_json: bool,
    names: Sequence[str] = (),
    **limits: Any,
) -> int:
    """Play a match of GAME between players and report the score.

    Games are played in pairs: both games have the same opening and the same dice, and the players change sides. Every
    finished game is written to a file, the journal, so the same command continues a match that was stopped or killed.
    --resign and --draw use the values that players report. --remove-dead finds dead stones by random games.
    """
    # `names` is not an option. Other commands that play matches pass these names, which replace the specifications in
    # the output.
    format_of(to, [".svg"], overwrite=force)
    rules = load(game)
    terms = read_terms(limits, speed)
    sides, is_ladder = read_players(rules, players, limits, terms)
    test = read_sprt(sprt, alpha, beta, sides)
    if games is not None and games % 2:
        raise GamesearchError(f"games are played in pairs: write --games {games + 1}")
    # Without dice or random plies, all games would be the same.
    random_plies = (0 if rules.chance else 4) if plies is None else plies
    series = Series(
        game=game,
        players=sides,
        openings=tuple(read_openings(openings, rules, plies, say)) if openings else (),
        plies=0 if openings else random_plies,
        seed=seed,
        terms=terms,
        is_gauntlet=gauntlet,
    )
    each = games or (MOST_GAMES if test else GAMES)
    if 0 < len(series.openings) < each // 2 and terms.time is None and terms.clock is None:
        say(
            f"only {plural(len(series.openings), 'opening')} for {each // 2:,} pairs of games: players without "
            "randomness will repeat games, which adds no information"
        )
    with Journal(journal or usual_path(series), series) as written:
        run = MatchRun(series, written, each * len(series.opponents), test)
        if written.records and not run.is_finished:
            say(f"continuing {written.path}: {progress_text(run, run.standings)}")
        code = finish(run, address, workers, names)
        show(run, is_ladder, to, force, only_ascii, as_json, names)
    return code


def finish(run: MatchRun, address: str | None, workers: int | None, names: Sequence[str]) -> int:
    """Play the games that are not in the journal yet, and return the exit code."""
    if run.is_finished:
        more = "another --seed starts a new match" if run.decided is not None else "a greater --games adds games"
        say(f"this match is finished: see {run.journal.path} ({more})")
        return 0
    try:
        with start_workers(address, workers) as running, show_standings(run, names) as show_now:
            run.play(running, show_now)
    except KeyboardInterrupt:
        say(f"stopped: {progress_text(run, run.standings)}; the same command continues the match ({run.journal.path})")
        return 130
    except GamesearchError:
        if run.journal.records:
            say(f"stopped: {progress_text(run, run.standings)}; the games are in {run.journal.path}")
        raise
    say(f"the games are in {run.journal.path}")
    return 0


@contextlib.contextmanager
def start_workers(address: str | None, count: int | None) -> Iterator[Workers]:
    """Start worker processes, and stop them when the `with` statement ends, even after an error."""
    with contextlib.ExitStack() as stack:
        of_cluster = cluster(address, count or os.cpu_count() or 1) if address else None
        those = LocalWorkers(count or 1) if of_cluster is None else stack.enter_context(of_cluster)
        stack.callback(those.stop)
        yield those


@contextlib.contextmanager
def show_standings(run: MatchRun, names: Sequence[str]) -> Iterator[Any]:
    """Yield a function that shows the standings on standard error."""
    console = status_console()
    until = time.monotonic()

    def is_time(seconds: float) -> bool:
        nonlocal until
        if time.monotonic() < until:
            return False
        until = time.monotonic() + seconds
        return True

    if not console.is_terminal:
        is_time(SECONDS_OF_A_LINE)
        yield lambda: say(live_text(run, run.standings)) if is_time(SECONDS_OF_A_LINE) else None
        return
    with Live(series_view(run, True, names), console=console, auto_refresh=False, transient=True) as live:
        yield lambda: live.update(series_view(run, True, names), refresh=True) if is_time(0.5) else None


def show(
    run: MatchRun, is_ladder: bool, to: str | None, force: bool, only_ascii: bool, as_json: bool, names: Sequence[str]
) -> None:
    """Print the standings, with ratings if there are more than two players."""
    encounters = encounters_of(run.counting_games)
    labels = run.series.labels
    ratings = (rate(encounters, labels[0], labels) if is_ladder else rate(encounters)) if encounters else None
    if ratings is not None:
        write_picture(to, lambda: ratings_svg(ratings, run.series.game), "the picture", force)
    if as_json:
        print_json({**series_data(run), "ratings": None if ratings is None else ratings_data(ratings)})
        return
    console = output_console(only_ascii)
    console.print(series_view(run, names=names))
    if ratings is not None and len(run.series.players) > 2:
        console.print()
        console.print(RatingsView(ratings))
