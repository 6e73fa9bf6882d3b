"""Rows on gomoku's bitboards, for all places at once: those that win, and those that still can."""

from typing import TYPE_CHECKING

from gamesearch.bits import Wide256

if TYPE_CHECKING:
    from gamesearch.games.gomoku.rules import Gomoku

__all__ = ["LONGEST_ROW", "completing", "has_row", "lacking", "open_rows", "open_threes", "run"]

LONGEST_ROW = 7
"""What three binary digits count to."""


def has_row(game: "Gomoku", stones: int) -> bool:
    """Whether some of the stones stand in a row that wins."""
    for step in game.directions:
        found = stones
        for i in range(1, game.connect):
            found &= stones >> step * i
        if game.exact:
            found &= ~(stones << step | stones >> step * game.connect)
        if found != 0:
            return True
    return False


def open_rows(game: "Gomoku", mine: int, theirs: int, step: int) -> tuple[int, int, int, int]:
    """The rows of `connect` cells where only I can still win, by their first cells.

    After them, how many of my stones each of these has, or any other, in binary: the ones, the
    twos and the fours, added up for all rows at once.
    """
    free = game.full & ~theirs
    possible, ones, twos, fours = free, mine, Wide256(0), Wide256(0)
    for i in range(1, game.connect):
        possible &= free >> step * i
        stones = mine >> step * i
        carry = ones & stones
        ones ^= stones
        fours |= twos & carry
        twos ^= carry
    if game.exact:
        possible &= ~(mine << step | mine >> step * game.connect)
    return possible, ones, twos, fours


def lacking(game: "Gomoku", rows: tuple[int, int, int, int], number: int) -> int:
    """Those of the open rows that are complete but for so many stones."""
    possible, ones, twos, fours = rows
    stones = game.connect - number
    found = possible & (ones if stones & 1 else ~ones)
    found &= twos if stones & 2 else ~twos
    return found & (fours if stones & 4 else ~fours)


def completing(game: "Gomoku", mine: int, theirs: int, number: int) -> int:
    """The empty cells of the rows that lack so many of my stones."""
    cells = Wide256(0)
    for step in game.directions:
        found = lacking(game, open_rows(game, mine, theirs, step), number)
        for i in range(game.connect):
            cells |= found << step * i
    return cells & game.full & ~(mine | theirs)


def open_threes(game: "Gomoku", found: int, taken: int, step: int) -> int:
    """Of the rows that lack two stones, those that one stone makes a row with two ways to win.

    It and its neighbour, one step on, share all their stones, and both their outer ends are empty.
    """
    return found & found >> step & ~taken & ~(taken >> step * game.connect)


def run(stones: int, stone: int, step: int) -> int:
    """How many of the stones are in a row with a cell, next to it."""
    length = 0
    cell = stone << step
    while stones & cell:
        length += 1
        cell <<= step
    cell = stone >> step
    while stones & cell:
        length += 1
        cell >>= step
    return length
