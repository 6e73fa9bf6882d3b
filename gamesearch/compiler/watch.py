"""Notices that something which was read is another object now.

A compiled kernel asks before every search whether anything that its code was made from has been replaced, which may be
hundreds of names. So they are read as `operator.itemgetter` does, many in one call; and tuples of what is equal to
nothing but itself, such as functions and classes, are compared as wholes, which takes a fifth of the time.
"""

import operator
from collections.abc import Callable, Iterable, Mapping
from functools import partial
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType, NoneType
from typing import Any

__all__ = ["Watch"]

Comparison = tuple[Callable[[Any], Iterable[Any]], Any, tuple[Any, ...]]
"""A function, what to read by it, and what it gives as long as all is the same."""
UNIQUE = (BuiltinFunctionType, CodeType, FunctionType, ModuleType, NoneType, classmethod, property, staticmethod, type)
"""Types of which nothing is equal to another thing, or only to code that does the same."""


class Watch:
    """What was read, by name or from objects, and what was found there."""

    def __init__(self) -> None:
        self.by_name: dict[int, tuple[Mapping[str, Any], dict[str, Any]]] = {}
        """The values of names, for each namespace that some were read from."""
        self.absent: dict[int, tuple[Mapping[str, Any], list[str]]] = {}
        """Names that had no value, for each namespace."""
        self.by_reader: dict[Callable[[Any], Any], tuple[list[Any], list[Any]]] = {}
        """The objects that were read by a function, and what it found."""
        self.wholes: list[Comparison] = []
        """Of what is UNIQUE."""
        self.comparisons: list[Comparison] = []
        """Of the rest: 1 is equal to True, but code that was compiled for the one is not right for the other."""

    def add_name(self, names: Mapping[str, Any], name: str) -> None:
        """Watch a name of a namespace, whether it has a value or not."""
        if name in names:
            self.by_name.setdefault(id(names), (names, {}))[1][name] = names[name]
        else:
            self.absent.setdefault(id(names), (names, []))[1].append(name)

    def add(self, read: Callable[[Any], Any], at: Any, found: Any) -> None:
        """Watch what a function reads from an object."""
        places, values = self.by_reader.setdefault(read, ([], []))
        places.append(at)
        values.append(found)

    def begin(self) -> None:
        """Put all that was added into the form in which it is compared."""
        for names, values in self.by_name.values():
            for among, are_unique in ((self.wholes, True), (self.comparisons, False)):
                chosen = [name for name, value in values.items() if isinstance(value, UNIQUE) is are_unique]
                if chosen:
                    chosen.append(chosen[0])  # because a getter of one name alone gives no tuple
                    among.append((operator.itemgetter(*chosen), names, tuple(values[name] for name in chosen)))
        for reader, (places, found_there) in self.by_reader.items():
            among = self.wholes if all(isinstance(each, UNIQUE) for each in found_there) else self.comparisons
            among.append((partial(map, reader), places, tuple(found_there)))

    def is_same(self) -> bool:
        """Whether everything is the object that was found."""
        try:
            for names, absent in self.absent.values():
                if not names.keys().isdisjoint(absent):
                    return False
            for read, at, found in self.wholes:
                if tuple(read(at)) != found:
                    return False
            for read, at, found in self.comparisons:
                if not all(map(operator.is_, read(at), found)):
                    return False
        except (KeyError, ValueError):  # a name was deleted, or stands for an array, which is compared to nothing else
            return False
        return True
