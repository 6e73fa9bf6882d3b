"""Reads game files in SGF and GGF, which consist of properties such as `B[ee]`.

SGF is specified in A. Hollosi's FF[4]. GGF is the format of Othello servers. A game in GGF is a single list of
properties.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from gamesearch.errors import GamesearchError

__all__ = ["Property", "PropertyGame", "property_games"]

NAME = re.compile(r"[A-Za-z]+")
BETWEEN = re.compile(r"\s+")
BEGIN = re.compile(r"\(\s*;")
OPENING = re.compile(r"\s*\[")


class Property(NamedTuple):
    """A property: its name, its values, and the number of the line in which it begins."""

    name: str
    values: tuple[str, ...]
    line: int


@dataclass
class PropertyGame:
    """A game in SGF or GGF: the properties of each node of its main line."""

    number: int
    line: int
    nodes: list[list[Property]] = field(default_factory=list)

    def value(self, name: str) -> str:
        """The first value of a property of the first node; empty if the node does not have the property."""
        return next((each.values[0] for each in self.nodes[0] if each.name == name), "") if self.nodes else ""

    @property
    def tags(self) -> dict[str, str]:
        """The properties of the first node that have a single value. Players, event and date have the same names as in
        PGN."""
        names = {"PB": "Black", "PW": "White", "EV": "Event", "DT": "Date"}
        single = {each.name: each.values[0] for each in self.nodes[0] if len(each.values) == 1} if self.nodes else {}
        return {names.get(name, name): value for name, value in single.items() if value.strip()}

    @property
    def result(self) -> str:
        """The result as in PGN, with White's points first; `*` if the game contains no result."""
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

    def error(self, line: int, problem: str) -> GamesearchError:
        """Return an error whose message names the game and the line."""
        return GamesearchError(f"game {self.number}, line {line}: {problem}")


def property_games(text: str) -> Iterator[PropertyGame]:
    """Yield the games of a text in SGF or GGF. Only the first of several variations is read.

    Names of properties are returned in capitals. Older files write additional lower-case letters in these names. Such
    letters are dropped, so `SiZe[9]` becomes SZ. If a text cannot be read, raises GamesearchError with the number of
    the game and of the line.

    >>> [game.value("SZ") for game in property_games("(;SZ[9];B[ee](;W[cc])(;W[gg]))")]
    ['9']
    """
    place, line, number = 0, 1, 0
    while begin := BEGIN.search(text, place):
        number, line = number + 1, line + text.count("\n", place, begin.start())
        game = PropertyGame(number, line)
        place = read_tree(text, begin.start(), game)
        line += text.count("\n", begin.start(), place)
        yield game


def read_tree(text: str, place: int, game: PropertyGame) -> int:
    """Read the nodes of a game. `place` is the index of the opening parenthesis of the game. Returns the index after
    the game."""
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
    """Read the values in brackets at `place`; returns the values and the place after them. If a bracket is not closed,
    the tuple of values is empty."""
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
