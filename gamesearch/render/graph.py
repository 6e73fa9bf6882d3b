"""A game's graph as a table, and as data."""

from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Column
from rich.text import Text

from gamesearch.algorithms.engine.formatting import data_number, plural, value_text
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import number_column, plain_table, text_column
from gamesearch.solvers.graphs.positions import Position, PositionGraph

__all__ = ["GraphView", "graph_data"]


@dataclass(frozen=True)
class GraphView:
    """Every position with whose turn it is, its value, how far the end is, and the best moves."""

    graph: PositionGraph

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table, and what it is of."""
        graph, game = self.graph, self.graph.game
        rows = (
            (
                game.format(each.state),
                "end" if each.player is None else game.player_name(each.player),
                value_text(each.value, signed=game.win_or_loss, only_ascii=options.ascii_only),
                "" if each.distance is None else str(each.distance),
                "  ".join(each.best),
            )
            for each in graph.positions
        )
        columns = (
            text_column("position"),
            text_column("player"),
            number_column("value", "bold"),
            number_column("distance"),
        )
        yield plain_table(*columns, Column("best moves", style="bold"), rows=rows)
        yield Text()
        counts = [plural(len(graph.positions), "position"), plural(graph.moves, "move")]
        yield Text(", ".join([*counts, plural(graph.starts, "start")]), style="dim")


def graph_data(graph: PositionGraph) -> dict[str, Any]:
    """The graph as JSON says it; a position is called by its place in the list."""
    return {
        "game": specification_of(graph.game),
        "starts": list(range(graph.starts)),
        "positions": [position_data(graph.game, position) for position in graph.positions],
    }


def position_data(game: Game[Any], position: Position) -> dict[str, Any]:
    """A position as JSON says it."""
    return {
        "position": game.format(position.state),
        "player": {None: "end", CHANCE: "chance", MAX: "Max"}.get(position.player, "Min"),
        "value": data_number(position.value),
        "distance": position.distance,
        "best": position.best,
        "moves": [
            {"move": edge.name, "to": edge.target, "quality": edge.quality}
            | ({} if edge.probability is None else {"probability": edge.probability})
            for edge in position.edges
        ],
    }
