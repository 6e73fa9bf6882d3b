"""Numbers of the positions of morris when all men are placed, in layers by the men of both sides.

A position has the number of all that it becomes by the symmetries of the board, and by exchanging the colours: of up
to 32 positions, one is solved and kept (R. Gasser 1996, who numbers them alike).
"""

import re
from collections.abc import Iterator

from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games._shared.combinations import choose, next_set, numbered_set, set_number
from gamesearch.games.morris.position import FEWEST, RING, MorrisBoard, Position
from gamesearch.games.morris.symmetries import BYTE, MOST_TURNED, SYMMETRIES, classes_of, images_of
from gamesearch.optional import Numbered
from gamesearch.toolkit.bits import packed, popcount, spread

__all__ = ["MorrisNumbers"]

COUNTS = 7
"""A side has 3 to 9 men; with fewer it has lost."""


class MorrisNumbers(MorrisBoard, Numbered[Position]):
    """The layer of w and b men, w the more, is COUNTS * (w - 3) + b - 3, which falls with every man removed.

    The fewer men, or those of the side to move, are turned to the first set of their class; the others follow.
    """

    def prepare_numbers(self) -> None:
        """The tables of the symmetries."""
        self.images = images_of(self.rings)
        self.class_begins, self.first_sets, self.homes, self.firsts, self.alike = classes_of(self.rings)

    def layer(self, s: Position) -> int:
        mine, theirs = popcount(s.mine), popcount(s.theirs)
        is_numbered = s.hands == 0 and min(mine, theirs) >= FEWEST
        return COUNTS * (max(mine, theirs) - FEWEST) + min(mine, theirs) - FEWEST if is_numbered else -1

    def classes(self, men: int) -> int:
        """How many classes of sets of so many men there are."""
        begins = self.class_begins
        return choose(self.points, men) if men > MOST_TURNED else begins[men + 1] - begins[men]

    def layer_size(self, layer: int) -> int:
        more, fewer = layer // COUNTS + FEWEST, layer % COUNTS + FEWEST
        if layer < 0 or fewer > more or more > self.men:
            return 0
        return self.classes(fewer) * choose(self.points - fewer, more) * (1 if fewer == more else 2)

    def image(self, men: int, symmetry: int) -> int:
        """The men as they lie after one of the symmetries."""
        found = 0
        for ring in range(self.rings):
            found |= int(self.images[BYTE * (self.rings * symmetry + ring) + (men >> RING * ring & BYTE - 1)])
        return found

    def rank(self, s: Position) -> int:
        mine, theirs = popcount(s.mine), popcount(s.theirs)
        if mine <= theirs:
            return self.number_of_sets(s.mine, s.theirs)
        return self.number_of_sets(s.theirs, s.mine) + self.classes(theirs) * choose(self.points - theirs, mine)

    def number_of_sets(self, fewer: int, more: int) -> int:
        """The number of the fewer men and the others, whoever is to move."""
        few, many = popcount(fewer), popcount(more)
        ways = choose(self.points - few, many)
        number = set_number(fewer)
        if few > MOST_TURNED:
            return number * ways + set_number(packed(more, self.full ^ fewer))
        home = int(self.homes[self.first_sets[few] + number])
        place = home // SYMMETRIES
        free = self.full ^ int(self.firsts[place])
        more = self.image(more, home % SYMMETRIES)
        least = set_number(packed(more, free))
        alike = int(self.alike[place])
        for symmetry in range(SYMMETRIES):
            if alike >> symmetry & 1:
                least = min(least, set_number(packed(self.image(more, symmetry), free)))
            if alike >> symmetry == 0:
                break
        return (place - self.class_begins[few]) * ways + least

    def unrank(self, layer: int, number: int) -> Position:
        many, few = layer // COUNTS + FEWEST, layer % COUNTS + FEWEST
        ways = choose(self.points - few, many)
        half = self.classes(few) * ways
        is_exchanged = number >= half
        if is_exchanged:
            number -= half
        place = number // ways
        if few > MOST_TURNED:
            fewer = numbered_set(place, self.points, few)
        else:
            fewer = int(self.firsts[self.class_begins[few] + place])
        more = spread(numbered_set(number % ways, self.points - few, many), self.full ^ fewer)
        return Position(more, fewer, 0, MAX) if is_exchanged else Position(fewer, more, 0, MAX)

    def unrank_after(self, layer: int, number: int, before: Position) -> Position:
        many, few = layer // COUNTS + FEWEST, layer % COUNTS + FEWEST
        if number % choose(self.points - few, many) == 0:  # other men of the side that has fewer
            return self.unrank(layer, number)
        if popcount(before.mine) > few:
            free = self.full ^ before.theirs
            return Position(spread(next_set(packed(before.mine, free)), free), before.theirs, 0, MAX)
        free = self.full ^ before.mine
        return Position(before.mine, spread(next_set(packed(before.theirs, free)), free), 0, MAX)

    def symmetries(self, s: Position) -> Iterator[Position]:
        for symmetry in range(SYMMETRIES):
            yield Position(self.image(s.mine, symmetry), self.image(s.theirs, symmetry), s.hands, s.turn)

    def layers_for(self, text: str) -> list[int]:
        match = re.fullmatch("([3-9])-([3-9])", text.strip())
        if match is None or max(white := int(match[1]), black := int(match[2])) > self.men:
            raise GamesearchError(f"{self.name} has no layers {text!r}: name White's men and Black's, such as 3-3")
        white, black = max(white, black), min(white, black)
        counts = [(w, b) for w in range(FEWEST, white + 1) for b in range(FEWEST, min(w, black) + 1)]
        return sorted(COUNTS * (w - FEWEST) + b - FEWEST for w, b in counts)

    def layer_name(self, layer: int) -> str:
        return f"{layer // COUNTS + FEWEST}-{layer % COUNTS + FEWEST}"
