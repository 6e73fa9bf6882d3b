"""Splits files of other programs into games: PGN, PDN, SGF and GGF. The class of each game reads the moves.

S. J. Edwards's PGN standard of 1994 specifies PGN: games have tags and moves. PDN uses the same syntax for draughts.
A. Hollosi's FF[4] specifies SGF: games consist of properties such as `B[ee]`. GGF is the format of Othello servers. A
game in GGF is a single list of properties.
"""

import re
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from gamesearch.errors import GamesearchError
from gamesearch.files.records import WINS, RecordedGame
from gamesearch.game import State

__all__ = [
    "PDN_RESULTS", "RESULTS", "FileGame", "Property", "PropertyGame", "TaggedGame", "property_games", "tagged_games",
]  # fmt: skip


@dataclass
class FileGame:
    """A game in a file of another program."""

    number: int
    """The number of the game in the file, from 1."""
    line: int
    """The number of the game's first line in the file, from 1."""
    tags: dict[str, str] = field(default_factory=dict)
    """The headers of the game, under the names that PGN uses."""
    tag_lines: dict[str, int] = field(default_factory=dict)
    """The number of the line of each header."""

    @property
    def result(self) -> str:
        """The result as in PGN, with White's points first; `*` if the file contains no result."""
        raise NotImplementedError

    def line_of(self, *names: str) -> int:
        """The line of the first header in `names` that the game has. If there is none, the first line of the game."""
        return next((self.tag_lines[name] for name in names if name in self.tag_lines), self.line)

    def error(self, line: int, problem: str) -> GamesearchError:
        """An error whose message names the game and the line."""
        return GamesearchError(f"game {self.number}, line {line}: {problem}")

    @contextmanager
    def at(self, line: int) -> Iterator[None]:
        """If the `with` block raises a GamesearchError, add the game and the line to the error message."""
        try:
            yield
        except GamesearchError as error:
            raise self.error(line, str(error)) from None

    def record_game(self, start: State, moves: Sequence[int], is_white_max: bool = True) -> RecordedGame[State]:
        """Make a RecordedGame from an initial position and the moves."""
        white = WINS.get(self.result)
        won = white if white is None or is_white_max else 1 - white
        return RecordedGame(start, moves, self.tags, won, self.number)


# PGN and PDN. ------------------------------------------------------------------------------------
TAG = re.compile(r'\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"((?:\\.|[^"\\])*)"\s*\]')
UNESCAPED_TAG = re.compile(r'\[\s*([A-Za-z0-9][\w+#=:-]*)\s+"(.*)"\s*\]\s*')
"""Matches a tag that fills a line, even if its value contains quotes without a backslash before them."""
WORD = re.compile(r"\*(?!\d)|(?:[^\s{}();$*]|\*(?=\d)|(?<=[18])\([A-Z]\))+")
"""Matches a word. The result `*` needs no space before it. In PDN, `9*14` is one word, a capture."""
BRACE = re.compile(r"[{}]")
CAPTURE = re.compile(r"[a-h][1-8]?[x:]?[a-h][36]?[+#]?")
"""Matches a move that may be an en passant capture."""
PASSING = re.compile(r"e\.?p\.?[+#]?")
"""Matches the suffix of an en passant capture."""
GLYPH = re.compile(r"\$\d+")
NUMBER = re.compile(r"\d+(\.+|\u2026)|[1-9]\d{0,2}$|[.\u2026]+")
"""Matches a move number such as `12.`, as a separate word or directly before the move."""
PRAISE = re.compile(r"[!?\u203c\u2047\u2048\u2049]+$")
EVALUATIONS = frozenset(
    ["=", "+=", "=+", "+/=", "=/+", "+/-", "-/+", "+-", "-+", "\u00b1", "\u2213", "\u2a72", "\u2a71", "\u221e"]
) | {"N", "D"}

"""Annotation symbols as separate words, such as = for an equal position, N for a novelty and D for a diagram."""
LONGEST, MOST_MOVES = 100, 20_000
"""The greatest number of characters in a move, and the greatest number of moves in a game."""
RESULTS = {
    "1-0": "1-0", "0-1": "0-1", "1/2-1/2": "1/2-1/2", "1/2": "1/2-1/2", "\u00bd-\u00bd": "1/2-1/2", "*": "*",
    "1\u20130": "1-0", "0\u20131": "0-1", "1/2\u20131/2": "1/2-1/2", "\u00bd\u2013\u00bd": "1/2-1/2",
}  # fmt: skip
"""The usual ways to write a result at the end of a game, and their standard forms."""
PDN_RESULTS = RESULTS | {"2-0": "1-0", "0-2": "0-1", "1-1": "1/2-1/2", "0-0": "*"}
"""The usual ways to write a result of draughts, and their standard forms. Some files write 2-0 or 0-2 for a win."""


class Token(NamedTuple):
    """A word of the main variation, with the number of the text line that contains it. The word should be a move."""

    text: str
    line: int


@dataclass
class TaggedGame(FileGame):
    """A game: its tags, and the tokens of its main line."""

    moves: list[Token] = field(default_factory=list)
    results: Mapping[str, str] = field(default_factory=lambda: RESULTS)
    """For each spelling of a result, its standard form."""
    mark: str = ""
    """The result at the end of the moves; empty if there is none."""
    has_moves_begun: bool = False
    """Whether the parser has read anything other than tags in this game."""

    @property
    def result(self) -> str:
        """The result in the tags, or else the result at the end of the moves, or else `*`."""
        tag = self.results.get(self.tags.get("Result", "").strip(), "*")
        return tag if tag != "*" else self.mark or "*"


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
        """Whether the current comment is closed before another comment starts. If the comment is not closed, a tag
        after a blank line belongs to the next game."""
        self.variation_lines: list[int] = []
        """For each open variation, the number of its first line."""
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
        """Read a tag. If the tag begins the next game, yield the finished game first."""
        self.check_closed()
        if self.game.has_moves_begun or (self.is_after_blank and tag[1] in self.game.tags):
            yield from self.begin_game()
        elif not self.game.tags:
            self.game.line = self.line
        self.game.tag_lines[tag[1]] = self.line
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
        """The next brace after a place in the current line. This brace may be in a later line. The result is empty if
        no brace follows."""
        for number in range(self.line - 1, len(self.lines)):
            if brace := BRACE.search(self.lines[number], place if number == self.line - 1 else 0):
                return brace[0]
        return ""

    def read_word(self, word: str, is_first: bool) -> Iterator[TaggedGame]:
        """Read a word of the main line. The word is a result, a move, the number of a move, or a number followed by a
        move."""
        number = NUMBER.match(word)
        is_beginning = word.startswith("[") or (number is not None and number[0] == "1.")
        begins_again = is_first and self.is_after_blank and is_beginning
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

    A game ends at its result or at the tags of the next game. A blank line also ends a game if the next line begins
    with the move number 1, or with a tag whose name already occurs in the game. Comments and variations are skipped. If
    the text cannot be split, raises GamesearchError with the number of the game and of the line.

    >>> [(game.tags, [token.text for token in game.moves]) for game in tagged_games("1. e4 {good} e5 * 1. d4! *")]
    [({}, ['e4', 'e5']), ({}, ['d4'])]
    """
    return Splitter(results).games(text)


# SGF and GGF. ------------------------------------------------------------------------------------
NAME = re.compile(r"[A-Za-z]+")
BETWEEN = re.compile(r"\s+")
BEGIN = re.compile(r"\(\s*;")
OPENING = re.compile(r"\s*\[")
TAG_NAMES = {"PB": "Black", "PW": "White", "EV": "Event", "DT": "Date"}
"""For each SGF property, the name of the PGN tag with the same meaning."""


class Property(NamedTuple):
    """A property: its name, its values, and the number of the line in which it begins."""

    name: str
    values: tuple[str, ...]
    line: int


@dataclass
class PropertyGame(FileGame):
    """A game in SGF or GGF: the properties of each node of its main line."""

    nodes: list[list[Property]] = field(default_factory=list)

    def value(self, name: str) -> str:
        """The first value of a property of the first node; empty if the node does not have the property."""
        return next((each.values[0] for each in self.nodes[0] if each.name == name), "") if self.nodes else ""

    @property
    def result(self) -> str:
        text = self.value("RE").strip().casefold()
        if re.match(r"(0(\.0+)?(:.*)?$|draw)", text):
            return "1/2-1/2"
        winner = re.match(r"([bw])\+|([+-])\d", text)
        if winner is None:
            return "*"
        return "0-1" if winner[1] == "b" or winner[2] == "+" else "1-0"

    @property
    def properties(self) -> list[Property]:
        """All properties of the main line, in order."""
        return [each for node in self.nodes for each in node]


def property_games(text: str) -> Iterator[PropertyGame]:
    """Yield the games of a text in SGF or GGF. Only the first of several variations is read.

    Names of properties are returned in capitals. Lower-case letters, which the names in older files contain, are
    dropped: `SiZe[9]` becomes SZ. If a text cannot be read, raises GamesearchError with the number of the game and of
    the line.

    >>> [game.value("SZ") for game in property_games("(;SZ[9];B[ee](;W[cc])(;W[gg]))")]
    ['9']
    """
    place, line, number = 0, 1, 0
    while begin := BEGIN.search(text, place):
        number, line = number + 1, line + text.count("\n", place, begin.start())
        game = PropertyGame(number, line)
        place = read_tree(text, begin.start(), game)
        single = [each for each in game.nodes[0] if len(each.values) == 1 and each.values[0].strip()]
        game.tags = {TAG_NAMES.get(each.name, each.name): each.values[0] for each in single}
        game.tag_lines = {each.name: each.line for each in single}
        line += text.count("\n", begin.start(), place)
        yield game


def read_tree(text: str, place: int, game: PropertyGame) -> int:
    """Read the nodes of a game, whose opening parenthesis is at index `place`. Returns the index after the closing
    parenthesis."""
    line, depth, is_main = game.line, 0, True
    while place < len(text):
        if space := BETWEEN.match(text, place):
            line += space[0].count("\n")
            place = space.end()
        elif (name := NAME.match(text, place)) and game.nodes:
            values, place = read_values(text, name.end())
            if not values:
                raise game.error(line, f"{name[0]!r} is not a property with a value, such as B[ee]")
            if is_main:
                capitals = "".join(letter for letter in name[0] if letter.isupper()) or name[0].upper()
                game.nodes[-1].append(Property(capitals, values, line))
            line += text.count("\n", name.start(), place)
        elif (each := text[place]) in "();":
            place += 1
            depth += {"(": 1, ")": -1, ";": 0}[each]
            is_main = is_main and each != ")"  # the main line ends after the first variation
            if depth == 0:
                return place
            if each == ";" and is_main:
                game.nodes.append([])
        else:
            raise game.error(line, f"{each!r} cannot be read")
    raise game.error(line, "the game has no end")


def read_values(text: str, place: int) -> tuple[tuple[str, ...], int]:
    """Returns the values in brackets at `place`, and the place after these values. If a bracket is not closed, returns
    no values."""
    values = list[str]()
    while bracket := OPENING.match(text, place):
        begin = end = bracket.end()
        while end < len(text) and text[end] != "]":
            end += 2 if text[end] == "\\" else 1
        if end >= len(text):
            return (), place
        values.append(re.sub(r"\\(.)", r"\1", text[begin:end], flags=re.DOTALL))
        place = end + 1
    return tuple(values), place
