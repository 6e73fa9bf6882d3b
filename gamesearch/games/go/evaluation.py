"""What a position of Go is worth, and which moves to try first."""

from gamesearch.game import CAPTURE, FORWARD, MAX
from gamesearch.games._shared.flood import flooded
from gamesearch.games.go.position import NOWHERE, GoBoard, Position
from gamesearch.optional import Selective
from gamesearch.toolkit.bits import Wide128, popcount

__all__ = ["GoEvaluation"]


class GoEvaluation(GoBoard, Selective[Position]):
    """Features of a position, and the order of its moves."""

    # Set by hand, in points: area, liberties, eyes.
    weights = (1.0, 0.1, 0.5)
    feature_names = ("points nearer to one's stones", "liberties", "eyes")
    passing_never_helps = True  # everybody may pass

    def features(self, s: Position) -> tuple[float, ...]:
        """Black's less White's: points nearer to one's stones, liberties, and eyes."""
        empty = self.full & ~(s.black | s.white)
        black, white, unclaimed = s.black, s.white, Wide128(empty)
        growing = True
        while growing:
            by_black, by_white = self.neighbours(black) & unclaimed, self.neighbours(white) & unclaimed
            black |= by_black & ~by_white
            white |= by_white & ~by_black
            unclaimed &= ~(by_black | by_white)
            growing = (by_black | by_white) != 0
        liberties = popcount(self.neighbours(s.black) & empty) - popcount(self.neighbours(s.white) & empty)
        eyes = popcount(self.eyes(s.black, empty)) - popcount(self.eyes(s.white, empty))
        return float(popcount(black) - popcount(white)), float(liberties), float(eyes)

    def eyes(self, stones: int, empty: int) -> int:
        """The empty points that have nothing but these stones around them."""
        return empty & ~self.neighbours(self.full & ~stones)

    def evaluate(self, s: Position) -> float:
        value = -self.komi
        features = self.features(s)
        for i in range(len(features)):
            value += features[i] * self.weights[i]
        return max(self.MINSCORE + 0.5, min(self.MAXSCORE - 0.5, value))

    def order(self, s: Position, m: int) -> float:
        # Captures first, then escapes; chains that can be taken and eyes filled come late, and a pass last,
        # or first where it ends a game that is won.
        if m == self.pass_move:
            ahead = self.utility(s) if s.turn == MAX else -self.utility(s)
            return 100.0 if s.passes == 1 and ahead > 0 else -100.0
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        stone = Wide128(1) << m
        mine_after, theirs_after = self.after_stone(mine, theirs, stone)
        empty = self.full & ~(mine_after | theirs_after)
        liberties = popcount(self.neighbours(flooded(self, stone, mine_after)) & empty)
        around = self.neighbours(stone)
        score = 10.0 * (popcount(theirs) - popcount(theirs_after))
        if liberties == 1:
            score -= 5.0
        elif self.last_liberties(around & mine, mine, self.full & ~(mine | theirs)) != 0:
            score += 8.0
        if around & ~mine == 0:
            score -= 20.0
        return score + popcount(around & theirs)

    def kind_of_move(self, s: Position, m: int) -> int:
        if m == self.pass_move:
            return FORWARD
        mine, theirs = (s.black, s.white) if s.turn == MAX else (s.white, s.black)
        attacked = self.neighbours(Wide128(1) << m) & theirs
        return CAPTURE if self.last_liberties(attacked, theirs, self.full & ~(mine | theirs)) != 0 else FORWARD

    def passed(self, s: Position) -> Position:
        # As no pass of the rules, it does not end the game where another follows.
        return Position(s.black, s.white, 1 - s.turn, 0, NOWHERE)
