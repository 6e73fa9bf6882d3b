"""What files of learned patterns and of learned networks have in common: their numbers are in one compressed table."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from gamesearch.errors import GamesearchError
from gamesearch.learned.weights_files import Beaten, read_fields, text_by_parts
from gamesearch.learned.weights_table import packed_weights, refuse_no_unit, unpacked_weights

__all__ = ["PackedWeights"]


@dataclass(frozen=True, kw_only=True)
class PackedWeights:
    """What a file holds; a subclass adds what the weights are of."""

    USUAL_UNIT: ClassVar[float]
    """The unit of weights that are not too great for it."""

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
        data = read_fields(name, path)
        try:
            data |= cls.own_fields(data)
            data["parameters"] = dict(data["parameters"])
            data["beat"] = tuple(Beaten(**each) for each in data["beat"])
            data["command"], data["games"] = str(data["command"]), int(data["games"])
            found = cls(**{each.name: data[each.name] for each in fields(cls)})
        except (KeyError, TypeError, ValueError, OverflowError):
            raise GamesearchError(f"{name} is no whole file of weights: a part of its header is missing") from None
        refuse_no_unit(name, found.unit, found.table)
        return found

    @classmethod
    def own_fields(cls, data: dict[str, Any]) -> dict[str, Any]:
        """What the weights are of, from the fields of a file; KeyError, TypeError or ValueError where it is not so."""
        raise NotImplementedError

    def text(self) -> str:
        """The text of the file, a line for each part."""
        return text_by_parts(self)

    def with_table(self, weights: Any) -> Self:
        """The same with other weights."""
        unit, table = packed_weights(weights, self.USUAL_UNIT)
        return replace(self, unit=unit, table=table)

    def weights(self, name: str, size: int) -> Any:
        """The weights, which are to be so many; raises GamesearchError where they are not."""
        return unpacked_weights(name, self.unit, self.table, size)
