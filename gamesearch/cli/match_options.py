"""The options of `gamesearch match` that take some reading: limits, adjudication, openings, players, tests."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from gamesearch.cli.messages import say
from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.optional import Scored
from gamesearch.play.clock import read_clock
from gamesearch.play.match import names_winner
from gamesearch.play.matches.elo import Sprt
from gamesearch.play.matches.game_task import Opening, Terms
from gamesearch.play.players.loading import load_player
from gamesearch.specification import format_value, parse_specification

__all__ = ["limit_options", "read_openings_of", "read_players", "read_sprt", "read_terms"]

Command = TypeVar("Command", bound=Callable[..., Any])
SECONDS = click.FloatRange(min=0, min_open=True, max=1e6)
OPTIONS = (
    click.option("--time", type=SECONDS, metavar="S", help="Seconds a move.  [default: 0.1 without any limit]"),
    click.option("--nodes", type=click.IntRange(1), metavar="N", help="Positions a move."),
    click.option("--depth", type=click.IntRange(1), metavar="N", help="Plies a move."),
    click.option("--clock", metavar="S+S", help="Time for a game and what each move adds, such as 10+0.1 or 5m+3s."),
    click.option("--depths", metavar="N,N,...", help="The one player with each of these depths."),
    click.option("--times", metavar="S,S,...", help="The one player with each of these times."),
    click.option(
        "--resign",
        metavar="N,V",
        help="A game is given up after N moves of each at which both players' values say so by V.",
    ),
    click.option(
        "--draw",
        metavar="N,V,P",
        help="A game is drawn after P plies and N moves of each at which both values are within V of a draw.",
    ),
    click.option(
        "--longest",
        type=click.IntRange(1),
        metavar="N",
        default=1000,
        show_default=True,
        help="A game is drawn after N plies. Here dice count, and the opening does not.",
    ),
    click.option(
        "--without-dead", is_flag=True, help="In Go, stones do not count that random games show to be dead at the end."
    ),
    click.option(
        "--margin",
        type=click.FloatRange(0),
        metavar="S",
        default=0.1,
        show_default=True,
        help="Seconds by which a player may overstep its time.",
    ),
    click.option(
        "--patience",
        type=click.FloatRange(0),
        metavar="S",
        default=10.0,
        show_default=True,
        help="Seconds after that until it is taken to hang.",
    ),
)


def limit_options(command: Command) -> Command:
    """Add these options to a command."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def numbers(option: str, text: str, *kinds: type) -> list[Any]:
    """The numbers of an option, of these kinds."""
    parts = text.split(",")
    try:
        if len(parts) != len(kinds):
            raise ValueError
        return [kind(part) for kind, part in zip(kinds, parts, strict=True)]
    except ValueError:
        example = {"--resign": "4,9", "--draw": "8,0.1,40", "--sprt": "0,5"}[option]
        raise GamesearchError(f"{option} is {len(kinds)} numbers, such as {example}: not {text!r}") from None


def read_terms(limits: Mapping[str, Any], speed: str) -> Terms:
    """The terms that the options say."""
    clock, increment = (None, 0.0) if limits["clock"] is None else read_clock(limits["clock"])
    resign = numbers("--resign", limits["resign"], int, float) if limits["resign"] else None
    draw = numbers("--draw", limits["draw"], int, float, int) if limits["draw"] else None
    for name, rule in (("--resign", resign), ("--draw", draw)):
        if rule is not None and not (1 <= rule[0] <= 1000 and rule[1] >= 0):
            raise GamesearchError(f"{name} begins with a number of moves, 1 or more, and a value, 0 or more")
    return Terms(
        time=limits["time"],
        nodes=limits["nodes"],
        depth=limits["depth"],
        clock=clock,
        increment=increment,
        margin=limits["margin"],
        patience=limits["patience"],
        longest=limits["longest"],
        resign=None if resign is None else (resign[0], resign[1]),
        draw=None if draw is None else (draw[0], draw[1], draw[2]),
        speed=speed,
        without_dead=limits["without_dead"],
    )


def read_players(
    game: Game[Any], players: tuple[str, ...], limits: Mapping[str, Any], terms: Terms
) -> tuple[tuple[str, ...], bool]:
    """The players, checked; and whether they are one player with several depths or times."""
    if game.players != 2:
        raise GamesearchError(
            f"a match is for games of two players, and {game.name} has {game.players}: "
            "gamesearch play plays single games"
        )
    if not names_winner(game):
        raise GamesearchError(f"the payoffs of {game.name} name no winner, so that there is nothing to count")
    if terms.without_dead and not isinstance(game, Scored):
        raise GamesearchError(f"nothing that stands is dead in {game.name}: leave out --without-dead")
    ladder = [(name, limits[f"{name}s"]) for name in ("depth", "time") if limits[f"{name}s"]]
    if ladder:
        players = ladder_of(players, ladder, terms)
    for text in players:
        with load_player(text, game, terms.time, terms.speed) as player:
            player.begin()  # which starts a program: one that cannot be started should not lose games
            is_human = player.is_human
            if terms.time is not None and terms.time < player.least_time:
                say(
                    f"{player.specification} cannot be told of less than {player.least_time:g} s a move, and may lose "
                    "on time: leave out --time, and give each player its own limit"
                )
        if is_human:
            raise GamesearchError("a human plays in gamesearch play alone: name another player")
    if len(players) < 2:
        raise GamesearchError("a match needs two players at least: one may be named twice")
    return tuple(player.strip() for player in players), bool(ladder)


def ladder_of(players: tuple[str, ...], ladder: list[tuple[str, str]], terms: Terms) -> tuple[str, ...]:
    """One player with each of several depths or times."""
    if len(players) != 1 or len(ladder) != 1:
        raise GamesearchError("--depths or --times is for one player, against itself: name one, and one of the two")
    [(name, text)] = ladder
    if getattr(terms, name) is not None:
        raise GamesearchError(f"--{name}s says it for each player: leave out --{name}")
    try:
        values = [int(part) if name == "depth" else float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) < 2 or min(values) <= 0 or len(set(values)) < len(values):
        raise GamesearchError(f"--{name}s is two numbers or more, such as {'1,2,3' if name == 'depth' else '0.1,0.2'}")
    head, is_file, rest = players[0].rpartition(".py")
    specification = parse_specification(f"file{rest}" if is_file else players[0])
    called = head + is_file if is_file else specification.name
    inside = [format_value(value) for value in specification.values]
    inside += [f"{key}={format_value(value)}" for key, value in specification.parameters.items() if key != name]
    return tuple(f"{called}({', '.join([*inside, f'{name}={value:g}'])})" for value in values)


def read_openings_of(game: Game[Any], name: str | None, plies: int | None) -> tuple[Opening, ...]:
    """The openings in the file that was named."""
    if name is None:
        return ()
    from gamesearch.play.matches.openings import read_openings

    return tuple(read_openings(name, game, plies, say))


def read_sprt(text: str | None, alpha: float, beta: float, players: tuple[str, ...]) -> Sprt | None:
    """The test that was asked for."""
    if text is None:
        return None
    if len(players) != 2:
        raise GamesearchError("--sprt tests the first of two players against the other: name two")
    first, second = numbers("--sprt", text, float, float)
    return Sprt(first, second, alpha, beta)
