"""How the number of nodes grows with the depth: a chart, a table, and the effect of the order of the moves."""

import itertools
import string
from collections.abc import Iterator, Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gamesearch.algorithms.engine.formatting import all_of, count_text, data_number, plural, value_text
from gamesearch.algorithms.engine.result import WHY_STOPPED
from gamesearch.render.charts.chart import ChartView, Series
from gamesearch.render.tables import number_column, plain_table, table_of_numbers, tables_of
from gamesearch.study.bench import Growth, Theory, agreement, same

__all__ = ["GrowthView", "growth_data", "letters", "series_of"]


def letters(count: int) -> list[str]:
    """Short names for `count` algorithms: A, B, ..., Z, A2, B2, ..."""
    return [string.ascii_uppercase[i % 26] + (str(i // 26 + 1) if i >= 26 else "") for i in range(count)]


def series_of(found: Sequence[Growth], theories: Sequence[Theory]) -> list[Series]:
    """The curves of the chart. The curve of an algorithm shows how many nodes its search visits at each depth. If the
    searches were repeated with shuffled moves, the curve shows the medians. The curve of a theory shows how many nodes
    the theory predicts."""
    curves = []
    for letter, growth in zip(letters(len(found)), found, strict=True):
        spreads = growth.spreads
        counts = [float(count) for count in (*(each.median for each in spreads), *growth.nodes[len(spreads) :])]
        ranges = [(float(each.least), float(each.most)) for each in spreads]
        curves.append(Series(letter, growth.algorithm.specification, counts, ranges))
    for number, theory in enumerate(theories, 1):
        curves.append(Series(str(number), f"theory, {theory.name}", theory.nodes, is_theory=True))
    return curves


class GrowthView:
    """Draws a chart with its legend, and a table of the numbers of nodes. If moves were shuffled, a second table shows
    the effect of the move order. The last lines say whether the algorithms found the same values."""

    def __init__(self, found: Sequence[Growth], theories: Sequence[Theory]) -> None:
        self.found, self.theories = found, theories

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        curves = series_of(self.found, self.theories)
        yield ChartView(curves)
        yield Text()
        if any(growth.shuffled for growth in self.found):
            yield Text("letter: median of all orders of the moves; colons: from the fewest nodes to the most")
        for curve in curves:
            yield Text(f"{curve.letter}  {curve.name}")
        if self.theories:
            yield Text("curves for random order are estimates, and may be below the least number of nodes")
        counts: list[Sequence[float]] = [
            *(growth.nodes for growth in self.found),
            *(theory.nodes for theory in self.theories),
        ]
        for table in tables_of(list(zip(curves, counts, strict=True)), self.numbers, console, options):
            yield Text()
            yield table
        if any(growth.shuffled for growth in self.found):
            yield Text()
            yield self.spread_table()
        yield Text()
        yield from map(Text, self.sentences())

    def numbers(self, columns: Sequence[tuple[Series, Sequence[float]]]) -> Table:
        """A table that shows how many nodes each search visited if the moves were not shuffled. It has a row for each
        depth, and a column for each curve."""
        rows = (
            (str(depth), *("" if count is None else f"{count:,.0f}" for count in counts))
            for depth, counts in enumerate(itertools.zip_longest(*(counts for _, counts in columns)), 1)
        )
        return plain_table(*map(number_column, ("depth", *(curve.letter for curve, _ in columns))), rows=rows, gap=2)

    def spread_table(self) -> Table:
        """A table that shows the effect of the move order at the greatest depth."""
        rows = []
        for letter, growth in zip(letters(len(self.found)), self.found, strict=True):
            if growth.spreads:
                depth, last = len(growth.spreads), growth.spreads[-1]
                counts = map(count_text, (last.least, last.median, last.most))
                name = f"{plural(len(growth.shuffled[-1]), 'order')}: {letter}"
                as_generated = count_text(growth.nodes[depth - 1])
                rows.append((name, str(depth), *counts, f"{last.most / last.least:.1f}", as_generated))
        columns = ("depth", "fewest", "median", "most", "most/fewest", "original order")
        return table_of_numbers("nodes", *columns, rows=rows, gap=2)

    def sentences(self) -> Iterator[str]:
        """Sentences that say which searches were stopped, and whether the algorithms found the same values."""
        for letter, growth in zip(letters(len(self.found)), self.found, strict=True):
            if growth.stopped:
                yield f"{letter} ends before depth {len(growth.rows) + 1}: {WHY_STOPPED[growth.stopped]}"
        count, agree = agreement([row for growth in self.found for row in growth.measurements])
        if not agree:
            yield "the exact algorithms DO NOT AGREE"
        elif count > 1:
            exact = [growth for growth in self.found if growth.rows and growth.rows[0].is_exact]
            last = max(exact, key=lambda growth: len(growth.rows)).rows[-1]
            if len(exact) > 1:
                agreed = f"{all_of(len(exact))} exact algorithms agree at every depth"
                yield f"{agreed}: the value at depth {last.depth} is {value_text(last.result.value)}{last.result.mark}"
        if agree:
            yield from self.sentences_about_others()

    def sentences_about_others(self) -> Iterator[str]:
        """For each algorithm that may be inexact, say whether it finds the same values as the exact algorithms."""
        exact = {row.depth: row.result.value for growth in self.found for row in growth.rows if row.is_exact}
        for letter, growth in zip(letters(len(self.found)), self.found, strict=True):
            shared = [row for row in growth.rows if not row.is_exact and row.depth in exact]
            others = [row for row in shared if not same(row.result.value, exact[row.depth])]
            if others:
                first = others[0]
                values = f"{value_text(first.result.value)} instead of {value_text(exact[first.depth])}"
                more = f"; the values also differ at {plural(len(others) - 1, 'greater depth')}" if others[1:] else ""
                yield f"{letter} ({growth.algorithm.name}) finds the value {values} at depth {first.depth}{more}"
            elif shared:
                yield f"{letter} ({growth.algorithm.name}) finds the same value at every depth"


def growth_data(found: Sequence[Growth], theories: Sequence[Theory]) -> dict[str, Any]:
    """The counts as JSON."""
    _, agree = agreement([row for growth in found for row in growth.measurements])
    return {
        "agree": agree,
        "algorithms": [
            {
                "letter": letter,
                "algorithm": growth.algorithm.specification,
                "nodes": growth.nodes,
                "values": [data_number(row.result.value) for row in growth.rows],
                "orders": [{"fewest": each.least, "middle": each.median, "most": each.most} for each in growth.spreads],
                "stopped": growth.stopped,
            }
            for letter, growth in zip(letters(len(found)), found, strict=True)
        ],
        "theory": [{"name": theory.name, "nodes": [round(count) for count in theory.nodes]} for theory in theories],
    }
