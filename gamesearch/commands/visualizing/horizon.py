"""Show the horizon effect.

A player who is about to lose something can delay the loss with moves that force a reply. If the delay pushes the loss
beyond the last ply, a search to a fixed depth does not see the loss. The player then makes the delaying moves, although
these moves may also lose something (H. J. Berliner 1973, "Some necessary conditions for a master chess program", IJCAI
3; Russell and Norvig, section 5.3). The effect is visible if the value falls from one depth to the next.
"""

import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import click
from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.catalog.alphabeta import AlphaBeta
from gamesearch.algorithms.catalog.pvs import PARTS, PrincipalVariationSearch
from gamesearch.algorithms.engine.algorithm import Algorithm
from gamesearch.algorithms.engine.formatting import value_text
from gamesearch.algorithms.engine.result import Limits, Monitor, SearchResult
from gamesearch.algorithms.engine.searcher import search_with
from gamesearch.algorithms.node.workspace import FULL_DEPTH
from gamesearch.cli import options as cli
from gamesearch.cli.consoles import print_found
from gamesearch.cli.help import Command
from gamesearch.cli.progress import exit_code, say_speed, show_progress
from gamesearch.cli.reading import read_unfinished
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX, MIN, Game
from gamesearch.notation import line_names, player_name, zero_sum_words
from gamesearch.play.match import number_moves
from gamesearch.registry import specification_of
from gamesearch.render.boards.board import BoardView
from gamesearch.render.player_names import board_and_turn
from gamesearch.render.tables import number_column, plain_table
from gamesearch.render.value_words import value_heading
from gamesearch.study.bench import DEEPEST
from gamesearch.trace.wording.phrases import names_text

__all__ = ["DEFAULT", "command", "depth_that_sees", "greatest_fall", "search_depths"]


# The searches. ------------------------------------------------------------------------------------
DEFAULT = "chess", "1B6/8/6p1/2P5/1P1kP3/5P2/p7/7K w - - 0 1"
"""A black pawn is about to become a queen. White can delay the promotion by four plies with two checks that lose a
bishop and a pawn."""
GAP, NARROWEST = 2, 12
"""The gap between columns, and the least width of the column with the principal variation, in characters."""
HARD_SPACE = "\xa0"
"""A space that textwrap does not replace by a line break."""
DEEPEST_SHOWN = 6
"""The last depth for the default position: the first depth at which a fixed-depth search sees the new queen."""
LOOKING = {"quiescence": ("quiescence",), "extensions": ("extensions",), "both": ("quiescence", "extensions")}
"""These searches look further than a fixed depth. Each search uses the listed parts of `pvs`."""


@dataclass
class SearchSeries:
    """The results of one algorithm at depth 1, 2, ..., until it was stopped."""

    label: str
    algorithm: Algorithm
    sign: int
    """1 if Max is to move, otherwise -1."""
    results: list[SearchResult] = field(default_factory=list)
    stopped: str = ""
    """The reason why the search to the next depth was stopped, or empty. `results` does not contain the stopped
    search."""

    def value(self, depth: int) -> float:
        """The value of the search to `depth`, from the point of view of the player to move."""
        value = self.results[depth - 1].value
        assert isinstance(value, float | int)
        return self.sign * float(value)


@dataclass(frozen=True)
class ValueFall:
    """A fall of the value from one depth to the next; `depth` is the depth after the fall."""

    depth: int
    before: float
    """The value at the previous depth, from the point of view of the player to move."""
    after: float

    @property
    def size(self) -> float:
        """The size of the fall; negative if the value rises."""
        return self.before - self.after

    @property
    def threshold(self) -> float:
        """The mean of `before` and `after`. A search sees the fall if it returns this value or less."""
        return (self.before + self.after) / 2


def search_depths(
    game: Game, state: Any, limits: Limits, *, speed: str = "auto", monitor: Monitor | None = None
) -> list[SearchSeries]:
    """Search a position to depth 1, 2, ..., first with a fixed-depth search and then with selective searches.

    All searches end at the same depth, unless a limit stops them. The last depth is the depth in `limits` or, if
    `limits` contains no depth, the depth that the game suggests. If the game suggests no depth, the searches end at the
    first depth at which one of them sees the end of the game.
    """
    if game.players != 2 or game.payoff_count > 1:
        raise GamesearchError(f"the horizon effect is shown {zero_sum_words(game)}")
    sign, order = -1 if game.player(state) == MIN else 1, game.suggested_order or "game+killer+history"
    found = [SearchSeries("fixed depth", AlphaBeta(table=True, order=order), sign)]
    for label, on in LOOKING.items():
        parts: dict[str, Any] = {part: part in on for part in PARTS}
        found.append(SearchSeries(label, PrincipalVariationSearch(order=order, **parts), sign))
    for series in found:
        series.algorithm.fits(game)
        while len(series.results) < last_depth(game, found, limits):
            at_depth = Limits(len(series.results) + 1, limits.time, limits.nodes)
            result = search_with(game, state, series.algorithm, at_depth, speed=speed, monitor=monitor)
            if result.stopped:
                series.stopped = result.stopped
                break
            series.results.append(result)
    return found


def last_depth(game: Game, found: Sequence[SearchSeries], limits: Limits) -> int:
    """Return the depth at which searches end, at most DEEPEST: the given depth, or the depth that the game suggests.

    If the game suggests no depth, return the first depth at which a search sees the end of the game, because deeper
    searches find the same value.
    """
    depth = found[0].algorithm.limits(game, limits).depth or 1
    if depth == FULL_DEPTH:
        seeing = (len(each.results) for each in found if each.results and each.results[-1].sees_the_end)
        depth = next(seeing, DEEPEST)
    return min(depth, DEEPEST)


def falls_of(series: SearchSeries) -> list[ValueFall]:
    """Return each fall of the value from one depth to the next."""
    depths = range(2, len(series.results) + 1)
    falls = (ValueFall(depth, series.value(depth - 1), series.value(depth)) for depth in depths)
    return [each for each in falls if each.size > 0]


def greatest_fall(series: SearchSeries) -> ValueFall | None:
    """Return the greatest fall of the value (the first of equal falls); None if the value never falls."""
    return max(falls_of(series), key=lambda each: each.size, default=None)


def depth_that_sees(series: SearchSeries, fall: ValueFall) -> int | None:
    """Return the first depth at which an algorithm sees the fall; None if it sees the fall at no depth."""
    depths = range(1, len(series.results) + 1)
    return next((depth for depth in depths if series.value(depth) <= fall.threshold), None)


# The view. ----------------------------------------------------------------------------------------
class HorizonView:
    """Shows a table with a row for each depth. A row contains the values of all searches and the principal variation of
    the fixed-depth search."""

    def __init__(self, game: Game, state: Any, found: Sequence[SearchSeries]) -> None:
        self.game, self.state, self.found, self.only_ascii = game, state, found, False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table and sentences that explain it."""
        self.only_ascii = options.ascii_only
        fixed = self.found[0]
        headings = ["depth", *(series.label for series in self.found)]
        depths = range(1, max(len(series.results) for series in self.found) + 1)
        rows = [
            [
                str(depth),
                *("-" if depth > len(each.results) else self.number_at(each, depth) for each in self.found),
            ]
            for depth in depths
        ]
        widths = (max(map(len, column)) for column in zip(headings, *rows, strict=True))
        room = max(NARROWEST, options.max_width - sum(width + GAP for width in widths))
        table = plain_table(*map(number_column, headings), Column(f"line of {fixed.label}"), gap=GAP)
        fall = greatest_fall(fixed)
        for depth, row in zip(depths, rows, strict=True):
            style = "bold" if fall is not None and depth == fall.depth else ""
            table.add_row(*map(Text, [*row, self.line(depth, room)]), style=style)
        yield Text(f"{value_heading(self.game)}, found by each search", style="dim")
        yield table
        yield Text("")
        yield from map(Text, self.sentences(fall))

    def number(self, series: SearchSeries, value: float) -> str:
        """Format a value for the player to move as a value for Max."""
        return value_text(series.sign * value, signed=True, only_ascii=self.only_ascii)

    def number_at(self, series: SearchSeries, depth: int) -> str:
        """The value of the search to `depth`, for Max, as text."""
        return self.number(series, series.value(depth)) + series.results[depth - 1].mark

    def line(self, depth: int, width: int) -> str:
        """The principal variation of the fixed-depth search, wrapped at `width` characters. If the search did not reach
        `depth`, the text is empty. There is never a line break between a number and its move."""
        results = self.found[0].results[depth - 1 : depth]
        moves = (move for result in results for move in number_moves(self.game, self.state, result.line))
        text = " ".join(move.replace(" ", HARD_SPACE) for move in moves)
        return textwrap.fill(text, width, break_on_hyphens=False).replace(HARD_SPACE, " ")

    def sentences(self, fall: ValueFall | None) -> Iterator[str]:
        """Yield sentences about the greatest fall and its reason. The last sentence says at which depth each search
        first sees at least half of the fall. All numbers are values for Max. So if the value falls for Min, the numbers
        rise.

        The reason depends on the estimate of the position. If this estimate is nearer to the value after the fall, the
        shallow search expected a gain that does not last. If the estimate is nearer to the value before the fall, the
        moves of the principal variation only delayed a loss.
        """
        fixed = self.found[0]
        falls, before, after = (
            ("falls", " or more", " or less") if fixed.sign > 0 else ("rises", " or less", " or more")
        )
        if fall is None:
            yield f"The value never {falls} from one depth to the next, so no horizon effect is visible here."
            return
        worst = min(range(1, fall.depth), key=fixed.value)
        is_first = fall.depth > 2 and fixed.value(worst) > fall.threshold
        yield (
            f"{'Up to' if is_first else 'At'} depth {fall.depth - 1}, the value for {player_name(self.game, MAX)} is "
            f"{self.number_at(fixed, worst if is_first else fall.depth - 1)}{before if is_first else ''}; at depth "
            f"{fall.depth} it is {self.number_at(fixed, fall.depth)}.".replace("?.", "?")
        )
        at, line = f"At depth {fall.depth - 1}", self.line(fall.depth - 1, sys.maxsize)
        if fall.threshold >= fixed.sign * self.game.evaluate(self.state):
            yield f"{at}, the opponent's answer is beyond the horizon, so these moves seem to gain something: {line}"
        else:
            yield f"{at}, these moves push the loss beyond the horizon: {line}"
        also = [
            f"at depth {each.depth} from {self.number_at(fixed, each.depth - 1)} to {self.number_at(fixed, each.depth)}"
            for each in falls_of(fixed)
            if each != fall and each.size >= fall.size / 2
        ]
        if also:
            yield f"The value also {falls} {names_text(also)}.".replace("?.", "?")
        first = [f"{depth_that_sees(series, fall) or 'none'} for {series.label}" for series in self.found]
        half = self.number(fixed, fall.threshold)
        yield f"A value of {half}{after} means at least half of the change at depth {fall.depth}."
        yield f"The first depth with such a value: {', '.join(first)}."


def line_of(game: Game, state: Any, series: SearchSeries, depth: int) -> list[str]:
    """The principal variation of the search to `depth`, as a list of move names."""
    return line_names(game, state, series.results[depth - 1].line)


def horizon_data(game: Game, state: Any, found: Sequence[SearchSeries]) -> dict[str, Any]:
    """The searches and the greatest fall, as JSON."""
    fall = greatest_fall(found[0])
    return {
        "fall": None
        if fall is None
        else {
            "depth": fall.depth,
            "before": found[0].sign * fall.before,
            "after": found[0].sign * fall.after,
            "put_off_by": line_of(game, state, found[0], fall.depth - 1),
        },
        "searches": [
            {
                "search": series.label,
                "algorithm": series.algorithm.specification,
                "sees_it_at": None if fall is None else depth_that_sees(series, fall),
                "stopped": series.stopped,
                "depths": [
                    {
                        "depth": depth,
                        "value": result.value,
                        "line": line_of(game, state, series, depth),
                        "nodes": result.statistics.nodes,
                    }
                    | ({"assumed": True} if result.is_assumed else {})
                    for depth, result in enumerate(series.results, 1)
                ],
            }
            for series in found
        ],
    }


# The command. -------------------------------------------------------------------------------------
@click.command(
    cls=Command,
    examples=[
        "gamesearch horizon",
        "gamesearch horizon connect4 4453 --depth 6",
        "gamesearch horizon checkers --depth 8",
    ],
)
@click.argument("game", metavar="[GAME]", default="", required=False, shell_complete=cli.offer_games)
@cli.position_argument
@cli.depth_option(DEEPEST)
@cli.nodes_option
@cli.time_option
@cli.speed_option
@cli.ascii_option
@cli.verbose_option
@cli.json_option
def command(
    game: str,
    position: str,
    depth: int | None,
    nodes: int | None,
    time: float | None,
    speed: str,
    only_ascii: bool,
    verbose: bool,
    as_json: bool,
) -> int:
    """Show the horizon effect: compare a fixed-depth search with searches that look further.

    The command compares alphabeta with three versions of pvs: with quiescence search, with extensions, and with both.
    If you give no GAME, the command searches a chess position in which a black pawn is about to become a queen. White
    gives checks until the promotion lies beyond the last ply.
    """
    if not game:
        game, position = DEFAULT
        depth = depth or DEEPEST_SHOWN
    played, state = read_unfinished(game, position, "search")
    with show_progress("searching") as monitor:
        found = search_depths(played, state, Limits(depth, time, nodes), speed=speed, monitor=monitor)
    if not found[0].results:
        return exit_code(monitor) or 1
    say_speed(played, speed, found[0].results[0].statistics.speed, verbose)
    name, place = specification_of(played), played.format(state)
    board, turn = board_and_turn(played, state)
    view = Group(BoardView(board), Text(turn and f"{turn}\n"), HorizonView(played, state, found))
    data = {"game": name, "position": place, **horizon_data(played, state, found)}
    print_found(view, lambda: data, as_json, only_ascii)
    return exit_code(monitor)
