"""Positions from standard input, a line each, and an answer to each as soon as there is one."""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from gamesearch.cli.messages import say, shortened
from gamesearch.errors import GamesearchError
from gamesearch.game import Game

__all__ = ["answer_lines", "lines_of_input", "print_json_error", "print_json_line", "text_of"]

Found = TypeVar("Found")
"""What is found of a position."""


def answer_lines(
    game: Game[Any],
    answer: Callable[[Game[Any], Any, list[Any]], tuple[Found, int]],
    show: Callable[[int, Found], None],
    show_error: Callable[[int, str], None] = lambda _, __: None,
) -> int:
    """Answer each line of standard input; the exit code.

    `answer` gives what was found of a position and its exit code, from the game, the state and those before it; `show`
    prints that, with the number of the line. A line that is no position is told on standard error, given to
    `show_error`, and makes the exit code 2; the others are answered.
    """
    code = 0
    for number, line in lines_of_input():
        try:
            text = text_of(line)
            played, state = game.setup(text)
            found, its_code = answer(played, state, played.positions_before(text))
        except GamesearchError as error:
            sentence = shortened(str(error))
            say(f"gamesearch: line {number}: {sentence}")
            show_error(number, sentence)
            code = 2
            continue
        show(number, found)
        if its_code == 130:
            return its_code
        code = max(code, its_code)
    return code


def print_json_line(number: int, data: dict[str, Any]) -> None:
    """Write data as a line of JSON, with the number of the line that they answer."""
    sys.stdout.write(json.dumps({"line_number": number} | data, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def print_json_error(number: int, sentence: str) -> None:
    """Write what is wrong with a line."""
    print_json_line(number, {"error": sentence})


def lines_of_input() -> Iterator[tuple[int, bytes]]:
    """Each line of standard input that is not blank, with its number, as soon as it is there; one there has to be."""
    number, has_lines = 0, False
    while line := sys.stdin.buffer.readline() if sys.stdin is not None else b"":
        number += 1
        if line.strip():
            has_lines = True
            yield number, line
    if not has_lines:
        raise GamesearchError("standard input is empty: it should hold a position on each line")


def text_of(line: bytes) -> str:
    """A line as text."""
    try:
        return line.decode().strip()
    except UnicodeDecodeError:
        raise GamesearchError("this is not text") from None
