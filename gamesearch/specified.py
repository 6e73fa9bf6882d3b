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

    __slots__ = ("__dict__", "__weakref__", "_checked_", "_compiled_form_")  # the last two are never copied

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
        fresh = self._anew()
        values = {name: getattr(self, name) for name in self.tunable}
        return {name: value for name, value in values.items() if not same(value, getattr(fresh, name, MISSING))}

    def _anew(self) -> Any:
        """Another one made of the same parameters; None where they do not suffice, or are refused."""
        try:
            return type(self)(**self.parameters())
        except Exception:  # of a constructor that checks them, or whose arguments are not kept
            return None

    def _attributes(self) -> dict[str, Any]:
        """What was assigned to it, in the constructor or later."""
        slots = {name for cls in type(self).__mro__[:-1] for name in vars(cls).get("__slots__", ()) if name[0] != "_"}
        return vars(self) | {name: getattr(self, name) for name in slots if hasattr(self, name)}

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Specified) or type(self) is not type(other):
            return self is other
        names = self._attributes().keys() | other._attributes().keys()
        pairs = [(getattr(self, name, MISSING), getattr(other, name, MISSING)) for name in sorted(names)]
        return all(same(mine, yours) for mine, yours in pairs if is_plain(mine) or is_plain(yours))

    def __hash__(self) -> int:
        return hash(type(self))  # attributes may be assigned

    def __copy__(self) -> Self:
        return restored(type(self), None, self._attributes())  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        make = vars(type(self)).get("load_class") or type(self)
        fresh, attributes = self._anew(), self._attributes()
        if fresh is None:
            return restored, (make, None, attributes)
        changed = {name: x for name, x in attributes.items() if not same(x, getattr(fresh, name, MISSING))}
        return restored, (make, self.parameters(), {name: x for name, x in changed.items() if is_plain(x)})


def restored(make: Any, parameters: dict[str, Any] | None, changes: dict[str, Any]) -> Any:
    """The object that was pickled: built from its parameters, or of its attributes alone."""
    cls: Any = make if isinstance(make, type) else make()
    again = cls.__new__(cls) if parameters is None else cls(**parameters)
    for name, value in changes.items():
        object.__setattr__(again, name, value)
    return again


def is_plain(value: Any) -> bool:
    """Whether a value is a number, a text, an array, another such object, or a collection of these."""
    if isinstance(value, tuple | list | set | frozenset):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(map(is_plain, value)) and all(map(is_plain, value.values()))
    return isinstance(value, bool | int | float | complex | str | bytes | Specified | None) or hasattr(value, "tobytes")


def same(one: Any, other: Any) -> bool:
    """Whether two plain values are the same to every rule that reads them."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if hasattr(one, "tobytes"):
        return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    if isinstance(one, float | complex):
        return repr(one) == repr(other)  # which tells 0.0 from -0.0, and one nan not from another
    return bool(one == other)
