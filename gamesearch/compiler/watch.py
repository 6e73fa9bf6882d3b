"""Notices that something which was read is another object now.

A compiled kernel asks before every search whether anything that its code was made from has been replaced, which may be
hundreds of names. So they are read as `operator.itemgetter` does, many in one call.
"""

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any

__all__ = ["Watch"]


class Watch:
    """What was read, by name or from objects, and what was found there."""

    def __init__(self) -> None:
        self.by_name: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = {}
        """The values of names, for each namespace that some were read from."""
        self.by_reader: dict[Callable[[Any], Any], tuple[list[Any], list[Any]]] = {}
        """The objects that were read by a function, and what it found."""
        self.comparisons: list[tuple[Callable[[Any], Iterable[Any]], Any, tuple[Any, ...]]] = []
        """A function, what to read by it, and what it gives as long as all is the same."""

    def add_name(self, names: Mapping[str, Any], name: str) -> None:
        """Watch a name of a namespace, whether it has a value or not."""
        if name in names:
            self.by_name.setdefault(id(names), (names, {}))[1][name] = names[name]
        else:
            self.add(names.get, name, None)

    def add(self, read: Callable[[Any], Any], at: Any, found: Any) -> None:
        """Watch what a function reads from an object."""
        places, values = self.by_reader.setdefault(read, ([], []))
        places.append(at)
        values.append(found)

    def begin(self) -> None:
        """Put all that was added into the form in which it is compared."""
        for names, values in self.by_name.values():
            first, *_ = values  # twice, because a getter of one name alone gives no tuple
            self.comparisons.append((operator.itemgetter(first, *values), names, (values[first], *values.values())))
        for reader, (places, found_there) in self.by_reader.items():
            self.comparisons.append((partial(map, reader), places, tuple(found_there)))

    def is_same(self) -> bool:
        """Whether everything is the object that was found."""
        try:
            for read, at, found in self.comparisons:
                if not all(map(operator.is_, read(at), found)):
                    return False
        except KeyError:  # a name was deleted
            return False
        return True
