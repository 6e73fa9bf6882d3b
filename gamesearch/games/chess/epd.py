"""Splitting positions of chess in FEN and EPD into their fields and operations; nothing is checked here.

EPD is specified in S. J. Edwards's PGN standard of 1994, section 16.2.
"""

import re
from collections.abc import Iterator

from gamesearch.errors import GamesearchError

__all__ = ["operations_of", "split_epd"]

OPERATION = re.compile(r'\s*([A-Za-z]\w*)\s*((?:"[^"]*"|[^;"])*)(;|$)')
UNCLOSED = ("am", "bm", "dm", "id", "c0", "ce", "pv", "hmvc", "fmvn")
"""The operations whose semicolon is often left out at the end of a line."""
FIELDS = 4
"""Board, side to move, castling rights and en passant square; FEN adds the clocks."""


def split_epd(text: str) -> tuple[list[str], dict[str, str]]:
    """The fields of a FEN and the operations after it, if there are any.

    The clocks of the operations `hmvc` and `fmvn` replace the clocks of the FEN. Raises GamesearchError for unreadable
    operations.

    >>> split_epd('4k3/8/8/8/8/8/8/4KR2 w - - bm Rf8+; hmvc 7;')
    (['4k3/8/8/8/8/8/8/4KR2', 'w', '-', '-', '7', '1'], {'bm': 'Rf8+', 'hmvc': '7'})
    """
    if len(text.split()) == 1:  # as in addresses of web pages
        text = text.replace("_", " ")
    words = list(re.finditer(r"\S+", text))
    fields = [word[0] for word in words[:FIELDS]]
    rest = words[FIELDS:]
    while rest and re.match(r"[\d+-]", rest[0][0]):
        fields.append(rest.pop(0)[0])
    operations = dict(operations_of(text[rest[0].start() :])) if rest else {}
    if "hmvc" in operations or "fmvn" in operations:
        clocks = fields[FIELDS:] if len(fields) > FIELDS + 1 else ["0", "1"]
        clocks[-2:] = [operations.get("hmvc", clocks[-2]), operations.get("fmvn", clocks[-1])]
        fields[FIELDS:] = clocks
    return fields, operations


def operations_of(text: str) -> Iterator[tuple[str, str]]:
    """Yield the operations of EPD: a name, and what follows it up to a semicolon that is not in quotes."""
    place = 0
    while text[place:].strip():
        operation = OPERATION.match(text, place)
        if operation is None or not (operation[3] or operation[1] in UNCLOSED):
            raise GamesearchError(
                f"{text[place:].strip()!r} is neither a field of FEN nor an operation of EPD, such as bm Qg6;"
            )
        yield operation[1], operation[2].strip().strip('"')
        place = operation.end()
