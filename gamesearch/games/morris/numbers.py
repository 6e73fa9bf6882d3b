"""Numbers of the positions of morris when all men are placed, in layers by the men of both sides."""

import re

from gamesearch.bits import packed, popcount, spread
from gamesearch.errors import GamesearchError
from gamesearch.game import MAX
from gamesearch.games._shared.combinations import choose, numbered_set, set_number
from gamesearch.games.morris.position import FEWEST, MorrisBoard, Position
from gamesearch.questions import Numbered

__all__ = ["MorrisNumbers"]

COUNTS = 7
"""A side has 3 to 9 men; with fewer it has lost."""


class MorrisNumbers(MorrisBoard, Numbered[Position]):
    """The layer of w white and b black men is COUNTS * (w - 3) + b - 3, which falls with every man removed."""

    def layer(self, s: Position) -> int:
        mine, theirs = popcount(s.mine), popcount(s.theirs)
        if s.hands > 0 or mine < FEWEST or theirs < FEWEST:
            return -1
        white, black = (mine, theirs) if s.turn == MAX else (theirs, mine)
        return COUNTS * (white - FEWEST) + black - FEWEST

    def layer_size(self, layer: int) -> int:
        white, black = layer // COUNTS + FEWEST, layer % COUNTS + FEWEST
        if layer < 0 or max(white, black) > self.men:
            return 0
        return 2 * choose(self.points, white) * choose(self.points - white, black)

    def rank(self, s: Position) -> int:
        white, black = (s.mine, s.theirs) if s.turn == MAX else (s.theirs, s.mine)
        ways = choose(self.points - popcount(white), popcount(black))
        number = set_number(white) * ways + set_number(packed(black, self.full ^ white))
        return 2 * number + s.turn

    def unrank(self, layer: int, number: int) -> Position:
        turn, number = number & 1, number >> 1
        men, other_men = layer // COUNTS + FEWEST, layer % COUNTS + FEWEST
        ways = choose(self.points - men, other_men)
        white = numbered_set(number // ways, self.points, men)
        black = spread(numbered_set(number % ways, self.points - men, other_men), self.full ^ white)
        return Position(white, black, 0, turn) if turn == MAX else Position(black, white, 0, turn)

    def layers_for(self, text: str) -> list[int]:
        match = re.fullmatch("([3-9])-([3-9])", text.strip())
        if match is None or max(white := int(match[1]), black := int(match[2])) > self.men:
            raise GamesearchError(f"{self.name} has no layers {text!r}: name White's men and Black's, such as 3-3")
        counts = [(w, b) for w in range(FEWEST, white + 1) for b in range(FEWEST, black + 1)]
        return [COUNTS * (w - FEWEST) + b - FEWEST for w, b in counts]

    def layer_name(self, layer: int) -> str:
        return f"{layer // COUNTS + FEWEST}-{layer % COUNTS + FEWEST}"
