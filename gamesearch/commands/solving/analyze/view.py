"""The result of a search as text and as JSON. While the search deepens, a table gets a new row for each depth."""

import contextlib
import functools
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Column, Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import (
    count_text,
    data_number,
    plural,
    probability_text,
    share_text,
    statistics_text,
)
from gamesearch.algorithms.engine.result import Monitor, MoveValue, SearchResult, payee, rank_moves
from gamesearch.cli.consoles import status_console
from gamesearch.cli.progress import Compilations, progress_monitor, show_progress
from gamesearch.cli.terminal import allow_interrupt
from gamesearch.game import CHANCE, Game
from gamesearch.notation import line_names, player_name
from gamesearch.optional import assumed_fact, mark_assumed
from gamesearch.play.match import number_moves
from gamesearch.render.player_names import position_parts
from gamesearch.render.tables import number_column, pairs, plain_table, text_column
from gamesearch.render.value_words import (
    Analysis,
    MoveWords,
    book_words,
    distance_in,
    evaluation_words,
    is_played_out,
    number_text,
    sorted_moves,
    value_heading,
    value_words,
    winner_words,
)

__all__ = ["AnalysisView", "analysis_data", "show_depths"]

TREE_IS_FULL = (
    "the tree filled its memory, so playouts continued without new nodes; the parameter memory raises the limit"
)


class AnalysisView(MoveWords):
    """Shows the board, the player to move, the value in words, the best line, the moves, and the statistics."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        analysis, result, self.only_ascii = self.analysis, self.analysis.result, options.ascii_only
        over = "the game is over" if result is None else ""
        yield from position_parts(analysis.game, analysis.state, over)
        yield pairs(self.facts())
        if result is None:
            return
        if result.moves:
            yield Text()
            yield self.moves_table()
        if missing := self.missing_moves():
            yield Text(missing, style="yellow")
        if not result.is_from_book:
            yield Text()
            yield Text(result.algorithm)
            yield Text(statistics_text(result.statistics), style="dim")
        if result.tree_is_full:
            yield Text(TREE_IS_FULL, style="yellow")
        if analysis.stopped:
            yield Text(analysis.stopped + origin_clause(result), style="yellow")

    def facts(self) -> Iterator[tuple[str, str | Text]]:
        """Yield the name and the text of each fact: the value, the best move, the line and so on."""
        game, state, found = self.analysis.game, self.analysis.state, self.analysis.final_result
        yield "value", Text(value_words(self.analysis, only_ascii=self.only_ascii), style="bold")
        if words := evaluation_words(self.analysis):
            yield "by", words
        if found.moves_depth is not None and found.value is not None:
            yield "depth", f"{found.statistics.depth} for this value; {found.moves_depth} for the table of moves"
        if found.best is not None:
            yield "best", Text.assemble((game.move_name(state, found.best), "bold"), self.reason())
            if len(found.line) > 1:
                yield "line", " ".join(number_moves(game, state, found.line))
        if self.analysis.book is not None:
            yield "book", book_words(game, state, self.analysis.book)

    def reason(self) -> str:
        """Return the reason for the best move if another move has a better average; otherwise, an empty string."""
        moves = sorted_moves(self.analysis)
        is_behind = rank_moves(self.analysis.game, self.analysis.state, moves)[:1] != moves[:1]
        return "  most playouts" if is_behind and moves[0].visits == max(each.visits for each in moves) > 0 else ""

    def moves_table(self) -> Table:
        """Return a table of the moves, best first, with their values and other data, such as confidence intervals."""
        columns = [(column, cells) for column, cells in self.columns() if cells]
        rows = zip(*(cells for _, cells in columns), strict=True)
        return plain_table(*(column for column, _ in columns), rows=rows)

    def columns(self) -> Iterator[tuple[Column, list[str]]]:
        """Yield each column of the table of moves, with its cells. The caller leaves out columns without cells."""
        analysis, game, state = self.analysis, self.analysis.game, self.analysis.state
        moves, with_lines = sorted_moves(analysis), analysis.with_lines
        odds = dict(game.outcomes(state)) if analysis.player == CHANCE and not with_lines else {}
        yield text_column("outcome" if odds else "move", "bold"), [self.name(each) for each in moves]
        yield Column("probability", justify="right"), [probability_text(odds[each.move]) for each in moves if odds]
        depth = None if with_lines else analysis.final_result.moves_depth
        whose = None if isinstance(analysis.final_result.value, tuple) else analysis.payee
        heading = value_heading(game, whose) + ("" if depth is None else f", depth {depth}")
        yield number_column(heading), [self.number_after(each) for each in moves]
        meanings = [self.words(each) for each in moves]
        yield Column(no_wrap=with_lines), meanings if any(meanings) else []
        if with_lines:
            lines = (number_moves(game, state, (each.move, *each.line), skip=1) for each in moves)
            yield Column("line"), [" ".join(line) for line in lines]
            return
        if any(each.visits for each in moves):
            yield number_column("playouts"), [count_text(each.visits) for each in moves]
        intervals = [self.interval(each) for each in moves]
        yield number_column("95 % interval"), intervals if any(intervals) else []
        beliefs = [each.belief for each in moves if each.belief is not None]
        drawn = [each.sampled for each in beliefs if each.sampled is not None]
        yield number_column("std. deviation"), [self.digits(round(each.deviation, 2)) for each in beliefs]
        yield number_column("chance to be best"), [share_text(each.best) for each in beliefs if each.best is not None]
        yield number_column("sampled mean"), [self.digits(round(mean, 4)) for mean, _ in drawn]
        yield number_column("sampled best"), [share_text(best) for _, best in drawn if best is not None]

    def interval(self, found: MoveValue) -> str:
        """Return the confidence interval of a move's expected payoff; empty if the move has no interval."""
        return "" if found.interval is None else f"[{', '.join(map(self.number, found.interval))}]"

    def missing_moves(self) -> str:
        """Return a sentence about the moves that have no value; empty if all moves have values."""
        analysis, result = self.analysis, self.analysis.result
        if not analysis.with_moves or result is None:
            return ""
        total = len(analysis.game.steps(analysis.state))
        missing = total - len(result.moves)
        if not missing:
            return ""
        which = "no move has a value" if missing == total else f"{missing} of {plural(total, 'move')} have no value"
        if analysis.stopped:
            return f"{which}: the search was stopped"
        if any(found.visits for found in result.moves):
            return f"{which}: the search ended before it tried these moves"
        return f"{which}: their searches found no value"


def origin_clause(result: SearchResult) -> str:
    """Return the end of a sentence about a stopped search: how far it got, or which search found the answer."""
    if result.value is None and result.best is None:
        return " before the search had a value"
    if result.is_proven:
        return "; the value is proven"
    if result.bound == "estimate":
        said = "the average of its random games" if is_played_out(result) else "the value of the tree at that time"
        return f"; the answer is {said}"
    if result.bound == "exact" and result.statistics.depth:
        return f"; the answer is from depth {result.statistics.depth}, the last completed depth"
    return "; the answer is the best of the moves searched so far"


def analysis_data(analysis: Analysis, game_text: str, algorithm: str) -> dict[str, Any]:
    """Return the analysis as JSON. If nothing was searched, the field `algorithm` contains the argument `algorithm`."""
    game, state, player, found = analysis.game, analysis.state, analysis.player, analysis.final_result
    return {
        "game": game_text,
        "position": game.format(state),
        "player": None if player is None else player_name(game, player),
        "algorithm": found.algorithm or algorithm,
        "value": data_number(found.value),
        "bound": found.certainty,
        "sees_the_end": found.is_proven,
        "evaluation": analysis.evaluation,
        "distance": distance_in(game, state, found.value, found.distance) if found.bound == "exact" else found.distance,
        "book": None if analysis.book is None else book_words(game, state, analysis.book),
        "best": None if found.best is None else game.move_name(state, found.best),
        "line": line_names(game, state, found.line),
        "moves": [
            {
                "move": game.move_name(state, each.move),
                "value": data_number(each.value),
                "distance": distance_in(game, state, each.value, each.distance),
                "line": line_names(game, state, (each.move, *each.line)),
            }
            | assumed_fact(game, game.result(state, each.move))
            | ({"games": each.visits, "interval": each.interval} if each.visits else {})
            for each in sorted_moves(analysis)
        ],
        "moves_depth": found.moves_depth,
        "statistics": asdict(found.statistics),
        "stopped": found.stopped,
        "tree_is_full": found.tree_is_full,
        "over": analysis.result is None,
        "winner": None if analysis.winner is None else player_name(game, analysis.winner),
    } | ({"assumed": True} if found.is_assumed else {})


# While the search deepens. ------------------------------------------------------------------------
LINES_LEFT = 3  # the number of terminal lines that the table does not use


class DeepeningView:
    """Shows a line for each finished depth of a search, and all best moves of the last finished depth."""

    def __init__(self, game: Game, state: Any, only_ascii: bool) -> None:
        self.game, self.state, self.only_ascii = game, state, only_ascii
        self.depths: list[SearchResult] = []

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table. If the terminal has few lines, yield only the last lines of the table."""
        if not self.depths:
            return
        line = Column("line", no_wrap=True, overflow="ellipsis")
        table = plain_table(*map(number_column, ("depth", value_heading(self.game), "nodes")), line, gap=2)
        *before, last = self.depths
        best = last.moves or (only_move(last),)
        room = max(0, console.height - LINES_LEFT - len(best))
        for found in before[len(before) - min(room, len(before)) :]:
            self.add_row(table, found, only_move(found), found.mark, "dim")
        for number, each in enumerate(best[: max(1, console.height - LINES_LEFT)]):
            mark = mark_assumed(self.game, self.game.result(self.state, each.move), "") if last.moves else last.mark
            self.add_row(table, last if number == 0 else None, each, mark, "bold" if number == 0 else "")
        yield table

    def add_row(self, table: Table, found: SearchResult | None, each: MoveValue, mark: str, style: str) -> None:
        """Add a row for a move. If `found` is given, the row also shows the depth and the nodes of this result. `mark`
        follows the value."""
        game, s = self.game, self.state
        value = number_text(game, each.value, only_ascii=self.only_ascii) + mark
        won = winner_words(game, s, each.value, each.distance, payee(game, s)) if game.win_or_loss else ""
        names = number_moves(game, s, (each.move, *each.line)) if each.move >= 0 else []
        depth, nodes = ("", "") if found is None else (str(found.statistics.depth), count_text(found.statistics.nodes))
        cells = (depth, value, nodes, " ".join(names) + (f"  ({won})" if won and each.distance else ""))
        table.add_row(*map(Text, cells), style=style)


def only_move(found: SearchResult) -> MoveValue:
    """Return the best move of a result, with the value and the line of this move."""
    best = -1 if found.best is None else found.best
    return MoveValue(best, 0.0 if found.value is None else found.value, found.distance, line=found.line[1:])


@contextlib.contextmanager
def show_depths(game: Game, state: Any, only_ascii: bool) -> Iterator[Monitor]:
    """A monitor that shows each finished depth on a terminal, until the search ends."""
    console = status_console()
    if not console.is_terminal or console.is_dumb_terminal:
        with show_progress() as monitor, allow_interrupt(monitor):
            yield monitor
        return
    view = DeepeningView(game, state, only_ascii)
    status = Spinner("line" if only_ascii else "dots", "thinking ...")
    with Live(Group(view, status), console=console, transient=True, refresh_per_second=10) as live:

        def note_finished(found: SearchResult) -> None:
            if found.value is not None and found.best is not None:
                view.depths.append(found)

        compilations = Compilations(functools.partial(live.console.print, style="dim"))
        monitor = progress_monitor(compilations, lambda text: status.update(text=Text(text)))
        monitor.finished = note_finished
        with allow_interrupt(monitor):  # around all searches, because Ctrl-C may be pressed between two searches
            yield monitor
        compilations.note("")
