"""A table that grows while a search deepens: a line for each depth, and lines for the best moves at the last depth."""

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderResult
from rich.live import Live
from rich.spinner import Spinner
from rich.table import Column, Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import count_text
from gamesearch.algorithms.engine.result import Monitor, MoveValue, SearchResult, payee
from gamesearch.cli.consoles import status_console
from gamesearch.cli.progress import Compilations, progress_monitor, show_progress
from gamesearch.cli.terminal import allow_interrupt
from gamesearch.game import Game
from gamesearch.play.match import number_moves
from gamesearch.render.tables import number_column, plain_table
from gamesearch.render.value_words import number_text, value_heading, winner_words

__all__ = ["show_depths"]


# The view. ----------------------------------------------------------------------------------------
LINES_LEFT = 3
"""The number of terminal lines that the table does not use."""


class DeepeningView:
    """Shows a line for each finished depth of a search, and all best moves of the last finished depth."""

    def __init__(self, game: Game, state: Any, only_ascii: bool = False) -> None:
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
            self.add_row(table, found, only_move(found), "dim")
        for number, each in enumerate(best[: max(1, console.height - LINES_LEFT)]):
            self.add_row(table, last if number == 0 else None, each, "bold" if number == 0 else "")
        yield table

    def add_row(self, table: Table, found: SearchResult | None, each: MoveValue, style: str) -> None:
        """Add a row for a move.

        If the move is the first move of a depth, `found` is the result of the search to this depth, and the row also
        shows its depth and its nodes. For other moves, `found` is None.
        """
        game = self.game
        value = number_text(game, each.value, only_ascii=self.only_ascii)
        won = winner_words(game, each.value, each.distance, payee(game, self.state)) if game.win_or_loss else ""
        names = number_moves(game, self.state, (each.move, *each.line)) if each.move >= 0 else []
        depth, nodes = ("", "") if found is None else (str(found.statistics.depth), count_text(found.statistics.nodes))
        cells = (depth, value, nodes, " ".join(names) + (f"  ({won})" if won and each.distance else ""))
        table.add_row(*map(Text, cells), style=style)


def only_move(found: SearchResult) -> MoveValue:
    """Return the best move of a result, with its value and line."""
    best = -1 if found.best is None else found.best
    return MoveValue(best, 0.0 if found.value is None else found.value, found.distance, line=found.line[1:])


# The monitor. -------------------------------------------------------------------------------------
@contextlib.contextmanager
def show_depths(game: Game, state: Any, only_ascii: bool) -> Iterator[Monitor]:
    """A monitor that shows each finished depth of a search on standard error, if that is a terminal.

    The table disappears when the search ends, because the answer then contains the last row.
    """
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
