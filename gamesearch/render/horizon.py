"""A table of what searches believe at each depth, and what one of them pushed over the horizon."""

from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.engine.formatting import value_text
from gamesearch.algorithms.engine.result import Value
from gamesearch.game import Game
from gamesearch.play.numbering import numbered
from gamesearch.render.tables import number_column, plain_table, text_column
from gamesearch.study.horizon import Fall, Sight, depth_that_sees, fall_of

__all__ = ["HorizonView", "horizon_data"]


class HorizonView:
    """A row for each depth: the line of the search to a fixed depth, then value and move of each other search."""

    def __init__(self, game: Game[Any], state: Any, found: Sequence[Sight]) -> None:
        self.game, self.state, self.found, self.only_ascii = game, state, found, False

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table, and sentences that say what it shows."""
        self.only_ascii = options.ascii_only
        fixed, *others = self.found
        line = Column("line", no_wrap=True, overflow="ellipsis", ratio=1)
        table = plain_table(
            number_column("depth"),
            number_column(fixed.label),
            line,
            *(text_column(each.label) for each in others),
            gap=2,
        )
        fall = fall_of(fixed)
        for depth in range(1, max(len(sight.results) for sight in self.found) + 1):
            cells = [str(depth), self.value(fixed, depth), self.line(fixed, depth)]
            cells += [f"{self.value(sight, depth)} {self.first_move(sight, depth)}" for sight in others]
            style = "bold" if fall is not None and depth == fall.depth else ""
            table.add_row(*map(Text, cells), style=style)
        yield table
        yield Text("")
        yield from map(Text, self.sentences(fall))

    def value(self, sight: Sight, depth: int) -> str:
        """What an algorithm believes; empty where it was stopped before."""
        return self.number(sight.results[depth - 1].value) if depth <= len(sight.results) else "-"

    def number(self, value: Value | None) -> str:
        """A value in digits."""
        return value_text(value, signed=True, only_ascii=self.only_ascii)

    def line(self, sight: Sight, depth: int) -> str:
        """The moves that an algorithm expects."""
        if depth > len(sight.results):
            return ""
        return " ".join(numbered(self.game, self.state, sight.results[depth - 1].line))

    def first_move(self, sight: Sight, depth: int) -> str:
        """The move that an algorithm would play."""
        line = line_of(self.game, self.state, sight, depth) if depth <= len(sight.results) else []
        return line[0] if line else ""

    def sentences(self, fall: Fall | None) -> Iterator[str]:
        """What was beyond the horizon, how it was put off, and who sees it how soon."""
        fixed, *others = self.found
        if fall is None:
            yield "At no depth does the value fall: nothing is seen to be pushed over the horizon."
            return
        worst = min(fixed.value(depth) for depth in range(1, fall.depth))
        player = self.game.player_name(self.game.player(self.state))
        yield (
            f"To depth {fall.depth - 1}, {player} believes {self.signed(fixed, worst)} or better; depth {fall.depth} "
            f"sees {self.signed(fixed, fall.after)}, which was beyond the horizon before."
        )
        yield f"Put off by: {self.line(fixed, fall.depth - 1)}"
        seen = [(sight.label, depth_that_sees(sight, fall)) for sight in others]
        yield "Seen by " + ", by ".join(
            f"{label} at depth {depth}" if depth else f"{label} at none of these depths" for label, depth in seen
        )

    def signed(self, sight: Sight, value: float) -> str:
        """A value for the player to move as Max's."""
        return self.number(sight.sign * value)


def line_of(game: Game[Any], state: Any, sight: Sight, depth: int) -> list[str]:
    """The names of the moves that an algorithm expects."""
    return game.line_names(state, sight.results[depth - 1].line)


def horizon_data(game: Game[Any], state: Any, found: Sequence[Sight]) -> dict[str, Any]:
    """The searches, and where the value falls, as JSON has it."""
    fall = fall_of(found[0])
    return {
        "fall": None if fall is None else fall_data(game, state, found[0], fall),
        "searches": [
            {
                "search": sight.label,
                "algorithm": sight.algorithm.specification,
                "sees_it_at": None if fall is None else depth_that_sees(sight, fall),
                "stopped": sight.stopped,
                "depths": [
                    {
                        "depth": depth,
                        "value": result.value,
                        "line": line_of(game, state, sight, depth),
                        "nodes": result.statistics.nodes,
                    }
                    for depth, result in enumerate(sight.results, 1)
                ],
            }
            for sight in found
        ],
    }


def fall_data(game: Game[Any], state: Any, fixed: Sight, fall: Fall) -> dict[str, Any]:
    """Where the value of the search to a fixed depth falls, and the line that put it off."""
    return {
        "depth": fall.depth,
        "before": fixed.sign * fall.before,
        "after": fixed.sign * fall.after,
        "put_off_by": line_of(game, state, fixed, fall.depth - 1),
    }
