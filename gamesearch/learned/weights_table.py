"""Tables of weights in a file: whole numbers of 16 bits, compressed by zlib and written as text by base64.

Each weight is such a number times a unit.
"""

import base64
import binascii
import zlib
from typing import Any

import numpy as np

from gamesearch.errors import GamesearchError

__all__ = ["packed_weights", "refuse_no_unit", "unpacked_weights"]

NUMBER = np.dtype("<i2")
LARGEST_NUMBER = 32767
LARGEST_UNIT = 1e9
"""Sums of weights in greater units could be too large for a float."""


def packed_weights(weights: Any, usual_unit: float) -> tuple[float, str]:
    """The unit, which is greater than usual where a weight is too large for that, and the table."""
    unit = max(usual_unit, float(np.abs(weights).max()) / LARGEST_NUMBER)
    numbers = np.round(weights / unit).astype(NUMBER).tobytes()
    return unit, base64.b64encode(zlib.compress(numbers, 9)).decode()


def unpacked_weights(name: str, unit: float, table: str, size: int) -> Any:
    """The weights, which are to be so many; raises GamesearchError where they are not."""
    try:
        unpacking, packed = zlib.decompressobj(), base64.b64decode(table, validate=True)
        data = unpacking.decompress(packed, NUMBER.itemsize * size + 1)  # and no more, whatever it claims to hold
    except (zlib.error, binascii.Error, ValueError):
        raise GamesearchError(f"{name} is no whole file of weights: its table is damaged") from None
    if len(data) != NUMBER.itemsize * size or not unpacking.eof:
        raise GamesearchError(f"{name} does not have {size:,} weights, as many as it needs: learn them anew")
    return unit * np.frombuffer(data, NUMBER).astype(np.float64)


def refuse_no_unit(name: str, unit: Any, table: Any) -> None:
    """Raise GamesearchError where a file's unit is no number that weights can have, or its table no text."""
    if type(unit) not in (int, float) or not 0 < unit <= LARGEST_UNIT:
        raise GamesearchError(f"{name} has a unit of {unit}, in which no weights are counted: learn them anew")
    if not isinstance(table, str):
        raise GamesearchError(f"{name} is no whole file of weights: its table is damaged")
