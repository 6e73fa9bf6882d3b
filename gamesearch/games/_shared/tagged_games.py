"""Splits the text of a PGN or PDN file into games with tags, and the moves of each game into tokens.

S. J. Edwards's PGN standard of 1994 specifies PGN; PDN uses the same syntax for draughts. The class of each game reads
the tokens as moves.
"""

import re
from collections.abc import Generator, Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from gamesearch.errors import GamesearchError

__all__ = ["PDN_RESULTS", "RESULTS", "TaggedGame", "tagged_games"]

TAG = re.compile(r'\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"((?:\\.|[^"\\])*)"\s*\]')
UNESCAPED_TAG = re.compile(r'\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"(.*)"\s*\]\s*')
"""Matches a tag that fills a line, even if its value contains quotes that no backslash precedes."""
WORD = re.compile(r"(?:[^\s{}();$]|(?<=[18])\([A-Z]\))+")
BRACE = re.compile(r"[{}]")
CAPTURE = re.compile(r"[a-h][1-8]?[x:]?[a-h][36]?[+#]?")
"""A move that may be an en passant capture."""
PASSING = re.compile(r"e\.?p\.?[+#]?")
"""The suffix of an en passant capture."""
GLYPH = re.compile(r"\$\d+")
NUMBER = re.compile(r"\d+(\.+|\u2026)|[1-9]\d{0,2}$|[.\u2026]+")
"""A move number such as `12.`, as a separate word or directly before the move."""
PRAISE = re.compile(r"[!?\u203c\u2047\u2048\u2049]+$")
EVALUATIONS = frozenset(
    ("=", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-", "-+", "\u00b1", "\u2213", "\u2a72", "\u2a71", "\u221e", "N")
)
"""Annotation symbols as separate words, such as = for an equal position and N for a novelty."""
LONGEST, MOST_MOVES = 100, 20_000
"""The greatest number of characters in a move, and the greatest number of moves in a game."""
RESULTS = {
    "1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2", "\u00bd-\u00bd": "1/2-1/2", "*": "*",
    "1\u20130": "1-0", "0\u20131": "0-1", "1/2\u20131/2": "1/2-1/2", "\u00bd\u2013\u00bd": "1/2-1/2",
}  # fmt: skip
"""The usual ways to write a result at the end of a game, each with its standard form."""
PDN_RESULTS = RESULTS | {"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2", "0-0": "*"}
"""The usual ways to write a result at the end of a game of draughts, each with its standard form. A result may be
points, such as 2-0 in international draughts."""


class Token(NamedTuple):
    """A word of the main line that should be a move, and the number of its line."""

    text: str
    line: int


@dataclass
class TaggedGame:
    """A game: its tags, and the tokens of its main line."""

    number: int
    """The number of the game in the file, from 1."""
    line: int
    """The first line of the game, from 1."""
    tags: dict[str, str] = field(default_factory=dict)
    moves: list[Token] = field(default_factory=list)
    results: Mapping[str, str] = field(default_factory=lambda: RESULTS)
    """For each spelling of a result, its standard form."""
    mark: str = ""
    """The result at the end of the moves; empty if no result is there."""
    has_moves_begun: bool = False
    """Whether the parser has read anything other than tags in this game."""

    @property
    def result(self) -> str:
        """The result in the tags, or else the result at the end of the moves, or else `*`."""
        tag = self.results.get(self.tags.get("Result", "").strip(), "*")
        return tag if tag != "*" else self.mark or "*"

    def error(self, line: int, problem: str) -> GamesearchError:
        """An error whose message names the game and the line."""
        return GamesearchError(f"game {self.number}, line {line}: {problem}")


class Splitter:
    """Splits the lines of a text into games."""

    def __init__(self, results: Mapping[str, str]) -> None:
        self.results = results
        self.game = TaggedGame(1, 1, results=results)
        self.line = 0
        self.lines: list[str] = []
        self.comment_line = 0
        """The first line of the current comment; 0 outside of comments."""
        self.has_end = False
        """Whether the current comment ends before another comment starts. If the current comment does not end, the next
        tag starts a new game."""
        self.variation_lines: list[int] = []
        """The number of the first line of each open variation."""
        self.is_after_blank = False

    def games(self, text: str) -> Iterator[TaggedGame]:
        """Yield each game of a text."""
        self.lines = lines = re.split(r"\r\n|[\n\r]", text.removeprefix("\ufeff").rstrip("\x1a"))
        for self.line, line in enumerate(lines, 1):
            if not line.strip():
                self.is_after_blank = True
            elif not line.startswith("%") or self.comment_line:
                yield from self.read_line(line)
                self.is_after_blank = False
        self.check_closed()
        yield from self.begin_game()

    def begin_game(self) -> Iterator[TaggedGame]:
        """Yield the current game unless it is empty, and start the next game."""
        if self.game.tags or self.game.has_moves_begun:
            yield self.game
            self.game = TaggedGame(self.game.number + 1, self.line, results=self.results)
        else:
            self.game.line = self.line

    def read_line(self, line: str) -> Iterator[TaggedGame]:
        """Read a line, and yield the games that end before this line or in it."""
        start = place = len(line) - len(line.lstrip())
        while place < len(line):
            if line[place] == "[" and (place == start or not self.game.has_moves_begun):
                tag = TAG.match(line, place) or (UNESCAPED_TAG.fullmatch(line, place) if place == start else None)
                if tag is not None and (not self.comment_line or (self.is_after_blank and not self.has_end)):
                    yield from self.read_tag(tag)
                    place = tag.end()
                    continue
            if self.comment_line:
                end = line.find("}", place)
                self.comment_line = self.comment_line if end < 0 else 0
                place = len(line) if end < 0 else end + 1
            elif line[place].isspace():
                place += 1
            elif line[place] == ";":
                return
            else:
                place = yield from self.read_token(line, place, is_first=place == start)

    def read_tag(self, tag: re.Match[str]) -> Iterator[TaggedGame]:
        """Read a tag. If a game ends before the tag, yield the game."""
        self.check_closed()
        if self.game.has_moves_begun or (self.is_after_blank and tag[1] in self.game.tags):
            yield from self.begin_game()
        elif not self.game.tags:
            self.game.line = self.line
        self.game.tags[tag[1]] = re.sub(r"\\(.)", r"\1", tag[2])

    def read_token(self, line: str, place: int, is_first: bool) -> Generator[TaggedGame, None, int]:
        """Read the token at a place of a line; returns the place after the token."""
        mark = line[place]
        if glyph := GLYPH.match(line, place):
            return glyph.end()
        if word := WORD.match(line, place):
            if not self.variation_lines:
                yield from self.read_word(word[0], is_first)
            return word.end()
        if mark == "{":
            self.comment_line = self.line
            self.has_end = self.next_brace(place + 1) == "}"
        elif mark == "(":
            self.variation_lines.append(self.line)
            self.game.has_moves_begun = True
        elif mark == ")" and self.variation_lines:
            self.variation_lines.pop()
        elif mark == ")":
            raise self.game.error(self.line, "')' has no matching '('")
        else:
            raise self.game.error(self.line, f"{mark!r} cannot be read")
        return place + 1

    def next_brace(self, place: int) -> str:
        """The first brace after a place of the current line, on the same line or a later line; empty if there is no
        brace."""
        for number in range(self.line - 1, len(self.lines)):
            if brace := BRACE.search(self.lines[number], place if number == self.line - 1 else 0):
                return brace[0]
        return ""

    def read_word(self, word: str, is_first: bool) -> Iterator[TaggedGame]:
        """Read a word of the main line: a result, the number of a move, a move, or a number and a move together."""
        number = NUMBER.match(word)
        begins_again = is_first and self.is_after_blank and number is not None and number[0] == "1."
        if self.game.mark or (begins_again and self.game.moves):
            yield from self.begin_game()
        if word.startswith("["):
            raise self.game.error(self.line, f'{word!r} is not the start of a tag, such as [White "Ann"]')
        if word in self.results:
            self.game.mark, self.game.has_moves_begun = self.results[word], True
            return
        if number is not None:
            word = word[number.end() :]
        word = PRAISE.sub("", word)
        self.game.has_moves_begun = True
        if self.game.moves and PASSING.fullmatch(word) and CAPTURE.fullmatch(self.game.moves[-1].text):
            self.game.moves[-1] = Token(self.game.moves[-1].text + word, self.game.moves[-1].line)
        elif word and word not in EVALUATIONS:
            if len(word) > LONGEST or len(self.game.moves) == MOST_MOVES:
                raise self.game.error(self.line, f"{word!r} is not a move: it is too long, or the game is too long")
            self.game.moves.append(Token(word, self.line))

    def check_closed(self) -> None:
        """Raise GamesearchError if a comment or variation is still open when the game ends."""
        if self.comment_line:
            raise self.game.error(self.comment_line, "the comment that begins here has no end")
        if self.variation_lines:
            raise self.game.error(self.variation_lines[-1], "the variation that begins here has no end")


def tagged_games(text: str, results: Mapping[str, str] = RESULTS) -> Iterator[TaggedGame]:
    """Yield the games of a text in PGN or PDN.

    A game ends at its result or at the tags of the next game. After a blank line, a game also ends before a tag whose
    name it already has, and before the move number 1. Comments and variations are skipped. If the text cannot be split,
    raises GamesearchError with the number of the game and of the line.

    >>> [(game.tags, [token.text for token in game.moves]) for game in tagged_games("1. e4 {good} e5 * 1. d4! *")]
    [({}, ['e4', 'e5']), ({}, ['d4'])]
    """
    return Splitter(results).games(text)
