"""What everything on the whole screen of a terminal has in common: a line that is typed, and leaving in order."""

import asyncio
import signal

from textual.app import App

__all__ = ["FullScreen"]


class FullScreen(App[None]):
    """Ends with an exit code, whoever ends it; whoever derives from it takes what is typed."""

    ENABLE_COMMAND_PALETTE = False

    def __init__(self) -> None:
        super().__init__()
        self.failure: Exception | None = None
        """What went wrong, where something did; Textual would print a traceback."""

    def on_mount(self) -> None:
        """Leave in order when somebody else ends the process."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP) if hasattr(signal, "SIGHUP") else ():  # on POSIX
            asyncio.get_running_loop().add_signal_handler(number, self.action_leave, 128 + number)

    def action_leave(self, code: int) -> None:
        """Leave with an exit code."""
        self.exit(return_code=code)

    def entered(self, text: str) -> None:
        """Do what a line says, or an empty one."""
        raise NotImplementedError

    def _handle_exception(self, error: Exception) -> None:
        self.failure = error
        self.exit(return_code=2)
