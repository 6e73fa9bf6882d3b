"""A game's graph as a table, and as data."""

from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.algorithms.parts.formatting import data_number, plural, value_text
from gamesearch.game import CHANCE, MAX, Game
from gamesearch.registry import specification_of
from gamesearch.render.tables import plain_table
from gamesearch.solvers.positions import Position, PositionGraph

__all__ = ["GraphView", "graph_data"]


class GraphView:
    """Every position with whose turn it is, its value, how far the end is, and the best moves."""

    def __init__(self, graph: PositionGraph, only_ascii: bool = False) -> None:
        self.graph, self.only_ascii = graph, only_ascii

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table, and what it is of."""
        graph = self.graph
        table = plain_table()
        table.add_column("position", no_wrap=True)
        table.add_column("player", no_wrap=True)
        table.add_column("value", justify="right", no_wrap=True, style="bold")
        table.add_column("distance", justify="right", no_wrap=True)
        table.add_column("best moves", style="bold")
        for position in graph.positions:
            table.add_row(*map(Text, self.cells(position, self.only_ascii or options.ascii_only)))
        yield table
        yield Text()
        counts = [plural(len(graph.positions), "position"), plural(graph.moves, "move")]
        yield Text(", ".join([*counts, plural(graph.starts, "start")]), style="dim")

    def cells(self, position: Position, only_ascii: bool) -> list[str]:
        """The row of a position."""
        game = self.graph.game
        value = value_text(position.value, signed=game.win_or_loss, only_ascii=only_ascii)
        distance = "" if position.distance is None else str(position.distance)
        return [
            game.format(position.state), turn_name(game, position.player), value, distance, "  ".join(position.best)
        ]  # fmt: skip


def turn_name(game: Game[Any], player: int | None) -> str:
    """Whose turn it is, in a word."""
    return "end" if player is None else game.player_name(player)


def graph_data(graph: PositionGraph) -> dict[str, Any]:
    """The graph as JSON says it; a position is called by its place in the list."""
    return {
        "game": specification_of(graph.game),
        "starts": list(range(graph.starts)),
        "positions": [position_data(graph.game, position) for position in graph.positions],
    }


def position_data(game: Game[Any], position: Position) -> dict[str, Any]:
    """A position as JSON says it."""
    sides = {None: "end", CHANCE: "chance", MAX: "Max"}
    return {
        "position": game.format(position.state),
        "player": sides.get(position.player, "Min"),
        "value": data_number(position.value),
        "distance": position.distance,
        "best": position.best,
        "moves": [
            {"move": edge.name, "to": edge.target, "quality": edge.quality}
            | ({} if edge.probability is None else {"probability": edge.probability})
            for edge in position.edges
        ],
    }
