"""Several observers of one search."""

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, cast

from gamesearch.algorithms.engine.result import Observer

__all__ = ["observe_together"]


def observe_together(*observers: Observer) -> Observer:
    """An observer that tells each of several every event."""

    def told_to_each(event: str) -> Callable[..., None]:
        methods = [getattr(each, event) for each in observers]

        def tell(*facts: Any) -> None:
            for method in methods:
                method(*facts)

        return tell

    events = (name for name in vars(Observer) if not name.startswith("_"))
    return cast(Observer, SimpleNamespace(**{event: told_to_each(event) for event in events}))
