"""One table of what algorithms did, beside what theory says."""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column, Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import all_of, data_number, plural, seconds_text, speed_text, value_text
from gamesearch.game import Game
from gamesearch.optional import uniform_tree
from gamesearch.registry import specification_of
from gamesearch.render.growth import letters
from gamesearch.render.tables import fits, number_column, plain_table, tables_of
from gamesearch.study.bench import Measurement, agreement
from gamesearch.study.theory import all_leaves, fewest_leaves, random_branching_factor, random_leaves

__all__ = ["MeasurementView", "measurement_data"]

COLUMNS = ("value", "best", "nodes", "leaves", "cutoffs", "hits", "depth", "time", "speed", "branching", "share")


class MeasurementView:
    """A row for each algorithm; whether they agree; for uniform trees, the theory."""

    def __init__(self, game: Game[Any], state: Any, rows: Sequence[Measurement]) -> None:
        self.game, self.state, self.rows = game, state, rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table and the sentences below it."""
        yield Text(f"{specification_of(self.game)}  {self.game.format(self.state)}", style="bold")
        yield from self.tables(console, options)
        count, agree = agreement(self.rows)
        exact = [m for m in self.rows if m.is_exact and not m.result.stopped]
        if not agree:
            yield Text("the exact algorithms DO NOT AGREE")
        elif len({m.depth for m in exact}) > 1:
            yield Text(f"the {count} exact algorithms agree, each with those that search as deep")
        elif count > 1:
            first = exact[0]
            how = "" if first.result.sees_the_end else f" on the estimate at depth {first.depth}"
            yield Text(f"{all_of(count)} exact algorithms agree{how}: the value is {value_text(first.result.value)}")
        yield from map(Text, self.theory())

    def tables(self, console: Console, options: ConsoleOptions) -> Iterator[Table | Text]:
        """One table; on a narrow terminal the algorithms by letters, and as many tables as all columns need."""
        names = [m.algorithm.specification for m in self.rows]
        if fits(whole := self.table(COLUMNS, names, "algorithm"), console, options):
            yield whole
            return
        short = letters(len(names))
        for letter, name in zip(short, names, strict=True):
            yield Text(f"{letter}  {name}")
        for table in tables_of(COLUMNS, lambda columns: self.table(columns, short), console, options):
            yield Text()
            yield table

    def table(self, columns: Sequence[str], names: Sequence[str], heading: str = "") -> Table:
        """The measurements."""
        rows = []
        for name, each in zip(names, self.rows, strict=True):
            cells = self.cells(each)
            rows.append([name, *(cells[column] for column in columns)])
        return plain_table(Column(heading, overflow="fold"), *map(number_column, columns), rows=rows, gap=2)

    def cells(self, m: Measurement) -> dict[str, str]:
        """What an algorithm did, by COLUMNS; counts that were not made are not told."""
        counts, result = m.result.statistics, m.result
        return {
            "value": f"{result.stopped}!" if result.stopped else value_text(result.value),
            "best": "" if result.best is None else self.game.move_name(self.state, result.best),
            "nodes": f"{counts.nodes:,}" if counts.nodes else "not counted",
            "leaves": f"{counts.leaves:,}" if counts.nodes else "",
            "cutoffs": f"{counts.cutoffs:,}" if counts.nodes else "",
            "hits": f"{counts.table_hits:,}" if counts.nodes else "",
            "depth": str(counts.depth),
            "time": seconds_text(m.seconds),
            "speed": speed_text(counts.nodes, m.seconds).replace(" nodes", "") if counts.nodes else "",
            "branching": "" if m.branching is None else f"{m.branching:.2f}",
            "share": "" if m.share is None else f"{100 * m.share:.3g} %",
        }

    def theory(self) -> list[str]:
        """What theory says of a uniform tree; nothing for other games."""
        uniform = uniform_tree(self.game, self.state)
        if uniform is None or not self.rows:
            return []
        branching, depth = uniform[0], min(uniform[1], self.rows[0].result.statistics.depth)
        return [
            f"theory for {plural(branching, 'child', 'children')} and depth {depth}: "
            f"all leaves b^d {all_leaves(branching, depth):,}; "
            f"fewest for alpha-beta (Knuth & Moore 1975) {fewest_leaves(branching, depth):,}; "
            f"in random order about b^(3d/4) {random_leaves(branching, depth):,.0f}, "
            f"growing {random_branching_factor(branching):.2f} times with each ply (Pearl 1982)"
        ]


def measurement_data(
    game: Game[Any], state: Any, rows: Sequence[Measurement], game_text: str, agree: bool
) -> dict[str, Any]:
    """The measurements as JSON has them."""
    data: dict[str, Any] = {
        "game": game_text,
        "position": game.format(state),
        "agree": agree,
        "rows": [
            {
                "algorithm": m.algorithm.specification,
                "value": data_number(m.result.value),
                "best": None if m.result.best is None else game.move_name(state, m.result.best),
                **asdict(m.result.statistics),
                "seconds": m.seconds,
                "nodes_per_second": m.nodes_per_second,
                "branching": m.branching,
                "share": m.share,
                "runs": m.runs,
                "stopped": m.result.stopped,
            }
            for m in rows
        ],
    }
    uniform = uniform_tree(game, state)
    if uniform is not None and rows:
        branching, depth = uniform[0], min(uniform[1], rows[0].result.statistics.depth)
        data["theory"] = {
            "all_leaves": all_leaves(branching, depth),
            "fewest_leaves": fewest_leaves(branching, depth),
            "random_leaves": random_leaves(branching, depth),
        }
    return data
