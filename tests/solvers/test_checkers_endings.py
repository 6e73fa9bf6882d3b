"""The endings of checkers on eight rows, compared with a definition: plain rules of its own, and nothing but sweeps.

`draughts_oracle.py` shares no code with the game or with databases, and tells White from Black, which databases do not.
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
from gamesearch.games.checkers import Checkers

TO_MOVE = {1: 120, 2: 6_972, 3: 261_224}
"""How many positions each number of men has with one side to move (R. Lake, J. Schaeffer and P. Lu 1994)."""
ORACLE = Oracle(8, international=False)
Result = tuple[int, int] | None


@pytest.fixture(scope="module")
def endings(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """All positions with up to three men."""
    return built(Checkers(), "3", tmp_path_factory.mktemp("checkers"), "compiled")


def told(database: Database, text: str) -> Result:
    """What the database says: whether the side to move wins (1) or loses (-1), in how many plies; None for a draw."""
    code = code_of(database, position(database.game, text))
    return ((1, -1)[code - WON & 1], code - WON >> 1) if code >= WON else None


def position(game: Checkers, text: str) -> Position:
    """The position of a text, which people may not give where the side that moved last has no men."""
    other = "WB"[text[0] == "W"]
    if f"{other}:" not in f"{text}:":
        return game.parse(text)
    return game.parse(other + text[1:])._replace(turn=game.colours.index(text[0]))


def with_men(most: int) -> Iterator[str]:
    """All positions with up to so many men, each with either side to move."""
    return chain.from_iterable(all_positions(8, men) for men in range(1, most + 1))


@pytest.mark.xdist_group("checkers")
@pytest.mark.parametrize("most", [2, pytest.param(3, marks=only_with_everything)])
def test_every_value_and_distance_is_that_of_the_definition(most: int, endings: Database) -> None:
    solved = ORACLE.solve(*with_men(most))
    assert len(solved) == 2 * sum(TO_MOVE[men] for men in range(1, most + 1))
    assert [text for text, result in solved.items() if told(endings, text) != result] == []


@pytest.mark.xdist_group("checkers")
def test_three_men_follow_from_what_is_a_move_later(endings: Database) -> None:
    """A sample: each value and distance is what those after all moves of the plain rules make of it."""
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
