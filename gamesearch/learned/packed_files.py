"""What files of learned patterns and of learned networks have in common: their numbers are in one compressed table.

These are whole numbers of 16 bits, compressed by zlib and written as text by base64; a weight is one times a unit.
"""

import base64
import binascii
import zlib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

import numpy as np

from gamesearch.errors import GamesearchError, refuse
from gamesearch.learned.weights_files import Beaten, parsed, text_by_parts

__all__ = ["PackedWeights"]

NUMBER = np.dtype("<i2")
LARGEST_NUMBER = 32767
LARGEST_UNIT = 1e9
"""Sums of weights in greater units could be too large for a float."""


@dataclass(frozen=True, kw_only=True)
class PackedWeights:
    """What a file holds; a subclass adds what the weights are of."""

    USUAL_UNIT: ClassVar[float]
    """The unit of weights that are not too great for it; a greater one is taken for others."""

    game: str
    parameters: dict[str, Any]
    unit: float = 1.0
    table: str = ""
    method: str
    games: int
    seed: int
    command: str = ""
    """What learned them."""
    beat: tuple[Beaten, ...] = ()

    @classmethod
    def parsed(cls, name: str, path: Path) -> Self:
        """What a file holds; raises GamesearchError where it is damaged, or something else."""
        found: Self = parsed(cls, name, path)
        is_unit = type(found.unit) in (int, float) and 0 < found.unit <= LARGEST_UNIT
        refuse(
            (not is_unit, f"{name} has a unit of {found.unit}, in which no weights are counted: learn them anew"),
            (not isinstance(found.table, str), f"{name} is no whole file of weights: its table is damaged"),
        )
        return found

    @classmethod
    def own_fields(cls, data: dict[str, Any]) -> dict[str, Any]:
        """What the weights are of, from the fields of a file; KeyError, TypeError or ValueError where it is not so."""
        return {"command": str(data["command"]), "games": int(data["games"])}

    def text(self) -> str:
        """The text of the file, a line for each part."""
        return text_by_parts(self)

    def with_table(self, weights: Any) -> Self:
        """The same with other weights."""
        unit = max(self.USUAL_UNIT, float(np.abs(weights).max()) / LARGEST_NUMBER)
        numbers = np.round(weights / unit).astype(NUMBER).tobytes()
        return replace(self, unit=unit, table=base64.b64encode(zlib.compress(numbers, 9)).decode())

    def weights(self, name: str, size: int) -> Any:
        """The weights, which are to be so many; raises GamesearchError where they are not."""
        try:
            unpacking, packed = zlib.decompressobj(), base64.b64decode(self.table, validate=True)
            data = unpacking.decompress(packed, NUMBER.itemsize * size + 1)  # and no more, whatever it claims to hold
        except (zlib.error, binascii.Error, ValueError):
            raise GamesearchError(f"{name} is no whole file of weights: its table is damaged") from None
        if len(data) != NUMBER.itemsize * size or not unpacking.eof:
            raise GamesearchError(f"{name} does not have {size:,} weights, as many as it needs: learn them anew")
        return self.unit * np.frombuffer(data, NUMBER).astype(np.float64)
