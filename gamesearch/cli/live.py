"""What a search says while it runs, where somebody looks at it: a table that grows with the depth."""

import contextlib
import functools
from collections.abc import Iterator
from typing import Any

from rich.console import Group
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from gamesearch.algorithms.engine.result import Monitor, SearchResult
from gamesearch.cli.consoles import status_console
from gamesearch.cli.progress import Compilations, telling, watching
from gamesearch.cli.terminal import interruptible
from gamesearch.game import Game
from gamesearch.render.deepening import DeepeningView

__all__ = ["watching_depths"]


@contextlib.contextmanager
def watching_depths(game: Game[Any], state: Any, only_ascii: bool) -> Iterator[Monitor]:
    """A monitor that shows each finished depth of a search on standard error, if that is a terminal.

    The table is gone when the search has ended, for the answer says what stood in it.
    """
    console = status_console()
    if not console.is_terminal or console.is_dumb_terminal:
        with watching() as monitor, interruptible(monitor):
            yield monitor
        return
    view = DeepeningView(game, state, only_ascii)
    status = Spinner("line" if only_ascii else "dots", "thinking ...")
    with Live(Group(view, status), console=console, transient=True, refresh_per_second=10) as live:

        def finished(found: SearchResult) -> None:
            if found.value is not None and found.best is not None:
                view.depths.append(found)

        compilations = Compilations(functools.partial(live.console.print, style="dim"))
        monitor = telling(compilations, lambda text: status.update(text=Text(text)))
        monitor.finished = finished
        with interruptible(monitor):  # among many short searches, Ctrl-C may come between two
            yield monitor
        compilations.note("")
