"""A second, simple and slow implementation of draughts: a square is a row and a column, and recursion finds jumps.

Positions are PDN texts; moves are (origin, target, captured squares) as square numbers.
"""

import random
import re
from collections.abc import Iterator
from functools import cache

Place = tuple[int, int]
Pieces = dict[Place, str]
Move = tuple[int, int, frozenset[int]]
DIAGONALS = ((-1, -1), (-1, 1), (1, -1), (1, 1))


@cache
def places(size: int) -> dict[int, Place]:
    """Return the row and column of each dark square, by its number; the upper left corner is light."""
    dark = [(row, column) for row in range(size) for column in range(size) if (row + column) % 2]
    return dict(enumerate(dark, 1))


@cache
def numbers(size: int) -> dict[Place, int]:
    return {place: number for number, place in places(size).items()}


def read(text: str, size: int) -> tuple[str, Pieces]:
    turn, *sides = text.split(":")
    pieces = {}
    for side in sides:
        for king, number in re.findall(r"(K?)(\d+)", side):
            pieces[places(size)[int(number)]] = side[0] if king else side[0].lower()
    return turn, pieces


def write(turn: str, pieces: Pieces, size: int) -> str:
    sides = []
    for colour in "WB":
        found = sorted((numbers(size)[place], mark) for place, mark in pieces.items() if mark.upper() == colour)
        sides.append(colour + ",".join(f"{'K' * mark.isupper()}{number}" for number, mark in found))
    return ":".join([turn, *sides])


class Oracle:
    """International draughts if `international` is true, otherwise English draughts, on a board with `size` rows."""

    def __init__(self, size: int, international: bool) -> None:
        self.size, self.international = size, international

    def on_board(self, place: Place) -> bool:
        return 0 <= place[0] < self.size and 0 <= place[1] < self.size

    def ray(self, place: Place, diagonal: Place, pieces: Pieces) -> Iterator[Place]:
        """Yield the empty squares in a direction, up to the first piece or the edge."""
        row, column = place[0] + diagonal[0], place[1] + diagonal[1]
        while self.on_board((row, column)) and (row, column) not in pieces:
            yield row, column
            row, column = row + diagonal[0], column + diagonal[1]

    def is_forward(self, mark: str, diagonal: Place) -> bool:
        return diagonal[0] == (1 if mark == "b" else -1)

    def is_last(self, mark: str, place: Place) -> bool:
        return place[0] == (self.size - 1 if mark == "b" else 0)

    def steps(self, place: Place, pieces: Pieces) -> Iterator[Place]:
        mark = pieces[place]
        for diagonal in DIAGONALS:
            if mark.isupper() or self.is_forward(mark, diagonal):
                free = list(self.ray(place, diagonal, pieces))
                yield from free if self.international and mark.isupper() else free[:1]

    def jumps(self, mark: str, place: Place, pieces: Pieces, taken: frozenset[Place]) -> Iterator[tuple[Place, Place]]:
        """Yield each possible jump: the square of the captured piece and the landing square.

        The dictionary `pieces` does not contain the jumping piece.
        """
        if not self.international and mark.islower() and self.is_last(mark, place):
            return
        for diagonal in DIAGONALS:
            if mark.islower() and not self.international and not self.is_forward(mark, diagonal):
                continue
            before = list(self.ray(place, diagonal, pieces))
            if before and not (self.international and mark.isupper()):
                continue
            row, column = before[-1] if before else place
            over = row + diagonal[0], column + diagonal[1]
            if pieces.get(over, mark).upper() != mark.upper() and over not in taken:
                for landing in self.ray(over, diagonal, pieces):
                    yield over, landing
                    if not (self.international and mark.isupper()):
                        break

    def captures(
        self, mark: str, place: Place, pieces: Pieces, taken: frozenset[Place]
    ) -> Iterator[tuple[Place, frozenset[Place]]]:
        """Yield each possible capture: the square where the piece ends up, and the squares of the captured pieces."""
        goes_on = False
        for over, landing in self.jumps(mark, place, pieces, taken):
            goes_on = True
            yield from self.captures(mark, landing, pieces, taken | {over})
        if taken and not goes_on:
            yield place, taken

    def moves(self, text: str) -> dict[Move, str]:
        """Return the position after each legal move."""
        turn, pieces = read(text, self.size)
        own = [place for place, mark in pieces.items() if mark.upper() == turn]
        found: set[tuple[Place, Place, frozenset[Place]]] = set()
        for place in own:
            others = {other: mark for other, mark in pieces.items() if other != place}
            for target, taken in self.captures(pieces[place], place, others, frozenset()):
                found.add((place, target, taken))
        if self.international:
            most = max((len(taken) for _, _, taken in found), default=0)
            found = {move for move in found if len(move[2]) == most}
        if not found:
            found = {(place, target, frozenset()) for place in own for target in self.steps(place, pieces)}
        number = numbers(self.size)
        return {
            (number[origin], number[target], frozenset(number[each] for each in taken)): self.after(
                turn, pieces, origin, target, taken
            )
            for origin, target, taken in found
        }

    def after(self, turn: str, pieces: Pieces, origin: Place, target: Place, taken: frozenset[Place]) -> str:
        left = {place: mark for place, mark in pieces.items() if place != origin and place not in taken}
        mark = pieces[origin]
        left[target] = mark.upper() if mark.islower() and self.is_last(mark, target) else mark
        return write("W" if turn == "B" else "B", left, self.size)

    def solve(self, *starts: str) -> dict[str, tuple[int, int] | None]:
        """Return the winner and the distance in plies for every reachable position, or None for a draw.

        The winner is 1 if the side to move wins. The n-th pass over all positions finds the positions that are decided
        in n plies.
        """
        graph: dict[str, list[str]] = {}
        waiting = list(starts)
        while waiting:
            text = waiting.pop()
            if text not in graph:
                graph[text] = list(self.moves(text).values())
                waiting += graph[text]
        results: dict[str, tuple[int, int]] = {text: (-1, 0) for text, after in graph.items() if not after}
        plies, found = 0, len(results)
        while found:
            plies += 1
            fresh: dict[str, tuple[int, int]] = {}
            for text, after in graph.items():
                if text not in results:
                    known = [results[each][0] for each in after if each in results]
                    if -1 in known:
                        fresh[text] = (1, plies)
                    elif len(known) == len(after):
                        fresh[text] = (-1, plies)
            results |= fresh
            found = len(fresh)
        return {text: results.get(text) for text in graph}


def random_position(source: random.Random, size: int) -> str:
    """Return a position with some men and kings on random legal squares."""
    places = list(range(1, size * size // 2 + 1))
    source.shuffle(places)
    pieces: dict[str, list[str]] = {"W": [], "B": []}
    most = size // 2 * (size // 2 - 1)
    for colour, last in (
        ("W", range(1, size // 2 + 1)),
        ("B", range(size * (size - 1) // 2 + 1, size * size // 2 + 1)),
    ):
        for _ in range(source.randint(1, most * 2 // 3)):
            number = places.pop()
            is_king = number in last or source.random() < 0.3
            pieces[colour].append(f"{'K' * is_king}{number}")
    return f"{source.choice('WB')}:W{','.join(pieces['W'])}:B{','.join(pieces['B'])}"
