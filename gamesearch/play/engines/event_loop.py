"""An event loop in a thread of its own, for libraries that work by asyncio.

python-chess's own thread keeps Python from ending while an engine hangs; this one does not.
"""

import asyncio
import concurrent.futures
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["EventLoop"]

T = TypeVar("T")


class EventLoop:
    """A loop that runs until it is closed."""

    def __init__(self) -> None:
        self.loop, self.is_closed = asyncio.new_event_loop(), asyncio.Event()
        self.thread = threading.Thread(target=self.run, daemon=True)
        self.thread.start()

    def run(self) -> None:
        """Run until it is closed, and then end what still runs in it."""
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:
            runner.run(self.is_closed.wait())

    def begin(self, coroutine: Coroutine[Any, Any, T]) -> "concurrent.futures.Future[T]":
        """Let a coroutine run; what it will return."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)

    def close(self) -> None:
        """End the loop."""
        self.loop.call_soon_threadsafe(self.is_closed.set)
        self.thread.join(2)
