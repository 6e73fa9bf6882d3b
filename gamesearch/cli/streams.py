"""The standard streams of a command: what is written to standard error may be lost, and changes nothing else."""

import contextlib
import io
import sys
from typing import Any, TextIO

__all__ = ["OUTPUT", "protect_streams"]

OUTPUT = "standard output"


class Messages(io.FileIO):
    """Standard error: a full disk or a closed pipe is ignored, because messages are not part of the result."""

    def write(self, data: Any) -> int:
        """Write bytes, or lose them."""
        with contextlib.suppress(OSError):
            return super().write(data)
        return memoryview(data).nbytes


class Answers(io.FileIO):
    """Standard output: an error names it, because the system names no file."""

    def write(self, data: Any) -> int:
        """Write bytes; raises OSError with the name of the stream."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = OUTPUT
            raise


def protect_streams() -> None:
    """Replace the two output streams of the process; a closed one stays None."""
    if sys.stdout is not None:
        sys.stdout = like(sys.stdout, Answers)
    if sys.stderr is not None:
        sys.stderr = like(sys.stderr, Messages)


def like(stream: TextIO, kind: type[io.FileIO]) -> TextIO:
    """A stream to the same place, with the same encoding and buffering, that handles errors in its own way."""
    raw = kind(stream.fileno(), "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=bool(stream.line_buffering),
        write_through=getattr(stream, "write_through", False),
    )
