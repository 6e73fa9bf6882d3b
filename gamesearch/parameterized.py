"""The base class of objects that are defined by the parameters of their constructor and by their attributes. The
parameters and attributes are used to compare, copy and pickle the objects."""

import functools
import inspect
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Self

__all__ = ["ParameterizedObject", "parameters_of", "same"]

MISSING = object()


signature_of = functools.lru_cache(maxsize=256)(inspect.signature)
"""`inspect.signature` with a cache, because inspecting a signature takes as long as a short search."""


def parameters_of(make: Any) -> Mapping[str, inspect.Parameter]:
    """The parameters of a class or function."""
    return signature_of(make).parameters


class ParameterizedObject:
    """Base class of objects that are defined by the arguments of their constructor. Their attributes may be changed
    later.

    Two objects are equal if they have the same class and all their numbers, strings, tuples and arrays are equal. A
    pickle contains the class, the parameters, and the attributes that were changed since construction. Loading the
    pickle calls the constructor and sets the changed attributes.
    """

    __slots__ = ("__dict__", "__weakref__", "_checked_", "_compiled_form_")  # the last two slots are never copied

    tunable: ClassVar[tuple[str, ...]] = ()
    """The names of attributes that compiled code reads at run time. Each attribute is a tuple or array of floats."""
    load_class: ClassVar[Callable[[], type] | None] = None
    """Some processes cannot import the module of the class. They call this function, which returns the class."""

    def parameters(self) -> dict[str, Any]:
        """The constructor arguments that make an object equal to this object. The default method takes the attributes
        with the same names as the parameters. A parameter that has the same name as a method is omitted."""
        return {
            name: getattr(self, name)
            for name, parameter in parameters_of(type(self)).items()
            if hasattr(self, name) and parameter.kind is not parameter.VAR_KEYWORD
            if not inspect.ismethod(getattr(self, name))
        }

    def tuned_attributes(self) -> dict[str, Any]:
        """The tunable attributes whose values were changed after the object was made."""
        fresh = self._fresh_copy() if self.tunable else None
        values = {name: getattr(self, name) for name in self.tunable}
        return {name: value for name, value in values.items() if not same(value, getattr(fresh, name, MISSING))}

    def _fresh_copy(self) -> Any:
        """A new object with the same parameters; None if the constructor fails or needs other arguments."""
        try:
            return type(self)(**self.parameters())
        except Exception:  # the parameters may be wrong, or not stored as attributes
            return None

    def _attributes(self) -> dict[str, Any]:
        """The attributes that were assigned, in the constructor or later."""
        slots = {name for cls in type(self).__mro__[:-1] for name in vars(cls).get("__slots__", ()) if name[0] != "_"}
        return vars(self) | {name: getattr(self, name) for name in slots if hasattr(self, name)}

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, ParameterizedObject) or type(self) is not type(other):
            return self is other
        names = self._attributes().keys() | other._attributes().keys()
        pairs = [(getattr(self, name, MISSING), getattr(other, name, MISSING)) for name in sorted(names)]
        return all(same(mine, yours) for mine, yours in pairs if is_plain(mine) or is_plain(yours))

    def __hash__(self) -> int:
        return hash(type(self))  # attributes may change

    def __copy__(self) -> Self:
        return restore(type(self), None, self._attributes())  # type: ignore[no-any-return]

    def __reduce__(self) -> tuple[Any, ...]:
        make = vars(type(self)).get("load_class") or type(self)
        fresh, attributes = self._fresh_copy(), self._attributes()
        if fresh is None:
            return restore, (make, None, attributes)
        changed = {name: x for name, x in attributes.items() if not same(x, getattr(fresh, name, MISSING))}
        return restore, (make, self.parameters(), {name: x for name, x in changed.items() if is_plain(x)})


def restore(make: Any, parameters: dict[str, Any] | None, changes: dict[str, Any]) -> Any:
    """The object that a pickle describes. If `parameters` is None, `changes` contains all attributes of the object."""
    cls: Any = make if isinstance(make, type) else make()
    again = cls.__new__(cls) if parameters is None else cls(**parameters)
    for name, value in changes.items():
        object.__setattr__(again, name, value)
    return again


def is_plain(value: Any) -> bool:
    """Whether a value is a number, a string, an array, a ParameterizedObject, None, or a collection of such values."""
    if isinstance(value, tuple | list | set | frozenset):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(map(is_plain, value)) and all(map(is_plain, value.values()))
    return isinstance(value, bool | int | float | complex | str | bytes | ParameterizedObject | None) or hasattr(
        value, "tobytes"
    )


def same(one: Any, other: Any) -> bool:
    """Compare two plain values (see `is_plain`): they must be equal and have the same type."""
    if type(one) is not type(other):
        return False
    if isinstance(one, tuple | list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(value, other[name]) for name, value in one.items())
    if hasattr(one, "tobytes"):
        return (one.dtype, one.shape, one.tobytes()) == (other.dtype, other.shape, other.tobytes())
    if isinstance(one, float | complex):
        return repr(one) == repr(other)  # so 0.0 differs from -0.0, and nan equals nan
    return bool(one == other)
