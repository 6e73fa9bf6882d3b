"""The signature of all searches, with that of each game."""

from collections.abc import Sequence
from typing import Any

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from gamesearch.render.tables import table_of_numbers
from gamesearch.study.signature import Signature, whole

__all__ = ["SignatureView", "signature_data"]


class SignatureView:
    """A row for each game, and the signature of all."""

    def __init__(self, parts: Sequence[Signature]) -> None:
        self.parts = parts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Yield the table and the sum of it."""
        table = table_of_numbers("game", "searches", "nodes", "signature")
        for each in self.parts:
            table.add_row(each.game, f"{each.searches}", f"{each.nodes:,}", each.digest)
        yield table
        every = whole(self.parts)
        yield Text()
        yield Text(f"signature {every.digest}: {every.searches} searches, {every.nodes:,} nodes")


def signature_data(parts: Sequence[Signature]) -> dict[str, Any]:
    """The same as JSON has it."""
    every = whole(parts)
    games = {each.game: {"searches": each.searches, "nodes": each.nodes, "signature": each.digest} for each in parts}
    return {"signature": every.digest, "searches": every.searches, "nodes": every.nodes, "games": games}
