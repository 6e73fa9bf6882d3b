"""What a position of backgammon is worth, as books on the game count it; and what a network sees of it."""

from collections.abc import Iterator
from typing import NamedTuple

from gamesearch.game import MAX
from gamesearch.games._shared.members import members
from gamesearch.games.backgammon.position import BAR, MEN, BackgammonBoard, Position
from gamesearch.optional import Networked
from gamesearch.toolkit.bits import low_bit_index, popcount

__all__ = ["BackgammonEvaluation"]

INPUTS_OF_SIDE = 107
"""For each point, whether there is a blot, two men or more, three or more, and half of the men beyond three; half of
the men on the bar, a fifteenth of those borne off; then what `strengths` counts, but for stacked men."""


class Strengths(NamedTuple):
    """What one side has."""

    pips: int
    rearmost: int
    risk: float
    """Pips that blots may lose to a hit, and 5 for each point of the home that they would have to enter against."""
    bar: int
    """Men on the bar, each with 2 and the points of the home that it has to enter against."""
    home: int
    """Points made at home, from 3 to 6."""
    prime: int
    """The longest row of points made, at home and outside, beyond two, while somebody is behind it."""
    anchor: int
    """Whether one of the points 20 to 22 is made."""
    back: int
    """Men in the other's home or on the bar."""
    stacked: int
    """Men beyond three on a point."""
    unsaved: int
    """Whether nobody is borne off yet, so that a gammon can be lost."""


class BackgammonEvaluation(BackgammonBoard, Networked[Position]):
    """Features of a position, what a network sees of it, and the order of its moves."""

    input_count = 2 * INPUTS_OF_SIDE
    plays_by_learned = True
    dice_explore = True
    network_payoffs = (-3.0, -2.0, -1.0, 1.0, 2.0, 3.0)

    # What each feature is worth in points: fitted by least squares to the results of 300,000 games in which
    # the evaluation played both sides, looking no further than its own play; refitted after every 30,000.
    feature_names: tuple[str, ...] = (
        "pips in contact", "pips in a race", "turn", "risk of blots", "bar", "home points", "prime", "anchor",
        "men behind", "stacked men", "gammon unsaved",
    )  # fmt: skip
    weights: tuple[float, ...] = (0.0097, 1.8, 0.091, -0.0034, -0.0157, 0.079, 0.121, 0.106, -0.084, -0.0145, -0.45)

    def features(self, s: Position) -> tuple[float, ...]:
        """What Max has less what Min has.

        The lead in pips while men can still meet, the lead as a part of all pips once they cannot, and
        the turn; then the strengths from `risk` on.
        """
        mine, theirs = self.strengths(s.mine, s.theirs), self.strengths(s.theirs, s.mine)
        sign = 1.0 if s.turn == MAX else -1.0
        lead = sign * (theirs.pips - mine.pips)
        meets = mine.rearmost + theirs.rearmost > BAR
        return (
            lead if meets else 0.0,
            0.0 if meets else lead / (mine.pips + theirs.pips),
            sign,
            sign * (mine.risk - theirs.risk),
            sign * (mine.bar - theirs.bar),
            sign * (mine.home - theirs.home),
            sign * (mine.prime - theirs.prime),
            sign * (mine.anchor - theirs.anchor),
            sign * (mine.back - theirs.back),
            sign * (mine.stacked - theirs.stacked),
            sign * (mine.unsaved - theirs.unsaved),
        )

    def strengths(self, mine: int, theirs: int) -> Strengths:
        """What a side has, as far as features ask for it."""
        made = self.made(mine)
        hitters = self.seen_by_other(self.occupied(theirs))
        closed = popcount(self.made(theirs) & self.home)
        pips = rearmost = back = stacked = 0
        risk = 0.0
        for bit in members(self.occupied(mine)):
            rearmost = bit // 4
            number = int(mine >> 4 * rearmost & 15)
            pips += number * rearmost
            back += number if rearmost > 18 else 0
            stacked += max(0, number - 3)
            if number == 1 and rearmost < BAR:
                shooters = hitters << 4 * (24 - rearmost) & self.in_reach
                missing = 1.0
                for shooter in members(shooters):
                    missing *= 1 - self.shots[24 - shooter // 4] / 36
                risk += (1 - missing) * (BAR - rearmost + 5 * closed)
        prime, run = 0, made
        while run != 0:
            prime += 1
            run &= run >> 4
        return Strengths(
            pips=pips,
            rearmost=rearmost,
            risk=risk,
            bar=int(mine >> 4 * BAR) * (2 + closed),
            home=popcount(made & self.far_home),
            prime=max(0, prime - 2) if theirs >> 4 * 19 != 0 else 0,
            anchor=1 if made & self.anchors != 0 else 0,
            back=back,
            stacked=stacked,
            unsaved=1 if mine & 15 == 0 else 0,
        )

    def inputs(self, s: Position) -> Iterator[tuple[int, float]]:
        """Tesauro's inputs, the side to move always seeing its own men first, and then what books count."""
        for side in range(2):
            board, other = (s.mine, s.theirs) if side == 0 else (s.theirs, s.mine)
            first = INPUTS_OF_SIDE * side
            places = self.occupied(board) & self.points
            while places != 0:
                place = low_bit_index(places) // 4
                places &= places - 1
                number, at = int(board >> 4 * place & 15), first + 4 * (place - 1)
                yield at + (0 if number == 1 else 1), 1.0
                if number > 2:
                    yield at + 2, 1.0
                if number > 3:
                    yield at + 3, (number - 3) / 2
            found = self.strengths(board, other)
            weighed = (
                int(board >> 4 * BAR) / 2, int(board & 15) / MEN, found.pips / 100, found.risk / 20, found.bar / 4,
                found.home / 4, found.prime / 4, float(found.anchor), found.back / 4, float(found.unsaved),
                found.rearmost / BAR,
            )  # fmt: skip
            for i in range(len(weighed)):
                yield first + 96 + i, weighed[i]

    def viewer(self, s: Position) -> int:
        return s.turn

    def evaluate(self, s: Position) -> float:
        value = 0.0
        features = self.features(s)
        for i in range(len(features)):
            value += features[i] * self.weights[i]
        lower, upper = self.bounds(s)
        return 0.99 * max(lower, min(upper, value))

    def order(self, s: Position, m: int) -> float:
        """Hits count most, then points made, then men left alone."""
        after = self.result(s, m)
        made = self.made(after.theirs)
        blots = after.theirs & self.points & ~made
        return 4.0 * int(after.mine >> 4 * BAR) + 2.0 * popcount(made) - popcount(blots)
