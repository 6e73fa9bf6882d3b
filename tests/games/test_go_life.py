"""Unconditional life in Go agrees with its definition: White cannot capture the stones even if Black always passes."""

import random

import pytest

from gamesearch.game import MAX, MIN
from gamesearch.games.capturing.go.position import NOWHERE, Position
from gamesearch.games.capturing.go.rules import Go
from gamesearch.toolkit.bits import popcount


def never_taken(game: Go, black: int, white: int) -> int:
    """Return the stones of Black that White cannot capture even if Black always passes."""
    left, seen, waiting = int(black), {(int(black), int(white))}, [(black, white)]
    while waiting:
        s = Position(*waiting.pop(), MIN, 0, NOWHERE, NOWHERE)
        for move in game.moves(s):
            after = game.result(s, move)
            if (int(after.black), int(after.white)) not in seen:
                seen.add((int(after.black), int(after.white)))
                waiting.append((after.black, after.white))
                left &= int(after.black)
    return left


def filled(game: Go, source: random.Random, empty: int, black: float) -> Position | None:
    """Return a random board; each stone is black with probability `black`. Return None if a chain has no liberty."""
    places = [row * game.width + column for row in range(game.size) for column in range(game.size)]
    stones = source.sample(places, len(places) - empty)
    blacks = sum(1 << place for place in stones if source.random() < black)
    s = Position(blacks, sum(1 << place for place in stones) & ~blacks, MAX, 0, NOWHERE, NOWHERE)
    return s if game.consistent(s) else None


@pytest.mark.parametrize(("size", "empty", "count"), [(3, 2, 300), (3, 4, 200), (4, 4, 80), (4, 6, 40)])
def test_chains_that_cannot_be_captured_live(size: int, empty: int, count: int) -> None:
    game, source, seen = Go(size), random.Random(size * empty), set()
    for _ in range(count):
        s = filled(game, source, empty, 0.85)
        if s is None:
            continue
        alive, regions = game.unconditionally_alive(s.black, s.white)
        chains = [chain for player, chain in game.groups(s) if player == MAX]
        left = never_taken(game, s.black, s.white)
        assert int(alive) == sum(chain for chain in chains if chain & left == chain)
        assert int(alive) & int(regions) == 0
        seen.add(alive != 0)
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("rows", "black", "white"),
    [
        (".X.X./XXXXX/OOOOO/...../.....", 10, 0),  # three eyes of one point; the white chain below has no second eye
        (".X.X./XXXXX/OOOOO/.O.../O.O..", 10, 0),  # the eye at A2 is not surrounded by one chain
        (".X.X./XXXXX/OOOOO/.O.OO/OOOO.", 10, 15),
        ("..X../XXXXX/OOOOO/...../.....", 6, 0),  # in larger eyes, no point is certain to remain empty
        (".X.../XX.../...../...../.....", 0, 0),
        ("X.X../.XX../XX.../...../.....", 8, 0),  # two eyes on a diagonal
    ],
)
def test_points_that_are_certain_are_counted(rows: str, black: int, white: int) -> None:
    game = Go(5)
    s = game.parse(rows)
    assert game.certain_points(s.black, s.white) == black
    assert game.certain_points(s.white, s.black) == white
    least, greatest = Go(5, komi=1.5).bounds(s)
    assert (least, greatest) == (max(-26.5, 2 * black - 26.5), min(26.5, 23.5 - 2 * white))


def test_no_life_is_claimed_if_suicide_is_allowed() -> None:
    text = ".X.X./XXXXX/OOOOO/...../....."
    assert Go(5, suicide=True).bounds(Go(5).parse(text)) == (-25, 25)
    assert popcount(Go(5).unconditionally_alive(*Go(5).parse(text)[:2])[0]) == 7
