"""Objects that their specification stands for: equal where it is, copied and pickled by it."""

import inspect
from collections.abc import Callable
from typing import Any, ClassVar, Self

__all__ = ["Specified", "same"]

MISSING = object()


class Specified:
    """Something that is made of the parameters of its constructor, and of what was assigned to it since.

    Two are equal where they are of one class and all their numbers, texts, tuples and arrays are. A
    pickle holds the class and the parameters, so that it is built anew, and whatever else is derived
    from them with it, where it is read; and beside these only the attributes that were changed since.
    """

    __slots__ = ("__dict__", "__weakref__", "_compiled_form_")  # the last is kept by the compiler, and never copied

    tunable: ClassVar[tuple[str, ...]] = ()
    """The attributes with numbers to be tuned: tuples or arrays of floats that compiled code reads at run
    time, so that others need no other code."""
    load_class: ClassVar[Callable[[], type] | None] = None
    """What gives the class in another process, where its module cannot be imported by its name."""

    def parameters(self) -> dict[str, Any]:
        """The constructor's arguments that make this again; by default the attributes so called."""
        return {
            name: getattr(self, name)
            for name, parameter in inspect.signature(type(self)).parameters.items()
            if hasattr(self, name) and parameter.kind is not parameter.VAR_KEYWORD
        }

    def tuned(self) -> dict[str, Any]:
        """The tunable attributes that are not as the constructor leaves them."""
        changed = self._changes()
        return {name: changed[name] for name in self.tunable if name in changed}

    def _changes(self) -> dict[str, Any]:
        """The numbers, texts, tuples and arrays that were assigned since it was made.

        Raises TypeError where the parameters do not make it again.
        """
        fresh = type(self)(**self.parameters())
        return {
            name: value
            for name, value in vars(self).items()
            if is_plain(value) and not same(value, getattr(fresh, name, MISSING))
        }

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Specified) or type(self) is not type(other):
            return self is other
        mine, yours = ({name: x for name, x in vars(each).items() if is_plain(x)} for each in (self, other))
        return mine.keys() == yours.keys() and all(same(value, yours[name]) for name, value in mine.items())

    def __hash__(self) -> int:
        return hash(type(self))  # attributes may be assigned

    def __copy__(self) -> Self:
        return restored(type(self), None, vars(self))  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        make = vars(type(self)).get("load_class") or type(self)
        try:
            return restored, (make, self.parameters(), self._changes())
        except TypeError:  # a constructor whose arguments are not kept
            return restored, (make, None, vars(self).copy())


def restored(make: Any, parameters: dict[str, Any] | None, changes: dict[str, Any]) -> Any:
    """The object that was pickled: built from its parameters, or of its attributes alone."""
    cls: Any = make if isinstance(make, type) else make()
    again = cls.__new__(cls) if parameters is None else cls(**parameters)
    vars(again).update(changes)
    return again


def is_plain(value: Any) -> bool:
    """Whether a value is a number, a text, an array, another such object, or a tuple of these."""
    if isinstance(value, tuple):
        return all(map(is_plain, value))
    return isinstance(value, bool | int | float | str | Specified | None) or hasattr(value, "tobytes")


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are the same to every rule that reads them."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple):
        return len(one) == len(other) and all(map(same, one, other))
    if hasattr(one, "tobytes"):
        return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    return bool(one == other)
