"""The signature of all searches, with that of each game."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.render.tables import table_of_numbers
from gamesearch.render.view import view
from gamesearch.study.signature import Signature, whole

__all__ = ["signature_data", "signature_view"]


@view
def signature_view(parts: Sequence[Signature]) -> RenderResult:
    """A row for each game, and the signature of all."""
    rows = ((each.game, f"{each.searches}", f"{each.nodes:,}", each.digest) for each in parts)
    yield table_of_numbers("game", "searches", "nodes", "signature", rows=rows)
    yield Text()
    every = whole(parts)
    yield Text(f"signature {every.digest}: {every.searches} searches, {every.nodes:,} nodes")


def signature_data(parts: Sequence[Signature]) -> dict[str, Any]:
    """The same as JSON has it."""
    every = whole(parts)
    games = {each.game: {"searches": each.searches, "nodes": each.nodes, "signature": each.digest} for each in parts}
    return {"signature": every.digest, "searches": every.searches, "nodes": every.nodes, "games": games}
