"""Records: named fields of fixed sizes that interpreted and compiled kernels read and write.

For interpreted kernels, a record is a plain object with numbers and lists. For compiled kernels, a record is a NumPy
record with the same field names. Numba passes it by reference. So the same expression, such as `counts.nodes`, works in
both forms of a kernel.
"""

from functools import partial
from typing import Any, ClassVar, NamedTuple

__all__ = ["Field", "Record", "RecordHandle", "Rows", "float_field", "integer_field"]


class Field(NamedTuple):
    """A field of a record: a number, or an array if it has a shape."""

    kind: str
    """The NumPy type, such as `i8`."""
    shape: tuple[int, ...]

    def zero(self) -> Any:
        """The initial value of the field in a plain Python object: 0, or lists of zeros."""
        value: Any = 0.0 if self.kind[0] == "f" else 0
        for size in reversed(self.shape):
            value = [list(value) for _ in range(size)] if isinstance(value, list) else [value] * size
        return value


def integer_field(*shape: int, size: int = 8) -> Any:
    """A field of integers. Each integer has `size` bytes."""
    return Field(f"i{size}", shape)


def float_field(*shape: int) -> Any:
    """A field of floats."""
    return Field("f8", shape)


class Record:
    """The base class of records. A subclass defines the fields of a record, and interpreted kernels use its
    instances."""

    FIELDS: ClassVar[dict[str, Field]] = {}
    LAYOUT: ClassVar[Any] = None

    def __init_subclass__(cls) -> None:
        """Collect the fields of the record, and remove them from the class, because class attributes would slow down
        instances."""
        own = {name: field for name, field in vars(cls).items() if isinstance(field, Field)}
        cls.FIELDS, cls.LAYOUT = {**cls.FIELDS, **own}, None
        has_shape = [bool(field.shape) for field in cls.FIELDS.values()]
        assert has_shape == sorted(has_shape), "single numbers must come before arrays (see RecordHandle)"
        for name in own:
            delattr(cls, name)

    def __init__(self) -> None:
        for name, field in self.FIELDS.items():
            setattr(self, name, field.zero())

    @classmethod
    def layout(cls) -> Any:
        """The NumPy type of the record. The result is always the same object, because Numba takes a long time for each
        new type object."""
        if cls.LAYOUT is None:
            import numpy as np

            cls.LAYOUT = np.dtype([(name, field.kind, field.shape) for name, field in cls.FIELDS.items()])
        return cls.LAYOUT

    @classmethod
    def rows(cls, length: int) -> Any:
        """An array of records in which all fields are 0."""
        import numpy as np

        return np.zeros(length, cls.layout())


class Rows:
    """An array of records for interpreted kernels, which is faster than an array of NumPy records."""

    def __init__(self, array: Any) -> None:
        self.columns = {name: array[name] for name in array.dtype.names}
        self.length = len(array)

    def __len__(self) -> int:
        return self.length

    def __getitem__(self, place: int) -> "Row":
        return Row(self.columns, place)


class Row:
    """One record of `Rows`."""

    __slots__ = ("_columns", "_place")

    def __init__(self, columns: dict[str, Any], place: int) -> None:
        object.__setattr__(self, "_columns", columns)
        object.__setattr__(self, "_place", place)

    def __getattr__(self, name: str) -> Any:
        return self._columns[name].item(self._place)

    def __setattr__(self, name: str, value: float) -> None:
        self._columns[name][self._place] = value


class RecordHandle:
    """A record, with methods to read and write it outside of kernels.

    The attribute `record` is passed to kernels. Other code uses the attributes of `fields`, or the faster methods
    `read` and `write`. The fields that are single numbers come before the fields that are arrays. So a compiled record
    can be read as a plain array that begins with these numbers. `fields` is not passed to kernels, because Numba would
    look up an attribute at each call.
    """

    def __init__(self, kind: type[Record], is_compiled: bool) -> None:
        kinds = {name: field.kind for name, field in kind.FIELDS.items() if not field.shape}
        self.names = list(kinds)
        self.words: Any = None
        if not is_compiled:
            self.record: Any = kind()
            self.fields: Any = self.record
            self.readers = {name: partial(getattr, self.record, name) for name in kinds}
            return
        import numpy as np

        array = kind.rows(1)
        self.record, self.fields = array[0], array.view(np.recarray)[0]
        views = {word: array.view(word)[: len(kinds)] for word in ("i8", "f8")}
        self.words = views["i8"]
        self.places = {name: (views[word], place) for place, (name, word) in enumerate(kinds.items())}
        self.readers = {name: partial(words.item, place) for name, (words, place) in self.places.items()}

    def write(self, **values: float) -> None:
        """Set fields that are single numbers."""
        for name, value in values.items():
            if self.words is None:
                setattr(self.record, name, value)
            else:
                words, place = self.places[name]
                words[place] = value

    def read(self, name: str) -> Any:
        """Read a field, which must be a single number."""
        return self.readers[name]()

    def numbers(self) -> dict[str, Any]:
        """The names and values of all fields that are single numbers."""
        return {name: read() for name, read in self.readers.items()}

    def clear(self) -> None:
        """Set all fields that are single numbers to 0."""
        if self.words is None:
            self.write(**dict.fromkeys(self.names, 0))
        else:
            self.words.fill(0)
