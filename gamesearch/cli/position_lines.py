"""Positions from standard input, a line each, and a line of JSON for each as soon as it is answered."""

import json
import sys
from collections.abc import Callable, Iterator
from typing import Any

from gamesearch.cli.messages import say, shortened
from gamesearch.errors import GamesearchError
from gamesearch.game import Game

__all__ = ["answer_lines"]


def answer_lines(game: Game[Any], answer: Callable[[Game[Any], Any, list[Any]], tuple[dict[str, Any], int]]) -> int:
    """Answer each line of standard input; the exit code.

    `answer` gives the data of a position and its exit code, from the game, the state and those before it. A line that
    is no position has an object with its number and the error instead, is told on standard error, too, and makes the
    exit code 2; the others are answered.
    """
    code = 0
    has_lines = False
    for number, line in lines_of_input():
        has_lines = True
        try:
            text = text_of(line)
            played, state = game.setup(text)
            data, found = answer(played, state, played.positions_before(text))
        except GamesearchError as error:
            sentence = shortened(str(error))
            say(f"gamesearch: line {number}: {sentence}")
            data, found = {"line_number": number, "error": sentence}, 2
        sys.stdout.write(json.dumps({"line_number": number} | data, ensure_ascii=False) + "\n")
        sys.stdout.flush()
        if found == 130:
            return found
        code = max(code, found)
    if not has_lines:
        raise GamesearchError("standard input is empty: it should hold a position on each line")
    return code


def lines_of_input() -> Iterator[tuple[int, bytes]]:
    """Each line of standard input that is not blank, with its number, as soon as it is there."""
    number = 0
    while line := sys.stdin.buffer.readline() if sys.stdin is not None else b"":
        number += 1
        if line.strip():
            yield number, line


def text_of(line: bytes) -> str:
    """A line as text."""
    try:
        return line.decode().strip()
    except UnicodeDecodeError:
        raise GamesearchError("this is not text") from None
