"""The signature of all searches, with that of each game and of some algorithms."""

from collections.abc import Sequence
from typing import Any

from rich.console import RenderResult
from rich.text import Text

from gamesearch.render.tables import table_of_numbers, view
from gamesearch.study.signature import Signature, whole

__all__ = ["signature_data", "signature_view"]


@view
def signature_view(parts: Sequence[Signature]) -> RenderResult:
    """A row for each game, one for each algorithm that has its own, and the signature of all."""
    rows = ((each.name, f"{each.searches}", f"{each.nodes:,}", each.digest) for each in parts)
    yield table_of_numbers("game or algorithm", "searches", "nodes", "signature", rows=rows)
    yield Text()
    every = whole(parts)
    yield Text(f"signature {every.digest}: {every.searches} searches, {every.nodes:,} nodes")


def signature_data(parts: Sequence[Signature]) -> dict[str, Any]:
    """The same as JSON has it."""
    every = whole(parts)
    return data_of(every) | {
        "games": {each.name: data_of(each) for each in parts if not each.is_algorithm},
        "algorithms": {each.name: data_of(each) for each in parts if each.is_algorithm},
    }


def data_of(each: Signature) -> dict[str, Any]:
    """One signature as JSON has it."""
    return {"signature": each.digest, "searches": each.searches, "nodes": each.nodes}
