"""Measure what a wrong opponent model costs.

"What if Min does not play optimally?" (Russell and Norvig, section 5.2). If Min errs, a Max who plays by minimax gets
at least the minimax value. A Max who knows Min's errors may get more. But a Max who assumes too many errors may get
less than the minimax value.
"""

import functools
import math
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import click
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import plural
from gamesearch.algorithms.engine.result import Limits
from gamesearch.algorithms.node.chance import Fallibility, parse_opponent
from gamesearch.algorithms.root.search import search, searcher
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import print_found, status_console
from gamesearch.cli.help import Command
from gamesearch.cli.reading import read_unfinished
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, NEVER, Game
from gamesearch.notation import player_name
from gamesearch.play.game_loop import GameLoop
from gamesearch.play.match import Match
from gamesearch.play.matches.standings import Payoffs
from gamesearch.registry import specification_of
from gamesearch.render.charts.growth import letters
from gamesearch.render.tables import fits, pairs, table_of_numbers, tables_of
from gamesearch.specification import format_specification, split_at_commas

__all__ = ["command"]


# The games. ---------------------------------------------------------------------------------------
USUAL_OPPONENTS = "best, error=0.2, softmax(0.5), random"
LOOKED_AT = 1000


@dataclass(frozen=True)
class Opponent:
    """A model of how Min plays, and of Min's errors. It describes the opponent that Max assumes, or the actual
    opponent."""

    name: str
    opponent: str
    error: float

    @property
    def fallibility(self) -> Fallibility:
        """The model of this opponent's errors."""
        return parse_opponent(self.opponent, self.error)

    @property
    def assumption(self) -> str:
        """The specification of the algorithm that Max uses if Max assumes this opponent."""
        given: dict[str, str | float] = {"opponent": self.opponent} if self.opponent != "best" else {}
        return format_specification("expectiminimax", given | ({"error": self.error} if self.error else {}))


def parse_opponents(text: str) -> list[Opponent]:
    """Parse a list of opponents such as `best, error=0.2, softmax(0.5), softmax(1)+error=0.1, random`."""
    found = []
    for part in split_at_commas(text):
        name = part.strip()
        opponent, error, said = "best", 0.0, set()
        for each in map(str.strip, name.split("+")):
            kind = re.split("[(=]", each)[0].strip()
            said.add(kind == "error")
            if kind not in ("best", "random", "softmax", "error"):
                raise GamesearchError(
                    f"the opponent {name!r} is unknown: write, for example, {USUAL_OPPONENTS} or softmax(1)+error=0.1"
                )
            if kind != "error":
                opponent = each
            else:
                value = each.partition("=")[2]
                try:
                    error = float(value)
                except ValueError:
                    raise GamesearchError(f"`error` must be a probability, such as error=0.2, not {value!r}") from None
        if len(said) < len(name.split("+")):
            raise GamesearchError(
                f"{name!r} specifies two kinds of play or two errors for one opponent: separate opponents by commas"
            )
        parse_opponent(opponent, error)
        found.append(Opponent(name, opponent, error))
    if not found:
        raise GamesearchError(f"name an opponent to measure, for example {USUAL_OPPONENTS}")
    return found


def measure_opponents(
    game: Game, state: Any, opponents: Sequence[Opponent], games: int, depth: int | None, seed: int, speed: str
) -> Iterator[list[Payoffs]]:
    """For each assumed opponent, yield Max's payoffs in games against each actual opponent. All games have the same
    dice. Searches stop at `depth`; if `depth` is None, they stop at the depth that the game suggests."""
    if game.repetition != NEVER:
        raise GamesearchError(f"positions of {game.name} can repeat, so games may never end: choose another game")
    if game.payoff_count > 1 or not has_min(game, state):
        raise GamesearchError(
            f"{game.name} has no player Min, so no opponent can make errors: choose a game with Max and Min"
        )
    limits = Limits(depth)
    replies = values_of_moves(game, limits, speed)
    for assumed in opponents:
        maximizer = best_moves(game, assumed.assumption, limits, speed)
        row = []
        for actual in opponents:
            dice = [random.Random(f"{seed} {number}") for number in range(games)]
            payoffs = (play(game, state, maximizer, replies, actual.fallibility, each) for each in dice)
            row.append(Payoffs(tuple(payoffs)))
        yield row


def has_min(game: Game, start: Any) -> bool:
    """Whether Min is to move in one of the first LOOKED_AT positions of a breadth-first search."""
    found = [start]
    for state in found:
        if not game.terminal(state):
            if game.player(state) == MIN:
                return True
            if len(found) < LOOKED_AT:
                found += [game.result(state, move) for move in game.steps(state)]
    return False


def best_moves(game: Game, algorithm: str, limits: Limits, speed: str) -> Callable[[Any], int]:
    """Return a cached function that finds Max's best move against the assumed opponent."""
    kept = searcher(game, algorithm, speed=speed)

    @functools.cache
    def best(state: Any) -> int:
        move = kept.search(state, limits).best
        assert move is not None
        return move

    return best


def values_of_moves(game: Game, limits: Limits, speed: str) -> Callable[[Any], list[tuple[int, float]]]:
    """Return a cached function that finds the minimax values of all moves of a position."""

    @functools.cache
    def values(state: Any) -> list[tuple[int, float]]:
        found = search(game, state, "expectiminimax", limits=limits, speed=speed, moves=True)
        return [(each.move, float(each.value)) for each in found.moves]  # type: ignore[arg-type]

    return values


def choose_reply(values: list[tuple[int, float]], fallibility: Fallibility, generator: random.Random) -> int:
    """Choose Min's move by the values of the moves and by a model of Min's errors."""
    if generator.random() < fallibility.error:
        return generator.choice(values)[0]
    best = min(value for _, value in values)
    if not fallibility.temperature:
        return generator.choice([move for move, value in values if value == best])
    weights = [math.exp((best - value) / fallibility.temperature) for _, value in values]
    return generator.choices(values, weights)[0][0]


def play(
    game: Game,
    state: Any,
    maximizer: Callable[[Any], int],
    replies: Callable[[Any], list[tuple[int, float]]],
    actual: Fallibility,
    generator: random.Random,
) -> float:
    """Play one game and return the payoff to Max."""
    match = Match(game, state)
    for roll in GameLoop(match).turns(dice=generator):
        if roll is None:
            s = match.state
            match.play(maximizer(s) if match.turn == MAX else choose_reply(replies(s), actual, generator))
    return float(game.utility(match.state))


# The view. ----------------------------------------------------------------------------------------
@dataclass(frozen=True)
class OpponentsView:
    """A table of the means, with a row for each assumed opponent and a column for each actual opponent. On a narrow
    terminal, there are several tables in which letters stand for opponents."""

    game: Game
    state: Any
    opponents: Sequence[Opponent]
    rows: Sequence[Sequence[Payoffs]]
    games: int

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield Text(f"{specification_of(self.game)}  {self.game.format(self.state)}", style="bold")
        names, places = [each.name for each in self.opponents], range(len(self.opponents))
        if fits(whole := self.table(places, names), console, options):
            yield whole
        else:
            short = letters(len(names))
            yield pairs(zip(short, names, strict=True))
            yield from tables_of(places, lambda columns: self.table(columns, short), console, options)
        yield from map(Text, self.sentences())

    def table(self, columns: Sequence[int], names: Sequence[str]) -> Table:
        """The means of all assumed opponents against the actual opponents of the given columns."""
        one, other = player_name(self.game, MAX), player_name(self.game, MIN)
        greatest = [max(each.mean for each in column) for column in zip(*self.rows, strict=True)]
        cells = (
            (Text(name), *(payoff_text(row[place], row[place].mean == greatest[place]) for place in columns))
            for name, row in zip(names, self.rows, strict=True)
        )
        return table_of_numbers(f"{one} assumes", *(f"{other}: {names[place]}" for place in columns), rows=cells, gap=2)

    def sentences(self) -> Iterator[str]:
        """The sentences below the table."""
        one, other = player_name(self.game, MAX), player_name(self.game, MIN)
        halves = [each.half_interval for row in self.rows for each in row]
        interval = " with 95 % interval" if any(half is not None for half in halves) else ""
        interval += " (none if all payoffs are equal)" if interval and None in halves else ""
        yield f"mean payoff to {one} in {plural(self.games, 'game')}{interval}"
        yield "* marks the best assumption for an opponent"
        means = [[each.mean for each in row] for row in self.rows]
        if all(row == means[0] for row in means):
            is_won = means[0] and all(mean == self.game.MAXSCORE for mean in means[0])
            why = f": {one} wins even against the best moves" if is_won else ""
            yield f"the assumption about {other} makes no difference here{why}"


def payoff_text(found: Payoffs, is_most: bool) -> Text:
    """Format a mean with half the width of its confidence interval, and with a star if it is the greatest mean."""
    mean, half = f"{found.mean:+.3g}" if found.mean else "0", found.half_interval
    interval = "" if half is None else f" ±{half:.2g}"
    return Text(f"{mean}{interval}{'*' if is_most else ' '}", style="bold" if is_most else "")


def opponents_data(
    game: Game, state: Any, opponents: Sequence[Opponent], rows: Sequence[Sequence[Payoffs]], games: int
) -> dict[str, Any]:
    """The table as JSON."""
    return {
        "game": specification_of(game),
        "position": game.format(state),
        "games": games,
        "rows": [
            {
                "assumed": assumed.name,
                "algorithm": assumed.assumption,
                "against": [
                    {"opponent": actual.name, "mean": found.mean, "margin": found.half_interval}
                    for actual, found in zip(opponents, row, strict=True)
                ],
            }
            for assumed, row in zip(opponents, rows, strict=True)
        ],
    }


# The command. -------------------------------------------------------------------------------------
@click.command(
    cls=Command,
    examples=[
        'gamesearch opponents "[[1,1,1],[0,9,9]]" --opponents "best, error=0.3, random"',
        'gamesearch opponents tictactoe ".XO/.O./.X."',
        'gamesearch opponents "nim(max_take=2)" 1,1,3',
        'gamesearch opponents "pacman(layout=chase)" --opponents random --games 20',
    ],
)
@cli.game_argument
@cli.position_argument
@click.option(
    "--opponents",
    default=USUAL_OPPONENTS,
    show_default=True,
    metavar="LIST",
    help="Opponents, separated by commas: best, random, softmax(T), error=P, or combinations with +.",
)
@cli.number_option(
    "--games", least=2, default=200, text="Number of games for each pair of an assumed and an actual opponent."
)
@cli.depth_option(40)
@click.option("--seed", default=0, show_default=True, metavar="N", help="Seed of dice and errors.")
@cli.speed_option
@cli.json_option
def command(
    game: str, position: str, opponents: str, games: int, depth: int | None, seed: int, speed: str, as_json: bool
) -> None:
    """Measure what a wrong opponent model costs.

    Max assumes an opponent, searches by expectiminimax with this assumption, and plays against each actual opponent.
    Min knows the values of his moves, but makes errors. With error=0.2, he plays a random move with probability 0.2.
    With softmax(T), better moves are more probable: if a move is worse than the best move by T, its probability is
    divided by e = 2.718.
    """
    played, state = read_unfinished(game, position, "play")
    chosen = parse_opponents(opponents)
    with status_console().status("playing ...; Ctrl-C stops"):
        rows = list(measure_opponents(played, state, chosen, games, depth, seed, speed))
    print_found(
        OpponentsView(played, state, chosen, rows, games),
        lambda: opponents_data(played, state, chosen, rows, games),
        as_json,
    )
