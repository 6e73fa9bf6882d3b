"""Messages on standard error, and the standard streams.

A message that cannot be written is dropped. If results cannot be written, the error message names standard output.
"""

import codecs
import contextlib
import io
import json
import os
import sys
import textwrap
from typing import Any, TextIO

from gamesearch.support.escaping import terminal_text

__all__ = ["OUTPUT", "discard", "prepare_streams", "protect_streams", "say", "terminal_size"]


# Standard streams. --------------------------------------------------------------------------------
OUTPUT = "standard output"


class MessageFile(io.FileIO):
    """Standard error. If a write fails, the error is ignored, because messages are not part of the result."""

    def write(self, data: Any) -> int:
        """Write bytes; ignore errors of the operating system."""
        with contextlib.suppress(OSError):
            return super().write(data)
        return memoryview(data).nbytes


class OutputFile(io.FileIO):
    """Standard output. If writing fails, the error names this stream."""

    def write(self, data: Any) -> int:
        """Write bytes; raises OSError with the name of the stream."""
        try:
            return super().write(data)
        except OSError as error:
            error.filename = OUTPUT
            raise


def protect_streams() -> None:
    """Replace standard output by an OutputFile and standard error by a MessageFile; a closed stream stays None."""
    if sys.stdout is not None:
        sys.stdout = wrap_stream(sys.stdout, OutputFile)
    if sys.stderr is not None:
        sys.stderr = wrap_stream(sys.stderr, MessageFile)


def wrap_stream(stream: TextIO, kind: type[io.FileIO]) -> TextIO:
    """Return a new stream with the target, encoding and buffering of `stream`. The class `kind` handles its errors."""
    raw = kind(stream.fileno(), "w", closefd=False)
    return io.TextIOWrapper(
        io.BufferedWriter(raw),
        encoding=stream.encoding,
        errors=stream.errors,
        line_buffering=bool(stream.line_buffering),
        write_through=getattr(stream, "write_through", False),
    )


# Messages. -------------------------------------------------------------------------------------------
LEAST_COLUMNS = 20  # a terminal whose size is unknown may have 0 columns
ESCAPED = "gamesearch.escaped"  # the name of the error handler for characters that a stream cannot encode


def say(sentence: str) -> None:
    """Write a sentence to standard error; on a terminal, long sentences are wrapped between words.

    The sentence is written to `sys.stderr` directly. While Rich shows progress, it replaces this stream, and prints
    sentences above the progress. `click.echo` would bypass the replacement.
    """
    sentence = terminal_text(sentence)
    size = terminal_size(sys.stderr)
    if size and len(sentence) > (columns := max(size.columns, LEAST_COLUMNS)):
        sentence = textwrap.fill(sentence, columns, break_long_words=False, break_on_hyphens=False)
    if sys.stderr is not None:
        print(sentence, file=sys.stderr, flush=True)


def prepare_streams() -> None:
    """Let the standard streams accept any text in any locale, so that no character makes a command fail.

    Characters that the output encoding lacks are written as escape sequences, such as `\\u00fc`. Invalid bytes of the
    input become U+FFFD. If the encoding is ASCII, the input is read as UTF-8.
    """
    codecs.register_error(ESCAPED, escape_characters)
    for output in (sys.stdout, sys.stderr):
        if isinstance(output, io.TextIOWrapper):
            output.reconfigure(errors=ESCAPED)
    if isinstance(sys.stdin, io.TextIOWrapper):
        is_ascii = codecs.lookup(sys.stdin.encoding).name == "ascii"
        sys.stdin.reconfigure(encoding="utf-8" if is_ascii else sys.stdin.encoding, errors="replace")


def escape_characters(error: UnicodeError) -> tuple[str, int]:
    """Return escape sequences for the characters that cannot be encoded, and the index after these characters."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return json.dumps(error.object[error.start : error.end])[1:-1], error.end


def discard(stream: TextIO) -> None:
    """Discard all further output of a stream whose pipe was closed. Otherwise, Python would report an error at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def terminal_size(stream: TextIO | None) -> os.terminal_size | None:
    """Return the size of the terminal to which a stream writes; None if the stream is closed or not a terminal."""
    try:
        return None if stream is None else os.get_terminal_size(stream.fileno())
    except (OSError, ValueError):
        return None
