"""Parse lines that people type during a game: moves and commands."""

import contextlib
import difflib
import re
import textwrap
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from gamesearch.errors import GamesearchError
from gamesearch.game import Game
from gamesearch.specification import near

__all__ = ["COMMANDS", "Line", "completions", "read_command", "read_line", "read_move"]

COMMANDS = {
    "moves": "list the legal moves",
    "hint": "show the best move, even if the computer plays at a low level",
    "undo": "take back your last move and the replies",
    "redo": "play again the moves that undo took back",
    "board": "show the board again",
    "flip": "turn the board around",
    "swap": "change sides with the computer",
    "save FILE": "save the game; save! FILE also replaces an existing file",
    "load FILE": "leave this game, and continue a saved game",
    "new": "begin a new game",
    "resign": "resign the game (in a match of several games: the whole match)",
    "quit": "leave the game; it is saved if you play in a terminal window",
    "help": "show this list (or type ?)",
}
"""The commands and their descriptions."""
SYNONYMS = {"?": "help", "q": "quit", "exit": "quit"}
WITH_FILE = ("save", "save!", "load")
NAMES = tuple(dict.fromkeys((*(usage.split()[0] for usage in COMMANDS), *WITH_FILE, *SYNONYMS)))
LONGEST = 60  # the length in characters to which typed text is cut; every move is shorter


@dataclass(frozen=True)
class Line:
    """The meaning of a typed line: a move, or a command and its argument."""

    move: int | None = None
    command: str = ""
    argument: str = ""


def read_line(game: Game, s: Any, text: str) -> Line:
    """Parse a typed line as a move or a command; raises GamesearchError, with a suggestion, if it is neither."""
    command = read_command(text)
    if command is not None:
        return command
    shortened = textwrap.shorten(text, LONGEST, placeholder="...")
    try:
        return Line(read_move(game, s, shortened))
    except GamesearchError as error:
        names = {game.move_name(s, m): m for m in game.steps(s)}
        raise GamesearchError(add_suggestion(str(error), shortened, names)) from None


def read_move(game: Game, s: Any, text: str) -> int:
    """Parse a legal move, or the beginning of exactly one legal move; raises GamesearchError for anything else."""
    for form in ways_to_write(text):
        with contextlib.suppress(GamesearchError):
            return game.parse_move(s, form)
    names = {game.move_name(s, m): m for m in game.steps(s)}
    begun = [name for name in names if name.casefold().startswith(text.casefold())]
    # `a1` is not an abbreviation of `a10`.
    if len(begun) == 1 and text and not (text[-1].isdigit() and begun[0][len(text) : len(text) + 1].isdigit()):
        return names[begun[0]]
    return game.parse_move(s, text)  # this raises an error that explains what is wrong


def read_command(text: str) -> Line | None:
    """Parse a command. Returns None if the text is not a command. Commands do not depend on the position."""
    word, _, rest = text.strip().partition(" ")
    command, argument = SYNONYMS.get(word.casefold(), word.casefold()), rest.strip()
    if command in WITH_FILE:
        is_quoted = len(argument) > 1 and argument[0] in "\"'" and argument[-1] == argument[0]
        return Line(command=command, argument=argument[1:-1] if is_quoted else argument)
    return Line(command=command) if command in NAMES and not argument else None


def ways_to_write(text: str) -> Iterator[str]:
    """Yield spellings of a typed move. The first is unchanged. The second has no number and no annotation. The others
    differ in a capital letter, a hyphen or the word `to`. For example, `1. e4` is read as `e4`, `11-15!` as `11-15`,
    `e2 to e4` as `e2-e4`, and `ng1-f3` as `Ng1f3`."""
    yield text
    plain = re.sub(r"^\s*\d+\s*\.+(?:\s+(?=\S)|(?=[^\d\s]))", "", text)
    plain = re.sub(r"\s*[!?]+\s*$", "", plain)
    yield plain
    yield plain[:1].upper() + re.sub(r"(?<=[a-z]\d)-(?=[a-z]\d)", "", plain[1:])
    if re.search(r"\bto\b", plain):
        yield re.sub(r"\s*\bto\b\s*", "-", plain)
        yield re.sub(r"\s*\bto\b\s*", "", plain)


def add_suggestion(sentence: str, text: str, names: dict[str, int]) -> str:
    """Add suggestions to an error message: similar commands, and also similar moves if the game does not explain the
    error."""
    is_bare = sentence.endswith("is not a legal move here")
    moves = near(text, names, 3) if is_bare else []
    commands = difflib.get_close_matches(text.casefold(), [name for name in NAMES if name.isalpha()], 1, 0.7)
    meant = list(dict.fromkeys(moves + commands))
    if meant:
        return f"{sentence.partition(':')[0]}: did you mean {' or '.join(meant)}?"
    return f"{sentence}: 'moves' lists the legal moves, '?' the commands" if is_bare else sentence


def completions(game: Game, s: Any, text: str) -> list[str]:
    """The names of legal moves and of commands that begin with a text."""
    moves = [] if game.terminal(s) else [game.move_name(s, m) for m in game.steps(s)]
    names = [*moves, *(name for name in NAMES if name.isalpha())]
    return [name for name in names if name.casefold().startswith(text.casefold())]
