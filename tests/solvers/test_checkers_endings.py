"""Endings of checkers on an 8x8 board agree with a simple solver that has its own rules and makes repeated passes.

The solver `draughts_oracle.py` shares no code with the game or the databases. Unlike the databases, this solver does
not halve the number of positions by exchanging White and Black.
"""

import random
from collections.abc import Iterator
from itertools import chain

import pytest
from choices import only_with_everything
from database_support import built, code_of
from draughts_oracle import Oracle, all_positions

from gamesearch.algorithms.databases.codes import WON
from gamesearch.algorithms.node.database import Database
from gamesearch.games._shared.draughts_board import Position
from gamesearch.games.capturing.checkers import Checkers

TO_MOVE = {1: 120, 2: 6_972, 3: 261_224}
"""The number of positions for each number of pieces and one side to move (R. Lake, J. Schaeffer and P. Lu 1994)."""
ORACLE = Oracle(8, international=False)
Result = tuple[int, int] | None


@pytest.fixture(scope="module")
def endings(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """A database of all positions of checkers with up to three pieces."""
    return built(Checkers(), "3", tmp_path_factory.mktemp("checkers"), "compiled")


def told(database: Database, text: str) -> Result:
    """Return a position's value (1 if the side to move wins, -1 if it loses) and plies to the end; None for a draw."""
    code = code_of(database, position(database.game, text))
    return ((1, -1)[code - WON & 1], code - WON >> 1) if code >= WON else None


def position(game: Checkers, text: str) -> Position:
    """Parse a position. Unlike the game's parser, accept positions in which the side that moved last has no pieces."""
    other = "WB"[text[0] == "W"]
    if f"{other}:" not in f"{text}:":
        return game.parse(text)
    return game.parse(other + text[1:])._replace(turn=game.colours.index(text[0]))


def with_men(most: int) -> Iterator[str]:
    """Yield all positions with up to `most` pieces, each with White and with Black to move."""
    return chain.from_iterable(all_positions(8, men) for men in range(1, most + 1))


@pytest.mark.xdist_group("checkers")
@pytest.mark.parametrize("most", [2, pytest.param(3, marks=only_with_everything)])
def test_values_and_distances_agree_with_the_definition(most: int, endings: Database) -> None:
    solved = ORACLE.solve(*with_men(most))
    assert len(solved) == 2 * sum(TO_MOVE[men] for men in range(1, most + 1))
    assert [text for text, result in solved.items() if told(endings, text) != result] == []


@pytest.mark.xdist_group("checkers")
def test_values_of_three_pieces_follow_from_the_values_after_a_move(endings: Database) -> None:
    """In sampled positions, value and distance agree with those of the positions after all legal moves."""
    game = endings.game
    for number in random.Random(3).sample(range(TO_MOVE[3]), 3_000):
        text = game.format(game.unrank(3, number))
        after = [told(endings, each) for each in ORACLE.moves(text).values()]
        lost = [result[1] for result in after if result and result[0] < 0]
        won = [result[1] for result in after if result and result[0] > 0]
        expected: Result = None
        if lost:
            expected = 1, 1 + min(lost)
        elif len(won) == len(after):
            expected = -1, 1 + max(won, default=-1)
        assert told(endings, text) == expected, text
