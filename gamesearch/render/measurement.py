"""One table of what algorithms did, beside what theory says."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.game import Game
from gamesearch.measure import Measurement, agreement
from gamesearch.registry import specification_of
from gamesearch.render.numbers import data_number, plural, seconds_text, speed_text, value_text
from gamesearch.theory import all_leaves, fewest_leaves, random_branching_factor, random_leaves

__all__ = ["MeasurementView", "measurement_data"]

COLUMNS = ("value", "best", "nodes", "leaves", "cutoffs", "hits", "depth", "time", "speed", "branching", "share")


class MeasurementView:
    """A row for each algorithm; whether they agree; for uniform trees, the theory."""

    def __init__(self, game: Game[Any], state: Any, rows: Sequence[Measurement]) -> None:
        self.game, self.state, self.rows = game, state, rows

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table and the sentences below it."""
        yield Text(f"{specification_of(self.game)}  {self.game.format(self.state)}", style="bold")
        yield self.table()
        count, agree = agreement(self.rows)
        if count > 1:
            value = next(m.result.value for m in self.rows if m.algorithm.is_exact and not m.result.stopped)
            verdict = f"agree: the value is {value_text(value)}" if agree else "DO NOT AGREE"
            yield Text(f"all {count} exact algorithms {verdict}" if agree else f"the exact algorithms {verdict}")
        for line in self.theory():
            yield Text(line)

    def table(self) -> Table:
        """The measurements."""
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim", pad_edge=False)
        table.add_column("algorithm", overflow="fold", min_width=12)
        for name in COLUMNS:
            table.add_column(name, justify="right", no_wrap=True)
        for m in self.rows:
            counts, result = m.result.statistics, m.result
            best = "" if result.best is None else self.game.move_name(self.state, result.best)
            table.add_row(
                m.algorithm.specification,
                f"{result.stopped}!" if result.stopped else value_text(result.value),
                best,
                f"{counts.nodes:,}",
                f"{counts.leaves:,}",
                f"{counts.cutoffs:,}",
                f"{counts.table_hits:,}",
                str(counts.depth),
                seconds_text(m.seconds),
                speed_text(counts.nodes, m.seconds).replace(" nodes", ""),
                "" if m.branching is None else f"{m.branching:.2f}",
                "" if m.share is None else f"{100 * m.share:.3g} %",
            )
        return table

    def theory(self) -> list[str]:
        """What theory says of a uniform tree; nothing for other games."""
        uniform = self.game.uniform_tree(self.state)
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
    data: dict[str, Any] = {"game": game_text, "position": game.format(state), "agree": agree, "rows": []}
    for m in rows:
        result = m.result
        data["rows"].append(
            {
                "algorithm": m.algorithm.specification,
                "value": data_number(result.value),
                "best": None if result.best is None else game.move_name(state, result.best),
                **asdict(result.statistics),
                "seconds": m.seconds,
                "nodes_per_second": m.nodes_per_second,
                "branching": m.branching,
                "share": m.share,
                "runs": m.runs,
                "stopped": result.stopped,
            }
        )
    uniform = game.uniform_tree(state)
    if uniform is not None and rows:
        branching, depth = uniform[0], min(uniform[1], rows[0].result.statistics.depth)
        data["theory"] = {
            "all_leaves": all_leaves(branching, depth),
            "fewest_leaves": fewest_leaves(branching, depth),
            "random_leaves": random_leaves(branching, depth),
        }
    return data
