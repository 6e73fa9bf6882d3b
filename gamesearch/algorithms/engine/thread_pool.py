"""Threads that run kernels, while the calling thread watches the clock and Ctrl-C."""

import os
import queue
import threading
from collections.abc import Callable

from gamesearch.support.interrupts import SEARCH

__all__ = ["IDLE", "STACK_BYTES", "DoneFlag", "SearchThreads", "search_threads", "start_thread"]

IDLE = "gamesearch idle"
"""The name of a thread that waits for a search."""
STACK_BYTES = 64 << 20
"""The stack size of a thread that runs kernels, which is enough for MAX_PLY compiled frames."""


class DoneFlag:
    """A flag that is set when a task is done. Another thread can wait until it is set.

    DoneFlag replaces `threading.Event`. If Ctrl-C interrupts `wait`, an Event may stay locked, so that it can no longer
    be set. The attribute `is_set` of a DoneFlag shows that the task is done; the lock only lets the waiting thread
    sleep.
    """

    def __init__(self) -> None:
        self.is_set = False
        self.lock = threading.Lock()
        self.lock.acquire()

    def set(self) -> None:
        """Mark the task as done. Call this only once."""
        self.is_set = True
        self.lock.release()

    def wait(self, seconds: float) -> None:
        """Wait until the task is done, but at most `seconds` seconds."""
        if not self.is_set:
            self.lock.acquire(timeout=seconds)


class SearchThreads:
    """Threads that are kept and used again, because starting a new thread takes as long as a short search.

    One thread is always idle: if the last idle thread takes a task, it starts another thread. So a caller only puts its
    task into the queue. Ctrl-C cannot interrupt this single step.
    """

    def __init__(self) -> None:
        self.tasks: queue.SimpleQueue[tuple[Callable[[], object], DoneFlag]] = queue.SimpleQueue()
        self.lock = threading.Lock()
        self.waiting = 0
        self.has_begun = False

    def run(self, task: Callable[[], object]) -> DoneFlag:
        """Run a task, which must not raise an exception. The returned flag is set when the task is done."""
        if not self.has_begun:
            start_thread(self.work, IDLE)
            self.has_begun = True  # Ctrl-C before this line only causes an additional thread
        done = DoneFlag()
        self.tasks.put((task, done))
        return done

    def work(self) -> None:
        """Run tasks from the queue."""
        thread = threading.current_thread()
        self.wait_on()
        while True:
            task, done = self.tasks.get()
            with self.lock:
                self.waiting -= 1
                was_last = self.waiting == 0
            if was_last:
                start_thread(self.work, IDLE)
            thread.name = SEARCH
            task()
            thread.name = IDLE
            self.wait_on()
            done.set()
            del task, done  # references would keep the searched objects alive

    def wait_on(self) -> None:
        """Increase the number of waiting threads by one."""
        with self.lock:
            self.waiting += 1


def start_thread(work: Callable[[], None], name: str = SEARCH) -> threading.Thread:
    """Start a thread with a stack that is large enough for kernels."""
    thread = threading.Thread(target=work, name=name, daemon=True)
    before = threading.stack_size(STACK_BYTES)
    try:
        thread.start()
    finally:
        threading.stack_size(before)
    return thread


search_threads = SearchThreads()
"""The threads that run the kernels of this process."""
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=search_threads.__init__)  # type: ignore[misc]  # a forked child has no threads
