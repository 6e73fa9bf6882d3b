"""An event loop in a thread of its own, for libraries that work by asyncio.

python-chess's own thread keeps Python from ending while an engine hangs; this one does not.
"""

import asyncio
import concurrent.futures
import contextlib
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

__all__ = ["EventLoop"]

T = TypeVar("T")


class EventLoop:
    """A loop that runs until it is closed."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def begin(self, coroutine: Coroutine[Any, Any, T]) -> "concurrent.futures.Future[T]":
        """Let a coroutine run; what it will return."""
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop)

    def close(self) -> None:
        """End the loop, and what still runs in it."""

        async def cancel_all() -> None:
            others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
            for task in others:
                task.cancel()
            await asyncio.gather(*others, return_exceptions=True)

        with contextlib.suppress(TimeoutError, concurrent.futures.CancelledError):
            self.begin(cancel_all()).result(2)
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(2)
        if not self.thread.is_alive():
            self.loop.close()
